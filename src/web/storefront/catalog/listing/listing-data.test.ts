import { expect, test } from "vitest";
import { kopecks } from "#kit/money.ts";
import { filterAndCount } from "#shop/search/facets/filter-and-count.ts";
import type { Card } from "#shop/search/index/card.ts";
import { realModel } from "#shop/search/testing.ts";
import { listingOf, listingData } from "./listing-data.ts";
import { listingView } from "./listing-view.ts";

const card: Card = {
  id: 1,
  slug: "george",
  title: 'Георгий «Победоносец», 50 рублей 2026 "</script>',
  picture: "george",
  alt: null,
  isDrawing: true,
  image: "/media/coins/george-reverse-320.webp",
  price: kopecks(9_064_000),
  oldPrice: null,
  promoEndsAt: null,
  premium: { amount: kopecks(472_900), bp: 550 },
  perGram: kopecks(1_165_100),
  buyback: kopecks(8_204_000),
  priceListVersion: 1,
  metal: "gold",
  kind: "bullion",
  pureMassMg: 7780,
  diameterMm: 22.6,
  finenessTenths: 9990,
  year: 2026,
  country: "Россия",
  mint: "Московский монетный двор (ММД)",
  quality: "АЦ",
  mintage: null,
  shape: "round",
  lengthMm: null,
  available: 247,
  inStock: true,
  badges: [],
  spreadBp: 949,
  issues: null,
};

test("a listing comes out of its text as it was, also one without coins or choices", async () => {
  const { catalogue, pricing, available } = await realModel();
  const live = { price: pricing.price, spread: pricing.spread, available };
  const { facets } = filterAndCount(catalogue, live, catalogue.orders.popular, {});
  const items = [card, { ...card, id: 2, alt: "Всадник", price: null, available: 0 }];
  const view = listingView({ items, total: 25, page: 1, pages: 2, facets });
  expect(view.facets.country.choices.length).toBeGreaterThan(1);
  const data = listingData(view);
  expect(listingOf(data)).toBe(view);
  expect(listingOf(structuredClone(data))).toEqual(view);
  const { facets: none } = filterAndCount(catalogue, live, new Int32Array(), {});
  const empty = listingView({ items: [], total: 0, page: 1, pages: 0, facets: none });
  expect(listingOf(structuredClone(listingData(empty)))).toEqual(empty);
});
