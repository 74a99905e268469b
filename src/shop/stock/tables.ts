import { sql } from "drizzle-orm";
import { bigserial, check, index, integer, pgTable, text, timestamp, uniqueIndex } from "drizzle-orm/pg-core";
import { coins } from "#shop/catalog/tables.ts";

export const stockItems = pgTable(
  "stock_items",
  {
    coinId: integer()
      .primaryKey()
      .references(() => coins.id),
    onHand: integer().notNull(),
    reserved: integer().notNull().default(0),
  },
  (t) => [check("stock_on_hand", sql`${t.onHand} >= 0`), check("stock_reserved", sql`${t.reserved} >= 0 and ${t.reserved} <= ${t.onHand}`)],
);

/** Append-only. The sum of `quantity` per coin is the number of pieces on hand. */
export const stockEntries = pgTable(
  "stock_entries",
  {
    id: bigserial({ mode: "number" }).primaryKey(),
    coinId: integer()
      .notNull()
      .references(() => coins.id),
    kind: text().notNull(),
    quantity: integer().notNull(),
    orderId: text(),
    at: timestamp({ withTimezone: true }).notNull(),
    /** Who caused it (`shop/actor.ts`); null in entries made before it was stored. */
    actor: text(),
  },
  (t) => [
    check("stock_entries_kind", sql`${t.kind} in ('opening','receipt','sold','returned','correction')`),
    // Pieces of an order may be returned in several parts; they are sold all at once.
    uniqueIndex("stock_entries_sold_once")
      .on(t.orderId, t.coinId)
      .where(sql`${t.kind} = 'sold'`),
    index("stock_entries_by_order")
      .on(t.orderId)
      .where(sql`${t.orderId} is not null`),
    index("stock_entries_by_coin").on(t.coinId),
  ],
);
