import type { Kopecks } from "#kit/money.ts";
import { kopecks } from "#kit/money.ts";

/**
 * The rates that prices are computed from, in 1/10 000 ₽ per gram; 0 for a metal without a rate yet.
 * `isStale` and `isDead` depend on the age of the rates when the list was read: stale prices are marked, with dead ones no new quotes
 * for bullion are made.
 */
export type PriceList = {
  version: number;
  goldE4: number;
  silverE4: number;
  /** When the older of the two metal rates was last received. */
  ratesAt: Date;
  madeAt: Date;
  isStale: boolean;
  isDead: boolean;
  /** Absent: one price for any quantity. */
  steps?: QuantitySteps;
  /** Running promos by coin. */
  promos?: ReadonlyMap<number, RunningPromo>;
};

/** The promo price of a coin: a premium, or a fixed price. `settled`: see `promos/crossed-out.ts`. */
export type RunningPromo = { premiumBp: number | null; fixedPriceKopecks: number | null; settled: Kopecks | null; endsAt: Date };

/** The same list without promos: what coins cost when no promo runs. */
export const regular = (list: PriceList): PriceList => ({ ...list, promos: noPromos });
const noPromos: ReadonlyMap<number, RunningPromo> = new Map();

/** From `quantity` pieces in one order the premium is lower by `discountBp` hundredths of a percent. */
export type PriceStep = { quantity: number; discountBp: number };
/** Steps of bullion coins in ascending order of their quantity. A coin's own steps, also none, replace those of its metal. */
export type QuantitySteps = {
  byMetal: Readonly<Partial<Record<PricedCoin["metal"], readonly PriceStep[]>>>;
  byCoin: ReadonlyMap<number, readonly PriceStep[]>;
};

/** The fields of a coin that decide its price. Premiums in hundredths of a percent over (or under) the value of its pure metal. */
export type PricedCoin = {
  /** Absent: the coin has no steps of its own. */
  id?: number;
  metal: "gold" | "silver";
  kind: "bullion" | "memorable";
  pureMassMg: number;
  premiumBp: number;
  buybackBp: number | null;
  fixedPriceKopecks: number | null;
  fixedBuybackKopecks: number | null;
};

/** Prices of a coin; each may be null: a coin may be sold and not bought back, or have a fixed price while its metal rate is unknown. */
export type CoinPrice = {
  /** Whole roubles, rounded up. */
  price: Kopecks | null;
  /** The shop's buyback price, whole roubles, rounded down. */
  buyback: Kopecks | null;
  /** Price above the current value of the pure metal, negative below it. Rounded to the nearest kopeck and hundredth of a percent. */
  premium: { amount: Kopecks; bp: number } | null;
  /** Price of one gram of pure metal in this coin, whole roubles, rounded up. */
  perGram: Kopecks | null;
  /** Loss when the coin is bought and sold back today, as a share of its price: hundredths of a percent, rounded to the nearest. */
  spreadBp: number | null;
};

/**
 * The prices of one piece by a price list when `quantity` pieces are bought. The only place that computes them, for pages, quotes and
 * feeds.
 */
export function priceOf(coin: PricedCoin, list: PriceList, quantity = 1): CoinPrice {
  const rateE4 = coin.metal === "gold" ? list.goldE4 : list.silverE4;
  const promo = coin.id === undefined ? undefined : list.promos?.get(coin.id);
  const premiumBp = lower(premiumAt(coin.premiumBp, stepsOf(coin, list), quantity), promo?.premiumBp);
  const fixedPriceKopecks = coin.fixedPriceKopecks === null ? null : lower(coin.fixedPriceKopecks, promo?.fixedPriceKopecks);
  const { price, buyback } =
    coin.kind === "bullion" ? bullionPrices(coin, premiumBp, rateE4) : fixedPrices(fixedPriceKopecks, coin.fixedBuybackKopecks);
  return {
    price,
    buyback,
    premium: price === null || rateE4 === 0 ? null : premiumOver(price, coin.pureMassMg, rateE4),
    perGram: price === null ? null : wholeRoublesUp(BigInt(price) * 1000n, BigInt(coin.pureMassMg) * 100n),
    spreadBp: price === null || buyback === null ? null : spreadBp(price, buyback),
  };
}

/** Promos and prices by quantity do not add up: the lower price counts. */
const lower = (own: number, promo: number | null | undefined): number => Math.min(own, promo ?? own);

/** The steps of a coin. Fixed prices have none. */
const stepsOf = (coin: PricedCoin, { steps }: PriceList): readonly PriceStep[] =>
  coin.kind === "bullion" && steps
    ? ((coin.id === undefined ? undefined : steps.byCoin.get(coin.id)) ?? steps.byMetal[coin.metal] ?? [])
    : [];

/** A step never lowers a premium below zero; one that is below already, by approval, stays. */
function premiumAt(premiumBp: number, steps: readonly PriceStep[], quantity: number): number {
  const discountBp = steps.findLast((step) => step.quantity <= quantity)?.discountBp ?? 0;
  return Math.max(Math.min(premiumBp, 0), premiumBp - discountBp);
}

/** The price of one piece from each quantity at which it is lower, beginning with one piece; empty when there is one price only. */
export function priceStepsOf(coin: PricedCoin, list: PriceList): { quantity: number; price: Kopecks }[] {
  const found: { quantity: number; price: Kopecks }[] = [];
  for (const quantity of [1, ...stepsOf(coin, list).map((step) => step.quantity)]) {
    const { price } = priceOf(coin, list, quantity);
    const last = found.at(-1);
    if (price !== null && (!last || price < last.price)) found.push({ quantity, price });
  }
  return found.length > 1 ? found : [];
}

/** (price − buyback) / price in hundredths of a percent; negative if the shop pays more than its price. */
export const spreadBp = (price: Kopecks, buyback: Kopecks): number => Math.round(((price - buyback) / price) * 10_000);

/**
 * Pure mass × rate × (1 + premium) in whole roubles, rounded up. `rateE4` in 1/10 000 ₽ per gram, `premiumBp` in 1/100 %.
 * Exact: a kilogram of gold times a rate times a premium is beyond 2^53.
 */
export const sellingPrice = (pureMassMg: number, rateE4: number, premiumBp: number): Kopecks =>
  wholeRoublesUp(metalTimes(pureMassMg, rateE4, premiumBp), perRouble);

/** The same for a purchase by the shop: whole roubles, rounded down. */
export const buybackPrice = (pureMassMg: number, rateE4: number, buybackBp: number): Kopecks =>
  kopecks(Number(metalTimes(pureMassMg, rateE4, buybackBp) / perRouble) * 100);

/** 1/10 000 ₽ × milligrams (1/1000 g) × hundredths of a percent (1/10 000). */
const perRouble = 10_000n * 1_000n * 10_000n;
const metalTimes = (pureMassMg: number, rateE4: number, bp: number): bigint => BigInt(pureMassMg) * BigInt(rateE4) * BigInt(10_000 + bp);

function bullionPrices({ pureMassMg, buybackBp }: PricedCoin, premiumBp: number, rateE4: number) {
  if (rateE4 === 0) return { price: null, buyback: null };
  return {
    price: sellingPrice(pureMassMg, rateE4, premiumBp),
    buyback: buybackBp === null ? null : buybackPrice(pureMassMg, rateE4, buybackBp),
  };
}

const fixedPrices = (price: number | null, buyback: number | null) => ({
  price: price === null ? null : kopecks(price),
  buyback: buyback === null ? null : kopecks(buyback),
});

function premiumOver(price: Kopecks, pureMassMg: number, rateE4: number) {
  const metal = (pureMassMg * rateE4) / 100_000; // kopecks; a hundredth of a percent needs no exact arithmetic
  return { amount: kopecks(Math.round(price - metal)), bp: Math.round(((price - metal) / metal) * 10_000) };
}

function wholeRoublesUp(numerator: bigint, denominator: bigint): Kopecks {
  return kopecks(Number((numerator + denominator - 1n) / denominator) * 100);
}
