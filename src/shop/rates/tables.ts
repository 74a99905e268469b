import { sql } from "drizzle-orm";
import { bigserial, boolean, check, bigint, index, integer, pgTable, text, timestamp } from "drizzle-orm/pg-core";

/**
 * Accepted readings only, newest by `id`; refused ones are counted and logged. Values in 1/10 000 ₽.
 * A reading that repeats the newest value makes no row: it moves `heardAt` (and what else the source said) of that row.
 */
export const rates = pgTable("rates", {
  id: bigserial({ mode: "number" }).primaryKey(),
  code: text().notNull(),
  /** `exchange` prices the shop; `bank` is the Bank of Russia: the dollar, and metals as a check. */
  source: text().notNull(),
  valueE4: bigint({ mode: "number" }).notNull(),
  previousCloseE4: bigint({ mode: "number" }),
  /** The source's own time of the value, latest repetition. */
  observedAt: timestamp({ withTimezone: true }).notNull(),
  /** When the value was first heard, and when last. */
  receivedAt: timestamp({ withTimezone: true }).notNull(),
  heardAt: timestamp({ withTimezone: true }).notNull(),
}, (t) => [
  check("rates_positive", sql`${t.valueE4} > 0`),
  check("rates_source", sql`${t.source} in ('exchange','bank')`),
  index("rates_newest").on(t.source, t.code, t.id.desc()),
  index("rates_by_time").on(t.source, t.code, t.receivedAt.desc()),
]);

/** One row: what the last poll said. `heardAt` moves with every good answer, also when no rate changed. */
export const marketStatus = pgTable("market_status", {
  id: integer().primaryKey().default(1),
  isOpen: boolean().notNull(),
  heardAt: timestamp({ withTimezone: true }).notNull(),
  note: text(),
}, (t) => [check("market_status_single", sql`${t.id} = 1`)]);
