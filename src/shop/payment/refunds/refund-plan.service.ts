import type { Db, Tx } from "#kit/db.ts";
import { add, kopecks, subtract, type Kopecks } from "#kit/money.ts";
import { done, fail, type Result } from "#kit/result.ts";
import type { ReceiptLine, ReceiptMode } from "../gateway.ts";
import type { Payment, RefundError } from "../payment.ts";
import { leftOf, sumOf, takeAmount, takePieces, takePiecesOfShares, type PartLine, type PricedLine } from "../receipts/receipt-part.ts";
import { hasHandover } from "../receipts/receipts.repository.ts";
import * as rows from "../repository.ts";
import * as refundRows from "./refunds.repository.ts";

/** What staff refunds of an order: a sum, or pieces of the lines of its receipt, `whole`. */
export type PartialRefund = { amount: Kopecks } | { pieces: { line: number; quantity: number }[]; whole: readonly PricedLine[] };

/** The share of one payment in a partial refund, with the lines of its receipt. */
export type RefundShare = { payment: Payment; amount: Kopecks; lines: PartLine[]; mode: ReceiptMode };
export type RefundPlan = { left: Kopecks; amount: Kopecks; shares: RefundShare[] };

/**
 * What a partial refund would do, without doing it: how much can still be refunded, and the share of each payment, the newest first.
 * Refuses as `refundPartially` does. Lock the payments first if the plan is to be carried out.
 */
export async function planRefund(db: Db, orderId: string, part: PartialRefund): Promise<Result<RefundPlan, RefundError>> {
  return planOf(db, await rows.ofOrders(db, [orderId]), part);
}

/** How much of an order's kept money can still be refunded. */
export async function leftToRefund(db: Db, orderId: string): Promise<Kopecks> {
  const kept = (await rows.ofOrders(db, [orderId])).filter((each) => each.isKept === "kept");
  const lefts: Kopecks[] = [];
  for (const payment of kept) lefts.push(subtract(payment.amount, await refundRows.sumOfRefunds(db, payment.id)));
  return add(...lefts);
}

/** The plan for these payments of an order, see `planRefund`. */
export async function planOf(db: Db, payments: readonly Payment[], part: PartialRefund): Promise<Result<RefundPlan, RefundError>> {
  const kept = payments.filter((each) => each.isKept === "kept");
  const lefts: { payment: Payment; left: Kopecks; lines: Awaited<ReturnType<typeof receiptLinesOf>> }[] = [];
  for (const payment of kept) {
    const left = subtract(payment.amount, await refundRows.sumOfRefunds(db, payment.id));
    lefts.push({ payment, left, lines: await receiptLinesOf(db, payment.id) });
  }
  const left = add(...lefts.map((each) => each.left));
  const tooMuch = fail({ code: "payment.refund_too_much" as const, left });

  const pieces = "pieces" in part ? takePiecesOfOrder(lefts, part) : null;
  if ("pieces" in part && pieces === null) return tooMuch;
  const amount = "pieces" in part ? sumOf((pieces ?? []).flat()) : part.amount;
  if (amount <= 0 || amount > left) return tooMuch;

  const shares: RefundShare[] = [];
  let rest: number = amount;
  for (const [index, { payment, left: leftOfPayment, lines }] of [...lefts.entries()].toReversed()) {
    // The newest payment first.
    const share = pieces ? sumOf(pieces[index] ?? []) : kopecks(Math.min(rest, leftOfPayment));
    if (share <= 0) continue;
    rest -= share;
    shares.push({ payment, amount: share, lines: pieces?.[index] ?? takeAmount(lines.left, share), mode: await refundMode(db, payment) });
  }
  return done({ left, amount, shares });
}

/** The pieces in the receipt of each payment, oldest first; null when they cannot be refunded by the piece. */
function takePiecesOfOrder(
  payments: readonly { lines: Awaited<ReturnType<typeof receiptLinesOf>> }[],
  { pieces, whole }: Extract<PartialRefund, { pieces: unknown }>,
): PartLine[][] | null {
  const receipts = payments.map(({ lines }) => lines);
  const [only] = receipts;
  if (!only || receipts.length > 1) return takePiecesOfShares(whole, receipts, pieces);
  const taken = takePieces(only.whole, only.left, pieces);
  return taken && [taken];
}

/** The lines of a payment's receipt, and what of them is not refunded. */
export async function receiptLinesOf(tx: Tx, paymentId: string): Promise<{ whole: ReceiptLine[]; left: PartLine[] }> {
  const known = await rows.byIdWithRequest(tx, paymentId);
  if (!known) throw new Error(`no payment ${paymentId}`);
  const whole = known.request.receipt.lines;
  const going = (await refundRows.refundsOfPayment(tx, paymentId)).filter((each) => each.state !== "canceled");
  return {
    whole,
    left: leftOf(
      whole,
      going.flatMap(({ lines, amount }) => lines ?? takeAmount(leftOf(whole, []), amount)),
    ),
  };
}

/** What the receipt of a refund says: a returned sale after the hand-over, a returned prepayment before it. */
export async function refundMode(db: Db, payment: Payment): Promise<ReceiptMode> {
  const isSold = payment.isKept === "kept" && (payment.method === "on_collection" || (await hasHandover(db, payment.orderId)));
  return isSold ? "full_payment" : "full_prepayment";
}
