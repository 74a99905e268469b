import { sql } from "drizzle-orm";
import { bigserial, boolean, check, bigint, index, integer, pgTable, primaryKey, text, timestamp } from "drizzle-orm/pg-core";

/**
 * Accepted rates only, newest by `id`; refused values are counted and logged. Values in 1/10 000 ₽.
 * A value that repeats the newest one adds no row: it updates `heardAt` and the other fields of that row.
 */
export const rates = pgTable(
  "rates",
  {
    id: bigserial({ mode: "number" }).primaryKey(),
    code: text().notNull(),
    /** `exchange`: metal rates for prices; `bank`: the Bank of Russia's dollar rate, and its metal prices as a check. */
    source: text().notNull(),
    valueE4: bigint({ mode: "number" }).notNull(),
    previousCloseE4: bigint({ mode: "number" }),
    /** The source's own time of the value, from its latest repetition. */
    observedAt: timestamp({ withTimezone: true }).notNull(),
    /** `receivedAt`: when the value was first received; `heardAt`: when it was last repeated. */
    receivedAt: timestamp({ withTimezone: true }).notNull(),
    heardAt: timestamp({ withTimezone: true }).notNull(),
    /** When a newer `observedAt` was last received, by the shop's clock: a frozen source repeats one time. Null in rows of old releases. */
    movedAt: timestamp({ withTimezone: true }),
  },
  (t) => [
    check("rates_positive", sql`${t.valueE4} > 0`),
    check("rates_source", sql`${t.source} in ('exchange','bank')`),
    index("rates_newest").on(t.source, t.code, t.id.desc()),
    index("rates_by_time").on(t.source, t.code, t.receivedAt.desc()),
  ],
);

/** One row: the exchange's status in the last poll. `heardAt` is updated by every valid answer, also when no rate changed. */
export const marketStatus = pgTable(
  "market_status",
  {
    id: integer().primaryKey().default(1),
    isOpen: boolean().notNull(),
    heardAt: timestamp({ withTimezone: true }).notNull(),
    /** When the exchange was first seen open after it was closed; null until that happens. */
    openedAt: timestamp({ withTimezone: true }),
  },
  (t) => [check("market_status_single", sql`${t.id} = 1`)],
);

/**
 * History of rates as candles: one row per series, step and start of the step. Values in 1/10 000 ₽, for derived series in 1/10 000 $.
 * `isGenerated` marks candles generated for demo mode.
 */
export const rateCandles = pgTable(
  "rate_candles",
  {
    /** `derived`: dollars per troy ounce, computed from the exchange's metal and the bank's dollar. */
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
