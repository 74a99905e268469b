import type { Kopecks } from "#kit/money.ts";
import { deliveryLineText } from "#shop/notifications/texts.ru.ts";
import type { Receipt, ReceiptMode } from "#shop/payment/gateway.ts";
import { withReceiptMode, vatCodeOf, type SellerTax } from "#shop/tax.ts";
import type { OrderLine } from "../order.ts";
import type { Recipient, DeliverySnapshot } from "../snapshot.ts";

/**
 * VAT code of delivery when the seller charges VAT: 22 % since 2026-01-01 (YooKassa, "54-FZ parameters", vat_code). Coins have their own.
 */
const deliveryVatCode = 11;

/**
 * The receipt of an order (54-FZ): a line per coin and one for delivery unless it is free. The sum of the lines equals the order's total
 * to the kopeck. VAT follows from the seller's tax system and from `mode`.
 */
export function receiptOf(
  order: { lines: readonly OrderLine[]; user: Recipient; deliverySnapshot: DeliverySnapshot; deliveryPrice: Kopecks },
  tax: SellerTax,
  mode: ReceiptMode,
): Receipt {
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
  const lines = (order.deliveryPrice > 0 ? [...coins, delivery] : coins).map((line) => ({
    ...line,
    vatCode: vatCodeOf(tax, line.vatCode),
  }));
  return withReceiptMode(tax, mode, { email: order.user.email, phone: order.user.phone, lines });
}
