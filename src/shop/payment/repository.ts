import { and, asc, eq, gt, gte, inArray, isNull, lt, lte, ne, notInArray, or, sql } from "drizzle-orm";
import { z } from "zod";
import {
  batch,
  deleteInBatches,
  hasRow,
  insertRows,
  pipeline,
  pipelineAndCommit,
  type QueryBatch,
  type Db,
  type Expression,
  type Tx,
} from "#kit/db.ts";
import { kopecks } from "#kit/money.ts";
import { plus } from "#kit/time.ts";
import { actorText, type Actor } from "#shop/actor.ts";
import type { Notification, Receipt } from "./gateway.ts";
import { byHand, statusCheckInterval, type Payment, type PaymentMethodName, type PaymentState } from "./payment.ts";
import { paymentEvents, payments, receipts } from "./tables.ts";

/** The data of one provider request; a repeated request must be identical. */
export type StoredRequest = { orderNumber: string; returnUrl: string; receipt: Receipt };

const amount = z.number().int().transform(kopecks);

const receiptLine = z.object({
  title: z.string(),
  quantity: z.number().int(),
  unitPrice: amount,
  vatCode: z.number().int(),
  subject: z.enum(["commodity", "service"]),
});

/** The lines of a partial receipt in a jsonb column. */
export const partLines = z.array(receiptLine.extend({ line: z.number().int() }));

export const wholeReceipt = z.object({ email: z.string(), phone: z.string(), lines: z.array(receiptLine) });

const storedRequest = z.object({
  orderNumber: z.string(),
  returnUrl: z.string(),
  receipt: wholeReceipt,
});

type PaymentRow = typeof payments.$inferSelect;

export const toPayment = (row: PaymentRow): Payment => ({
  id: row.id,
  orderId: row.orderId,
  attempt: row.attempt,
  method: row.method as PaymentMethodName,
  amount: kopecks(row.amountKopecks),
  refunded: kopecks(row.refundedKopecks),
  state: row.state as PaymentState,
  isKept: row.isKept as Payment["isKept"],
  provider: row.provider,
  providerId: row.providerId,
  confirmationUrl: row.confirmationUrl,
  cancellationReason: row.cancellationReason,
  createdAt: row.createdAt,
  requestedAt: row.requestedAt,
  settledAt: row.settledAt,
});

/** A locked attempt with the data of its provider request. */
export type LockedAttempt = { payment: Payment; readCall: () => { idempotenceKey: string; request: StoredRequest } };

/**
 * Locks the start of payments for this order until the transaction ends, so that two tabs share an attempt; reads its attempts, oldest
 * first.
 */
export const lockAttemptsBatch = (tx: Tx, orderId: string): QueryBatch<LockedAttempt[]> =>
  batch(
    [tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${`payment:${orderId}`}, 0))`), selectOfOrders(tx, [orderId])],
    ([, found]) =>
      found.map((row) => ({
        payment: toPayment(row),
        readCall: () => ({ idempotenceKey: row.idempotenceKey, request: storedRequest.parse(row.ask) }),
      })),
  );

export async function lockAttempts(tx: Tx, orderId: string): Promise<LockedAttempt[]> {
  const [found] = await pipeline([lockAttemptsBatch(tx, orderId)]);
  return found;
}

const selectOfOrders = (db: Db, orderIds: string[]) =>
  db.select().from(payments).where(inArray(payments.orderId, orderIds)).orderBy(asc(payments.orderId), asc(payments.attempt));

export async function ofOrders(db: Db, orderIds: string[]): Promise<Payment[]> {
  if (orderIds.length === 0) return [];
  return (await selectOfOrders(db, orderIds)).map(toPayment);
}

type ProviderCall = {
  idempotenceKey: string;
  request: StoredRequest;
  nextCheckAt: Date | null;
  transferId?: number | null;
  actor: Actor;
};

export const insert = async (tx: Tx, payment: Payment, call: ProviderCall): Promise<void> => {
  await pipeline([insertBatch(tx, payment, call)]);
};

/** The same as a part of another module's round trip. */
export const insertBatch = (tx: Tx, payment: Payment, call: ProviderCall): QueryBatch<void> =>
  batch(
    [
      insertRows(tx, payments, [
        {
          id: payment.id,
          orderId: payment.orderId,
          attempt: payment.attempt,
          method: payment.method,
          amountKopecks: payment.amount,
          state: payment.state,
          idempotenceKey: call.idempotenceKey,
          ask: call.request,
          provider: payment.provider,
          createdAt: payment.createdAt,
          requestedAt: payment.requestedAt,
          settledAt: payment.settledAt,
          nextCheckAt: call.nextCheckAt,
          transferId: call.transferId ?? null,
          actor: actorText(call.actor),
        },
      ]),
    ],
    () => {},
  );

/** The attempt with its provider request. */
export async function byIdWithRequest(
  db: Db,
  id: string,
): Promise<{ payment: Payment; idempotenceKey: string; request: StoredRequest } | null> {
  const [row] = await db.select().from(payments).where(eq(payments.id, id));
  return row ? { payment: toPayment(row), idempotenceKey: row.idempotenceKey, request: storedRequest.parse(row.ask) } : null;
}

export async function byId(db: Db, id: string): Promise<Payment | null> {
  const [row] = await db.select().from(payments).where(eq(payments.id, id));
  return row ? toPayment(row) : null;
}

export async function lock(tx: Tx, id: string): Promise<Payment | null> {
  const [row] = await tx.select().from(payments).where(eq(payments.id, id)).for("update");
  return row ? toPayment(row) : null;
}

/** Locks a payment and reads the webhooks about the provider's object that have no verdict yet, received until `until`. One round trip. */
export async function lockWithEvents(
  tx: Tx,
  id: string,
  objectId: string,
  until: Date,
): Promise<{ payment: Payment | null; claims: UnjudgedEvent[] }> {
  const row = tx.select().from(payments).where(eq(payments.id, id)).for("update");
  const [[found], claims] = await pipeline([row, selectUnjudgedEvents(tx, objectId, until)]);
  return { payment: found ? toPayment(found) : null, claims };
}

/** Locks the order's attempts, always in the order of their ids, and returns them oldest first. */
export async function lockOfOrder(tx: Tx, orderId: string): Promise<Payment[]> {
  const rows = await tx.select().from(payments).where(eq(payments.orderId, orderId)).orderBy(asc(payments.id)).for("update");
  return rows.map(toPayment).toSorted((a, b) => a.attempt - b.attempt);
}

/** Stores the time of a link request before it is sent, as a part of another module's round trip. */
export const markRequestedBatch = (tx: Tx, id: string, at: Date, nextCheckAt: Date | null): QueryBatch<void> =>
  batch(
    [
      tx
        .update(payments)
        .set({ requestedAt: at, nextCheckAt })
        .where(and(eq(payments.id, id), eq(payments.state, "new"))),
    ],
    () => {},
  );

/**
 * Claims a status request about an open payment. Null when one was claimed less than `pause` milliseconds ago, or the payment is settled
 * or recorded by hand.
 */
export async function claimStatusCheck(db: Db, id: string, now: Date, pause: number): Promise<Payment | null> {
  const [claimed] = await updateForStatusCheck(db, id, now, pause);
  return claimed ? toPayment(claimed) : null;
}

/** The same without its result, as a part of another module's round trip. */
export const claimStatusCheckBatch = (tx: Tx, id: string, now: Date): QueryBatch<void> =>
  batch([updateForStatusCheck(tx, id, now, 0)], () => {});

const updateForStatusCheck = (db: Db, id: string, now: Date, pause: number) =>
  db
    .update(payments)
    .set({ askedAt: now, checks: sql`${payments.checks} + 1` })
    .where(
      and(
        eq(payments.id, id),
        or(isNull(payments.askedAt), lte(payments.askedAt, plus(now, -pause))),
        notInArray(payments.state, ["succeeded", "canceled"]),
        ne(payments.provider, byHand),
      ),
    )
    .returning();

/**
 * Schedules the next status request as early as the interval allows. `already`: it was scheduled as early; of ten thousand webhooks only
 * one changes the row.
 */
export async function checkSoon(tx: Tx, id: string, now: Date): Promise<"now" | "soon" | "already"> {
  // The parameter needs an explicit type: PostgreSQL cannot infer it inside greatest().
  const interval = `${statusCheckInterval} milliseconds`;
  const earliest = sql`greatest(${now.toISOString()}::timestamptz, ${payments.askedAt} + ${interval}::interval)`;
  const [row] = await tx
    .update(payments)
    .set({ nextCheckAt: sql`${earliest}` })
    // A check that was due before the last request belongs to that request, which may still be running.
    .where(
      and(
        eq(payments.id, id),
        or(isNull(payments.nextCheckAt), sql`${payments.nextCheckAt} > ${earliest}`, lte(payments.nextCheckAt, payments.askedAt)),
      ),
    )
    .returning({ nextCheckAt: payments.nextCheckAt });
  if (!row?.nextCheckAt) return "already";
  return row.nextCheckAt.getTime() <= now.getTime() ? "now" : "soon";
}

/** Changes of a payment; absent fields stay unchanged. */
export type PaymentChanges = {
  state?: PaymentState;
  providerId?: string | null;
  confirmationUrl?: string | null;
  cancellationReason?: string | null;
  settledAt?: Date | null;
  nextCheckAt?: Date | null;
};

export async function save(tx: Tx, id: string, changes: PaymentChanges): Promise<void> {
  if (Object.keys(changes).length > 0) await tx.update(payments).set(changes).where(eq(payments.id, id));
}

/** The same as the last statement of a transaction, which it commits (`inPipelinedTransaction`). One round trip. */
export async function saveAndCommit(tx: Tx, id: string, changes: PaymentChanges): Promise<void> {
  await pipelineAndCommit(tx, [tx.update(payments).set(changes).where(eq(payments.id, id))]);
}

/** When a status request was sent, and until when a sweep has claimed the payment. */
type CheckTimes = { askedAt: Date; leaseEnd: Date | null };

/**
 * Saves the scheduled next check, or an earlier one that a webhook received after `askedAt` has set. `leaseEnd` is the next check that
 * `claimDue` has set, which is not a webhook's.
 */
export async function saveNextCheck(db: Db, id: string, scheduled: Date | null, times: CheckTimes): Promise<void> {
  await updateNextCheck(db, id, scheduled, times);
}

/** The same with the payment's link, as the last statement of a transaction, which it commits. One round trip. */
export async function saveNextCheckAndCommit(
  tx: Tx,
  id: string,
  scheduled: Date | null,
  times: CheckTimes,
  changes: Pick<PaymentChanges, "confirmationUrl">,
): Promise<void> {
  await pipelineAndCommit(tx, [updateNextCheck(tx, id, scheduled, times, changes)]);
}

function updateNextCheck(
  db: Db,
  id: string,
  scheduled: Date | null,
  { askedAt, leaseEnd }: CheckTimes,
  changes: Pick<PaymentChanges, "confirmationUrl"> = {},
) {
  const { nextCheckAt } = payments;
  const onSchedule = sql`${scheduled?.toISOString() ?? null}::timestamptz`;
  const isWantedSooner = and(gt(nextCheckAt, askedAt), leaseEnd ? lt(nextCheckAt, leaseEnd) : undefined);
  return db
    .update(payments)
    .set({ ...changes, nextCheckAt: sql`case when ${isWantedSooner} then least(${nextCheckAt}, ${onSchedule}) else ${onSchedule} end` })
    .where(eq(payments.id, id));
}

export async function saveKept(tx: Tx, id: string, isKept: Payment["isKept"]): Promise<void> {
  await tx.update(payments).set({ isKept, nextCheckAt: null }).where(eq(payments.id, id));
}

export const hasDue = (now: Date): Expression => hasRow(payments, lte(payments.nextCheckAt, now));

/** Claims up to `limit` due payments and postpones them to `leaseEnd`, so that other processes skip them. */
export async function claimDue(db: Db, now: Date, limit: number, leaseEnd: Date): Promise<Payment[]> {
  const due = db
    .select({ id: payments.id })
    .from(payments)
    .where(lte(payments.nextCheckAt, now))
    .orderBy(payments.nextCheckAt)
    .limit(limit)
    .for("update", { skipLocked: true });
  const rows = await db.update(payments).set({ nextCheckAt: leaseEnd }).where(inArray(payments.id, due)).returning();
  return rows.map(toPayment);
}

export async function byProviderId(db: Db, provider: string, providerId: string): Promise<Payment | null> {
  const [row] = await db
    .select()
    .from(payments)
    .where(and(eq(payments.provider, provider), eq(payments.providerId, providerId)));
  return row ? toPayment(row) : null;
}

/* Webhooks */

/** Stores a webhook once; repeats change nothing. */
export async function storeEvent(
  tx: Tx,
  event: { provider: string; paymentId: string; notification: Notification; body: string; at: Date },
): Promise<void> {
  await tx
    .insert(paymentEvents)
    .values({
      provider: event.provider,
      event: event.notification.event,
      objectId: event.notification.objectId,
      paymentId: event.paymentId,
      status: event.notification.status,
      body: event.body,
      receivedAt: event.at,
    })
    .onConflictDoNothing();
}

/** Webhooks about this object without a verdict, received until `until`. */
export const unjudgedEvents = async (tx: Tx, objectId: string, until: Date): Promise<UnjudgedEvent[]> =>
  selectUnjudgedEvents(tx, objectId, until);

type UnjudgedEvent = { id: number; status: string };

const selectUnjudgedEvents = (tx: Tx, objectId: string, until: Date) =>
  tx
    .select({ id: paymentEvents.id, status: paymentEvents.status })
    .from(paymentEvents)
    .where(and(eq(paymentEvents.objectId, objectId), isNull(paymentEvents.verdict), lte(paymentEvents.receivedAt, until)));

export async function saveVerdict(tx: Tx, id: number, verdict: "confirmed" | "denied"): Promise<void> {
  await tx.update(paymentEvents).set({ verdict }).where(eq(paymentEvents.id, id));
}

/**
 * Empties the bodies of at most `limit` webhooks with ids above `after` that were received before `before`. Rows and verdicts stay.
 * Returns the last id of the page, or null when there are no more.
 */
export async function eraseEventBodies(
  db: Db,
  { after, before, limit }: { after: number; before: Date; limit: number },
): Promise<number | null> {
  const page = await db
    .select({ id: paymentEvents.id })
    .from(paymentEvents)
    .where(and(gt(paymentEvents.id, after), lt(paymentEvents.receivedAt, before)))
    .orderBy(asc(paymentEvents.id))
    .limit(limit);
  const ids = page.map(({ id }) => id);
  if (ids.length > 0)
    await db
      .update(paymentEvents)
      .set({ body: "" })
      .where(and(inArray(paymentEvents.id, ids), ne(paymentEvents.body, "")));
  return ids.at(-1) ?? null;
}

/** Deletes webhooks received before this moment. */
export async function deleteEvents(db: Db, before: Date): Promise<void> {
  await deleteInBatches(db, paymentEvents, lt(paymentEvents.receivedAt, before));
}

/** A position in the order of creation: `(createdAt, id)`. */
export type PaymentCursor = { createdAt: Date; id: string };

/**
 * Removes order keys from return URLs that earlier releases stored, in one page of payments made before `before`, oldest first.
 * Returns the cursor of the page, or null when there are no more.
 */
export async function eraseOrderKeys(
  db: Db,
  { after, before, limit }: { after: PaymentCursor; before: Date; limit: number },
): Promise<PaymentCursor | null> {
  const isLater = sql`(${payments.createdAt}, ${payments.id}) > (${after.createdAt.toISOString()}::timestamptz, ${after.id})`;
  const page = await db
    .select({ createdAt: payments.createdAt, id: payments.id })
    .from(payments)
    .where(and(isLater, lt(payments.createdAt, before)))
    .orderBy(asc(payments.createdAt), asc(payments.id))
    .limit(limit);
  const ids = page.map(({ id }) => id);
  const withoutKey = sql`jsonb_set(${payments.ask}, '{returnUrl}',
    to_jsonb(regexp_replace(${payments.ask} ->> 'returnUrl', '[?&]key=[^&]*', '')))`;
  if (ids.length > 0)
    await db
      .update(payments)
      .set({ ask: withoutKey })
      .where(and(inArray(payments.id, ids), sql`${payments.ask} ->> 'returnUrl' ~ '[?&]key='`));
  return page.at(-1) ?? null;
}

/* Refunds */

/** Payments created for this provider in a span, including those without an answer. */
export async function createdBetween(db: Db, provider: string, span: { from: Date; till: Date }): Promise<Payment[]> {
  const rows = await db
    .select()
    .from(payments)
    .where(and(eq(payments.provider, provider), gte(payments.createdAt, span.from), lt(payments.createdAt, span.till)));
  return rows.map(toPayment);
}

export async function byProviderIds(db: Db, provider: string, providerIds: string[]): Promise<Payment[]> {
  if (providerIds.length === 0) return [];
  return (
    await db
      .select()
      .from(payments)
      .where(and(eq(payments.provider, provider), inArray(payments.providerId, providerIds)))
  ).map(toPayment);
}

/** Erases the buyer's e-mail and phone from receipts; their lines stay. */
export async function eraseBuyer(tx: Tx, orderId: string): Promise<void> {
  await tx
    .update(payments)
    .set({ ask: sql`jsonb_set(jsonb_set(${payments.ask}, '{receipt,email}', '""'), '{receipt,phone}', '""')` })
    .where(eq(payments.orderId, orderId));
  await tx
    .update(receipts)
    .set({ receipt: sql`${receipts.receipt} || '{"email":"","phone":""}'` })
    .where(eq(receipts.orderId, orderId));
}
