import { inTransaction } from "#kit/db.ts";
import { minutes, plus, seconds } from "#kit/time.ts";
import type { Ctx } from "#shop/context.ts";
import { byHand, type Payment } from "#shop/payment/payment.ts";
import * as payment from "#shop/payment/service.ts";
import { settle } from "../payments/settle.service.ts";
import { unpaidStates } from "../order.ts";
import * as rows from "../repository.ts";
import { advance } from "../transition.service.ts";

const atOnce = 20;
/** When an order that could not be judged is looked at again. */
const pause = seconds(15);

/**
 * Lets the coins of unpaid orders go whose time has passed. For the sweep; several processes may do it at once.
 * A fault in one order must not keep the others' coins: it is logged, and the order is looked at again at the next turn.
 */
export async function expireDue(ctx: Ctx): Promise<void> {
  for (const orderId of await rows.due(ctx.db, ctx.now(), atOnce)) {
    await expire(ctx, orderId).catch((error: unknown) => ctx.log.error({ err: error, orderId }, "an order could not be expired"));
  }
}

/**
 * Expires one order, once. Asks the provider first, outside the lock: money that came in the last minute pays the order.
 * While the provider cannot be asked, or holds the money, the order stays; a link that is still open does not keep it (its money would go back).
 */
async function expire(ctx: Ctx, orderId: string): Promise<void> {
  const { isCertain } = await payment.checkOrder(ctx, orderId);
  await settle(ctx, orderId);
  await inTransaction(ctx.db, async (tx) => {
    const order = await rows.lock(tx, orderId);
    const isUnpaid = order && (unpaidStates as readonly string[]).includes(order.state);
    if (!order || !isUnpaid || !order.reservedUntil || order.reservedUntil > ctx.now()) return;
    const attempts = await payment.ofOrder(tx, orderId);
    const until = heldUntil(ctx, attempts);
    const isOpenQuestion =
      !isCertain ||
      attempts.some((each) => each.state === "waiting_for_capture" || (each.state === "succeeded" && each.isKept === "undecided"));
    if (until && until > ctx.now()) await rows.save(tx, orderId, { reservedUntil: until });
    else if (isOpenQuestion) await rows.save(tx, orderId, { reservedUntil: plus(ctx.now(), pause) });
    else await advance(tx, ctx, order, "expire");
  });
}

/** The end of the reservation by the newest attempt: its link may be paid for an hour. */
export function heldUntil(ctx: Ctx, attempts: readonly Payment[]): Date | null {
  const newest = Math.max(...attempts.filter((each) => each.provider !== byHand).map((each) => each.requestedAt.getTime()));
  return Number.isFinite(newest) ? plus(new Date(newest), minutes(ctx.settings.limits.paymentLifeMinutes)) : null;
}
