CREATE TABLE "promo_code_uses" (
	"order_id" text PRIMARY KEY NOT NULL,
	"code_id" bigint NOT NULL,
	"phone_hash" text NOT NULL,
	"customer_id" text,
	"discount_kopecks" bigint NOT NULL,
	"used_at" timestamp with time zone NOT NULL,
	"returned_at" timestamp with time zone,
	CONSTRAINT "promo_code_uses_discount" CHECK ("promo_code_uses"."discount_kopecks" > 0)
);
--> statement-breakpoint
CREATE TABLE "promo_codes" (
	"id" bigserial PRIMARY KEY NOT NULL,
	"code" text NOT NULL,
	"percent_bp" integer,
	"sum_kopecks" bigint,
	"starts_at" timestamp with time zone NOT NULL,
	"ends_at" timestamp with time zone,
	"max_uses" integer,
	"max_uses_per_person" integer,
	"min_sum_kopecks" bigint DEFAULT 0 NOT NULL,
	"coin_ids" integer[],
	"categories" text[],
	"is_stopped" boolean DEFAULT false NOT NULL,
	"used" integer DEFAULT 0 NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	"created_by" text NOT NULL,
	CONSTRAINT "promo_codes_code_unique" UNIQUE("code"),
	CONSTRAINT "promo_codes_discount" CHECK (("promo_codes"."percent_bp" is null) <> ("promo_codes"."sum_kopecks" is null)),
	CONSTRAINT "promo_codes_percent" CHECK ("promo_codes"."percent_bp" between 1 and 10000),
	CONSTRAINT "promo_codes_sum" CHECK ("promo_codes"."sum_kopecks" > 0),
	CONSTRAINT "promo_codes_used" CHECK ("promo_codes"."used" >= 0 and ("promo_codes"."max_uses" is null or "promo_codes"."used" <= "promo_codes"."max_uses"))
);
--> statement-breakpoint
ALTER TABLE "carts" ADD COLUMN "promo_code_id" bigint;--> statement-breakpoint
ALTER TABLE "quotes" ADD COLUMN "promo_code_id" bigint;--> statement-breakpoint
ALTER TABLE "quotes" ADD COLUMN "promo_code" text;--> statement-breakpoint
ALTER TABLE "quotes" ADD COLUMN "discount_kopecks" bigint DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "orders" ADD COLUMN "promo_code" text;--> statement-breakpoint
ALTER TABLE "orders" ADD COLUMN "discount_kopecks" bigint DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "promo_code_uses" ADD CONSTRAINT "promo_code_uses_code_id_promo_codes_id_fk" FOREIGN KEY ("code_id") REFERENCES "public"."promo_codes"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "promo_code_uses_by_time" ON "promo_code_uses" USING btree ("code_id","used_at" DESC NULLS LAST,"order_id");--> statement-breakpoint
CREATE INDEX "promo_code_uses_by_phone" ON "promo_code_uses" USING btree ("code_id","phone_hash");--> statement-breakpoint
CREATE INDEX "promo_code_uses_by_customer" ON "promo_code_uses" USING btree ("code_id","customer_id") WHERE "promo_code_uses"."customer_id" is not null;--> statement-breakpoint
ALTER TABLE "carts" ADD CONSTRAINT "carts_promo_code_id_promo_codes_id_fk" FOREIGN KEY ("promo_code_id") REFERENCES "public"."promo_codes"("id") ON DELETE no action ON UPDATE no action NOT VALID;--> statement-breakpoint
ALTER TABLE "carts" VALIDATE CONSTRAINT "carts_promo_code_id_promo_codes_id_fk";--> statement-breakpoint
ALTER TABLE "quotes" ADD CONSTRAINT "quotes_discount" CHECK (("quotes"."promo_code_id" is null) = ("quotes"."discount_kopecks" = 0)) NOT VALID;--> statement-breakpoint
ALTER TABLE "quotes" VALIDATE CONSTRAINT "quotes_discount";--> statement-breakpoint
ALTER TABLE "orders" ADD CONSTRAINT "orders_discount" CHECK ("orders"."discount_kopecks" >= 0 and ("orders"."promo_code" is null) = ("orders"."discount_kopecks" = 0)) NOT VALID;--> statement-breakpoint
ALTER TABLE "orders" VALIDATE CONSTRAINT "orders_discount";