import { toSlug } from "#kit/text/slug.ts";
import type { Category } from "#shop/catalog/category.ts";
import { coinKinds, metals, pureMassG, type Coin } from "#shop/catalog/coin.ts";
import { facetNames, type FacetName, type ListingFilters } from "../listing.ts";
import { labels } from "../text/texts.ru.ts";

export type Choice = { value: string; label: string };
/**
 * One facet: the choices in the order shown, and the numbers of the choices of each class of coins (none, one, or several): those of class
 * `c` are `codes` from `starts[c]` to `starts[c + 1]`. `isOfProduct`: all coins of a product have the same choices.
 */
export type Column = {
  choices: Choice[];
  starts: Int32Array;
  codes: Int16Array;
  find: ReadonlyMap<string, number>;
  isOfProduct: boolean;
};
/** Stock and spread change without the catalogue and are read from `LiveValues`. */
export type LiveFacet = "inStock" | "spreadTo";
export type CatalogueFacet = Exclude<FacetName, LiveFacet>;
export type Columns = Record<CatalogueFacet, Column>;
/**
 * Coins with equal choices in all columns are one class. A listing counts its coins by class, in one pass, and adds up the choices of the
 * classes: a hundred thousand coins have a few hundred classes.
 */
export type Classes = { of: Int32Array; count: number };

/** Builds the facet columns and the classes of the coins. `productOf`: the product's number by position. */
export function createColumns(
  coins: readonly Coin[],
  categories: readonly Category[],
  { seriesOrder = [], productOf = null }: { seriesOrder?: readonly string[]; productOf?: Int32Array | null } = {},
): { columns: Columns; classes: Classes } {
  const title = new Map(categories.map((category) => [category.slug, category.title]));
  const named = (slug: string): string => title.get(slug) ?? slug;
  const kindCategory = { bullion: "bullion-coins", memorable: "memorable-coins" };
  const drafts: Record<CatalogueFacet, Draft> = {
    category: {
      ...found(
        categories.map(({ slug, title: label }) => ({ value: slug, label })),
        false,
      ),
      ofCoin: (coin) => coin.categories,
    },
    metal: { ...found(metals.map((value) => ({ value, label: named(value) }))), ofCoin: (coin) => [coin.metal] },
    kind: { ...found(coinKinds.map((value) => ({ value, label: named(kindCategory[value]) }))), ofCoin: (coin) => [coin.kind] },
    weight: { ...found(weights(coins)), ofCoin: (coin) => [weightValue(pureMassG(coin))] },
    series: ofTexts(coins, (coin) => coin.series, seriesOrder),
    country: ofTexts(coins, (coin) => coin.country),
    mint: ofTexts(coins, (coin) => coin.mint),
    quality: ofTexts(coins, (coin) => coin.quality),
  };
  const all = Object.values(drafts);
  const numbers = new Map<string, number>();
  const codesOfClasses: number[][][] = [];
  const of = Int32Array.from(coins, (coin) => {
    const codes = all.map(({ find, ofCoin }) =>
      ofCoin(coin).flatMap((value) => {
        const code = find.get(value.toLowerCase());
        return code === undefined ? [] : [code];
      }),
    );
    const key = codes.join(";");
    const known = numbers.get(key);
    if (known !== undefined) return known;
    numbers.set(key, codesOfClasses.length);
    codesOfClasses.push(codes);
    return codesOfClasses.length - 1;
  });
  const columnOf = ({ choices, find }: Draft, nth: number): Column => {
    const lists = codesOfClasses.map((codes) => codes[nth] ?? []);
    return { choices, find, ...flat(lists), isOfProduct: productOf === null || isSameInProducts(of, productOf, lists) };
  };
  const columns = Object.fromEntries(
    (Object.keys(drafts) as CatalogueFacet[]).map((name, nth) => [name, columnOf(drafts[name], nth)]),
  ) as Columns;
  return { columns, classes: { of, count: codesOfClasses.length } };
}

type Draft = { choices: Choice[]; find: ReadonlyMap<string, number>; ofCoin: (coin: Coin) => readonly string[] };

function flat(lists: readonly (readonly number[])[]): { starts: Int32Array; codes: Int16Array } {
  const starts = new Int32Array(lists.length + 1);
  lists.forEach((list, i) => (starts[i + 1] = (starts[i] ?? 0) + list.length));
  return { starts, codes: Int16Array.from(lists.flat()) };
}

function isSameInProducts(classOf: Int32Array, productOf: Int32Array, lists: readonly (readonly number[])[]): boolean {
  const texts = lists.map(String);
  const known = new Map<number, string | undefined>();
  return productOf.every((product, position) => {
    const text = texts[classOf[position] ?? 0];
    if (!known.has(product)) known.set(product, text);
    return known.get(product) === text;
  });
}

/** Choices are found by their values and, unless `byLabel` is false, by their labels. */
function found(choices: Choice[], byLabel = true): Pick<Draft, "choices" | "find"> {
  const find = new Map(choices.map(({ value }, i) => [value.toLowerCase(), i]));
  if (byLabel) for (const [i, { label }] of choices.entries()) if (!find.has(label.toLowerCase())) find.set(label.toLowerCase(), i);
  return { choices, find };
}

/** Grams to a hundredth: 31.103 and 31.104 are one choice, 31.1. */
const weightValue = (grams: number): string => String(Math.round(grams * 100) / 100);

function weights(coins: readonly Coin[]): Choice[] {
  const values = new Set(coins.map((coin) => weightValue(pureMassG(coin))));
  return [...values].sort((a, b) => Number(a) - Number(b)).map((value) => ({ value, label: labels.weight(Number(value)) }));
}

/** Choices from the texts of the coins: those of `order` first, then the most frequent; their values are Latin slugs for URLs. */
function ofTexts(coins: readonly Coin[], textOf: (coin: Coin) => string | null, order: readonly string[] = []): Draft {
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
  const ofCoin = (coin: Coin): string[] => {
    const text = textOf(coin);
    return text === null ? [] : [slugOf.get(text) ?? ""];
  };
  return { ...found(choices), ofCoin };
}

/** The values of a facet that filters select, as `Column.find` has them. */
export function valuesOf(filters: ListingFilters, name: FacetName): string[] {
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
