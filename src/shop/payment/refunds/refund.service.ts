import { inTransaction, type Db, type Expression, type Tx } from "#kit/db.ts";
import { randomId } from "#kit/ids.ts";
import { add, kopecks, subtract, type Kopecks } from "#kit/money.ts";
import { faultFields } from "#kit/network/outbound.ts";
import { done, fail, type Result } from "#kit/result.ts";
import { hours, minutes, plus, seconds } from "#kit/time.ts";
import { step } from "#kit/transitions.ts";
import { actorText } from "#shop/actor.ts";
import type { Ctx } from "#shop/context.ts";
import { withReceiptMode } from "#shop/tax.ts";
import { batchSize, judgeWebhooks, roundsPerSweep } from "../status.service.ts";
import { PaymentRefused, type ProviderRefund, type ReceiptLine, type ReceiptMode } from "../gateway.ts";
import {
  byHand,
  idempotenceKeyLifetime,
  isPartial,
  nextRefundCheckAfter,
  refundStates,
  type Payment,
  type PaymentJobs,
  type PaymentOrder,
  type Refund,
  type RefundCause,
  type RefundError,
  type RefundTransferError,
  type WaitingRefund,
} from "../payment.ts";
import {
  asLines,
  leftOf,
  sumOf,
  takeAgain,
  takeAmount,
  takePieces,
  takePiecesOfShares,
  type PartLine,
  type PricedLine,
} from "../receipts/receipt-part.ts";
import { createRefundReceipt } from "../receipts/receipts.service.ts";
import { hasHandover } from "../receipts/receipts.repository.ts";
import * as rows from "../repository.ts";

/** How long a claimed refund belongs to one process; longer than one call to the provider may take. */
const claimLease = seconds(30);

/**
 * Refunds everything (or `amount`, kopecks) of this payment that is not refunded yet; a job calls the provider after the commit.
 * One refund per cause and never more than was paid, so it is idempotent. Returns null when nothing was left.
 * An undecided payment becomes `returned`. The caller has locked the order.
 */
export async function refundPayment(tx: Tx, ctx: Ctx, paymentId: string, cause: RefundCause, amount?: Kopecks): Promise<Refund | null> {
  const payment = await rows.lock(tx, paymentId);
  if (payment?.state !== "succeeded") throw new Error(`no money was taken by payment ${paymentId}`);
  if (payment.isKept === "undecided") await rows.saveKept(tx, payment.id, "returned");

  const left = subtract(payment.amount, await rows.sumOfRefunds(tx, payment.id));
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
  if (!(await rows.insertRefund(tx, { ...refund, idempotenceKey: keyOfRefund(id), nextCheckAt: isOnline ? now : null, actor: ctx.actor })))
    return null;
  if (isOnline) await ctx.enqueue(tx, "payment.refund", { refundId: id } satisfies PaymentJobs["payment.refund"]);
  return refund;
}

/** The idempotence key of a refund; `attempt` tells one that staff sends again from the request that was refused. */
const keyOfRefund = (id: string, attempt?: string): string => ["refund", id, ...(attempt === undefined ? [] : [attempt])].join(":");
/** The refund's id in a key of `keyOfRefund`; "" in anything else. */
const refundIdOfKey = (key: string | null): string => (key?.startsWith("refund:") ? (key.split(":")[1] ?? "") : "");

/** What the receipt of a refund says: a returned sale after the hand-over, a returned prepayment before it. */
async function refundMode(db: Db, payment: Payment): Promise<ReceiptMode> {
  const isSold = payment.isKept === "kept" && (payment.method === "on_collection" || (await hasHandover(db, payment.orderId)));
  return isSold ? "full_payment" : "full_prepayment";
}

/** The lines of a payment's receipt, and what of them is not refunded. */
async function receiptLinesOf(tx: Tx, paymentId: string): Promise<{ whole: ReceiptLine[]; left: PartLine[] }> {
  const known = await rows.byIdWithRequest(tx, paymentId);
  if (!known) throw new Error(`no payment ${paymentId}`);
  const whole = known.request.receipt.lines;
  const going = (await rows.refundsOfPayment(tx, paymentId)).filter((each) => each.state !== "canceled");
  return {
    whole,
    left: leftOf(
      whole,
      going.flatMap(({ lines, amount }) => lines ?? takeAmount(leftOf(whole, []), amount)),
    ),
  };
}

/** What staff refunds of an order: a sum, or pieces of the lines of its receipt, `whole`. */
export type PartialRefund = { amount: Kopecks } | { pieces: { line: number; quantity: number }[]; whole: readonly PricedLine[] };

/** The share of one payment in a partial refund, with the lines of its receipt. */
export type RefundShare = { payment: Payment; amount: Kopecks; lines: PartLine[]; mode: ReceiptMode };
export type RefundPlan = { left: Kopecks; amount: Kopecks; shares: RefundShare[] };

/**
 * What a partial refund would do, without doing it: how much can still be refunded, and the share of each payment, the newest first.
 * Refuses as `refundPartially` does. Lock the payments first if the plan is to be carried out.
 */
export async function planRefund(db: Db, orderId: string, part: PartialRefund): Promise<Result<RefundPlan, RefundError>> {
  return planOf(db, await rows.ofOrders(db, [orderId]), part);
}

/** How much of an order's kept money can still be refunded. */
export async function leftToRefund(db: Db, orderId: string): Promise<Kopecks> {
  const kept = (await rows.ofOrders(db, [orderId])).filter((each) => each.isKept === "kept");
  const lefts: Kopecks[] = [];
  for (const payment of kept) lefts.push(subtract(payment.amount, await rows.sumOfRefunds(db, payment.id)));
  return add(...lefts);
}

async function planOf(db: Db, payments: readonly Payment[], part: PartialRefund): Promise<Result<RefundPlan, RefundError>> {
  const kept = payments.filter((each) => each.isKept === "kept");
  const lefts: { payment: Payment; left: Kopecks; lines: Awaited<ReturnType<typeof receiptLinesOf>> }[] = [];
  for (const payment of kept) {
    const left = subtract(payment.amount, await rows.sumOfRefunds(db, payment.id));
    lefts.push({ payment, left, lines: await receiptLinesOf(db, payment.id) });
  }
  const left = add(...lefts.map((each) => each.left));
  const tooMuch = fail({ code: "payment.refund_too_much" as const, left });

  const pieces = "pieces" in part ? takePiecesOfOrder(lefts, part) : null;
  if ("pieces" in part && pieces === null) return tooMuch;
  const amount = "pieces" in part ? sumOf((pieces ?? []).flat()) : part.amount;
  if (amount <= 0 || amount > left) return tooMuch;

  const shares: RefundShare[] = [];
  let rest: number = amount;
  for (const [index, { payment, left: most, lines }] of [...lefts.entries()].toReversed()) {
    // The newest payment first.
    const share = pieces ? sumOf(pieces[index] ?? []) : kopecks(Math.min(rest, most));
    if (share <= 0) continue;
    rest -= share;
    shares.push({ payment, amount: share, lines: pieces?.[index] ?? takeAmount(lines.left, share), mode: await refundMode(db, payment) });
  }
  return done({ left, amount, shares });
}

/** The pieces in the receipt of each payment, oldest first; null when they cannot be refunded by the piece. */
function takePiecesOfOrder(
  payments: readonly { lines: Awaited<ReturnType<typeof receiptLinesOf>> }[],
  { pieces, whole }: Extract<PartialRefund, { pieces: unknown }>,
): PartLine[][] | null {
  const receipts = payments.map(({ lines }) => lines);
  const [only] = receipts;
  if (!only || receipts.length > 1) return takePiecesOfShares(whole, receipts, pieces);
  const taken = takePieces(only.whole, only.left, pieces);
  return taken && [taken];
}

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
  const cause: RefundCause = key === undefined ? `staff:${(await rows.refundsOfOrder(tx, orderId)).length + 1}` : causeOfKey(key);
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
  (await rows.refundsOfOrder(db, orderId)).filter((each) => each.cause === causeOfKey(key));

/** Whether a part of this order was refunded with this key. */
export const isRefundedWithKey = async (db: Db, orderId: string, key: string): Promise<boolean> =>
  (await refundsWithKey(db, orderId, key)).length > 0;

/** Whether refunds of this order wait for staff: refused by the provider, or to be paid by hand. */
export const hasRefundForStaff = (db: Db, orderId: string): Promise<boolean> => rows.hasRefundForStaff(db, orderId);

/** The refunds that the actor of the context has decided, or paid by transfer, in a span. Refused refunds do not count. */
export const refundsBy = (ctx: Ctx, since: Date, till: Date | null = null): Promise<rows.CountedRefund[]> =>
  rows.refundsBy(ctx.db, actorText(ctx.actor), since, till);
/** The sum of one order that staff has decided to refund, or paid by transfer. Refused refunds do not count. */
export const refundedByStaff = (db: Db, orderId: string): Promise<Kopecks> => rows.sumOfStaffRefunds(db, orderId);

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
  const waiting = (await rows.refundsByHand(tx, orderId)).filter((each) => only === undefined || each.id === only);
  for (const refund of waiting) {
    await rows.saveRefund(tx, refund.id, { state: refund.state, nextCheckAt: null });
    await settleRefund(tx, ctx, refund);
  }
  return waiting;
}

/**
 * Sends an order's refunds again that the provider refused for good (the shop's balance was too low, the buyer's account is closed),
 * each under a new key; returns their number. A refund of everything is sent with what is left of its payment now, because staff may have
 * refunded a part since; a partial refund keeps its pieces, and is skipped when it no longer fits. `only`: this one. Only staff starts it.
 */
export async function retryRefunds(tx: Tx, ctx: Ctx, orderId: string, only?: string): Promise<number> {
  const attempts = new Map((await rows.lockOfOrder(tx, orderId)).map((each) => [each.id, each]));
  // The largest first: the refund of a whole order covers the partial refunds that were refused before it, not the other way round.
  const failed = (await rows.refundsOfOrder(tx, orderId))
    .filter((each) => each.state === "canceled" && (only === undefined || each.id === only))
    .sort((a, b) => b.amount - a.amount);
  let retried = 0;
  for (const refund of failed) {
    const { id, paymentId } = refund;
    const payment = attempts.get(paymentId);
    const owed = payment && (await stillOwed(tx, payment, refund));
    if (!owed) continue; // refunded another way meanwhile
    await rows.saveRefund(tx, id, {
      state: "new",
      amountKopecks: owed.amount,
      idempotenceKey: keyOfRefund(id, randomId(6)),
      providerId: null,
      requestedAt: null,
      settledAt: null,
      nextCheckAt: ctx.now(),
      unansweredSince: ctx.now(),
      alarmedAt: null,
      lines: owed.lines,
      mode: owed.mode,
    });
    await ctx.enqueue(tx, "payment.refund", { refundId: id } satisfies PaymentJobs["payment.refund"]);
    retried += 1;
  }
  return retried;
}

/** An order's refused refunds that are still to be made; one whose money went back another way is not. */
export const owedOfOrder = (db: Db, orderId: string): Promise<rows.OwedRefund[]> => rows.owedOfOrder(db, orderId);

/** What of a refused refund is still to be made, and what its receipt says; null: nothing. The payment is locked. */
async function stillOwed(tx: Tx, payment: Payment, refund: Refund): Promise<Pick<RefundShare, "amount" | "lines" | "mode"> | null> {
  const amount = (await rows.owedOfOrder(tx, payment.orderId)).find(({ id }) => id === refund.id)?.amount;
  if (amount === undefined) return null;
  const { left } = await receiptLinesOf(tx, payment.id);
  return { amount, lines: takeAgain(left, refund.lines, amount), mode: await modeOfRetry(tx, payment, refund) };
}

/**
 * The receipt of a hand-over that was made after the provider had refused the refund covers its money, too: then a sale is returned. It
 * does not cover dropped pieces, which stay a prepayment.
 */
async function modeOfRetry(tx: Tx, payment: Payment, { mode, isDropped, settledAt }: Refund): Promise<ReceiptMode> {
  const isSold = payment.isKept === "kept" && !isDropped && settledAt !== null && (await hasHandover(tx, payment.orderId, settledAt));
  return isSold ? "full_payment" : mode;
}

/**
 * Records that staff has paid a refund by a bank transfer that the provider had refused for good. `amount`: what was paid.
 * The office prints its receipt. The refund stays that of the actor who decided it, and counts towards the day of the one who records it,
 * too. Idempotent for the same payment order. The caller has locked the order.
 *
 * Refuses with `refund.not_found`; `refund.not_waiting` for one that was not refused, or whose money went back another way;
 * `refund.other_amount` when another sum of it is still to be paid; `refund.transfer_known` for a payment order of another order's refund;
 * `refund.transfer_entered` for one of another refund of this order, unless `isForSeveral`.
 */
export async function payRefusedByTransfer(tx: Tx, ctx: Ctx, paid: RefundTransfer): Promise<Result<Refund, RefundTransferError>> {
  const checked = await checkRefusedForTransfer(tx, paid);
  if (!checked.ok) return checked;
  const { refund, owed } = checked.value;
  if (owed === null) return done(refund);
  const settled: Refund = { ...refund, ...owed };
  await rows.insertRefundTransfer(tx, { refund, transfer: paid.transfer, at: ctx.now(), actor: ctx.actor });
  const changes = { amountKopecks: owed.amount, lines: owed.lines, mode: owed.mode };
  await settleRefund(tx, ctx, settled, { changes, isByTransfer: true });
  return done(settled);
}

/**
 * The refund that `payRefusedByTransfer` would settle, with what is owed; `owed` null: it is recorded by this payment order. Refuses as
 * that does, and locks what it locks.
 */
export async function checkRefusedForTransfer(
  tx: Tx,
  { orderId, refundId, transfer, amount, isForSeveral = false }: RefundTransfer,
): Promise<Result<{ refund: Refund; owed: Awaited<ReturnType<typeof stillOwed>> }, RefundTransferError>> {
  const attempts = await rows.lockOfOrder(tx, orderId);
  const refund = await rows.lockRefund(tx, refundId);
  const payment = attempts.find(({ id }) => id === refund?.paymentId);
  if (!refund || !payment) return fail({ code: "refund.not_found" });
  const known = (await rows.transfersOfRefunds(tx, [refund.id])).get(refund.id);
  if (known?.number === transfer.number && known.date === transfer.date && refund.amount === amount) return done({ refund, owed: null });
  const owed = step(refundStates, refund.state, "pay").kind === "moved" ? await stillOwed(tx, payment, refund) : null;
  if (!owed) return fail({ code: "refund.not_waiting" });
  if (owed.amount !== amount) return fail({ code: "refund.other_amount", owed: owed.amount });
  await rows.lockRefundTransfer(tx, transfer);
  const recorded = await rows.refundsOfTransfer(tx, transfer);
  const other = recorded.find((each) => each.orderId !== orderId);
  if (other) return fail({ code: "refund.transfer_known", orderId: other.orderId });
  return recorded.length > 0 && !isForSeveral ? fail({ code: "refund.transfer_entered" }) : done({ refund, owed });
}

/** The payment orders by which staff paid refunds that the provider had refused, by the refund's id. */
export const transfersOfRefunds = (db: Db, refundIds: readonly string[]): Promise<Map<string, PaymentOrder>> =>
  rows.transfersOfRefunds(db, refundIds);

/** A refused refund, the payment order by which staff has paid it, and what was paid. */
export type RefundTransfer = {
  orderId: string;
  refundId: string;
  transfer: PaymentOrder;
  amount: Kopecks;
  /** The transfer paid other refunds of the order, too, for which it is recorded. */
  isForSeveral?: boolean;
};

/** Makes a refund due at once about which the provider has not answered; false: it is not stuck. Only staff starts it. */
export const checkStuckRefund = (tx: Tx, ctx: Ctx, refundId: string): Promise<boolean> =>
  rows.checkStuckRefund(tx, refundId, { now: ctx.now(), before: stuckBefore(ctx) });

/** A refund; null: none with this id. */
export const findRefund = (db: Db, id: string): Promise<Refund | null> => rows.refundById(db, id);

/** The refunds of a sum or of pieces that staff decided for these orders. Refused ones are left out. */
export const partialRefunds = async (db: Db, orderIds: readonly string[]): Promise<Refund[]> =>
  (await rows.refundsOfOrders(db, orderIds)).filter((each) => isPartial(each) && each.state !== "canceled");

/** Sends one due refund or fetches its status, unless another process has claimed it. For the job; after an outage the sweep continues. */
export async function processRefund(ctx: Ctx, refundId: string): Promise<void> {
  const refund = await rows.claimRefund(ctx.db, refundId, ctx.now(), plus(ctx.now(), claimLease));
  if (!refund) return checkLateWebhook(ctx, refundId);
  const askedAt = ctx.now();
  try {
    const answer = refund.state === "new" ? await send(ctx, refund) : await ctx.gateways.payment.findRefund(refund.providerId ?? "");
    if (answer) await applyProviderRefund(ctx, refund, answer, askedAt);
    else await postpone(ctx, refund);
  } catch (error) {
    ctx.log.warn({ ...faultFields(error), orderId: refund.orderId, paymentId: refund.paymentId }, "a refund could not be pursued");
    await postpone(ctx, refund);
  }
}

/** Asks the provider about a refund that is over here, when a webhook about it has no verdict yet. */
async function checkLateWebhook(ctx: Ctx, refundId: string): Promise<void> {
  const refund = await rows.refundById(ctx.db, refundId);
  if (!refund || refund.providerId === null || !isOver(refund)) return;
  const askedAt = ctx.now();
  if ((await rows.unjudgedEvents(ctx.db, refund.providerId, askedAt)).length === 0) return;
  const answer = await ctx.gateways.payment.findRefund(refund.providerId);
  if (answer) await applyProviderRefund(ctx, refund, answer, askedAt);
}

/** Whether the provider must not have made a refund: it was refused, or staff has paid it by transfer since. */
export async function isRefusedThere(db: Db, refund: Refund): Promise<boolean> {
  if (refund.state === "canceled") return true;
  return refund.state === "succeeded" && (await rows.transfersOfRefunds(db, [refund.id])).size > 0;
}

const isOver = ({ state }: Refund): boolean => state === "succeeded" || state === "canceled";

/** Processes every refund that is due. For the sweep. */
export async function processDueRefunds(ctx: Ctx): Promise<void> {
  for (let round = 0; round < roundsPerSweep; round += 1) {
    const due = await rows.dueRefundIds(ctx.db, ctx.now(), batchSize);
    await Promise.all(due.map((id) => processRefund(ctx, id)));
    if (due.length < batchSize) return;
  }
}

/** Whether `processDueRefunds` has something to do. */
export const hasDueRefund = (ctx: Ctx): Expression => rows.hasDueRefund(ctx.now());

/**
 * Raises `payment.refund_stuck` for each refund about which the provider has not answered for an hour (wrong credentials, an outage), and
 * again once a day until it answers. For the sweep.
 */
export async function alarmStuckRefunds(ctx: Ctx): Promise<void> {
  const now = ctx.now();
  const stuck = await rows.claimStuckRefunds(ctx.db, {
    now,
    before: stuckBefore(ctx),
    again: plus(now, -hours(ctx.settings.limits.refundStuckAgainHours)),
    limit: alarmsPerSweep,
  });
  for (const { id, orderId, amount, unansweredSince } of stuck) {
    ctx.alarm("payment.refund_stuck", { orderId, refundId: id, amountKopecks: amount, since: unansweredSince?.toISOString() ?? "" });
  }
}

/** Per run of the sweep; the next run raises the rest. */
const alarmsPerSweep = 50;
/** A refund that has had no answer since before this moment is stuck. */
export const stuckBefore = (ctx: Ctx): Date => plus(ctx.now(), -minutes(ctx.settings.limits.refundStuckMinutes));

/** Refunds that wait for staff: stuck, refused for good, or to be paid by hand. */
export const refundsWaiting = (ctx: Ctx): Promise<WaitingRefund[]> => rows.waitingRefunds(ctx.db, stuckBefore(ctx));

/** `id` null: the provider refused the request outright. */
type Outcome = { status: ProviderRefund["status"]; id: string | null; amount: Kopecks; paymentId: string };

/** Schedules the next check after a call without a usable answer; `alarmStuckRefunds` reports a refund for which this goes on. */
const postpone = (ctx: Ctx, refund: rows.StoredRefund) =>
  rows.postponeRefund(ctx.db, refund.id, { nextCheckAt: nextCheckOf(ctx, refund), now: ctx.now() });

/** By the time since the first request, or since the refund waits for one: it may have been decided long before. */
const nextCheckOf = (ctx: Ctx, { requestedAt, unansweredSince, createdAt }: rows.StoredRefund): Date =>
  nextRefundCheckAfter(requestedAt ?? unansweredSince ?? createdAt, ctx.now());

async function send(ctx: Ctx, refund: rows.StoredRefund): Promise<Outcome> {
  const known = await rows.byIdWithRequest(ctx.db, refund.paymentId);
  if (!known?.payment.providerId) throw new Error(`refund ${refund.id} of a payment without the provider's id`);
  const { request } = known;
  const providerPaymentId = known.payment.providerId;
  const isKeyForgotten = refund.requestedAt !== null && ctx.now() > plus(refund.requestedAt, idempotenceKeyLifetime);
  const made = isKeyForgotten ? await findExisting(ctx, providerPaymentId, refund) : null;
  if (made) return made;

  await rows.markRefundRequested(ctx.db, refund.id, ctx.now());
  try {
    return await ctx.gateways.payment.refund({
      idempotenceKey: refund.idempotenceKey,
      providerPaymentId,
      amount: refund.amount,
      mode: refund.mode,
      receipt: withReceiptMode(ctx.settings.seller.tax, refund.mode, {
        ...request.receipt,
        lines: asLines(refund.lines ?? takeAmount(leftOf(request.receipt.lines, []), refund.amount)),
      }),
    });
  } catch (error) {
    if (!(error instanceof PaymentRefused)) throw error;
    const madeBefore = await findExisting(ctx, providerPaymentId, refund);
    if (madeBefore) return madeBefore;
    ctx.log.error({ err: error, orderId: refund.orderId, paymentId: refund.paymentId }, "the provider refused a refund");
    return { status: "canceled", id: null, amount: refund.amount, paymentId: providerPaymentId };
  }
}

/**
 * Finds a refund in the provider's list of the payment's refunds when its answer, or our record of it, was lost: by our key, or by its sum
 * among those that no refund stored here made. These are refunds without a key (made in the provider's back office or by an earlier
 * release), and those whose key names a refund that this database does not have: it was restored to a moment before they were made.
 * The payment's refunded total proves nothing, because it may include pending refunds. Null: the refund was never made.
 *
 * Throws while the total is more than the list contains: the list lags behind, and the refund is checked later.
 */
async function findExisting(ctx: Ctx, providerPaymentId: string, refund: rows.StoredRefund): Promise<Outcome | null> {
  const { payment: gateway } = ctx.gateways;
  const listed = await gateway.refundsOf(providerPaymentId);
  const own = listed.find((each) => each.key === refund.idempotenceKey);
  if (own) return own;
  const live = listed.filter((each) => each.status !== "canceled");
  const known = await rows.refundsByProviderIds(
    ctx.db,
    live.map((each) => each.id),
  );
  const stored = new Set((await rows.refundsOfPayment(ctx.db, refund.paymentId)).map((each) => each.id));
  const unclaimed = live.find(({ id, key, amount }) => !known.has(id) && !stored.has(refundIdOfKey(key)) && amount === refund.amount);
  if (unclaimed) return unclaimed;
  const total = (await gateway.find(providerPaymentId))?.refunded ?? kopecks(0);
  if (total > add(...live.map((each) => each.amount))) throw new Error("the provider has given back more than it lists");
  return null;
}

const events = { pending: "wait", succeeded: "succeed", canceled: "cancel" } as const;

/**
 * Applies the provider's state of a refund, under the payment's lock. A repeated answer changes nothing, nor does one about a request
 * whose refund is over here, or was sent again under a new key since: its success is money that goes back beside that, and an alarm.
 */
async function applyProviderRefund(ctx: Ctx, claimed: rows.StoredRefund, answer: Outcome, askedAt: Date): Promise<void> {
  await inTransaction(ctx.db, async (tx) => {
    const payment = await rows.lock(tx, claimed.paymentId);
    const refund = await rows.lockRefund(tx, claimed.id);
    if (!payment || !refund) throw new Error(`no refund ${claimed.id}`);
    if (isOver(refund) || refund.idempotenceKey !== claimed.idempotenceKey) {
      if (answer.id !== null) await judgeWebhooks(tx, ctx, { id: answer.id, status: answer.status }, askedAt);
      const isUnexpected = refund.idempotenceKey !== claimed.idempotenceKey || (await isRefusedThere(tx, refund));
      if (answer.status === "succeeded" && isUnexpected)
        ctx.alarm("payment.mismatch", { paymentId: payment.id, refundId: refund.id, difference: "late_refund" });
      return;
    }
    if (answer.paymentId !== payment.providerId || answer.amount !== refund.amount) {
      ctx.alarm("payment.mismatch", { paymentId: payment.id, difference: "refund" });
      await rows.postponeRefund(tx, refund.id, { nextCheckAt: plus(ctx.now(), hours(1)), now: ctx.now() }); // staff must examine it first
      return;
    }
    if (answer.id !== null) await judgeWebhooks(tx, ctx, { id: answer.id, status: answer.status }, askedAt);
    // An outright refusal says nothing about a refund that the provider has accepted since.
    if (answer.id === null && refund.state !== "new") return;
    const move = step(refundStates, refund.state, events[answer.status]);
    const providerId = answer.id ?? undefined;
    if (move.kind !== "moved") {
      if (refund.state === "pending")
        await rows.saveRefund(tx, refund.id, {
          state: refund.state,
          nextCheckAt: checkAfterAnswer(claimed, refund, nextCheckOf(ctx, refund)),
          unansweredSince: null,
        });
      return;
    }
    if (move.to === "succeeded") return settleRefund(tx, ctx, refund, { changes: { providerId } });
    if (move.to === "canceled") ctx.alarm("payment.refund_failed", { orderId: payment.orderId, refundId: refund.id });
    await rows.saveRefund(tx, refund.id, {
      state: move.to,
      providerId,
      unansweredSince: null,
      ...(move.to === "canceled" ? { settledAt: ctx.now(), nextCheckAt: null } : { nextCheckAt: nextCheckOf(ctx, refund) }),
    });
  });
}

/** The scheduled check, or the earlier one that a webhook has asked for since the refund was claimed: the answer may be older than it. */
function checkAfterAnswer({ nextCheckAt: leaseEnd }: rows.StoredRefund, { nextCheckAt }: rows.StoredRefund, scheduled: Date): Date {
  const isWantedSooner = nextCheckAt !== null && leaseEnd !== null && nextCheckAt < leaseEnd && nextCheckAt < scheduled;
  return isWantedSooner ? nextCheckAt : scheduled;
}

/** `changes`: what is stored with it. `isByTransfer`: the provider did not make it, and prints no receipt of it. */
async function settleRefund(
  tx: Tx,
  ctx: Ctx,
  refund: Refund,
  { changes = {}, isByTransfer = false }: { changes?: Partial<rows.RefundChanges>; isByTransfer?: boolean } = {},
): Promise<void> {
  const settled = { state: "succeeded" as const, settledAt: ctx.now(), nextCheckAt: null, unansweredSince: null };
  await rows.saveRefund(tx, refund.id, { ...changes, ...settled });
  await rows.addRefunded(tx, refund.paymentId, refund.amount);
  await createRefundReceipt(tx, ctx, refund, { isByTransfer });
  const news = {
    orderId: refund.orderId,
    paymentId: refund.paymentId,
    refundId: refund.id,
    amountKopecks: refund.amount,
  } satisfies PaymentJobs["payment.refunded"];
  await ctx.enqueue(tx, "payment.refunded", news);
}
