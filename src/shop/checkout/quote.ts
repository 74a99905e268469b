import { add, times, type Kopecks } from "#kit/money.ts";
import type { OwnerKey } from "#shop/context.ts";
import type { OrderState } from "#shop/orders/order.ts";
import type { DeliverySnapshot } from "#shop/orders/snapshot.ts";
import type { AppliedPromo } from "#shop/pricing/promo-codes/promo-code.ts";
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
  /** The promo code in these prices and what it takes off; null: none. */
  promo: AppliedPromo | null;
  /** The version of the cart, or the revision of the order, it was made from; no order is made once that has another one. */
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

/** Who a quote is for: a buyer with a cart, or an order to which staff adds coins. */
export type QuoteOwner = OwnerKey | `addition:${string}`;

/** Whether coins added to this order now are delivered with it, at no further cost: it is not packed yet. */
export const isShippedWith = ({ state }: { state: OrderState }): boolean =>
  state === "placed" || state === "awaiting_payment" || state === "paid";

/** Why coins cannot be added to an order. */
export type AdditionError =
  | QuoteError
  | CheckoutError
  | { code: "order.not_found" }
  /** The carrier does not take coins of this value. */
  | { code: "delivery.needs_special" }
  /** The quote expired, was replaced, or the order was changed after it. */
  | { code: "staff.quote_gone" };

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

/** The line of a coin at this price of one piece, kopecks. */
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

/** The sum of quote lines, kopecks; delivery is not included. */
export const sumOf = (lines: readonly QuoteLine[]): Kopecks => add(...lines.map((line) => line.sum));

/** Whether an order request has the delivery and payment of the quote. The point is compared only where the delivery has one. */
export const isMadeFrom = (quote: Quote, request: { delivery: { id: number; pointId: string | null }; paymentId: number }): boolean =>
  quote.delivery.id === request.delivery.id &&
  quote.paymentMethodId === request.paymentId &&
  (quote.delivery.point === null || quote.delivery.point.id === request.delivery.pointId);
