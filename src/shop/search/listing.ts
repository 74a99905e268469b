import type { Kopecks } from "#kit/money.ts";
import type { Category } from "#shop/catalog/category.ts";
import type { CoinKind, Metal } from "#shop/catalog/coin.ts";
import type { Card } from "./card.ts";

export const pageSize = 24;

/** A leading minus reverses the order; unknown values always come last, ties are ordered by id. */
export const sortKeys = ["popular", "price", "-price", "gram", "premium", "spread", "mass", "-mass", "year", "-year", "new"] as const;
export type SortKey = (typeof sortKeys)[number];

/** Facets with selectable values; values of one facet are combined with OR, facets with AND. */
export const facetNames = ["category", "metal", "kind", "weight", "series", "country", "mint", "quality", "inStock", "spreadTo"] as const;
export type FacetName = (typeof facetNames)[number];

/**
 * Filters of a listing. Values are the `value` of a facet's choice; its label is accepted too.
 * `weight` is grams of pure metal, compared to a hundredth of a gram. Absent and empty mean "all".
 */
export type ListingFilters = {
  category?: string | readonly string[];
  metal?: readonly Metal[];
  kind?: readonly CoinKind[];
  series?: readonly string[];
  country?: readonly string[];
  mint?: readonly string[];
  quality?: readonly string[];
  year?: readonly number[];
  weight?: readonly number[];
  /** Both ends belong to the range; coins without a price are outside any range. */
  priceFrom?: Kopecks;
  priceTo?: Kopecks;
  /** The largest spread in percent, itself included; coins that are not bought back are outside. */
  spreadTo?: number;
  /** True: only coins in stock. False does not filter. */
  inStock?: boolean;
  sort?: SortKey;
  /** `product`: one card for all years and mints of a product, counts are of products. Absent: one card a coin. */
  group?: "product";
  /** From 1; past the last page there are no items. */
  page?: number;
};

type FacetChoice = { value: string; label: string; count: number };
/** Counts per value with all other filters kept. A range covers the coins that pass all other filters; 0–0 when there are none. */
export type Facets = Record<FacetName, FacetChoice[]> & {
  price: { min: Kopecks; max: Kopecks; histogram: number[]; bands: number[] };
  year: { min: number; max: number };
};

/**
 * Number of histogram steps. The price range is divided logarithmically, because prices reach from 4 000 ₽ to 11 million.
 * `histogram` counts the coins of each step.
 */
export const priceSteps = 20;

/** Prices in roubles that a listing offers as ready choices, both ends included; `bands` counts what each would show. */
export const priceBands: readonly { from?: number; to?: number }[] = [
  { to: 20_000 },
  { from: 20_000, to: 100_000 },
  { from: 100_000, to: 300_000 },
  { from: 300_000 },
];
/** Spreads in percent that a listing offers as ready choices of `spreadTo`. */
export const spreadChoices = [8, 10, 15, 25, 35] as const;

export type Listing = { items: Card[]; total: number; page: number; pages: number; facets: Facets };

/** `to` is the query that was searched instead of the typed `from`. */
export type Correction = { from: string; to: string };
/** Heading and text of the prepared list for an intent. */
export type PreparedList = { id: string; heading: string; text: string; links: readonly { title: string; href: string }[] };
/** `limits`: the prices that the words of the query set. */
export type Found = Listing & {
  corrected?: Correction;
  intent?: PreparedList;
  limits?: { priceFrom?: Kopecks; priceTo?: Kopecks };
  categories: Category[];
  articles: Article[];
};

export type Article = { id: string; title: string; href: string };
export type Suggestions = { products: Card[]; categories: Category[]; articles: Article[] };
