import { sql } from "drizzle-orm";
import { bigint, bigserial, check, index, integer, jsonb, pgTable, text, timestamp, uniqueIndex } from "drizzle-orm/pg-core";

/** One row per attempt to pay an order. */
export const payments = pgTable("payments", {
  id: text().primaryKey(),
  orderId: text().notNull(),
  attempt: integer().notNull(),
  method: text().notNull(),
  amountKopecks: bigint({ mode: "number" }).notNull(),
  refundedKopecks: bigint({ mode: "number" }).notNull().default(0),
  state: text().notNull(),
  /** Whether its money pays the order; at most one attempt's does. */
  isKept: text().notNull().default("undecided"),
  idempotenceKey: text().notNull().unique(),
  provider: text().notNull(),
  providerId: text().unique(),
  confirmationUrl: text(),
  cancellationReason: text(),
  createdAt: timestamp({ withTimezone: true }).notNull(),
  settledAt: timestamp({ withTimezone: true }),
  /** When the reconciler asks next; null once nothing can change. */
  nextCheckAt: timestamp({ withTimezone: true }),
  checks: integer().notNull().default(0),
  askedAt: timestamp({ withTimezone: true }),
}, (t) => [
  check("payments_amount", sql`${t.amountKopecks} > 0 and ${t.refundedKopecks} between 0 and ${t.amountKopecks}`),
  check("payments_method", sql`${t.method} in ('card','sbp','invoice','on_collection')`),
  check("payments_state", sql`${t.state} in ('new','pending','waiting_for_capture','succeeded','canceled')`),
  check("payments_kept", sql`${t.isKept} in ('undecided','kept','returned')`),
  uniqueIndex("payments_attempt").on(t.orderId, t.attempt),
  uniqueIndex("payments_one_kept").on(t.orderId).where(sql`is_kept = 'kept'`),
  index("payments_due").on(t.nextCheckAt),
]);

export const refunds = pgTable("refunds", {
  id: text().primaryKey(),
  paymentId: text().notNull().references(() => payments.id),
  orderId: text().notNull(),
  /** Why; with the payment it is unique, so that a repeated cause refunds once. */
  cause: text().notNull(),
  amountKopecks: bigint({ mode: "number" }).notNull(),
  state: text().notNull(),
  idempotenceKey: text().notNull().unique(),
  providerId: text().unique(),
  createdAt: timestamp({ withTimezone: true }).notNull(),
  settledAt: timestamp({ withTimezone: true }),
  nextCheckAt: timestamp({ withTimezone: true }),
  checks: integer().notNull().default(0),
}, (t) => [
  check("refunds_amount", sql`${t.amountKopecks} > 0`),
  check("refunds_state", sql`${t.state} in ('new','pending','succeeded','canceled')`),
  uniqueIndex("refunds_once").on(t.paymentId, t.cause),
  index("refunds_due").on(t.nextCheckAt),
]);

/** Webhooks as they came, each (event, object, status) once: stored first, believed never. */
export const paymentEvents = pgTable("payment_events", {
  id: bigserial({ mode: "number" }).primaryKey(),
  provider: text().notNull(),
  event: text().notNull(),
  objectId: text().notNull(),
  status: text().notNull(),
  body: jsonb().notNull(),
  receivedAt: timestamp({ withTimezone: true }).notNull(),
}, (t) => [uniqueIndex("payment_events_once").on(t.provider, t.event, t.objectId, t.status)]);
