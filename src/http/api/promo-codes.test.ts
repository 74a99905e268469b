import { afterAll, beforeAll, expect, test } from "vitest";
import type { CartView } from "#contract/public/cart.ts";
import { putPromoCode } from "#shop/pricing/promo-codes/testing.ts";
import { coins, openHttpBench, placeOrder, type HttpBench } from "../testing.ts";

let bench: HttpBench;
beforeAll(async () => {
  bench = await openHttpBench({ limits: { promoCodesPerMinute: 3 } });
  await putPromoCode(bench.ctx, { code: "ВЕСНА", percentBp: 100 });
});
afterAll(() => bench.close());

test("a promo code lowers the prices of cart, quote and order alike; a wrong one is refused at its field and changes nothing", async () => {
  const who = bench.visitor();
  await who.request("PATCH", `/api/cart/${coins.bullion}`, { quantity: 2 });
  const before = (await who.request("GET", "/api/cart")).json<{ data: CartView }>().data;
  const wrong = await who.request("POST", "/api/cart/promo", { code: "ОСЕНЬ" });
  expect([wrong.statusCode, wrong.json()]).toMatchObject([
    422,
    { code: "promo.unknown", fields: { code: expect.stringContaining("нет") } },
  ]);
  expect((await who.request("GET", "/api/cart")).json()).toEqual({ data: before });
  const { data: entered } = (await who.request("POST", "/api/cart/promo", { code: " весна " })).json<{ data: CartView }>();
  expect(entered.promo).toMatchObject({ code: "ВЕСНА" });
  expect(entered.order.totalPrice).toBeCloseTo(before.order.totalPrice - entered.promo!.discount, 2);
  const order = (await placeOrder(who, coins.bullion)).json<{ data: { total: number; promo?: object } }>().data;
  expect(order.promo).toMatchObject({ code: "ВЕСНА" });
  const removed = (await who.request("DELETE", "/api/cart/promo")).json<{ data: CartView }>().data;
  expect(removed.promo).toBeUndefined();
});

test("guessing promo codes is limited by the minute", async () => {
  const who = bench.visitor();
  await who.request("PATCH", `/api/cart/${coins.memorable}`, { quantity: 1 });
  const tries = [];
  for (let each = 0; each < 4; each += 1) tries.push((await who.request("POST", "/api/cart/promo", { code: `GUESS-${each}` })).statusCode);
  expect(tries).toEqual([422, 422, 422, 429]);
});
