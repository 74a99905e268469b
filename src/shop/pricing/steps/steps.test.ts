import * as fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { checkLedger } from "#main/ledger/ledger.ts";
import * as cart from "#shop/cart/service.ts";
import { aCoin } from "#shop/catalog/testing.ts";
import * as checkout from "#shop/checkout/service.ts";
import { aVisitor, openShopToBuy, type ShopToBuy } from "#shop/checkout/testing.ts";
import * as search from "#shop/search/service.ts";
import { testClock } from "#tests/shop.ts";
import { priceOf, priceStepsOf, type PriceList } from "../price.ts";
import * as steps from "./service.ts";
import { faultOf, quantitySteps } from "./steps.ts";

const at = new Date("2026-11-20T09:00:00Z");
const rates = { version: 1, goldE4: 115_000_000, silverE4: 1_500_000, ratesAt: at, madeAt: at, isStale: false, isDead: false };
const gold = [
  { quantity: 5, discountBp: 50 },
  { quantity: 10, discountBp: 100 },
];
const list: PriceList = {
  ...rates,
  steps: quantitySteps([
    { metal: "gold", coinId: null, steps: gold },
    { metal: null, coinId: 2, steps: [{ quantity: 20, discountBp: 300 }] },
    { metal: null, coinId: 3, steps: [] },
  ]),
};

describe("a price by quantity", () => {
  test("is that of the largest step reached; a coin's own steps replace those of its metal", () => {
    const premium = (id: number, quantity: number) => priceOf(aCoin({ id }), list, quantity).premium!.bp;
    expect([1, 4, 5, 9, 10, 999].map((quantity) => premium(1, quantity))).toEqual([550, 550, 500, 500, 450, 450]);
    expect([5, 19, 20].map((quantity) => premium(2, quantity))).toEqual([550, 550, 250]);
    expect(premium(3, 999)).toBe(550);
    expect(priceStepsOf(aCoin({ id: 1 }), list).map(({ quantity }) => quantity)).toEqual([1, 5, 10]);
    expect(priceStepsOf(aCoin({ id: 3 }), list)).toEqual([]);
  });

  test("is never below the metal, never above that of one piece, and fixed prices have none", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 900 }),
        fc.integer({ min: 1, max: 999 }),
        fc.integer({ min: 1, max: 5_000 }),
        (premiumBp, quantity, discountBp) => {
          const deep = { ...rates, steps: quantitySteps([{ metal: "gold", coinId: null, steps: [{ quantity: 2, discountBp }] }]) };
          const { price, premium } = priceOf(aCoin({ id: 1, premiumBp }), deep, quantity);
          expect(premium!.amount).toBeGreaterThanOrEqual(0);
          expect(price!).toBeLessThanOrEqual(priceOf(aCoin({ id: 1, premiumBp }), deep).price!);
        },
      ),
    );
    const fixed = aCoin({ id: 1, kind: "memorable", fixedPriceKopecks: 9_000_00 });
    expect(priceOf(fixed, list, 50).price).toBe(9_000_00);
    expect(priceStepsOf(fixed, list)).toEqual([]);
  });

  test("below the metal by approval stays as it was approved", () => {
    const coin = aCoin({ id: 1, premiumBp: -100 });
    expect(priceOf(coin, list, 10).price).toBe(priceOf(coin, list, 1).price);
  });

  test("has steps that rise in pieces and in discount", () => {
    expect(faultOf(gold)).toBeNull();
    expect(faultOf([...gold, { quantity: 10, discountBp: 150 }])).toMatchObject({ index: 2, field: "quantity" });
    expect(faultOf([...gold, { quantity: 20, discountBp: 90 }])).toMatchObject({ index: 2, field: "discountBp" });
  });
});

describe("steps of the shop", () => {
  let shop: ShopToBuy;
  beforeAll(async () => {
    shop = await openShopToBuy({
      clock: testClock(),
      stock: 100,
      limits: { cardLimitRoubles: 10_000_000, insuredLimitRoubles: 100_000_000 },
    });
  });
  afterAll(async () => {
    expect(await checkLedger(shop.ctx.db)).toEqual([]);
    await shop.close();
  });

  test("are saved once, with a version of the price list; product, cart, quote and order have the price of their quantity", async () => {
    const { ctx } = shop;
    const one = (await search.cards(ctx, [3]))[0]!;
    const saved = await steps.save(ctx, { scope: { metal: "gold" }, revision: 0, steps: gold });
    expect(saved).toMatchObject({ ok: true, value: { before: null, sets: [{ metal: "gold", revision: 1, steps: gold }] } });
    expect(await steps.save(ctx, { scope: { metal: "gold" }, revision: 0, steps: [] })).toEqual({
      ok: false,
      error: { code: "price_steps.stale" },
    });
    shop.clock.advance(1_000);
    const product = (await search.coinBySlug(ctx, "coin-3"))!;
    expect(product.priceListVersion).toBeGreaterThan(one.priceListVersion);
    expect(product.priceSteps.map(({ quantity }) => quantity)).toEqual([1, 5, 10]);

    const buyer = aVisitor("steps");
    await shop.fill(buyer, { 3: 5 });
    const [, five] = product.priceSteps;
    expect((await cart.read(ctx, buyer)).lines[0]).toMatchObject({ price: five!.price, sum: five!.price * 5 });
    const quote = await shop.quoted(buyer);
    expect(quote.lines[0]).toMatchObject({ price: five!.price, quantity: 5 });
    await steps.save(ctx, { scope: { metal: "gold" }, revision: 1, steps: [] });
    const placed = await checkout.placeOrder(ctx, buyer, shop.orderRequestFor(quote));
    expect(placed.ok && placed.value.order.lines[0]).toMatchObject({ price: five!.price, quantity: 5 });
  });

  test("of a coin are refused for one that is not bullion, and are taken back", async () => {
    expect(await steps.save(shop.ctx, { scope: { coinId: 1 }, revision: 0, steps: gold })).toEqual({
      ok: false,
      error: { code: "price_steps.coin" },
    });
    await steps.save(shop.ctx, { scope: { coinId: 3 }, revision: 0, steps: gold });
    expect(await steps.save(shop.ctx, { scope: { coinId: 3 }, revision: 1, steps: null })).toMatchObject({ ok: true });
    expect((await steps.list(shop.ctx.db)).map(({ coinId }) => coinId)).toEqual([null]);
  });

  test("deeper than two points need a second person", async () => {
    const deep = { scope: { metal: "gold" as const }, revision: 0, steps: [{ quantity: 5, discountBp: 201 }] };
    expect(await steps.reasonForSteps(shop.ctx, deep)).toContain("не больше 2");
    expect(await steps.reasonForSteps(shop.ctx, { ...deep, steps: gold })).toBeNull();
  });
});
