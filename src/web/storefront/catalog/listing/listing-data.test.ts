import { expect, test } from "vitest";
import { filterAndCount } from "#shop/search/facets/filter-and-count.ts";
import { realModel } from "#shop/search/testing.ts";
import { aCard } from "../cards/testing.ts";
import { listingOf, listingData } from "./listing-data.ts";
import { listingView } from "./listing-view.ts";

/** Of a request for data. */
const page = { scriptNonce: "" };
const card = aCard({ title: 'Георгий «Победоносец», 50 рублей 2026 "</script>' });

test("a listing comes out of its text as it was, also one without coins or choices", async () => {
  const { catalogue, pricing, available } = await realModel();
  const live = { price: pricing.price, spread: pricing.spread, available };
  const { facets } = filterAndCount(catalogue, live, catalogue.orders.popular, {});
  const items = [card, { ...card, id: 2, alt: "Всадник", price: null, available: 0 }];
  const view = listingView({ items, total: 25, page: 1, pages: 2, facets });
  expect(view.facets.country.choices.length).toBeGreaterThan(1);
  const data = listingData(page, view);
  expect(listingOf(data)).toBe(view);
  expect(listingOf(structuredClone(data))).toEqual(view);
  const { facets: none } = filterAndCount(catalogue, live, new Int32Array(), {});
  const empty = listingView({ items: [], total: 0, page: 1, pages: 0, facets: none });
  expect(listingOf(structuredClone(listingData(page, empty)))).toEqual(empty);
});
