CREATE TABLE "price_change_items" (
	"change_id" bigint NOT NULL,
	"coin_id" integer NOT NULL,
	"premium_before" integer NOT NULL,
	"premium_after" integer NOT NULL,
	"buyback_before" integer,
	"buyback_after" integer,
	"fixed_price_before" bigint,
	"fixed_price_after" bigint,
	"fixed_buyback_before" bigint,
	"fixed_buyback_after" bigint,
	"outcome" text NOT NULL,
	CONSTRAINT "price_change_items_change_id_coin_id_pk" PRIMARY KEY("change_id","coin_id"),
	CONSTRAINT "price_change_items_outcome" CHECK ("price_change_items"."outcome" in ('waiting','changed','same','stale','out_of_range'))
);
--> statement-breakpoint
CREATE TABLE "price_changes" (
	"id" bigserial PRIMARY KEY NOT NULL,
	"kind" text NOT NULL,
	"state" text NOT NULL,
	"action" jsonb,
	"label" text NOT NULL,
	"undoes" bigint,
	"coins" integer NOT NULL,
	"changed" integer DEFAULT 0 NOT NULL,
	"stale" integer DEFAULT 0 NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	"created_by" text NOT NULL,
	"due_at" timestamp with time zone,
	"applied_at" timestamp with time zone,
	"closed_by" text,
	"approval_reason" text,
	"refusal" text,
	"price_list_version" bigint,
	CONSTRAINT "price_changes_kind" CHECK ("price_changes"."kind" in ('bulk','values','undo')),
	CONSTRAINT "price_changes_state" CHECK ("price_changes"."state" in ('scheduled','applied','refused','cancelled')),
	CONSTRAINT "price_changes_applied" CHECK (("price_changes"."state" = 'applied') = ("price_changes"."applied_at" is not null)),
	CONSTRAINT "price_changes_due" CHECK ("price_changes"."state" <> 'scheduled' or "price_changes"."due_at" is not null)
);
--> statement-breakpoint
ALTER TABLE "price_change_items" ADD CONSTRAINT "price_change_items_change_id_price_changes_id_fk" FOREIGN KEY ("change_id") REFERENCES "public"."price_changes"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "price_change_items" ADD CONSTRAINT "price_change_items_coin_id_coins_id_fk" FOREIGN KEY ("coin_id") REFERENCES "public"."coins"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "price_changes" ADD CONSTRAINT "price_changes_undoes_price_changes_id_fk" FOREIGN KEY ("undoes") REFERENCES "public"."price_changes"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "price_change_items_by_coin" ON "price_change_items" USING btree ("coin_id","change_id");--> statement-breakpoint
CREATE INDEX "price_changes_due_at" ON "price_changes" USING btree ("due_at") WHERE "price_changes"."state" = 'scheduled';--> statement-breakpoint
CREATE INDEX "price_changes_undoes" ON "price_changes" USING btree ("undoes") WHERE "price_changes"."undoes" is not null;