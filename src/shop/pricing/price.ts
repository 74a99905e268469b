import type { Kopecks } from "#kit/money.ts";
import { kopecks } from "#kit/money.ts";

/**
 * The rates one set of prices was made from; metals in 1/10 000 ₽ per gram, 0 while a metal was never heard of.
 * `isStale` and `isDead` say how long the source had been silent when the list was handed out: stale prices are marked,
 * dead ones make no new quotes for bullion.
 */
export type PriceList = {
  version: number;
  goldE4: number;
  silverE4: number;
  /** When the older of the two metals was last heard of. */
  ratesAt: Date;
  madeAt: Date;
  isStale: boolean;
  isDead: boolean;
};

/** What of a coin decides its price. Premiums in hundredths of a percent over (or under) the value of its pure metal. */
export type PricedCoin = {
  metal: "gold" | "silver";
  kind: "bullion" | "memorable";
  pureMassMg: number;
  premiumBp: number;
  buybackBp: number | null;
  fixedPriceKopecks: number | null;
  fixedBuybackKopecks: number | null;
};

/** Each amount is absent on its own: a coin may be sold and not bought back, or have a fixed price and no known metal rate. */
export type CoinPrice = {
  /** Whole roubles, rounded up. */
  price: Kopecks | null;
  /** What the shop pays, whole roubles, rounded down. */
  buyback: Kopecks | null;
  /** Price over the value of the pure metal now; negative when a fixed price lies under it. Nearest kopeck, nearest hundredth of a percent. */
  premium: { amount: Kopecks; bp: number } | null;
  /** Price of one gram of pure metal in this coin, whole roubles, rounded up. */
  perGram: Kopecks | null;
  /** What is lost on buying the coin and selling it back today, as a share of its price: hundredths of a percent, rounded to the nearest. */
  spreadBp: number | null;
};

/** The price of a coin in a list: the only place where it is computed. Pages, quotes, feeds all come here. */
export function priceOf(coin: PricedCoin, list: PriceList): CoinPrice {
  const rateE4 = coin.metal === "gold" ? list.goldE4 : list.silverE4;
  const { price, buyback } = coin.kind === "bullion" ? followingMetal(coin, rateE4) : fixed(coin);
  return {
    price,
    buyback,
    premium: price === null || rateE4 === 0 ? null : premiumOver(price, coin.pureMassMg, rateE4),
    perGram: price === null ? null : wholeRoublesUp(BigInt(price) * 1000n, BigInt(coin.pureMassMg) * 100n),
    spreadBp: price === null || buyback === null ? null : spreadBp(price, buyback),
  };
}

/** (price − buyback) / price in hundredths of a percent; negative if the shop pays more than it asks. */
export const spreadBp = (price: Kopecks, buyback: Kopecks): number => Math.round(((price - buyback) / price) * 10_000);

/**
 * Pure mass × rate × (1 + premium) in whole roubles, rounded up. `rateE4` in 1/10 000 ₽ per gram, `premiumBp` in 1/100 %.
 * Exact: a kilogram of gold times a rate times a premium is beyond 2^53.
 */
export const sellingPrice = (pureMassMg: number, rateE4: number, premiumBp: number): Kopecks =>
  wholeRoublesUp(metalTimes(pureMassMg, rateE4, premiumBp), perRouble);

/** The same with the shop as the buyer: whole roubles, rounded down. */
export const buybackPrice = (pureMassMg: number, rateE4: number, buybackBp: number): Kopecks =>
  kopecks(Number(metalTimes(pureMassMg, rateE4, buybackBp) / perRouble) * 100);

/** 1/10 000 ₽ × milligrams (1/1000 g) × hundredths of a percent (1/10 000). */
const perRouble = 10_000n * 1_000n * 10_000n;
const metalTimes = (pureMassMg: number, rateE4: number, bp: number): bigint => BigInt(pureMassMg) * BigInt(rateE4) * BigInt(10_000 + bp);

function followingMetal(coin: PricedCoin, rateE4: number) {
  if (rateE4 === 0) return { price: null, buyback: null };
  return {
    price: sellingPrice(coin.pureMassMg, rateE4, coin.premiumBp),
    buyback: coin.buybackBp === null ? null : buybackPrice(coin.pureMassMg, rateE4, coin.buybackBp),
  };
}

const fixed = (coin: PricedCoin) => ({
  price: coin.fixedPriceKopecks === null ? null : kopecks(coin.fixedPriceKopecks),
  buyback: coin.fixedBuybackKopecks === null ? null : kopecks(coin.fixedBuybackKopecks),
});

function premiumOver(price: Kopecks, pureMassMg: number, rateE4: number) {
  const metal = (pureMassMg * rateE4) / 100_000; // kopecks; a hundredth of a percent needs no exact arithmetic
  return { amount: kopecks(Math.round(price - metal)), bp: Math.round(((price - metal) / metal) * 10_000) };
}

function wholeRoublesUp(numerator: bigint, denominator: bigint): Kopecks {
  return kopecks(Number((numerator + denominator - 1n) / denominator) * 100);
}
