import { add, kopecks, times, zero, type Kopecks } from "#kit/money.ts";
import type { BuybackLine, CoinCondition } from "./inquiry.ts";

/** The buyback price of one piece in perfect condition today. */
export type BuybackOffer = { title: string; buyback: Kopecks };

/** A line of the form with its estimate; `each` is null for a coin that must be inspected first. */
export type EstimatedLine = BuybackLine & { each: Kopecks | null; sum: Kopecks | null };

/** `least` and `most` are whole roubles over the lines that have a price; null if none has one. */
export type BuybackEstimate = { lines: EstimatedLine[]; range: { least: Kopecks; most: Kopecks } | null; isWhole: boolean };

/**
 * Discounts in hundredths of a percent, as in the page's table of conditions. A damaged coin is scrap and has no price before inspection.
 */
const discounts: Record<CoinCondition, { least: number; most: number } | null> = {
  perfect: { least: 0, most: 0 },
  good: { least: 100, most: 200 },
  fair: { least: 300, most: 800 },
  damaged: null,
};

/** Titles are compared without case, ё and spaces: they are chosen from a list or typed. */
export const titleKey = (title: string): string =>
  title.normalize("NFKC").toLowerCase().replaceAll("ё", "е").replaceAll(/\s+/g, " ").trim();

/**
 * Estimates coins that a visitor wants to sell: the buyback prices of the day minus the discount for their condition. The page shows it
 * while the form is filled in, and the service stores its own from the current list; both use this function.
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

/**
 * What the shop offers for one piece in this condition: its buyback price less the largest discount, in whole roubles. Null: a damaged
 * coin, or one without a buyback price.
 */
export function discountedBuyback(buyback: Kopecks | null, condition: CoinCondition): Kopecks | null {
  const discount = discounts[condition];
  return buyback === null || discount === null ? null : lessDiscount(buyback, discount.most);
}

/** Whole roubles, rounded down in the shop's favour, because the shop pays. */
const lessDiscount = (amount: Kopecks, basisPoints: number): Kopecks =>
  kopecks(Math.floor((amount * (10_000 - basisPoints)) / 1_000_000) * 100);
