import { sql, type SQL } from "drizzle-orm";
import {
  bigint,
  bigserial,
  boolean,
  check,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
  timestamp,
  uniqueIndex,
  type AnyPgColumn,
} from "drizzle-orm/pg-core";
import { foldedSql } from "#kit/text/folded-text.ts";

/** A folded name. Queries use the same expression as the index. */
export const foldedName = (user: AnyPgColumn, field: "name" | "lastName"): SQL => foldedSql(sql`${user} ->> ${sql.raw(`'${field}'`)}`);
/** Every four digits in a row of the phone, `+79161234567`, so that any part of it is found by an index. */
export const phoneParts = (user: AnyPgColumn): SQL =>
  sql`(array[${sql.join(
    [2, 3, 4, 5, 6, 7, 8, 9].map((from) => sql`substr(${user} ->> 'phone', ${sql.raw(String(from))}, 4)`),
    sql`, `,
  )}])`;

export const orders = pgTable(
  "orders",
  {
    /** Random, so that it cannot be guessed. */
    id: text().primaryKey(),
    /** Shown to people; gives no access. Has at least five digits, because four in an SMS look like a sign-in code. */
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
    /** The promo code in the prices of the lines, and how much it took off them; null and 0: none. */
    promoCode: text(),
    discountKopecks: bigint({ mode: "number" }).notNull().default(0),
    /** Money captured and kept for this order; the next column is how much of it was refunded. */
    paidKopecks: bigint({ mode: "number" }).notNull().default(0),
    refundedKopecks: bigint({ mode: "number" }).notNull().default(0),
    paidAt: timestamp({ withTimezone: true }),
    /** name, lastName, secondName, email, phone. */
    user: jsonb().notNull(),
    address: jsonb(),
    /** A `DeliverySnapshot`: delivery method, city and point as shown to the buyer. */
    delivery: jsonb().notNull(),
    priceListVersion: bigint({ mode: "number" }).notNull(),
    createdAt: timestamp({ withTimezone: true }).notNull(),
    /** When an unpaid order releases its coins; null once paid or closed. */
    reservedUntil: timestamp({ withTimezone: true }),
    /**
     * When personal data is erased: after the legal term, for guests and deleted accounts; null while the account exists, and afterwards.
     */
    forgetAt: timestamp({ withTimezone: true }),
    /**
     * Pieces to refund once the carrier has struck the packed parcel out, `{pieces: [{coinId, quantity}], isDeliveryToo, key, by}`; null:
     * nothing waits.
     */
    refundAfterRecall: jsonb(),
    /** Claimed by an account by phone only: name, e-mail and address stay masked, because the number may have had another owner. */
    recipientHidden: boolean().notNull().default(false),
    /** Grows with each change by staff and with each step of the state table: staff names the revision that it saw. */
    revision: integer().notNull().default(0),
    /** Login of the member of staff who is assigned to the order; null: none. */
    assignee: text(),
    /** The order to which this one adds coins; staff made both for the same buyer. */
    linkedOrderId: text(),
    /** A `TrafficSource`, which names no person and therefore stays when personal data is erased; null: not known. */
    sourceChannel: text(),
    sourceName: text(),
    sourceCampaign: text(),
    /** `{user, address, delivery}` to be applied once the carrier has struck the packed parcel out; null: nothing waits. */
    changeAfterRecall: jsonb(),
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
    check("orders_discount", sql`${t.discountKopecks} >= 0 and (${t.promoCode} is null) = (${t.discountKopecks} = 0)`),
    check(
      "orders_source",
      sql`${t.sourceChannel} in ('search','advertising','social','mail','campaign','link','direct') and length(${t.sourceName}) <= 60 and length(${t.sourceCampaign}) <= 60`,
    ),
    index("orders_by_owner").on(t.owner, t.createdAt.desc()),
    index("orders_due").on(t.reservedUntil),
    index("orders_to_forget").on(t.forgetAt),
    index("orders_of_guests_by_phone")
      .on(sql`(${t.user} ->> 'phone')`)
      .where(sql`${t.customerId} is null`),
    // The list of the back office: one index for each filter, newest first.
    // Reports over what was paid in a period.
    index("orders_by_payment_time")
      .on(t.paidAt)
      .where(sql`${t.paidAt} is not null`),
    index("orders_by_age").on(t.createdAt, t.id),
    index("orders_by_state").on(t.state, t.createdAt, t.id),
    index("orders_by_delivery").on(t.deliveryId, t.createdAt, t.id),
    index("orders_by_payment_method").on(t.paymentMethodId, t.createdAt, t.id),
    index("orders_by_total").on(t.totalKopecks),
    index("orders_by_assignee")
      .on(t.assignee, t.createdAt, t.id)
      .where(sql`${t.assignee} is not null`),
    index("orders_by_linked_order")
      .on(t.linkedOrderId)
      .where(sql`${t.linkedOrderId} is not null`),
    /** Orders that may have a problem: few of all, see `staff/order-list.repository.ts`. */
    index("orders_watched")
      .on(t.createdAt, t.id)
      .where(
        sql`${t.state} in ('assembled','shipped','ready','cancellation_requested','returning') or ${t.refundAfterRecall} is not null or ${t.changeAfterRecall} is not null or (${t.state} = 'returned' and ${t.refundedKopecks} < ${t.paidKopecks})`,
      ),
    index("orders_by_last_name").on(sql`${foldedName(t.user, "lastName")} text_pattern_ops`),
    index("orders_by_first_name").on(sql`${foldedName(t.user, "name")} text_pattern_ops`),
    // Every four digits in a row of the phone, so that any part of it is found.
    index("orders_by_phone_part").using("gin", phoneParts(t.user)),
    index("orders_by_customer")
      .on(t.customerId, t.createdAt)
      .where(sql`${t.customerId} is not null`),
    index("orders_by_mailbox").on(sql`lower(${t.user} ->> 'email')`),
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
    /** As in the quote; never changed. */
    quantity: integer().notNull(),
    /** Pieces refunded before shipping and back on sale. */
    dropped: integer().notNull().default(0),
    /** Pieces returned singly after the delivery and back in stock. A return of the whole order is not counted here. */
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

/** Seals of the bags of packed orders. A number belongs to one order permanently; repacking or a correction adds a row. */
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
    /** When it was replaced or the bag was opened; null: on the bag. */
    removedAt: timestamp({ withTimezone: true }),
  },
  (t) => [
    check("order_seals_number", sql`${t.number} = upper(${t.number}) and length(${t.number}) between 5 and 40`),
    uniqueIndex("order_seals_current")
      .on(t.orderId)
      .where(sql`${t.removedAt} is null`),
  ],
);

/**
 * Groups unpaid orders by person and address, for the limits of what they may reserve. Keys are hashed; rows of closed orders are deleted.
 */
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

/** The events of an order in sequence; append-only. */
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

/** Internal notes of staff about an order. Never shown to the buyer. */
export const orderComments = pgTable(
  "order_comments",
  {
    id: bigserial({ mode: "number" }).primaryKey(),
    orderId: text()
      .notNull()
      .references(() => orders.id),
    at: timestamp({ withTimezone: true }).notNull(),
    /** Login of its author. */
    author: text().notNull(),
    text: text().notNull(),
  },
  (t) => [index("order_comments_by_order").on(t.orderId, t.id)],
);

/** Who has the card of an order open; a row counts for `staffPresenceSeconds` after its last heartbeat. */
export const orderPresence = pgTable(
  "order_presence",
  {
    orderId: text()
      .notNull()
      .references(() => orders.id),
    login: text().notNull(),
    name: text().notNull(),
    seenAt: timestamp({ withTimezone: true }).notNull(),
  },
  (t) => [primaryKey({ columns: [t.orderId, t.login] }), index("order_presence_by_age").on(t.seenAt)],
);

/** Saved views of the order list, each of one member of staff. */
export const staffViews = pgTable(
  "staff_views",
  {
    id: bigserial({ mode: "number" }).primaryKey(),
    /** Login of its owner. */
    login: text().notNull(),
    name: text().notNull(),
    /** The filters as the list's query has them, `{state, delivery, …}`. */
    filter: jsonb().notNull(),
    /** Names of the shown columns, in order. */
    columns: jsonb().notNull(),
    position: integer().notNull(),
  },
  (t) => [index("staff_views_by_login").on(t.login, t.position), uniqueIndex("staff_views_name").on(t.login, t.name)],
);
