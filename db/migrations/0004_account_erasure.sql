ALTER TABLE "customers" ADD COLUMN "erased_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "orders" ADD COLUMN "forget_at" timestamp with time zone;--> statement-breakpoint
CREATE INDEX "orders_to_forget" ON "orders" USING btree ("forget_at");--> statement-breakpoint
UPDATE "orders" SET "forget_at" = "created_at" + interval '1826 days' WHERE "customer_id" IS NULL;