import { add, times, type Kopecks } from "#kit/money.ts";
import type { DeliverySnapshot } from "#shop/orders/snapshot.ts";
import type { ShortItem } from "#shop/stock/stock.ts";

export type QuoteLine = { coinId: number; slug: string; title: string; quantity: number; price: Kopecks; sum: Kopecks; vatCode: number };

/** The prices of one cart, locked for one owner until `expiresAt`. At most one order is made from it. */
export type Quote = {
  id: string;
  lines: QuoteLine[];
  delivery: DeliverySnapshot & { id: number; price: Kopecks };
  paymentMethodId: number;
  total: Kopecks;
  priceListVersion: number;
  /** The version of the cart it was made from; no order is made once the cart has another version. */
  cartVersion: number;
  createdAt: Date;
  expiresAt: Date;
};

/** What the buyer chose; ids as in the HTTP contract. */
export type QuoteRequest = { deliveryId: number; pointId: string | null; cityCode: string; paymentId: number };

/** `request.invalid` names the fields as in the HTTP contract; `http/` adds their messages. */
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

/** Whether an order request has the delivery and payment of the quote. The point is compared only where the delivery has one. */
export const isMadeFrom = (quote: Quote, ask: { delivery: { id: number; pointId: string | null }; paymentId: number }): boolean =>
  quote.delivery.id === ask.delivery.id &&
  quote.paymentMethodId === ask.paymentId &&
  (quote.delivery.point === null || quote.delivery.point.id === ask.delivery.pointId);
