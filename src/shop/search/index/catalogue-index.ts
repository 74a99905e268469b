import { setImmediate } from "node:timers/promises";
import type { Category } from "#shop/catalog/category.ts";
import { createBoundedCache, type BoundedCache } from "#kit/bounded-cache.ts";
import type { Coin } from "#shop/catalog/coin.ts";
import { priceOf, type PriceList } from "#shop/pricing/price.ts";
import { documentOf } from "./coin-text.ts";
import { createColumns, type Classes, type Columns } from "../facets/facets.ts";
import type { Finder, FindResult } from "../finding/finder.ts";
import type { Article, SortKey } from "../listing.ts";
import { priceMasks, rankedPrices } from "../facets/live-values.ts";
import { createProducts, type Products } from "../facets/products.ts";
import { parseSynonyms, type Synonyms } from "../query.ts";
import { orderBy } from "./order-by.ts";
import { createTextIndex, type Document, type TextIndex } from "./text-index.ts";
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
  /** Cached results by query, and those of queries that were being typed. */
  cachedQueries: BoundedCache<FindResult>;
  cachedSuggestions: BoundedCache<FindResult>;
};
/** Bytes of all cached queries together: a query may find every coin. */
const maxCachedBytes = 12_000_000;

/** Coins that are handled before control returns to the event loop. */
const sliceSize = 1_000;

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
  const synonyms = parseSynonyms(rows);
  const popular = sortedBy(
    coins,
    (coin) => coin.featuredPosition ?? Infinity,
    sortedBy(coins, (coin) => -coin.popularity),
  );
  await setImmediate();
  const products = createProducts(coins, popular);
  await setImmediate();
  const facets = createColumns(coins, categories, { seriesOrder: series.map(({ name }) => name), productOf: products.of });
  await setImmediate();

  const textsOf = <T>(list: readonly T[], toDocument: (each: T) => Document): Promise<TextIndex> =>
    createTextIndex(list.length, (nth) => toDocument(list[nth] as T));
  const coinTexts = await textsOf(coins, (coin) => documentOf(coin, (slug) => title.get(slug) ?? ""));
  const categoryTexts = await textsOf(categories, (category) => ({ fields: [[`${category.title} ${category.heading}`, 10]] }));
  const articleTexts = await textsOf(articles, (article) => ({
    fields: [
      [article.title, 10],
      [article.lead, 3],
      [article.body, 1],
    ],
  }));
  const orders = await staticOrders(coins, popular);
  const [positionOf, positionOfSlug, exact] = [new Map<number, number>(), new Map<string, number>(), new Map<string, number>()];
  for (const [position, coin] of coins.entries()) {
    positionOf.set(coin.id, position);
    positionOfSlug.set(coin.slug, position);
    exact.set(normalise(coin.title), position);
    exact.set(coin.slug, position);
    if (position % sliceSize === sliceSize - 1) await setImmediate();
  }
  const isWordOf =
    (...indexes: (typeof coinTexts)[]) =>
    (stem: string) =>
      indexes.some((index) => index.hits(stem) !== undefined);

  return {
    coins,
    positionOf,
    positionOfSlug,
    ...facets,
    seriesTexts: new Map(series.map(({ name, body }) => [name, body])),
    products,
    orders,
    categories,
    articles,
    coinFinder: {
      index: coinTexts,
      synonyms,
      inRankOrder: popular,
      rankOf: products.popularity,
      isKnownElsewhere: isWordOf(categoryTexts, articleTexts),
      exact,
    },
    categoryFinder: finderOf(categoryTexts, synonyms),
    articleFinder: {
      ...finderOf(articleTexts, synonyms),
      exact: new Map(articles.map(({ title: name }, position) => [normalise(name), position])),
    },
    cachedQueries: createBoundedCache({ maxEntries: 500, maxTotalSize: maxCachedBytes }),
    cachedSuggestions: createBoundedCache({ maxEntries: 1_000, maxTotalSize: maxCachedBytes }),
  };
}

const sortedBy = (coins: readonly Coin[], keyOf: (coin: Coin) => number, before: Int32Array | null = null): Int32Array =>
  orderBy(Float64Array.from(coins, keyOf), before);

async function staticOrders(coins: readonly Coin[], popular: Int32Array): Promise<CatalogueIndex["orders"]> {
  const mass = sortedBy(coins, (coin) => coin.pureMassMg);
  const fromHeaviest = sortedBy(coins, (coin) => -coin.pureMassMg);
  await setImmediate();
  const year = sortedBy(coins, (coin) => coin.year);
  const fromLatest = sortedBy(coins, (coin) => -coin.year);
  await setImmediate();
  const newest = sortedBy(coins, (coin) => -coin.createdAt.getTime(), fromLatest);
  return { popular, mass, "-mass": fromHeaviest, year, "-year": fromLatest, new: newest };
}

function finderOf(index: Finder["index"], synonyms: Synonyms): Finder {
  const byNumber = Int32Array.from({ length: index.size }, (_, document) => document);
  return { index, synonyms, inRankOrder: byNumber, rankOf: byNumber, exact: new Map(), isKnownElsewhere: () => false };
}

/**
 * The part of the index that changes with the price list: amounts in kopecks, spreads in hundredths of a percent, NaN where unknown. What a
 * card shows besides is computed for the cards of one page.
 */
export type PriceIndex = {
  list: PriceList;
  price: Float64Array;
  spread: Float64Array;
  orders: Record<PriceSort, Int32Array>;
};
type PriceSort = Extract<SortKey, "price" | "-price" | "gram" | "premium" | "spread">;

/** Prices and sorts all coins. Works in slices, so that other requests wait for one slice at most. */
export async function createPriceIndex(coins: readonly Coin[], list: PriceList): Promise<PriceIndex> {
  const unknown = (): Float64Array => new Float64Array(coins.length).fill(Number.NaN);
  const [price, spread, gram, premium] = [unknown(), unknown(), unknown(), unknown()];
  for (const [position, coin] of coins.entries()) {
    const prices = priceOf(coin, list);
    if (prices.price !== null) price[position] = prices.price;
    if (prices.spreadBp !== null) spread[position] = prices.spreadBp;
    if (prices.perGram !== null) gram[position] = prices.perGram;
    if (prices.premium !== null) premium[position] = prices.premium.bp;
    if (position % sliceSize === sliceSize - 1) await setImmediate();
  }
  const orders: Partial<PriceIndex["orders"]> = {};
  const keys = { price, "-price": price.map((each) => -each), gram, premium, spread };
  for (const sort of Object.keys(keys) as PriceSort[]) {
    await setImmediate();
    orders[sort] = orderBy(keys[sort]);
  }
  await setImmediate();
  rankedPrices(price, orders.price);
  await setImmediate();
  priceMasks({ price, spread });
  return { list, price, spread, orders: orders as PriceIndex["orders"] };
}
