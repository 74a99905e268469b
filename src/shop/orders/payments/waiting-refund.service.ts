import { inTransaction, type Tx } from "#kit/db.ts";
import { done, fail, type Result } from "#kit/result.ts";
import type { Ctx } from "#shop/context.ts";
import type { Refund } from "#shop/payment/payment.ts";
import * as payment from "#shop/payment/service.ts";
import { isClosed } from "../order.ts";
import * as rows from "../repository.ts";
import type { StoredOrder } from "../repository.ts";
import { recordEvent } from "../returns/pieces.service.ts";

type WaitingRefundError = { code: "refund.not_found" } | { code: "refund.not_waiting" };

/**
 * Sends the order's refused refunds again and settles its refunds by hand, once staff has sent the money. Makes no new refund: what else is
 * left of the money is another decision. False when nothing waited. The caller has locked the order.
 */
export async function settleWaitingRefunds(tx: Tx, ctx: Ctx, order: StoredOrder): Promise<boolean> {
  const retried = await payment.retryRefunds(tx, ctx, order.id);
  const sent = await payment.confirmRefundsByHand(tx, ctx, order.id);
  await recordSent(tx, ctx, order, sent);
  return retried > 0 || sent.length > 0;
}

/**
 * Settles one refund by hand, once staff has sent the money. Idempotent. Locks the order, then its payments.
 * Refuses with `refund.not_found`, and with `refund.not_waiting` for a refund that the provider makes.
 */
export async function confirmRefundSent(ctx: Ctx, refundId: string): Promise<Result<{ orderId: string }, WaitingRefundError>> {
  const refund = await payment.findRefund(ctx.db, refundId);
  if (!refund) return fail({ code: "refund.not_found" });
  return inTransaction(ctx.db, async (tx) => {
    const order = await rows.lock(tx, refund.orderId);
    if (!order) return fail({ code: "refund.not_found" });
    const sent = await payment.confirmRefundsByHand(tx, ctx, order.id, refundId);
    if (sent.length === 0) {
      const now = await payment.findRefund(tx, refundId);
      return now?.state === "succeeded" ? done({ orderId: order.id }) : fail({ code: "refund.not_waiting" });
    }
    await recordSent(tx, ctx, order, sent);
    return done({ orderId: order.id });
  });
}

/**
 * Adds to the history of a closed order, once, that its money was sent back. A surplus never paid for the order, and a part has an event of
 * its own: neither says what becomes of the rest.
 */
async function recordSent(tx: Tx, ctx: Ctx, order: StoredOrder, sent: readonly Refund[]): Promise<void> {
  const isWhole = sent.some(({ cause }) => cause === "cancelled" || cause === "returned");
  const isOwed = isClosed(order.state) && order.paid > 0;
  if (isWhole && isOwed && !order.history.some((entry) => entry.event === "refund")) await recordEvent(tx, ctx, order, "refund");
}

/**
 * Sends a refund again that the provider refused for good, or checks one at once about which it has not answered.
 * Refuses with `refund.not_found`, and with `refund.not_waiting` when there is nothing left to refund or nothing to try.
 */
export async function retryRefund(ctx: Ctx, refundId: string): Promise<Result<{ orderId: string }, WaitingRefundError>> {
  const refund = await payment.findRefund(ctx.db, refundId);
  if (!refund) return fail({ code: "refund.not_found" });
  return inTransaction(ctx.db, async (tx) => {
    const order = await rows.lock(tx, refund.orderId);
    if (!order) return fail({ code: "refund.not_found" });
    const isTried = (await payment.retryRefunds(tx, ctx, order.id, refundId)) > 0 || (await payment.checkStuckRefund(tx, ctx, refundId));
    return isTried ? done({ orderId: order.id }) : fail({ code: "refund.not_waiting" });
  });
}
