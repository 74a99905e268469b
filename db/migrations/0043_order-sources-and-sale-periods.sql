CREATE TABLE "coin_sale_periods" (
	"id" serial PRIMARY KEY NOT NULL,
	"coin_id" integer NOT NULL,
	"started_at" timestamp with time zone NOT NULL,
	"ended_at" timestamp with time zone,
	CONSTRAINT "coin_sale_periods_order" CHECK ("coin_sale_periods"."ended_at" >= "coin_sale_periods"."started_at")
);
--> statement-breakpoint
ALTER TABLE "orders" ADD COLUMN "source_channel" text;--> statement-breakpoint
ALTER TABLE "orders" ADD COLUMN "source_name" text;--> statement-breakpoint
ALTER TABLE "orders" ADD COLUMN "source_campaign" text;--> statement-breakpoint
ALTER TABLE "coin_sale_periods" ADD CONSTRAINT "coin_sale_periods_coin_id_coins_id_fk" FOREIGN KEY ("coin_id") REFERENCES "public"."coins"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "coin_sale_periods_by_coin" ON "coin_sale_periods" USING btree ("coin_id","started_at");--> statement-breakpoint
CREATE UNIQUE INDEX "coin_sale_periods_current" ON "coin_sale_periods" USING btree ("coin_id") WHERE "coin_sale_periods"."ended_at" is null;--> statement-breakpoint
ALTER TABLE "orders" ADD CONSTRAINT "orders_source" CHECK ("orders"."source_channel" in ('search','advertising','social','mail','campaign','link','direct') and length("orders"."source_name") <= 60 and length("orders"."source_campaign") <= 60) NOT VALID;--> statement-breakpoint
ALTER TABLE "orders" VALIDATE CONSTRAINT "orders_source";--> statement-breakpoint
-- Earlier breaks are not known: a coin on sale counts as on sale since its first publication.
insert into coin_sale_periods (coin_id, started_at) select id, coalesce(published_at, created_at) from coins where is_published;