CREATE TABLE "carrier_events" (
	"id" bigserial PRIMARY KEY NOT NULL,
	"order_id" text NOT NULL,
	"carrier_id" text NOT NULL,
	"code" text NOT NULL,
	"status_at" timestamp with time zone NOT NULL,
	"is_taken_back" boolean NOT NULL,
	"body" text NOT NULL,
	"received_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "point_readings" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "point_readings_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"started_at" timestamp with time zone NOT NULL,
	"finished_at" timestamp with time zone,
	"seen" integer DEFAULT 0 NOT NULL,
	"removed" integer DEFAULT 0 NOT NULL,
	"fault" text
);
--> statement-breakpoint
ALTER TABLE "shipments" DROP CONSTRAINT "shipments_state";--> statement-breakpoint
ALTER TABLE "pickup_points" ADD COLUMN "cells" jsonb;--> statement-breakpoint
ALTER TABLE "pickup_points" ADD COLUMN "seen_in_reading" integer;--> statement-breakpoint
ALTER TABLE "point_mirrors" ADD COLUMN "is_own" boolean DEFAULT true NOT NULL;--> statement-breakpoint
ALTER TABLE "shipments" ADD COLUMN "registration" integer DEFAULT 1 NOT NULL;--> statement-breakpoint
ALTER TABLE "shipments" ADD COLUMN "call_off" text;--> statement-breakpoint
ALTER TABLE "shipments" ADD COLUMN "steps" jsonb;--> statement-breakpoint
ALTER TABLE "shipments" ADD COLUMN "heard_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "carrier_events" ADD CONSTRAINT "carrier_events_order_id_shipments_order_id_fk" FOREIGN KEY ("order_id") REFERENCES "public"."shipments"("order_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "carrier_events_once" ON "carrier_events" USING btree ("carrier_id","code","status_at","is_taken_back");--> statement-breakpoint
CREATE INDEX "carrier_events_by_order" ON "carrier_events" USING btree ("order_id");--> statement-breakpoint
CREATE INDEX "point_readings_by_age" ON "point_readings" USING btree ("started_at" DESC NULLS LAST);--> statement-breakpoint
CREATE INDEX "shipments_by_carrier_id" ON "shipments" USING btree ("carrier_id");--> statement-breakpoint
ALTER TABLE "shipments" ADD CONSTRAINT "shipments_call_off" CHECK ("shipments"."call_off" in ('asked','turned_back')) NOT VALID;--> statement-breakpoint
ALTER TABLE "shipments" VALIDATE CONSTRAINT "shipments_call_off";--> statement-breakpoint
ALTER TABLE "shipments" ADD CONSTRAINT "shipments_state" CHECK ("shipments"."state" in ('new','accepted','registered','in_transit','at_point','delivered','not_delivered','invalid','called_off')) NOT VALID;--> statement-breakpoint
ALTER TABLE "shipments" VALIDATE CONSTRAINT "shipments_state";