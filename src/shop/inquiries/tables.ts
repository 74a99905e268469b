import { sql } from "drizzle-orm";
import { boolean, check, date, index, integer, jsonb, pgTable, text, timestamp } from "drizzle-orm/pg-core";

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
  },
  (t) => [
    check("reviews_state", sql`${t.state} in ('pending','approved','rejected')`),
    check("reviews_rating", sql`${t.rating} between 1 and 5`),
    index("reviews_shown").on(t.state, t.writtenOn),
    index("reviews_of_coin").on(t.coinSlug),
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
    answeredAt: timestamp({ withTimezone: true }),
  },
  (t) => [
    check("inquiries_kind", sql`${t.kind} in ('buyback','partners','callback')`),
    check("inquiries_state", sql`${t.state} in ('received','answered')`),
    index("inquiries_by_state").on(t.state, t.createdAt),
  ],
);
