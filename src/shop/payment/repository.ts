import { and, asc, desc, eq, gt, gte, inArray, isNull, lt, lte, ne, notInArray, or, sql, sum } from "drizzle-orm";
import { z } from "zod";
import { batch, pipeline, type Batch, type Db, type Tx } from "#kit/db.ts";
import { kopecks, type Kopecks } from "#kit/money.ts";
import { plus } from "#kit/time.ts";
import { actorText, type Actor } from "#shop/actor.ts";
import type { Notification, Receipt, ReceiptMode } from "./gateway.ts";
import {
  askPause,
  byHand,
  type Payment,
  type PaymentMethodName,
  type PaymentState,
  type Refund,
  type RefundState,
  type WaitingRefund,
} from "./payment.ts";
import type { PartLine } from "./receipts/receipt-part.ts";
import { paymentComparisons, paymentDifferences, paymentEvents, payments, receipts, refunds } from "./tables.ts";

/** What one call to the provider was made of; a repeated call must be the same to the letter. */
export type PaymentAsk = { orderNumber: string; returnUrl: string; receipt: Receipt };

const amount = z.number().int().transform(kopecks);
const receiptLine = z.object({
  title: z.string(),
  quantity: z.number().int(),
  unitPrice: amount,
  vatCode: z.number().int(),
  subject: z.enum(["commodity", "service"]),
});
const partLines = z.array(receiptLine.extend({ line: z.number().int() }));
export const wholeReceipt = z.object({ email: z.string(), phone: z.string(), lines: z.array(receiptLine) });
const paymentAsk = z.object({
  orderNumber: z.string(),
  returnUrl: z.string(),
  receipt: wholeReceipt,
});

type PaymentRow = typeof payments.$inferSelect;
type RefundRow = typeof refunds.$inferSelect;

const toPayment = (row: PaymentRow): Payment => ({
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

const toRefund = (row: RefundRow): Refund => ({
  id: row.id,
  paymentId: row.paymentId,
  orderId: row.orderId,
  cause: row.cause,
  amount: kopecks(row.amountKopecks),
  lines: partLines.nullable().parse(row.lines),
  mode: row.mode as ReceiptMode,
  state: row.state as RefundState,
  createdAt: row.createdAt,
  settledAt: row.settledAt,
});

/** Locks the beginning of payments of this order until the transaction ends, so that two tabs see one attempt, and reads its attempts, oldest first. */
export const lockAttemptsBatch = (tx: Tx, orderId: string): Batch<Payment[]> =>
  batch(
    [tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${`payment:${orderId}`}, 0))`), selectOfOrders(tx, [orderId])],
    ([, found]) => found.map(toPayment),
  );

export async function lockAttempts(tx: Tx, orderId: string): Promise<Payment[]> {
  const [found] = await pipeline([lockAttemptsBatch(tx, orderId)]);
  return found;
}

const selectOfOrders = (db: Db, orderIds: string[]) =>
  db.select().from(payments).where(inArray(payments.orderId, orderIds)).orderBy(asc(payments.orderId), asc(payments.attempt));

export async function ofOrders(db: Db, orderIds: string[]): Promise<Payment[]> {
  if (orderIds.length === 0) return [];
  return (await selectOfOrders(db, orderIds)).map(toPayment);
}

export async function refundsOfOrder(db: Db, orderId: string): Promise<Refund[]> {
  return (await db.select().from(refunds).where(eq(refunds.orderId, orderId)).orderBy(asc(refunds.createdAt), asc(refunds.id))).map(
    toRefund,
  );
}

export async function insert(
  tx: Tx,
  payment: Payment,
  keep: { idempotenceKey: string; ask: PaymentAsk; nextCheckAt: Date | null; transferId?: number | null; actor: Actor },
): Promise<void> {
  await tx.insert(payments).values({
    id: payment.id,
    orderId: payment.orderId,
    attempt: payment.attempt,
    method: payment.method,
    amountKopecks: payment.amount,
    state: payment.state,
    idempotenceKey: keep.idempotenceKey,
    ask: keep.ask,
    provider: payment.provider,
    createdAt: payment.createdAt,
    requestedAt: payment.requestedAt,
    settledAt: payment.settledAt,
    nextCheckAt: keep.nextCheckAt,
    transferId: keep.transferId ?? null,
    actor: actorText(keep.actor),
  });
}

/** The attempt with what it was asked with. */
export async function withAsk(db: Db, id: string): Promise<{ payment: Payment; idempotenceKey: string; ask: PaymentAsk } | null> {
  const [row] = await db.select().from(payments).where(eq(payments.id, id));
  return row ? { payment: toPayment(row), idempotenceKey: row.idempotenceKey, ask: paymentAsk.parse(row.ask) } : null;
}

export async function byId(db: Db, id: string): Promise<Payment | null> {
  const [row] = await db.select().from(payments).where(eq(payments.id, id));
  return row ? toPayment(row) : null;
}

export async function lock(tx: Tx, id: string): Promise<Payment | null> {
  const [row] = await tx.select().from(payments).where(eq(payments.id, id)).for("update");
  return row ? toPayment(row) : null;
}

/** Locks a payment and reads the webhooks about the provider's object that nobody has judged yet, received until `until`. One round trip. */
export async function lockWithEvents(
  tx: Tx,
  id: string,
  objectId: string,
  until: Date,
): Promise<{ payment: Payment | null; claims: OpenEvent[] }> {
  const row = tx.select().from(payments).where(eq(payments.id, id)).for("update");
  const [[found], claims] = await pipeline([row, selectOpenEvents(tx, objectId, until)]);
  return { payment: found ? toPayment(found) : null, claims };
}

/** The order's attempts, held, in the order of their ids: everybody locks them alike. */
export async function lockOfOrder(tx: Tx, orderId: string): Promise<Payment[]> {
  const rows = await tx.select().from(payments).where(eq(payments.orderId, orderId)).orderBy(asc(payments.id)).for("update");
  return rows.map(toPayment).toSorted((a, b) => a.attempt - b.attempt);
}

/** Says that the provider is being asked for the link now, before it is. */
export async function markRequested(db: Db, id: string, at: Date, nextCheckAt: Date | null): Promise<void> {
  await db
    .update(payments)
    .set({ requestedAt: at, nextCheckAt })
    .where(and(eq(payments.id, id), eq(payments.state, "new")));
}

/** Takes the right to ask the provider about this payment while it is open; null when somebody asked less than `pause` milliseconds ago, or there is nothing to ask. */
export async function claimAsking(db: Db, id: string, now: Date, pause: number): Promise<Payment | null> {
  const [claimed] = await db
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
  return claimed ? toPayment(claimed) : null;
}

/**
 * Lets an unsettled payment be asked about as soon as the pause allows. Tells when that moved it nearer, and whether it is now:
 * of ten thousand webhooks one changes a row.
 */
export async function hurry(tx: Tx, id: string, now: Date): Promise<"now" | "soon" | "already"> {
  // The parameter needs its type spelled out: inside greatest() PostgreSQL cannot infer it.
  const earliest = sql`greatest(${now.toISOString()}::timestamptz, ${payments.askedAt} + ${`${askPause} milliseconds`}::interval)`;
  const [row] = await tx
    .update(payments)
    .set({ nextCheckAt: sql`${earliest}` })
    // What was due before the last question belongs to that question, which may be on its way still.
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

/** What the provider said, written down. Absent fields stay. */
export type Told = {
  state?: PaymentState;
  providerId?: string | null;
  confirmationUrl?: string | null;
  cancellationReason?: string | null;
  settledAt?: Date | null;
  nextCheckAt?: Date | null;
};
export async function save(tx: Tx, id: string, told: Told): Promise<void> {
  if (Object.keys(told).length > 0) await tx.update(payments).set(told).where(eq(payments.id, id));
}

/**
 * The next question by the schedule, or sooner when a webhook that came after `askedAt` wants it sooner; and what else the provider said.
 * Absent fields stay.
 */
export async function saveNextCheck(
  tx: Tx,
  id: string,
  scheduled: Date | null,
  askedAt: Date,
  told: Omit<Told, "nextCheckAt"> = {},
): Promise<void> {
  const { nextCheckAt } = payments;
  const onSchedule = sql`${scheduled?.toISOString() ?? null}::timestamptz`;
  const isWantedSooner = sql`${nextCheckAt} > ${askedAt.toISOString()}::timestamptz`;
  await tx
    .update(payments)
    .set({ ...told, nextCheckAt: sql`case when ${isWantedSooner} then least(${nextCheckAt}, ${onSchedule}) else ${onSchedule} end` })
    .where(eq(payments.id, id));
}

export async function saveKept(tx: Tx, id: string, isKept: Payment["isKept"]): Promise<void> {
  await tx.update(payments).set({ isKept, nextCheckAt: null }).where(eq(payments.id, id));
}

/** Takes up to `limit` payments whose time has come, and puts them off to `postponed` so that another process passes them by. */
export async function takeDue(db: Db, now: Date, limit: number, postponed: Date): Promise<Payment[]> {
  const due = db
    .select({ id: payments.id })
    .from(payments)
    .where(lte(payments.nextCheckAt, now))
    .orderBy(payments.nextCheckAt)
    .limit(limit)
    .for("update", { skipLocked: true });
  const rows = await db.update(payments).set({ nextCheckAt: postponed }).where(inArray(payments.id, due)).returning();
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

/** Webhooks about this very object that nobody has judged yet, received until `until`. */
export const openEvents = async (tx: Tx, objectId: string, until: Date): Promise<OpenEvent[]> => selectOpenEvents(tx, objectId, until);

type OpenEvent = { id: number; status: string };
const selectOpenEvents = (tx: Tx, objectId: string, until: Date) =>
  tx
    .select({ id: paymentEvents.id, status: paymentEvents.status })
    .from(paymentEvents)
    .where(and(eq(paymentEvents.objectId, objectId), isNull(paymentEvents.verdict), lte(paymentEvents.receivedAt, until)));

export async function judgeEvent(tx: Tx, id: number, verdict: "confirmed" | "denied"): Promise<void> {
  await tx.update(paymentEvents).set({ verdict }).where(eq(paymentEvents.id, id));
}

/**
 * Empties the bodies of at most `limit` webhooks after the one with this id, if they came before a moment. The row and its verdict stay.
 * Returns the last id that was looked at, or null when there are no more that old.
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

/** A place in the order of age: `(createdAt, id)`. */
export type PaymentPlace = { createdAt: Date; id: string };

/** Takes order keys out of the return addresses that earlier releases stored, by pages of payments made before a moment, oldest first. Returns the last place. */
export async function eraseOrderKeys(
  db: Db,
  { after, before, limit }: { after: PaymentPlace; before: Date; limit: number },
): Promise<PaymentPlace | null> {
  const isLater = sql`(${payments.createdAt}, ${payments.id}) > (${after.createdAt.toISOString()}::timestamptz, ${after.id})`;
  const page = await db
    .select({ createdAt: payments.createdAt, id: payments.id })
    .from(payments)
    .where(and(isLater, lt(payments.createdAt, before)))
    .orderBy(asc(payments.createdAt), asc(payments.id))
    .limit(limit);
  const ids = page.map(({ id }) => id);
  const withoutKey = sql`jsonb_set(${payments.ask}, '{returnUrl}', to_jsonb(regexp_replace(${payments.ask} ->> 'returnUrl', '[?&]key=[^&]*', '')))`;
  if (ids.length > 0)
    await db
      .update(payments)
      .set({ ask: withoutKey })
      .where(and(inArray(payments.id, ids), sql`${payments.ask} ->> 'returnUrl' ~ '[?&]key='`));
  return page.at(-1) ?? null;
}

/* Refunds */

/** Refunds of one payment, oldest first. */
export async function refundsOfPayment(db: Db, paymentId: string): Promise<Refund[]> {
  return (await db.select().from(refunds).where(eq(refunds.paymentId, paymentId)).orderBy(asc(refunds.createdAt), asc(refunds.id))).map(
    toRefund,
  );
}

/** What is already on its way back or back, kopecks; refunds that failed do not count. Lock the payment first. */
export async function owedBack(tx: Tx, paymentId: string): Promise<Kopecks> {
  const [row] = await tx
    .select({ total: sum(refunds.amountKopecks) })
    .from(refunds)
    .where(and(eq(refunds.paymentId, paymentId), ne(refunds.state, "canceled")));
  return kopecks(Number(row?.total ?? 0));
}

/** False when this cause has its refund already. */
export async function insertRefund(
  tx: Tx,
  refund: Refund & { idempotenceKey: string; nextCheckAt: Date | null; actor: Actor },
): Promise<boolean> {
  const inserted = await tx
    .insert(refunds)
    .values({
      id: refund.id,
      paymentId: refund.paymentId,
      orderId: refund.orderId,
      cause: refund.cause,
      amountKopecks: refund.amount,
      state: refund.state,
      idempotenceKey: refund.idempotenceKey,
      lines: refund.lines,
      mode: refund.mode,
      createdAt: refund.createdAt,
      nextCheckAt: refund.nextCheckAt,
      unansweredSince: refund.nextCheckAt,
      actor: actorText(refund.actor),
    })
    .onConflictDoNothing({ target: [refunds.paymentId, refunds.cause] })
    .returning({ id: refunds.id });
  return inserted.length === 1;
}

export type DueRefund = Refund & {
  idempotenceKey: string;
  providerId: string | null;
  requestedAt: Date | null;
  unansweredSince: Date | null;
};
const toDueRefund = (row: RefundRow): DueRefund => ({
  ...toRefund(row),
  idempotenceKey: row.idempotenceKey,
  providerId: row.providerId,
  requestedAt: row.requestedAt,
  unansweredSince: row.unansweredSince,
});

/** Takes one refund for a call to the provider until `postponed`; null when it is settled or somebody else is at it. */
export async function claimRefund(db: Db, id: string, now: Date, postponed: Date): Promise<DueRefund | null> {
  const [row] = await db
    .update(refunds)
    .set({ nextCheckAt: postponed, checks: sql`${refunds.checks} + 1` })
    .where(and(eq(refunds.id, id), inArray(refunds.state, ["new", "pending"]), lte(refunds.nextCheckAt, now)))
    .returning();
  return row ? toDueRefund(row) : null;
}

export async function dueRefundIds(db: Db, now: Date, limit: number): Promise<string[]> {
  const rows = await db
    .select({ id: refunds.id })
    .from(refunds)
    .where(lte(refunds.nextCheckAt, now))
    .orderBy(refunds.nextCheckAt)
    .limit(limit);
  return rows.map((each) => each.id);
}

export async function markRefundRequested(db: Db, id: string, at: Date): Promise<void> {
  await db
    .update(refunds)
    .set({ requestedAt: at })
    .where(and(eq(refunds.id, id), isNull(refunds.requestedAt)));
}

export async function lockRefund(tx: Tx, id: string): Promise<DueRefund | null> {
  const [row] = await tx.select().from(refunds).where(eq(refunds.id, id)).for("update");
  return row ? toDueRefund(row) : null;
}

/** Those of the provider's refunds that are known here, by the provider's id. */
export async function refundsByProviderIds(db: Db, providerIds: readonly string[]): Promise<Map<string, Refund>> {
  if (providerIds.length === 0) return new Map();
  const rows = await db
    .select()
    .from(refunds)
    .where(inArray(refunds.providerId, [...providerIds]));
  return new Map(rows.map((row) => [row.providerId ?? "", toRefund(row)]));
}

export async function refundByKey(db: Db, idempotenceKey: string): Promise<DueRefund | null> {
  const [row] = await db.select().from(refunds).where(eq(refunds.idempotenceKey, idempotenceKey));
  return row ? toDueRefund(row) : null;
}

/** Refunds at this provider that were made or settled in a span. */
export async function refundsBetween(
  db: Db,
  provider: string,
  span: { from: Date; till: Date },
): Promise<(Refund & { providerId: string | null })[]> {
  const within = (at: typeof refunds.createdAt | typeof refunds.settledAt) => and(gte(at, span.from), lt(at, span.till));
  const rows = await db
    .select({ refund: refunds })
    .from(refunds)
    .innerJoin(payments, eq(payments.id, refunds.paymentId))
    .where(and(eq(payments.provider, provider), or(within(refunds.createdAt), within(refunds.settledAt))));
  return rows.map(({ refund }) => ({ ...toRefund(refund), providerId: refund.providerId }));
}

/** The next check of a refund about which the provider gave no answer that could be used. */
export async function putRefundOff(db: Db, id: string, { nextCheckAt, now }: { nextCheckAt: Date; now: Date }): Promise<void> {
  await db
    .update(refunds)
    .set({ nextCheckAt, unansweredSince: sql`coalesce(${refunds.unansweredSince}, ${now.toISOString()}::timestamptz)` })
    .where(and(eq(refunds.id, id), inArray(refunds.state, ["new", "pending"])));
}

const isStuck = (before: Date) => and(inArray(refunds.state, ["new", "pending"]), lte(refunds.unansweredSince, before));

/** Takes refunds that have been without an answer since `before` and were not told of since `again`; each is marked as told of. */
export async function takeStuckRefunds(
  db: Db,
  { now, before, again, limit }: { now: Date; before: Date; again: Date; limit: number },
): Promise<DueRefund[]> {
  const due = db
    .select({ id: refunds.id })
    .from(refunds)
    .where(and(isStuck(before), or(isNull(refunds.alarmedAt), lte(refunds.alarmedAt, again))))
    .orderBy(refunds.unansweredSince)
    .limit(limit)
    .for("update", { skipLocked: true });
  const rows = await db.update(refunds).set({ alarmedAt: now }).where(inArray(refunds.id, due)).returning();
  return rows.map(toDueRefund);
}

/** Refunds that wait for a person, oldest first: stuck since `before`, turned down for good, or to be sent by hand. */
export async function waitingRefunds(db: Db, before: Date): Promise<WaitingRefund[]> {
  const rows = await db
    .select({ refund: refunds, provider: payments.provider })
    .from(refunds)
    .innerJoin(payments, eq(payments.id, refunds.paymentId))
    .where(or(isStuck(before), eq(refunds.state, "canceled"), and(eq(payments.provider, byHand), eq(refunds.state, "pending"))))
    .orderBy(asc(refunds.createdAt), asc(refunds.id));
  return rows.map(({ refund, provider }) => ({
    why: refund.state === "canceled" ? "refused" : provider === byHand ? "by_hand" : "stuck",
    id: refund.id,
    orderId: refund.orderId,
    amount: kopecks(refund.amountKopecks),
    cause: refund.cause,
    createdAt: refund.createdAt,
    unansweredSince: refund.unansweredSince,
  }));
}

export async function refundByProviderId(db: Db, providerId: string): Promise<Refund | null> {
  const [row] = await db.select().from(refunds).where(eq(refunds.providerId, providerId));
  return row ? toRefund(row) : null;
}

export async function refundById(db: Db, id: string): Promise<DueRefund | null> {
  const [row] = await db.select().from(refunds).where(eq(refunds.id, id));
  return row ? toDueRefund(row) : null;
}

export async function refundsByHand(tx: Tx, orderId: string): Promise<Refund[]> {
  const rows = await tx
    .select()
    .from(refunds)
    .where(and(eq(refunds.orderId, orderId), eq(refunds.state, "pending"), isNull(refunds.providerId), isNull(refunds.nextCheckAt)))
    .for("update");
  return rows.map(toRefund);
}

export async function hurryRefund(tx: Tx, id: string, at: Date): Promise<void> {
  await tx
    .update(refunds)
    .set({ nextCheckAt: at })
    .where(and(eq(refunds.id, id), gt(refunds.nextCheckAt, at), eq(refunds.state, "pending")));
}

export type RefundTold = {
  state: RefundState;
  providerId?: string | null;
  settledAt?: Date | null;
  nextCheckAt: Date | null;
  idempotenceKey?: string;
  requestedAt?: Date | null;
  lines?: PartLine[];
  actor?: string;
  unansweredSince?: Date | null;
  alarmedAt?: Date | null;
};
export async function saveRefund(tx: Tx, id: string, told: RefundTold): Promise<void> {
  await tx.update(refunds).set(told).where(eq(refunds.id, id));
}

export async function addRefunded(tx: Tx, paymentId: string, back: Kopecks): Promise<void> {
  await tx
    .update(payments)
    .set({ refundedKopecks: sql`${payments.refundedKopecks} + ${back}` })
    .where(eq(payments.id, paymentId));
}

/** Whether money of this payment is on its way back: the provider may know of it before we do. */
export async function hasOpenRefund(db: Db, paymentId: string): Promise<boolean> {
  const [row] = await db
    .select({ id: refunds.id })
    .from(refunds)
    .where(and(eq(refunds.paymentId, paymentId), inArray(refunds.state, ["new", "pending"])))
    .limit(1);
  return row !== undefined;
}

/* The daily comparison */

export async function comparedDay(db: Db, day: string): Promise<boolean> {
  const [row] = await db.select({ day: paymentComparisons.day }).from(paymentComparisons).where(eq(paymentComparisons.day, day));
  return row !== undefined;
}

export async function saveComparison(tx: Tx, comparison: { day: string; at: Date; differences: number }): Promise<void> {
  await tx
    .insert(paymentComparisons)
    .values({ day: comparison.day, comparedAt: comparison.at, differences: comparison.differences })
    .onConflictDoNothing();
}

/** Payments made at the provider's in a span, also those whose answer never came. */
export async function madeBetween(db: Db, provider: string, span: { from: Date; till: Date }): Promise<Payment[]> {
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

export type Difference = {
  kind:
    | "unknown_here"
    | "unknown_there"
    | "state"
    | "amount"
    | "refunded"
    | "refund_unknown_here"
    | "refund_unknown_there"
    | "refund_state"
    | "refund_amount";
  provider: string;
  providerId: string;
  paymentId: string | null;
  orderId: string | null;
  ours: string;
  theirs: string;
};

/** Writes a difference down once; false when it already stands in the list. */
export async function insertDifference(tx: Tx, difference: Difference, at: Date): Promise<boolean> {
  const inserted = await tx
    .insert(paymentDifferences)
    .values({ ...difference, foundAt: at })
    .onConflictDoNothing()
    .returning({ id: paymentDifferences.id });
  return inserted.length === 1;
}

export async function differences(db: Db, limit: number): Promise<(Difference & { foundAt: Date })[]> {
  const rows = await db.select().from(paymentDifferences).orderBy(desc(paymentDifferences.id)).limit(limit);
  return rows.map((row) => ({ ...row, kind: row.kind as Difference["kind"] }));
}

/** Receipts keep their lines and lose who they went to. */
export async function forgetBuyer(tx: Tx, orderId: string): Promise<void> {
  await tx
    .update(payments)
    .set({ ask: sql`jsonb_set(jsonb_set(${payments.ask}, '{receipt,email}', '""'), '{receipt,phone}', '""')` })
    .where(eq(payments.orderId, orderId));
  await tx
    .update(receipts)
    .set({ receipt: sql`${receipts.receipt} || '{"email":"","phone":""}'` })
    .where(eq(receipts.orderId, orderId));
}
