import { kopecks } from "#kit/money.ts";
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
import { labels } from "../text/texts.ru.ts";
import type { CatalogueFacet, Choice, Classes, Column } from "./facets.ts";
import {
  bandMask,
  liveMaskCount,
  priceMasks,
  rankedPrices,
  spreadMask,
  stockMask,
  type LiveValues,
  type PriceMasks,
  type RankedPrices,
} from "./live-values.ts";
import type { Bits } from "../index/bits.ts";
import { listed, walk, type Ordered } from "../index/ordered.ts";
import { bitOf, passingCoins, yearsOf, type Dimension, type Filterable, type Passing } from "./passing.ts";
import { onePerProduct } from "./products.ts";

export type FilterResult = {
  /** Cards of all pages: coins, or products where the coins of a product share a card. */
  total: number;
  facets: Facets;
  /** The coins that pass all filters. */
  passing: Bits;
  /** The positions of the first cards, at most so many. */
  first(most: number): number[];
};

/**
 * Coins of `order` that pass all filters, in that order, with the counts of every facet. A facet counts the coins that pass all *other*
 * filters, so choosing one value does not empty the others; choices with a count of 0 are left out unless they are chosen.
 * With `filters.group` the coins of a product share one card and count once. `sort` is null for relevance order; `named` as in
 * `onePerProduct`.
 */
export function filterAndCount(
  catalogue: Filterable,
  live: LiveValues,
  order: Ordered | Int32Array,
  filters: ListingFilters,
  sort: SortKey | null = filters.sort ?? "popular",
  named: number | null = null,
): FilterResult {
  const ordered = order instanceof Int32Array ? listed(order) : order;
  const isGrouped = filters.group === "product";
  const passing = passingCoins(catalogue, live, ordered, filters, isGrouped);
  const { bits, count } = passing;
  const firstOf = (most: number): number[] =>
    isGrouped ? onePerProduct(ordered, bits, catalogue.products, live, { sort, named, most }) : firstPassing(ordered, bits, most);
  let known: { most: number; found: number[] } = { most: 0, found: [] };
  return {
    total: isGrouped ? productsIn(passing, catalogue.products.of) : count,
    facets: facetsOf(catalogue, live, passing, isGrouped),
    passing: bits,
    first(most) {
      if (most > maxStoredPositions) return firstOf(most);
      if (most > known.most) known = { most, found: firstOf(most) };
      return known.found.slice(0, most);
    },
  };
}

/** So many positions of a stored result are stored with it: few filters leave so little that the whole order is read for one page. */
const maxStoredPositions = 240;

/** The first positions of an order that pass. */
export function firstPassing(ordered: Ordered, passing: Bits, most: number): number[] {
  const found: number[] = [];
  if (most <= 0) return found;
  walk(ordered, passing, (position) => found.push(position) < most);
  return found;
}

function productsIn({ candidates, failed }: Passing, productOf: Int32Array): number {
  let [count, last] = [0, -1];
  for (let at = 0; at < candidates.length; at += 1) {
    const i = candidates[at] ?? 0;
    if (failed[i] !== 0 || productOf[i] === last) continue;
    last = productOf[i] ?? 0;
    count += 1;
  }
  return count;
}

/** Counts of all facets. `isGrouped`: of products instead of coins. */
function facetsOf(catalogue: Filterable, live: LiveValues, passing: Passing, isGrouped: boolean): Facets {
  const { columns, classes, products, coins } = catalogue;
  const productOf = isGrouped ? products.of : null;
  /** The dimensions of which a coin that a facet counts fails none: all except the facet's own. */
  const othersOf = (dimension: Dimension): number => (passing.filtered.has(dimension) ? ~bitOf(dimension) : ~0);
  const values: Values = {
    classes,
    masks: priceMasks(live),
    available: live.available,
    years: yearsOf(coins),
    rank: rankedPrices(live.price),
    productOf,
  };
  const tally = memoised((others) => tallyOf(passing, others, values));
  const withMask = (others: number, mask: number): number =>
    tally(others).byMask.reduce((sum, [each, count]) => ((each & mask) === 0 ? sum : sum + count), 0);

  const countsOf = (name: CatalogueFacet): Int32Array =>
    isGrouped && !columns[name].isOfProduct
      ? countProducts(passing, othersOf(name), classes.of, columns[name], products.of)
      : choicesOfClasses(tally(othersOf(name)).byClass, columns[name]);
  const shown = (name: FacetName, choices: readonly Choice[], counts: ArrayLike<number>) =>
    choices
      .map((choice, code) => ({ ...choice, count: counts[code] ?? 0 }))
      .filter((choice, code) => choice.count > 0 || passing.isChosen(name, code));
  const choicesOf = (name: FacetName) => {
    if (name === "inStock") return shown(name, stockChoices, [withMask(othersOf(name), stockMask)]);
    if (name !== "spreadTo") return shown(name, columns[name].choices, countsOf(name));
    const counts = spreadChoices.map((_, code) => withMask(othersOf(name), spreadMask(code)));
    return shown(name, spreadTexts, counts);
  };
  return {
    ...(Object.fromEntries(facetNames.map((name) => [name, choicesOf(name)])) as Record<FacetName, ReturnType<typeof choicesOf>>),
    price: {
      ...pricesOf(passing, othersOf("price"), values.rank, tally(othersOf("price")).places),
      bands: priceBands.map((_, band) => withMask(othersOf("price"), bandMask(band))),
    },
    year: tally(othersOf("year")).years,
  };
}

const stockChoices: readonly Choice[] = [{ value: "1", label: labels.inStock }];
const spreadTexts: readonly Choice[] = spreadChoices.map((percent) => ({ value: String(percent), label: labels.spreadTo(percent) }));

/** Most facets have no filter and count the same coins. */
function memoised<T>(make: (others: number) => T): (others: number) => T {
  const made = new Map<number, T>();
  return (others) => {
    const known = made.get(others);
    if (known !== undefined) return known;
    const one = make(others);
    made.set(others, one);
    return one;
  };
}

/** What is counted by coin. `productOf`: null where each coin has a card of its own. */
type Values = {
  classes: Classes;
  masks: PriceMasks;
  available: Int32Array;
  years: Int16Array;
  rank: RankedPrices;
  productOf: Int32Array | null;
};

type Tally = {
  /** The coins of each class, or the first coin of each product, which has the choices of all where this is read. */
  byClass: Int32Array;
  /** The live masks that occur, with the number of their coins; or of their products, each with what any of its coins has. */
  byMask: [mask: number, count: number][];
  years: { min: number; max: number };
  /** The places of the cheapest and the dearest coin among the prices; `last` is below 0 when none has a price. */
  places: { first: number; last: number };
};

/** Used again by each tally. */
const countsByMask = new Int32Array(liveMaskCount);

/** Everything that is counted of the coins that fail none of `others`, in one pass. */
function tallyOf({ candidates, failed }: Passing, others: number, { classes, masks, available, years, rank, productOf }: Values): Tally {
  const byClass = new Int32Array(classes.count);
  const counts = countsByMask.fill(0);
  const [classOf, placeOf, priced] = [classes.of, rank.rank, rank.count];
  let [min, max] = [Number.MAX_SAFE_INTEGER, -1];
  let [first, last] = [priced, -1];
  let [product, mask] = [-1, 0];
  for (let at = 0; at < candidates.length; at += 1) {
    const i = candidates[at] ?? 0;
    if (((failed[i] ?? 0) & others) !== 0) continue;
    const year = years[i] ?? 0;
    if (year < min) min = year;
    if (year > max) max = year;
    const place = placeOf[i] ?? 0;
    if (place < first) first = place;
    if (place > last && place < priced) last = place;
    const ofCoin = (masks[i] ?? 0) | ((available[i] ?? 0) > 0 ? stockMask : 0);
    const own = productOf === null ? at : (productOf[i] ?? 0);
    if (own === product) {
      mask |= ofCoin;
      continue;
    }
    const group = classOf[i] ?? 0;
    byClass[group] = (byClass[group] ?? 0) + 1;
    if (product >= 0) counts[mask] = (counts[mask] ?? 0) + 1;
    [product, mask] = [own, ofCoin];
  }
  if (product >= 0) counts[mask] = (counts[mask] ?? 0) + 1;
  const byMask: Tally["byMask"] = [];
  for (let each = 0; each < counts.length; each += 1) if (counts[each] !== 0) byMask.push([each, counts[each] ?? 0]);
  return { byClass, byMask, years: min <= max ? { min, max } : { min: 0, max: 0 }, places: { first, last } };
}

function choicesOfClasses(byClass: Int32Array, { choices, starts, codes }: Column): Int32Array {
  const counts = new Int32Array(choices.length);
  for (let group = 0; group < byClass.length; group += 1) {
    const count = byClass[group] ?? 0;
    if (count === 0) continue;
    for (let k = starts[group] ?? 0; k < (starts[group + 1] ?? 0); k += 1) {
      const code = codes[k] ?? 0;
      counts[code] = (counts[code] ?? 0) + count;
    }
  }
  return counts;
}

/** The products with each choice of a facet in which the coins of a product may differ: each product counts once for a choice. */
function countProducts(
  { candidates, failed }: Passing,
  others: number,
  classOf: Int32Array,
  { choices, starts, codes }: Column,
  productOf: Int32Array,
): Int32Array {
  const counts = new Int32Array(choices.length);
  const lastCounted = new Int32Array(choices.length).fill(-1);
  for (let at = 0; at < candidates.length; at += 1) {
    const i = candidates[at] ?? 0;
    if (((failed[i] ?? 0) & others) !== 0) continue;
    const group = classOf[i] ?? 0;
    for (let k = starts[group] ?? 0; k < (starts[group + 1] ?? 0); k += 1) {
      const code = codes[k] ?? 0;
      if (lastCounted[code] === productOf[i]) continue;
      lastCounted[code] = productOf[i] ?? 0;
      counts[code] = (counts[code] ?? 0) + 1;
    }
  }
  return counts;
}

/** The range of prices, and how many coins cost so much in each of its steps. */
function pricesOf(
  { candidates, failed }: Passing,
  others: number,
  { count, sorted, rank }: RankedPrices,
  { first, last }: Tally["places"],
): { min: ReturnType<typeof kopecks>; max: ReturnType<typeof kopecks>; histogram: number[] } {
  const histogram = Array.from({ length: priceSteps }, () => 0);
  if (last < 0) return { min: kopecks(0), max: kopecks(0), histogram };
  const [min, max] = [sorted[first] ?? 0, sorted[last] ?? 0];
  const ratio = Math.log(max / min);
  if (ratio > 0) {
    const stepOf = (place: number): number =>
      Math.min(priceSteps - 1, Math.floor((Math.log((sorted[place] ?? 0) / min) / ratio) * priceSteps));
    const steps = candidates.length > fewCoins ? stepsByRank(stepOf, sorted, first, last) : null;
    for (let at = 0; at < candidates.length; at += 1) {
      const i = candidates[at] ?? 0;
      const place = rank[i] ?? 0;
      if (((failed[i] ?? 0) & others) !== 0 || place >= count) continue;
      const step = steps === null ? stepOf(place) : (steps[place - first] ?? 0);
      histogram[step] = (histogram[step] ?? 0) + 1;
    }
  }
  return { min: kopecks(min), max: kopecks(max), histogram };
}

/** The borders of the steps are found with some forty logarithms, and the steps are written for all places between them. */
const fewCoins = 100;
let scratch = new Uint8Array(0);

/**
 * The step of each price from place `first` to place `last`. Each border is searched among the prices and corrected by `stepOf`, which
 * rounds otherwise.
 */
function stepsByRank(stepOf: (place: number) => number, sorted: Float64Array, first: number, last: number): Uint8Array {
  const length = last - first + 1;
  if (scratch.length < length) scratch = new Uint8Array(length);
  const [min, max] = [sorted[first] ?? 0, sorted[last] ?? 0];
  let from = first;
  for (let step = 0; step < priceSteps; step += 1) {
    let end = last + 1; // the first place of a later step
    if (step < priceSteps - 1) {
      end = firstAtLeast(sorted, min * (max / min) ** ((step + 1) / priceSteps), from, end);
      while (end > from && stepOf(end - 1) > step) end -= 1;
      while (end <= last && stepOf(end) <= step) end += 1;
    }
    scratch.fill(step, from - first, end - first);
    from = end;
  }
  return scratch;
}

function firstAtLeast(sorted: Float64Array, price: number, from: number, to: number): number {
  let [low, high] = [from, to];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((sorted[middle] ?? 0) < price) low = middle + 1;
    else high = middle;
  }
  return low;
}
