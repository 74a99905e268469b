import type { CoinKind, Metal } from "../coin.ts";

/** The fields of a coin that decide its prices, as `shop/pricing` changes them. */
export type CoinPrices = {
  premiumBp: number;
  buybackBp: number | null;
  fixedPriceKopecks: number | null;
  fixedBuybackKopecks: number | null;
};

/** A coin with its prices and what price changes select it by. Coins that are off sale are included. */
export type PricedRow = CoinPrices & {
  id: number;
  slug: string;
  title: string;
  metal: Metal;
  kind: CoinKind;
  pureMassMg: number;
  isPublished: boolean;
};

/** Which coins a price change is about. An absent or empty condition selects all. */
export type CoinFilter = {
  ids?: readonly number[] | undefined;
  metals?: readonly Metal[] | undefined;
  kinds?: readonly CoinKind[] | undefined;
  categories?: readonly string[] | undefined;
  series?: readonly string[] | undefined;
  countries?: readonly string[] | undefined;
  yearFrom?: number | undefined;
  yearTill?: number | undefined;
  /** Pure metal. */
  massFromMg?: number | undefined;
  massTillMg?: number | undefined;
  /** All words must be in the title; ё counts as е. */
  text?: string | undefined;
};

/** One conditional write: the coin gets `after` only while its prices are still `before`. */
export type PriceWrite = { coinId: number; before: CoinPrices; after: CoinPrices };

export const isSamePrices = (a: CoinPrices, b: CoinPrices): boolean =>
  a.premiumBp === b.premiumBp &&
  a.buybackBp === b.buybackBp &&
  a.fixedPriceKopecks === b.fixedPriceKopecks &&
  a.fixedBuybackKopecks === b.fixedBuybackKopecks;

export const pricesOnly = ({ premiumBp, buybackBp, fixedPriceKopecks, fixedBuybackKopecks }: CoinPrices): CoinPrices => ({
  premiumBp,
  buybackBp,
  fixedPriceKopecks,
  fixedBuybackKopecks,
});

/** What coins can be filtered by, with the number of coins of each. */
export type CoinFacets = {
  metals: Record<Metal, number>;
  kinds: Record<CoinKind, number>;
  series: { name: string; coins: number }[];
  countries: { name: string; coins: number }[];
  categories: { slug: string; title: string; coins: number }[];
};

/** A time without a break in which a coin was on sale; `till` null: it still is. */
export type SalePeriod = { from: Date; till: Date | null };
