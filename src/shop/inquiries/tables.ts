import { sql, type SQL } from "drizzle-orm";
import { bigserial, boolean, check, date, index, integer, jsonb, pgTable, text, timestamp, type AnyPgColumn } from "drizzle-orm/pg-core";

/** The order in which open inquiries are answered. Queries use the same expression as the index. */
export const dueOrCreated = ({ dueAt, createdAt }: { dueAt: AnyPgColumn; createdAt: AnyPgColumn }): SQL =>
  sql`coalesce(${dueAt}, ${createdAt})`;

/** Reviews of the shop and of single coins. Ids up to 1000 are those of imported samples. */
export const reviews = pgTable(
  "reviews",
  {
    id: integer().primaryKey().generatedByDefaultAsIdentity({ startWith: 1001 }),
    state: text().notNull(),
    name: text().notNull(),
    city: text().notNull().default(""),
    /** For the letter of thanks and questions of staff; never shown. Empty if not given. */
    email: text().notNull().default(""),
    rating: integer().notNull(),
    coinSlug: text(),
    body: text().notNull(),
    writtenOn: date().notNull(),
    isDemo: boolean().notNull().default(false),
    isSuspect: boolean().notNull().default(false),
    decidedAt: timestamp({ withTimezone: true }),
    /** The account that was signed in when the review was written; null: none. */
    customerId: text(),
    /** Why staff rejected it; for staff only. */
    rejectReason: text().notNull().default(""),
    /** The shop's public answer under the review; empty: none. */
    answer: text().notNull().default(""),
    answeredAt: timestamp({ withTimezone: true }),
    /** Grows with each change by staff, which names the revision that it saw. */
    revision: integer().notNull().default(0),
  },
  (t) => [
    check("reviews_state", sql`${t.state} in ('pending','approved','rejected')`),
    check("reviews_rating", sql`${t.rating} between 1 and 5`),
    index("reviews_shown").on(t.state, t.writtenOn),
    index("reviews_of_coin").on(t.coinSlug),
    index("reviews_by_state").on(t.state, t.id),
  ],
);

/** Inquiries by form: buyback, partners, callback. `details` has the fields that only one kind has. */
export const inquiries = pgTable(
  "inquiries",
  {
    id: integer().primaryKey().generatedByDefaultAsIdentity({ startWith: 1001 }),
    kind: text().notNull(),
    state: text().notNull(),
    name: text().notNull(),
    phone: text().notNull(),
    email: text().notNull().default(""),
    details: jsonb().notNull(),
    isSuspect: boolean().notNull().default(false),
    createdAt: timestamp({ withTimezone: true }).notNull(),
    /** When it was answered or closed. */
    answeredAt: timestamp({ withTimezone: true }),
    /** Login of the member of staff who answers it; null: free. */
    assignee: text(),
    /** When the answer is due; null in rows of earlier releases, for which it is computed. */
    dueAt: timestamp({ withTimezone: true }),
    /** What came of it, in words of staff. */
    outcome: text().notNull().default(""),
    /** Grows with each change by staff, which names the revision that it saw. */
    revision: integer().notNull().default(0),
  },
  (t) => [
    check("inquiries_kind", sql`${t.kind} in ('buyback','partners','callback')`),
    check("inquiries_state", sql`${t.state} in ('received','in_work','answered','closed')`),
    index("inquiries_by_state").on(t.state, t.createdAt),
    index("inquiries_open_by_due")
      .on(dueOrCreated(t), t.id)
      .where(sql`${t.state} in ('received','in_work')`),
    index("inquiries_finished")
      .on(t.id)
      .where(sql`${t.state} in ('answered','closed')`),
  ],
);

/** Internal notes of staff about an inquiry. */
export const inquiryNotes = pgTable(
  "inquiry_notes",
  {
    id: bigserial({ mode: "number" }).primaryKey(),
    inquiryId: integer()
      .notNull()
      .references(() => inquiries.id, { onDelete: "cascade" }),
    at: timestamp({ withTimezone: true }).notNull(),
    /** Login of its author. */
    author: text().notNull(),
    text: text().notNull(),
  },
  (t) => [index("inquiry_notes_by_inquiry").on(t.inquiryId, t.id)],
);
