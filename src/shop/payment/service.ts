import { createCoalescer } from "#kit/concurrency/coalesce.ts";
import { shareWait, shareRun } from "#kit/concurrency/deadline.ts";
import { inTransaction, type QueryBatch, type Db, type Tx } from "#kit/db.ts";
import { randomId } from "#kit/ids.ts";
import type { Kopecks } from "#kit/money.ts";
import { faultFields } from "#kit/network/outbound.ts";
import { minutes, plus } from "#kit/time.ts";
import { done, fail, type Result } from "#kit/result.ts";
import type { Ctx } from "#shop/context.ts";
import { fetchNow, claimStatusCheck, isSettled, judgeWebhooks, applyProviderState, type StatusCheck } from "./status.service.ts";
import { PaymentRefused, type Notification, type Receipt, type ReceiptMode } from "./gateway.ts";
import {
  statusCheckInterval,
  byHand,
  canBePaid,
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
import { createOfficeReceipt } from "./receipts/receipts.service.ts";
import * as rows from "./repository.ts";
import * as refundRows from "./refunds/refunds.repository.ts";
import { isRefusedThere } from "./refunds/refused-refund.service.ts";
import { erasePayer } from "./transfers/transfers.repository.ts";

export { check, checkOrder, hasDue, reconcile } from "./status.service.ts";
export type { CompareCtx } from "./comparison/compare.service.ts";
export { compareDaily, compareForStaff, compareNow, differences, storeFound } from "./comparison/compare.service.ts";
export {
  findRefund,
  confirmRefundsByHand,
  refundOrder,
  refundPartially,
  partialRefunds,
  isRefundedWithKey,
  hasRefundForStaff,
  refundsBy,
  refundedByStaff,
  refundPayment,
} from "./refunds/refund.service.ts";
export { planRefund, leftToRefund, type PartialRefund } from "./refunds/refund-plan.service.ts";
export {
  owedOfOrder,
  retryRefunds,
  checkRefusedForTransfer,
  payRefusedByTransfer,
  transfersOfRefunds,
  type RefundTransfer,
} from "./refunds/refused-refund.service.ts";
export {
  alarmStuckRefunds,
  checkStuckRefund,
  refundsWaiting,
  processRefund,
  hasDueRefund,
  processDueRefunds,
} from "./refunds/provider-refund.service.ts";

export {
  countWaiting,
  listDifferences,
  listPayments,
  listReceipts,
  listRefunds,
  listTransfers,
  paymentCard,
  settleDifference,
} from "./lists/lists.service.ts";
export {
  enterTransfer,
  hasTransferFrom,
  hasTransferWithoutReference,
  findTransfer,
  namePayer,
  transfersByNumber,
} from "./transfers/transfers.service.ts";
export {
  createHandoverReceipt,
  hasDueReceipt,
  processDueReceipts,
  receiptsOfOrder,
  receiptsWaiting,
  applyReceiptEvent,
  lockReceipt,
  enterFiscalNumbers,
} from "./receipts/receipts.service.ts";

export type PaymentRequest = {
  orderId: string;
  orderNumber: string;
  methodId: number;
  amount: Kopecks;
  /** The sum of its lines is `amount`. */
  receipt: Receipt;
  /** Where the provider sends the buyer afterwards; proves nothing about the payment. It is stored, so it contains no key of the order. */
  returnUrl: string;
};
export type PaymentLink = { confirmationUrl: string; payment: Payment };

/** Locks the start of payments for this order until the transaction ends and reads its attempts, oldest first. */
export const lockAttempts = (tx: Tx, orderId: string): Promise<rows.LockedAttempt[]> => rows.lockAttempts(tx, orderId);
/** The same as a part of another module's round trip. */
export const lockAttemptsBatch = (tx: Tx, orderId: string): QueryBatch<rows.LockedAttempt[]> => rows.lockAttemptsBatch(tx, orderId);

/** `call`: the provider request by which it gets its page. */
export type OpenAttempt = { payment: Payment; call: { idempotenceKey: string; request: rows.StoredRequest } };
export type Opening = { kind: "open"; attempt: OpenAttempt } | { kind: "check_first"; checks: StatusCheck[] };

/**
 * Opens an attempt to pay an order online, in the caller's transaction, which has locked the order and its `attempts` (`lockAttempts`),
 * executes `writes` and commits. A new order has no attempts and needs no lock: others see it after the commit.
 * An attempt by this method that can still be paid is returned again, so any number of calls make one payment; another method makes
 * another attempt. The provider is not called here: the attempt and its key are committed before `getPaymentLink` requests the page.
 * When that fails the attempt stays, and the next call repeats the request with the same key: the link may be payable for longer then, and
 * the attempt that is returned says so (`requestedAt`).
 *
 * A buyer who pays again may have paid or been declined a moment ago. `check_first` tells the caller to fetch the status of the open
 * attempts (`refreshAttempts`, after the commit) and to call again with `isRefreshed`. An attempt without an answer keeps its state.
 *
 * Refuses with `payment.over_limit`, and with `order.not_payable` when the order has a succeeded payment that is not being refunded.
 */
export function openAttempt(
  tx: Tx,
  ctx: Ctx,
  wanted: PaymentRequest,
  { attempts: locked, isRefreshed }: { attempts: readonly rows.LockedAttempt[]; isRefreshed: boolean },
): Result<Opening & { writes: QueryBatch<void>[] }, PaymentError> {
  const method = methodById(wanted.methodId);
  if (!method?.isOnline) throw new RangeError(`payment method ${wanted.methodId} is not paid online`);
  if (receiptTotal(wanted.receipt) !== wanted.amount)
    throw new RangeError(`the receipt of order ${wanted.orderId} does not sum to ${wanted.amount}`);
  if (isOverLimit(method, wanted.amount, ctx.settings.limits)) return fail({ code: "payment.over_limit" });
  if (wanted.receipt.lines.length > receiptLinesMax) return fail({ code: "payment.over_limit" });
  const attempts = locked.map(({ payment }) => payment);
  const unsure = attempts.filter((each) => each.providerId !== null && !isSettled(each));
  if (!isRefreshed && unsure.length > 0) {
    const claims = unsure.map((each) => claimStatusCheck(tx, ctx, each));
    return done({ kind: "check_first", checks: claims.map(({ check }) => check), writes: claims.map(({ write }) => write) });
  }
  if (attempts.some((each) => each.state === "succeeded" && each.isKept !== "returned")) return fail({ code: "order.not_payable" });
  const now = ctx.now();
  const living = locked.find((each) => each.payment.method === method.name && canBePaid(each.payment, now));
  if (living) {
    const open = { payment: living.payment, call: living.readCall() };
    if (open.payment.state !== "new") return done({ kind: "open", attempt: open, writes: [] });
    const requested = { ...open, payment: { ...open.payment, requestedAt: now } };
    return done({
      kind: "open",
      attempt: requested,
      writes: [rows.markRequestedBatch(tx, requested.payment.id, now, plus(now, minutes(1)))],
    });
  }

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
  const call = {
    idempotenceKey: `order:${wanted.orderId}:${attempt}:create`,
    request: { orderNumber: wanted.orderNumber, returnUrl: wanted.returnUrl, receipt: wanted.receipt },
  };
  const write = rows.insertBatch(tx, payment, { ...call, nextCheckAt: plus(now, minutes(1)), actor: ctx.actor });
  return done({ kind: "open", attempt: { payment, call }, writes: [write] });
}

/** Fetches the attempts' status for `openAttempt`. Must not run inside a transaction: the provider may take ten seconds. */
export async function refreshAttempts(ctx: Ctx, checks: readonly StatusCheck[]): Promise<void> {
  await Promise.all(checks.map((each) => fetchNow(ctx, each)));
}

/**
 * Returns the payment page of an open attempt and requests it from the provider when the attempt has none. Concurrent calls in one process
 * share one request; other processes repeat it with the same key. May take 10 s: must not run inside a transaction.
 * `orderKey` opens the order when the buyer returns. It is sent to the provider and not stored; it is always the same for one order, so
 * that a repeated request has the same body.
 *
 * Refuses with `payment.unavailable` (try again later), and with `order.not_payable` when the payment succeeded meanwhile.
 */
export async function getPaymentLink(
  ctx: Ctx,
  { payment, call }: OpenAttempt,
  orderKey: string,
): Promise<Result<PaymentLink, PaymentError>> {
  if (payment.confirmationUrl !== null) return done({ confirmationUrl: payment.confirmationUrl, payment });
  const requesting = ctx.singleton("payment.requesting", () => new Map<string, Promise<Result<PaymentLink, PaymentError>>>());
  const running = requesting.get(payment.id);
  if (running) return shareWait(running);
  const request = shareRun(() => requestLink(ctx, payment, { ...call, orderKey }).finally(() => requesting.delete(payment.id)));
  requesting.set(payment.id, request);
  return shareWait(request);
}

async function requestLink(
  ctx: Ctx,
  payment: Payment,
  call: OpenAttempt["call"] & { orderKey: string },
): Promise<Result<PaymentLink, PaymentError>> {
  const {
    idempotenceKey,
    request: { orderNumber, receipt },
  } = call;
  const question = { askedAt: ctx.now(), leaseEnd: null };
  const returnUrl = new URL(call.request.returnUrl);
  returnUrl.searchParams.set("key", call.orderKey);
  try {
    const answer = await ctx.gateways.payment.create({
      idempotenceKey,
      orderId: payment.orderId,
      attemptId: payment.id,
      orderNumber,
      amount: payment.amount,
      method: payment.method as OnlineMethodName,
      returnUrl: returnUrl.href,
      receipt,
    });
    const updated = await applyProviderState(ctx, payment.id, answer, question);
    if (updated.state === "succeeded") return fail({ code: "order.not_payable" });
    if (updated.state === "canceled" || updated.confirmationUrl === null) return fail({ code: "payment.unavailable" });
    return done({ confirmationUrl: updated.confirmationUrl, payment: updated });
  } catch (error) {
    if (error instanceof PaymentRefused) await closeRefused(ctx, payment.id, error);
    // The same key goes with the next try.
    else ctx.log.warn({ ...faultFields(error), paymentId: payment.id }, "the payment provider gave no page");
    return fail({ code: "payment.unavailable" });
  }
}

/** The provider's refusal is final: closes the attempt, so that the next call makes a new one, and raises an alarm. */
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

/** Erases the buyer's personal data from payments, receipts and transfers of an order whose legal term is over. */
export async function erasePersonalData(tx: Tx, orderId: string): Promise<void> {
  await rows.eraseBuyer(tx, orderId);
  await erasePayer(tx, orderId);
}

/** The refunds of an order, whatever their state. */
export const refundsOfOrder = (db: Db, orderId: string): Promise<Refund[]> => refundRows.refundsOfOrder(db, orderId);

/**
 * Marks this payment as the one that pays its order. The caller has locked the order. Idempotent; throws for a payment that was refunded.
 */
export async function markKept(tx: Tx, paymentId: string): Promise<void> {
  const payment = await rows.lock(tx, paymentId);
  if (payment?.state !== "succeeded" || payment.isKept === "returned") throw new Error(`payment ${paymentId} has no money to keep`);
  await rows.saveKept(tx, paymentId, "kept");
}

/**
 * Records money that staff has received by transfer or at the desk, as a succeeded payment. In the same transaction, under the order's
 * lock, the caller decides whether it pays the order and what is refunded. Not idempotent: each call records new money.
 * `receiptMode`: of the receipt that the office prints; null for money that pays for nothing. `transferId`: the bank's payment order.
 */
export async function recordManualPayment(
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
    request: { orderNumber: money.orderNumber, returnUrl: "", receipt: money.receipt },
    nextCheckAt: null,
    transferId: money.transferId ?? null,
    actor: ctx.actor,
  });
  if (money.receiptMode) await createOfficeReceipt(tx, ctx, payment, money.receipt, money.receiptMode);
  return payment;
}

/**
 * Receives a webhook, which is only a hint that something may have changed. One about our payments or refunds is stored once and schedules
 * a status request, at most one in two seconds; any other is dropped. Calls no provider. Concurrent webhooks about one object use one
 * database connection.
 */
export async function receiveWebhook(ctx: Ctx, provider: string, raw: string): Promise<"stored" | "dropped"> {
  const gateway = ctx.gateways.payment;
  const notification = provider === gateway.provider ? gateway.readNotification(raw) : null;
  if (!notification) return "dropped";
  const coalesce = ctx.singleton("payment.webhooks", createCoalescer);
  return coalesce(`${notification.event} ${notification.objectId}`, () => storeWebhook(ctx, notification, raw));
}

async function storeWebhook(ctx: Ctx, notification: Notification, raw: string): Promise<"stored" | "dropped"> {
  const provider = ctx.gateways.payment.provider;
  const refund = notification.objectKind === "refund" ? await refundRows.refundByProviderId(ctx.db, notification.objectId) : null;
  const payment = notification.objectKind === "payment" ? await rows.byProviderId(ctx.db, provider, notification.objectId) : null;
  const paymentId = payment?.id ?? refund?.paymentId;
  if (!paymentId) return "dropped"; // also a refund whose creation is not answered yet: its own check is scheduled anyway

  const now = ctx.now();
  await inTransaction(ctx.db, async (tx) => {
    await rows.storeEvent(tx, { provider, paymentId, notification, body: raw, at: now });
    if (refund) {
      await refundRows.checkRefundSoon(tx, refund.id, plus(now, statusCheckInterval));
      // Money that goes back twice must not wait for the daily comparison.
      if (notification.status === "succeeded" && (await isRefusedThere(tx, refund)))
        await ctx.enqueue(tx, "payment.refund", { refundId: refund.id } satisfies PaymentJobs["payment.refund"]);
    }
    // A settled payment needs no status request: a webhook that claims another state is forged.
    else if (payment && isSettled(payment)) await judgeWebhooks(tx, ctx, { id: notification.objectId, status: payment.state }, now);
    else if ((await rows.checkSoon(tx, paymentId, now)) === "now")
      await ctx.enqueue(tx, "payment.check", { paymentId } satisfies PaymentJobs["payment.check"]);
  });
  return "stored";
}
