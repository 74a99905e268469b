/** The names a listing's address may carry; the order is that of the filter panel. */
export const facetNames = ["metal", "kind", "weight", "spreadTo", "country", "mint", "quality", "series", "year"] as const;
/** Query parameters of a list of coins. */
export const listingParameters: readonly string[] = [
  ...facetNames,
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
export type FacetName = (typeof facetNames)[number];

/** Their names for people are in listing-view.ts: they come with the page. */
const sorts = ["popular", "price", "-price", "gram", "premium", "spread", "mass", "-mass", "-year", "year", "new"] as const;
export type Sort = (typeof sorts)[number];

/** What is chosen, as the address says it: each facet's values, bounds of year and of price in roubles, the switch, the order, cards or rows. */
export type ListChoice = {
  values: Record<FacetName, string[]>;
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

/** Digits of a price typed by hand: `4 910`, `4910 ₽`. */
const digits = (text: string | null): string => (text ?? "").replace(/[^\d.]/g, "").slice(0, 9);

/** A year of four digits, or nothing: half a year is none yet. */
const year = (text: string | null): string => /^\s*(\d{4})\s*$/.exec(text ?? "")?.[1] ?? "";

/** What a facet's value must look like to mean anything; where the shop's own words decide, the listing is asked. */
const validValue: Partial<Record<FacetName, RegExp>> = {
  metal: /^(gold|silver)$/,
  kind: /^(bullion|memorable)$/,
  weight: /^\d{1,5}(\.\d{1,3})?$/,
  spreadTo: /^\d{1,3}(\.\d{1,2})?$/,
  year: /^\d{4}$/,
};

/** What an address chooses. What it cannot mean is left out: a page has no 422, and a filter that narrows nothing must not seem to. */
export function choiceFrom(params: URLSearchParams): ListChoice {
  return {
    values: Object.fromEntries(
      facetNames.map((name) => [name, listOf(params, name).filter((each) => validValue[name]?.test(each) ?? true)]),
    ) as ListChoice["values"],
    priceFrom: digits(params.get("priceFrom")),
    priceTo: digits(params.get("priceTo")),
    yearFrom: year(params.get("yearFrom")),
    yearTo: year(params.get("yearTo")),
    inStock: ["1", "true"].includes(params.get("inStock") ?? ""),
    sort: sorts.find((each) => each === params.get("sort")) ?? "popular",
    isRows: params.get("view") === "rows",
  };
}

/** The shortest address of a choice: values by comma, nothing that is the default; `""` when nothing is chosen. */
export function searchOf({ values, priceFrom, priceTo, yearFrom, yearTo, inStock, sort, isRows }: ListChoice): string {
  const pairs: [string, string][] = facetNames.filter((name) => values[name].length > 0).map((name) => [name, values[name].join(",")]);
  for (const [name, value] of Object.entries({ priceFrom, priceTo, yearFrom, yearTo })) if (value) pairs.push([name, value]);
  if (inStock) pairs.push(["inStock", "1"]);
  if (sort !== "popular") pairs.push(["sort", sort]);
  if (isRows) pairs.push(["view", "rows"]);
  return pairs.length === 0
    ? ""
    : `?${pairs.map(([name, value]) => `${name}=${encodeURIComponent(value).replaceAll("%2C", ",")}`).join("&")}`;
}

export const isNarrowed = ({ values, priceFrom, priceTo, yearFrom, yearTo, inStock }: ListChoice): boolean =>
  inStock || [priceFrom, priceTo, yearFrom, yearTo].some((each) => each !== "") || facetNames.some((name) => values[name].length > 0);

/** How many filters are on, for the phone's button. */
export const countFilters = (chosen: ListChoice): number =>
  facetNames.reduce((sum, name) => sum + chosen.values[name].length, 0) +
  Number(chosen.inStock) +
  Number(chosen.priceFrom !== "" || chosen.priceTo !== "") +
  Number(chosen.yearFrom !== "" || chosen.yearTo !== "");

/** The choice without one value of a facet. */
export const withoutValue = (chosen: ListChoice, name: FacetName, value: string): ListChoice => ({
  ...chosen,
  values: { ...chosen.values, [name]: chosen.values[name].filter((each) => each !== value) },
});

/** The `newest` choice with what a form changed since it said `before`: it may not show yet what a chip took away, or the order that was chosen, past it. */
export function withChanges(newest: ListChoice, before: ListChoice, entered: ListChoice): ListChoice {
  const text = (name: "priceFrom" | "priceTo" | "yearFrom" | "yearTo"): string =>
    entered[name] === before[name] ? newest[name] : entered[name];
  const values = (name: FacetName): string[] => {
    const [now, then, said] = [newest, before, entered].map((each) => each.values[name]) as [string[], string[], string[]];
    return [
      ...said.filter((value) => now.includes(value) || !then.includes(value)),
      ...now.filter((value) => !said.includes(value) && !then.includes(value)),
    ];
  };
  return {
    values: Object.fromEntries(facetNames.map((name) => [name, values(name)])) as ListChoice["values"],
    priceFrom: text("priceFrom"),
    priceTo: text("priceTo"),
    yearFrom: text("yearFrom"),
    yearTo: text("yearTo"),
    inStock: entered.inStock === before.inStock ? newest.inStock : entered.inStock,
    sort: newest.sort,
    isRows: newest.isRows,
  };
}

/** Where a listing is: its path, and what of the query says which list it is (`q=…`) and is no filter. */
export type ListUrl = { path: string; base: string };

/** The address of a choice in a list. */
export const addressOf = ({ path, base }: ListUrl, chosen: ListChoice): string =>
  base === "" ? `${path}${searchOf(chosen)}` : `${path}?${base}${searchOf(chosen).replace("?", "&")}`;

/** Pages that «Показать ещё» has put on top of each other stand in the address, so that Back and a sent link show the same; so many at most. */
export const mostPagesAtOnce = 20;

/** The first page shown above `page`: what `?from=` says, if that can be meant. */
export function firstPage(params: URLSearchParams, page: number): number {
  const from = Number(params.get("from") ?? page);
  return Number.isInteger(from) && from >= 1 && from <= page && page - from < mostPagesAtOnce ? from : page;
}

/** A page of a listing, with those from `first` on above it. */
export const pagePath = (path: string, search: string, page: number, first = page): string =>
  `${path}${page > 1 ? `/page/${page}` : ""}${first === page ? search : `${search === "" ? "?" : `${search}&`}from=${first}`}`;
