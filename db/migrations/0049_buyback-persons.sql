-- concurrent
CREATE INDEX CONCURRENTLY "buyback_deals_by_name" ON "buyback_deals" USING btree ("name_hash","paid_at") WHERE "buyback_deals"."name_hash" is not null;--> statement-breakpoint
CREATE UNIQUE INDEX CONCURRENTLY "buyback_deals_receipt_number" ON "buyback_deals" USING btree ("receipt_storage","receipt_document") WHERE "buyback_deals"."receipt_storage" is not null;