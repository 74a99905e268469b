import { sql } from "drizzle-orm";
import { bigint, bigserial, boolean, check, date, index, integer, jsonb, pgTable, text, timestamp, uniqueIndex } from "drizzle-orm/pg-core";

/** Payment orders of the bank's statement entered by staff; unique by number, day, sum and, if known, the payer's account. */
export const bankTransfers = pgTable(
  "bank_transfers",
  {
    id: bigserial({ mode: "number" }).primaryKey(),
    orderId: text().notNull(),
    number: text().notNull(),
    date: date().notNull(),
    amountKopecks: bigint({ mode: "number" }).notNull(),
    /** Empty: unknown. */
    payerAccount: text().notNull().default(""),
    enteredAt: timestamp({ withTimezone: true }).notNull(),
    /** Who entered it (`shop/actor.ts`); null in rows made before it was stored, here and below. */
    actor: text(),
  },
  (t) => [
    check("bank_transfers_amount", sql`${t.amountKopecks} > 0`),
    uniqueIndex("bank_transfers_once").on(t.number, t.date, t.amountKopecks, t.payerAccount),
    index("bank_transfers_by_order").on(t.orderId),
  ],
);

/** One row per attempt to pay an order. */
export const payments = pgTable(
  "payments",
  {
    id: text().primaryKey(),
    orderId: text().notNull(),
    attempt: integer().notNull(),
    method: text().notNull(),
    amountKopecks: bigint({ mode: "number" }).notNull(),
    refundedKopecks: bigint({ mode: "number" }).notNull().default(0),
    state: text().notNull(),
    /** Whether its money pays the order. */
    isKept: text().notNull().default("undecided"),
    idempotenceKey: text().notNull().unique(),
    /**
     * `{orderNumber, returnUrl, receipt}`: a repeated request must send the same body with the same key. Does not contain the order's key.
     */
    ask: jsonb().notNull(),
    provider: text().notNull(),
    providerId: text().unique(),
    confirmationUrl: text(),
    cancellationReason: text(),
    createdAt: timestamp({ withTimezone: true }).notNull(),
    /** When its creation was last requested: its link can be paid for an hour from then. */
    requestedAt: timestamp({ withTimezone: true }).notNull(),
    settledAt: timestamp({ withTimezone: true }),
    /** When the sweep fetches its status next; null once it is settled. */
    nextCheckAt: timestamp({ withTimezone: true }),
    checks: integer().notNull().default(0),
    /** When its status was last requested: at most once in two seconds. */
    askedAt: timestamp({ withTimezone: true }),
    /** The bank's payment order of this money; null: paid online, at the desk, or entered without its reference. */
    transferId: bigint({ mode: "number" }).references(() => bankTransfers.id),
    /** The actor who started the attempt or recorded the money by hand. */
    actor: text(),
  },
  (t) => [
    check("payments_amount", sql`${t.amountKopecks} > 0 and ${t.refundedKopecks} between 0 and ${t.amountKopecks}`),
    check("payments_method", sql`${t.method} in ('card','sbp','invoice','on_collection')`),
    check("payments_state", sql`${t.state} in ('new','pending','waiting_for_capture','succeeded','canceled')`),
    check("payments_kept", sql`${t.isKept} in ('undecided','kept','returned')`),
    uniqueIndex("payments_attempt").on(t.orderId, t.attempt),
    // Several transfers may pay an order in parts, but only one online payment is kept.
    uniqueIndex("payments_one_kept_online")
      .on(t.orderId)
      .where(sql`is_kept = 'kept' and provider <> 'by_hand'`),
    index("payments_due").on(t.nextCheckAt),
    index("payments_by_age").on(t.createdAt),
    index("payments_by_state").on(t.state, t.createdAt, t.id),
    index("payments_by_method").on(t.method, t.createdAt, t.id),
    index("payments_by_transfer").on(t.transferId),
  ],
);

export const refunds = pgTable(
  "refunds",
  {
    id: text().primaryKey(),
    paymentId: text()
      .notNull()
      .references(() => payments.id),
    orderId: text().notNull(),
    /** Unique per payment, so that a repeated cause refunds once. */
    cause: text().notNull(),
    amountKopecks: bigint({ mode: "number" }).notNull(),
    state: text().notNull(),
    idempotenceKey: text().notNull().unique(),
    /** The refunded lines of the payment's receipt; null in refunds made before lines were stored: each line by its share. */
    lines: jsonb(),
    /** The mode of its receipt: a returned sale after the hand-over, a returned prepayment before it. */
    mode: text().notNull().default("full_prepayment"),
    providerId: text().unique(),
    /** When it was decided; of pieces that waited for the carrier's answer, before the refund was made. */
    createdAt: timestamp({ withTimezone: true }).notNull(),
    /** When it was first requested: the provider stores the key for a day from then. */
    requestedAt: timestamp({ withTimezone: true }),
    settledAt: timestamp({ withTimezone: true }),
    nextCheckAt: timestamp({ withTimezone: true }),
    checks: integer().notNull().default(0),
    /** Since when the provider has given no usable answer about it; null: the last request was answered. */
    unansweredSince: timestamp({ withTimezone: true }),
    /** When `payment.refund_stuck` was last raised for it. */
    alarmedAt: timestamp({ withTimezone: true }),
    /** The actor who decided it. */
    actor: text(),
    /** Its pieces left the order before the hand-over, whose receipt does not cover them, whatever becomes of the refund. */
    isDropped: boolean().notNull().default(false),
  },
  (t) => [
    check("refunds_amount", sql`${t.amountKopecks} > 0`),
    check("refunds_state", sql`${t.state} in ('new','pending','succeeded','canceled')`),
    uniqueIndex("refunds_once").on(t.paymentId, t.cause),
    index("refunds_due").on(t.nextCheckAt),
    index("refunds_unanswered")
      .on(t.unansweredSince)
      .where(sql`unanswered_since is not null`),
    index("refunds_by_order").on(t.orderId),
    // The sum that one clerk has refunded today.
    index("refunds_by_actor").on(t.actor, t.createdAt),
    index("refunds_by_state").on(t.state, t.createdAt, t.id),
  ],
);

/** Payment orders of the shop's bank account by which staff paid refunds that the provider had refused finally. */
export const refundTransfers = pgTable(
  "refund_transfers",
  {
    refundId: text()
      .primaryKey()
      .references(() => refunds.id),
    orderId: text().notNull(),
    number: text().notNull(),
    date: date().notNull(),
    recordedAt: timestamp({ withTimezone: true }).notNull(),
    /** Who recorded it (`shop/actor.ts`); the refund stays that of the actor who decided it. */
    actor: text().notNull(),
  },
  (t) => [
    index("refund_transfers_by_number").on(t.number, t.date),
    // The sum that one clerk has paid today.
    index("refund_transfers_by_actor").on(t.actor, t.recordedAt),
  ],
);

/** Receipts that the law requires (54-FZ), each once: content, registrar, and the numbers given by the tax office. */
export const receipts = pgTable(
  "receipts",
  {
    id: text().primaryKey(),
    /** The event it documents: `payment:abc`, `handover:abc`, `refund:abc`. */
    about: text().notNull().unique(),
    orderId: text().notNull(),
    paymentId: text()
      .notNull()
      .references(() => payments.id),
    refundId: text().references(() => refunds.id),
    kind: text().notNull(),
    registrar: text().notNull(),
    mode: text().notNull(),
    amountKopecks: bigint({ mode: "number" }).notNull(),
    receipt: jsonb().notNull(),
    state: text().notNull(),
    idempotenceKey: text().notNull().unique(),
    providerId: text().unique(),
    fiscal: jsonb(),
    createdAt: timestamp({ withTimezone: true }).notNull(),
    /** When it was first requested: the provider stores the key for a day from then. */
    requestedAt: timestamp({ withTimezone: true }),
    settledAt: timestamp({ withTimezone: true }),
    nextCheckAt: timestamp({ withTimezone: true }),
  },
  (t) => [
    check("receipts_amount", sql`${t.amountKopecks} > 0`),
    check("receipts_kind", sql`${t.kind} in ('payment','handover','refund')`),
    check("receipts_registrar", sql`${t.registrar} in ('provider','office')`),
    check("receipts_mode", sql`${t.mode} in ('full_prepayment','partial_prepayment','full_payment')`),
    check("receipts_state", sql`${t.state} in ('new','pending','succeeded','canceled')`),
    index("receipts_due").on(t.nextCheckAt),
    index("receipts_by_order").on(t.orderId),
    index("receipts_by_state").on(t.state, t.createdAt, t.id),
  ],
);

/** Webhooks as received, each (event, object, status) once. They are hints: the provider's own state decides. */
export const paymentEvents = pgTable(
  "payment_events",
  {
    id: bigserial({ mode: "number" }).primaryKey(),
    provider: text().notNull(),
    event: text().notNull(),
    objectId: text().notNull(),
    paymentId: text()
      .notNull()
      .references(() => payments.id),
    status: text().notNull(),
    /** The unchanged body; emptied after `providerEventDays`. */
    body: text().notNull(),
    receivedAt: timestamp({ withTimezone: true }).notNull(),
    /** The provider's answer: `confirmed`, or `denied` for a forged webhook; null: not checked yet. */
    verdict: text(),
  },
  (t) => [
    check("payment_events_verdict", sql`${t.verdict} in ('confirmed','denied')`),
    uniqueIndex("payment_events_once").on(t.provider, t.event, t.objectId, t.status),
    index("payment_events_open")
      .on(t.paymentId)
      .where(sql`verdict is null`),
  ],
);

/** Differences found by the daily comparison with the provider, each once; a list for staff. */
export const paymentDifferences = pgTable(
  "payment_differences",
  {
    id: bigserial({ mode: "number" }).primaryKey(),
    kind: text().notNull(),
    provider: text().notNull(),
    providerId: text().notNull(),
    paymentId: text(),
    orderId: text(),
    ours: text().notNull(),
    theirs: text().notNull(),
    foundAt: timestamp({ withTimezone: true }).notNull(),
    /** When staff settled it, who did, and what was found out; null: it waits. */
    settledAt: timestamp({ withTimezone: true }),
    settledBy: text(),
    note: text().notNull().default(""),
  },
  (t) => [
    check("payment_differences_settled", sql`(${t.settledAt} is null) = (${t.settledBy} is null)`),
    index("payment_differences_open")
      .on(t.id)
      .where(sql`settled_at is null`),
    check(
      "payment_differences_kind",
      sql`${t.kind} in ('unknown_here','unknown_there','state','amount','refunded',
    'refund_unknown_here','refund_unknown_there','refund_state','refund_amount')`,
    ),
    uniqueIndex("payment_differences_once").on(t.provider, t.providerId, t.kind, t.theirs),
  ],
);

/** Days already compared. */
export const paymentComparisons = pgTable("payment_comparisons", {
  day: date().primaryKey(),
  comparedAt: timestamp({ withTimezone: true }).notNull(),
  differences: integer().notNull(),
});
