import { expect, test } from "vitest";
import { choiceFrom, countFilters, firstPage, isNarrowed, pagePath, searchOf, withChanges, withoutValue } from "./listing-query.ts";

const read = (query: string) => choiceFrom(new URLSearchParams(query));

test("a form's repeated fields and an address with commas mean the same", () => {
  expect(read("metal=gold&metal=silver&sort=popular&priceFrom=&priceTo=")).toEqual(read("metal=gold,silver"));
});
test("the address of a choice holds only what differs from the default", () => {
  expect(searchOf(read("metal=gold&metal=silver&sort=popular&priceFrom=4 910&priceTo="))).toBe("?metal=gold,silver&priceFrom=4910");
  expect(searchOf(read("utm_source=letter"))).toBe("");
  expect(searchOf(read("inStock=1&sort=-price"))).toBe("?inStock=1&sort=-price");
});
test("Cyrillic values survive the address", () => {
  expect(read(searchOf(read("country=Россия,СССР")).slice(1)).values.country).toEqual(["Россия", "СССР"]);
});
test("an order nobody knows is the usual one", () => {
  expect(read("sort=__proto__").sort).toBe("popular");
  expect(read("sort=toString").sort).toBe("popular");
});
test("taking one value away leaves the others", () => {
  const chosen = read("metal=gold,silver&year=2025&inStock=1");
  expect(countFilters(chosen)).toBe(4);
  expect(searchOf(withoutValue(chosen, "metal", "gold"))).toBe("?metal=silver&year=2025&inStock=1");
  expect(isNarrowed(read("sort=price"))).toBe(false);
});

test("what a form changed is laid over the newest choice, and what it only has not heard of yet is left as it is", () => {
  const laid = (newest: string, before: string, entered: string) => searchOf(withChanges(read(newest), read(before), read(entered)));
  // A chip took the silver away and the order was chosen; the form still shows the silver, and a year is added.
  expect(laid("metal=gold&sort=price", "metal=gold,silver", "metal=gold,silver&yearFrom=2020")).toBe(
    "?metal=gold&yearFrom=2020&sort=price",
  );
  expect(laid("metal=gold,silver", "metal=gold,silver", "metal=silver")).toBe("?metal=silver");
  expect(laid("inStock=1&priceTo=9000", "inStock=1&priceTo=9000", "priceFrom=100")).toBe("?priceFrom=100");
  expect(laid("metal=silver", "metal=silver", "metal=gold,silver")).toBe("?metal=gold,silver");
  expect(laid("", "inStock=1&priceTo=9000", "inStock=1&priceTo=9000")).toBe("");
});

test("a range of years is one filter, and half a year is none", () => {
  const chosen = read("yearFrom=2020&yearTo= 2024 ");
  expect([searchOf(chosen), countFilters(chosen), isNarrowed(chosen)]).toEqual(["?yearFrom=2020&yearTo=2024", 1, true]);
  expect(isNarrowed(read("yearFrom=202&yearTo=20200"))).toBe(false);
});
test("pages shown on top of each other stand in the address; what cannot be meant shows one page", () => {
  expect(pagePath("/catalog/gold", "?metal=gold", 3, 1)).toBe("/catalog/gold/page/3?metal=gold&from=1");
  expect(pagePath("/catalog", "", 1)).toBe("/catalog");
  const first = (from: string) => firstPage(new URLSearchParams({ from }), 5);
  expect(["1", "5", "6", "0", "-1", "1.5", "x", ""].map(first)).toEqual([1, 5, 5, 5, 5, 5, 5, 5]);
  expect(firstPage(new URLSearchParams("from=1"), 40)).toBe(40);
});
