ALTER TABLE "customers" ADD COLUMN "erased_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "orders" ADD COLUMN "forget_at" timestamp with time zone;--> statement-breakpoint
CREATE INDEX "orders_to_forget" ON "orders" USING btree ("forget_at");
