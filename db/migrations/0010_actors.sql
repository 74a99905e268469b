ALTER TABLE "order_history" ADD COLUMN "actor" text;--> statement-breakpoint
ALTER TABLE "bank_transfers" ADD COLUMN "actor" text;--> statement-breakpoint
ALTER TABLE "payments" ADD COLUMN "actor" text;--> statement-breakpoint
ALTER TABLE "refunds" ADD COLUMN "actor" text;--> statement-breakpoint
ALTER TABLE "stock_entries" ADD COLUMN "actor" text;