import { setImmediate } from "node:timers/promises";
import type { Category } from "#shop/catalog/category.ts";
import type { Coin } from "#shop/catalog/coin.ts";
import type { PriceList } from "#shop/pricing/price.ts";
import { cardPriceOf, type CardPrice } from "./card.ts";
import { documentOf } from "./coin-text.ts";
import { createColumns, type Classes, type Columns } from "../facets/facets.ts";
import type { Finder, FindResult } from "../finder.ts";
import type { Article, SortKey } from "../listing.ts";
import { rankedPrices } from "../facets/live-values.ts";
import { createProducts, type Products } from "../facets/products.ts";
import { readSynonyms, type Synonyms } from "../query.ts";
import { orderBy } from "./order-by.ts";
import { createTextIndex } from "./text-index.ts";
import { normalise } from "../text/words.ts";

/** Input of the index; `articles` include the texts they are found by. */
export type Sources = {
  coins: readonly Coin[];
  categories: readonly Category[];
  articles: readonly (Article & { lead: string; body: string })[];
  synonyms: readonly { phrase: string; meaning: string }[];
  /** In the order of the filter. */
  series?: readonly { name: string; body: string }[];
};

/** The part of the index that changes only with the catalogue, the texts or the synonyms. */
export type CatalogueIndex = {
  coins: readonly Coin[];
  positionOf: ReadonlyMap<number, number>;
  positionOfSlug: ReadonlyMap<string, number>;
  columns: Columns;
  classes: Classes;
  seriesTexts: ReadonlyMap<string, string>;
  products: Products;
  orders: Record<StaticSort, Int32Array>;
  categories: readonly Category[];
  articles: readonly Article[];
  coinFinder: Finder;
  categoryFinder: Finder;
  articleFinder: Finder;
  /** Cached results by query; the oldest is dropped first. */
  cachedQueries: Map<string, FindResult>;
};
type StaticSort = Extract<SortKey, "popular" | "mass" | "-mass" | "year" | "-year" | "new">;

export async function createCatalogueIndex({
  coins: unsorted,
  categories,
  articles,
  synonyms: rows,
  series = [],
}: Sources): Promise<CatalogueIndex> {
  const coins = unsorted.toSorted((a, b) => a.id - b.id); // positions follow ids, so a stable sort breaks ties by id
  const title = new Map(categories.map((category) => [category.slug, category.title]));
  const synonyms = readSynonyms(rows, normalise);
  const by = (keyOf: (coin: Coin) => number, before: Int32Array | null = null): Int32Array =>
    orderBy(Float64Array.from(coins, keyOf), before);
  const popular = by(
    (coin) => coin.featuredPosition ?? Infinity,
    by((coin) => -coin.popularity),
  );
  const products = createProducts(coins, popular);

  const coinTexts = await createTextIndex(coins.map((coin) => documentOf(coin, (slug) => title.get(slug) ?? "")));
  const categoryTexts = await createTextIndex(
    categories.map((category) => ({ fields: [[`${category.title} ${category.heading}`, 10]] as const })),
  );
  const articleTexts = await createTextIndex(
    articles.map((article) => ({
      fields: [
        [article.title, 10],
        [article.lead, 3],
        [article.body, 1],
      ] as const,
    })),
  );
  const isWordOf =
    (...indexes: (typeof coinTexts)[]) =>
    (stem: string) =>
      indexes.some((index) => index.hits(stem) !== undefined);

  return {
    coins,
    positionOf: new Map(coins.map((coin, position) => [coin.id, position])),
    positionOfSlug: new Map(coins.map((coin, position) => [coin.slug, position])),
    ...createColumns(coins, categories, { seriesOrder: series.map(({ name }) => name), productOf: products.of }),
    seriesTexts: new Map(series.map(({ name, body }) => [name, body])),
    products,
    orders: {
      popular,
      mass: by((coin) => coin.pureMassMg),
      "-mass": by((coin) => -coin.pureMassMg),
      year: by((coin) => coin.year),
      "-year": by((coin) => -coin.year),
      new: by(
        (coin) => -coin.createdAt.getTime(),
        by((coin) => -coin.year),
      ),
    },
    categories,
    articles,
    coinFinder: {
      index: coinTexts,
      synonyms,
      inRankOrder: popular,
      rankOf: products.popularity,
      isKnownElsewhere: isWordOf(categoryTexts, articleTexts),
      exact: new Map(coins.flatMap((coin, position) => [[normalise(coin.title), position] as const, [coin.slug, position] as const])),
    },
    categoryFinder: finderOf(categoryTexts, synonyms),
    articleFinder: {
      ...finderOf(articleTexts, synonyms),
      exact: new Map(articles.map(({ title: name }, position) => [normalise(name), position])),
    },
    cachedQueries: new Map(),
  };
}

function finderOf(index: Finder["index"], synonyms: Synonyms): Finder {
  const byNumber = Int32Array.from({ length: index.size }, (_, document) => document);
  return { index, synonyms, inRankOrder: byNumber, rankOf: byNumber, exact: new Map(), isKnownElsewhere: () => false };
}

/** The part of the index that changes with the price list: amounts in kopecks, spreads in hundredths of a percent, NaN where unknown. */
export type PriceIndex = {
  list: PriceList;
  prices: CardPrice[];
  price: Float64Array;
  spread: Float64Array;
  orders: Record<PriceSort, Int32Array>;
};
type PriceSort = Extract<SortKey, "price" | "-price" | "gram" | "premium" | "spread">;

/** Coins priced before control returns to the event loop. */
const sliceSize = 1_000;

/** Prices and sorts all coins. Works in slices, so that other requests wait for one slice at most. */
export async function createPriceIndex(coins: readonly Coin[], list: PriceList): Promise<PriceIndex> {
  const prices: CardPrice[] = [];
  for (const coin of coins) {
    prices.push(cardPriceOf(coin, list));
    if (prices.length % sliceSize === 0) await setImmediate();
  }
  const price = Float64Array.from(prices, (each) => each.price ?? Number.NaN);
  const spread = Float64Array.from(prices, (each) => each.spreadBp ?? Number.NaN);
  const keysOf = (keyOf: (prices: CardPrice) => number | null | undefined): Float64Array =>
    Float64Array.from(prices, (each) => keyOf(each) ?? Number.NaN);
  await setImmediate();
  const orders = {
    price: orderBy(price),
    "-price": orderBy(price.map((each) => -each)),
    gram: orderBy(keysOf((each) => each.perGram)),
    premium: orderBy(keysOf((each) => each.premium?.bp)),
    spread: orderBy(spread),
  };
  await setImmediate();
  rankedPrices(price);
  return { list, prices, price, spread, orders };
}
