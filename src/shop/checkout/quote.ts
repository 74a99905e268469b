import { add, times, type Kopecks } from "#kit/money.ts";
import type { ToldDelivery } from "#shop/orders/snapshot.ts";
import type { ShortItem } from "#shop/stock/stock.ts";

export type QuoteLine = { coinId: number; slug: string; title: string; quantity: number; price: Kopecks; sum: Kopecks; vatCode: number };

/** Prices of one cart, locked for one owner until `expiresAt`; makes at most one order. */
export type Quote = {
  id: string;
  lines: QuoteLine[];
  delivery: ToldDelivery & { id: number; price: Kopecks };
  paymentMethodId: number;
  total: Kopecks;
  priceListVersion: number;
  /** The cart it was made from; another version orders nothing. */
  cartVersion: number;
  createdAt: Date;
  expiresAt: Date;
};

/** What the buyer chose; codes and ids as on the wire. */
export type QuoteAsk = { deliveryId: number; pointId: string | null; cityCode: string; paymentId: number };

/** `request.invalid`: the fields are named as on the wire; their words come from the edge. */
export type QuoteError =
  | { code: "request.invalid"; fields: ("deliveryId" | "pointId" | "paymentId")[] }
  | { code: "city.not_found" }
  | { code: "cart.empty" }
  | { code: "payment.not_allowed"; allowed: number[] }
  | { code: "cart.stock_short"; short: ShortItem[] }
  | { code: "market.closed"; ids: number[] }
  | { code: "rates.stale" }
  | { code: "payment.over_limit"; limit: Kopecks | null };

export type CheckoutError =
  | Exclude<QuoteError, { code: "cart.stock_short" }>
  | { code: "order.key_reused" }
  | { code: "order.in_progress" }
  | { code: "quote.not_found" }
  | { code: "quote.used"; orderId: string }
  | { code: "order.prices_changed"; quote: Quote }
  | { code: "order.too_many_unpaid"; limit: number }
  | { code: "order.reserve_limit" }
  | { code: "order.phone_unconfirmed"; limit: Kopecks }
  | { code: "order.stock_short"; short: ShortItem[] };

export const lineOf = (
  coin: { id: number; slug: string; title: string; vatCode: number },
  quantity: number,
  price: Kopecks,
): QuoteLine => ({
  coinId: coin.id,
  slug: coin.slug,
  title: coin.title,
  quantity,
  price,
  sum: times(price, quantity),
  vatCode: coin.vatCode,
});

export const sumOf = (lines: readonly QuoteLine[]): Kopecks => add(...lines.map((line) => line.sum));

/** Whether an order asks for what the quote was made for. A point counts only where the delivery has one. */
export const isMadeFrom = (quote: Quote, ask: { delivery: { id: number; pointId: string | null }; paymentId: number }): boolean =>
  quote.delivery.id === ask.delivery.id &&
  quote.paymentMethodId === ask.paymentId &&
  (quote.delivery.point === null || quote.delivery.point.id === ask.delivery.pointId);
