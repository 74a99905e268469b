CREATE TABLE "refund_transfers" (
	"refund_id" text PRIMARY KEY NOT NULL,
	"order_id" text NOT NULL,
	"number" text NOT NULL,
	"date" date NOT NULL,
	"recorded_at" timestamp with time zone NOT NULL,
	"actor" text NOT NULL
);
--> statement-breakpoint
ALTER TABLE "refunds" ADD COLUMN "is_dropped" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "refund_transfers" ADD CONSTRAINT "refund_transfers_refund_id_refunds_id_fk" FOREIGN KEY ("refund_id") REFERENCES "public"."refunds"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "refund_transfers_by_number" ON "refund_transfers" USING btree ("number","date");--> statement-breakpoint
CREATE INDEX "refund_transfers_by_actor" ON "refund_transfers" USING btree ("actor","recorded_at");