import type { Coin } from "#shop/catalog/coin.ts";
import { moscow } from "#kit/moscow-time.ts";
import { titleAmong, type Category } from "#shop/catalog/category.ts";
import type { Ctx } from "#shop/context.ts";
import { cardOf, type Card, type Issues, type Product } from "./card.ts";
import { unknownIn, walk, type Walk } from "./facets.ts";
import { find as findDocuments, type FindOptions, type Finding } from "./finder.ts";
import { intentOf, type Meant } from "./intents.ts";
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
import { readModel, type ReadModel } from "./read-model.service.ts";
import { readPrice, type Priced } from "./price-limits.ts";
import { orderAsked } from "./query.ts";
import { anyCoin, nothingFor, priceInWords } from "./texts.ru.ts";
import { longestQuery, normalise } from "./words.ts";

/** Cards in the order asked for; ids that are unknown or off sale are left out. */
export async function cards(ctx: Ctx, ids: readonly number[]): Promise<Card[]> {
  const model = await readModel(ctx);
  const toCard = cardMaker(ctx, model);
  return ids.flatMap((id) => {
    const place = model.catalogue.placeOf.get(id);
    return place === undefined ? [] : [toCard(place)];
  });
}

/** A coin on sale with everything its page shows; null when there is none at this address. */
export async function product(ctx: Ctx, slug: string): Promise<Product | null> {
  const model = await readModel(ctx);
  const place = model.catalogue.placeOfSlug.get(slug);
  const coin = place === undefined ? undefined : model.catalogue.coins[place];
  if (place === undefined || coin === undefined) return null;
  const { goldE4, silverE4 } = model.pricing.list;
  return { ...coin, ...cardMaker(ctx, model)(place), rateE4: (coin.metal === "gold" ? goldE4 : silverE4) || null };
}

/** Every coin on sale with all its facts, by id: for feeds, which hand the whole catalogue on. */
export async function everything(ctx: Ctx): Promise<(Coin & Card)[]> {
  const model = await readModel(ctx);
  const toCard = cardMaker(ctx, model);
  return model.catalogue.coins.map((coin, place) => ({ ...coin, ...toCard(place) }));
}

/** All listings under /catalog in menu order, as the read model knows them: for pages that show one anyway. */
export const categories = async (ctx: Ctx): Promise<readonly Category[]> => (await readModel(ctx)).catalogue.categories;

/** One page of a listing with the counts of its facets. A filter of only unknown values shows nothing; `unknownFilters` tells them. */
export async function list(ctx: Ctx, filters: ListingFilters): Promise<Listing> {
  const model = await readModel(ctx);
  return page(ctx, model, walkOf(model, filters), filters, filters.page);
}

/** Names of the filters that hold a value nobody knows; empty when all is well. */
export async function unknownFilters(ctx: Ctx, filters: ListingFilters): Promise<FacetName[]> {
  return unknownIn((await readModel(ctx)).catalogue.columns, filters);
}

/**
 * Coins for what somebody typed, best first, as a listing (filters may narrow it, a `sort` replaces the order), with the categories
 * and articles of these words; «недорого» and «новинки» are orders, «до 100 000» is a limit of the price. A query that finds nothing as it stands is mended and says so in `corrected`; `exact` takes it literally.
 */
export async function find(ctx: Ctx, ask: { query: string; page?: number; exact?: boolean; filters?: ListingFilters }): Promise<Found> {
  const model = await readModel(ctx);
  const { query, limits } = pricedQuery(ask.query, ask.exact === true ? "exact" : "whole");
  const {
    documents,
    corrected,
    named,
    list: prepared,
  } = answerTo(model, query, ask.exact ?? false, Number(moscow(ctx.now()).date.slice(0, 4)));
  const filters = { ...limits, ...ask.filters };
  const sort = filters.sort ?? (prepared ? null : orderAsked(normalise(query.slice(0, longestQuery))));
  const order = sort === null ? documents : sorted(documents, orderOf(model, sort));
  return {
    ...page(ctx, model, walkAlong(model, order, filters, sort, named), filters, ask.page ?? filters.page),
    ...(corrected ? { corrected: { ...corrected, from: ask.query.trim() } } : {}),
    ...(prepared ? { intent: prepared } : {}),
    ...(limits ? { limits } : {}),
    ...beside(model, query, corrected?.to, false, 6),
  };
}

type Answer = Finding & { list?: PreparedList };

/** The coins for a query, best first: those that its words name, or the list prepared for what it comes for. */
export function answerTo(model: ReadModel, query: string, isExact: boolean, thisYear: number): Answer {
  const meant = isExact ? null : intentOf(normalise(query.slice(0, longestQuery)));
  const found = () => findCoins(model, query, { isExact });
  if (meant === null) return found();
  const { isName } = model.catalogue.coinFinder.index;
  // «юбилей Победы» names coins: all its words stand in their titles.
  if (meant.rest !== "" && meant.stems.length > 0 && meant.stems.every(isName)) {
    const plain = found();
    if (plain.documents.length > 0 && plain.corrected === null) return plain;
  }
  return preparedFor(model, meant, thisYear);
}

function preparedFor(model: ReadModel, { intent, rest, sum }: Meant, thisYear: number): Answer {
  const { id, links, filters: own, sort, years } = intent;
  const order = orderOf(model, sort);
  const filters: ListingFilters = {
    ...own,
    ...(years === undefined ? {} : { year: Array.from({ length: years }, (_, ago) => thisYear - ago) }),
  };
  const withSum = sum === null ? filters : { ...filters, priceTo: sum };
  const affordable = walkAlong(model, order, withSum).coins;
  const isTooLittle = sum !== null && affordable.length === 0;
  const prepared = isTooLittle ? walkAlong(model, orderOf(model, "price"), filters).coins : affordable;
  const named = rest === "" ? null : findCoins(model, rest, {});
  const wanted = named !== null && named.corrected === null && named.documents.length > 0 ? new Set(named.documents) : null;
  const both = wanted === null ? prepared : prepared.filter((place) => wanted.has(place));
  const said = sum === null ? intent : (intent.withSum ?? intent);
  const fill = (text: string): string => (sum === null ? text : text.replaceAll("{sum}", priceInWords(sum)));
  return {
    // What was named beside the intent weighs more than the list prepared for it.
    documents: both.length > 0 || named === null || wanted === null ? both : named.documents,
    corrected: null,
    list: { id, links, heading: fill(said.heading), text: isTooLittle && sum !== null ? nothingFor(priceInWords(sum)) : fill(said.text) },
  };
}

/** What is sought and between which prices; a query without a limit stays as it was typed. */
function pricedQuery(typed: string, how: "exact" | "whole" | "typing"): { query: string; limits: Omit<Priced, "words"> | null } {
  if (how === "exact") return { query: typed, limits: null };
  const text = normalise(typed.slice(0, longestQuery));
  const { words, ...limits } = readPrice(text, how === "typing");
  if (words === text) return { query: typed, limits: null };
  return { query: words === "" ? anyCoin : words, limits };
}

/** What to offer while somebody types: the last word may be unfinished. Nothing typed, nothing offered. */
export async function suggest(ctx: Ctx, typed: string): Promise<Suggestions> {
  if (typed.trim() === "") return { products: [], categories: [], articles: [] };
  const model = await readModel(ctx);
  const { query, limits } = pricedQuery(typed, "typing");
  const { documents, corrected } = findCoins(model, query, { isTyping: true });
  const within = limits === null ? documents : walkAlong(model, documents, limits).matching;
  return { products: within.slice(0, 6).map(cardMaker(ctx, model)), ...beside(model, query, corrected?.to, true, 3) };
}

const mostFindings = 500;

/** What was found is kept until the words change: many type the same first letters, and everybody the same few names. */
function findCoins({ catalogue }: ReadModel, query: string, options: FindOptions): Finding {
  const key = `${options.isTyping ? "typing" : options.isExact ? "exact" : "typed"} ${query.slice(0, longestQuery)}`;
  const known = catalogue.findings.get(key);
  if (known) return known;
  const found = findDocuments(catalogue.coinFinder, query, options);
  const [oldest] = catalogue.findings.keys();
  if (catalogue.findings.size >= mostFindings && oldest !== undefined) catalogue.findings.delete(oldest);
  catalogue.findings.set(key, found);
  return found;
}

/** Categories and articles of the words as typed, or else as mended for the coins: «курс золота» is a page, though no coin has a rate. */
function beside(
  { catalogue }: ReadModel,
  query: string,
  mended: string | undefined,
  isTyping: boolean,
  most: number,
): { categories: Category[]; articles: Article[] } {
  const found = (finder: typeof catalogue.categoryFinder, text: string) =>
    findDocuments(finder, text.slice(0, longestQuery), { isTyping, isStrict: true }).documents;
  const pick = <T>(list: readonly T[], finder: typeof catalogue.categoryFinder): T[] => {
    const asTyped = found(finder, query);
    return (asTyped.length > 0 || mended === undefined ? asTyped : found(finder, mended))
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

const mostWalks = 200;

/** All filters but the page, in one order of names. */
const walkKey = ({ page: _page, ...filters }: ListingFilters): string =>
  JSON.stringify(
    Object.entries(filters)
      .filter(([, value]) => value !== undefined)
      .sort(([a], [b]) => (a < b ? -1 : 1)),
  );

function walkOf(model: ReadModel, filters: ListingFilters): Walk {
  const key = walkKey(filters);
  const known = model.walks.get(key);
  if (known) return known;
  const made = walkAlong(model, orderOf(model, filters.sort ?? "popular"), filters);
  const [oldest] = model.walks.keys();
  if (model.walks.size >= mostWalks && oldest !== undefined) model.walks.delete(oldest);
  model.walks.set(key, made);
  return made;
}

const walkAlong = (
  { catalogue, pricing, available }: ReadModel,
  order: ArrayLike<number>,
  filters: ListingFilters,
  sort?: SortKey | null,
  named?: number,
): Walk => walk(catalogue, { price: pricing.price, spread: pricing.spread, available }, order, filters, sort, named);

function page(ctx: Ctx, model: ReadModel, { matching, coins, facets }: Walk, { group }: ListingFilters, number = 1): Listing {
  const shown = matching.slice((number - 1) * pageSize, number * pageSize);
  const cards = shown.map(cardMaker(ctx, model));
  const items = group === "product" ? withIssues(cards, issuesOf(model, coins, shown)) : cards;
  return { items, total: matching.length, page: number, pages: Math.ceil(matching.length / pageSize), facets };
}

const withIssues = (cards: readonly Card[], issues: readonly (Issues | null)[]): Card[] =>
  cards.map((card, nth) => ({ ...card, issues: issues[nth] ?? null }));

/** For each shown place what its product's coins among `coins` are; null for a product of one coin. */
function issuesOf({ catalogue, pricing, available }: ReadModel, coins: readonly number[], shown: readonly number[]): (Issues | null)[] {
  const { of } = catalogue.products;
  const found = new Map<number, Issues>(
    shown.map((place) => [of[place] ?? 0, { count: 0, available: 0, yearFrom: Number.POSITIVE_INFINITY, yearTo: 0, isCheapest: true }]),
  );
  const costs = new Map<number, number>(shown.map((place) => [of[place] ?? 0, pricing.price[place] ?? Number.NaN]));
  for (const place of coins) {
    const issues = found.get(of[place] ?? 0);
    if (!issues) continue;
    const year = catalogue.coins[place]?.year ?? 0;
    issues.count += 1;
    issues.available += available[place] ?? 0;
    issues.yearFrom = Math.min(issues.yearFrom, year);
    issues.yearTo = Math.max(issues.yearTo, year);
    if ((available[place] ?? 0) > 0 && (pricing.price[place] ?? Number.NaN) < (costs.get(of[place] ?? 0) ?? Number.NaN))
      issues.isCheapest = false;
  }
  return shown.map((place) => {
    const issues = found.get(of[place] ?? 0);
    return issues && issues.count > 1 ? issues : null;
  });
}

/** All issues of the product that a coin belongs to, itself included: the newest first, then by mint. Empty for an unknown coin. */
export async function issues(ctx: Ctx, id: number): Promise<Card[]> {
  const model = await readModel(ctx);
  const { of, together } = model.catalogue.products;
  const place = model.catalogue.placeOf.get(id);
  if (place === undefined) return [];
  const cards = [...together].filter((each) => of[each] === of[place]).map(cardMaker(ctx, model));
  return cards.toSorted((a, b) => b.year - a.year || (a.mint ?? "").localeCompare(b.mint ?? "", "ru") || a.id - b.id);
}

function orderOf({ catalogue, pricing }: ReadModel, sort: SortKey): Int32Array {
  return Object.hasOwn(pricing.orders, sort)
    ? pricing.orders[sort as keyof typeof pricing.orders]
    : catalogue.orders[sort as keyof typeof catalogue.orders];
}

/** `documents` as they stand in `order`. */
function sorted(documents: readonly number[], order: Int32Array): number[] {
  const wanted = new Set(documents);
  return [...order].filter((document) => wanted.has(document));
}

function cardMaker(ctx: Ctx, { catalogue, pricing, available }: ReadModel): (place: number) => Card {
  const thisYear = Number(moscow(ctx.now()).date.slice(0, 4));
  return (place) => {
    const coin = catalogue.coins[place];
    const prices = pricing.prices[place];
    if (!coin || !prices) throw new RangeError(`no coin at place ${place}`);
    return cardOf(coin, prices, pricing.list.version, available[place] ?? 0, thisYear);
  };
}
