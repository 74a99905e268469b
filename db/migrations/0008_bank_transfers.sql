CREATE TABLE "bank_transfers" (
	"id" bigserial PRIMARY KEY NOT NULL,
	"order_id" text NOT NULL,
	"number" text NOT NULL,
	"date" date NOT NULL,
	"amount_kopecks" bigint NOT NULL,
	"payer_account" text DEFAULT '' NOT NULL,
	"entered_at" timestamp with time zone NOT NULL,
	CONSTRAINT "bank_transfers_amount" CHECK ("bank_transfers"."amount_kopecks" > 0)
);
--> statement-breakpoint
ALTER TABLE "payments" ADD COLUMN "transfer_id" bigint;--> statement-breakpoint
CREATE UNIQUE INDEX "bank_transfers_once" ON "bank_transfers" USING btree ("number","date","amount_kopecks","payer_account");--> statement-breakpoint
CREATE INDEX "bank_transfers_by_order" ON "bank_transfers" USING btree ("order_id");--> statement-breakpoint
ALTER TABLE "payments" ADD CONSTRAINT "payments_transfer_id_bank_transfers_id_fk" FOREIGN KEY ("transfer_id") REFERENCES "public"."bank_transfers"("id") ON DELETE no action ON UPDATE no action NOT VALID;--> statement-breakpoint
ALTER TABLE "payments" VALIDATE CONSTRAINT "payments_transfer_id_bank_transfers_id_fk";