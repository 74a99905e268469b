CREATE TABLE "price_steps" (
	"id" bigserial PRIMARY KEY NOT NULL,
	"metal" text,
	"coin_id" integer,
	"steps" jsonb NOT NULL,
	"revision" integer DEFAULT 0 NOT NULL,
	"updated_at" timestamp with time zone NOT NULL,
	"updated_by" text NOT NULL,
	CONSTRAINT "price_steps_metal_unique" UNIQUE("metal"),
	CONSTRAINT "price_steps_coinId_unique" UNIQUE("coin_id"),
	CONSTRAINT "price_steps_scope" CHECK (("price_steps"."metal" is null) <> ("price_steps"."coin_id" is null)),
	CONSTRAINT "price_steps_metal" CHECK ("price_steps"."metal" in ('gold','silver')),
	CONSTRAINT "price_steps_list" CHECK (jsonb_typeof("price_steps"."steps") = 'array')
);
--> statement-breakpoint
ALTER TABLE "price_steps" ADD CONSTRAINT "price_steps_coin_id_coins_id_fk" FOREIGN KEY ("coin_id") REFERENCES "public"."coins"("id") ON DELETE no action ON UPDATE no action;