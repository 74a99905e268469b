CREATE TABLE "backup_proofs" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "backup_proofs_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"proved_at" timestamp with time zone NOT NULL,
	"restored_to" timestamp with time zone NOT NULL,
	"seconds" integer NOT NULL,
	CONSTRAINT "backup_proofs_seconds" CHECK ("backup_proofs"."seconds" >= 0)
);
--> statement-breakpoint
CREATE INDEX "backup_proofs_by_time" ON "backup_proofs" USING btree ("proved_at");