ALTER TABLE "payment_differences" DROP CONSTRAINT "payment_differences_kind";--> statement-breakpoint
ALTER TABLE "refunds" ADD COLUMN "unanswered_since" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "refunds" ADD COLUMN "alarmed_at" timestamp with time zone;--> statement-breakpoint
CREATE INDEX "refunds_unanswered" ON "refunds" USING btree ("unanswered_since") WHERE unanswered_since is not null;--> statement-breakpoint
ALTER TABLE "payment_differences" ADD CONSTRAINT "payment_differences_kind" CHECK ("payment_differences"."kind" in ('unknown_here','unknown_there','state','amount','refunded',
    'refund_unknown_here','refund_unknown_there','refund_state','refund_amount'));