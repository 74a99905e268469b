CREATE TABLE "metal_hedges" (
	"id" bigserial PRIMARY KEY NOT NULL,
	"metal" text NOT NULL,
	"side" text NOT NULL,
	"mass_mg" bigint NOT NULL,
	"price_kopecks" bigint NOT NULL,
	"counterparty" text NOT NULL,
	"agreed_on" date NOT NULL,
	"note" text DEFAULT '' NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	"created_by" text NOT NULL,
	"reversed_at" timestamp with time zone,
	"reversed_by" text,
	"reversal_reason" text,
	CONSTRAINT "metal_hedges_metal" CHECK ("metal_hedges"."metal" in ('gold','silver')),
	CONSTRAINT "metal_hedges_side" CHECK ("metal_hedges"."side" in ('sell','buy')),
	CONSTRAINT "metal_hedges_amount" CHECK ("metal_hedges"."mass_mg" > 0 and "metal_hedges"."price_kopecks" > 0),
	CONSTRAINT "metal_hedges_reversed" CHECK (("metal_hedges"."reversed_at" is null) = ("metal_hedges"."reversed_by" is null))
);
--> statement-breakpoint
CREATE TABLE "checkout_days" (
	"day" date PRIMARY KEY NOT NULL,
	"carts" integer NOT NULL,
	"quoted" integer NOT NULL,
	CONSTRAINT "checkout_days_numbers" CHECK ("checkout_days"."carts" >= 0 and "checkout_days"."quoted" >= 0)
);
--> statement-breakpoint
CREATE TABLE "search_misses" (
	"day" date NOT NULL,
	"query" text NOT NULL,
	"times" integer NOT NULL,
	CONSTRAINT "search_misses_day_query_pk" PRIMARY KEY("day","query"),
	CONSTRAINT "search_misses_times" CHECK ("search_misses"."times" > 0)
);
--> statement-breakpoint
CREATE INDEX "metal_hedges_standing" ON "metal_hedges" USING btree ("metal") WHERE "metal_hedges"."reversed_at" is null;--> statement-breakpoint
CREATE INDEX "search_misses_by_query" ON "search_misses" USING btree ("query","day");--> statement-breakpoint
CREATE INDEX "orders_by_payment_time" ON "orders" USING btree ("paid_at") WHERE "orders"."paid_at" is not null;