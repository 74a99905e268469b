CREATE TABLE "settings" (
	"key" text PRIMARY KEY NOT NULL,
	"value" jsonb,
	"revision" integer NOT NULL,
	"changed_by" text NOT NULL,
	"changed_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "settings_history" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "settings_history_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"key" text NOT NULL,
	"revision" integer NOT NULL,
	"before" jsonb,
	"after" jsonb,
	"changed_by" text NOT NULL,
	"changed_at" timestamp with time zone NOT NULL,
	"restored" integer
);
--> statement-breakpoint
CREATE INDEX "settings_history_by_key" ON "settings_history" USING btree ("key","id" DESC NULLS LAST);--> statement-breakpoint
CREATE FUNCTION "refuse_settings_history_change"() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'settings_history is append-only'; END $$;--> statement-breakpoint
CREATE TRIGGER "settings_history_is_final" BEFORE UPDATE OR DELETE OR TRUNCATE ON "settings_history" FOR EACH STATEMENT EXECUTE FUNCTION "refuse_settings_history_change"();
