CREATE TABLE "coin_pictures" (
	"coin_id" integer NOT NULL,
	"side" text NOT NULL,
	"since" integer NOT NULL,
	"until" integer,
	"picture_id" text NOT NULL,
	"crop_left" integer NOT NULL,
	"crop_top" integer NOT NULL,
	"crop_size" integer NOT NULL,
	"alt" text NOT NULL,
	CONSTRAINT "coin_pictures_coin_id_side_since_pk" PRIMARY KEY("coin_id","side","since"),
	CONSTRAINT "coin_pictures_side" CHECK ("coin_pictures"."side" in ('obverse','reverse','edge')),
	CONSTRAINT "coin_pictures_crop" CHECK ("coin_pictures"."crop_left" >= 0 and "coin_pictures"."crop_top" >= 0 and "coin_pictures"."crop_size" > 0),
	CONSTRAINT "coin_pictures_order" CHECK ("coin_pictures"."until" > "coin_pictures"."since")
);
--> statement-breakpoint
CREATE TABLE "coin_previews" (
	"id" serial PRIMARY KEY NOT NULL,
	"draft" jsonb NOT NULL,
	"expires_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "coin_series" (
	"id" serial PRIMARY KEY NOT NULL,
	"name" text NOT NULL,
	"body" text DEFAULT '' NOT NULL,
	"position" integer NOT NULL,
	"revision" integer DEFAULT 0 NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "coin_series_name_unique" UNIQUE("name")
);
--> statement-breakpoint
CREATE TABLE "media_pictures" (
	"id" text PRIMARY KEY NOT NULL,
	"bytes" "bytea" NOT NULL,
	"width" integer NOT NULL,
	"height" integer NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	"used_at" timestamp with time zone,
	CONSTRAINT "media_pictures_size" CHECK ("media_pictures"."width" > 0 and "media_pictures"."height" > 0 and length("media_pictures"."bytes") > 0)
);
--> statement-breakpoint
ALTER TABLE "categories" ADD COLUMN "revision" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "coins" ADD COLUMN "featured_position" integer;--> statement-breakpoint
ALTER TABLE "coins" ADD COLUMN "published_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "coins" ADD COLUMN "pictures" jsonb DEFAULT '{"revision":0,"alts":{}}'::jsonb NOT NULL;--> statement-breakpoint
ALTER TABLE "coins" ADD COLUMN "has_drawing" boolean DEFAULT true NOT NULL;--> statement-breakpoint
ALTER TABLE "coins" ADD COLUMN "revision" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "coin_pictures" ADD CONSTRAINT "coin_pictures_coin_id_coins_id_fk" FOREIGN KEY ("coin_id") REFERENCES "public"."coins"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "coin_pictures" ADD CONSTRAINT "coin_pictures_picture_id_media_pictures_id_fk" FOREIGN KEY ("picture_id") REFERENCES "public"."media_pictures"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "coin_pictures_by_picture" ON "coin_pictures" USING btree ("picture_id");--> statement-breakpoint
CREATE INDEX "coin_previews_by_end" ON "coin_previews" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "media_pictures_unused" ON "media_pictures" USING btree ("created_at") WHERE "media_pictures"."used_at" is null;--> statement-breakpoint
UPDATE "coins" SET "published_at" = "created_at" WHERE "is_published";
