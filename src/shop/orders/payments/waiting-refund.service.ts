import { inTransaction, type Tx } from "#kit/db.ts";
import { done, fail, type Result } from "#kit/result.ts";
import type { Ctx } from "#shop/context.ts";
import type { Refund, RefundTransferError } from "#shop/payment/payment.ts";
import * as payment from "#shop/payment/service.ts";
import { isClosed } from "../order.ts";
import * as rows from "../repository.ts";
import type { StoredOrder } from "../stored-order.repository.ts";
import { recordEvent } from "../returns/pieces.service.ts";

type WaitingRefundError = { code: "refund.not_found" } | { code: "refund.not_waiting" };
export type PaidByTransferError =
  | Exclude<RefundTransferError, { code: "refund.transfer_known" }>
  | { code: "order.transfer_known"; orderNumber: number };

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
 * Records that staff has paid a refund by a bank transfer that the provider had refused finally. Idempotent for the same payment order.
 * Locks the order, then its payments. Refuses as `payment.payRefusedByTransfer`; for a payment order of another order with its number.
 */
export function recordRefundTransfer(ctx: Ctx, paid: payment.RefundTransfer): Promise<Result<Refund, PaidByTransferError>> {
  return inTransaction(ctx.db, async (tx) => {
    const order = await rows.lock(tx, paid.orderId);
    if (!order) return fail({ code: "refund.not_found" });
    const recorded = await payment.payRefusedByTransfer(tx, ctx, paid);
    if (!recorded.ok) return fail(await withOrderNumber(tx, recorded.error));
    await recordSent(tx, ctx, order, [recorded.value]);
    return recorded;
  });
}

/**
 * Refuses what `recordRefundTransfer` would refuse now, for a transfer that is recorded later: when a second person has approved it.
 * `isRecorded`: it was recorded before. Locks the order for the rest of the transaction of `ctx.db`.
 */
export function checkRefundTransfer(ctx: Ctx, paid: payment.RefundTransfer): Promise<Result<{ isRecorded: boolean }, PaidByTransferError>> {
  return inTransaction(ctx.db, async (tx) => {
    if (!(await rows.lock(tx, paid.orderId))) return fail({ code: "refund.not_found" });
    const checked = await payment.checkRefusedForTransfer(tx, paid);
    return checked.ok ? done({ isRecorded: checked.value.owed === null }) : fail(await withOrderNumber(tx, checked.error));
  });
}

async function withOrderNumber(tx: Tx, error: RefundTransferError): Promise<PaidByTransferError> {
  if (error.code !== "refund.transfer_known") return error;
  return { code: "order.transfer_known", orderNumber: (await rows.numberById(tx, error.orderId)) ?? 0 };
}

/**
 * Adds a `refund` event to the history of a closed order, once, when the refund of its cancellation or return was sent. Other refunds add
 * none: a surplus never paid for the order, and a part has an event of its own.
 */
async function recordSent(tx: Tx, ctx: Ctx, order: StoredOrder, sent: readonly Refund[]): Promise<void> {
  const isWhole = sent.some(({ cause }) => cause === "cancelled" || cause === "returned");
  const isOwed = isClosed(order.state) && order.paid > 0;
  if (isWhole && isOwed && !order.history.some((entry) => entry.event === "refund")) await recordEvent(tx, ctx, order, "refund");
}

/**
 * Sends a refund again that the provider refused finally, or checks one at once about which it has not answered.
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
