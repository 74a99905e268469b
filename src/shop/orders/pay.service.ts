import { inTransaction } from "#kit/db.ts";
import { minutes, plus } from "#kit/time.ts";
import { done, fail, type Result } from "#kit/result.ts";
import type { Ctx } from "#shop/context.ts";
import { paymentsAllowed } from "#shop/delivery/delivery.ts";
import { isLiving, isOverLimit, methodById, receiptLinesMax, type PaymentMethod } from "#shop/payment/payment.ts";
import * as payment from "#shop/payment/service.ts";
import { heldUntil } from "./expire.service.ts";
import type { OrderError, Viewer } from "./order.ts";
import { keyOf, mayAsk } from "./read.service.ts";
import { receiptOf } from "./receipt.ts";
import * as rows from "./repository.ts";
import type { StoredOrder } from "./repository.ts";

export type PayError =
  | Extract<OrderError, { code: "order.not_found" | "order.not_payable" }>
  | { code: "payment.not_allowed"; allowed: number[] }
  | { code: "payment.over_limit" }
  | { code: "payment.unavailable" };

/**
 * Where the viewer pays his order: the page of the living attempt, or of a new one, by `paymentId` if he wants another way than he chose.
 * Any number of calls make one attempt per way to pay. New attempts only in the first 30 minutes; each holds the coins for 65 more.
 * May take as long as the payment provider.
 *
 * Refuses with `order.not_found`, `order.not_payable` (paid, closed, too late, or nothing to pay online), `payment.not_allowed`,
 * `payment.over_limit`, and `payment.unavailable`: then the order stands and the call may be repeated.
 */
export async function pay(ctx: Ctx, ask: { orderId: string; viewer: Viewer; paymentId?: number }): Promise<Result<{ confirmationUrl: string }, PayError>> {
  if (!mayAsk(ctx, ask.orderId, ask.viewer)) return fail({ code: "order.not_found" });
  const order = await rows.find(ctx.db, ask.orderId, ask.viewer, ctx.now());
  if (!order) return fail({ code: "order.not_found" });
  const notPayable = fail({ code: "order.not_payable" as const, state: order.state });
  const method = methodById(ask.paymentId ?? order.paymentMethodId);
  if (!isPayable(order, ctx.now()) || !method?.isOnline) return notPayable;
  const allowed = paymentsAllowed(order.deliveryId);
  if (!allowed.includes(method.id)) return fail({ code: "payment.not_allowed", allowed: [...allowed] });
  if (isTooMuch(ctx, order, method)) return fail({ code: "payment.over_limit" });

  const lastStart = plus(order.createdAt, minutes(ctx.settings.limits.paymentAttemptMinutes));
  if (ctx.now() > lastStart) {
    const url = await openLink(ctx, order, method);
    return url ? done({ confirmationUrl: url }) : notPayable;
  }
  const held = await hold(ctx, order.id, method);
  if (!held) return notPayable;
  const started = await payment.start(ctx, startAsk(ctx, held));
  await holdForNewest(ctx, order.id);
  if (!started.ok) return started.error.code === "order.not_payable" ? notPayable : fail(started.error);
  return done({ confirmationUrl: started.value.confirmationUrl });
}

const isPayable = (order: StoredOrder, now: Date): boolean => order.state === "awaiting_payment" && order.reservedUntil !== null && now < order.reservedUntil;

const isTooMuch = (ctx: Ctx, order: StoredOrder, method: PaymentMethod): boolean =>
  isOverLimit(method, order.total, ctx.settings.limits) || receiptOf(order).lines.length > receiptLinesMax;

/** After the last moment for a new attempt: the link that can still be paid, as the provider sees it now. */
async function openLink(ctx: Ctx, order: StoredOrder, method: PaymentMethod): Promise<string | null> {
  await payment.checkOrder(ctx, order.id);
  const attempts = await payment.ofOrder(ctx.db, order.id);
  if (attempts.some((each) => each.state === "succeeded")) return null;
  return attempts.findLast((each) => each.method === method.name && isLiving(each, ctx.now()))?.confirmationUrl ?? null;
}

/** Notes the chosen way to pay, under the lock: null when the order was paid or closed meanwhile. */
function hold(ctx: Ctx, orderId: string, method: PaymentMethod): Promise<StoredOrder | null> {
  return inTransaction(ctx.db, async (tx) => {
    const order = await rows.lock(tx, orderId);
    if (!order || !isPayable(order, ctx.now())) return null;
    if (order.paymentMethodId === method.id) return order;
    // From an invoice to a card: the coins are held for the card from here, no longer for the transfer.
    const isFromInvoice = methodById(order.paymentMethodId)?.isOnline === false;
    const change = { paymentMethodId: method.id, ...(isFromInvoice ? { reservedUntil: plus(ctx.now(), minutes(ctx.settings.limits.paymentLifeMinutes)) } : {}) };
    await rows.save(tx, orderId, change);
    return { ...order, ...change };
  });
}

/** The reservation outlives the newest attempt's link. */
async function holdForNewest(ctx: Ctx, orderId: string): Promise<void> {
  await inTransaction(ctx.db, async (tx) => {
    const [order, attempts] = await Promise.all([rows.lock(tx, orderId), payment.ofOrder(tx, orderId)]);
    const until = heldUntil(ctx, attempts);
    if (order?.state === "awaiting_payment" && order.reservedUntil && until && until > order.reservedUntil) await rows.save(tx, orderId, { reservedUntil: until });
  });
}

/** What the payment module needs to begin an attempt. The buyer comes back by the order's own link, which works without a session. */
function startAsk(ctx: Ctx, order: StoredOrder): payment.StartPayment {
  const link = new URL("/thanks", ctx.settings.publicUrl);
  link.search = new URLSearchParams({ order: order.id, key: keyOf(ctx, order.id) }).toString();
  return {
    orderId: order.id, orderNumber: String(order.number), methodId: order.paymentMethodId, amount: order.total,
    receipt: receiptOf(order), returnUrl: link.href,
  };
}
