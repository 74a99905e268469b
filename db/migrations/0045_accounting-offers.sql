ALTER TABLE "accounting_goods" ADD COLUMN "quantity" integer;--> statement-breakpoint
ALTER TABLE "accounting_goods" ADD COLUMN "quantity_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "accounting_goods" ADD COLUMN "quantity_check" bigint;--> statement-breakpoint
ALTER TABLE "accounting_goods" ADD COLUMN "price_kopecks" bigint;--> statement-breakpoint
ALTER TABLE "accounting_goods" ADD COLUMN "price_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "accounting_goods" ADD COLUMN "price_check" bigint;--> statement-breakpoint
ALTER TABLE "accounting_goods" ADD CONSTRAINT "accounting_goods_offers" CHECK (("accounting_goods"."quantity" is null) = ("accounting_goods"."quantity_at" is null) and ("accounting_goods"."price_kopecks" is null) = ("accounting_goods"."price_at" is null) and "accounting_goods"."quantity" >= 0 and "accounting_goods"."price_kopecks" >= 0) NOT VALID;--> statement-breakpoint
ALTER TABLE "accounting_goods" VALIDATE CONSTRAINT "accounting_goods_offers";