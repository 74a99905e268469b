import { kopecks } from "#kit/money.ts";
import type { Category } from "#shop/catalog/category.ts";
import { coinKinds, metals, pureMassG, type Coin } from "#shop/catalog/coin.ts";
import { facetNames, type FacetName, type Facets, type ListingFilters } from "./listing.ts";
import { labels } from "./texts.ru.ts";

type Choice = { value: string; label: string };
/** One facet over all coins: the choices in the order shown, and for each coin the places of its own (none, one, or several). */
type Column = { choices: Choice[]; codes: Int16Array[]; find: ReadonlyMap<string, number> };
export type Columns = Record<FacetName, Column>;

const none = new Int16Array(0);
const first = Int16Array.of(0);

/** Turns coins into columns of small numbers, so that counting ten thousand of them takes about a millisecond. */
export function createColumns(coins: readonly Coin[], categories: readonly Category[]): Columns {
  const title = new Map(categories.map((category) => [category.slug, category.title]));
  const named = (slug: string): string => title.get(slug) ?? slug;
  const kindCategory = { bullion: "bullion-coins", memorable: "memorable-coins" };
  return {
    category: column(coins, categories.map(({ slug, title: label }) => ({ value: slug, label })), (coin) => coin.categories, false),
    metal: column(coins, metals.map((value) => ({ value, label: named(value) })), (coin) => [coin.metal]),
    kind: column(coins, coinKinds.map((value) => ({ value, label: named(kindCategory[value]) })), (coin) => [coin.kind]),
    weight: column(coins, weights(coins), (coin) => [weightValue(pureMassG(coin))]),
    series: textColumn(coins, (coin) => coin.series),
    country: textColumn(coins, (coin) => coin.country),
    mint: textColumn(coins, (coin) => coin.mint),
    quality: textColumn(coins, (coin) => coin.quality),
    inStock: { choices: [{ value: "1", label: labels.inStock }], codes: [], find: new Map([["1", 0]]) },
  };
}

/** Grams to a hundredth: 31.103 and 31.104 are one choice, 31.1. */
const weightValue = (grams: number): string => String(Math.round(grams * 100) / 100);

function weights(coins: readonly Coin[]): Choice[] {
  const values = new Set(coins.map((coin) => weightValue(pureMassG(coin))));
  return [...values].sort((a, b) => Number(a) - Number(b)).map((value) => ({ value, label: labels.weight(Number(value)) }));
}

function column(coins: readonly Coin[], choices: Choice[], valuesOf: (coin: Coin) => readonly string[], byLabel = true): Column {
  const find = new Map(choices.map(({ value }, i) => [value.toLowerCase(), i]));
  const codes = coins.map((coin) => Int16Array.from(valuesOf(coin).map((value) => find.get(value.toLowerCase()) ?? -1).filter((code) => code >= 0)));
  if (byLabel) for (const [i, { label }] of choices.entries()) if (!find.has(label.toLowerCase())) find.set(label.toLowerCase(), i);
  return { choices, codes, find };
}

/** Choices from the texts themselves, the commonest first; in addresses they stand as Latin slugs. */
function textColumn(coins: readonly Coin[], textOf: (coin: Coin) => string | null): Column {
  const count = new Map<string, number>();
  for (const coin of coins) {
    const text = textOf(coin);
    if (text !== null) count.set(text, (count.get(text) ?? 0) + 1);
  }
  const collator = new Intl.Collator("ru");
  const taken = new Set<string>();
  const slugOf = new Map<string, string>();
  const choices = [...count].sort(([a, n], [b, m]) => m - n || collator.compare(a, b)).map(([label]) => {
    let value = slugified(label);
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

const latin: Readonly<Record<string, string>> = {
  а: "a", б: "b", в: "v", г: "g", д: "d", е: "e", ё: "e", ж: "zh", з: "z", и: "i", й: "j", к: "k", л: "l", м: "m", н: "n", о: "o", п: "p", р: "r", с: "s", т: "t",
  у: "u", ф: "f", х: "h", ц: "c", ч: "ch", ш: "sh", щ: "shch", ъ: "", ы: "y", ь: "", э: "e", ю: "yu", я: "ya",
};

/** Russian or accented text as it stands in an address, in the catalogue's own transliteration. */
export function slugified(text: string): string {
  const letters = text.toLowerCase().replaceAll(/[а-яё]/g, (letter) => latin[letter] ?? letter);
  return letters.normalize("NFD").replaceAll(/\p{M}/gu, "").replaceAll(/[^a-z0-9]+/g, "-").replaceAll(/^-|-$/g, "") || "x";
}

/** What of the shelf and the price list a walk needs; amounts in kopecks, NaN where no price is known. */
export type Moving = { price: Float64Array; available: Int32Array };

const dimensions = [...facetNames, "price", "year"] as const;
type Dimension = (typeof dimensions)[number];
const bit = (dimension: Dimension): number => 1 << dimensions.indexOf(dimension);

export type Walk = { matching: number[]; facets: Facets };

/**
 * Coins of `order` that pass all filters, in that order, with the counts of every facet. A facet counts the coins that all *other*
 * filters leave, so choosing one value of it does not empty the rest; choices that would show nothing are left out unless they are chosen.
 */
export function walk(coins: readonly Coin[], columns: Columns, moving: Moving, order: ArrayLike<number>, filters: ListingFilters): Walk {
  const chosen = choose(columns, filters);
  const years = filters.year && filters.year.length > 0 ? new Set(filters.year) : null;
  const { priceFrom = null, priceTo = null } = filters;
  const codesOf = (name: FacetName, i: number): Int16Array => name === "inStock" ? ((moving.available[i] ?? 0) > 0 ? first : none) : columns[name].codes[i] ?? none;

  const failed = new Int32Array(order.length);
  const matching: number[] = [];
  for (let at = 0; at < order.length; at += 1) {
    const i = order[at] ?? 0;
    let fails = 0;
    for (const [name, codes] of chosen) if (!codesOf(name, i).some((code) => codes[code] === 1)) fails |= bit(name);
    if (years && !years.has(coins[i]?.year ?? 0)) fails |= bit("year");
    const price = moving.price[i] ?? Number.NaN;
    if ((priceFrom !== null && !(price >= priceFrom)) || (priceTo !== null && !(price <= priceTo))) fails |= bit("price");
    failed[at] = fails;
    if (fails === 0) matching.push(i);
  }

  const remaining = (dimension: Dimension, visit: (i: number) => void) => {
    const others = ~bit(dimension);
    for (let at = 0; at < order.length; at += 1) if (((failed[at] ?? 0) & others) === 0) visit(order[at] ?? 0);
  };
  const choicesOf = (name: FacetName) => {
    const { choices } = columns[name];
    const counts = new Int32Array(choices.length);
    remaining(name, (i) => {
      for (const code of codesOf(name, i)) counts[code] = (counts[code] ?? 0) + 1;
    });
    const isChosen = chosen.find(([each]) => each === name)?.[1];
    return choices.map((choice, code) => ({ ...choice, count: counts[code] ?? 0 })).filter((choice, code) => choice.count > 0 || isChosen?.[code] === 1);
  };
  const spanOf = (dimension: "price" | "year", valueOf: (i: number) => number) => {
    let min = Number.POSITIVE_INFINITY;
    let max = Number.NEGATIVE_INFINITY;
    remaining(dimension, (i) => {
      const value = valueOf(i);
      if (value < min) min = value;
      if (value > max) max = value;
    });
    return min <= max ? { min, max } : { min: 0, max: 0 };
  };
  const price = spanOf("price", (i) => moving.price[i] ?? Number.NaN);
  return {
    matching,
    facets: {
      ...(Object.fromEntries(facetNames.map((name) => [name, choicesOf(name)])) as Record<FacetName, ReturnType<typeof choicesOf>>),
      price: { min: kopecks(price.min), max: kopecks(price.max) },
      year: spanOf("year", (i) => coins[i]?.year ?? Number.NaN),
    },
  };
}

/** Filters that narrow, each as a mark per choice; unknown values mark nothing, so a filter of only such values lets nothing through. */
function choose(columns: Columns, filters: ListingFilters): [FacetName, Uint8Array][] {
  return facetNames.flatMap((name): [FacetName, Uint8Array][] => {
    const values = valuesOf(filters, name);
    if (values.length === 0) return [];
    const marks = new Uint8Array(columns[name].choices.length);
    for (const value of values) {
      const code = columns[name].find.get(value);
      if (code !== undefined) marks[code] = 1;
    }
    return [[name, marks]];
  });
}

function valuesOf(filters: ListingFilters, name: FacetName): string[] {
  if (name === "inStock") return filters.inStock ? ["1"] : [];
  if (name === "weight") return (filters.weight ?? []).map(weightValue);
  const value = filters[name];
  const list: readonly string[] = value === undefined ? [] : typeof value === "string" ? [value] : value;
  return list.map((each) => each.toLowerCase());
}

/** Names of the filters that hold a value no coin and no category knows. */
export const unknownIn = (columns: Columns, filters: ListingFilters): FacetName[] =>
  facetNames.filter((name) => valuesOf(filters, name).some((value) => !columns[name].find.has(value)));
