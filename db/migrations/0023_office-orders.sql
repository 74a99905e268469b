CREATE TABLE "order_comments" (
	"id" bigserial PRIMARY KEY NOT NULL,
	"order_id" text NOT NULL,
	"at" timestamp with time zone NOT NULL,
	"author" text NOT NULL,
	"text" text NOT NULL
);
--> statement-breakpoint
CREATE TABLE "order_presence" (
	"order_id" text NOT NULL,
	"login" text NOT NULL,
	"name" text NOT NULL,
	"seen_at" timestamp with time zone NOT NULL,
	CONSTRAINT "order_presence_order_id_login_pk" PRIMARY KEY("order_id","login")
);
--> statement-breakpoint
CREATE TABLE "staff_views" (
	"id" bigserial PRIMARY KEY NOT NULL,
	"login" text NOT NULL,
	"name" text NOT NULL,
	"filter" jsonb NOT NULL,
	"columns" jsonb NOT NULL,
	"position" integer NOT NULL
);
--> statement-breakpoint
ALTER TABLE "outbox" ADD COLUMN "order_id" text;--> statement-breakpoint
ALTER TABLE "orders" ADD COLUMN "revision" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "orders" ADD COLUMN "assignee" text;--> statement-breakpoint
ALTER TABLE "orders" ADD COLUMN "linked_order_id" text;--> statement-breakpoint
ALTER TABLE "orders" ADD COLUMN "change_after_recall" jsonb;--> statement-breakpoint
ALTER TABLE "order_comments" ADD CONSTRAINT "order_comments_order_id_orders_id_fk" FOREIGN KEY ("order_id") REFERENCES "public"."orders"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "order_presence" ADD CONSTRAINT "order_presence_order_id_orders_id_fk" FOREIGN KEY ("order_id") REFERENCES "public"."orders"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "order_comments_by_order" ON "order_comments" USING btree ("order_id","id");--> statement-breakpoint
CREATE INDEX "order_presence_by_age" ON "order_presence" USING btree ("seen_at");--> statement-breakpoint
CREATE INDEX "staff_views_by_login" ON "staff_views" USING btree ("login","position");--> statement-breakpoint
CREATE UNIQUE INDEX "staff_views_name" ON "staff_views" USING btree ("login","name");--> statement-breakpoint
CREATE INDEX "shipments_by_tracking_number" ON "shipments" USING btree ("tracking_number");--> statement-breakpoint
CREATE INDEX "shipments_refused" ON "shipments" USING btree ("order_id") WHERE "shipments"."state" = 'invalid';--> statement-breakpoint
CREATE INDEX "outbox_by_order" ON "outbox" USING btree ("order_id") WHERE "outbox"."order_id" is not null;--> statement-breakpoint
CREATE INDEX "orders_by_age" ON "orders" USING btree ("created_at","id");--> statement-breakpoint
CREATE INDEX "orders_by_state" ON "orders" USING btree ("state","created_at","id");--> statement-breakpoint
CREATE INDEX "orders_by_delivery" ON "orders" USING btree ("delivery_id","created_at","id");--> statement-breakpoint
CREATE INDEX "orders_by_payment_method" ON "orders" USING btree ("payment_method_id","created_at","id");--> statement-breakpoint
CREATE INDEX "orders_by_total" ON "orders" USING btree ("total_kopecks");--> statement-breakpoint
CREATE INDEX "orders_by_assignee" ON "orders" USING btree ("assignee","created_at","id") WHERE "orders"."assignee" is not null;--> statement-breakpoint
CREATE INDEX "orders_by_linked_order" ON "orders" USING btree ("linked_order_id") WHERE "orders"."linked_order_id" is not null;--> statement-breakpoint
CREATE INDEX "orders_watched" ON "orders" USING btree ("created_at","id") WHERE "orders"."state" in ('assembled','shipped','ready','cancellation_requested','returning') or "orders"."refund_after_recall" is not null or "orders"."change_after_recall" is not null or ("orders"."state" = 'returned' and "orders"."refunded_kopecks" < "orders"."paid_kopecks");--> statement-breakpoint
CREATE INDEX "orders_by_last_name" ON "orders" USING btree (translate(lower("user" ->> 'lastName'), 'АБВГДЕЁЖЗИЙКЛМНОПРСТУФХЦЧШЩЪЫЬЭЮЯё', 'абвгдеежзийклмнопрстуфхцчшщъыьэюяе') text_pattern_ops);--> statement-breakpoint
CREATE INDEX "orders_by_first_name" ON "orders" USING btree (translate(lower("user" ->> 'name'), 'АБВГДЕЁЖЗИЙКЛМНОПРСТУФХЦЧШЩЪЫЬЭЮЯё', 'абвгдеежзийклмнопрстуфхцчшщъыьэюяе') text_pattern_ops);--> statement-breakpoint
CREATE INDEX "orders_by_phone_part" ON "orders" USING gin ((array[substr("user" ->> 'phone', 2, 4), substr("user" ->> 'phone', 3, 4), substr("user" ->> 'phone', 4, 4), substr("user" ->> 'phone', 5, 4), substr("user" ->> 'phone', 6, 4), substr("user" ->> 'phone', 7, 4), substr("user" ->> 'phone', 8, 4), substr("user" ->> 'phone', 9, 4)]));--> statement-breakpoint
CREATE INDEX "refunds_by_actor" ON "refunds" USING btree ("actor","created_at");