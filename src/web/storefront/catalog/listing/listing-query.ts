/** The facets of a listing's address, in the order of the filter panel. */
export const filterNames = ["metal", "kind", "weight", "spreadTo", "country", "mint", "quality", "series", "year"] as const;
/** Query parameters of a list of coins. */
export const listingParameters: readonly string[] = [
  ...filterNames,
  "category",
  "priceFrom",
  "priceTo",
  "yearFrom",
  "yearTo",
  "inStock",
  "sort",
  "view",
  "page",
  "from",
];
export type FilterName = (typeof filterNames)[number];

/** Their titles are in listing-view.ts and come with the page's data. */
const sorts = ["popular", "price", "-price", "gram", "premium", "spread", "mass", "-mass", "-year", "year", "new"] as const;
export type Sort = (typeof sorts)[number];

/** The choice in a listing's address: facet values, bounds of price (roubles) and year, availability, order, cards or rows. */
export type ListChoice = {
  values: Record<FilterName, string[]>;
  priceFrom: string;
  priceTo: string;
  yearFrom: string;
  yearTo: string;
  inStock: boolean;
  sort: Sort;
  isRows: boolean;
};

const listOf = (params: URLSearchParams, name: string): string[] => [
  ...new Set(
    params
      .getAll(name)
      .flatMap((each) => each.split(","))
      .map((each) => each.trim())
      .filter((each) => each !== ""),
  ),
];

/** A typed price: `4 910`, `4910 ₽`, `4 910,50`. A comma or point before one or two last digits is a decimal mark, any other is none. */
function price(text: string | null): string {
  const [, whole = "", kopecks] = /^(.*?)(?:[.,](\d{1,2}))?\D*$/s.exec(text ?? "") ?? [];
  const roubles = whole.replace(/\D/g, "").slice(0, 9);
  return roubles === "" || kopecks === undefined ? roubles : `${roubles}.${kopecks}`;
}

/** A year of four digits, or `""`. */
const year = (text: string | null): string => /^\s*(\d{4})\s*$/.exec(text ?? "")?.[1] ?? "";

/** The format of valid values; facets without one have values from the database, which the search checks. */
const validValue: Partial<Record<FilterName, RegExp>> = {
  metal: /^(gold|silver)$/,
  kind: /^(bullion|memorable)$/,
  weight: /^\d{1,5}(\.\d{1,3})?$/,
  spreadTo: /^\d{1,3}(\.\d{1,2})?$/,
  year: /^\d{4}$/,
};

/** The choice of an address. Invalid values are dropped: a page has no 422, and a filter that has no effect must not be shown. */
export function choiceFrom(params: URLSearchParams): ListChoice {
  return {
    values: Object.fromEntries(
      filterNames.map((name) => [name, listOf(params, name).filter((each) => validValue[name]?.test(each) ?? true)]),
    ) as ListChoice["values"],
    priceFrom: price(params.get("priceFrom")),
    priceTo: price(params.get("priceTo")),
    yearFrom: year(params.get("yearFrom")),
    yearTo: year(params.get("yearTo")),
    inStock: ["1", "true"].includes(params.get("inStock") ?? ""),
    sort: sorts.find((each) => each === params.get("sort")) ?? "popular",
    isRows: params.get("view") === "rows",
  };
}

/** The shortest query of a choice: values separated by commas, defaults left out; `""` when nothing is chosen. */
export function searchOf({ values, priceFrom, priceTo, yearFrom, yearTo, inStock, sort, isRows }: ListChoice): string {
  let query = "";
  const add = (name: string, value: string): void => {
    if (value !== "") query += `${query === "" ? "?" : "&"}${name}=${encodeURIComponent(value).replaceAll("%2C", ",")}`;
  };
  for (const name of filterNames) add(name, values[name].join(","));
  add("priceFrom", priceFrom);
  add("priceTo", priceTo);
  add("yearFrom", yearFrom);
  add("yearTo", yearTo);
  if (inStock) add("inStock", "1");
  if (sort !== "popular") add("sort", sort);
  if (isRows) add("view", "rows");
  return query;
}

/** The number of active filters, for the button on narrow screens. */
export const countFilters = (chosen: ListChoice): number =>
  filterNames.reduce((sum, name) => sum + chosen.values[name].length, 0) +
  Number(chosen.inStock) +
  Number(chosen.priceFrom !== "" || chosen.priceTo !== "") +
  Number(chosen.yearFrom !== "" || chosen.yearTo !== "");

/** Whether any filter is active; order and view do not count. */
export const isNarrowed = (chosen: ListChoice): boolean => countFilters(chosen) > 0;

/** Returns the choice without one value of a facet. */
export const withoutValue = (chosen: ListChoice, name: FilterName, value: string): ListChoice => ({
  ...chosen,
  values: { ...chosen.values, [name]: chosen.values[name].filter((each) => each !== value) },
});

/**
 * Applies what a form changed (from `before` to `entered`) to the `newest` choice. The form may not show yet a filter that a chip removed
 * or an order that was chosen, so its unchanged values are ignored.
 */
export function withChanges(newest: ListChoice, before: ListChoice, entered: ListChoice): ListChoice {
  const text = (name: "priceFrom" | "priceTo" | "yearFrom" | "yearTo"): string =>
    entered[name] === before[name] ? newest[name] : entered[name];
  const values = (name: FilterName): string[] => {
    const [now, previous, after] = [newest, before, entered].map((each) => each.values[name]) as [string[], string[], string[]];
    return [
      ...after.filter((value) => now.includes(value) || !previous.includes(value)),
      ...now.filter((value) => !after.includes(value) && !previous.includes(value)),
    ];
  };
  return {
    values: Object.fromEntries(filterNames.map((name) => [name, values(name)])) as ListChoice["values"],
    priceFrom: text("priceFrom"),
    priceTo: text("priceTo"),
    yearFrom: text("yearFrom"),
    yearTo: text("yearTo"),
    inStock: entered.inStock === before.inStock ? newest.inStock : entered.inStock,
    sort: newest.sort,
    isRows: newest.isRows,
  };
}

/** The address of a list: its path, and the part of the query that identifies the list (`q=…`) and is not a filter. */
export type ListUrl = { path: string; base: string };

/** The address of a choice in a list. */
export const addressOf = ({ path, base }: ListUrl, chosen: ListChoice): string =>
  base === "" ? `${path}${searchOf(chosen)}` : `${path}?${base}${searchOf(chosen).replace("?", "&")}`;

/** The most pages that «Показать ещё» shows together. They are in the address, so that Back and a shared link show the same. */
export const maxPagesAtOnce = 20;

/** The first of the pages shown together with `page`: `?from=` if it is valid, otherwise `page`. */
export function firstPage(params: URLSearchParams, page: number): number {
  const from = Number(params.get("from") ?? page);
  return Number.isInteger(from) && from >= 1 && from <= page && page - from < maxPagesAtOnce ? from : page;
}

/** The address of a page of a listing, together with the pages from `first` on. */
export const pagePath = (path: string, search: string, page: number, first = page): string =>
  `${path}${page > 1 ? `/page/${page}` : ""}${first === page ? search : `${search === "" ? "?" : `${search}&`}from=${first}`}`;
