ALTER TABLE "approvals" ADD COLUMN "seen_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "approvals" ADD COLUMN "withdrawn_at" timestamp with time zone;