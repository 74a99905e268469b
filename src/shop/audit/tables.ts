import { bigint, index, jsonb, pgTable, text, timestamp } from "drizzle-orm/pg-core";

/** What staff did, append-only: triggers refuse update, delete and truncate. */
export const auditEntries = pgTable(
  "audit_entries",
  {
    id: bigint({ mode: "number" }).primaryKey().generatedAlwaysAsIdentity(),
    at: timestamp({ withTimezone: true }).notNull(),
    /** As `actorText` writes it, `staff:ivanova`. */
    actor: text().notNull(),
    /** `order.refund`. */
    action: text().notNull(),
    /** What it was about, `order:Zx3…`. */
    subject: text().notNull(),
    before: jsonb(),
    after: jsonb(),
    /** Network address and browser; null: the command line of the server. */
    address: text(),
    userAgent: text(),
    /** Of the approval that allowed it. */
    approvalId: text(),
  },
  (t) => [
    index("audit_entries_by_subject").on(t.subject, t.id.desc()),
    index("audit_entries_by_actor").on(t.actor, t.id.desc()),
    index("audit_entries_by_action").on(t.action, t.id.desc()),
    index("audit_entries_by_time").on(t.at),
  ],
);
