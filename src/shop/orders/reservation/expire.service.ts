import { inTransaction, type Expression } from "#kit/db.ts";
import { minutes, plus, seconds } from "#kit/time.ts";
import type { Ctx } from "#shop/context.ts";
import { byHand, type Payment } from "#shop/payment/payment.ts";
import * as payment from "#shop/payment/service.ts";
import { recordConfirmedPayments } from "../payments/settle.service.ts";
import { unpaidStates } from "../order.ts";
import * as rows from "../repository.ts";
import { advance } from "../transition.service.ts";

const batchSize = 20;
/** When an order whose payment status is uncertain is checked again. */
const retryDelay = seconds(15);

/**
 * Cancels unpaid orders whose reservation has ended and releases their coins. For the sweep; several processes may run it at once.
 * An error in one order is logged and does not stop the others; the next run tries that order again.
 */
export async function expireDue(ctx: Ctx): Promise<void> {
  for (const orderId of await rows.dueForExpiry(ctx.db, ctx.now(), batchSize)) {
    await expire(ctx, orderId).catch((error: unknown) => ctx.log.error({ err: error, orderId }, "an order could not be expired"));
  }
}

/** Whether `expireDue` has something to do. */
export const hasDueForExpiry = (ctx: Ctx): Expression => rows.hasDueForExpiry(ctx.now());

/**
 * Expires one order, once. First fetches the payment status outside the lock: a payment of the last minute pays the order.
 * The order stays while the provider does not answer or holds the money. An open link does not keep it: a later payment is refunded.
 */
async function expire(ctx: Ctx, orderId: string): Promise<void> {
  const { isCertain } = await payment.checkOrder(ctx, orderId);
  await recordConfirmedPayments(ctx, orderId);
  await inTransaction(ctx.db, async (tx) => {
    const order = await rows.lock(tx, orderId);
    const isUnpaid = order && (unpaidStates as readonly string[]).includes(order.state);
    if (!order || !isUnpaid || !order.reservedUntil || order.reservedUntil > ctx.now()) return;
    const attempts = await payment.ofOrder(tx, orderId);
    const until = reservationEnd(ctx, attempts);
    const isOpenQuestion =
      !isCertain ||
      attempts.some((each) => each.state === "waiting_for_capture" || (each.state === "succeeded" && each.isKept === "undecided"));
    if (until && until > ctx.now()) await rows.save(tx, orderId, { reservedUntil: until });
    else if (isOpenQuestion) await rows.save(tx, orderId, { reservedUntil: plus(ctx.now(), retryDelay) });
    else await advance(tx, ctx, order, "expire");
  });
}

/** The end of the reservation by the newest attempt, whose link can be paid for an hour; null without an online attempt. */
export function reservationEnd(ctx: Ctx, attempts: readonly Payment[]): Date | null {
  const newest = Math.max(...attempts.filter((each) => each.provider !== byHand).map((each) => each.requestedAt.getTime()));
  return Number.isFinite(newest) ? plus(new Date(newest), minutes(ctx.settings.limits.paymentLifeMinutes)) : null;
}
