import { sql } from "drizzle-orm";
import { bigint, check, index, integer, jsonb, pgTable, text, timestamp, uniqueIndex } from "drizzle-orm/pg-core";

/** Alarms that a person settles, one open row for each name and subject. */
export const alarms = pgTable(
  "alarms",
  {
    id: bigint({ mode: "number" }).primaryKey().generatedAlwaysAsIdentity(),
    /** `payment.refused`. */
    name: text().notNull(),
    /** What it is about, made from its fields; empty: the shop. */
    subject: text().notNull(),
    /** The fields of the last time; no personal data. */
    fields: jsonb().notNull(),
    firstAt: timestamp({ withTimezone: true }).notNull(),
    lastAt: timestamp({ withTimezone: true }).notNull(),
    /** How often it was raised. */
    count: integer().notNull(),
    closedAt: timestamp({ withTimezone: true }),
    /** As `actorText` writes it, `staff:ivanova`. */
    closedBy: text(),
    note: text().notNull().default(""),
  },
  (t) => [
    uniqueIndex("alarms_one_open")
      .on(t.name, t.subject)
      .where(sql`closed_at is null`),
    index("alarms_by_end").on(t.closedAt),
    check("alarms_count", sql`${t.count} > 0`),
    check("alarms_closed_by", sql`(${t.closedAt} is null) = (${t.closedBy} is null)`),
  ],
);
