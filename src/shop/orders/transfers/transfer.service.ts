import type { Tx } from "#kit/db.ts";
import { add, kopecks, percentOf, subtract, zero, type Kopecks } from "#kit/money.ts";
import { hours } from "#kit/time.ts";
import type { Ctx } from "#shop/context.ts";
import type { Receipt, ReceiptMode } from "#shop/payment/gateway.ts";
import { methodById, receiptTotal, type ByHandMethodName } from "#shop/payment/payment.ts";
import { asLines, sharesOf } from "#shop/payment/receipts/receipt-part.ts";
import * as payment from "#shop/payment/service.ts";
import { plusBankingTime } from "#shop/rates/calendar.ts";
import { receiptOf } from "../receipts/receipt.ts";
import * as rows from "../repository.ts";
import type { StoredOrder } from "../stored-order.repository.ts";
import { advance } from "../transition.service.ts";
import { notifyPartPayment, notifySurplus } from "../messages/messages.service.ts";

/** Received money and its entry in the bank's statement; null: entered without a reference. */
type IncomingMoney = { amount: Kopecks; transferId: number | null };

/**
 * Records `amount` received by transfer for this order. What is missing is kept: a part leaves the order waiting for the rest, the last
 * part pays it. Any surplus, or money for a paid or closed order, is refunded by hand. The buyer is notified in each case.
 * The caller has locked the order.
 */
export async function recordTransfer(tx: Tx, ctx: Ctx, order: StoredOrder, { amount, transferId }: IncomingMoney): Promise<StoredOrder> {
  const missing = order.state === "awaiting_payment" ? subtract(order.total, order.paid) : zero;
  const kept = kopecks(Math.min(amount, missing));
  const after = kept > 0 ? await applyToOrder(tx, ctx, order, { amount: kept, transferId }) : order;
  const surplus = subtract(amount, kept);
  if (surplus > 0)
    await recordSurplus(
      tx,
      ctx,
      after,
      { amount: surplus, transferId },
      kept > 0 ? "surplus" : order.paid > 0 && order.state !== "cancelled" ? "second_money" : "late_money",
    );
  return after;
}

/** Records the payment at the desk of an order that is handed over. The caller has locked the order. */
export async function recordDeskPayment(tx: Tx, ctx: Ctx, order: StoredOrder): Promise<StoredOrder> {
  const receipt = receiptOf(order, ctx.settings.seller.tax, "full_payment");
  const { id } = await recordPayment(tx, ctx, order, { methodName: "on_collection", receipt, receiptMode: "full_payment" });
  await payment.markKept(tx, id);
  const money = { paid: order.total, paidAt: ctx.now() };
  await rows.save(tx, order.id, money);
  return { ...order, ...money };
}

async function applyToOrder(tx: Tx, ctx: Ctx, order: StoredOrder, { amount, transferId }: IncomingMoney): Promise<StoredOrder> {
  const mode = amount === order.total ? "full_prepayment" : "partial_prepayment";
  const receipt = await partOfReceipt(tx, ctx, order, { amount, mode });
  const { id } = await recordPayment(tx, ctx, order, { methodName: "invoice", receipt, receiptMode: mode, transferId });
  await payment.markKept(tx, id);
  const paid = add(order.paid, amount);
  if (paid === order.total) {
    const stepped = await advance(tx, ctx, order, "pay", { paid, paidAt: ctx.now() });
    return stepped.kind === "moved" ? stepped.order : order;
  }
  const entry = { event: "pay_part" as const, state: order.state, at: ctx.now() };
  const reservedUntil = extendsReservation(ctx, order, paid)
    ? later(order.reservedUntil, invoiceDeadline(ctx, ctx.now()))
    : order.reservedUntil;
  await rows.save(tx, order.id, { paid, reservedUntil });
  await rows.addHistory(tx, ctx, order, entry);
  const after: StoredOrder = { ...order, paid, reservedUntil, history: [...order.history, entry] };
  await notifyPartPayment(tx, ctx, after, { paymentId: id, came: amount });
  return after;
}

/** The deadline of an invoice that is issued, or paid in large part, at this moment. Transfers take banking days only. */
export const invoiceDeadline = (ctx: Ctx, at: Date): Date =>
  plusBankingTime(ctx.settings.market, at, hours(ctx.settings.limits.invoiceHours));

/**
 * Whether this part payment extends the reservation: once, and only above a share of the total, so that small sums cannot hold the coins.
 */
function extendsReservation(ctx: Ctx, order: StoredOrder, paid: Kopecks): boolean {
  const share = percentOf(order.total, ctx.settings.limits.partPaymentProlongsPercent);
  return order.paid < share && paid >= share;
}

const later = (known: Date | null, other: Date): Date | null => (known && known > other ? known : other);

async function recordSurplus(
  tx: Tx,
  ctx: Ctx,
  order: StoredOrder,
  { amount, transferId }: IncomingMoney,
  cause: "surplus" | "second_money" | "late_money",
): Promise<void> {
  const receipt = { ...receiptOf(order, ctx.settings.seller.tax, "full_prepayment"), lines: [surplusLine(order, amount)] };
  const { id } = await recordPayment(tx, ctx, order, { methodName: "invoice", receipt, receiptMode: null, transferId });
  await payment.refundPayment(tx, ctx, id, cause);
  await notifySurplus(tx, ctx, order, { paymentId: id, amount });
}

/** `receiptMode` null: no receipt is due. `transferId`: the entry of the bank's statement, where there is one. */
type ManualPayment = { methodName: ByHandMethodName; receipt: Receipt; receiptMode: ReceiptMode | null; transferId?: number | null };

const recordPayment = (tx: Tx, ctx: Ctx, order: StoredOrder, { transferId = null, ...manual }: ManualPayment) =>
  payment.recordManualPayment(tx, ctx, {
    orderId: order.id,
    orderNumber: String(order.number),
    ...manual,
    transferId,
    amount: receiptTotal(manual.receipt),
  });

/** The receipt of a part payment: a share of what earlier parts have left of each line; the last part takes the whole rest. */
async function partOfReceipt(
  tx: Tx,
  ctx: Ctx,
  order: StoredOrder,
  { amount, mode }: { amount: Kopecks; mode: ReceiptMode },
): Promise<Receipt> {
  const whole = receiptOf(order, ctx.settings.seller.tax, mode);
  const earlier = (await payment.ofOrder(tx, order.id)).filter(({ isKept }) => isKept === "kept");
  const own = sharesOf(whole.lines, [...earlier.map((each) => each.amount), amount]).at(-1) ?? [];
  return { ...whole, lines: asLines(own) };
}

/** The receipt line of a surplus, so that the lines sum to the payment. No receipt is printed for it: the surplus pays for no goods. */
const surplusLine = (order: StoredOrder, amount: Kopecks) => ({
  title: `№ ${order.number}`,
  quantity: 1,
  unitPrice: amount,
  vatCode: 1,
  subject: "commodity" as const,
});

/** Whether staff records the money of this order. */
export const isByHand = (order: StoredOrder): boolean => methodById(order.paymentMethodId)?.isOnline === false;
