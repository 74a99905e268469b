import { createCoalescer } from "#kit/coalesce.ts";
import { inTransaction, type Batch, type Db, type Tx } from "#kit/db.ts";
import { randomId } from "#kit/ids.ts";
import type { Kopecks } from "#kit/money.ts";
import { faultFields } from "#kit/outbound.ts";
import { minutes, plus } from "#kit/time.ts";
import { done, fail, type Result } from "#kit/result.ts";
import type { Ctx } from "#shop/context.ts";
import { askNow, claimQuestion, isSettled, judgeWebhooks, learn, type Question } from "./status.service.ts";
import { PaymentRefused, type Notification, type Receipt, type ReceiptMode } from "./gateway.ts";
import {
  askPause,
  byHand,
  isLiving,
  isOverLimit,
  methodById,
  receiptLinesMax,
  receiptTotal,
  type ByHandMethodName,
  type OnlineMethodName,
  type Payment,
  type PaymentError,
  type PaymentJobs,
  type Refund,
} from "./payment.ts";
import { oweAtOffice } from "./receipts/receipts.service.ts";
import * as rows from "./repository.ts";
import { forgetPayer } from "./transfers/transfers.repository.ts";

export { check, checkOrder, reconcile } from "./status.service.ts";
export type { CompareCtx } from "./comparison/compare.service.ts";
export { compareDaily, compareNow, differences } from "./comparison/compare.service.ts";
export {
  alarmStuckRefunds,
  refundsWaiting,
  confirmRefundsByHand,
  pursueRefund,
  pursueRefunds,
  refundAll,
  refundPart,
  retryRefunds,
  returnMoney,
} from "./refunds/refund.service.ts";

export { enterTransfer, hasTransferFrom, hasUnnamedTransfer, knownTransfer } from "./transfers/transfers.service.ts";
export { oweForHandover, pursueReceipts, receiptsOfOrder, receiptsWaiting, workReceipt } from "./receipts/receipts.service.ts";

export type StartPayment = {
  orderId: string;
  orderNumber: string;
  methodId: number;
  amount: Kopecks;
  /** Its lines sum to `amount`. */
  receipt: Receipt;
  /** Where the provider sends the buyer afterwards; carries no truth. It is stored, so it holds no key of the order. */
  returnUrl: string;
};
export type Started = { confirmationUrl: string; payment: Payment };

/** The attempts of an order, oldest first, with everybody held who begins another. */
export const lockAttempts = (tx: Tx, orderId: string): Promise<Payment[]> => rows.lockAttempts(tx, orderId);
export const lockAttemptsBatch = (tx: Tx, orderId: string): Batch<Payment[]> => rows.lockAttemptsBatch(tx, orderId);

/** `known`: what a new attempt asks the provider with; an older one has it in the database. */
type OpenAttempt = { payment: Payment; known: { idempotenceKey: string; ask: rows.PaymentAsk } | null };
export type Opening = { kind: "open"; attempt: OpenAttempt } | { kind: "ask"; questions: Question[] };

/**
 * Begins to pay an order online, in the caller's transaction, which holds the order and its `attempts` (`lockAttempts`). While an attempt of this
 * method can still be paid, it comes back again, so that any number of calls make one payment; another method makes another attempt.
 * Nobody is called here. The attempt and its key stand in the database before the provider is asked for its page (`linkOf`, after the commit): when
 * that fails the attempt stays, and the next call repeats it with the same key.
 *
 * A buyer who pays again may have paid, or been declined, a moment ago: `ask` wants the provider asked about the open attempts first
 * (`refresh`, after the commit), and then the same call with `isRefreshed`. Where he does not answer, what we know stands.
 *
 * Refuses with `payment.over_limit`, and `order.not_payable` when money was already taken that is not on its way back.
 */
export async function open(
  tx: Tx,
  ctx: Ctx,
  wanted: StartPayment,
  { attempts, isRefreshed }: { attempts: readonly Payment[]; isRefreshed: boolean },
): Promise<Result<Opening, PaymentError>> {
  const method = methodById(wanted.methodId);
  if (!method?.isOnline) throw new RangeError(`payment method ${wanted.methodId} is not paid online`);
  if (receiptTotal(wanted.receipt) !== wanted.amount)
    throw new RangeError(`the receipt of order ${wanted.orderId} does not sum to ${wanted.amount}`);
  if (isOverLimit(method, wanted.amount, ctx.settings.limits)) return fail({ code: "payment.over_limit" });
  if (wanted.receipt.lines.length > receiptLinesMax) return fail({ code: "payment.over_limit" });
  const unsure = attempts.filter((each) => each.providerId !== null && !isSettled(each));
  if (!isRefreshed && unsure.length > 0) {
    const questions: Question[] = [];
    for (const each of unsure) questions.push(await claimQuestion(tx, ctx, each));
    return done({ kind: "ask", questions });
  }
  if (attempts.some((each) => each.state === "succeeded" && each.isKept !== "returned")) return fail({ code: "order.not_payable" });
  const now = ctx.now();
  const living = attempts.find((each) => each.method === method.name && isLiving(each, now));
  if (living) return done({ kind: "open", attempt: { payment: living, known: null } });

  const attempt = attempts.length + 1;
  const payment: Payment = {
    id: randomId(),
    orderId: wanted.orderId,
    attempt,
    method: method.name,
    amount: wanted.amount,
    refunded: 0 as Kopecks,
    state: "new",
    isKept: "undecided",
    provider: ctx.gateways.payment.provider,
    providerId: null,
    confirmationUrl: null,
    cancellationReason: null,
    createdAt: now,
    requestedAt: now,
    settledAt: null,
  };
  const known = {
    idempotenceKey: `order:${wanted.orderId}:${attempt}:create`,
    ask: { orderNumber: wanted.orderNumber, returnUrl: wanted.returnUrl, receipt: wanted.receipt },
  };
  await rows.insert(tx, payment, { ...known, nextCheckAt: plus(now, minutes(1)), actor: ctx.actor });
  return done({ kind: "open", attempt: { payment, known } });
}

/** Asks the provider the questions of `open`. Never inside a transaction: he may take ten seconds. */
export async function refresh(ctx: Ctx, questions: readonly Question[]): Promise<void> {
  await Promise.all(questions.map((each) => askNow(ctx, each)));
}

/**
 * The page of an attempt that was opened, from the provider when it has none yet; callers in one process share one call, those in others
 * share the key. May take as long as the provider (10 s): never call it inside a transaction.
 * `orderKey` opens the order on the buyer's way back. It goes to the provider and is stored nowhere; for one order it is always the same,
 * so that a repeated call sends the same body.
 *
 * Refuses with `payment.unavailable` (ask again later), and `order.not_payable` when money was taken meanwhile.
 */
export async function linkOf(ctx: Ctx, { payment, known }: OpenAttempt, orderKey: string): Promise<Result<Started, PaymentError>> {
  if (payment.confirmationUrl !== null) return done({ confirmationUrl: payment.confirmationUrl, payment });
  const requesting = ctx.singleton("payment.requesting", () => new Map<string, Promise<Result<Started, PaymentError>>>());
  const running = requesting.get(payment.id);
  if (running) return running;
  const request = (
    known ? askForLink(ctx, payment, { ...known, orderKey }, payment.requestedAt) : repeatLink(ctx, payment.id, orderKey)
  ).finally(() => requesting.delete(payment.id));
  requesting.set(payment.id, request);
  return request;
}

async function repeatLink(ctx: Ctx, paymentId: string, orderKey: string): Promise<Result<Started, PaymentError>> {
  const stored = await rows.withAsk(ctx.db, paymentId);
  if (!stored) throw new Error(`no payment ${paymentId}`);
  const { payment, ...known } = stored;
  if (payment.confirmationUrl !== null) return done({ confirmationUrl: payment.confirmationUrl, payment });
  const requestedAt = ctx.now();
  await rows.markRequested(ctx.db, payment.id, requestedAt, plus(requestedAt, minutes(1)));
  return askForLink(ctx, payment, { ...known, orderKey }, requestedAt);
}

/** `requestedAt`: when the attempt was noted as being asked for, in the database, before the provider hears of it. */
async function askForLink(
  ctx: Ctx,
  payment: Payment,
  known: NonNullable<OpenAttempt["known"]> & { orderKey: string },
  requestedAt: Date,
): Promise<Result<Started, PaymentError>> {
  const {
    idempotenceKey,
    ask: { orderNumber, receipt },
  } = known;
  const returnUrl = new URL(known.ask.returnUrl);
  returnUrl.searchParams.set("key", known.orderKey);
  try {
    const told = await ctx.gateways.payment.create({
      idempotenceKey,
      orderId: payment.orderId,
      attemptId: payment.id,
      orderNumber,
      amount: payment.amount,
      method: payment.method as OnlineMethodName,
      returnUrl: returnUrl.href,
      receipt,
    });
    const learnt = await inTransaction(ctx.db, (tx) => learn(tx, ctx, payment.id, told, requestedAt));
    if (learnt.state === "succeeded") return fail({ code: "order.not_payable" });
    if (learnt.state === "canceled" || learnt.confirmationUrl === null) return fail({ code: "payment.unavailable" });
    return done({ confirmationUrl: learnt.confirmationUrl, payment: learnt });
  } catch (error) {
    if (error instanceof PaymentRefused) await closeRefused(ctx, payment.id, error);
    else ctx.log.warn({ ...faultFields(error), paymentId: payment.id }, "the payment provider gave no page"); // the same key goes with the next try
    return fail({ code: "payment.unavailable" });
  }
}

/** The provider will never make this one: the next try is a new attempt, and somebody should read why. */
async function closeRefused(ctx: Ctx, paymentId: string, error: PaymentRefused): Promise<void> {
  ctx.log.error({ err: error, paymentId }, "the provider refused to make a payment");
  ctx.alarm("payment.refused", { paymentId });
  await inTransaction(ctx.db, async (tx) => {
    const payment = await rows.lock(tx, paymentId);
    if (payment?.state !== "new") return;
    await rows.save(tx, paymentId, { state: "canceled", cancellationReason: "refused", settledAt: ctx.now(), nextCheckAt: null });
  });
}

/** The attempts of one order, oldest first. */
export const ofOrder = (db: Db, orderId: string): Promise<Payment[]> => rows.ofOrders(db, [orderId]);

/** The attempts of many orders, for lists; orders without attempts are absent. */
export async function ofOrders(db: Db, orderIds: string[]): Promise<Map<string, Payment[]>> {
  return Map.groupBy(await rows.ofOrders(db, orderIds), (each) => each.orderId);
}

/** For an order whose legal term is over. */
export async function forgetBuyer(tx: Tx, orderId: string): Promise<void> {
  await rows.forgetBuyer(tx, orderId);
  await forgetPayer(tx, orderId);
}

export const refundsOf = (db: Db, orderId: string): Promise<Refund[]> => rows.refundsOfOrder(db, orderId);

/** Lets this attempt's money pay its order: the first success, decided under the order's lock. Safe to repeat; throws for money that was given back. */
export async function keep(tx: Tx, paymentId: string): Promise<void> {
  const payment = await rows.lock(tx, paymentId);
  if (payment?.state !== "succeeded" || payment.isKept === "returned") throw new Error(`payment ${paymentId} has no money to keep`);
  await rows.saveKept(tx, paymentId, "kept");
}

/**
 * Staff has seen money on the account, or taken it at the desk: it stands as a payment of its own, settled at once. Whether it pays
 * the order, and what of it goes back, the caller decides in the same transaction, holding the order. Each call is new money. `receiptMode`: what the office's register
 * prints for it; null for money that buys nothing. `transferId`: the bank's payment order, where one is known.
 */
export async function recordMoneyIn(
  tx: Tx,
  ctx: Ctx,
  money: {
    orderId: string;
    orderNumber: string;
    methodName: ByHandMethodName;
    amount: Kopecks;
    receipt: Receipt;
    receiptMode: ReceiptMode | null;
    transferId?: number | null;
  },
): Promise<Payment> {
  if (receiptTotal(money.receipt) !== money.amount)
    throw new RangeError(`the receipt for money of order ${money.orderId} does not sum to ${money.amount}`);
  await rows.lockAttempts(tx, money.orderId);
  const attempts = await ofOrder(tx, money.orderId);
  const [now, attempt] = [ctx.now(), attempts.length + 1];
  const payment: Payment = {
    id: randomId(),
    orderId: money.orderId,
    attempt,
    method: money.methodName,
    amount: money.amount,
    refunded: 0 as Kopecks,
    state: "succeeded",
    isKept: "undecided",
    provider: byHand,
    providerId: null,
    confirmationUrl: null,
    cancellationReason: null,
    createdAt: now,
    requestedAt: now,
    settledAt: now,
  };
  await rows.insert(tx, payment, {
    idempotenceKey: `order:${money.orderId}:${attempt}:by_hand`,
    ask: { orderNumber: money.orderNumber, returnUrl: "", receipt: money.receipt },
    nextCheckAt: null,
    transferId: money.transferId ?? null,
    actor: ctx.actor,
  });
  if (money.receiptMode) await oweAtOffice(tx, ctx, payment, money.receipt, money.receiptMode);
  return payment;
}

/**
 * Takes a webhook: a hint that something may have changed, nothing more. What is about one of our payments or refunds is stored
 * once, and the provider will be asked, soon and at most once in two seconds; everything else is dropped. Never calls out itself,
 * and a storm about one payment takes one connection to the database.
 */
export async function receiveWebhook(ctx: Ctx, provider: string, raw: string): Promise<"stored" | "dropped"> {
  const gateway = ctx.gateways.payment;
  const notification = provider === gateway.provider ? gateway.readNotification(raw) : null;
  if (!notification) return "dropped";
  const coalesce = ctx.singleton("payment.webhooks", createCoalescer);
  return coalesce(`${notification.event} ${notification.objectId}`, () => takeHint(ctx, notification, raw));
}

async function takeHint(ctx: Ctx, notification: Notification, raw: string): Promise<"stored" | "dropped"> {
  const provider = ctx.gateways.payment.provider;
  const refund = notification.objectKind === "refund" ? await rows.refundByProviderId(ctx.db, notification.objectId) : null;
  const payment = notification.objectKind === "payment" ? await rows.byProviderId(ctx.db, provider, notification.objectId) : null;
  const paymentId = payment?.id ?? refund?.paymentId;
  if (!paymentId) return "dropped"; // also a refund whose answer is still on its way to us: its own check is due anyway

  const now = ctx.now();
  await inTransaction(ctx.db, async (tx) => {
    await rows.storeEvent(tx, { provider, paymentId, notification, body: raw, at: now });
    if (refund) await rows.hurryRefund(tx, refund.id, plus(now, askPause));
    // About a settled payment there is nothing left to ask: who claims something else is forging.
    else if (payment && isSettled(payment)) await judgeWebhooks(tx, ctx, { id: notification.objectId, status: payment.state }, now);
    else if ((await rows.hurry(tx, paymentId, now)) === "now")
      await ctx.enqueue(tx, "payment.check", { paymentId } satisfies PaymentJobs["payment.check"]);
  });
  return "stored";
}
