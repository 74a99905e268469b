import { day, deadline } from "#kit/format.ts";
import { add, kopecks, subtract, times, toDecimalString, zero, type Kopecks } from "#kit/money.ts";
import { paymentIds } from "#shop/method-ids.ts";
import { bankQrText } from "#shop/payment/transfers/bank-qr.ts";
import { includedVat } from "#shop/payment/receipts/vat.ts";
import type { Seller } from "#shop/seller.ts";
import type { SellerTax } from "#shop/tax.ts";
import { purposeOf } from "./invoice-texts.ru.ts";
import type { Order, OrderPromo } from "../order.ts";
import { receiptOf } from "../receipts/receipt.ts";

export type InvoiceLine = {
  title: string;
  quantity: number;
  price: Kopecks;
  sum: Kopecks;
  /** Per cent; null: none. */ vatRate: number | null;
};

/** An invoice as printed and shown; amounts include VAT. */
export type Invoice = {
  number: number;
  /** «20 ноября 2026» */
  day: string;
  seller: Seller;
  buyer: string;
  lines: InvoiceLine[];
  /** Pieces that left the order after it was paid. */
  dropped: Pick<InvoiceLine, "title" | "quantity" | "sum">[];
  total: Kopecks;
  /** The promo code in the prices of the lines. */
  promo: OrderPromo | null;
  vat: { rate: number; amount: Kopecks }[];
  /** What has been paid so far, and what is still to be paid. */
  received: Kopecks;
  missing: Kopecks;
  purpose: string;
  /** The end of the reservation in words, with its «до»; null once everything is paid. */
  payUntil: string | null;
  isDeliveryPricedLater: boolean;
  /** The text of the QR code for a bank's app, over the missing sum; null when nothing is missing. */
  qrText: string | null;
};

/** The lines of an order on documents, delivery included, with the VAT included in each price and its sums by rate. */
export function pricedLines(order: Order, tax: SellerTax): { lines: InvoiceLine[]; vat: { rate: number; amount: Kopecks }[] } {
  const receipt = receiptOf(
    { lines: order.lines, user: order.user, deliverySnapshot: order.delivery, deliveryPrice: order.delivery.price },
    tax,
    "full_payment",
  );
  const lines = receipt.lines.map(({ title, quantity, unitPrice, vatCode }) => {
    const sum = kopecks(unitPrice * quantity);
    return { title, quantity, price: unitPrice, sum, vat: includedVat(vatCode, sum) };
  });
  const vat = [
    ...Map.groupBy(
      lines.flatMap((line) => (line.vat === null || line.vat.rate === 0 ? [] : [line.vat])),
      ({ rate }) => rate,
    ),
  ].map(([rate, parts]) => ({ rate, amount: add(...parts.map(({ amount }) => amount)) }));
  return { lines: lines.map(({ vat: line, ...rest }) => ({ ...rest, vatRate: line?.rate ?? null })), vat };
}

/**
 * The invoice of an order that is paid by transfer; null for other methods and for a cancelled order. Its lines and its total stay what the
 * buyer was asked to pay and did, so that they agree with the transfers; pieces that left the order afterwards are named beside them.
 */
export function invoiceOf(order: Order, seller: Seller): Invoice | null {
  if (order.payment.methodId !== paymentIds.invoice || order.state === "cancelled") return null;
  const { lines, vat } = pricedLines(order, seller.tax);
  const missing = order.state === "awaiting_payment" ? subtract(order.total, order.paid) : zero;
  const purpose = purposeOf(
    order.number,
    vat.map(({ rate, amount }) => ({ rate, amount: toDecimalString(amount) })),
  );
  return {
    number: order.number,
    day: day(order.createdAt),
    seller,
    buyer: [order.user.lastName, order.user.name, order.user.secondName].filter(Boolean).join(" "),
    lines,
    dropped: order.lines
      .filter(({ dropped }) => dropped > 0)
      .map(({ title, dropped, price }) => ({ title, quantity: dropped, sum: times(price, dropped) })),
    total: order.total,
    promo: order.promo,
    vat,
    received: order.paid,
    missing,
    purpose,
    payUntil: missing > 0 && order.reservedUntil ? deadline(order.reservedUntil, day) : null,
    isDeliveryPricedLater: order.delivery.note === "price_by_manager",
    qrText: missing > 0 ? bankQrText(seller, { purpose, sum: missing }) : null,
  };
}
