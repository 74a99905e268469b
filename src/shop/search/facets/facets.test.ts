import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { kopecks } from "#kit/money.ts";
import { aCoin } from "#shop/catalog/testing.ts";
import { priceOf } from "#shop/pricing/price.ts";
import { toSlug } from "#kit/text/slug.ts";
import { createColumns, unknownFilterNames } from "./facets.ts";
import { filterAndCount, type FilterResult } from "./filter-and-count.ts";
import { bitsOf, hasBit } from "../index/bits.ts";
import { inOrder, listed } from "../index/ordered.ts";
import { facetNames, priceBands, sortKeys, spreadChoices, type FacetName, type ListingFilters, type SortKey } from "../listing.ts";
import { realModel } from "../testing.ts";

const model = await realModel();
const { catalogue, pricing, available } = model;
const { coins, columns } = catalogue;
const moving = { price: pricing.price, spread: pricing.spread, available };
const orderOf = (sort: SortKey) => ({ ...catalogue.orders, ...pricing.orders })[sort];
/** All cards and all passing coins of a result. */
const whole = (result: FilterResult) => ({
  ...result,
  matching: result.first(coins.length),
  coins: coins.map((_, i) => i).filter((i) => hasBit(result.passing, i)),
});
const walked = (filters: ListingFilters) => whole(filterAndCount(catalogue, moving, orderOf(filters.sort ?? "popular"), filters));

/** The facet values of one coin, computed without the columns. */
const valuesOf = (i: number): Record<FacetName, string[]> => {
  const coin = coins[i]!;
  const slugs = (text: string | null) => (text === null ? [] : [toSlug(text)]);
  return {
    category: coin.categories,
    metal: [coin.metal],
    kind: [coin.kind],
    weight: [String(Math.round(coin.pureMassMg / 10) / 100)],
    series: slugs(coin.series),
    country: slugs(coin.country),
    mint: slugs(coin.mint),
    quality: slugs(coin.quality),
    inStock: available[i]! > 0 ? ["1"] : [],
    spreadTo: spreadChoices.filter((percent) => pricing.spread[i]! <= percent * 100).map(String),
  };
};
const coinValues = coins.map((_, i) => valuesOf(i));

function passes(i: number, filters: ListingFilters, except?: FacetName | "price" | "year"): boolean {
  const within = (name: FacetName, wanted: readonly (string | number)[] | undefined) =>
    name === except || !wanted?.length || wanted.some((value) => coinValues[i]![name].includes(String(value)));
  const price = pricing.price[i]!;
  const isCloseEnough = except === "spreadTo" || filters.spreadTo === undefined || pricing.spread[i]! <= filters.spreadTo * 100;
  return (
    isCloseEnough &&
    within("category", filters.category === undefined ? undefined : [filters.category].flat()) &&
    within("metal", filters.metal) &&
    within("kind", filters.kind) &&
    within("weight", filters.weight) &&
    within("series", filters.series) &&
    within("country", filters.country) &&
    within("mint", filters.mint) &&
    within("quality", filters.quality) &&
    within("inStock", filters.inStock ? ["1"] : undefined) &&
    (except === "year" || !filters.year?.length || filters.year.includes(coins[i]!.year)) &&
    (except === "price" ||
      ((filters.priceFrom === undefined || price >= filters.priceFrom) && (filters.priceTo === undefined || price <= filters.priceTo)))
  );
}

/** The choices of a facet that filters select. */
const chosenValues = (filters: ListingFilters, name: FacetName): string[] => {
  if (name === "inStock") return filters.inStock ? ["1"] : [];
  if (name === "spreadTo") return spreadChoices.filter((percent) => percent === filters.spreadTo).map(String);
  return [filters[name] ?? []].flat().map(String);
};

const some = (name: keyof typeof columns) =>
  fc.subarray(
    columns[name].choices.map(({ value }) => value),
    { maxLength: 3 },
  );
const anyFilters: fc.Arbitrary<ListingFilters> = fc.record(
  {
    category: fc.constantFrom(...columns.category.choices.map(({ value }) => value)),
    metal: fc.subarray(["gold", "silver"] as const),
    kind: fc.subarray(["bullion", "memorable"] as const),
    weight: some("weight").map((values) => values.map(Number)),
    series: some("series"),
    country: some("country"),
    mint: some("mint"),
    quality: some("quality"),
    year: fc.subarray([...new Set(coins.map(({ year }) => year))], { maxLength: 4 }),
    priceFrom: fc.integer({ min: 0, max: 50_000_000 }).map(kopecks),
    priceTo: fc.integer({ min: 0, max: 900_000_000 }).map(kopecks),
    spreadTo: fc.constantFrom(5, 8, 9.25, 15, 35),
    inStock: fc.boolean(),
    sort: fc.constantFrom(...sortKeys),
  },
  { requiredKeys: [] },
);

describe("filters of a listing", () => {
  test("coins that are stored as a set are filtered and counted like a list of the same coins", () => {
    const anyGroup = fc.constantFrom({}, { group: "product" as const });
    const anyMembers = fc.oneof(fc.constant(coins.map((_, i) => i)), fc.subarray(coins.map((_, i) => i)));
    fc.assert(
      fc.property(anyFilters, anyGroup, anyMembers, (filters, group, members) => {
        const order = orderOf(filters.sort ?? "popular");
        const list = listed(order.filter((position) => members.includes(position)));
        const set = inOrder(bitsOf(members, coins.length), order);
        const [one, other] = [list, set].map((ordered) => {
          const { first, ...counted } = filterAndCount(catalogue, moving, ordered, { ...filters, ...group });
          return { ...counted, shown: first(coins.length) };
        });
        expect(one).toEqual(other);
      }),
    );
  });

  test("counts equal a simple count for any filters: each facet counts what all other filters leave", () => {
    fc.assert(
      fc.property(anyFilters, (filters) => {
        const { matching, facets } = walked(filters);
        const all = coins.map((_, i) => i);
        expect([...matching].sort((a, b) => a - b)).toEqual(all.filter((i) => passes(i, filters)));
        for (const name of facetNames) {
          const left = all.filter((i) => passes(i, filters, name));
          // A choice stays while it is chosen, also if no coin has it.
          for (const value of chosenValues(filters, name)) expect(facets[name].map((choice) => choice.value)).toContain(value);
          for (const choice of facets[name])
            expect([name, choice.value, choice.count]).toEqual([
              name,
              choice.value,
              left.filter((i) => coinValues[i]![name].includes(choice.value)).length,
            ]);
          for (const { value } of name === "inStock"
            ? [{ value: "1" }]
            : name === "spreadTo"
              ? spreadChoices.map((percent) => ({ value: String(percent) }))
              : columns[name].choices) {
            if (!facets[name].some((choice) => choice.value === value))
              expect(left.some((i) => coinValues[i]![name].includes(value))).toBe(false);
          }
        }
        const prices = all.filter((i) => passes(i, filters, "price")).map((i) => pricing.price[i]!);
        const { histogram, bands, ...span } = facets.price;
        expect(span).toEqual(prices.length === 0 ? { min: 0, max: 0 } : { min: Math.min(...prices), max: Math.max(...prices) });
        expect(histogram.reduce((sum, count) => sum + count, 0)).toBe(span.max > span.min ? prices.length : 0);
        expect(bands).toEqual(
          priceBands.map(
            ({ from = 0, to = Number.POSITIVE_INFINITY }) => prices.filter((price) => price >= from * 100 && price <= to * 100).length,
          ),
        );
        const years = all.filter((i) => passes(i, filters, "year")).map((i) => coins[i]!.year);
        expect(facets.year).toEqual(years.length === 0 ? { min: 0, max: 0 } : { min: Math.min(...years), max: Math.max(...years) });
      }),
      { numRuns: 150 },
    );
  });

  test("the first cards are the beginning of the whole order, for any filters", () => {
    fc.assert(
      fc.property(anyFilters, fc.integer({ min: 1, max: 100 }), (filters, most) => {
        const order = [...orderOf(filters.sort ?? "popular")];
        const result = filterAndCount(catalogue, moving, orderOf(filters.sort ?? "popular"), filters);
        const passing = order.filter((i) => passes(i, filters));
        expect(result.total).toBe(passing.length);
        expect(result.first(most)).toEqual(passing.slice(0, most));
      }),
      { numRuns: 100 },
    );
  });

  test("among the coins of a search, counts are those of a catalogue that has only these coins", () => {
    fc.assert(
      fc.property(anyFilters, fc.subarray(coins.map((_, i) => i)), (filters, found) => {
        const { facets, total } = filterAndCount(catalogue, moving, listed(found), filters, null);
        expect(total).toBe(found.filter((i) => passes(i, filters)).length);
        for (const name of facetNames)
          for (const choice of facets[name])
            expect([name, choice.value, choice.count]).toEqual([
              name,
              choice.value,
              found.filter((i) => passes(i, filters, name) && coinValues[i]![name].includes(choice.value)).length,
            ]);
      }),
      { numRuns: 60 },
    );
  });

  test("grouped by product, there is one card per product and every count is of products, for any filters", () => {
    const { of } = catalogue.products;
    const productsAmong = (places: readonly number[]) => new Set(places.map((i) => of[i]));
    fc.assert(
      fc.property(anyFilters, (filters) => {
        const { matching, coins: passing, facets } = walked({ ...filters, group: "product" });
        const all = coins.map((_, i) => i);
        const expected = all.filter((i) => passes(i, filters));
        expect([...passing].sort((a, b) => a - b)).toEqual(expected);
        expect(new Set(matching.map((i) => of[i]))).toEqual(productsAmong(expected));
        expect(matching).toHaveLength(productsAmong(expected).size);
        for (const name of facetNames) {
          const left = all.filter((i) => passes(i, filters, name));
          for (const choice of facets[name])
            expect([name, choice.value, choice.count]).toEqual([
              name,
              choice.value,
              productsAmong(left.filter((i) => coinValues[i]![name].includes(choice.value))).size,
            ]);
        }
      }),
      { numRuns: 60 },
    );
  });

  test("the card of a product shows the cheapest issue in stock that passes the filters; sorted by price, cards rise", () => {
    fc.assert(
      fc.property(anyFilters, (filters) => {
        const { matching, coins: passing } = walked({ ...filters, group: "product", sort: "price" });
        for (const place of matching) {
          const issues = passing.filter((i) => catalogue.products.of[i] === catalogue.products.of[place]);
          const inStock = issues.filter((i) => available[i]! > 0);
          expect(pricing.price[place]).toBe(Math.min(...(inStock.length > 0 ? inStock : issues).map((i) => pricing.price[i]!)));
          expect(available[place]! > 0).toBe(inStock.length > 0);
        }
        for (let at = 1; at < matching.length; at += 1)
          expect(pricing.price[matching[at - 1]!]!).toBeLessThanOrEqual(pricing.price[matching[at]!]!);
      }),
      { numRuns: 60 },
    );
  });

  test("ordered by years, a product shows the issue that puts it there", () => {
    const { matching } = walked({ group: "product", sort: "-year", category: "bullion-coins/georgij-pobedonosec", inStock: true });
    const years = matching.map((i) => coins[i]!.year);
    expect(years).toEqual(years.toSorted((a, b) => b - a));
    expect(years[0]).toBe(2026);
  });

  test("a coin that is not bought back has no spread: no bound lets it through, and it comes last", () => {
    const spread = Float64Array.from(pricing.spread, (bp, i) => (i === 0 ? Number.NaN : bp));
    expect(whole(filterAndCount(catalogue, { ...moving, spread }, orderOf("popular"), { spreadTo: 999 })).matching).not.toContain(0);
    expect(whole(filterAndCount(catalogue, moving, orderOf("popular"), { spreadTo: 999 })).matching).toContain(0);
  });

  test("choosing a value shows as many coins as its count", () => {
    const { facets } = walked({ category: "silver" });
    for (const choice of facets.series) expect(walked({ category: "silver", series: [choice.value] }).matching).toHaveLength(choice.count);
    for (const choice of facets.weight)
      expect(walked({ category: "silver", weight: [Number(choice.value)] }).matching).toHaveLength(choice.count);
  });

  test("masses that differ by less than a hundredth of a gram are one choice", () => {
    expect(walked({ weight: [31.103] }).matching).toEqual(walked({ weight: [31.1] }).matching);
    expect(walked({}).facets.weight.find(({ value }) => value === "31.1")?.label).toBe("31,1 г");
  });

  test("a label works like its value, also with a comma in it", () => {
    const mint = "Московский и Санкт-Петербургский монетные дворы (ММД, СПМД)";
    expect(walked({ mint: [mint] }).matching).toHaveLength(12);
    expect(walked({ country: ["россия"] }).matching).toEqual(walked({ country: ["rossiya"] }).matching);
  });

  test("an unknown value is reported by filter name and matches nothing", () => {
    expect(unknownFilterNames(columns, { series: ["no-such"], metal: ["gold"], category: "constructor" })).toEqual(["category", "series"]);
    expect(walked({ series: ["no-such"] }).matching).toEqual([]);
    expect(unknownFilterNames(columns, { weight: [7.78], country: ["Китай"] })).toEqual([]);
  });

  test("two names that look alike in Latin stay two choices", () => {
    const twins = [aCoin({ id: 1, series: "Ёж" }), aCoin({ id: 2, series: "Еж" })];
    const both = createColumns(twins, []).columns.series.choices;
    expect(new Set(both.map(({ value }) => value)).size).toBe(2);
  });
});

describe("order of a listing", () => {
  test.each(sortKeys)("sorted by %s, every coin comes exactly once", (sort) => {
    expect([...orderOf(sort)].sort((a, b) => a - b)).toEqual(coins.map((_, i) => i));
  });

  test.each([
    ["price", (i: number) => pricing.price[i]!],
    ["-price", (i: number) => -pricing.price[i]!],
    ["gram", (i: number) => priceOf(coins[i]!, pricing.list).perGram!],
    ["premium", (i: number) => priceOf(coins[i]!, pricing.list).premium!.bp],
    ["spread", (i: number) => pricing.spread[i]!],
    ["mass", (i: number) => coins[i]!.pureMassMg],
    ["-mass", (i: number) => -coins[i]!.pureMassMg],
    ["year", (i: number) => coins[i]!.year],
    ["-year", (i: number) => -coins[i]!.year],
  ] as const)("%s rises, and equals go by id", (sort, keyOf) => {
    const order = [...orderOf(sort)];
    for (let at = 1; at < order.length; at += 1) {
      const [before, after] = [order[at - 1]!, order[at]!];
      expect(keyOf(before) < keyOf(after) || (keyOf(before) === keyOf(after) && coins[before]!.id < coins[after]!.id)).toBe(true);
    }
  });
});
