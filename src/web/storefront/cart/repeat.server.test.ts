import { afterAll, beforeAll, expect, test } from "vitest";
import { openShopToBuy, type ShopToBuy } from "#shop/checkout/testing.ts";
import { testClock } from "#tests/shop.ts";
import { repeatedFrom } from "./repeat.server.ts";

let shop: ShopToBuy;
beforeAll(async () => {
  shop = await openShopToBuy({ clock: testClock() });
});
afterAll(() => shop.close());

test("the cart names the coins that a repeated order left out", async () => {
  const note = await repeatedFrom(shop.ctx, "http://localhost/cart?repeated=10001&left=1.2.5&left=2.0.1");
  expect(note).toMatchObject({
    number: 10_001,
    left: [
      { id: 1, got: 2, wanted: 5, title: expect.any(String) },
      { id: 2, got: 0, wanted: 1 },
    ],
  });
});

test.each([
  ["", null],
  ["?repeated=", null],
  ["?repeated=-1", null],
  ["?repeated=1e999", null],
  ["?repeated=10001&left=<b>.1.2&left=1.5.2&left=999999.0.1&left=1.2&left=1.0.9999&left=01.0.1", { number: 10_001, left: [] }],
])("a forged address shows only facts: %s", async (query, told) => {
  expect(await repeatedFrom(shop.ctx, `http://localhost/cart${query}`)).toEqual(told);
});
