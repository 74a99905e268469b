CREATE TABLE "stock_document_lines" (
	"document_id" bigint NOT NULL,
	"coin_id" integer NOT NULL,
	"position" integer NOT NULL,
	"quantity" integer NOT NULL,
	"unit_cost_kopecks" bigint,
	CONSTRAINT "stock_document_lines_document_id_coin_id_pk" PRIMARY KEY("document_id","coin_id"),
	CONSTRAINT "stock_document_lines_cost" CHECK ("stock_document_lines"."unit_cost_kopecks" >= 0)
);
--> statement-breakpoint
CREATE TABLE "stock_documents" (
	"id" bigserial PRIMARY KEY NOT NULL,
	"kind" text NOT NULL,
	"state" text DEFAULT 'draft' NOT NULL,
	"supplier" text DEFAULT '' NOT NULL,
	"number" text DEFAULT '' NOT NULL,
	"date" date,
	"note" text DEFAULT '' NOT NULL,
	"line_count" integer DEFAULT 0 NOT NULL,
	"pieces" integer DEFAULT 0 NOT NULL,
	"cost_kopecks" bigint,
	"source_key" text,
	"stocktake_id" bigint,
	"revision" integer DEFAULT 0 NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	"created_by" text NOT NULL,
	"posted_at" timestamp with time zone,
	"posted_by" text,
	"reversed_at" timestamp with time zone,
	"reversed_by" text,
	"reversal_reason" text,
	CONSTRAINT "stock_documents_sourceKey_unique" UNIQUE("source_key"),
	CONSTRAINT "stock_documents_kind" CHECK ("stock_documents"."kind" in ('receipt','write_off','correction','opening_cost')),
	CONSTRAINT "stock_documents_state" CHECK ("stock_documents"."state" in ('draft','posted','reversed','discarded')),
	CONSTRAINT "stock_documents_steps" CHECK (("stock_documents"."posted_at" is not null) = ("stock_documents"."state" in ('posted','reversed')) and ("stock_documents"."reversed_at" is not null) = ("stock_documents"."state" = 'reversed'))
);
--> statement-breakpoint
CREATE TABLE "stocktake_lines" (
	"stocktake_id" bigint NOT NULL,
	"coin_id" integer NOT NULL,
	"position" integer NOT NULL,
	"counted" integer,
	"expected" integer,
	"first_expected" integer,
	"counted_at" timestamp with time zone,
	"counted_by" text,
	CONSTRAINT "stocktake_lines_stocktake_id_coin_id_pk" PRIMARY KEY("stocktake_id","coin_id"),
	CONSTRAINT "stocktake_lines_counted" CHECK ("stocktake_lines"."counted" >= 0 and ("stocktake_lines"."counted" is null) = ("stocktake_lines"."expected" is null))
);
--> statement-breakpoint
CREATE TABLE "stocktakes" (
	"id" bigserial PRIMARY KEY NOT NULL,
	"title" text NOT NULL,
	"state" text DEFAULT 'counting' NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	"created_by" text NOT NULL,
	"ended_at" timestamp with time zone,
	"ended_by" text,
	CONSTRAINT "stocktakes_state" CHECK ("stocktakes"."state" in ('counting','finished','cancelled')),
	CONSTRAINT "stocktakes_ended" CHECK (("stocktakes"."ended_at" is null) = ("stocktakes"."state" = 'counting'))
);
--> statement-breakpoint
ALTER TABLE "stock_entries" DROP CONSTRAINT "stock_entries_kind";--> statement-breakpoint
DROP INDEX "stock_entries_by_coin";--> statement-breakpoint
ALTER TABLE "stock_entries" ADD COLUMN "costed_pieces" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "stock_entries" ADD COLUMN "cost_kopecks" bigint DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "stock_entries" ADD COLUMN "document_id" bigint;--> statement-breakpoint
ALTER TABLE "stock_items" ADD COLUMN "costed_pieces" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "stock_items" ADD COLUMN "cost_kopecks" bigint DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "stock_items" ADD COLUMN "low_at" integer;--> statement-breakpoint
ALTER TABLE "stock_document_lines" ADD CONSTRAINT "stock_document_lines_document_id_stock_documents_id_fk" FOREIGN KEY ("document_id") REFERENCES "public"."stock_documents"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "stock_document_lines" ADD CONSTRAINT "stock_document_lines_coin_id_coins_id_fk" FOREIGN KEY ("coin_id") REFERENCES "public"."coins"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "stock_documents" ADD CONSTRAINT "stock_documents_stocktake_id_stocktakes_id_fk" FOREIGN KEY ("stocktake_id") REFERENCES "public"."stocktakes"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "stocktake_lines" ADD CONSTRAINT "stocktake_lines_stocktake_id_stocktakes_id_fk" FOREIGN KEY ("stocktake_id") REFERENCES "public"."stocktakes"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "stocktake_lines" ADD CONSTRAINT "stocktake_lines_coin_id_coins_id_fk" FOREIGN KEY ("coin_id") REFERENCES "public"."coins"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "stock_document_lines_by_coin" ON "stock_document_lines" USING btree ("coin_id","document_id");--> statement-breakpoint
CREATE INDEX "stock_documents_by_kind" ON "stock_documents" USING btree ("kind","id");--> statement-breakpoint
CREATE INDEX "stock_documents_by_state" ON "stock_documents" USING btree ("state","id");--> statement-breakpoint
ALTER TABLE "stock_entries" ADD CONSTRAINT "stock_entries_document_id_stock_documents_id_fk" FOREIGN KEY ("document_id") REFERENCES "public"."stock_documents"("id") ON DELETE no action ON UPDATE no action NOT VALID;--> statement-breakpoint
ALTER TABLE "stock_entries" VALIDATE CONSTRAINT "stock_entries_document_id_stock_documents_id_fk";--> statement-breakpoint
CREATE INDEX "stock_entries_of_coin" ON "stock_entries" USING btree ("coin_id","id");--> statement-breakpoint
CREATE INDEX "stock_entries_by_document" ON "stock_entries" USING btree ("document_id") WHERE "stock_entries"."document_id" is not null;--> statement-breakpoint
ALTER TABLE "stock_entries" ADD CONSTRAINT "stock_entries_kind" CHECK ("stock_entries"."kind" in ('opening','receipt','sold','returned','correction','written_off','reversed','cost')) NOT VALID;--> statement-breakpoint
ALTER TABLE "stock_entries" VALIDATE CONSTRAINT "stock_entries_kind";--> statement-breakpoint
ALTER TABLE "stock_items" ADD CONSTRAINT "stock_cost" CHECK ("stock_items"."costed_pieces" >= 0 and "stock_items"."cost_kopecks" >= 0) NOT VALID;--> statement-breakpoint
ALTER TABLE "stock_items" VALIDATE CONSTRAINT "stock_cost";--> statement-breakpoint
ALTER TABLE "stock_items" ADD CONSTRAINT "stock_low_at" CHECK ("stock_items"."low_at" >= 0);