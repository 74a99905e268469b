import { afterAll, beforeAll, expect, test } from "vitest";
import { days } from "#kit/time.ts";
import { placeAddition, priceAddition, saveAddition } from "#shop/checkout/addition.service.ts";
import { aVisitor, byPoint, openShopToBuy, type ShopToBuy } from "#shop/checkout/testing.ts";
import { paymentIds } from "#shop/method-ids.ts";
import { testClock } from "#tests/shop.ts";
import * as reports from "./service.ts";

let shop: ShopToBuy;
beforeAll(async () => {
  shop = await openShopToBuy({ clock: testClock() });
});
afterAll(() => shop.close());

const steps = async () => (await reports.table(shop.ctx, "checkout", { from: "2026-11-20", till: "2026-11-22" })).rows;

test("a purchase is one buyer at each step, although its order emptied the cart; what staff adds to it is none", async () => {
  const order = await shop.ordered(aVisitor("one"), { 1: 1 }, byPoint);
  expect(await steps()).toEqual([["2026-11-20", 1, 1, 1, 0]]);
  await shop.paid(order);
  expect(await steps()).toEqual([["2026-11-20", 1, 1, 1, 1]]);

  const priced = await priceAddition(shop.ctx, { orderId: order.id, lines: [{ coinId: 2, quantity: 1 }], paymentId: paymentIds.card });
  if (!priced.ok) throw new Error(priced.error.code);
  await saveAddition(shop.ctx, order.id, priced.value);
  const { revision } = await shop.now(order);
  expect(await placeAddition(shop.ctx, { orderId: order.id, revision }, priced.value.id)).toMatchObject({ ok: true });
  expect(await steps()).toEqual([["2026-11-20", 1, 1, 1, 1]]);

  await shop.fill(aVisitor("two"), { 1: 1 });
  await shop.fill(aVisitor("three"), { 1: 1 });
  await shop.quoted(aVisitor("three"));
  expect(await steps()).toEqual([["2026-11-20", 3, 2, 1, 1]]);
});

test("numbers of a day stay when its carts are changed on a later one", async () => {
  shop.clock.advance(days(1));
  await shop.receiveRates();
  await shop.fill(aVisitor("two"), { 1: 2 });
  expect(await steps()).toEqual([
    ["2026-11-20", 3, 2, 1, 1],
    ["2026-11-21", 1, 0, 0, 0],
  ]);
});
