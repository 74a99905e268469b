import { expect, test } from "vitest";
import { filtersFrom } from "./listing-filters.server.ts";
import { choiceFrom, countFilters } from "../listing/listing-query.ts";

const read = (query: string) => filtersFrom(choiceFrom(new URLSearchParams(query)), "gold", 2);

test("an address becomes search filters, with roubles as kopecks", () => {
  expect(read("metal=gold&weight=7.78,31.1&year=2025&priceFrom=4 910&inStock=1&sort=-price")).toMatchObject({
    category: "gold",
    page: 2,
    metal: ["gold"],
    weight: [7.78, 31.1],
    year: [2025],
    priceFrom: 491_000,
    inStock: true,
    sort: "-price",
  });
});
test("invalid values in an address are ignored, never refused", () => {
  const nonsense = read("metal=lead&kind=constructor&weight=NaN,1e9&year=20x5&priceTo=abc&sort=__proto__");
  expect(nonsense).toMatchObject({ metal: [], kind: [], weight: [], year: [], sort: "popular" });
  expect(nonsense).not.toHaveProperty("priceTo");
  // They are not shown as chips either: «lead» above all coins would be wrong.
  expect(countFilters(choiceFrom(new URLSearchParams("metal=lead&kind=constructor&weight=NaN&year=20x5")))).toBe(0);
});
test("a range of years means each year in it, in either order; a range outside the bounds finds nothing", () => {
  expect(read("yearFrom=2023&yearTo=2021").year).toEqual([2021, 2022, 2023]);
  expect(read("yearFrom=2099").year).toEqual([2099, 2100]);
  expect(read("yearFrom=9990&yearTo=9999").year).toEqual([9990]);
  expect(read("").year).toEqual([]);
});
