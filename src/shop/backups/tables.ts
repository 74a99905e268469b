import { sql } from "drizzle-orm";
import { bigint, check, index, integer, pgTable, timestamp } from "drizzle-orm/pg-core";

/** Proofs of the backup. `deploy/backup/prove` inserts them with SQL: its columns are part of that script. */
export const backupProofs = pgTable(
  "backup_proofs",
  {
    id: bigint({ mode: "number" }).primaryKey().generatedAlwaysAsIdentity(),
    provedAt: timestamp({ withTimezone: true }).notNull(),
    restoredTo: timestamp({ withTimezone: true }).notNull(),
    seconds: integer().notNull(),
  },
  (t) => [index("backup_proofs_by_time").on(t.provedAt), check("backup_proofs_seconds", sql`${t.seconds} >= 0`)],
);
