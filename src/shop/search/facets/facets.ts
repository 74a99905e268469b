import { kopecks } from "#kit/money.ts";
import { toSlug } from "#kit/text/slug.ts";
import type { Category } from "#shop/catalog/category.ts";
import { coinKinds, metals, pureMassG, type Coin } from "#shop/catalog/coin.ts";
import {
  facetNames,
  priceBands,
  priceSteps,
  spreadChoices,
  type FacetName,
  type Facets,
  type ListingFilters,
  type SortKey,
} from "../listing.ts";
import { onePerProduct, sortedByProduct, type Products } from "./products.ts";
import { labels } from "../text/texts.ru.ts";

type Choice = { value: string; label: string };
/**
 * One facet over all coins: the choices in the order shown, and the choice numbers of each coin (none, one, or several):
 * those of coin `i` are `codes` from `starts[i]` to `starts[i + 1]`. Flat arrays, because every listing scans them completely.
 */
type Column = { choices: Choice[]; starts: Int32Array; codes: Int16Array; find: ReadonlyMap<string, number> };
/** Stock and spread change without the catalogue and are read from `LiveValues`. */
type LiveFacet = "inStock" | "spreadTo";
export type Columns = Record<Exclude<FacetName, LiveFacet>, Column>;

/** Builds the facet columns, in which ten thousand coins are counted in about a millisecond. */
export function createColumns(coins: readonly Coin[], categories: readonly Category[], seriesOrder: readonly string[] = []): Columns {
  const title = new Map(categories.map((category) => [category.slug, category.title]));
  const named = (slug: string): string => title.get(slug) ?? slug;
  const kindCategory = { bullion: "bullion-coins", memorable: "memorable-coins" };
  return {
    category: column(
      coins,
      categories.map(({ slug, title: label }) => ({ value: slug, label })),
      (coin) => coin.categories,
      false,
    ),
    metal: column(
      coins,
      metals.map((value) => ({ value, label: named(value) })),
      (coin) => [coin.metal],
    ),
    kind: column(
      coins,
      coinKinds.map((value) => ({ value, label: named(kindCategory[value]) })),
      (coin) => [coin.kind],
    ),
    weight: column(coins, weights(coins), (coin) => [weightValue(pureMassG(coin))]),
    series: textColumn(coins, (coin) => coin.series, seriesOrder),
    country: textColumn(coins, (coin) => coin.country),
    mint: textColumn(coins, (coin) => coin.mint),
    quality: textColumn(coins, (coin) => coin.quality),
  };
}

/** Grams to a hundredth: 31.103 and 31.104 are one choice, 31.1. */
const weightValue = (grams: number): string => String(Math.round(grams * 100) / 100);

function weights(coins: readonly Coin[]): Choice[] {
  const values = new Set(coins.map((coin) => weightValue(pureMassG(coin))));
  return [...values].sort((a, b) => Number(a) - Number(b)).map((value) => ({ value, label: labels.weight(Number(value)) }));
}

function column(coins: readonly Coin[], choices: Choice[], ofCoin: (coin: Coin) => readonly string[], byLabel = true): Column {
  const find = new Map(choices.map(({ value }, i) => [value.toLowerCase(), i]));
  const starts = new Int32Array(coins.length + 1);
  const codes: number[] = [];
  coins.forEach((coin, i) => {
    for (const value of ofCoin(coin)) {
      const code = find.get(value.toLowerCase());
      if (code !== undefined) codes.push(code);
    }
    starts[i + 1] = codes.length;
  });
  if (byLabel) for (const [i, { label }] of choices.entries()) if (!find.has(label.toLowerCase())) find.set(label.toLowerCase(), i);
  return { choices, starts, codes: Int16Array.from(codes), find };
}

/** Choices from the texts of the coins: those of `order` first, then the most frequent; their values are Latin slugs for URLs. */
function textColumn(coins: readonly Coin[], textOf: (coin: Coin) => string | null, order: readonly string[] = []): Column {
  const count = new Map<string, number>();
  for (const coin of coins) {
    const text = textOf(coin);
    if (text !== null) count.set(text, (count.get(text) ?? 0) + 1);
  }
  const collator = new Intl.Collator("ru");
  const places = new Map(order.map((text, place) => [text, place]));
  const placeOf = (text: string): number => places.get(text) ?? order.length;
  const taken = new Set<string>();
  const slugOf = new Map<string, string>();
  const choices = [...count]
    .sort(([a, n], [b, m]) => placeOf(a) - placeOf(b) || m - n || collator.compare(a, b))
    .map(([label]) => {
      let value = toSlug(label);
      while (taken.has(value)) value += "-2";
      taken.add(value);
      slugOf.set(label, value);
      return { value, label };
    });
  return column(coins, choices, (coin) => {
    const text = textOf(coin);
    return text === null ? [] : [slugOf.get(text) ?? ""];
  });
}

/** Stock and prices by position; amounts in kopecks, spreads in hundredths of a percent, NaN where unknown. */
export type LiveValues = { price: Float64Array; spread: Float64Array; available: Int32Array };

const dimensions = [...facetNames, "price", "year"] as const;
type Dimension = (typeof dimensions)[number];
const bit = (dimension: Dimension): number => 1 << dimensions.indexOf(dimension);

/** `matching`: the positions shown as cards. `coins`: every coin that passes; more than `matching` when coins of a product share a card. */
export type FilterResult = { matching: number[]; coins: number[]; facets: Facets };

/**
 * Coins of `order` that pass all filters, in that order, with the counts of every facet. A facet counts the coins that pass all *other*
 * filters, so choosing one value does not empty the others; choices with a count of 0 are left out unless they are chosen.
 * With `filters.group` the coins of a product share one card and count once. `sort` is null for relevance order; `named` as in
 * `onePerProduct`.
 */
export function filterAndCount(
  catalogue: { coins: readonly Coin[]; columns: Columns; products: Products },
  live: LiveValues,
  order: ArrayLike<number>,
  filters: ListingFilters,
  sort: SortKey | null = filters.sort ?? "popular",
  named: number | null = null,
): FilterResult {
  const { coins, products } = catalogue;
  const all: Record<FacetName, Column> = {
    ...catalogue.columns,
    inStock: stockColumn(live.available),
    spreadTo: spreadColumn(live.spread),
  };
  const failed = new Int32Array(coins.length);
  const chosen = new Map<FacetName, Uint8Array>();
  for (const name of facetNames) {
    const marks = marksOf(all[name], valuesOf(filters, name));
    if (!marks) continue;
    chosen.set(name, marks);
    // The bound may be any number, not only one of the choices.
    if (name !== "spreadTo") markFailing(failed, order, all[name], marks, bit(name));
  }
  markOutOfRange(failed, order, coins, live, filters);

  const passing: number[] = [];
  for (let at = 0; at < order.length; at += 1) if (failed[order[at] ?? 0] === 0) passing.push(order[at] ?? 0);

  const isGrouped = filters.group === "product";
  const counter = isGrouped ? productCounter(products, order, coins.length) : { places: order, of: null };
  const choicesOf = (name: FacetName) => {
    const counts = countChoices(failed, counter, all[name], ~bit(name));
    return all[name].choices
      .map((choice, code) => ({ ...choice, count: counts[code] ?? 0 }))
      .filter((choice, code) => choice.count > 0 || chosen.get(name)?.[code] === 1);
  };
  const price = rangeOf(failed, order, ~bit("price"), (i) => live.price[i] ?? Number.NaN);
  return {
    matching: isGrouped ? onePerProduct(passing, products, live, sort, named) : passing,
    coins: passing,
    facets: {
      ...(Object.fromEntries(facetNames.map((name) => [name, choicesOf(name)])) as Record<FacetName, ReturnType<typeof choicesOf>>),
      price: {
        min: kopecks(price.min),
        max: kopecks(price.max),
        histogram: histogramOf(failed, order, ~bit("price"), live.price, price),
        bands: [...countChoices(failed, counter, bandColumn(live.price), ~bit("price"))],
      },
      year: rangeOf(failed, order, ~bit("year"), (i) => coins[i]?.year ?? Number.NaN),
    },
  };
}

/** The positions to count: coins one by one, or (with `of`) sorted by product, each product counted once. */
type Counter = { places: ArrayLike<number>; of: Int32Array | null };

function productCounter(products: Products, order: ArrayLike<number>, size: number): Counter {
  return { places: order.length === size ? products.byProduct : sortedByProduct(Int32Array.from(order), products.of), of: products.of };
}

/** A column of ranges: each coin has the code of every choice for which `isIn` holds. */
function numberColumn(values: Float64Array, choices: Choice[], isIn: (value: number, code: number) => boolean): Column {
  const starts = new Int32Array(values.length + 1);
  const codes: number[] = [];
  for (let i = 0; i < values.length; i += 1) {
    const value = values[i] ?? Number.NaN;
    for (let code = 0; code < choices.length; code += 1) if (isIn(value, code)) codes.push(code);
    starts[i + 1] = codes.length;
  }
  return { choices, starts, codes: Int16Array.from(codes), find: new Map(choices.map(({ value }, code) => [value, code])) };
}

const bandColumns = new WeakMap<Float64Array, Column>();
const spreadColumns = new WeakMap<Float64Array, Column>();

function bandColumn(price: Float64Array): Column {
  const isIn = (kopecksOf: number, code: number): boolean => {
    const { from = 0, to = Number.POSITIVE_INFINITY } = priceBands[code] ?? {};
    return kopecksOf >= from * 100 && kopecksOf <= to * 100;
  };
  return memoised(bandColumns, price, () =>
    numberColumn(
      price,
      priceBands.map((_, code) => ({ value: String(code), label: "" })),
      isIn,
    ),
  );
}

/** Ranges of the spread are cumulative: a spread of 7 % counts for 8 %, 10 % and so on. */
function spreadColumn(spread: Float64Array): Column {
  const choices = spreadChoices.map((percent) => ({ value: String(percent), label: labels.spreadTo(percent) }));
  return memoised(spreadColumns, spread, () => numberColumn(spread, choices, (bp, code) => bp <= (spreadChoices[code] ?? 0) * 100));
}

function memoised(columns: WeakMap<Float64Array, Column>, values: Float64Array, make: () => Column): Column {
  const known = columns.get(values);
  if (known) return known;
  const made = make();
  columns.set(values, made);
  return made;
}

function stockColumn(available: Int32Array): Column {
  const starts = new Int32Array(available.length + 1);
  for (let i = 0; i < available.length; i += 1) starts[i + 1] = (starts[i] ?? 0) + ((available[i] ?? 0) > 0 ? 1 : 0);
  return {
    choices: [{ value: "1", label: labels.inStock }],
    starts,
    codes: new Int16Array(starts[available.length] ?? 0),
    find: inStockValues,
  };
}
const inStockValues: ReadonlyMap<string, number> = new Map([["1", 0]]);

/** A mark per choice; null when the filter is empty. Unknown values mark nothing, so a filter of unknown values only matches nothing. */
function marksOf(column: Column, values: readonly string[]): Uint8Array | null {
  if (values.length === 0) return null;
  const marks = new Uint8Array(column.choices.length);
  for (const value of values) {
    const code = column.find.get(value);
    if (code !== undefined) marks[code] = 1;
  }
  return marks;
}

function markFailing(failed: Int32Array, order: ArrayLike<number>, { starts, codes }: Column, marks: Uint8Array, flag: number): void {
  for (let at = 0; at < order.length; at += 1) {
    const i = order[at] ?? 0;
    const end = starts[i + 1] ?? 0;
    let passes = false;
    for (let k = starts[i] ?? 0; k < end && !passes; k += 1) passes = marks[codes[k] ?? 0] === 1;
    if (!passes) failed[i] = (failed[i] ?? 0) | flag;
  }
}

function markOutOfRange(
  failed: Int32Array,
  order: ArrayLike<number>,
  coins: readonly Coin[],
  { price, spread }: LiveValues,
  { year, priceFrom, priceTo, spreadTo }: ListingFilters,
): void {
  const years = year && year.length > 0 ? new Set(year) : null;
  if (!years && priceFrom === undefined && priceTo === undefined && spreadTo === undefined) return;
  for (let at = 0; at < order.length; at += 1) {
    const i = order[at] ?? 0;
    const cost = price[i] ?? Number.NaN;
    if (years && !years.has(coins[i]?.year ?? 0)) failed[i] = (failed[i] ?? 0) | bit("year");
    if ((priceFrom !== undefined && !(cost >= priceFrom)) || (priceTo !== undefined && !(cost <= priceTo)))
      failed[i] = (failed[i] ?? 0) | bit("price");
    if (spreadTo !== undefined && !((spread[i] ?? Number.NaN) <= Math.round(spreadTo * 100)))
      failed[i] = (failed[i] ?? 0) | bit("spreadTo");
  }
}

/** How many coins (or products) that pass all filters in `others` have each choice. */
function countChoices(failed: Int32Array, { places, of }: Counter, { choices, starts, codes }: Column, others: number): Int32Array {
  const counts = new Int32Array(choices.length);
  const lastCounted = new Int32Array(of === null ? 0 : choices.length).fill(-1);
  for (let at = 0; at < places.length; at += 1) {
    const i = places[at] ?? 0;
    if (((failed[i] ?? 0) & others) !== 0) continue;
    const end = starts[i + 1] ?? 0;
    for (let k = starts[i] ?? 0; k < end; k += 1) {
      const code = codes[k] ?? 0;
      if (of !== null) {
        if (lastCounted[code] === of[i]) continue;
        lastCounted[code] = of[i] ?? 0;
      }
      counts[code] = (counts[code] ?? 0) + 1;
    }
  }
  return counts;
}

function rangeOf(
  failed: Int32Array,
  order: ArrayLike<number>,
  others: number,
  valueOf: (i: number) => number,
): { min: number; max: number } {
  let min = Number.POSITIVE_INFINITY;
  let max = Number.NEGATIVE_INFINITY;
  for (let at = 0; at < order.length; at += 1) {
    const i = order[at] ?? 0;
    if (((failed[i] ?? 0) & others) !== 0) continue;
    const value = valueOf(i);
    if (value < min) min = value;
    if (value > max) max = value;
  }
  return min <= max ? { min, max } : { min: 0, max: 0 };
}

function histogramOf(
  failed: Int32Array,
  order: ArrayLike<number>,
  others: number,
  price: Float64Array,
  { min, max }: { min: number; max: number },
): number[] {
  const steps = Array.from({ length: priceSteps }, () => 0);
  const ratio = Math.log(max / min);
  if (!(ratio > 0)) return steps;
  for (let at = 0; at < order.length; at += 1) {
    const i = order[at] ?? 0;
    const cost = price[i] ?? Number.NaN;
    if (((failed[i] ?? 0) & others) !== 0 || Number.isNaN(cost)) continue;
    const step = Math.min(priceSteps - 1, Math.floor((Math.log(cost / min) / ratio) * priceSteps));
    steps[step] = (steps[step] ?? 0) + 1;
  }
  return steps;
}

function valuesOf(filters: ListingFilters, name: FacetName): string[] {
  if (name === "inStock") return filters.inStock ? ["1"] : [];
  if (name === "spreadTo") return filters.spreadTo === undefined ? [] : [String(filters.spreadTo)];
  if (name === "weight") return (filters.weight ?? []).map(weightValue);
  const value = filters[name];
  const list: readonly string[] = value === undefined ? [] : typeof value === "string" ? [value] : value;
  return list.map((each) => each.toLowerCase());
}

/** Names of the filters with a value that no coin and no category has. */
export const unknownFilterNames = (columns: Columns, filters: ListingFilters): FacetName[] =>
  facetNames.filter(
    (name) => name !== "inStock" && name !== "spreadTo" && valuesOf(filters, name).some((value) => !columns[name].find.has(value)),
  );
