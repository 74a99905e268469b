import { kopecks, type Kopecks } from "#kit/money.ts";
import { priceOf, regular, sellingPrice, type PricedCoin, type PriceList } from "../price.ts";

/**
 * Which former price may be shown crossed out beside a promo price. A reference to a discount must be true (38-FZ, article 5; the law names no
 * days): the former price is the lowest that the shop really asked during a settled period before the start, and never more than the coin
 * costs without the promo now. With prices that follow the metal neither of the two alone is honest: after a fall of the rate the price of
 * last month was really asked, but is no discount; after a rise the price without the promo was never asked.
 */

/** What was in effect from a moment until the next entry. In ascending order of `from`. */
type Timeline<T> = readonly ({ from: Date } & T)[];

export type PriceHistory = {
  /** The rate of the coin's metal, 1/10 000 ₽ per gram. */
  rates: Timeline<{ rateE4: number }>;
  /** The coin's own prices. */
  prices: Timeline<{ premiumBp: number; fixedPriceKopecks: number | null }>;
  /** Earlier promos of the coin. */
  promos: readonly { from: Date; till: Date; premiumBp: number | null; fixedPriceKopecks: number | null }[];
  /** Since when the coin is on sale without a break, as far as the shop knows; null: it is not. */
  onSaleSince: Date | null;
};

/**
 * The lowest price of one piece that was asked in the span, prices by quantity aside; null when the coin was not on sale all the time, or the
 * history does not reach back to its beginning.
 */
export function settledPrice(
  coin: Pick<PricedCoin, "kind" | "pureMassMg">,
  { rates, prices, promos, onSaleSince }: PriceHistory,
  span: { from: Date; till: Date },
): Kopecks | null {
  if (onSaleSince === null || onSaleSince > span.from) return null;
  const own = within(prices, span);
  if (own === null) return null;
  const earlier = promos.filter(({ from, till }) => from < span.till && till > span.from);
  const asked: number[] = [];
  if (coin.kind === "memorable") {
    for (const { fixedPriceKopecks } of [...own, ...earlier]) {
      if (fixedPriceKopecks === null) return null;
      asked.push(fixedPriceKopecks);
    }
  } else {
    for (const { premiumBp, from, till } of [...own, ...earlier]) {
      if (premiumBp === null) continue;
      const metal = within(rates, { from: later(from, span.from), till: earlierOf(till, span.till) });
      if (metal === null) return null;
      asked.push(sellingPrice(coin.pureMassMg, Math.min(...metal.map(({ rateE4 }) => rateE4)), premiumBp));
    }
  }
  return asked.length === 0 ? null : kopecks(Math.min(...asked));
}

const later = (a: Date, b: Date): Date => (a > b ? a : b);
const earlierOf = (a: Date, b: Date): Date => (a < b ? a : b);

/** The entries in effect during a span, each with its end; null when none was in effect at its beginning. */
function within<T>(timeline: Timeline<T>, { from, till }: { from: Date; till: Date }): (T & { from: Date; till: Date })[] | null {
  const first = timeline.findLastIndex((entry) => entry.from <= from);
  if (first < 0) return null;
  const found: (T & { from: Date; till: Date })[] = [];
  for (let index = first; index < timeline.length; index += 1) {
    const entry = timeline[index];
    if (!entry || entry.from >= till) break;
    found.push({ ...entry, till: timeline[index + 1]?.from ?? till });
  }
  return found;
}

/** The running promo of a coin: its end, and the former price that may be crossed out beside the present one; null without a promo. */
export function promoOf(coin: PricedCoin & { id: number }, list: PriceList): { oldPrice: Kopecks | null; endsAt: Date } | null {
  const promo = list.promos?.get(coin.id);
  const { price } = priceOf(coin, list);
  const { price: without } = priceOf(coin, regular(list));
  if (!promo || price === null || without === null || price >= without) return null;
  const old = promo.settled === null ? null : kopecks(Math.min(promo.settled, without));
  return { oldPrice: old !== null && old > price ? old : null, endsAt: promo.endsAt };
}
