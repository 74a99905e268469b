import type { Db, Tx } from "#kit/db.ts";
import { randomId } from "#kit/ids.ts";
import type { Kopecks } from "#kit/money.ts";
import { done, fail, type Result } from "#kit/result.ts";
import { step } from "#kit/transitions.ts";
import type { Ctx } from "#shop/context.ts";
import type { ReceiptMode } from "../gateway.ts";
import { refundStates, type Payment, type PaymentJobs, type PaymentOrder, type Refund, type RefundTransferError } from "../payment.ts";
import { takeAgain } from "../receipts/receipt-part.ts";
import { hasHandover } from "../receipts/receipts.repository.ts";
import * as rows from "../repository.ts";
import * as refundRows from "./refunds.repository.ts";
import * as transferRows from "./refund-transfers.repository.ts";
import { type RefundShare, receiptLinesOf } from "./refund-plan.service.ts";
import { keyOfRefund, settleRefund } from "./refund.service.ts";

/**
 * Sends an order's refunds again that the provider refused finally (the shop's balance was too low, the buyer's account is closed),
 * each under a new key; returns their number. A refund of everything is sent with what is left of its payment now, because staff may have
 * refunded a part since; a partial refund keeps its pieces, and is skipped when it no longer fits. `only`: this one. Only staff starts it.
 */
export async function retryRefunds(tx: Tx, ctx: Ctx, orderId: string, only?: string): Promise<number> {
  const attempts = new Map((await rows.lockOfOrder(tx, orderId)).map((each) => [each.id, each]));
  // The largest first: the refund of a whole order covers the partial refunds that were refused before it, not the other way round.
  const failed = (await refundRows.refundsOfOrder(tx, orderId))
    .filter((each) => each.state === "canceled" && (only === undefined || each.id === only))
    .sort((a, b) => b.amount - a.amount);
  let retried = 0;
  for (const refund of failed) {
    const { id, paymentId } = refund;
    const payment = attempts.get(paymentId);
    const owed = payment && (await stillOwed(tx, payment, refund));
    if (!owed) continue; // refunded another way meanwhile
    await refundRows.saveRefund(tx, id, {
      state: "new",
      amountKopecks: owed.amount,
      idempotenceKey: keyOfRefund(id, randomId(6)),
      providerId: null,
      requestedAt: null,
      settledAt: null,
      nextCheckAt: ctx.now(),
      unansweredSince: ctx.now(),
      alarmedAt: null,
      lines: owed.lines,
      mode: owed.mode,
    });
    await ctx.enqueue(tx, "payment.refund", { refundId: id } satisfies PaymentJobs["payment.refund"]);
    retried += 1;
  }
  return retried;
}

/** An order's refused refunds that are still to be made; one whose money went back another way is not. */
export const owedOfOrder = (db: Db, orderId: string): Promise<refundRows.OwedRefund[]> => refundRows.owedOfOrder(db, orderId);

/** What of a refused refund is still to be made, and what its receipt says; null: nothing. The payment is locked. */
async function stillOwed(tx: Tx, payment: Payment, refund: Refund): Promise<Pick<RefundShare, "amount" | "lines" | "mode"> | null> {
  const amount = (await refundRows.owedOfOrder(tx, payment.orderId)).find(({ id }) => id === refund.id)?.amount;
  if (amount === undefined) return null;
  const { left } = await receiptLinesOf(tx, payment.id);
  return { amount, lines: takeAgain(left, refund.lines, amount), mode: await modeOfRetry(tx, payment, refund) };
}

/**
 * The receipt of a hand-over that was made after the provider had refused the refund covers its money, too: then a sale is returned. It
 * does not cover dropped pieces, which stay a prepayment.
 */
async function modeOfRetry(tx: Tx, payment: Payment, { mode, isDropped, settledAt }: Refund): Promise<ReceiptMode> {
  const isSold = payment.isKept === "kept" && !isDropped && settledAt !== null && (await hasHandover(tx, payment.orderId, settledAt));
  return isSold ? "full_payment" : mode;
}

/**
 * Records that staff has paid a refund by a bank transfer that the provider had refused finally. `amount`: what was paid.
 * The office prints its receipt. The refund stays that of the actor who decided it, and counts towards the day of the one who records it,
 * too. Idempotent for the same payment order. The caller has locked the order.
 *
 * Refuses with `refund.not_found`; `refund.not_waiting` for one that was not refused, or whose money went back another way;
 * `refund.other_amount` when another sum of it is still to be paid; `refund.transfer_known` for a payment order of another order's refund;
 * `refund.transfer_entered` for one of another refund of this order, unless `isForSeveral`.
 */
export async function payRefusedByTransfer(tx: Tx, ctx: Ctx, paid: RefundTransfer): Promise<Result<Refund, RefundTransferError>> {
  const checked = await checkRefusedForTransfer(tx, paid);
  if (!checked.ok) return checked;
  const { refund, owed } = checked.value;
  if (owed === null) return done(refund);
  const settled: Refund = { ...refund, ...owed };
  await transferRows.insertRefundTransfer(tx, { refund, transfer: paid.transfer, at: ctx.now(), actor: ctx.actor });
  const changes = { amountKopecks: owed.amount, lines: owed.lines, mode: owed.mode };
  await settleRefund(tx, ctx, settled, { changes, isByTransfer: true });
  return done(settled);
}

/**
 * The refund that `payRefusedByTransfer` would settle, with what is owed; `owed` null: it is recorded by this payment order. Refuses as
 * that does, and locks what it locks.
 */
export async function checkRefusedForTransfer(
  tx: Tx,
  { orderId, refundId, transfer, amount, isForSeveral = false }: RefundTransfer,
): Promise<Result<{ refund: Refund; owed: Awaited<ReturnType<typeof stillOwed>> }, RefundTransferError>> {
  const attempts = await rows.lockOfOrder(tx, orderId);
  const refund = await refundRows.lockRefund(tx, refundId);
  const payment = attempts.find(({ id }) => id === refund?.paymentId);
  if (!refund || !payment) return fail({ code: "refund.not_found" });
  const known = (await transferRows.transfersOfRefunds(tx, [refund.id])).get(refund.id);
  if (known?.number === transfer.number && known.date === transfer.date && refund.amount === amount) return done({ refund, owed: null });
  const owed = step(refundStates, refund.state, "pay").kind === "moved" ? await stillOwed(tx, payment, refund) : null;
  if (!owed) return fail({ code: "refund.not_waiting" });
  if (owed.amount !== amount) return fail({ code: "refund.other_amount", owed: owed.amount });
  await transferRows.lockRefundTransfer(tx, transfer);
  const recorded = await transferRows.refundsOfTransfer(tx, transfer);
  const other = recorded.find((each) => each.orderId !== orderId);
  if (other) return fail({ code: "refund.transfer_known", orderId: other.orderId });
  return recorded.length > 0 && !isForSeveral ? fail({ code: "refund.transfer_entered" }) : done({ refund, owed });
}

/** The payment orders by which staff paid refunds that the provider had refused, by the refund's id. */
export const transfersOfRefunds = (db: Db, refundIds: readonly string[]): Promise<Map<string, PaymentOrder>> =>
  transferRows.transfersOfRefunds(db, refundIds);

/** A refused refund, the payment order by which staff has paid it, and what was paid. */
export type RefundTransfer = {
  orderId: string;
  refundId: string;
  transfer: PaymentOrder;
  amount: Kopecks;
  /** The transfer paid other refunds of the order, too, for which it is recorded. */
  isForSeveral?: boolean;
};

/** Whether the provider must not have made a refund: it was refused, or staff has paid it by transfer since. */
export async function isRefusedThere(db: Db, refund: Refund): Promise<boolean> {
  if (refund.state === "canceled") return true;
  return refund.state === "succeeded" && (await transferRows.transfersOfRefunds(db, [refund.id])).size > 0;
}
