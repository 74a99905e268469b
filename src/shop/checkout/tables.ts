import { sql } from "drizzle-orm";
import { bigint, check, index, integer, jsonb, pgTable, primaryKey, text, timestamp, uniqueIndex } from "drizzle-orm/pg-core";

/** Locked prices of one cart, for one owner, ten minutes and one order. */
export const quotes = pgTable(
  "quotes",
  {
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
    /** A `DeliverySnapshot`: city, point and days as shown to the buyer; the order takes it over unchanged. */
    delivery: jsonb().notNull(),
    totalKopecks: bigint({ mode: "number" }).notNull(),
    priceListVersion: bigint({ mode: "number" }).notNull(),
    createdAt: timestamp({ withTimezone: true }).notNull(),
    expiresAt: timestamp({ withTimezone: true }).notNull(),
    usedByOrderId: text().unique(),
    /** The code in these prices, and how much it takes off them. */
    promoCodeId: bigint({ mode: "number" }),
    promoCode: text(),
    discountKopecks: bigint({ mode: "number" }).notNull().default(0),
    replacedAt: timestamp({ withTimezone: true }),
  },
  (t) => [
    uniqueIndex("quotes_one_live")
      .on(t.owner)
      .where(sql`used_by_order_id is null and replaced_at is null`),
    index("quotes_by_age").on(t.createdAt),
    check("quotes_discount", sql`(${t.promoCodeId} is null) = (${t.discountKopecks} = 0)`),
    check("quotes_money", sql`${t.deliveryKopecks} >= 0 and ${t.totalKopecks} > 0`),
  ],
);

/** Idempotency keys of order calls, unique per owner; the rollback of a refused order removes its key. */
export const idempotencyKeys = pgTable(
  "idempotency_keys",
  {
    owner: text().notNull(),
    key: text().notNull(),
    bodyHash: text().notNull(),
    orderId: text().notNull().unique(),
    createdAt: timestamp({ withTimezone: true }).notNull(),
  },
  (t) => [primaryKey({ columns: [t.owner, t.key] }), index("idempotency_keys_by_age").on(t.createdAt)],
);

/** What a buyer without scripts has entered at checkout; deleted when the order is made or when it expires. */
export const checkoutDrafts = pgTable(
  "checkout_drafts",
  {
    owner: text().primaryKey(),
    /** `CheckoutEntries`; parts of steps that were not submitted yet are absent. */
    entries: jsonb().notNull(),
    expiresAt: timestamp({ withTimezone: true }).notNull(),
  },
  (t) => [
    index("checkout_drafts_by_expiry").on(t.expiresAt),
    check("checkout_drafts_entries", sql`jsonb_typeof(${t.entries}) = 'object' and length(${t.entries}::text) <= 65536`),
  ],
);
