ALTER TABLE "shipments" DROP CONSTRAINT "shipments_call_off";--> statement-breakpoint
ALTER TABLE "orders" DROP CONSTRAINT "orders_state";--> statement-breakpoint
DROP INDEX "stock_entries_once";--> statement-breakpoint
ALTER TABLE "shipments" ADD COLUMN "may_turn_back" boolean DEFAULT true NOT NULL;--> statement-breakpoint
ALTER TABLE "order_lines" ADD COLUMN "dropped" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "order_lines" ADD COLUMN "returned" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "orders" ADD COLUMN "refund_after_recall" jsonb;--> statement-breakpoint
CREATE UNIQUE INDEX "stock_entries_sold_once" ON "stock_entries" USING btree ("order_id","coin_id") WHERE "stock_entries"."kind" = 'sold';--> statement-breakpoint
CREATE INDEX "stock_entries_by_order" ON "stock_entries" USING btree ("order_id") WHERE "stock_entries"."order_id" is not null;--> statement-breakpoint
ALTER TABLE "shipments" ADD CONSTRAINT "shipments_call_off" CHECK ("shipments"."call_off" in ('asked','sent','struck_out','turned_back','refused')) NOT VALID;--> statement-breakpoint
ALTER TABLE "shipments" VALIDATE CONSTRAINT "shipments_call_off";--> statement-breakpoint
ALTER TABLE "order_lines" ADD CONSTRAINT "order_lines_remaining" CHECK ("order_lines"."dropped" >= 0 and "order_lines"."returned" >= 0 and "order_lines"."dropped" + "order_lines"."returned" <= "order_lines"."quantity") NOT VALID;--> statement-breakpoint
ALTER TABLE "order_lines" VALIDATE CONSTRAINT "order_lines_remaining";--> statement-breakpoint
ALTER TABLE "orders" ADD CONSTRAINT "orders_state" CHECK ("orders"."state" in ('placed','awaiting_payment','paid','assembled','cancellation_requested','shipped','ready','delivered','returning','cancelled','returned')) NOT VALID;--> statement-breakpoint
ALTER TABLE "orders" VALIDATE CONSTRAINT "orders_state";
