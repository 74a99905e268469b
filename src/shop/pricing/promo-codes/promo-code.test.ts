import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { kopecks } from "#kit/money.ts";
import { aCoin } from "#shop/catalog/testing.ts";
import { priceOf, sellingPrice, type PriceList } from "../price.ts";
import { normaliseCode, promoPricesOf, promoReasonOf, type PromoCode } from "./promo-code.ts";
import { aPromoCode } from "./testing.ts";

const now = new Date("2026-11-20T09:00:00Z");
const list: PriceList = {
  version: 1,
  goldE4: 115_000_000,
  silverE4: 1_500_000,
  ratesAt: now,
  madeAt: now,
  isStale: false,
  isDead: false,
};
const aCode = (change: Partial<PromoCode> = {}): PromoCode => ({
  id: 1,
  isStopped: false,
  used: 0,
  createdAt: now,
  createdBy: "staff:owner",
  ...aPromoCode(),
  ...(change.percentBp == null ? {} : { sum: null }),
  ...change,
});
const gold = aCoin({ id: 3, categories: ["gold"] });
const silver = aCoin({ id: 1, kind: "memorable", metal: "silver", fixedPriceKopecks: 6_000_00, categories: ["silver"] });

describe("a promo code", () => {
  test("takes its sum off to the kopeck, spread over the coins", () => {
    const lines = [
      { coin: gold, quantity: 1 },
      { coin: silver, quantity: 3 },
    ];
    const { prices, discount, fault } = promoPricesOf(lines, list, aCode(), now);
    expect([discount, fault]).toEqual([1_000_00, null]);
    const off = (id: number) => prices.get(id)!.full - prices.get(id)!.price;
    expect(off(3) + 3 * off(1)).toBe(1_000_00);
  });

  test("takes off at least its sum where the pieces do not divide it", () => {
    expect(promoPricesOf([{ coin: silver, quantity: 3 }], list, aCode(), now).discount).toBe(1_000_02);
  });

  test("takes a percentage off each price, and only for its coins and categories", () => {
    const lines = [
      { coin: gold, quantity: 2 },
      { coin: silver, quantity: 1 },
    ];
    const { prices, discount } = promoPricesOf(lines, list, aCode({ percentBp: 150, categories: ["gold"] }), now);
    const full = priceOf(gold, list).price!;
    expect(prices.get(3)!.price).toBe(full - Math.ceil(full * 0.015));
    expect(prices.get(1)!.price).toBe(6_000_00);
    expect(discount).toBe(2 * Math.ceil(full * 0.015));
    expect(promoPricesOf(lines, list, aCode({ coinIds: [1] }), now).prices.get(3)!.price).toBe(full);
    expect(promoPricesOf(lines, list, aCode({ coinIds: [99] }), now)).toMatchObject({ discount: 0, fault: "no_coins" });
  });

  test("never goes below the value of the metal", () => {
    const { prices } = promoPricesOf([{ coin: gold, quantity: 1 }], list, aCode({ percentBp: 10_000 }), now);
    expect(prices.get(3)!.price).toBe(sellingPrice(gold.pureMassMg, list.goldE4, 0));
    const below = aCoin({ id: 4, premiumBp: -100 });
    expect(promoPricesOf([{ coin: below, quantity: 1 }], list, aCode(), now).fault).toBe("no_coins");
  });

  test("takes off nothing before its time, afterwards, once stopped or used up, and below its smallest order", () => {
    const faultOf = (change: Partial<PromoCode>) => promoPricesOf([{ coin: silver, quantity: 1 }], list, aCode(change), now).fault;
    expect(faultOf({ startsAt: new Date("2026-12-01T00:00:00Z") })).toBe("not_started");
    expect(faultOf({ endsAt: now })).toBe("ended");
    expect(faultOf({ isStopped: true })).toBe("ended");
    expect(faultOf({ maxUses: 5, used: 5 })).toBe("spent");
    expect(faultOf({ minSum: kopecks(6_000_01) })).toBe("min_sum");
    expect(faultOf({ minSum: kopecks(6_000_00), maxUses: 5, used: 4 })).toBeNull();
  });

  test("leaves out coins in a promo, but not where the price by quantity is lower than the promo's", () => {
    const promo = { premiumBp: 450, fixedPriceKopecks: null, settled: null, endsAt: new Date("2026-12-01T00:00:00Z") };
    const faultOf = (discountBp: number, quantity: number) => {
      const steps = { byMetal: { gold: [{ quantity: 5, discountBp }] }, byCoin: new Map() };
      const lines = [{ coin: gold, quantity }];
      return promoPricesOf(lines, { ...list, steps, promos: new Map([[3, promo]]) }, aCode({ percentBp: 100 }), now).fault;
    };
    expect([faultOf(50, 1), faultOf(50, 5), faultOf(150, 1)]).toEqual(["only_promos", "only_promos", "only_promos"]);
    expect(faultOf(150, 5)).toBeNull();
  });

  test("is the same in any case and spacing", () => {
    expect(normaliseCode("  весна 26 ")).toBe("ВЕСНА26");
  });

  test("needs a second person above the limits", () => {
    const limits = { promoCodeApprovalBp: 300, promoCodeApprovalRoubles: 5_000 };
    expect(promoReasonOf({ percentBp: 300, sum: null }, limits)).toBeNull();
    expect(promoReasonOf({ percentBp: 350, sum: null }, limits)).toBe("Промокод на 3,5 %, без согласования — не больше 3 %");
    expect(promoReasonOf({ percentBp: null, sum: kopecks(5_000_01) }, limits)).toContain("без согласования");
  });

  test("of any size leaves whole kopecks, nothing below metal, and the sum that was promised where it fits", () => {
    const line = fc.record({
      isGold: fc.boolean(),
      premiumBp: fc.integer({ min: 0, max: 2_000 }),
      fixed: fc.integer({ min: 1, max: 50_000_00 }),
      mass: fc.integer({ min: 1_000, max: 1_000_000 }),
      quantity: fc.integer({ min: 1, max: 999 }),
    });
    fc.assert(
      fc.property(
        fc.array(line, { minLength: 1, maxLength: 8 }),
        fc.oneof(
          fc.record({ sum: fc.integer({ min: 1, max: 1_000_000_00 }).map(kopecks), percentBp: fc.constant(null) }),
          fc.record({ sum: fc.constant(null), percentBp: fc.integer({ min: 1, max: 10_000 }) }),
        ),
        (cart, size) => {
          const lines = cart.map(({ isGold, premiumBp, fixed, mass, quantity }, id) => ({
            quantity,
            coin: aCoin({
              id,
              pureMassMg: mass,
              premiumBp,
              ...(isGold ? {} : { kind: "memorable", metal: "silver", fixedPriceKopecks: fixed }),
            }),
          }));
          const { prices, discount } = promoPricesOf(lines, list, aCode(size), now);
          let [taken, room, smallest] = [0, 0, 999];
          for (const { coin, quantity } of lines) {
            const { full, price } = prices.get(coin.id)!;
            expect(Number.isSafeInteger(price)).toBe(true);
            const metal = sellingPrice(coin.pureMassMg, coin.metal === "gold" ? list.goldE4 : list.silverE4, 0);
            expect(price).toBeLessThanOrEqual(full);
            expect(price).toBeGreaterThanOrEqual(Math.min(full, metal));
            taken += (full - price) * quantity;
            room += Math.max(0, full - metal) * quantity;
            if (full > metal) smallest = Math.min(smallest, quantity);
          }
          expect(discount).toBe(taken);
          if (size.sum === null) return;
          expect(taken).toBeGreaterThanOrEqual(Math.min(size.sum, room));
          expect(taken).toBeLessThan(Math.min(size.sum, room) + 999);
        },
      ),
    );
  });
});
