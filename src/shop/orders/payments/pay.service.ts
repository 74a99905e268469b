import { createCoalescer } from "#kit/concurrency/coalesce.ts";
import { inPipelinedTransaction, type QueryBatch, type Tx } from "#kit/db.ts";
import { minutes, plus } from "#kit/time.ts";
import { done, fail, type Result } from "#kit/result.ts";
import type { Ctx } from "#shop/context.ts";
import { paymentsAllowed } from "#shop/delivery/delivery.ts";
import { canBePaid, isOverLimit, methodById, receiptLinesMax, type Payment, type PaymentMethod } from "#shop/payment/payment.ts";
import * as payment from "#shop/payment/service.ts";
import { reservationEnd } from "../reservation/expire.service.ts";
import type { OrderError, Viewer } from "../order.ts";
import { keyOf, hasAccess } from "../read.service.ts";
import { receiptOf } from "../receipts/receipt.ts";
import * as rows from "../repository.ts";
import type { StoredOrder } from "../stored-order.repository.ts";

export type PayError =
  | Extract<OrderError, { code: "order.not_found" | "order.not_payable" }>
  | { code: "payment.not_allowed"; allowed: number[] }
  | { code: "payment.over_limit" }
  | { code: "payment.unavailable" };

type PayRequest = { orderId: string; viewer: Viewer; paymentId?: number };

/**
 * Returns the payment page of the viewer's order: of the attempt that can still be paid, or of a new one. `paymentId` changes the method.
 * Any number of calls make one attempt per method. New attempts are made in the first 30 minutes only; each extends the reservation to
 * 65 minutes from then. May take as long as the payment provider.
 *
 * Refuses with `order.not_found`, `order.not_payable` (paid, closed, too late, or nothing to pay online), `payment.not_allowed`,
 * `payment.over_limit`, and `payment.unavailable`: then the order is unchanged and the call may be repeated.
 */
export async function pay(ctx: Ctx, request: PayRequest): Promise<Result<{ confirmationUrl: string }, PayError>> {
  if (!hasAccess(ctx, request.orderId, request.viewer)) return fail({ code: "order.not_found" });
  // Equal concurrent calls share one run, so that they do not wait for the order's row on a connection each.
  const inTurn = ctx.singleton("orders.paying", createCoalescer);
  const step = await inTurn(JSON.stringify(request), () => openFreshAttempt(ctx, request));
  switch (step.kind) {
    case "refused":
      return step.refusal;
    case "late":
      return linkOfOpenAttempt(ctx, step);
    case "open":
      return linkOfAttempt(ctx, step);
    case "check_first":
      throw new Error("the status is fetched once");
  }
}

async function openFreshAttempt(ctx: Ctx, request: PayRequest): Promise<PayStep> {
  const step = await openAttempt(ctx, request, { isRefreshed: false });
  if (step.kind !== "check_first") return step;
  await payment.refreshAttempts(ctx, step.checks);
  return openAttempt(ctx, request, { isRefreshed: true });
}

type PayStep =
  | { kind: "refused"; refusal: Result<never, PayError> }
  | { kind: "late"; order: StoredOrder; method: PaymentMethod }
  /** The status of open attempts must be fetched first, outside the transaction. */
  | Extract<payment.Opening, { kind: "check_first" }>
  | (Extract<payment.Opening, { kind: "open" }> & { order: StoredOrder });

/**
 * Checks the viewer's order and opens the attempt in one transaction, so that the order cannot be paid or closed in between.
 * `isRefreshed`: the status of the open attempts was just fetched.
 */
function openAttempt(ctx: Ctx, request: PayRequest, { isRefreshed }: { isRefreshed: boolean }): Promise<PayStep> {
  return inPipelinedTransaction(ctx.db, async (tx): Promise<PayStep> => {
    const refused = (error: PayError): PayStep => ({ kind: "refused", refusal: fail(error) });
    const viewer = { viewer: request.viewer, now: ctx.now() };
    const { order, attempts } = await rows.lockWithAttempts(tx, request.orderId, viewer, payment.lockAttemptsBatch(tx, request.orderId));
    if (!order) return refused({ code: "order.not_found" });
    const method = methodById(request.paymentId ?? order.paymentMethodId);
    const notPayable = refused({ code: "order.not_payable", state: order.state });
    if (!isPayable(order, ctx.now()) || !method?.isOnline) return notPayable;
    const allowed = paymentsAllowed(order.deliveryId);
    if (!allowed.includes(method.id)) return refused({ code: "payment.not_allowed", allowed: [...allowed] });
    if (exceedsLimits(ctx, order, method)) return refused({ code: "payment.over_limit" });
    if (ctx.now() > plus(order.createdAt, minutes(ctx.settings.limits.paymentAttemptMinutes))) return { kind: "late", order, method };
    const opened = payment.openAttempt(tx, ctx, paymentRequest(ctx, { ...order, paymentMethodId: method.id }), { attempts, isRefreshed });
    if (!opened.ok) return opened.error.code === "order.not_payable" ? notPayable : refused(opened.error);
    const { writes, ...opening } = opened.value;
    if (opening.kind === "check_first") {
      await rows.saveAndCommit(tx, order.id, {}, writes);
      return opening;
    }
    // A link that is requested again is payable for longer, also when the provider does not answer.
    const payments = [...attempts.map((each) => each.payment), opening.attempt.payment];
    const change = { ...methodChange(ctx, order, method), ...extendedReservation(ctx, order, payments) };
    await rows.saveAndCommit(tx, order.id, change, writes);
    return { ...opening, order };
  });
}

/** The attempt that was opened with a new order; its provider is called after the commit. */
export type FirstAttempt = { order: Pick<StoredOrder, "id" | "state">; attempt: payment.OpenAttempt };

/**
 * Opens the first attempt of a new order, in the transaction that inserts it and executes `writes`: a transaction less than by `pay`. Null
 * when the order is not paid online, or when `pay` would refuse it.
 */
export function openFirstAttempt(tx: Tx, ctx: Ctx, order: StoredOrder): (FirstAttempt & { writes: QueryBatch<void>[] }) | null {
  const method = methodById(order.paymentMethodId);
  if (order.state !== "awaiting_payment" || !method?.isOnline || exceedsLimits(ctx, order, method)) return null;
  const opened = payment.openAttempt(tx, ctx, paymentRequest(ctx, order), { attempts: [], isRefreshed: true });
  if (!opened.ok || opened.value.kind !== "open") return null;
  return { order, attempt: opened.value.attempt, writes: opened.value.writes };
}

/** Returns the payment page of an open attempt, requested from the provider when it has none. */
export async function linkOfAttempt(ctx: Ctx, { order, attempt }: FirstAttempt): Promise<Result<{ confirmationUrl: string }, PayError>> {
  const link = await payment.getPaymentLink(ctx, attempt, keyOf(ctx, order.id));
  if (!link.ok) return fail(link.error.code === "order.not_payable" ? { code: "order.not_payable", state: order.state } : link.error);
  return done({ confirmationUrl: link.value.confirmationUrl });
}

/** When it is too late for a new attempt: returns the link that can still be paid, by its current status. */
async function linkOfOpenAttempt(
  ctx: Ctx,
  { order, method }: Extract<PayStep, { kind: "late" }>,
): Promise<Result<{ confirmationUrl: string }, PayError>> {
  await payment.checkOrder(ctx, order.id);
  const attempts = await payment.ofOrder(ctx.db, order.id);
  const isTaken = attempts.some((each) => each.state === "succeeded");
  const url = isTaken ? null : attempts.findLast((each) => each.method === method.name && canBePaid(each, ctx.now()))?.confirmationUrl;
  return url ? done({ confirmationUrl: url }) : fail({ code: "order.not_payable", state: order.state });
}

const isPayable = (order: StoredOrder, now: Date): boolean =>
  order.state === "awaiting_payment" && order.reservedUntil !== null && now < order.reservedUntil;

const exceedsLimits = (ctx: Ctx, order: StoredOrder, method: PaymentMethod): boolean =>
  isOverLimit(method, order.total, ctx.settings.limits) ||
  receiptOf(order, ctx.settings.seller.tax, "full_prepayment").lines.length > receiptLinesMax;

/** Stores the chosen method. After a change from an invoice to an online method the reservation follows the payment link. */
function methodChange(ctx: Ctx, order: StoredOrder, method: PaymentMethod): { paymentMethodId?: number; reservedUntil?: Date } {
  if (order.paymentMethodId === method.id) return {};
  const isFromInvoice = methodById(order.paymentMethodId)?.isOnline === false;
  return {
    paymentMethodId: method.id,
    ...(isFromInvoice ? { reservedUntil: plus(ctx.now(), minutes(ctx.settings.limits.paymentLifeMinutes)) } : {}),
  };
}

/** The reservation by the newest of these attempts, if it is later than the present one. */
function extendedReservation(ctx: Ctx, order: StoredOrder, attempts: readonly Payment[]): { reservedUntil?: Date } {
  const until = reservationEnd(ctx, attempts);
  return order.reservedUntil && until && until > order.reservedUntil ? { reservedUntil: until } : {};
}

/**
 * The request to start an attempt. The buyer returns by the order's own link; the key that opens it without a session is added when the
 * provider is called. `returned` informs the page that the provider may still be processing the payment.
 */
function paymentRequest(ctx: Ctx, order: StoredOrder): payment.PaymentRequest {
  const link = new URL("/thanks", ctx.settings.publicUrl);
  link.search = new URLSearchParams({ order: order.id, returned: "1" }).toString();
  return {
    orderId: order.id,
    orderNumber: String(order.number),
    methodId: order.paymentMethodId,
    amount: order.total,
    receipt: receiptOf(order, ctx.settings.seller.tax, "full_prepayment"),
    returnUrl: link.href,
  };
}
