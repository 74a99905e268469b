import { sql } from "drizzle-orm";
import { bigserial, boolean, check, bigint, index, integer, pgTable, primaryKey, text, timestamp } from "drizzle-orm/pg-core";

/**
 * Accepted readings only, newest by `id`; refused ones are counted and logged. Values in 1/10 000 ₽.
 * A reading that repeats the newest value makes no row: it moves `heardAt` (and what else the source said) of that row.
 */
export const rates = pgTable(
  "rates",
  {
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
    /** When a newer `observedAt` was last received, by our clock: a frozen source repeats one time. Null in rows of earlier releases. */
    movedAt: timestamp({ withTimezone: true }),
  },
  (t) => [
    check("rates_positive", sql`${t.valueE4} > 0`),
    check("rates_source", sql`${t.source} in ('exchange','bank')`),
    index("rates_newest").on(t.source, t.code, t.id.desc()),
    index("rates_by_time").on(t.source, t.code, t.receivedAt.desc()),
  ],
);

/** One row: what the last poll said. `heardAt` moves with every good answer, also when no rate changed. */
export const marketStatus = pgTable(
  "market_status",
  {
    id: integer().primaryKey().default(1),
    isOpen: boolean().notNull(),
    heardAt: timestamp({ withTimezone: true }).notNull(),
    /** When the exchange was first heard open after it was closed; null until that happens. */
    openedAt: timestamp({ withTimezone: true }),
  },
  (t) => [check("market_status_single", sql`${t.id} = 1`)],
);

/**
 * History thinned to steps, fed by every accepted rate: one row per series, step and its beginning. Values in 1/10 000 ₽,
 * of the derived series in 1/10 000 $. `isGenerated` marks the demonstration's invented past.
 */
export const rateCandles = pgTable(
  "rate_candles",
  {
    /** `derived` are dollars per troy ounce, computed from the exchange's metal and the bank's dollar; sources never share a series. */
    source: text().notNull(),
    code: text().notNull(),
    step: text().notNull(),
    at: timestamp({ withTimezone: true }).notNull(),
    openE4: bigint({ mode: "number" }).notNull(),
    highE4: bigint({ mode: "number" }).notNull(),
    lowE4: bigint({ mode: "number" }).notNull(),
    closeE4: bigint({ mode: "number" }).notNull(),
    isGenerated: boolean().notNull().default(false),
  },
  (t) => [
    primaryKey({ columns: [t.source, t.code, t.step, t.at] }),
    check("rate_candles_source", sql`${t.source} in ('exchange','bank','derived')`),
    check("rate_candles_step", sql`${t.step} in ('minute','hour','day')`),
    check(
      "rate_candles_shape",
      sql`${t.lowE4} > 0 and ${t.lowE4} <= least(${t.openE4}, ${t.closeE4}) and ${t.highE4} >= greatest(${t.openE4}, ${t.closeE4})`,
    ),
  ],
);
