import type { Db, Tx } from "#kit/db.ts";
import { randomId } from "#kit/ids.ts";
import { kopecks, subtract, type Kopecks } from "#kit/money.ts";
import { done, type Result } from "#kit/result.ts";
import { actorText } from "#shop/actor.ts";
import type { Ctx } from "#shop/context.ts";
import { byHand, isPartial, type Payment, type PaymentJobs, type Refund, type RefundCause, type RefundError } from "../payment.ts";
import { takeAmount } from "../receipts/receipt-part.ts";
import { createRefundReceipt } from "../receipts/receipts.service.ts";
import * as rows from "../repository.ts";
import * as refundRows from "./refunds.repository.ts";
import { type PartialRefund, planOf, receiptLinesOf, refundMode } from "./refund-plan.service.ts";

/**
 * Refunds everything (or `amount`, kopecks) of this payment that is not refunded yet; a job calls the provider after the commit.
 * One refund per cause and never more than was paid, so it is idempotent. Returns null when nothing was left.
 * An undecided payment becomes `returned`. The caller has locked the order.
 */
export async function refundPayment(tx: Tx, ctx: Ctx, paymentId: string, cause: RefundCause, amount?: Kopecks): Promise<Refund | null> {
  const payment = await rows.lock(tx, paymentId);
  if (payment?.state !== "succeeded") throw new Error(`no money was taken by payment ${paymentId}`);
  if (payment.isKept === "undecided") await rows.saveKept(tx, payment.id, "returned");

  const left = subtract(payment.amount, await refundRows.sumOfRefunds(tx, payment.id));
  const back = kopecks(Math.min(amount ?? left, left));
  if (back <= 0) return null;
  const refund = await createRefund(tx, ctx, payment, {
    cause,
    amount: back,
    lines: takeAmount((await receiptLinesOf(tx, payment.id)).left, back),
  });
  if (!refund) return null;

  if (payment.provider === byHand) ctx.alarm("payment.refund_by_hand", { orderId: payment.orderId, amountKopecks: back });
  if (cause === "second_money") ctx.alarm("payment.second_money", { orderId: payment.orderId, paymentId });
  if (cause === "late_money") ctx.alarm("payment.late_money", { orderId: payment.orderId, paymentId });
  return refund;
}

type NewRefund = Pick<Refund, "cause" | "amount" | "lines"> & { isDropped?: boolean; decidedAt?: Date | undefined };

/** Inserts the refund and enqueues its job; null when this cause has a refund already. The payment is locked and has enough left. */
async function createRefund(
  tx: Tx,
  ctx: Ctx,
  payment: Payment,
  { cause, amount, lines, isDropped = false, decidedAt }: NewRefund,
): Promise<Refund | null> {
  const now = ctx.now();
  const id = randomId();
  const isOnline = payment.provider !== byHand;
  const mode = await refundMode(tx, payment);
  const refund: Refund = {
    id,
    paymentId: payment.id,
    orderId: payment.orderId,
    cause,
    amount,
    lines,
    mode,
    isDropped,
    state: isOnline ? "new" : "pending",
    createdAt: decidedAt ?? now,
    settledAt: null,
  };
  if (
    !(await refundRows.insertRefund(tx, {
      ...refund,
      idempotenceKey: keyOfRefund(id),
      nextCheckAt: isOnline ? now : null,
      actor: ctx.actor,
    }))
  )
    return null;
  if (isOnline) await ctx.enqueue(tx, "payment.refund", { refundId: id } satisfies PaymentJobs["payment.refund"]);
  return refund;
}

/** The idempotence key of a refund; `attempt`: one that staff sends again needs another key than the refused request. */
export const keyOfRefund = (id: string, attempt?: string): string => ["refund", id, ...(attempt === undefined ? [] : [attempt])].join(":");
/** The refund's id in a key of `keyOfRefund`; "" in anything else. */
export const refundIdOfKey = (key: string | null): string => (key?.startsWith("refund:") ? (key.split(":")[1] ?? "") : "");

/**
 * Refunds a part of an order's kept money; together such refunds never exceed what was kept, also when two run at once. A refund by hand
 * counts as paid at once; with `isToBeSent` that of a transfer waits until staff confirms that it was sent. The provider is called by a
 * job. The caller has locked the order. With a `key` it is idempotent: the refunds made with the same key before are returned, and nothing
 * more is refunded. Without one each call makes a new refund. `decidedAt`: when staff decided it, if it waited for the carrier.
 * `isDropped`: the pieces leave the order. Money that came by several transfers goes back as a refund of each, the newest first.
 *
 * Refuses with `payment.refund_too_much`.
 */
export async function refundPartially(
  tx: Tx,
  ctx: Ctx,
  orderId: string,
  { key, isToBeSent = false, isDropped = false, decidedAt, ...part }: PartialRefund & RefundDetails,
): Promise<Result<Refund[], RefundError>> {
  const payments = await rows.lockOfOrder(tx, orderId);
  const known = key === undefined ? [] : await refundsWithKey(tx, orderId, key);
  if (known.length > 0) return done(known);
  const plan = await planOf(tx, payments, part as PartialRefund);
  if (!plan.ok) return plan;

  // The refunds of one decision share their cause.
  const cause: RefundCause = key === undefined ? `staff:${(await refundRows.refundsOfOrder(tx, orderId)).length + 1}` : causeOfKey(key);
  const made: Refund[] = [];
  for (const { payment, amount, lines } of plan.value.shares) {
    const refund = await createRefund(tx, ctx, payment, { cause, amount, lines, isDropped, decidedAt });
    if (!refund) throw new Error(`payment ${payment.id} has two refunds of one number`);
    // Cash at the desk is in the buyer's hand; a transfer has yet to be made.
    if (isToBeSent && payment.method === "invoice") ctx.alarm("payment.refund_by_hand", { orderId, amountKopecks: amount });
    else if (payment.provider === byHand) await settleRefund(tx, ctx, refund);
    made.push(refund);
  }
  return done(made);
}

type RefundDetails = { key?: string; isToBeSent?: boolean; isDropped?: boolean; decidedAt?: Date };

const causeOfKey = (key: string): RefundCause => `staff:key:${key}`;
const refundsWithKey = async (db: Db, orderId: string, key: string): Promise<Refund[]> =>
  (await refundRows.refundsOfOrder(db, orderId)).filter((each) => each.cause === causeOfKey(key));

/** Whether a part of this order was refunded with this key. */
export const isRefundedWithKey = async (db: Db, orderId: string, key: string): Promise<boolean> =>
  (await refundsWithKey(db, orderId, key)).length > 0;

/** Whether refunds of this order wait for staff: refused by the provider, or to be paid by hand. */
export const hasRefundForStaff = (db: Db, orderId: string): Promise<boolean> => refundRows.hasRefundForStaff(db, orderId);

/** The refunds that the actor of the context has decided, or paid by transfer, in a span. Refused refunds do not count. */
export const refundsBy = (ctx: Ctx, since: Date, till: Date | null = null): Promise<refundRows.CountedRefund[]> =>
  refundRows.refundsBy(ctx.db, actorText(ctx.actor), since, till);
/** The sum of one order that staff has decided to refund, or paid by transfer. Refused refunds do not count. */
export const refundedByStaff = (db: Db, orderId: string): Promise<Kopecks> => refundRows.sumOfStaffRefunds(db, orderId);

/**
 * Refunds every succeeded payment of an order. Idempotent. An attempt that is still open and succeeds later is refunded as `late_money`.
 */
export async function refundOrder(tx: Tx, ctx: Ctx, orderId: string, cause: RefundCause): Promise<Refund[]> {
  const refunds: Refund[] = [];
  for (const payment of await rows.lockOfOrder(tx, orderId)) {
    if (payment.state !== "succeeded") continue;
    const refund = await refundPayment(tx, ctx, payment.id, cause);
    if (refund) refunds.push(refund);
  }
  return refunds;
}

/**
 * Settles the order's refunds by hand, once staff has sent the money back; `only`: this one. Idempotent. A refund stays that of the clerk
 * who decided it, whose day it counts towards; the history and the audit name who sent it.
 */
export async function confirmRefundsByHand(tx: Tx, ctx: Ctx, orderId: string, only?: string): Promise<Refund[]> {
  await rows.lockOfOrder(tx, orderId);
  const waiting = (await refundRows.refundsByHand(tx, orderId)).filter((each) => only === undefined || each.id === only);
  for (const refund of waiting) {
    await refundRows.saveRefund(tx, refund.id, { state: refund.state, nextCheckAt: null });
    await settleRefund(tx, ctx, refund);
  }
  return waiting;
}

/** A refund; null: none with this id. */
export const findRefund = (db: Db, id: string): Promise<Refund | null> => refundRows.refundById(db, id);

/** The refunds of a sum or of pieces that staff decided for these orders. Refused ones are left out. */
export const partialRefunds = async (db: Db, orderIds: readonly string[]): Promise<Refund[]> =>
  (await refundRows.refundsOfOrders(db, orderIds)).filter((each) => isPartial(each) && each.state !== "canceled");

/**
 * Marks a refund as succeeded, adds its sum to the payment, makes its receipt and announces it by a job. `changes`: what is stored with it.
 * `isByTransfer`: the provider did not make it, and prints no receipt of it. The caller has locked the payment.
 */
export async function settleRefund(
  tx: Tx,
  ctx: Ctx,
  refund: Refund,
  { changes = {}, isByTransfer = false }: { changes?: Partial<refundRows.RefundChanges>; isByTransfer?: boolean } = {},
): Promise<void> {
  const settled = { state: "succeeded" as const, settledAt: ctx.now(), nextCheckAt: null, unansweredSince: null };
  await refundRows.saveRefund(tx, refund.id, { ...changes, ...settled });
  await refundRows.addRefunded(tx, refund.paymentId, refund.amount);
  await createRefundReceipt(tx, ctx, refund, { isByTransfer });
  const job = {
    orderId: refund.orderId,
    paymentId: refund.paymentId,
    refundId: refund.id,
    amountKopecks: refund.amount,
  } satisfies PaymentJobs["payment.refunded"];
  await ctx.enqueue(tx, "payment.refunded", job);
}
