import type { Coin } from "#shop/catalog/coin.ts";
import { moscow } from "#kit/moscow-time.ts";
import * as stock from "#shop/stock/service.ts";
import { titleAmong, type Category } from "#shop/catalog/category.ts";
import type { Ctx } from "#shop/context.ts";
import { priceStepsOf, type PriceList } from "#shop/pricing/price.ts";
import { cardOf, cardPriceOf, type Card, type Issues, type CoinDetails } from "./card.ts";
import { unknownFilterNames } from "./facets/facets.ts";
import { filterAndCount, type FilterResult } from "./facets/filter-and-count.ts";
import { bitsOf, commonBits, sizeOf, type Bits } from "./index/bits.ts";
import { bytesOf, inOrder, reordered, type Ordered } from "./index/ordered.ts";
import { passingCoins } from "./facets/passing.ts";
import { firstInStock, issuesAmong } from "./facets/products.ts";
import { find as findDocuments } from "./finding/find.ts";
import type { FindOptions, FindResult } from "./finding/finder.ts";
import { intentOf, type QueryIntent } from "./text/intents.ts";
import {
  pageSize,
  type Article,
  type FacetName,
  type Found,
  type Listing,
  type ListingFilters,
  type PreparedList,
  type SortKey,
  type Suggestions,
} from "./listing.ts";
import { readModel, type ReadModel } from "./index/read-model.service.ts";
import { readPrice, type PriceLimits } from "./text/price-limits.ts";
import { requestedSort } from "./query.ts";
import { anyCoin, nothingFor, priceInWords } from "./text/texts.ru.ts";
import { maxQueryLength, normalise } from "./text/words.ts";

export { basis } from "./index/read-model.service.ts";

/** The same object as `basis`, after a refresh if there must be one. */
export const currentBasis = async (ctx: Ctx): Promise<object> => (await readModel(ctx)).results;

/** Cards in the order of `ids`; unknown ids and coins off sale are left out. */
export async function cards(ctx: Ctx, ids: readonly number[]): Promise<Card[]> {
  const model = await readModel(ctx);
  const toCard = cardMaker(ctx, model);
  return ids.flatMap((id) => {
    const position = model.catalogue.positionOf.get(id);
    return position === undefined ? [] : [toCard(position)];
  });
}

/** A coin on sale with everything its page shows; null for an unknown slug. */
export async function coinBySlug(ctx: Ctx, slug: string): Promise<CoinDetails | null> {
  const model = await readModel(ctx);
  const position = model.catalogue.positionOfSlug.get(slug);
  const coin = position === undefined ? undefined : model.catalogue.coins[position];
  if (position === undefined || coin === undefined) return null;
  return { ...coin, ...cardMaker(ctx, model)(position), ...priceDetails(coin, model.pricing.list) };
}

/** A coin as its page would show it, on sale or not, for previews of drafts. */
export async function detailsOf(ctx: Ctx, coin: Coin): Promise<CoinDetails> {
  const { pricing } = await readModel(ctx);
  const { list } = pricing;
  const available = (await stock.available(ctx.db, [coin.id])).get(coin.id) ?? 0;
  const card = cardOf(coin, cardPriceOf(coin, list), list.version, available, currentYear(ctx));
  return { ...coin, ...card, ...priceDetails(coin, list) };
}

const priceDetails = (coin: Coin, list: PriceList): Pick<CoinDetails, "rateE4" | "priceSteps"> => ({
  rateE4: (coin.metal === "gold" ? list.goldE4 : list.silverE4) || null,
  priceSteps: priceStepsOf(coin, list),
});

/** Every coin on sale with all its facts, by id, for feeds: of one state of prices and stock, each made when it is read. */
export async function allCoins(ctx: Ctx): Promise<Iterable<Coin & Card>> {
  const model = await readModel(ctx);
  const toCard = cardMaker(ctx, model);
  return (function* () {
    for (const [position, coin] of model.catalogue.coins.entries()) yield { ...coin, ...toCard(position) };
  })();
}

/** The addresses of all coins on sale, by id. */
export const coinSlugs = async (ctx: Ctx): Promise<string[]> => (await readModel(ctx)).catalogue.coins.map(({ slug }) => slug);

/** All categories in menu order, from the read model. */
export const categories = async (ctx: Ctx): Promise<readonly Category[]> => (await readModel(ctx)).catalogue.categories;

/** What staff wrote about a series, by its value in the filter; null for an unknown one or one without a text. */
export async function seriesText(ctx: Ctx, value: string): Promise<string | null> {
  const { columns, seriesTexts } = (await readModel(ctx)).catalogue;
  const label = columns.series.choices.find((choice) => choice.value === value)?.label;
  return (label !== undefined && seriesTexts.get(label)) || null;
}

/** One page of a listing with the counts of its facets. A filter with unknown values only matches nothing; see `unknownFilters`. */
export async function list(ctx: Ctx, filters: ListingFilters): Promise<Listing> {
  const model = await readModel(ctx);
  return page(ctx, model, cachedResult(model, filters), filters, filters.page);
}

/** Names of the filters with an unknown value; empty when all values are known. */
export async function unknownFilters(ctx: Ctx, filters: ListingFilters): Promise<FacetName[]> {
  return unknownFilterNames((await readModel(ctx)).catalogue.columns, filters);
}

/**
 * Coins for a typed query as a listing, best first (filters narrow it, a `sort` replaces the order), with matching categories and articles.
 * «недорого» and «новинки» set the sort order, «до 100 000» a price limit. A query without results is corrected, which `corrected`
 * reports; `exact` takes the query literally.
 */
export async function find(ctx: Ctx, input: { query: string; page?: number; exact?: boolean; filters?: ListingFilters }): Promise<Found> {
  const model = await readModel(ctx);
  const { query, limits } = splitPriceLimits(input.query, input.exact === true ? "exact" : "whole");
  const { documents, corrected, named, list: prepared } = resolveQuery(model, query, input.exact ?? false, currentYear(ctx));
  const filters = { ...limits, ...input.filters };
  const sort = filters.sort ?? (prepared ? null : requestedSort(normalise(query.slice(0, maxQueryLength))));
  const order = sort === null ? documents : reordered(documents, sortOrder(model, sort));
  return {
    ...page(ctx, model, filterInOrder(model, order, filters, sort, named), filters, input.page ?? filters.page),
    ...(corrected ? { corrected: { ...corrected, from: input.query.trim() } } : {}),
    ...(prepared ? { intent: prepared } : {}),
    ...(limits ? { limits } : {}),
    ...relatedPages(model, query, corrected?.to, false, 6),
  };
}

type ResolvedQuery = FindResult & { list?: PreparedList };

/** The coins for a query, best first: those that its words name, or the prepared list of its intent. */
export function resolveQuery(model: ReadModel, query: string, isExact: boolean, thisYear: number): ResolvedQuery {
  const intent = isExact ? null : intentOf(normalise(query.slice(0, maxQueryLength)));
  const found = () => findCoins(model, query, { isExact });
  if (intent === null) return found();
  const { isName } = model.catalogue.coinFinder.index;
  // «юбилей Победы» names coins: all its words are in their titles.
  if (intent.rest !== "" && intent.stems.length > 0 && intent.stems.every(isName)) {
    const plain = found();
    if (plain.documents.length > 0 && plain.corrected === null) return plain;
  }
  return prepareList(model, intent, thisYear);
}

function prepareList(model: ReadModel, { intent, rest, sum }: QueryIntent, thisYear: number): ResolvedQuery {
  const { id, links, filters: own, sort, years } = intent;
  const order = sortOrder(model, sort);
  const filters: ListingFilters = {
    ...own,
    ...(years === undefined ? {} : { year: Array.from({ length: years }, (_, ago) => thisYear - ago) }),
  };
  const affordable = preparedCoins(model, sum === null ? filters : { ...filters, priceTo: sum });
  const isTooLittle = sum !== null && sizeOf(affordable) === 0;
  const prepared = isTooLittle ? preparedCoins(model, filters) : affordable;
  const named = rest === "" ? null : findCoins(model, rest, {});
  const wanted =
    named !== null && named.corrected === null && named.documents.length > 0
      ? (named.documents.set ?? bitsOf(named.documents.members ?? order, model.catalogue.coins.length))
      : null;
  const both = wanted === null ? prepared : commonBits(prepared, wanted);
  const texts = sum === null ? intent : (intent.withSum ?? intent);
  const fill = (text: string): string => (sum === null ? text : text.replaceAll("{sum}", priceInWords(sum)));
  return {
    // Coins named beside the intent take precedence over its prepared list.
    documents:
      named === null || wanted === null || sizeOf(both) > 0
        ? inOrder(both, isTooLittle ? sortOrder(model, "price") : order)
        : named.documents,
    corrected: null,
    list: { id, links, heading: fill(texts.heading), text: isTooLittle && sum !== null ? nothingFor(priceInWords(sum)) : fill(texts.text) },
  };
}

/** Splits a query into words and price limits; a query without a limit is returned as typed. */
function splitPriceLimits(typed: string, how: "exact" | "whole" | "typing"): { query: string; limits: Omit<PriceLimits, "words"> | null } {
  if (how === "exact") return { query: typed, limits: null };
  const text = normalise(typed.slice(0, maxQueryLength));
  const { words, ...limits } = readPrice(text, how === "typing");
  if (words === text) return { query: typed, limits: null };
  return { query: words === "" ? anyCoin : words, limits };
}

const maxSuggestedProducts = 6;

/** Suggestions while typing, one for each product: the last word may be unfinished. Empty for an empty query. */
export async function suggest(ctx: Ctx, typed: string): Promise<Suggestions> {
  if (typed.trim() === "") return { products: [], categories: [], articles: [] };
  const model = await readModel(ctx);
  const { query, limits } = splitPriceLimits(typed, "typing");
  const { documents, corrected } = findCoins(model, query, { isTyping: true });
  const passing = limits === null && documents.set ? documents.set : passingBits(model, documents, limits ?? {});
  const products = firstInStock(documents, passing, model.catalogue.products, model, { most: maxSuggestedProducts });
  return { products: products.map(cardMaker(ctx, model)), ...relatedPages(model, query, corrected?.to, true, 3) };
}

/** Cached until the text index changes: many visitors type the same first letters and the same names. */
function findCoins({ catalogue }: ReadModel, query: string, options: FindOptions): FindResult {
  const key = `${options.isTyping ? "typing" : options.isExact ? "exact" : "typed"} ${query.slice(0, maxQueryLength)}`;
  const cache = options.isTyping ? catalogue.cachedSuggestions : catalogue.cachedQueries;
  const stored = cache.get(key);
  if (stored) return stored;
  const found = findDocuments(catalogue.coinFinder, query, options);
  cache.set(key, found, bytesOf(found.documents));
  return found;
}

/** Categories and articles for the typed words, else for the corrected ones: «курс золота» is a page, although no coin has a rate. */
function relatedPages(
  { catalogue }: ReadModel,
  query: string,
  correctedQuery: string | undefined,
  isTyping: boolean,
  most: number,
): { categories: Category[]; articles: Article[] } {
  const found = (finder: typeof catalogue.categoryFinder, text: string) =>
    Array.from(findDocuments(finder, text.slice(0, maxQueryLength), { isTyping, isStrict: true }).documents.prefix(most));
  const pick = <T>(list: readonly T[], finder: typeof catalogue.categoryFinder): T[] => {
    const asTyped = found(finder, query);
    return (asTyped.length > 0 || correctedQuery === undefined ? asTyped : found(finder, correctedQuery))
      .slice(0, most)
      .flatMap((document) => list[document] ?? []);
  };
  return {
    categories: pick(catalogue.categories, catalogue.categoryFinder).map((category) => ({
      ...category,
      title: titleAmong(catalogue.categories, category),
    })),
    articles: pick(catalogue.articles, catalogue.articleFinder).map(({ id, title, href }) => ({ id, title, href })),
  };
}

/** Cache key: all filters except the page, sorted by name. */
const filterKey = ({ page: _page, ...filters }: ListingFilters): string =>
  JSON.stringify(
    Object.entries(filters)
      .filter(([, value]) => value !== undefined)
      .sort(([a], [b]) => (a < b ? -1 : 1)),
  );

function cachedResult(model: ReadModel, filters: ListingFilters): FilterResult {
  const key = filterKey(filters);
  const stored = model.results.get(key);
  if (stored) return stored;
  const made = filterInOrder(model, sortOrder(model, filters.sort ?? "popular"), filters);
  model.results.set(key, made, model.catalogue.coins.length);
  return made;
}

const filterInOrder = (
  { catalogue, pricing, available }: ReadModel,
  order: Ordered | Int32Array,
  filters: ListingFilters,
  sort?: SortKey | null,
  named?: number,
): FilterResult => filterAndCount(catalogue, { price: pricing.price, spread: pricing.spread, available }, order, filters, sort, named);

/** The coins among these that pass the filters, without counts. */
const passingBits = (
  { catalogue, pricing, available }: ReadModel,
  ordered: Pick<Ordered, "members" | "set">,
  filters: ListingFilters,
): Bits => passingCoins(catalogue, { price: pricing.price, spread: pricing.spread, available }, ordered, filters).bits;

/** The coins of a prepared list. Stored: many queries with other words beside the intent share it. */
function preparedCoins(model: ReadModel, filters: ListingFilters): Bits {
  const key = filterKey(filters);
  const stored = model.prepared.get(key);
  if (stored) return stored;
  const made = passingBits(model, { members: null }, filters);
  model.prepared.set(key, made, made.byteLength);
  return made;
}

function page(ctx: Ctx, model: ReadModel, result: FilterResult, { group }: ListingFilters, number = 1): Listing {
  const { total, facets, passing } = result;
  const pages = Math.ceil(total / pageSize);
  const shown = number > pages ? [] : result.first(number * pageSize).slice((number - 1) * pageSize);
  const cards = shown.map(cardMaker(ctx, model));
  const items = group === "product" ? withIssues(cards, issuesOf(model, passing, shown)) : cards;
  return { items, total, page: number, pages, facets };
}

const withIssues = (cards: readonly Card[], issues: readonly (Issues | null)[]): Card[] =>
  cards.map((card, nth) => ({ ...card, issues: issues[nth] ?? null }));

/** The issues among the `passing` coins for the product of each shown position; null for a product of one coin. */
function issuesOf({ catalogue, pricing, available }: ReadModel, passing: Bits, shown: readonly number[]): (Issues | null)[] {
  const piecesOf = (position: number): number => available[position] ?? 0;
  const priceOf = (position: number): number => pricing.price[position] ?? Number.NaN;
  return shown.map((position) => {
    const issues = issuesAmong(catalogue.products, position, passing);
    if (issues.length < 2) return null;
    const years = issues.map((issue) => catalogue.coins[issue]?.year ?? 0);
    return {
      count: issues.length,
      available: issues.reduce((sum, issue) => sum + piecesOf(issue), 0),
      yearFrom: Math.min(...years),
      yearTo: Math.max(...years),
      isCheapest: !issues.some((issue) => piecesOf(issue) > 0 && priceOf(issue) < priceOf(position)),
    };
  });
}

/** All issues of the product of a coin, itself included: the newest first, then by mint. Empty for an unknown coin. */
export async function issues(ctx: Ctx, id: number): Promise<Card[]> {
  const model = await readModel(ctx);
  const { byProduct, starts, of } = model.catalogue.products;
  const position = model.catalogue.positionOf.get(id);
  if (position === undefined) return [];
  const product = of[position] ?? 0;
  const cards = Array.from(byProduct.subarray(starts[product], starts[product + 1]), cardMaker(ctx, model));
  return cards.toSorted((a, b) => b.year - a.year || (a.mint ?? "").localeCompare(b.mint ?? "", "ru") || a.id - b.id);
}

function sortOrder({ catalogue, pricing }: ReadModel, sort: SortKey): Int32Array {
  return Object.hasOwn(pricing.orders, sort)
    ? pricing.orders[sort as keyof typeof pricing.orders]
    : catalogue.orders[sort as keyof typeof catalogue.orders];
}

/** The year in Moscow. */
const currentYear = (ctx: Ctx): number => Number(moscow(ctx.now()).date.slice(0, 4));

function cardMaker(ctx: Ctx, { catalogue, pricing, available }: ReadModel): (position: number) => Card {
  const thisYear = currentYear(ctx);
  return (position) => {
    const coin = catalogue.coins[position];
    if (!coin) throw new RangeError(`no coin at position ${position}`);
    return cardOf(coin, cardPriceOf(coin, pricing.list), pricing.list.version, available[position] ?? 0, thisYear);
  };
}
