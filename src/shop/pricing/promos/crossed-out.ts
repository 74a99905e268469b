import { kopecks, type Kopecks } from "#kit/money.ts";
import { days, plus } from "#kit/time.ts";
import type { SalePeriod } from "#shop/catalog/prices/prices.ts";
import { priceOf, regular, sellingPrice, type PricedCoin, type PriceList } from "../price.ts";

/**
 * Which former price may be shown crossed out beside a promo price. A reference to a discount must be true (38-FZ, article 5; the law names
 * no days): the former price is the lowest that the shop really charged during a settled period before the start, and never more than the
 * coin costs without the promo now. With prices that follow the metal neither of the two alone is honest: after a fall of the rate the
 * price of last month was really charged, but is not a discount; after a rise the price without the promo was never charged.
 */

/** What was in effect from a moment until the next entry. In ascending order of `from`. */
type Timeline<T> = readonly ({ from: Date } & T)[];

export type PastPrices = {
  /** The rate of the coin's metal, 1/10 000 ₽ per gram. */
  rates: Timeline<{ rateE4: number }>;
  /** The coin's own prices. */
  prices: Timeline<{ premiumBp: number; fixedPriceKopecks: number | null }>;
  /** Earlier promos of the coin. */
  promos: readonly { from: Date; till: Date; premiumBp: number | null; fixedPriceKopecks: number | null }[];
  /** When the coin was on sale, oldest first; empty: it is not now. */
  onSale: readonly SalePeriod[];
};

type Span = { from: Date; till: Date };

/** How far back the days on sale are searched: twice as many days as are wanted. */
export const settledReach = (till: Date, settledDays: number): Date => plus(till, -days(2 * settledDays));

/**
 * The time on sale that makes up the settled period, newest first: only days on sale count, so a break lengthens it. Null when the coin was
 * not on sale for so many days within twice as many.
 */
function settledSpans(onSale: readonly SalePeriod[], till: Date, settledDays: number): Span[] | null {
  let missing = days(settledDays);
  const spans: Span[] = [];
  for (const period of onSale.toReversed()) {
    const end = earlierOf(period.till ?? till, till);
    const from = [period.from, plus(end, -missing), settledReach(till, settledDays)].reduce(later);
    if (from >= end) continue;
    spans.push({ from, till: end });
    missing -= end.getTime() - from.getTime();
    if (missing <= 0) return spans;
  }
  return null;
}

/**
 * The lowest price of one piece that was asked on the last `settledDays` on sale before `till`, prices by quantity aside; null when the
 * coin was not on sale for so long, or the history does not reach back to the beginning.
 */
export function settledPrice(
  coin: Pick<PricedCoin, "kind" | "pureMassMg">,
  history: PastPrices,
  { till, settledDays }: { till: Date; settledDays: number },
): Kopecks | null {
  const lowest = settledSpans(history.onSale, till, settledDays)?.map((span) => lowestAsked(coin, history, span)) ?? [];
  const known = lowest.filter((amount) => amount !== null);
  return known.length === 0 || known.length < lowest.length ? null : kopecks(Math.min(...known));
}

/** The lowest price that was asked in a span in which the coin was on sale. */
function lowestAsked(coin: Pick<PricedCoin, "kind" | "pureMassMg">, { rates, prices, promos }: PastPrices, span: Span): number | null {
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
  return asked.length === 0 ? null : Math.min(...asked);
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

/**
 * The running promo of a coin when `quantity` pieces are bought: its end, and the former price of one piece that may be crossed out beside
 * the present one; null without a promo, and where the price by quantity is as low without it. The settled price is that of one piece, so
 * it is lowered by what the number of pieces takes off now.
 */
export function promoOf(
  coin: PricedCoin & { id: number },
  list: PriceList,
  quantity = 1,
): { oldPrice: Kopecks | null; endsAt: Date } | null {
  const promo = list.promos?.get(coin.id);
  if (!promo) return null;
  const { price } = priceOf(coin, list, quantity);
  const { price: without } = priceOf(coin, regular(list), quantity);
  const { price: single } = priceOf(coin, regular(list));
  if (price === null || without === null || single === null || price >= without) return null;
  const old = promo.settled === null ? null : kopecks(Math.min(promo.settled - (single - without), without));
  return { oldPrice: old !== null && old > price ? old : null, endsAt: promo.endsAt };
}
