CREATE TABLE "alarms" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "alarms_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"name" text NOT NULL,
	"subject" text NOT NULL,
	"fields" jsonb NOT NULL,
	"first_at" timestamp with time zone NOT NULL,
	"last_at" timestamp with time zone NOT NULL,
	"count" integer NOT NULL,
	"closed_at" timestamp with time zone,
	"closed_by" text,
	"note" text DEFAULT '' NOT NULL,
	CONSTRAINT "alarms_count" CHECK ("alarms"."count" > 0),
	CONSTRAINT "alarms_closed_by" CHECK (("alarms"."closed_at" is null) = ("alarms"."closed_by" is null))
);
--> statement-breakpoint
ALTER TABLE "approvals" ADD COLUMN "shown" jsonb;--> statement-breakpoint
CREATE UNIQUE INDEX "alarms_one_open" ON "alarms" USING btree ("name","subject") WHERE closed_at is null;--> statement-breakpoint
CREATE INDEX "alarms_by_end" ON "alarms" USING btree ("closed_at");