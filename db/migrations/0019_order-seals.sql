CREATE TABLE "order_seals" (
	"number" text PRIMARY KEY NOT NULL,
	"order_id" text NOT NULL,
	"sealed_at" timestamp with time zone NOT NULL,
	"actor" text NOT NULL,
	"removed_at" timestamp with time zone,
	CONSTRAINT "order_seals_number" CHECK ("order_seals"."number" = upper("order_seals"."number") and length("order_seals"."number") between 5 and 40)
);
--> statement-breakpoint
ALTER TABLE "order_seals" ADD CONSTRAINT "order_seals_order_id_orders_id_fk" FOREIGN KEY ("order_id") REFERENCES "public"."orders"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "order_seals_current" ON "order_seals" USING btree ("order_id") WHERE "order_seals"."removed_at" is null;