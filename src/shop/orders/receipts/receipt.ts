import type { Kopecks } from "#kit/money.ts";
import { deliveryLineText } from "#shop/notifications/texts.ru.ts";
import type { Receipt, ReceiptLine, ReceiptMode } from "#shop/payment/gateway.ts";
import { withReceiptMode, vatCodeOf, type SellerTax } from "#shop/tax.ts";
import type { OrderLine } from "../order.ts";
import type { Recipient, DeliverySnapshot } from "../snapshot.ts";

/**
 * VAT code of delivery when the seller charges VAT: 22 % since 2026-01-01 (YooKassa, "54-FZ parameters", vat_code). Coins have their own.
 */
const deliveryVatCode = 11;

type WithLines = { lines: readonly OrderLine[]; deliverySnapshot: DeliverySnapshot; deliveryPrice: Kopecks };

/** The lines of an order's receipt, as if its seller charged VAT: one per coin, as ordered, and one for delivery unless it is free. */
export function receiptLinesOf(order: WithLines): ReceiptLine[] {
  const coins = order.lines.map(({ title, quantity, price, vatCode }) => ({
    title,
    quantity,
    unitPrice: price,
    vatCode,
    subject: "commodity" as const,
  }));
  const delivery = {
    title: deliveryLineText(order.deliverySnapshot.name),
    quantity: 1,
    unitPrice: order.deliveryPrice,
    vatCode: deliveryVatCode,
    subject: "service" as const,
  };
  return order.deliveryPrice > 0 ? [...coins, delivery] : coins;
}

/**
 * The receipt of an order (54-FZ). The sum of its lines equals the order's total to the kopeck. VAT follows from the seller's tax system
 * and from `mode`.
 */
export function receiptOf(order: WithLines & { user: Recipient }, tax: SellerTax, mode: ReceiptMode): Receipt {
  const lines = receiptLinesOf(order).map((line) => ({ ...line, vatCode: vatCodeOf(tax, line.vatCode) }));
  return withReceiptMode(tax, mode, { email: order.user.email, phone: order.user.phone, lines });
}
