import { sql } from "drizzle-orm";
import { bigserial, boolean, check, bigint, index, integer, pgTable, text, timestamp } from "drizzle-orm/pg-core";

/** Accepted readings only, newest by `id`; refused ones are counted and logged. Values in 1/10 000 ₽. */
export const rates = pgTable("rates", {
  id: bigserial({ mode: "number" }).primaryKey(),
  code: text().notNull(),
  source: text().notNull(),
  valueE4: bigint({ mode: "number" }).notNull(),
  previousCloseE4: bigint({ mode: "number" }),
  observedAt: timestamp({ withTimezone: true }).notNull(),
  receivedAt: timestamp({ withTimezone: true }).notNull(),
}, (t) => [
  check("rates_positive", sql`${t.valueE4} > 0`),
  index("rates_by_code").on(t.code, t.receivedAt.desc()),
]);

/** One row: what the last poll said. `heardAt` moves with every good answer, also when no rate changed. */
export const marketStatus = pgTable("market_status", {
  id: integer().primaryKey().default(1),
  isOpen: boolean().notNull(),
  heardAt: timestamp({ withTimezone: true }).notNull(),
  note: text(),
}, (t) => [check("market_status_single", sql`${t.id} = 1`)]);
