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
test.each([
  ["4 910,50 ₽", "4910.50"],
  ["4910.5", "4910.5"],
  ["1.000.000", "1000000"],
  ["12,345", "12345"],
  ["100 000,00", "100000.00"],
  ["1.2.3", "12.3"],
  [",5", ""],
  ["дорого", ""],
  ["1234567890", "123456789"],
])("the typed price «%s» is «%s»", (typed, priceTo) => expect(choiceFrom(new URLSearchParams({ priceTo: typed })).priceTo).toBe(priceTo));
test("Cyrillic values survive the address", () => {
  expect(read(searchOf(read("country=Россия,СССР")).slice(1)).values.country).toEqual(["Россия", "СССР"]);
});
test("an unknown order becomes the default one", () => {
  expect(read("sort=__proto__").sort).toBe("popular");
  expect(read("sort=toString").sort).toBe("popular");
});
test("removing one value leaves the others", () => {
  const chosen = read("metal=gold,silver&year=2025&inStock=1");
  expect(countFilters(chosen)).toBe(4);
  expect(searchOf(withoutValue(chosen, "metal", "gold"))).toBe("?metal=silver&year=2025&inStock=1");
  expect(isNarrowed(read("sort=price"))).toBe(false);
});

test("a form's changes are applied to the newest choice; its outdated values do not undo a chip or an order", () => {
  const merged = (newest: string, before: string, entered: string) => searchOf(withChanges(read(newest), read(before), read(entered)));
  // A chip removed silver and an order was chosen; the form still shows silver, and a year is added.
  expect(merged("metal=gold&sort=price", "metal=gold,silver", "metal=gold,silver&yearFrom=2020")).toBe(
    "?metal=gold&yearFrom=2020&sort=price",
  );
  expect(merged("metal=gold,silver", "metal=gold,silver", "metal=silver")).toBe("?metal=silver");
  expect(merged("inStock=1&priceTo=9000", "inStock=1&priceTo=9000", "priceFrom=100")).toBe("?priceFrom=100");
  expect(merged("metal=silver", "metal=silver", "metal=gold,silver")).toBe("?metal=gold,silver");
  expect(merged("", "inStock=1&priceTo=9000", "inStock=1&priceTo=9000")).toBe("");
});

test("a range of years is one filter, an incomplete year is none", () => {
  const chosen = read("yearFrom=2020&yearTo= 2024 ");
  expect([searchOf(chosen), countFilters(chosen), isNarrowed(chosen)]).toEqual(["?yearFrom=2020&yearTo=2024", 1, true]);
  expect(isNarrowed(read("yearFrom=202&yearTo=20200"))).toBe(false);
});
test("pages shown together are in the address; an invalid first page shows one page", () => {
  expect(pagePath("/catalog/gold", "?metal=gold", 3, 1)).toBe("/catalog/gold/page/3?metal=gold&from=1");
  expect(pagePath("/catalog", "", 1)).toBe("/catalog");
  const first = (from: string) => firstPage(new URLSearchParams({ from }), 5);
  expect(["1", "5", "6", "0", "-1", "1.5", "x", ""].map(first)).toEqual([1, 5, 5, 5, 5, 5, 5, 5]);
  expect(firstPage(new URLSearchParams("from=1"), 40)).toBe(40);
});
