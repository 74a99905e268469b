import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { add, kopecks, times } from "#kit/money.ts";
import type { PricedCoin, PriceList } from "./price.ts";
import { buybackPrice, priceOf, sellingPrice, spreadBp } from "./price.ts";

const at = new Date("2026-11-21T09:00:00Z");
const listOf = (goldE4: number, silverE4 = 1_314_800): PriceList => ({
  version: 1,
  goldE4,
  silverE4,
  ratesAt: at,
  madeAt: at,
  isStale: false,
  isDead: false,
});
const quarterOunce: PricedCoin = {
  metal: "gold",
  kind: "bullion",
  pureMassMg: 7780,
  premiumBp: 550,
  buybackBp: -450,
  fixedPriceKopecks: null,
  fixedBuybackKopecks: null,
};

describe("the price of a coin", () => {
  test("follows the metal: 7.78 g at 11 042.60 ₽ and 5.5 % over it", () => {
    // 7.78 × 11 042.60 = 85 911.428; × 1.055 = 90 636.55654
    const { price, buyback, premium, perGram } = priceOf(quarterOunce, listOf(110_426_000));
    expect(price).toBe(9_063_700);
    expect(buyback).toBe(8_204_500); // 85 911.428 × 0.955 = 82 045.41374
    expect(premium).toEqual({ amount: 472_557, bp: 550 });
    expect(perGram).toBe(1_165_000); // 90 637 / 7.78 = 11 650 exactly
  });

  test("a price that is already a whole rouble is not raised", () => {
    expect(sellingPrice(1000, 50_000, 0)).toBe(500);
    expect(sellingPrice(1000, 50_001, 0)).toBe(600);
    expect(buybackPrice(1000, 59_999, 0)).toBe(500);
  });

  test("a memorable coin keeps its fixed price while its premium over the metal changes", () => {
    const coin: PricedCoin = { ...quarterOunce, kind: "memorable", fixedPriceKopecks: 9_000_000, fixedBuybackKopecks: null };
    expect(priceOf(coin, listOf(110_426_000))).toMatchObject({ price: 9_000_000, buyback: null });
    expect(priceOf(coin, listOf(120_000_000)).premium?.bp).toBe(-360);
  });

  test("before the first rate only fixed prices exist, and no premium", () => {
    expect(priceOf(quarterOunce, listOf(0))).toEqual({ price: null, buyback: null, premium: null, perGram: null, spreadBp: null });
    expect(priceOf({ ...quarterOunce, kind: "memorable", fixedPriceKopecks: 100_00 }, listOf(0))).toMatchObject({
      price: 100_00,
      premium: null,
    });
  });

  test("a coin that is not bought back has no buyback price and no spread", () => {
    expect(priceOf({ ...quarterOunce, buybackBp: null }, listOf(110_426_000))).toMatchObject({ buyback: null, spreadBp: null });
  });

  test("the spread is what is lost on buying and selling back today, in percent of the price", () => {
    // (90 637 − 82 045) / 90 637 = 9.4796… %
    expect(priceOf(quarterOunce, listOf(110_426_000)).spreadBp).toBe(948);
    expect(spreadBp(kopecks(100_00), kopecks(100_00))).toBe(0);
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 1e9 }), fc.integer({ min: 0, max: 1e9 }), (price, buyback) => {
        const bp = spreadBp(kopecks(price * 100), kopecks(buyback * 100));
        expect(Math.abs(bp - ((price - buyback) / price) * 10_000)).toBeLessThanOrEqual(0.5);
        if (buyback <= price) expect(bp >= 0 && bp <= 10_000).toBe(true);
      }),
    );
  });

  test("for random coins and rates: whole roubles, prices rounded up and buyback rounded down, line sums exact", () => {
    const line = fc.record({
      pureMassMg: fc.integer({ min: 1_000, max: 5_000_000 }),
      rateE4: fc.integer({ min: 100_000, max: 500_000_000 }),
      premiumBp: fc.integer({ min: -500, max: 30_000 }),
      buybackBp: fc.integer({ min: -5_000, max: 500 }),
      quantity: fc.integer({ min: 1, max: 999 }),
    });
    fc.assert(
      fc.property(line, fc.integer({ min: 0, max: 5_000_000 }), ({ pureMassMg, rateE4, premiumBp, buybackBp, quantity }, delivery) => {
        const { price, buyback, perGram } = priceOf({ ...quarterOunce, pureMassMg, premiumBp, buybackBp }, listOf(rateE4));
        const exact = BigInt(pureMassMg) * BigInt(rateE4) * BigInt(10_000 + premiumBp);
        const unit = 10n ** 11n;
        if (price === null || buyback === null || perGram === null) throw new Error("a bullion coin with a rate has every price");
        const roubles = BigInt(price) / 100n;
        if (price % 100 !== 0 || buyback % 100 !== 0 || perGram % 100 !== 0) throw new Error("not whole roubles");
        if (roubles * unit < exact || (roubles - 1n) * unit >= exact) throw new Error("not rounded up to the next rouble");
        const bought = BigInt(pureMassMg) * BigInt(rateE4) * BigInt(10_000 + buybackBp);
        if ((BigInt(buyback) / 100n) * unit > bought || (BigInt(buyback) / 100n + 1n) * unit <= bought)
          throw new Error("buyback is not rounded down");
        const total = add(times(price, quantity), kopecks(delivery));
        if (!Number.isSafeInteger(total) || total !== price * quantity + delivery) throw new Error("the total is not the sum");
      }),
      { numRuns: 100_000 },
    );
  });
});
