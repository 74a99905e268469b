import { afterAll, beforeAll, expect, test } from "vitest";
import { days, plus } from "#kit/time.ts";
import { pricesOnly } from "#shop/catalog/prices/prices.ts";
import * as catalog from "#shop/catalog/prices/service.ts";
import { aCoin } from "#shop/catalog/testing.ts";
import { aVisitor, openShopToBuy, type ShopToBuy } from "#shop/checkout/testing.ts";
import * as promos from "#shop/pricing/promos/service.ts";
import * as steps from "#shop/pricing/steps/service.ts";
import { priceLists } from "#shop/pricing/tables.ts";
import { testClock } from "#tests/shop.ts";
import { cartView } from "./cart-view.server.ts";

let shop: ShopToBuy;
beforeAll(async () => {
  shop = await openShopToBuy({ clock: testClock(), stock: 100, coins: [aCoin({ id: 1 }), aCoin({ id: 2 })] });
  // The coins are on sale and the rates known for more than the settled period.
  const at = plus(shop.clock.now(), -days(60));
  await shop.ctx.db.insert(priceLists).values({ version: 0, goldE4: 115_000_000, silverE4: 1_500_000, ratesAt: at, madeAt: at });
  shop.clock.advance(days(40));
  await shop.receiveRates();
  await steps.save(shop.ctx, { scope: { metal: "gold" }, revision: 0, steps: [{ quantity: 5, discountBp: 50 }] });
  shop.clock.advance(1_000);
});
afterAll(() => shop.close());

/** The line of a cart with so many pieces of one coin only. */
async function lineOf(id: number, quantity: number) {
  const buyer = aVisitor(`${quantity} of coin ${id}`);
  await shop.fill(buyer, { [id]: quantity });
  return (await cartView(shop.ctx, buyer)).lines[0]!;
}

async function lowerPremium(id: number, bp: number): Promise<void> {
  const [coin] = await catalog.pricedCoins(shop.ctx.db, { ids: [id] });
  const made = await promos.create(shop.ctx, {
    action: { field: "premium", mode: "set", bp },
    coins: [{ coinId: id, seen: pricesOnly(coin!) }],
    label: "Неделя золота",
    startsAt: shop.clock.now(),
    endsAt: plus(shop.clock.now(), days(1)),
  });
  expect(made).toMatchObject({ ok: true, value: { state: "running", crossedOut: 1 } });
  shop.clock.advance(1_000);
}

test("the cart crosses out what so many pieces cost without the promo, and nothing where the price by quantity is as low", async () => {
  const [one, five] = [await lineOf(1, 1), await lineOf(1, 5)];
  expect(five.price!).toBeLessThan(one.price!);
  expect([one.oldPrice, five.oldPrice]).toEqual([null, null]);

  await lowerPremium(1, 450);
  expect([await lineOf(1, 1), await lineOf(1, 5)].map(({ oldPrice }) => oldPrice)).toEqual([one.price, five.price]);
  await lowerPremium(2, 520);
  expect((await lineOf(2, 1)).oldPrice).toBe(one.price);
  expect(await lineOf(2, 5)).toMatchObject({ price: five.price, oldPrice: null });
});
