CREATE UNLOGGED TABLE "open_streams" (
	"process" text NOT NULL,
	"key" text NOT NULL,
	"count" integer NOT NULL,
	CONSTRAINT "open_streams_key_process_pk" PRIMARY KEY("key","process"),
	CONSTRAINT "open_streams_count" CHECK ("open_streams"."count" >= 0)
);
--> statement-breakpoint
CREATE UNLOGGED TABLE "processes" (
	"id" text PRIMARY KEY NOT NULL,
	"seen_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE UNLOGGED TABLE "rate_buckets" (
	"key" text PRIMARY KEY NOT NULL,
	"full_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE INDEX "open_streams_by_process" ON "open_streams" USING btree ("process");