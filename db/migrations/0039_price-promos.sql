CREATE TABLE "price_promo_items" (
	"promo_id" bigint NOT NULL,
	"coin_id" integer NOT NULL,
	"premium_before" integer NOT NULL,
	"fixed_price_before" bigint,
	"premium_bp" integer,
	"fixed_price_kopecks" bigint,
	"settled_kopecks" bigint,
	CONSTRAINT "price_promo_items_promo_id_coin_id_pk" PRIMARY KEY("promo_id","coin_id"),
	CONSTRAINT "price_promo_items_price" CHECK (("price_promo_items"."premium_bp" is null) <> ("price_promo_items"."fixed_price_kopecks" is null))
);
--> statement-breakpoint
CREATE TABLE "price_promos" (
	"id" bigserial PRIMARY KEY NOT NULL,
	"state" text NOT NULL,
	"action" jsonb NOT NULL,
	"label" text NOT NULL,
	"starts_at" timestamp with time zone NOT NULL,
	"ends_at" timestamp with time zone NOT NULL,
	"started_at" timestamp with time zone,
	"ended_at" timestamp with time zone,
	"coins" integer NOT NULL,
	"crossed_out" integer DEFAULT 0 NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	"created_by" text NOT NULL,
	"closed_by" text,
	"approval_reason" text,
	"refusal" text,
	CONSTRAINT "price_promos_state" CHECK ("price_promos"."state" in ('scheduled','running','ended','refused','cancelled','missed')),
	CONSTRAINT "price_promos_span" CHECK ("price_promos"."ends_at" > "price_promos"."starts_at"),
	CONSTRAINT "price_promos_started" CHECK (("price_promos"."state" in ('running','ended')) = ("price_promos"."started_at" is not null)),
	CONSTRAINT "price_promos_ended" CHECK (("price_promos"."state" = 'ended') = ("price_promos"."ended_at" is not null))
);
--> statement-breakpoint
ALTER TABLE "promo_codes" ADD COLUMN "is_with_promos" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "price_promo_items" ADD CONSTRAINT "price_promo_items_promo_id_price_promos_id_fk" FOREIGN KEY ("promo_id") REFERENCES "public"."price_promos"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "price_promo_items" ADD CONSTRAINT "price_promo_items_coin_id_coins_id_fk" FOREIGN KEY ("coin_id") REFERENCES "public"."coins"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "price_promo_items_by_coin" ON "price_promo_items" USING btree ("coin_id");--> statement-breakpoint
CREATE INDEX "price_promos_to_start" ON "price_promos" USING btree ("starts_at") WHERE "price_promos"."state" = 'scheduled';--> statement-breakpoint
CREATE INDEX "price_promos_to_end" ON "price_promos" USING btree ("ends_at") WHERE "price_promos"."state" = 'running';