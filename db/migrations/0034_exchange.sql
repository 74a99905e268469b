CREATE TABLE "accounting_calls" (
	"id" bigserial PRIMARY KEY NOT NULL,
	"at" timestamp with time zone NOT NULL,
	"type" text NOT NULL,
	"mode" text NOT NULL,
	"outcome" text NOT NULL,
	"detail" text NOT NULL,
	CONSTRAINT "accounting_calls_outcome" CHECK ("accounting_calls"."outcome" in ('success','progress','failure'))
);
--> statement-breakpoint
CREATE TABLE "accounting_documents" (
	"guid" text PRIMARY KEY NOT NULL,
	"order_id" text,
	"number" text NOT NULL,
	"operation" text NOT NULL,
	"date" text NOT NULL,
	"amount_kopecks" bigint,
	"is_posted" boolean,
	"is_deleted" boolean NOT NULL,
	"details" jsonb NOT NULL,
	"received_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "accounting_files" (
	"token_hash" text NOT NULL,
	"name" text NOT NULL,
	"part" integer NOT NULL,
	"bytes" "bytea" NOT NULL,
	"done_at" timestamp with time zone,
	CONSTRAINT "accounting_files_token_hash_name_part_pk" PRIMARY KEY("token_hash","name","part")
);
--> statement-breakpoint
CREATE TABLE "accounting_goods" (
	"guid" text PRIMARY KEY NOT NULL,
	"article" text NOT NULL,
	"name" text NOT NULL,
	"coin_id" integer,
	"is_deleted" boolean DEFAULT false NOT NULL,
	"is_ignored" boolean DEFAULT false NOT NULL,
	"seen_at" timestamp with time zone NOT NULL,
	"mapped_at" timestamp with time zone,
	"mapped_by" text
);
--> statement-breakpoint
CREATE TABLE "accounting_orders" (
	"order_id" text PRIMARY KEY NOT NULL,
	"revision" integer NOT NULL,
	"sent_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "accounting_sessions" (
	"token_hash" text PRIMARY KEY NOT NULL,
	"type" text NOT NULL,
	"version" text,
	"started_at" timestamp with time zone NOT NULL,
	"seen_at" timestamp with time zone NOT NULL,
	"offered" jsonb
);
--> statement-breakpoint
CREATE TABLE "exchange_import_rows" (
	"import_id" bigint NOT NULL,
	"line" integer NOT NULL,
	"coin_id" integer,
	"title" text NOT NULL,
	"outcome" text NOT NULL,
	"changes" jsonb NOT NULL,
	"messages" jsonb NOT NULL,
	"values" jsonb NOT NULL,
	"revision" integer,
	CONSTRAINT "exchange_import_rows_import_id_line_pk" PRIMARY KEY("import_id","line"),
	CONSTRAINT "exchange_import_rows_outcome" CHECK ("exchange_import_rows"."outcome" in ('new','changed','unchanged','error'))
);
--> statement-breakpoint
CREATE TABLE "exchange_imports" (
	"id" bigserial PRIMARY KEY NOT NULL,
	"kind" text NOT NULL,
	"source" text NOT NULL,
	"file_name" text NOT NULL,
	"format" text NOT NULL,
	"state" text DEFAULT 'checked' NOT NULL,
	"counts" jsonb NOT NULL,
	"notes" jsonb NOT NULL,
	"hash" text NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	"actor" text NOT NULL,
	"applied_at" timestamp with time zone,
	"closed_by" text,
	"result" jsonb,
	CONSTRAINT "exchange_imports_kind" CHECK ("exchange_imports"."kind" in ('coins','prices','stock')),
	CONSTRAINT "exchange_imports_source" CHECK ("exchange_imports"."source" in ('file','accounting')),
	CONSTRAINT "exchange_imports_state" CHECK ("exchange_imports"."state" in ('checked','applied','discarded')),
	CONSTRAINT "exchange_imports_applied" CHECK (("exchange_imports"."state" = 'applied') = ("exchange_imports"."applied_at" is not null))
);
--> statement-breakpoint
ALTER TABLE "accounting_documents" ADD CONSTRAINT "accounting_documents_order_id_orders_id_fk" FOREIGN KEY ("order_id") REFERENCES "public"."orders"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "accounting_files" ADD CONSTRAINT "accounting_files_token_hash_accounting_sessions_token_hash_fk" FOREIGN KEY ("token_hash") REFERENCES "public"."accounting_sessions"("token_hash") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "accounting_goods" ADD CONSTRAINT "accounting_goods_coin_id_coins_id_fk" FOREIGN KEY ("coin_id") REFERENCES "public"."coins"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "accounting_orders" ADD CONSTRAINT "accounting_orders_order_id_orders_id_fk" FOREIGN KEY ("order_id") REFERENCES "public"."orders"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "exchange_import_rows" ADD CONSTRAINT "exchange_import_rows_import_id_exchange_imports_id_fk" FOREIGN KEY ("import_id") REFERENCES "public"."exchange_imports"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "accounting_calls_by_age" ON "accounting_calls" USING btree ("at");--> statement-breakpoint
CREATE INDEX "accounting_documents_by_order" ON "accounting_documents" USING btree ("order_id");--> statement-breakpoint
CREATE INDEX "accounting_documents_by_age" ON "accounting_documents" USING btree ("received_at");--> statement-breakpoint
CREATE INDEX "accounting_goods_by_coin" ON "accounting_goods" USING btree ("coin_id");--> statement-breakpoint
CREATE INDEX "accounting_goods_unknown" ON "accounting_goods" USING btree ("name","guid") WHERE "accounting_goods"."coin_id" is null and not "accounting_goods"."is_ignored";--> statement-breakpoint
CREATE INDEX "accounting_sessions_by_age" ON "accounting_sessions" USING btree ("seen_at");--> statement-breakpoint
CREATE INDEX "exchange_import_rows_by_outcome" ON "exchange_import_rows" USING btree ("import_id","outcome","line");--> statement-breakpoint
CREATE INDEX "exchange_imports_waiting" ON "exchange_imports" USING btree ("created_at") WHERE "exchange_imports"."state" = 'checked';