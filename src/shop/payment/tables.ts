import { sql } from "drizzle-orm";
import { bigint, bigserial, check, date, index, integer, jsonb, pgTable, text, timestamp, uniqueIndex } from "drizzle-orm/pg-core";

/** Payment orders of the bank's statement that staff entered, each once: by number, day, sum and, where it is known, the payer's account. */
export const bankTransfers = pgTable(
  "bank_transfers",
  {
    id: bigserial({ mode: "number" }).primaryKey(),
    orderId: text().notNull(),
    number: text().notNull(),
    date: date().notNull(),
    amountKopecks: bigint({ mode: "number" }).notNull(),
    /** Empty: not told. */
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
    /** `{orderNumber, returnUrl, receipt}`: a repeated call must send the same body under the same key. The order's own key is no part of it. */
    ask: jsonb().notNull(),
    provider: text().notNull(),
    providerId: text().unique(),
    confirmationUrl: text(),
    cancellationReason: text(),
    createdAt: timestamp({ withTimezone: true }).notNull(),
    /** When the provider was last asked to make it: from here its link may be payable for an hour. */
    requestedAt: timestamp({ withTimezone: true }).notNull(),
    settledAt: timestamp({ withTimezone: true }),
    /** When the reconciler asks next; null once nothing can change. */
    nextCheckAt: timestamp({ withTimezone: true }),
    checks: integer().notNull().default(0),
    /** When the provider was last asked about it: at most once in two seconds. */
    askedAt: timestamp({ withTimezone: true }),
    /** The bank's payment order that this money came with; null: online, at the desk, or entered without its reference. */
    transferId: bigint({ mode: "number" }).references(() => bankTransfers.id),
    /** Who began the attempt, or recorded the money by hand. */
    actor: text(),
  },
  (t) => [
    check("payments_amount", sql`${t.amountKopecks} > 0 and ${t.refundedKopecks} between 0 and ${t.amountKopecks}`),
    check("payments_method", sql`${t.method} in ('card','sbp','invoice','on_collection')`),
    check("payments_state", sql`${t.state} in ('new','pending','waiting_for_capture','succeeded','canceled')`),
    check("payments_kept", sql`${t.isKept} in ('undecided','kept','returned')`),
    uniqueIndex("payments_attempt").on(t.orderId, t.attempt),
    // Transfers may pay an order in parts; of what the aggregator takes one payment is kept.
    uniqueIndex("payments_one_kept_online")
      .on(t.orderId)
      .where(sql`is_kept = 'kept' and provider <> 'by_hand'`),
    index("payments_due").on(t.nextCheckAt),
    index("payments_by_age").on(t.createdAt),
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
    /** Why; with the payment it is unique, so that a repeated cause refunds once. */
    cause: text().notNull(),
    amountKopecks: bigint({ mode: "number" }).notNull(),
    state: text().notNull(),
    idempotenceKey: text().notNull().unique(),
    /** Which lines of the payment's receipt go back; of refunds made before they were kept: null, each line by its share. */
    lines: jsonb(),
    /** What its receipt says: after the hand-over a sale is taken back, before it a prepayment. */
    mode: text().notNull().default("full_prepayment"),
    providerId: text().unique(),
    createdAt: timestamp({ withTimezone: true }).notNull(),
    /** When the provider was first asked for it: it remembers the key for a day from here. */
    requestedAt: timestamp({ withTimezone: true }),
    settledAt: timestamp({ withTimezone: true }),
    nextCheckAt: timestamp({ withTimezone: true }),
    checks: integer().notNull().default(0),
    /** Since when the provider has not answered about it, or not been asked successfully; null: its last answer was understood. */
    unansweredSince: timestamp({ withTimezone: true }),
    /** When staff was last told that it is stuck. */
    alarmedAt: timestamp({ withTimezone: true }),
    /** Who decided it; of money sent back by hand, who confirmed that it was sent. */
    actor: text(),
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
  ],
);

/** Receipts that the law asks for (54-FZ), each once: what was owed, who registers it, how it is known to the tax office. */
export const receipts = pgTable(
  "receipts",
  {
    id: text().primaryKey(),
    /** What it is about, as `payment:abc`, `handover:abc`, `refund:abc`. */
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
    /** When the provider was first asked for it: it remembers the key for a day from here. */
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
  ],
);

/** Webhooks as they came, each (event, object, status) once: stored first, believed never. */
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
    /** The body to the letter; emptied after `providerEventDays`. */
    body: text().notNull(),
    receivedAt: timestamp({ withTimezone: true }).notNull(),
    /** What the provider said when asked: `confirmed`, or `denied` for a forged one; null until asked. */
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

/** What the daily comparison with the provider's ledger found: a list for the staff, each difference once. */
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
  },
  (t) => [
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
