import { sql } from "drizzle-orm";
import { check, date, index, integer, pgTable, primaryKey, text } from "drizzle-orm/pg-core";

/** Queries that found nothing, by Moscow day: normalised, without anything that may be of a person. */
export const searchMisses = pgTable(
  "search_misses",
  {
    day: date({ mode: "string" }).notNull(),
    query: text().notNull(),
    times: integer().notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.day, t.query] }),
    check("search_misses_times", sql`${t.times} > 0`),
    index("search_misses_by_query").on(t.query, t.day),
  ],
);

/** How far buyers went, by Moscow day: numbers only. Orders and payments are read from the orders themselves. */
export const checkoutDays = pgTable(
  "checkout_days",
  {
    day: date({ mode: "string" }).primaryKey(),
    /** Buyers who filled or changed a cart, also one that became an order. */
    carts: integer().notNull(),
    /** Buyers whose price was locked: delivery and payment were chosen. */
    quoted: integer().notNull(),
  },
  (t) => [check("checkout_days_numbers", sql`${t.carts} >= 0 and ${t.quoted} >= 0`)],
);
