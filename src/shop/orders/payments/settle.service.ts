import { inTransaction, type Tx } from "#kit/db.ts";
import { add, type Kopecks } from "#kit/money.ts";
import type { Ctx } from "#shop/context.ts";
import type { Payment } from "#shop/payment/payment.ts";
import * as payment from "#shop/payment/service.ts";
import type { Order, Viewer } from "../order.ts";
import { find } from "../read.service.ts";
import * as rows from "../repository.ts";
import type { StoredOrder } from "../repository.ts";
import { advance } from "../transition.service.ts";
import { tellMoneyReturned } from "../messages/messages.service.ts";

/**
 * Decides about money that was taken for an order, under the order's lock: the first success pays it, everything after that,
 * and everything that comes when the order is closed, goes back in full and is told to the buyer.
 * Safe to repeat: a payment is decided about once. Nothing that was cancelled or expired comes to life again.
 */
export function markPaid(ctx: Ctx, news: { orderId: string; paymentId: string }): Promise<void> {
  return inTransaction(ctx.db, async (tx) => {
    const order = await rows.lock(tx, news.orderId);
    if (!order) throw new Error(`money was taken for order ${news.orderId}, which does not exist`);
    const attempts = await payment.ofOrder(tx, order.id);
    const taken = attempts.find((each) => each.id === news.paymentId);
    if (taken?.state !== "succeeded" || taken.isKept !== "undecided") return;
    const hasOther = attempts.some((each) => each.isKept === "kept");
    await decide(tx, ctx, order, taken, hasOther);
  });
}

/** The caller holds the order. */
async function decide(tx: Tx, ctx: Ctx, order: StoredOrder, taken: Payment, hasOther: boolean): Promise<void> {
  if (taken.amount !== order.total) throw new Error(`payment ${taken.id} is not the total of its order`);
  const byProvider: Ctx = { ...ctx, actor: { kind: "provider", name: taken.provider } };
  if (order.state === "awaiting_payment" && !hasOther) {
    await payment.keep(tx, taken.id);
    await advance(tx, byProvider, order, "pay", { paid: taken.amount, paidAt: taken.settledAt ?? ctx.now() });
  } else {
    await payment.returnMoney(tx, byProvider, taken.id, hasOther ? "second_money" : "late_money");
  }
}

/** Money of an order has gone back to the buyer: records how much of what was kept, and tells him. Safe to repeat. */
export function recordRefund(ctx: Ctx, news: { orderId: string; paymentId: string; amount: Kopecks }): Promise<void> {
  return inTransaction(ctx.db, async (tx) => {
    const order = await rows.lock(tx, news.orderId);
    const attempts = await payment.ofOrder(tx, news.orderId);
    const returned = attempts.find((each) => each.id === news.paymentId);
    if (!order || !returned) throw new Error(`money went back for order ${news.orderId}, which does not have it`);
    if (returned.isKept === "kept")
      await rows.save(tx, order.id, { refunded: add(...attempts.filter((each) => each.isKept === "kept").map((each) => each.refunded)) });
    const isSurplus = returned.isKept !== "kept" && order.state !== "cancelled" && order.paid > 0;
    await tellMoneyReturned(tx, ctx, order, { about: `refund:${returned.id}:${returned.refunded}`, amount: news.amount, isSurplus });
  });
}

/** Records all money of an order that the provider has confirmed but the order has not heard of yet, without waiting for the news. */
export async function settle(ctx: Ctx, orderId: string): Promise<void> {
  for (const each of await payment.ofOrder(ctx.db, orderId)) {
    if (each.state === "succeeded" && each.isKept === "undecided") await markPaid(ctx, { orderId, paymentId: each.id });
  }
}

/**
 * For the page that buyers come back to: asks the provider about the open attempts (at most once in two seconds), records what
 * he says and answers the order as it then stands; null as `find`. An outage of the provider is no error: the order is as we know it,
 * and `isCertain` is false.
 */
export async function lookAgain(ctx: Ctx, ask: { orderId: string; viewer: Viewer }): Promise<{ order: Order; isCertain: boolean } | null> {
  const order = await find(ctx, ask.orderId, ask.viewer);
  if (order?.state !== "awaiting_payment") return order && { order, isCertain: true };
  const { isCertain } = await payment.checkOrder(ctx, order.id);
  await settle(ctx, order.id);
  return { order: (await find(ctx, ask.orderId, ask.viewer)) ?? order, isCertain };
}
