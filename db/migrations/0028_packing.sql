CREATE TABLE "label_files" (
	"id" bigserial PRIMARY KEY NOT NULL,
	"key" text NOT NULL,
	"order_ids" jsonb NOT NULL,
	"state" text NOT NULL,
	"task_id" text,
	"pdf" "bytea",
	"fault" text,
	"attempts" integer DEFAULT 0 NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	"asked_at" timestamp with time zone,
	"ready_at" timestamp with time zone,
	"next_check_at" timestamp with time zone,
	CONSTRAINT "label_files_state" CHECK ("label_files"."state" in ('waiting','asked','ready','failed','expired')),
	CONSTRAINT "label_files_pdf" CHECK (("label_files"."state" = 'ready') = ("label_files"."pdf" is not null))
);
--> statement-breakpoint
CREATE TABLE "packed_pieces" (
	"batch_id" bigint NOT NULL,
	"order_id" text NOT NULL,
	"coin_id" integer NOT NULL,
	"checked" integer NOT NULL,
	CONSTRAINT "packed_pieces_batch_id_order_id_coin_id_pk" PRIMARY KEY("batch_id","order_id","coin_id"),
	CONSTRAINT "packed_pieces_checked" CHECK ("packed_pieces"."checked" >= 0)
);
--> statement-breakpoint
CREATE TABLE "packing_batches" (
	"id" bigserial PRIMARY KEY NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	"actor" text NOT NULL,
	"closed_at" timestamp with time zone
);
--> statement-breakpoint
CREATE TABLE "packing_orders" (
	"batch_id" bigint NOT NULL,
	"order_id" text NOT NULL,
	"place" integer NOT NULL,
	"outcome" text,
	"reason" text,
	"ended_at" timestamp with time zone,
	"packer" text,
	"packer_name" text,
	"packer_seen_at" timestamp with time zone,
	CONSTRAINT "packing_orders_batch_id_order_id_pk" PRIMARY KEY("batch_id","order_id"),
	CONSTRAINT "packing_orders_outcome" CHECK ("packing_orders"."outcome" in ('packed','postponed')),
	CONSTRAINT "packing_orders_ended" CHECK (("packing_orders"."outcome" is null) = ("packing_orders"."ended_at" is null))
);
--> statement-breakpoint
ALTER TABLE "packed_pieces" ADD CONSTRAINT "packed_pieces_of_order" FOREIGN KEY ("batch_id","order_id") REFERENCES "public"."packing_orders"("batch_id","order_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "packing_orders" ADD CONSTRAINT "packing_orders_batch_id_packing_batches_id_fk" FOREIGN KEY ("batch_id") REFERENCES "public"."packing_batches"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "packing_orders" ADD CONSTRAINT "packing_orders_order_id_orders_id_fk" FOREIGN KEY ("order_id") REFERENCES "public"."orders"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "label_files_current" ON "label_files" USING btree ("key") WHERE "label_files"."state" in ('waiting','asked','ready');--> statement-breakpoint
CREATE INDEX "label_files_due" ON "label_files" USING btree ("next_check_at");--> statement-breakpoint
CREATE INDEX "label_files_by_key" ON "label_files" USING btree ("key","id");--> statement-breakpoint
CREATE UNIQUE INDEX "packing_orders_open" ON "packing_orders" USING btree ("order_id") WHERE "packing_orders"."outcome" is null;--> statement-breakpoint
CREATE INDEX "packing_orders_by_order" ON "packing_orders" USING btree ("order_id","batch_id");