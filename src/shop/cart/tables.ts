import { sql } from "drizzle-orm";
import { bigserial, bigint, check, index, integer, pgTable, primaryKey, text, timestamp } from "drizzle-orm/pg-core";
import { coins } from "#shop/catalog/tables.ts";
import { promoCodes } from "#shop/pricing/tables.ts";

export const carts = pgTable(
  "carts",
  {
    id: bigserial({ mode: "number" }).primaryKey(),
    /** `customer:…` or `visitor:…`: one owner by construction. */
    owner: text().notNull().unique(),
    /** Increases with every change of a line; a quote stores the version it was made from. */
    version: integer().notNull().default(0),
    /** The hour of the last change. */
    touchedAt: timestamp({ withTimezone: true }).notNull(),
    /** The code that the buyer entered; whether it lowers prices is computed with them. */
    promoCodeId: bigint({ mode: "number" }).references(() => promoCodes.id),
  },
  (t) => [index("carts_by_touch").on(t.touchedAt)],
);

export const cartLines = pgTable(
  "cart_lines",
  {
    cartId: bigint({ mode: "number" })
      .notNull()
      .references(() => carts.id, { onDelete: "cascade" }),
    coinId: integer()
      .notNull()
      .references(() => coins.id),
    quantity: integer().notNull(),
    addedAt: timestamp({ withTimezone: true }).notNull(),
  },
  (t) => [primaryKey({ columns: [t.cartId, t.coinId] }), check("cart_lines_quantity", sql`${t.quantity} between 1 and 999`)],
);
