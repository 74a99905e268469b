ALTER TABLE "market_status" ADD COLUMN "opened_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "rates" ADD COLUMN "moved_at" timestamp with time zone;