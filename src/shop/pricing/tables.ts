import { bigint, bigserial, index, pgTable, timestamp } from "drizzle-orm/pg-core";

/** A price list stores the two metal rates that every price is computed from. One row per change of a rate. */
export const priceLists = pgTable(
  "price_lists",
  {
    version: bigserial({ mode: "number" }).primaryKey(),
    goldE4: bigint({ mode: "number" }).notNull(),
    silverE4: bigint({ mode: "number" }).notNull(),
    /** When the older of the two metal rates was received. */
    ratesAt: timestamp({ withTimezone: true }).notNull(),
    madeAt: timestamp({ withTimezone: true }).notNull(),
  },
  (t) => [index("price_lists_by_time").on(t.madeAt)],
);
