ALTER TABLE "known_devices" ADD COLUMN "wrong_tries" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "known_devices" ADD COLUMN "forgotten_at" timestamp with time zone;