CREATE TABLE "receipts" (
	"id" text PRIMARY KEY NOT NULL,
	"about" text NOT NULL,
	"order_id" text NOT NULL,
	"payment_id" text NOT NULL,
	"refund_id" text,
	"kind" text NOT NULL,
	"registrar" text NOT NULL,
	"mode" text NOT NULL,
	"amount_kopecks" bigint NOT NULL,
	"receipt" jsonb NOT NULL,
	"state" text NOT NULL,
	"idempotence_key" text NOT NULL,
	"provider_id" text,
	"fiscal" jsonb,
	"created_at" timestamp with time zone NOT NULL,
	"requested_at" timestamp with time zone,
	"settled_at" timestamp with time zone,
	"next_check_at" timestamp with time zone,
	CONSTRAINT "receipts_about_unique" UNIQUE("about"),
	CONSTRAINT "receipts_idempotenceKey_unique" UNIQUE("idempotence_key"),
	CONSTRAINT "receipts_providerId_unique" UNIQUE("provider_id"),
	CONSTRAINT "receipts_amount" CHECK ("receipts"."amount_kopecks" > 0),
	CONSTRAINT "receipts_kind" CHECK ("receipts"."kind" in ('payment','handover','refund')),
	CONSTRAINT "receipts_registrar" CHECK ("receipts"."registrar" in ('provider','office')),
	CONSTRAINT "receipts_mode" CHECK ("receipts"."mode" in ('full_prepayment','partial_prepayment','full_payment')),
	CONSTRAINT "receipts_state" CHECK ("receipts"."state" in ('new','pending','succeeded','canceled'))
);
--> statement-breakpoint
ALTER TABLE "refunds" ADD COLUMN "mode" text DEFAULT 'full_prepayment' NOT NULL;--> statement-breakpoint
ALTER TABLE "receipts" ADD CONSTRAINT "receipts_payment_id_payments_id_fk" FOREIGN KEY ("payment_id") REFERENCES "public"."payments"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "receipts" ADD CONSTRAINT "receipts_refund_id_refunds_id_fk" FOREIGN KEY ("refund_id") REFERENCES "public"."refunds"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "receipts_due" ON "receipts" USING btree ("next_check_at");--> statement-breakpoint
CREATE INDEX "receipts_by_order" ON "receipts" USING btree ("order_id");