import { and, asc, eq, gt, gte, inArray, isNotNull, isNull, like, lt, lte, ne, or, sql, sum, type SQL } from "drizzle-orm";
import { hasRow, type Db, type Expression, type Tx } from "#kit/db.ts";
import { kopecks, type Kopecks } from "#kit/money.ts";
import { actorText, type Actor } from "#shop/actor.ts";
import type { ReceiptMode } from "../gateway.ts";
import { amountStillOwed, byHand, partialCausePrefix, type Refund, type RefundState, type WaitingRefund } from "../payment.ts";
import type { PartLine } from "../receipts/receipt-part.ts";
import { payments, refunds, refundTransfers } from "../tables.ts";
import { partLines } from "../repository.ts";

type RefundRow = typeof refunds.$inferSelect;

export const toRefund = (row: RefundRow): Refund => ({
  id: row.id,
  paymentId: row.paymentId,
  orderId: row.orderId,
  cause: row.cause,
  amount: kopecks(row.amountKopecks),
  lines: partLines.nullable().parse(row.lines),
  mode: row.mode as ReceiptMode,
  isDropped: row.isDropped,
  state: row.state as RefundState,
  createdAt: row.createdAt,
  settledAt: row.settledAt,
});

export async function refundsOfOrder(db: Db, orderId: string): Promise<Refund[]> {
  return (await db.select().from(refunds).where(eq(refunds.orderId, orderId)).orderBy(asc(refunds.createdAt), asc(refunds.id))).map(
    toRefund,
  );
}

/** Refunds of these orders, oldest first. */
export async function refundsOfOrders(db: Db, orderIds: readonly string[]): Promise<Refund[]> {
  if (orderIds.length === 0) return [];
  const found = await db
    .select()
    .from(refunds)
    .where(inArray(refunds.orderId, [...orderIds]))
    .orderBy(asc(refunds.createdAt), asc(refunds.id));
  return found.map(toRefund);
}

/** Refunds of one payment, oldest first. */
export async function refundsOfPayment(db: Db, paymentId: string): Promise<Refund[]> {
  return (await db.select().from(refunds).where(eq(refunds.paymentId, paymentId)).orderBy(asc(refunds.createdAt), asc(refunds.id))).map(
    toRefund,
  );
}

/** The sum of refunds that are pending or succeeded, kopecks. Lock the payment first. */
export async function sumOfRefunds(tx: Tx, paymentId: string): Promise<Kopecks> {
  const [row] = await tx
    .select({ total: sum(refunds.amountKopecks) })
    .from(refunds)
    .where(and(eq(refunds.paymentId, paymentId), ne(refunds.state, "canceled")));
  return kopecks(Number(row?.total ?? 0));
}

export type CountedRefund = Pick<Refund, "id" | "orderId" | "cause" | "amount"> & { isByTransfer: boolean };

/** The refunds that this actor has decided, or paid by transfer, in a span, each once, without refused ones. `till` null: no end. */
export async function refundsBy(db: Db, actor: string, since: Date, till: Date | null): Promise<CountedRefund[]> {
  const within = (at: typeof refunds.createdAt | typeof refundTransfers.recordedAt) =>
    and(gte(at, since), till === null ? undefined : lt(at, till));
  const { id, orderId, cause, amountKopecks } = refunds;
  const decided = await db
    .select({ id, orderId, cause, amountKopecks })
    .from(refunds)
    .where(and(eq(refunds.actor, actor), within(refunds.createdAt), ne(refunds.state, "canceled")));
  const paid = await db
    .select({ id, orderId, cause, amountKopecks })
    .from(refundTransfers)
    .innerJoin(refunds, eq(refunds.id, refundTransfers.refundId))
    .where(and(eq(refundTransfers.actor, actor), within(refundTransfers.recordedAt)));
  const isPaid = new Set(paid.map((each) => each.id));
  return [
    ...decided.filter((each) => !isPaid.has(each.id)).map((each) => ({ ...each, isByTransfer: false })),
    ...paid.map((each) => ({ ...each, isByTransfer: true })),
  ].map(({ amountKopecks: amount, ...refund }) => ({ ...refund, amount: kopecks(amount) }));
}

/** The sum of the refunds of an order that staff decided or paid by transfer, without refused ones. */
export async function sumOfStaffRefunds(db: Db, orderId: string): Promise<Kopecks> {
  const isByStaff = or(like(refunds.cause, "staff%"), isNotNull(refundTransfers.refundId));
  const [row] = await db
    .select({ total: sum(refunds.amountKopecks) })
    .from(refunds)
    .leftJoin(refundTransfers, eq(refundTransfers.refundId, refunds.id))
    .where(and(eq(refunds.orderId, orderId), isByStaff, ne(refunds.state, "canceled")));
  return kopecks(Number(row?.total ?? 0));
}

/** Inserts a refund; false when the payment already has one with this cause. */
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
      isDropped: refund.isDropped,
      createdAt: refund.createdAt,
      nextCheckAt: refund.nextCheckAt,
      unansweredSince: refund.nextCheckAt,
      actor: actorText(refund.actor),
    })
    .onConflictDoNothing({ target: [refunds.paymentId, refunds.cause] })
    .returning({ id: refunds.id });
  return inserted.length === 1;
}

export type StoredRefund = Refund & {
  idempotenceKey: string;
  providerId: string | null;
  requestedAt: Date | null;
  unansweredSince: Date | null;
  nextCheckAt: Date | null;
};

const toStoredRefund = (row: RefundRow): StoredRefund => ({
  ...toRefund(row),
  idempotenceKey: row.idempotenceKey,
  providerId: row.providerId,
  requestedAt: row.requestedAt,
  unansweredSince: row.unansweredSince,
  nextCheckAt: row.nextCheckAt,
});

/** Claims one refund for a call to the provider until `postponed`; null when it is settled or another process has claimed it. */
export async function claimRefund(db: Db, id: string, now: Date, postponed: Date): Promise<StoredRefund | null> {
  const [row] = await db
    .update(refunds)
    .set({ nextCheckAt: postponed, checks: sql`${refunds.checks} + 1` })
    .where(and(eq(refunds.id, id), inArray(refunds.state, ["new", "pending"]), lte(refunds.nextCheckAt, now)))
    .returning();
  return row ? toStoredRefund(row) : null;
}

export const hasDueRefund = (now: Date): Expression => hasRow(refunds, lte(refunds.nextCheckAt, now));

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

export async function lockRefund(tx: Tx, id: string): Promise<StoredRefund | null> {
  const [row] = await tx.select().from(refunds).where(eq(refunds.id, id)).for("update");
  return row ? toStoredRefund(row) : null;
}

/** The stored refunds with these provider ids, by that id. */
export async function refundsByProviderIds(db: Db, providerIds: readonly string[]): Promise<Map<string, Refund>> {
  if (providerIds.length === 0) return new Map();
  const rows = await db
    .select()
    .from(refunds)
    .where(inArray(refunds.providerId, [...providerIds]));
  return new Map(rows.map((row) => [row.providerId ?? "", toRefund(row)]));
}

export async function refundByKey(db: Db, idempotenceKey: string): Promise<StoredRefund | null> {
  const [row] = await db.select().from(refunds).where(eq(refunds.idempotenceKey, idempotenceKey));
  return row ? toStoredRefund(row) : null;
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

/** Saves the next check of a refund for which the provider gave no usable answer. */
export async function postponeRefund(db: Db, id: string, { nextCheckAt, now }: { nextCheckAt: Date; now: Date }): Promise<void> {
  await db
    .update(refunds)
    .set({ nextCheckAt, unansweredSince: sql`coalesce(${refunds.unansweredSince}, ${now.toISOString()}::timestamptz)` })
    .where(and(eq(refunds.id, id), inArray(refunds.state, ["new", "pending"])));
}

export const isStuck = (before: Date) => and(inArray(refunds.state, ["new", "pending"]), lte(refunds.unansweredSince, before));

/** Claims refunds without an answer since `before` and without an alarm since `again`, and stores the time of their alarm. */
export async function claimStuckRefunds(
  db: Db,
  { now, before, again, limit }: { now: Date; before: Date; again: Date; limit: number },
): Promise<StoredRefund[]> {
  const due = db
    .select({ id: refunds.id })
    .from(refunds)
    .where(and(isStuck(before), or(isNull(refunds.alarmedAt), lte(refunds.alarmedAt, again))))
    .orderBy(refunds.unansweredSince)
    .limit(limit)
    .for("update", { skipLocked: true });
  const rows = await db.update(refunds).set({ alarmedAt: now }).where(inArray(refunds.id, due)).returning();
  return rows.map(toStoredRefund);
}

/** What of a refund's payment is not refunded, and not about to be. */
export const leftOfPayment = sql<string>`(select paid.amount_kopecks from payments paid where paid.id = ${refunds.paymentId})
  - (select coalesce(sum(other.amount_kopecks), 0) from refunds other
      where other.payment_id = ${refunds.paymentId} and other.state <> 'canceled')`;

/** The line of the payment's receipt that an element of a refund's lines names, and whether the element names whole pieces of it. */
const receiptLineOf = (part: SQL): SQL =>
  sql`(select paid.ask -> 'receipt' -> 'lines' from payments paid where paid.id = ${refunds.paymentId}) -> (${part} ->> 'line')::int`;

const isOfPieces = sql`part ->> 'unitPrice' = ${receiptLineOf(sql`part`)} ->> 'unitPrice'`;

const kopecksOf = (line: SQL): SQL => sql`(${line} ->> 'unitPrice')::bigint * (${line} ->> 'quantity')::bigint`;

/**
 * A part by pieces of which other refunds by pieces have left too few: staff has repeated it as a new refund. Shares that a refund of a
 * sum took of the lines do not count, because it may be for something else.
 */
const arePiecesGone = sql`(${refunds.cause} like ${`${partialCausePrefix}%`}
  and not exists (select from jsonb_array_elements(${refunds.lines}) part where not coalesce(${isOfPieces}, false))
  and exists (
    select from jsonb_array_elements(${refunds.lines}) own
    where ${kopecksOf(sql`own`)} + (
      select coalesce(sum(${kopecksOf(sql`part`)}), 0) from refunds other cross join lateral jsonb_array_elements(other.lines) part
      where other.payment_id = ${refunds.paymentId} and other.state <> 'canceled' and part ->> 'line' = own ->> 'line' and ${isOfPieces}
    ) > ${kopecksOf(sql`(${receiptLineOf(sql`own`)})`)}))`;

/**
 * Refused finally, and still to be made: one whose money or pieces went back another way meanwhile could not be sent again
 * (`retryRefunds`), so it would wait for ever. A part needs its whole sum.
 */
export const isRefused = and(
  eq(refunds.state, "canceled"),
  sql`${leftOfPayment} >= case when ${refunds.cause} like ${`${partialCausePrefix}%`} then ${refunds.amountKopecks} else 1 end`,
  sql`not ${arePiecesGone}`,
);

/** A refused refund that is still to be made: what of it, and who decided it when. */
export type OwedRefund = { id: string; amount: Kopecks; actor: string | null; decidedAt: Date };

/** An order's refused refunds that are still to be made; one whose money went back another way is not. */
export async function owedOfOrder(db: Db, orderId: string): Promise<OwedRefund[]> {
  const rows = await db
    .select({ refund: refunds, provider: payments.provider, left: leftOfPayment })
    .from(refunds)
    .innerJoin(payments, eq(payments.id, refunds.paymentId))
    .where(and(eq(refunds.orderId, orderId), isRefused));
  return rows.map((row) => {
    const { id, amount, createdAt: decidedAt } = toWaitingRefund(row);
    return { id, amount, actor: row.refund.actor, decidedAt };
  });
}

/** Refunds that wait for staff, oldest first: stuck since `before`, refused finally, or to be paid by hand. */
export async function waitingRefunds(db: Db, before: Date): Promise<WaitingRefund[]> {
  const rows = await db
    .select({ refund: refunds, provider: payments.provider, left: leftOfPayment })
    .from(refunds)
    .innerJoin(payments, eq(payments.id, refunds.paymentId))
    .where(or(isStuck(before), isRefused, and(eq(payments.provider, byHand), eq(refunds.state, "pending"))))
    .orderBy(asc(refunds.createdAt), asc(refunds.id));
  return rows.map(toWaitingRefund);
}

/** Of a refused refund the sum that is still to be made. */
export function toWaitingRefund({ refund, provider, left }: { refund: RefundRow; provider: string; left: string }): WaitingRefund {
  const { id, orderId, cause, createdAt, unansweredSince } = refund;
  const amount = kopecks(refund.amountKopecks);
  const isRefusedNow = refund.state === "canceled";
  return {
    why: isRefusedNow ? "refused" : provider === byHand ? "by_hand" : "stuck",
    id,
    orderId,
    amount: (isRefusedNow && amountStillOwed({ cause, amount }, kopecks(Number(left)))) || amount,
    cause,
    createdAt,
    unansweredSince,
  };
}

export async function refundByProviderId(db: Db, providerId: string): Promise<Refund | null> {
  const [row] = await db.select().from(refunds).where(eq(refunds.providerId, providerId));
  return row ? toRefund(row) : null;
}

export async function refundById(db: Db, id: string): Promise<StoredRefund | null> {
  const [row] = await db.select().from(refunds).where(eq(refunds.id, id));
  return row ? toStoredRefund(row) : null;
}

export async function refundsByHand(tx: Tx, orderId: string): Promise<Refund[]> {
  const rows = await tx
    .select()
    .from(refunds)
    .where(and(eq(refunds.orderId, orderId), eq(refunds.state, "pending"), isNull(refunds.providerId), isNull(refunds.nextCheckAt)))
    .for("update");
  return rows.map(toRefund);
}

/** Whether refunds of an order were refused finally, or are to be paid by hand. */
export async function hasRefundForStaff(db: Db, orderId: string): Promise<boolean> {
  const isByHand = and(eq(refunds.state, "pending"), isNull(refunds.providerId), isNull(refunds.nextCheckAt));
  const found = await db
    .select({ id: refunds.id })
    .from(refunds)
    .where(and(eq(refunds.orderId, orderId), or(isRefused, isByHand)))
    .limit(1);
  return found.length > 0;
}

export async function checkRefundSoon(tx: Tx, id: string, at: Date): Promise<void> {
  await tx
    .update(refunds)
    .set({ nextCheckAt: at })
    .where(and(eq(refunds.id, id), gt(refunds.nextCheckAt, at), eq(refunds.state, "pending")));
}

/** Makes a refund without an answer since `before` due now; false when it is none. */
export async function checkStuckRefund(tx: Tx, id: string, { now, before }: { now: Date; before: Date }): Promise<boolean> {
  const due = await tx
    .update(refunds)
    .set({ nextCheckAt: now })
    .where(and(eq(refunds.id, id), isStuck(before)))
    .returning({ id: refunds.id });
  return due.length > 0;
}

export type RefundChanges = {
  state: RefundState;
  amountKopecks?: Kopecks;
  providerId?: string | null;
  settledAt?: Date | null;
  nextCheckAt: Date | null;
  idempotenceKey?: string;
  requestedAt?: Date | null;
  lines?: PartLine[];
  mode?: ReceiptMode;
  unansweredSince?: Date | null;
  alarmedAt?: Date | null;
};

export async function saveRefund(tx: Tx, id: string, changes: RefundChanges): Promise<void> {
  await tx.update(refunds).set(changes).where(eq(refunds.id, id));
}

export async function addRefunded(tx: Tx, paymentId: string, back: Kopecks): Promise<void> {
  await tx
    .update(payments)
    .set({ refundedKopecks: sql`${payments.refundedKopecks} + ${back}` })
    .where(eq(payments.id, paymentId));
}

/** Whether this payment has an unsettled refund: the provider may have settled it before we know. */
export async function hasOpenRefund(db: Db, paymentId: string): Promise<boolean> {
  const [row] = await db
    .select({ id: refunds.id })
    .from(refunds)
    .where(and(eq(refunds.paymentId, paymentId), inArray(refunds.state, ["new", "pending"])))
    .limit(1);
  return row !== undefined;
}

/* The daily comparison */
