import type { QuoteView } from "#contract/public/checkout.ts";
import { fromRoubles, type Kopecks } from "#kit/money.ts";

/** Prices locked for this visitor, in kopecks. `endsAt` is of the browser's own clock, which may differ from the shop's. */
export type LockedQuote = {
  id: string;
  /** The shop's time, for display only. */
  expiresAt: string;
  endsAt: number;
  lines: { id: number; title: string; count: number; price: Kopecks; sum: Kopecks }[];
  delivery: { id: number; price: Kopecks };
  /** The promo code in the prices of the lines. */
  promo: { code: string; discount: Kopecks } | null;
  total: Kopecks;
};

export const lockedQuote = (view: QuoteView, lifeSeconds: number, now: number): LockedQuote => ({
  id: view.quoteId,
  expiresAt: view.expiresAt,
  endsAt: now + lifeSeconds * 1000,
  lines: view.items.map((item) => ({
    id: item.id,
    title: item.title,
    count: item.count,
    price: fromRoubles(item.price),
    sum: fromRoubles(item.sum),
  })),
  delivery: { id: view.delivery.id, price: fromRoubles(view.delivery.price) },
  promo: view.promo ? { code: view.promo.code, discount: fromRoubles(view.promo.discount) } : null,
  total: fromRoubles(view.total),
});

/** Whether coins or quantities differ: another tab changed the cart, or an account's own cart was added. */
export function hasOtherContents(before: Pick<LockedQuote, "lines">, after: Pick<LockedQuote, "lines">): boolean {
  const old = new Map(before.lines.map((line) => [line.id, line.count]));
  return old.size !== after.lines.length || after.lines.some((line) => old.get(line.id) !== line.count);
}

/** Whether two quotes offer the same coins at the same prices for the same total, whatever their ids and times. */
export const isSameOffer = (one: LockedQuote, other: LockedQuote): boolean =>
  one.total === other.total && !hasOtherContents(one, other) && !hasMoved(one, other);

/** Whether a buyer who accepted `before` has to accept again: a coin's price changed. Delivery is the buyer's own choice. */
export function hasMoved(before: Pick<LockedQuote, "lines">, after: Pick<LockedQuote, "lines">): boolean {
  const old = new Map(before.lines.map((line) => [line.id, line.price]));
  return after.lines.some((line) => old.has(line.id) && old.get(line.id) !== line.price);
}
