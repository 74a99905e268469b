import type { Coin } from "#shop/catalog/coin.ts";
import { facetNames, spreadChoices, type FacetName, type ListingFilters } from "../listing.ts";
import { valuesOf, type CatalogueFacet, type Classes, type Column, type Columns } from "./facets.ts";
import type { LiveValues } from "./live-values.ts";
import { bitsOf, noBits, setBit, sizeOf, writeDocuments, type Bits } from "../index/bits.ts";
import { writeAmong, type Ordered } from "../index/ordered.ts";
import { sortedByProduct, type Products } from "./products.ts";

/** What filters and counts are computed from. */
export type Filterable = { coins: readonly Coin[]; columns: Columns; classes: Classes; products: Products };

const dimensions = [...facetNames, "price", "year"] as const;
export type Dimension = (typeof dimensions)[number];
export const bitOf = (dimension: Dimension): number => 1 << dimensions.indexOf(dimension);

export type Passing = {
  /** The coins that pass all filters. */
  bits: Bits;
  count: number;
  /**
   * The coins that fail at most one dimension, in the order in which they were visited; no other coin is counted by any facet. `failed`
   * has the dimensions that a coin fails, by position.
   */
  candidates: Int32Array;
  failed: Uint16Array;
  /** The facets with a filter. */
  filtered: ReadonlySet<Dimension>;
  /** Which choices the filters select. */
  isChosen: (name: FacetName, code: number) => boolean;
};

/**
 * Visits each member of an order once. `byProduct`: coins of a product are visited one after the other. The arrays of the result are
 * used again by the next call, except for `bits`: read them before.
 */
export function passingCoins(
  { coins, columns, classes, products }: Filterable,
  live: LiveValues,
  ordered: Pick<Ordered, "members" | "set">,
  filters: ListingFilters,
  byProduct = false,
): Passing {
  const filtered = new Set<Dimension>();
  const chosen = new Map<FacetName, Uint8Array>();
  const classFails = new Uint16Array(classes.count);
  for (const name of Object.keys(columns) as CatalogueFacet[]) {
    const values = valuesOf(filters, name);
    if (values.length === 0) continue;
    // Unknown values mark nothing, so a filter of unknown values only matches nothing.
    const marks = new Uint8Array(columns[name].choices.length);
    for (const value of values) marks[columns[name].find.get(value) ?? -1] = 1;
    filtered.add(name);
    chosen.set(name, marks);
    markFailing(classFails, columns[name], marks, bitOf(name));
  }
  const { year: years = [], priceFrom, priceTo, spreadTo, inStock } = filters;
  const wantedYears = new Uint8Array(years.length > 0 ? latestYear + 1 : 0);
  for (const year of years) wantedYears[year] = 1;
  const hasYear = years.length > 0;
  const hasPrice = priceFrom !== undefined || priceTo !== undefined;
  if (hasYear) filtered.add("year");
  if (hasPrice) filtered.add("price");
  if (inStock) filtered.add("inStock");
  if (spreadTo !== undefined) filtered.add("spreadTo");
  const [yearBit, priceBit, stockBit, spreadBit] = [bitOf("year"), bitOf("price"), bitOf("inStock"), bitOf("spreadTo")];
  const [from, to] = [priceFrom ?? Number.NEGATIVE_INFINITY, priceTo ?? Number.POSITIVE_INFINITY];
  const maxSpread = spreadTo === undefined ? 0 : Math.round(spreadTo * 100);

  const size = coins.length;
  const { failed, candidates, noneFailed } = scratchFor(size);
  const places = writePlaces(ordered, products, size, byProduct, candidates);
  if (filtered.size === 0) {
    const all = candidates.subarray(0, places ?? size);
    if (places === null) for (let i = 0; i < size; i += 1) all[i] = i;
    const bits = ordered.set ?? bitsOf(all, size);
    return { bits, count: all.length, candidates: all, failed: noneFailed, filtered, isChosen: () => false };
  }
  const bits = noBits(size);
  const yearOf = yearsOf(coins);
  const length = places ?? size;
  let [count, candidateCount] = [0, 0];
  for (let at = 0; at < length; at += 1) {
    const i = places === null ? at : (candidates[at] ?? 0); // read before it is overwritten
    let fails = classFails[classes.of[i] ?? 0] ?? 0;
    if (hasYear && wantedYears[yearOf[i] ?? 0] !== 1) fails |= yearBit;
    if (hasPrice) {
      const cost = live.price[i] ?? Number.NaN;
      if (!(cost >= from && cost <= to)) fails |= priceBit;
    }
    if (inStock === true && !((live.available[i] ?? 0) > 0)) fails |= stockBit;
    if (spreadTo !== undefined && !((live.spread[i] ?? Number.NaN) <= maxSpread)) fails |= spreadBit;
    failed[i] = fails;
    if ((fails & (fails - 1)) !== 0) continue;
    candidates[candidateCount] = i;
    candidateCount += 1;
    if (fails !== 0) continue;
    setBit(bits, i);
    count += 1;
  }
  const isChosen = (name: FacetName, code: number): boolean => {
    if (name === "inStock") return inStock === true;
    // The bound may be any number, not only one of the choices.
    return name === "spreadTo" ? spreadChoices[code] === spreadTo : chosen.get(name)?.[code] === 1;
  };
  return { bits, count, candidates: candidates.subarray(0, candidateCount), failed, filtered, isChosen };
}

function markFailing(classFails: Uint16Array, { starts, codes }: Column, marks: Uint8Array, bit: number): void {
  for (let group = 0; group < classFails.length; group += 1) {
    const end = starts[group + 1] ?? 0;
    let passes = false;
    for (let k = starts[group] ?? 0; k < end && !passes; k += 1) passes = marks[codes[k] ?? 0] === 1;
    if (!passes) classFails[group] = (classFails[group] ?? 0) | bit;
  }
}

/** The largest year of an `Int16Array`. */
const latestYear = 32_767;

/** Writes the coins to visit to the beginning of `target`; returns their number. null: all coins by id, and nothing is written. */
function writePlaces(
  ordered: Pick<Ordered, "members" | "set">,
  { byProduct: all, of }: Products,
  size: number,
  byProduct: boolean,
  target: Int32Array,
): number | null {
  const { set } = ordered;
  const members = set ? null : ordered.members; // of a set they are made by each read
  const count = set ? sizeOf(set) : (members?.length ?? size);
  if (count === size && !byProduct) return null;
  if (count === size) target.set(all);
  // To sort many is slower than to look which of all coins are among them.
  else if (byProduct && count * 16 >= size) writeAmong(all, set ?? bitsOf(members ?? [], size), target);
  else {
    if (set) writeDocuments(set, target);
    else target.set(members ?? []);
    if (byProduct) sortedByProduct(target.subarray(0, count), of);
  }
  return count;
}

/** `noneFailed` is all zeros and never written. */
let scratch = { failed: new Uint16Array(0), noneFailed: new Uint16Array(0), candidates: new Int32Array(0) };
function scratchFor(size: number): typeof scratch {
  if (scratch.failed.length < size)
    scratch = { failed: new Uint16Array(size), noneFailed: new Uint16Array(size), candidates: new Int32Array(size) };
  return scratch;
}

const knownYears = new WeakMap<readonly Coin[], Int16Array>();
/** The years of the coins in one array: to read them from the coins costs several times as much. */
export function yearsOf(coins: readonly Coin[]): Int16Array {
  const known = knownYears.get(coins) ?? Int16Array.from(coins, ({ year }) => year);
  knownYears.set(coins, known);
  return known;
}
