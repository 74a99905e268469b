import { describe, expect, test } from "vitest";
import { kopecks } from "#kit/money.ts";
import { aCoin } from "#shop/catalog/testing.ts";
import { priceOf, regular, sellingPrice, type PriceList, type RunningPromo } from "../price.ts";
import { promoOf, settledPrice, type PastPrices } from "./crossed-out.ts";

const day = (number: number): Date => new Date(Date.UTC(2026, 9, number));
const span = { till: day(31), settledDays: 30 };
const gold = aCoin({ id: 1, premiumBp: 500 });
const bullion: PastPrices = {
  rates: [
    { from: day(-5), rateE4: 115_000_000 },
    { from: day(10), rateE4: 110_000_000 },
    { from: day(20), rateE4: 120_000_000 },
  ],
  prices: [{ from: new Date(0), premiumBp: 500, fixedPriceKopecks: null }],
  promos: [],
  onSale: [{ from: day(-100), till: null }],
};
const at = (rateE4: number, premiumBp: number) => sellingPrice(gold.pureMassMg, rateE4, premiumBp);

describe("the former price that may be crossed out", () => {
  test("is the lowest price of the settled period, with the rates and premiums of that time", () => {
    expect(settledPrice(gold, bullion, span)).toBe(at(110_000_000, 500));
    const cheaperLater = { ...bullion, prices: [...bullion.prices, { from: day(25), premiumBp: -450, fixedPriceKopecks: null }] };
    expect(settledPrice(gold, cheaperLater, span)).toBe(Math.min(at(110_000_000, 500), at(120_000_000, -450)));
    const before = {
      ...bullion,
      prices: [
        { from: new Date(0), premiumBp: 100, fixedPriceKopecks: null },
        { ...bullion.prices[0]!, from: day(0) },
      ],
    };
    expect(settledPrice(gold, before, span)).toBe(at(110_000_000, 500));
  });

  test("counts the prices of earlier promos in that period", () => {
    const promo = { from: day(20), till: day(22), premiumBp: 0, fixedPriceKopecks: null };
    expect(settledPrice(gold, { ...bullion, promos: [{ ...promo, premiumBp: -1_000 }] }, span)).toBe(at(120_000_000, -1_000));
    expect(settledPrice(gold, { ...bullion, promos: [{ ...promo, from: day(-9), till: day(1), premiumBp: -1_000 }] }, span)).toBe(
      at(110_000_000, 500),
    );
  });

  test("is none for a coin that was not on sale for so many days, or whose history does not reach back", () => {
    const onSale = (...periods: PastPrices["onSale"]) => settledPrice(gold, { ...bullion, onSale: periods }, span);
    expect(onSale({ from: day(1), till: null })).not.toBeNull();
    expect(onSale({ from: day(2), till: null })).toBeNull();
    expect(onSale()).toBeNull();
    expect(onSale({ from: day(-200), till: day(-100) }, { from: day(30), till: null })).toBeNull();
    expect(settledPrice(gold, { ...bullion, rates: bullion.rates.slice(1) }, span)).toBeNull();
  });

  test("leaves out days off sale, and counts as many days on sale before them instead", () => {
    const offSale = {
      ...bullion,
      onSale: [
        { from: day(-100), till: day(9) },
        { from: day(21), till: null },
      ],
    };
    // From 9 to 21 October the coin was off sale, so no price was offered at the low rate of 10 to 20 October; the days before are needed
    // in their place.
    expect(settledPrice(gold, offSale, span)).toBeNull(); // no rate is known before 25 September
    const longer = { ...offSale, rates: [{ from: day(-60), rateE4: 113_000_000 }, ...bullion.rates] };
    expect(settledPrice(gold, longer, span)).toBe(at(113_000_000, 500));
  });

  test("of a coin with a fixed price is the lowest fixed price, and none while it had no price", () => {
    const coin = aCoin({ id: 2, kind: "memorable", fixedPriceKopecks: 9_000_00 });
    const priceFrom = (from: Date, roubles: number | null) => ({
      from,
      premiumBp: 0,
      fixedPriceKopecks: roubles === null ? null : roubles * 100,
    });
    const history = { ...bullion, rates: [], prices: [priceFrom(new Date(0), 8_500), priceFrom(day(15), 9_000)] };
    expect(settledPrice(coin, history, span)).toBe(8_500_00);
    expect(settledPrice(coin, { ...history, prices: [priceFrom(new Date(0), null), priceFrom(day(15), 9_000)] }, span)).toBeNull();
  });
});

describe("a running promo", () => {
  const list = (promo: Partial<RunningPromo>, goldE4 = 115_000_000): PriceList => ({
    version: 1,
    goldE4,
    silverE4: 1_500_000,
    ratesAt: day(31),
    madeAt: day(31),
    isStale: false,
    isDead: false,
    promos: new Map([[1, { premiumBp: 200, fixedPriceKopecks: null, settled: null, endsAt: day(40), ...promo }]]),
  });

  test("lowers the price, and never raises it", () => {
    expect(priceOf(gold, list({})).premium!.bp).toBeCloseTo(200, -1);
    expect(priceOf(gold, list({ premiumBp: 900 }))).toEqual(priceOf(gold, regular(list({}))));
    expect(promoOf(gold, list({ premiumBp: 900 }))).toBeNull();
    expect(promoOf(gold, regular(list({})))).toBeNull();
  });

  test("shows no crossed-out price without a settled one", () => {
    expect(promoOf(gold, list({}))).toEqual({ oldPrice: null, endsAt: day(40) });
  });

  test("after a rise of the metal shows the price before it, and after a fall what the coin costs without the promo", () => {
    const asked = at(115_000_000, 500);
    expect(promoOf(gold, list({ settled: asked }, 116_000_000))!.oldPrice).toBe(asked);
    const risen = list({ settled: asked }, 130_000_000);
    expect(priceOf(gold, risen).price!).toBeGreaterThan(asked);
    expect(promoOf(gold, risen)!.oldPrice).toBeNull();
    const fallen = list({ settled: asked }, 100_000_000);
    expect(promoOf(gold, fallen)!.oldPrice).toBe(priceOf(gold, regular(fallen)).price);
  });

  test("of a fixed price counts for pieces of any number; of prices by quantity and promo the lower counts", () => {
    const coin = aCoin({ id: 1, kind: "memorable", fixedPriceKopecks: 9_000_00 });
    const fixed = list({ premiumBp: null, fixedPriceKopecks: 8_000_00, settled: kopecks(9_000_00) });
    expect(priceOf(coin, fixed, 5).price).toBe(8_000_00);
    expect(promoOf(coin, fixed)).toEqual({ oldPrice: 9_000_00, endsAt: day(40) });
    const steps = { byMetal: { gold: [{ quantity: 10, discountBp: 400 }] }, byCoin: new Map() };
    expect(priceOf(gold, { ...list({}), steps }, 10).price).toBe(at(115_000_000, 100));
    expect(priceOf(gold, { ...list({}), steps }, 1).price).toBe(at(115_000_000, 200));
  });

  test("shows beside a price by quantity what that many pieces cost without the promo, and nothing where it lowers nothing", () => {
    const steps = { byMetal: { gold: [{ quantity: 5, discountBp: 50 }] }, byCoin: new Map() };
    const settled = at(115_000_000, 500);
    const deep = { ...list({ premiumBp: 400, settled }), steps };
    expect([1, 4].map((quantity) => promoOf(gold, deep, quantity)!.oldPrice)).toEqual([settled, settled]);
    expect(promoOf(gold, deep, 5)!.oldPrice).toBe(at(115_000_000, 450));
    const shallow = { ...list({ premiumBp: 480, settled }), steps };
    expect(promoOf(gold, shallow)!.oldPrice).toBe(settled);
    expect(promoOf(gold, shallow, 5)).toBeNull();
    // The settled price is that of one piece: five never cost so much.
    const risen = { ...list({ premiumBp: 400, settled }, 115_300_000), steps };
    expect(promoOf(gold, risen, 5)!.oldPrice!).toBeLessThanOrEqual(at(115_000_000, 450));
    expect(promoOf(gold, risen, 5)!.oldPrice!).toBeGreaterThan(priceOf(gold, risen, 5).price!);
  });
});
