import { sql } from "drizzle-orm";
import { bigint, boolean, check, index, integer, jsonb, pgTable, primaryKey, text, timestamp, uniqueIndex } from "drizzle-orm/pg-core";

export const orders = pgTable(
  "orders",
  {
    /** Random: an id that opens nothing by guessing. */
    id: text().primaryKey(),
    /** For people; opens nothing by itself. Of five digits and more, for four in an SMS read like a sign-in code. */
    number: bigint({ mode: "number" }).notNull().unique().generatedByDefaultAsIdentity({ startWith: 10_001 }),
    owner: text().notNull(),
    customerId: text(),
    quoteId: text().notNull().unique(),
    state: text().notNull(),
    deliveryId: integer().notNull(),
    pickupPointId: text(),
    deliveryKopecks: bigint({ mode: "number" }).notNull(),
    paymentMethodId: integer().notNull(),
    totalKopecks: bigint({ mode: "number" }).notNull(),
    /** Money that stays with the shop for this order: what was captured and kept, and what of it went back. */
    paidKopecks: bigint({ mode: "number" }).notNull().default(0),
    refundedKopecks: bigint({ mode: "number" }).notNull().default(0),
    paidAt: timestamp({ withTimezone: true }),
    /** name, lastName, secondName, email, phone. */
    user: jsonb().notNull(),
    address: jsonb(),
    /** Name of the option, city and chosen point as they were told to the buyer. */
    delivery: jsonb().notNull(),
    priceListVersion: bigint({ mode: "number" }).notNull(),
    createdAt: timestamp({ withTimezone: true }).notNull(),
    /** When an unpaid order lets its coins go; null once paid or closed. */
    reservedUntil: timestamp({ withTimezone: true }),
    /** When name, phone, e-mail and address are taken off: after the legal term for guests and deleted accounts; null while the account lives, and afterwards. */
    forgetAt: timestamp({ withTimezone: true }),
    /** Pieces to refund once the carrier has struck the packed parcel out, `{pieces: [{coinId, quantity}], isDeliveryToo}`; null: nothing waits. */
    refundAfterRecall: jsonb(),
    /** Taken into an account by its phone alone: name, e-mail and address stay masked there, for the number may have had another owner. */
    recipientHidden: boolean().notNull().default(false),
  },
  (t) => [
    check(
      "orders_state",
      sql`${t.state} in ('placed','awaiting_payment','paid','assembled','cancellation_requested','shipped','ready','delivered','returning','cancelled','returned')`,
    ),
    check(
      "orders_money",
      sql`${t.totalKopecks} > 0 and ${t.deliveryKopecks} >= 0 and ${t.paidKopecks} between 0 and ${t.totalKopecks} and ${t.refundedKopecks} between 0 and ${t.paidKopecks}`,
    ),
    index("orders_by_owner").on(t.owner, t.createdAt.desc()),
    index("orders_due").on(t.reservedUntil),
    index("orders_to_forget").on(t.forgetAt),
    index("orders_of_guests_by_phone")
      .on(sql`(${t.user} ->> 'phone')`)
      .where(sql`${t.customerId} is null`),
  ],
);

export const orderLines = pgTable(
  "order_lines",
  {
    orderId: text()
      .notNull()
      .references(() => orders.id),
    coinId: integer().notNull(),
    position: integer().notNull(),
    slug: text().notNull(),
    title: text().notNull(),
    /** As quoted; never changed. */
    quantity: integer().notNull(),
    /** Refunded before the order was shipped: back on sale. */
    dropped: integer().notNull().default(0),
    /** Given back piece by piece after the delivery: back in stock. A return of the whole order is not counted here. */
    returned: integer().notNull().default(0),
    priceKopecks: bigint({ mode: "number" }).notNull(),
    vatCode: integer().notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.orderId, t.coinId] }),
    check("order_lines_remaining", sql`${t.dropped} >= 0 and ${t.returned} >= 0 and ${t.dropped} + ${t.returned} <= ${t.quantity}`),
    check("order_lines_positive", sql`${t.quantity} > 0 and ${t.priceKopecks} > 0`),
  ],
);

/** Seals of the bags that orders were packed in. A number is used once; an order that is packed again, or whose number is corrected, keeps the old row. */
export const orderSeals = pgTable(
  "order_seals",
  {
    number: text().primaryKey(),
    orderId: text()
      .notNull()
      .references(() => orders.id),
    sealedAt: timestamp({ withTimezone: true }).notNull(),
    /** Who entered it (`shop/actor.ts`). */
    actor: text().notNull(),
    /** When another seal took its place or the bag was opened; null: on the bag. */
    removedAt: timestamp({ withTimezone: true }),
  },
  (t) => [
    check("order_seals_number", sql`${t.number} = upper(${t.number}) and length(${t.number}) between 5 and 40`),
    uniqueIndex("order_seals_current")
      .on(t.orderId)
      .where(sql`${t.removedAt} is null`),
  ],
);

/** Which orders belong to one person or address, for the limits of what unpaid ones may hold. Keys are hashed; rows of closed orders are deleted. */
export const unpaidOrderKeys = pgTable(
  "unpaid_order_keys",
  {
    key: text().notNull(),
    orderId: text()
      .notNull()
      .references(() => orders.id),
    createdAt: timestamp({ withTimezone: true }).notNull(),
  },
  (t) => [primaryKey({ columns: [t.key, t.orderId] }), index("unpaid_order_keys_by_age").on(t.createdAt)],
);

/** The path of the state machine, in order; append-only. */
export const orderHistory = pgTable(
  "order_history",
  {
    orderId: text()
      .notNull()
      .references(() => orders.id),
    step: integer().notNull(),
    event: text().notNull(),
    state: text().notNull(),
    at: timestamp({ withTimezone: true }).notNull(),
    /** Who caused it (`shop/actor.ts`); null in steps made before it was stored. */
    actor: text(),
  },
  (t) => [primaryKey({ columns: [t.orderId, t.step] })],
);
