import type { Tx } from "#kit/db.ts";
import { add, kopecks, percentOf, subtract, zero, type Kopecks } from "#kit/money.ts";
import { hours } from "#kit/time.ts";
import type { Ctx } from "#shop/context.ts";
import type { Receipt, ReceiptMode } from "#shop/payment/gateway.ts";
import { methodById, type ByHandMethodName } from "#shop/payment/payment.ts";
import { asLines, leftOf, takeAmount, type PartLine } from "#shop/payment/receipts/receipt-part.ts";
import * as payment from "#shop/payment/service.ts";
import { plusBankingTime } from "#shop/rates/calendar.ts";
import { receiptOf } from "../receipts/receipt.ts";
import * as rows from "../repository.ts";
import type { StoredOrder } from "../repository.ts";
import { advance } from "../transition.service.ts";
import { tellPartPaid, tellSurplus } from "../messages/messages.service.ts";

/** What came, and with which entry of the bank's statement; null: a clerk did not say. */
type Came = { amount: Kopecks; transferId: number | null };

/**
 * Staff has seen `amount` on the account for this order. As much as is missing is kept: a part leaves the order waiting for the rest,
 * the last part pays it. What is more than that, or comes when the order is paid or closed, is owed back by hand. The buyer is told
 * either way. The caller holds the order.
 */
export async function takeTransfer(tx: Tx, ctx: Ctx, order: StoredOrder, { amount, transferId }: Came): Promise<StoredOrder> {
  const missing = order.state === "awaiting_payment" ? subtract(order.total, order.paid) : zero;
  const kept = kopecks(Math.min(amount, missing));
  const after = kept > 0 ? await keepPart(tx, ctx, order, { amount: kept, transferId }) : order;
  const surplus = subtract(amount, kept);
  if (surplus > 0)
    await owe(
      tx,
      ctx,
      after,
      { amount: surplus, transferId },
      kept > 0 ? "surplus" : order.paid > 0 && order.state !== "cancelled" ? "second_money" : "late_money",
    );
  return after;
}

/** The buyer paid at the desk while the order was handed over. The caller holds the order. */
export async function takeAtDesk(tx: Tx, ctx: Ctx, order: StoredOrder): Promise<StoredOrder> {
  const { id } = await record(tx, ctx, order, "on_collection", receiptOf(order, ctx.settings.seller.tax, "full_payment"), "full_payment");
  await payment.keep(tx, id);
  const money = { paid: order.total, paidAt: ctx.now() };
  await rows.save(tx, order.id, money);
  return { ...order, ...money };
}

async function keepPart(tx: Tx, ctx: Ctx, order: StoredOrder, { amount, transferId }: Came): Promise<StoredOrder> {
  const mode = amount === order.total ? "full_prepayment" : "partial_prepayment";
  const { id } = await record(tx, ctx, order, "invoice", await partOfReceipt(tx, ctx, order, { amount, mode }), mode, transferId);
  await payment.keep(tx, id);
  const paid = add(order.paid, amount);
  if (paid === order.total) {
    const stepped = await advance(tx, ctx, order, "pay", { paid, paidAt: ctx.now() });
    return stepped.kind === "moved" ? stepped.order : order;
  }
  const entry = { event: "pay_part" as const, state: order.state, at: ctx.now() };
  const reservedUntil = isProlonging(ctx, order, paid) ? later(order.reservedUntil, invoiceDeadline(ctx, ctx.now())) : order.reservedUntil;
  await rows.save(tx, order.id, { paid, reservedUntil });
  await rows.addHistory(tx, ctx, order, entry);
  const after: StoredOrder = { ...order, paid, reservedUntil, history: [...order.history, entry] };
  await tellPartPaid(tx, ctx, after, { paymentId: id, came: amount });
  return after;
}

/** Until when an invoice that is issued now, or is paid in large part now, waits for its money. Transfers move on banking days only. */
export const invoiceDeadline = (ctx: Ctx, at: Date): Date =>
  plusBankingTime(ctx.settings.market, at, hours(ctx.settings.limits.invoiceHours));

/** Once, and only for a real share of the total, a part gives the rest as long as the whole had: a rouble a day must not hold the coins. */
function isProlonging(ctx: Ctx, order: StoredOrder, paid: Kopecks): boolean {
  const share = percentOf(order.total, ctx.settings.limits.partPaymentProlongsPercent);
  return order.paid < share && paid >= share;
}

const later = (known: Date | null, other: Date): Date | null => (known && known > other ? known : other);

async function owe(
  tx: Tx,
  ctx: Ctx,
  order: StoredOrder,
  { amount, transferId }: Came,
  cause: "surplus" | "second_money" | "late_money",
): Promise<void> {
  const { id } = await record(
    tx,
    ctx,
    order,
    "invoice",
    { ...receiptOf(order, ctx.settings.seller.tax, "full_prepayment"), lines: [surplusLine(order, amount)] },
    null,
    transferId,
  );
  await payment.returnMoney(tx, ctx, id, cause);
  await tellSurplus(tx, ctx, order, { paymentId: id, amount });
}

const record = (
  tx: Tx,
  ctx: Ctx,
  order: StoredOrder,
  methodName: ByHandMethodName,
  receipt: Receipt,
  receiptMode: ReceiptMode | null,
  transferId: number | null = null,
) =>
  payment.recordMoneyIn(tx, ctx, {
    orderId: order.id,
    orderNumber: String(order.number),
    methodName,
    receipt,
    receiptMode,
    transferId,
    amount: kopecks(receipt.lines.reduce((sum, each) => sum + each.unitPrice * each.quantity, 0)),
  });

/** The receipt for one part of the money: a share of what earlier parts have left of each line, the whole rest at last. */
async function partOfReceipt(
  tx: Tx,
  ctx: Ctx,
  order: StoredOrder,
  { amount, mode }: { amount: Kopecks; mode: ReceiptMode },
): Promise<Receipt> {
  const whole = receiptOf(order, ctx.settings.seller.tax, mode);
  let taken: PartLine[] = [];
  for (const earlier of await payment.ofOrder(tx, order.id)) {
    if (earlier.isKept === "kept") taken = [...taken, ...takeAmount(leftOf(whole.lines, taken), earlier.amount)];
  }
  return { ...whole, lines: asLines(takeAmount(leftOf(whole.lines, taken), amount)) };
}

/** Money that buys nothing: one line, so that the books of both sides agree; no receipt is printed for it (docs/decisions). */
const surplusLine = (order: StoredOrder, amount: Kopecks) => ({
  title: `№ ${order.number}`,
  quantity: 1,
  unitPrice: amount,
  vatCode: 1,
  subject: "commodity" as const,
});

/** Whether money for this order is counted by staff. */
export const isByHand = (order: StoredOrder): boolean => methodById(order.paymentMethodId)?.isOnline === false;
