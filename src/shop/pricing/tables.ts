import { bigint, bigserial, index, pgTable, timestamp } from "drizzle-orm/pg-core";

/** A price list is the rates it was made from: every price follows from these and the coin. One row per accepted rate. */
export const priceLists = pgTable(
  "price_lists",
  {
    version: bigserial({ mode: "number" }).primaryKey(),
    goldE4: bigint({ mode: "number" }).notNull(),
    silverE4: bigint({ mode: "number" }).notNull(),
    /** When the older of the two metals was heard of. */
    ratesAt: timestamp({ withTimezone: true }).notNull(),
    madeAt: timestamp({ withTimezone: true }).notNull(),
  },
  (t) => [index("price_lists_by_time").on(t.madeAt)],
);
