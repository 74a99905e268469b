import { expect, test } from "vitest";
import { kopecks } from "#kit/money.ts";
import { asText } from "../page/text-data.ts";
import { cartChanges, click, detail, impressions, purchase, seenPage, type SeenCoin } from "./ecommerce.ts";

const coin = (id: number, more: Partial<SeenCoin> = {}): SeenCoin => ({
  id,
  slug: `coin-${id}`,
  title: `Монета ${id}`,
  price: kopecks(9_050_000 + id),
  metal: "gold",
  kind: "bullion",
  ...more,
});

test("every event has prices in roubles, as numbers, and the catalogue's names of coins", () => {
  expect(detail(coin(50))).toEqual({
    ecommerce: {
      currencyCode: "RUB",
      detail: { products: [{ id: "50", name: "Монета 50", price: 90_500.5, category: "Золото/Инвестиционная" }] },
    },
  });
  expect(impressions("Золотые монеты", [coin(50), coin(60, { price: null })], 24).ecommerce).toMatchObject({
    currencyCode: "RUB",
    impressions: [
      { id: "50", list: "Золотые монеты", position: 25 },
      { id: "60", position: 26 },
    ],
  });
  expect(JSON.stringify(impressions("x", [coin(60, { price: null })], 0))).not.toContain("price");
  expect(click("Поиск", coin(50), 3).ecommerce).toMatchObject({
    click: { actionField: { list: "Поиск" }, products: [{ id: "50", position: 3 }] },
  });
});

test("coins are found on a product page, in its related rows, in lists, in search and in a comparison", () => {
  expect(
    seenPage(
      { card: coin(1), neighbours: [{ title: "Того же веса", cards: [coin(2), coin(3)] }], questions: [{ id: 1, title: "?", html: "" }] },
      "Георгий",
    ),
  ).toEqual({ detail: coin(1), lists: [{ name: "Того же веса", coins: [coin(2), coin(3)] }], order: null });
  expect(seenPage({ cards: [coin(1)], facets: { metal: [{ value: "gold", count: 3 }] } }, "Каталог").lists).toEqual([
    { name: "Каталог", coins: [coin(1)] },
  ]);
  expect(seenPage({ query: "георгий", found: asText({ scriptNonce: "" }, { cards: [coin(4)] }) }, "Поиск").lists).toEqual([
    { name: "Поиск", coins: [coin(4)] },
  ]);
  expect(seenPage({ coins: [{ card: coin(7), facts: {} }] }, "Сравнение").lists).toEqual([{ name: "Сравнение", coins: [coin(7)] }]);
  for (const nothing of [null, undefined, "text", {}, { items: [{ id: 1, title: "Новость" }] }])
    expect(seenPage(nothing, "x")).toEqual({ detail: null, lists: [], order: null });
});

test("a purchase is reported by the sum of its goods, and not while its payment is being checked or was declined", () => {
  const order = {
    id: "o1",
    goods: kopecks(200_000),
    lines: [{ id: 1, title: "Монета", price: kopecks(100_000), quantity: 2, sum: kopecks(200_000) }],
  };
  for (const outcome of ["checking", "declined", "cancelled", "returned"]) expect(seenPage({ outcome, order }, "x").order).toBeNull();
  for (const outcome of ["paid", "invoice", "on_collection"]) expect(seenPage({ outcome, order }, "x").order).toEqual(order);
  expect(purchase(order).ecommerce).toEqual({
    currencyCode: "RUB",
    purchase: { actionField: { id: "o1", revenue: 2_000 }, products: [{ id: "1", name: "Монета", price: 1_000, quantity: 2 }] },
  });
});

test("a change of the cart reports what was added and what was removed, and nothing else", () => {
  const seen = (id: number) => (id === 1 ? coin(1) : undefined);
  expect(cartChanges({ 1: 1, 2: 3, 5: 1 }, { 1: 3, 2: 2, 5: 1, 9: 1 }, seen).map(({ ecommerce }) => ecommerce)).toEqual([
    {
      currencyCode: "RUB",
      add: {
        products: [
          { id: "1", name: "Монета 1", price: 90_500.01, category: "Золото/Инвестиционная", quantity: 2 },
          { id: "9", quantity: 1 },
        ],
      },
    },
    { currencyCode: "RUB", remove: { products: [{ id: "2", quantity: 1 }] } },
  ]);
  expect(cartChanges({ 1: 1 }, { 1: 1 }, seen)).toEqual([]);
});
