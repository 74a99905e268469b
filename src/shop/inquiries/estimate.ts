import { add, kopecks, times, zero, type Kopecks } from "#kit/money.ts";
import type { BuybackLine, CoinCondition } from "./inquiry.ts";

/** What the shop pays today for one piece of a coin in perfect condition. */
export type BuybackOffer = { title: string; buyback: Kopecks };

/** A line of the form with what it would bring; `each` is null for a coin that is looked at first. */
export type EstimatedLine = BuybackLine & { each: Kopecks | null; sum: Kopecks | null };

/** `least` and `most` are whole roubles over the lines that have a price; null when none has one. */
export type BuybackEstimate = { lines: EstimatedLine[]; range: { least: Kopecks; most: Kopecks } | null; isWhole: boolean };

/** Off the day's price, in hundredths of a percent, as the page's table of conditions says; a damaged coin is scrap and has no price before it was seen. */
const discounts: Record<CoinCondition, { least: number; most: number } | null> = {
  perfect: { least: 0, most: 0 },
  good: { least: 100, most: 200 },
  fair: { least: 300, most: 800 },
  damaged: null,
};

/** Titles are compared without regard to case, ё and spaces: they are picked from a list, or typed after it. */
export const titleKey = (title: string): string =>
  title.normalize("NFKC").toLowerCase().replaceAll("ё", "е").replaceAll(/\s+/g, " ").trim();

/**
 * A first estimate of coins that somebody wants to sell: the day's prices, less what their condition takes off. The page shows it while the form
 * is filled in, and the service stores its own from the list that holds then: the same function, so that both say the same of one list.
 */
export function estimate(
  lines: readonly BuybackLine[],
  condition: CoinCondition,
  offers: ReadonlyMap<string, BuybackOffer>,
): BuybackEstimate {
  const discount = discounts[condition];
  const estimated = lines.map((line): EstimatedLine => {
    const each = discount === null ? null : (offers.get(titleKey(line.title))?.buyback ?? null);
    return { ...line, each, sum: each === null ? null : times(each, line.count) };
  });
  const known = estimated.flatMap(({ sum }) => sum ?? []);
  const total = add(zero, ...known);
  return {
    lines: estimated,
    isWhole: known.length === estimated.length,
    range:
      discount === null || known.length === 0
        ? null
        : { least: lessDiscount(total, discount.most), most: lessDiscount(total, discount.least) },
  };
}

/** Whole roubles, rounded down: it is we who pay. */
const lessDiscount = (amount: Kopecks, basisPoints: number): Kopecks =>
  kopecks(Math.floor((amount * (10_000 - basisPoints)) / 1_000_000) * 100);
