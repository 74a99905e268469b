CREATE TABLE "checkout_drafts" (
	"owner" text PRIMARY KEY NOT NULL,
	"entries" jsonb NOT NULL,
	"expires_at" timestamp with time zone NOT NULL,
	CONSTRAINT "checkout_drafts_entries" CHECK (jsonb_typeof("checkout_drafts"."entries") = 'object' and length("checkout_drafts"."entries"::text) <= 65536)
);
--> statement-breakpoint
CREATE INDEX "checkout_drafts_by_expiry" ON "checkout_drafts" USING btree ("expires_at");