import { inTransaction, type Tx } from "#kit/db.ts";
import { add, type Kopecks } from "#kit/money.ts";
import type { Ctx } from "#shop/context.ts";
import type { Payment } from "#shop/payment/payment.ts";
import * as payment from "#shop/payment/service.ts";
import type { Order, Viewer } from "../order.ts";
import { find } from "../read.service.ts";
import * as rows from "../repository.ts";
import type { StoredOrder } from "../stored-order.repository.ts";
import { advance } from "../transition.service.ts";
import { notifyMoneyReturned } from "../messages/messages.service.ts";

/**
 * Decides about a succeeded payment under the order's lock: the first one pays the order; a later one, or one for a closed order, is
 * refunded in full and the buyer is notified. Idempotent: a payment is decided once. A cancelled or expired order stays closed.
 */
export function markPaid(ctx: Ctx, payload: { orderId: string; paymentId: string }): Promise<void> {
  return inTransaction(ctx.db, async (tx) => {
    const order = await rows.lock(tx, payload.orderId);
    if (!order) throw new Error(`money was taken for order ${payload.orderId}, which does not exist`);
    const attempts = await payment.ofOrder(tx, order.id);
    const taken = attempts.find((each) => each.id === payload.paymentId);
    if (taken?.state !== "succeeded" || taken.isKept !== "undecided") return;
    const hasOther = attempts.some((each) => each.isKept === "kept");
    await keepOrReturn(tx, ctx, order, taken, hasOther);
  });
}

/** The caller has locked the order. */
async function keepOrReturn(tx: Tx, ctx: Ctx, order: StoredOrder, taken: Payment, hasOther: boolean): Promise<void> {
  if (taken.amount !== order.total) throw new Error(`payment ${taken.id} is not the total of its order`);
  const byProvider: Ctx = { ...ctx, actor: { kind: "provider", name: taken.provider } };
  if (order.state === "awaiting_payment" && !hasOther) {
    await payment.markKept(tx, taken.id);
    await advance(tx, byProvider, order, "pay", { paid: taken.amount, paidAt: taken.settledAt ?? ctx.now() });
  } else {
    await payment.refundPayment(tx, byProvider, taken.id, hasOther ? "second_money" : "late_money");
  }
}

/** Records a settled refund on its order, as far as it concerns kept money, and notifies the buyer. Idempotent. */
export function recordRefund(ctx: Ctx, payload: { orderId: string; paymentId: string; refundId?: string; amount: Kopecks }): Promise<void> {
  return inTransaction(ctx.db, async (tx) => {
    const order = await rows.lock(tx, payload.orderId);
    const attempts = await payment.ofOrder(tx, payload.orderId);
    const returned = attempts.find((each) => each.id === payload.paymentId);
    if (!order || !returned) throw new Error(`money went back for order ${payload.orderId}, which does not have it`);
    if (returned.isKept === "kept")
      await rows.save(tx, order.id, { refunded: add(...attempts.filter((each) => each.isKept === "kept").map((each) => each.refunded)) });
    const isSurplus = returned.isKept !== "kept" && order.state !== "cancelled" && order.paid > 0;
    // Several refunds may have settled by now, so the refunded sum does not distinguish them.
    const about = `refund:${returned.id}:${payload.refundId ?? returned.refunded}`;
    const isByTransfer = payload.refundId !== undefined && (await payment.transfersOfRefunds(tx, [payload.refundId])).has(payload.refundId);
    await notifyMoneyReturned(tx, ctx, order, { about, amount: payload.amount, isSurplus, isByTransfer });
  });
}

/** Applies all confirmed payments of an order that are not decided yet, without waiting for their `payment.settled` jobs. */
export async function recordConfirmedPayments(ctx: Ctx, orderId: string): Promise<void> {
  for (const each of await payment.ofOrder(ctx.db, orderId)) {
    if (each.state === "succeeded" && each.isKept === "undecided") await markPaid(ctx, { orderId, paymentId: each.id });
  }
}

/**
 * Fetches the status of the order's open attempts (at most once in two seconds), applies it and returns the order, for the page to which
 * buyers return after paying. Null as `find`. In an outage of the provider it returns the stored order with `isCertain` false.
 * A payment of a cancelled order is noticed too, so that the page can say that the money goes back.
 */
export async function refreshPayment(
  ctx: Ctx,
  request: { orderId: string; viewer: Viewer },
): Promise<{ order: Order; isCertain: boolean } | null> {
  const order = await find(ctx, request.orderId, request.viewer);
  if (order?.state !== "awaiting_payment" && order?.state !== "cancelled") return order && { order, isCertain: true };
  const { isCertain } = await payment.checkOrder(ctx, order.id);
  await recordConfirmedPayments(ctx, order.id);
  return { order: (await find(ctx, request.orderId, request.viewer)) ?? order, isCertain };
}
