import { sql } from "drizzle-orm";
import { bigint, index, integer, jsonb, pgTable, text, timestamp, uniqueIndex } from "drizzle-orm/pg-core";

/** Locked prices of one cart: owned by one visitor, good for ten minutes and one order. */
export const quotes = pgTable("quotes", {
  id: text().primaryKey(),
  owner: text().notNull(),
  cartVersion: integer().notNull(),
  deliveryId: integer().notNull(),
  pickupPointId: text(),
  cityCode: text().notNull(),
  paymentMethodId: integer().notNull(),
  /** `[{coinId, quantity, priceKopecks, title, slug, vatCode}]` */
  lines: jsonb().notNull(),
  deliveryKopecks: bigint({ mode: "number" }).notNull(),
  totalKopecks: bigint({ mode: "number" }).notNull(),
  priceListVersion: bigint({ mode: "number" }).notNull(),
  createdAt: timestamp({ withTimezone: true }).notNull(),
  expiresAt: timestamp({ withTimezone: true }).notNull(),
  usedByOrderId: text().unique(),
  replacedAt: timestamp({ withTimezone: true }),
}, (t) => [
  uniqueIndex("quotes_one_live").on(t.owner).where(sql`used_by_order_id is null and replaced_at is null`),
  index("quotes_by_age").on(t.createdAt),
]);
