DROP INDEX "payments_one_kept";--> statement-breakpoint
ALTER TABLE "refunds" ADD COLUMN "lines" jsonb;--> statement-breakpoint
CREATE UNIQUE INDEX "payments_one_kept_online" ON "payments" USING btree ("order_id") WHERE is_kept = 'kept' and provider <> 'by_hand';