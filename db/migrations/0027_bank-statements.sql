CREATE TABLE "bank_statement_entries" (
	"id" bigserial PRIMARY KEY NOT NULL,
	"statement_id" bigint NOT NULL,
	"position" integer NOT NULL,
	"fingerprint" text NOT NULL,
	"number" text NOT NULL,
	"date" date NOT NULL,
	"arrived_on" date,
	"amount_kopecks" bigint NOT NULL,
	"is_outgoing" boolean NOT NULL,
	"payer" text NOT NULL,
	"payer_account" text NOT NULL,
	"purpose" text NOT NULL,
	"state" text NOT NULL,
	"reason" text,
	"order_id" text,
	"order_number" bigint,
	"transfer_id" bigint,
	"repeats_id" bigint,
	"settled_at" timestamp with time zone,
	"settled_by" text,
	"note" text DEFAULT '' NOT NULL,
	CONSTRAINT "bank_statement_entries_amount" CHECK ("bank_statement_entries"."amount_kopecks" > 0),
	CONSTRAINT "bank_statement_entries_state" CHECK ("bank_statement_entries"."state" in ('counted','known','foreign','repeated','left','settled','not_ours','to_return')),
	CONSTRAINT "bank_statement_entries_transfer" CHECK (("bank_statement_entries"."state" in ('counted','settled','known')) = ("bank_statement_entries"."transfer_id" is not null) and ("bank_statement_entries"."transfer_id" is null) = ("bank_statement_entries"."order_id" is null)),
	CONSTRAINT "bank_statement_entries_settled" CHECK (("bank_statement_entries"."state" in ('settled','not_ours','to_return')) <= ("bank_statement_entries"."settled_at" is not null and "bank_statement_entries"."settled_by" is not null)),
	CONSTRAINT "bank_statement_entries_repeats" CHECK (("bank_statement_entries"."state" = 'repeated') = ("bank_statement_entries"."repeats_id" is not null))
);
--> statement-breakpoint
CREATE TABLE "bank_statements" (
	"id" bigserial PRIMARY KEY NOT NULL,
	"hash" text NOT NULL,
	"file_name" text NOT NULL,
	"from_day" date,
	"till_day" date,
	"opening_kopecks" bigint,
	"received_kopecks" bigint,
	"spent_kopecks" bigint,
	"closing_kopecks" bigint,
	"faults" jsonb NOT NULL,
	"entry_count" integer NOT NULL,
	"imported_at" timestamp with time zone NOT NULL,
	"actor" text NOT NULL,
	CONSTRAINT "bank_statements_hash_unique" UNIQUE("hash")
);
--> statement-breakpoint
ALTER TABLE "payment_differences" ADD COLUMN "settled_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "payment_differences" ADD COLUMN "settled_by" text;--> statement-breakpoint
ALTER TABLE "payment_differences" ADD COLUMN "note" text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE "bank_statement_entries" ADD CONSTRAINT "bank_statement_entries_statement_id_bank_statements_id_fk" FOREIGN KEY ("statement_id") REFERENCES "public"."bank_statements"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "bank_statement_entries" ADD CONSTRAINT "bank_statement_entries_transfer_id_bank_transfers_id_fk" FOREIGN KEY ("transfer_id") REFERENCES "public"."bank_transfers"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "bank_statement_entries" ADD CONSTRAINT "bank_statement_entries_repeats_id_bank_statement_entries_id_fk" FOREIGN KEY ("repeats_id") REFERENCES "public"."bank_statement_entries"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "bank_statement_entries_position" ON "bank_statement_entries" USING btree ("statement_id","position");--> statement-breakpoint
CREATE UNIQUE INDEX "bank_statement_entries_once" ON "bank_statement_entries" USING btree ("fingerprint") WHERE state <> 'repeated';--> statement-breakpoint
CREATE UNIQUE INDEX "bank_statement_entries_counted_once" ON "bank_statement_entries" USING btree ("transfer_id") WHERE state in ('counted','settled');--> statement-breakpoint
CREATE INDEX "bank_statement_entries_by_state" ON "bank_statement_entries" USING btree ("statement_id","state","position");--> statement-breakpoint
CREATE INDEX "bank_statement_entries_left" ON "bank_statement_entries" USING btree ("id") WHERE state = 'left';--> statement-breakpoint
CREATE INDEX "bank_statement_entries_by_transfer" ON "bank_statement_entries" USING btree ("transfer_id");--> statement-breakpoint
CREATE INDEX "bank_statement_entries_by_day" ON "bank_statement_entries" USING btree ("date");--> statement-breakpoint
CREATE INDEX "payment_differences_open" ON "payment_differences" USING btree ("id") WHERE settled_at is null;--> statement-breakpoint
CREATE INDEX "payments_by_state" ON "payments" USING btree ("state","created_at","id");--> statement-breakpoint
CREATE INDEX "payments_by_method" ON "payments" USING btree ("method","created_at","id");--> statement-breakpoint
CREATE INDEX "payments_by_transfer" ON "payments" USING btree ("transfer_id");--> statement-breakpoint
CREATE INDEX "receipts_by_state" ON "receipts" USING btree ("state","created_at","id");--> statement-breakpoint
CREATE INDEX "refunds_by_state" ON "refunds" USING btree ("state","created_at","id");--> statement-breakpoint
ALTER TABLE "payment_differences" ADD CONSTRAINT "payment_differences_settled" CHECK (("payment_differences"."settled_at" is null) = ("payment_differences"."settled_by" is null));