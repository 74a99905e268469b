import { createCoalescer } from "#kit/coalesce.ts";
import { inTransaction } from "#kit/db.ts";
import { minutes, plus } from "#kit/time.ts";
import { done, fail, type Result } from "#kit/result.ts";
import type { Ctx } from "#shop/context.ts";
import { paymentsAllowed } from "#shop/delivery/delivery.ts";
import { isLiving, isOverLimit, methodById, receiptLinesMax, type Payment, type PaymentMethod } from "#shop/payment/payment.ts";
import * as payment from "#shop/payment/service.ts";
import { heldUntil } from "../reservation/expire.service.ts";
import type { OrderError, Viewer } from "../order.ts";
import { keyOf, mayAsk } from "../read.service.ts";
import { receiptOf } from "../receipts/receipt.ts";
import * as rows from "../repository.ts";
import type { StoredOrder } from "../repository.ts";

export type PayError =
  | Extract<OrderError, { code: "order.not_found" | "order.not_payable" }>
  | { code: "payment.not_allowed"; allowed: number[] }
  | { code: "payment.over_limit" }
  | { code: "payment.unavailable" };

type Ask = { orderId: string; viewer: Viewer; paymentId?: number };

/**
 * Where the viewer pays his order: the page of the living attempt, or of a new one, by `paymentId` if he wants another way than he chose.
 * Any number of calls make one attempt per way to pay. New attempts only in the first 30 minutes; each holds the coins for 65 more.
 * May take as long as the payment provider.
 *
 * Refuses with `order.not_found`, `order.not_payable` (paid, closed, too late, or nothing to pay online), `payment.not_allowed`,
 * `payment.over_limit`, and `payment.unavailable`: then the order stands and the call may be repeated.
 */
export async function pay(ctx: Ctx, ask: Ask): Promise<Result<{ confirmationUrl: string }, PayError>> {
  if (!mayAsk(ctx, ask.orderId, ask.viewer)) return fail({ code: "order.not_found" });
  // Twenty presses of the button wait here for each other, not with twenty connections on the order's row.
  const inTurn = ctx.singleton("orders.paying", createCoalescer);
  const begun = await inTurn(JSON.stringify(ask), () => beginSurely(ctx, ask));
  switch (begun.kind) {
    case "refused":
      return begun.refusal;
    case "late":
      return late(ctx, begun);
    case "open":
      return opened(ctx, begun);
    case "ask":
      throw new Error("the provider is asked once");
  }
}

async function beginSurely(ctx: Ctx, ask: Ask): Promise<Begun> {
  const begun = await begin(ctx, ask, { isRefreshed: false });
  if (begun.kind !== "ask") return begun;
  await payment.refresh(ctx, begun.questions);
  return begin(ctx, ask, { isRefreshed: true });
}

type Begun =
  | { kind: "refused"; refusal: Result<never, PayError> }
  | { kind: "late"; order: StoredOrder; method: PaymentMethod }
  /** The provider must be asked first, which nobody does with a row in his hand. */
  | Extract<payment.Opening, { kind: "ask" }>
  | (Extract<payment.Opening, { kind: "open" }> & { order: StoredOrder });

/** Judges the viewer's order and opens the attempt, in one transaction: nothing can be paid or closed between. `isRefreshed`: the provider was just asked about the attempts that are open. */
function begin(ctx: Ctx, ask: Ask, { isRefreshed }: { isRefreshed: boolean }): Promise<Begun> {
  return inTransaction(ctx.db, async (tx): Promise<Begun> => {
    const refused = (error: PayError): Begun => ({ kind: "refused", refusal: fail(error) });
    const viewer = { viewer: ask.viewer, now: ctx.now() };
    const { order, attempts } = await rows.lockWithAttempts(tx, ask.orderId, viewer, payment.lockAttemptsBatch(tx, ask.orderId));
    if (!order) return refused({ code: "order.not_found" });
    const method = methodById(ask.paymentId ?? order.paymentMethodId);
    const notPayable = refused({ code: "order.not_payable", state: order.state });
    if (!isPayable(order, ctx.now()) || !method?.isOnline) return notPayable;
    const allowed = paymentsAllowed(order.deliveryId);
    if (!allowed.includes(method.id)) return refused({ code: "payment.not_allowed", allowed: [...allowed] });
    if (isTooMuch(ctx, order, method)) return refused({ code: "payment.over_limit" });
    if (ctx.now() > plus(order.createdAt, minutes(ctx.settings.limits.paymentAttemptMinutes))) return { kind: "late", order, method };
    const opening = await payment.open(tx, ctx, startAsk(ctx, { ...order, paymentMethodId: method.id }), { attempts, isRefreshed });
    if (!opening.ok) return opening.error.code === "order.not_payable" ? notPayable : refused(opening.error);
    if (opening.value.kind === "ask") return opening.value;
    const change = { ...chosenWay(ctx, order, method), ...heldFor(ctx, order, [...attempts, opening.value.attempt.payment]) };
    if (Object.keys(change).length > 0) await rows.save(tx, order.id, change);
    return { ...opening.value, order };
  });
}

async function opened(
  ctx: Ctx,
  { order, attempt }: Extract<Begun, { kind: "open" }>,
): Promise<Result<{ confirmationUrl: string }, PayError>> {
  const link = await payment.linkOf(ctx, attempt, keyOf(ctx, order.id));
  // An attempt that is older and was asked for again lives longer; whether it was, nobody knows when there is no answer.
  const isLonger = link.ok ? link.value.payment.requestedAt > attempt.payment.requestedAt : attempt.known === null;
  if (isLonger) await holdForNewest(ctx, order.id);
  if (!link.ok) return fail(link.error.code === "order.not_payable" ? { code: "order.not_payable", state: order.state } : link.error);
  return done({ confirmationUrl: link.value.confirmationUrl });
}

/** After the last moment for a new attempt: the link that can still be paid, as the provider sees it now. */
async function late(ctx: Ctx, { order, method }: Extract<Begun, { kind: "late" }>): Promise<Result<{ confirmationUrl: string }, PayError>> {
  await payment.checkOrder(ctx, order.id);
  const attempts = await payment.ofOrder(ctx.db, order.id);
  const isTaken = attempts.some((each) => each.state === "succeeded");
  const url = isTaken ? null : attempts.findLast((each) => each.method === method.name && isLiving(each, ctx.now()))?.confirmationUrl;
  return url ? done({ confirmationUrl: url }) : fail({ code: "order.not_payable", state: order.state });
}

const isPayable = (order: StoredOrder, now: Date): boolean =>
  order.state === "awaiting_payment" && order.reservedUntil !== null && now < order.reservedUntil;

const isTooMuch = (ctx: Ctx, order: StoredOrder, method: PaymentMethod): boolean =>
  isOverLimit(method, order.total, ctx.settings.limits) ||
  receiptOf(order, ctx.settings.seller.tax, "full_prepayment").lines.length > receiptLinesMax;

/** From an invoice to a card: the coins are held for the card from here, no longer for the transfer. */
function chosenWay(ctx: Ctx, order: StoredOrder, method: PaymentMethod): { paymentMethodId?: number; reservedUntil?: Date } {
  if (order.paymentMethodId === method.id) return {};
  const isFromInvoice = methodById(order.paymentMethodId)?.isOnline === false;
  return {
    paymentMethodId: method.id,
    ...(isFromInvoice ? { reservedUntil: plus(ctx.now(), minutes(ctx.settings.limits.paymentLifeMinutes)) } : {}),
  };
}

/** How long the newest of these attempts holds the coins, if that is longer than they are held. */
function heldFor(ctx: Ctx, order: StoredOrder, attempts: readonly Payment[]): { reservedUntil?: Date } {
  const until = heldUntil(ctx, attempts);
  return order.reservedUntil && until && until > order.reservedUntil ? { reservedUntil: until } : {};
}

/** The reservation outlives the newest attempt's link. */
async function holdForNewest(ctx: Ctx, orderId: string): Promise<void> {
  await inTransaction(ctx.db, async (tx) => {
    const order = await rows.lock(tx, orderId);
    if (order?.state !== "awaiting_payment") return;
    const change = heldFor(ctx, order, await payment.ofOrder(tx, orderId));
    if (change.reservedUntil) await rows.save(tx, orderId, change);
  });
}

/**
 * What the payment module needs to begin an attempt. The buyer comes back by the order's own link; the key that opens it without a session
 * is added when the provider is called. `returned` tells the page that the provider may still be busy with the payment.
 */
function startAsk(ctx: Ctx, order: StoredOrder): payment.StartPayment {
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
