import { fromRoubles } from "#kit/money.ts";
import type { CoinKind, Metal } from "#shop/catalog/coin.ts";
import type { ListingFilters } from "#shop/search/listing.ts";
import type { ListChoice } from "../listing/listing-query.ts";

/** The search filters of a choice; `choiceFrom` has already dropped invalid values. Pages list products, not single coins. */
export function filtersFrom(
  { values, priceFrom, priceTo, yearFrom, yearTo, inStock, sort }: ListChoice,
  category: string,
  page: number,
): ListingFilters {
  return {
    ...(category ? { category } : {}),
    metal: values.metal as Metal[],
    kind: values.kind as CoinKind[],
    series: values.series,
    country: values.country,
    mint: values.mint,
    quality: values.quality,
    year: [...values.year.map(Number), ...yearsBetween(yearFrom, yearTo)],
    weight: values.weight.map(Number),
    ...(values.spreadTo.length > 0 ? { spreadTo: Math.max(...values.spreadTo.map(Number)) } : {}),
    ...amount("priceFrom", priceFrom),
    ...amount("priceTo", priceTo),
    inStock,
    sort,
    page,
    group: "product",
  };
}

const amount = (name: "priceFrom" | "priceTo", text: string) =>
  /^\d{1,9}(\.\d{1,2})?$/.test(text) ? { [name]: fromRoubles(Number(text)) } : {};

/** The bounds of a coin's year, the same as in the import. */
const [oldest, newest] = [1700, 2100];

function yearsBetween(yearFrom: string, yearTo: string): number[] {
  if (yearFrom === "" && yearTo === "") return [];
  const [from = oldest, to = newest] = [yearFrom === "" ? oldest : Number(yearFrom), yearTo === "" ? newest : Number(yearTo)].sort(
    (a, b) => a - b,
  );
  const [first, last] = [Math.max(from, oldest), Math.min(to, newest)];
  // A range outside the bounds finds no coin; without a year all would be found.
  return first > last ? [from] : Array.from({ length: last - first + 1 }, (_, nth) => first + nth);
}
