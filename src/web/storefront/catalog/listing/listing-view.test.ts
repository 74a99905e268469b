import { expect, test } from "vitest";
import { filterAndCount } from "#shop/search/facets/filter-and-count.ts";
import { realModel } from "#shop/search/testing.ts";
import { filtersFrom } from "../filters/listing-filters.server.ts";
import { addressOf, choiceFrom } from "./listing-query.ts";
import { presetsOf } from "./listing-view.ts";

const model = await realModel();
const moving = { price: model.pricing.price, spread: model.pricing.spread, available: model.available };
const walked = (query: string) =>
  filterAndCount(model.catalogue, moving, model.catalogue.orders.popular, filtersFrom(choiceFrom(new URLSearchParams(query)), "", 1));

test("each price and mass above the list shows as many products as its count says, with any other filters", () => {
  for (const query of ["", "metal=gold", "kind=bullion&inStock=1", "country=россия&year=2025"]) {
    const presets = presetsOf({ facets: walked(query).facets });
    expect(presets.length).toBeGreaterThan(1);
    for (const { text, count, weight, from = "", to = "" } of presets) {
      const added = weight === undefined ? `priceFrom=${from}&priceTo=${to}` : `weight=${weight}`;
      expect([query, text, count]).toEqual([query, text, walked(`${query}&${added}`).total]);
    }
  }
});

test("sorted by premium, one-ounce coins begin with an ounce and the whole list with a kilogram", () => {
  const byPremium = (query: string) =>
    filterAndCount(model.catalogue, moving, model.pricing.orders.premium, filtersFrom(choiceFrom(new URLSearchParams(query)), "", 1)).first(
      1,
    )[0] ?? -1;
  expect(model.catalogue.coins[byPremium("kind=bullion&sort=premium")]?.pureMassMg).toBe(1_000_000);
  expect(model.catalogue.coins[byPremium("kind=bullion&weight=31.1&sort=premium")]?.pureMassMg).toBe(31_100);
});

test("the address of a search has its query before the filters", () => {
  const chosen = choiceFrom(new URLSearchParams("metal=gold&view=rows"));
  expect(addressOf({ path: "/search", base: "q=%D0%B0" }, chosen)).toBe("/search?q=%D0%B0&metal=gold&view=rows");
  expect(addressOf({ path: "/catalog", base: "" }, chosen)).toBe("/catalog?metal=gold&view=rows");
  expect(addressOf({ path: "/search", base: "q=1" }, choiceFrom(new URLSearchParams()))).toBe("/search?q=1");
});

test("of several spread limits the widest applies", () => {
  expect(filtersFrom(choiceFrom(new URLSearchParams("spreadTo=8,15&spreadTo=oops")), "", 1).spreadTo).toBe(15);
});
