CREATE TABLE "customer_notes" (
	"id" bigserial PRIMARY KEY NOT NULL,
	"customer_id" text NOT NULL,
	"at" timestamp with time zone NOT NULL,
	"author" text NOT NULL,
	"text" text NOT NULL
);
--> statement-breakpoint
CREATE TABLE "privacy_requests" (
	"id" bigserial PRIMARY KEY NOT NULL,
	"kind" text NOT NULL,
	"state" text NOT NULL,
	"applicant" text NOT NULL,
	"contact" text NOT NULL,
	"text" text DEFAULT '' NOT NULL,
	"customer_id" text,
	"received_on" date NOT NULL,
	"due_on" date NOT NULL,
	"outcome" text DEFAULT '' NOT NULL,
	"done_at" timestamp with time zone,
	"entered_by" text NOT NULL,
	"done_by" text,
	"revision" integer DEFAULT 0 NOT NULL,
	CONSTRAINT "privacy_requests_kind" CHECK ("privacy_requests"."kind" in ('access','correction','erasure','withdrawal','other')),
	CONSTRAINT "privacy_requests_state" CHECK ("privacy_requests"."state" in ('open','done'))
);
--> statement-breakpoint
CREATE TABLE "inquiry_notes" (
	"id" bigserial PRIMARY KEY NOT NULL,
	"inquiry_id" integer NOT NULL,
	"at" timestamp with time zone NOT NULL,
	"author" text NOT NULL,
	"text" text NOT NULL
);
--> statement-breakpoint
ALTER TABLE "inquiries" DROP CONSTRAINT "inquiries_state";--> statement-breakpoint
ALTER TABLE "inquiries" ADD COLUMN "assignee" text;--> statement-breakpoint
ALTER TABLE "inquiries" ADD COLUMN "due_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "inquiries" ADD COLUMN "outcome" text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE "inquiries" ADD COLUMN "revision" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "reviews" ADD COLUMN "customer_id" text;--> statement-breakpoint
ALTER TABLE "reviews" ADD COLUMN "reject_reason" text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE "reviews" ADD COLUMN "answer" text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE "reviews" ADD COLUMN "answered_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "reviews" ADD COLUMN "revision" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "customer_notes" ADD CONSTRAINT "customer_notes_customer_id_customers_id_fk" FOREIGN KEY ("customer_id") REFERENCES "public"."customers"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "privacy_requests" ADD CONSTRAINT "privacy_requests_customer_id_customers_id_fk" FOREIGN KEY ("customer_id") REFERENCES "public"."customers"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "inquiry_notes" ADD CONSTRAINT "inquiry_notes_inquiry_id_inquiries_id_fk" FOREIGN KEY ("inquiry_id") REFERENCES "public"."inquiries"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "customer_notes_by_customer" ON "customer_notes" USING btree ("customer_id","id");--> statement-breakpoint
CREATE INDEX "privacy_requests_by_due" ON "privacy_requests" USING btree ("state","due_on","id");--> statement-breakpoint
CREATE INDEX "privacy_requests_by_customer" ON "privacy_requests" USING btree ("customer_id");--> statement-breakpoint
CREATE INDEX "inquiry_notes_by_inquiry" ON "inquiry_notes" USING btree ("inquiry_id","id");--> statement-breakpoint
CREATE INDEX "consents_by_purpose" ON "consents" USING btree ("purpose","at","id");--> statement-breakpoint
CREATE INDEX "customers_by_age" ON "customers" USING btree ("created_at","id") WHERE "customers"."erased_at" is null;--> statement-breakpoint
CREATE INDEX "customers_by_phone_end" ON "customers" USING btree (reverse("phone") text_pattern_ops) WHERE "customers"."erased_at" is null;--> statement-breakpoint
CREATE INDEX "customers_by_last_name" ON "customers" USING btree (translate(lower("last_name"), 'АБВГДЕЁЖЗИЙКЛМНОПРСТУФХЦЧШЩЪЫЬЭЮЯё', 'абвгдеежзийклмнопрстуфхцчшщъыьэюяе') text_pattern_ops) WHERE "customers"."erased_at" is null;--> statement-breakpoint
CREATE INDEX "customers_by_first_name" ON "customers" USING btree (translate(lower("name"), 'АБВГДЕЁЖЗИЙКЛМНОПРСТУФХЦЧШЩЪЫЬЭЮЯё', 'абвгдеежзийклмнопрстуфхцчшщъыьэюяе') text_pattern_ops) WHERE "customers"."erased_at" is null;--> statement-breakpoint
CREATE INDEX "customers_by_mailbox" ON "customers" USING btree (lower("email") text_pattern_ops) WHERE "customers"."erased_at" is null;--> statement-breakpoint
CREATE INDEX "inquiries_open_by_due" ON "inquiries" USING btree (coalesce("due_at", "created_at"),"id") WHERE "inquiries"."state" in ('received','in_work');--> statement-breakpoint
CREATE INDEX "inquiries_finished" ON "inquiries" USING btree ("id") WHERE "inquiries"."state" in ('answered','closed');--> statement-breakpoint
CREATE INDEX "reviews_by_state" ON "reviews" USING btree ("state","id");--> statement-breakpoint
CREATE INDEX "orders_by_customer" ON "orders" USING btree ("customer_id","created_at") WHERE "orders"."customer_id" is not null;--> statement-breakpoint
CREATE INDEX "orders_by_mailbox" ON "orders" USING btree (lower("user" ->> 'email'));--> statement-breakpoint
ALTER TABLE "inquiries" ADD CONSTRAINT "inquiries_state" CHECK ("inquiries"."state" in ('received','in_work','answered','closed')) NOT VALID;--> statement-breakpoint
ALTER TABLE "inquiries" VALIDATE CONSTRAINT "inquiries_state";