import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { aCoin } from "#shop/catalog/testing.ts";
import type { PriceList } from "../price.ts";
import {
  approvalReasonOf,
  approvalReasonOfFacts,
  approvalReasonOfNew,
  endsPriceHistory,
  isPlausible,
  pricesAfter,
  priceRow,
  summaryOf,
  type PriceRow,
} from "./price-change.ts";

const at = new Date("2026-11-20T09:00:00Z");
const list: PriceList = {
  version: 1,
  goldE4: 115_000_000,
  silverE4: 1_500_000,
  ratesAt: at,
  madeAt: at,
  isStale: false,
  isDead: false,
};
const limits = { priceApprovalPremiumBp: 200, priceApprovalCoins: 3 };
const bullion = aCoin({ id: 1 });
const fixed = aCoin({ id: 2, kind: "memorable", metal: "silver", fixedPriceKopecks: 6_000_00, fixedBuybackKopecks: 4_000_00 });

describe("an action on a coin", () => {
  test("sets, moves and derives premium and buyback discount of bullion", () => {
    expect(pricesAfter({ field: "premium", mode: "set", bp: 400 }, bullion)?.premiumBp).toBe(400);
    expect(pricesAfter({ field: "premium", mode: "add", bp: -50 }, bullion)?.premiumBp).toBe(500);
    expect(pricesAfter({ field: "buyback", mode: "add", bp: 50 }, bullion)?.buybackBp).toBe(-400);
    expect(pricesAfter({ field: "premium", mode: "add", bp: -50 }, fixed)).toBeNull();
  });

  test("a target spread is the spread that buyers see", () => {
    fc.assert(
      fc.property(fc.integer({ min: -400, max: 5_000 }), fc.integer({ min: 100, max: 3_000 }), (premiumBp, spread) => {
        const after = pricesAfter({ field: "buyback", mode: "spread", bp: spread }, { ...bullion, premiumBp })!;
        expect(Math.abs(priceRow({ ...bullion, premiumBp }, after, list, 0).spreadBp! - spread)).toBeLessThanOrEqual(3);
        const back = pricesAfter({ field: "premium", mode: "spread", bp: spread }, { ...bullion, ...after })!;
        expect(Math.abs(back.premiumBp - premiumBp)).toBeLessThanOrEqual(2);
      }),
    );
  });

  test("fixed prices are set, or moved by a share and rounded", () => {
    expect(pricesAfter({ field: "price", mode: "set", roubles: 6_500 }, fixed)?.fixedPriceKopecks).toBe(6_500_00);
    expect(pricesAfter({ field: "price", mode: "percent", bp: 333, roundTo: 50 }, fixed)?.fixedPriceKopecks).toBe(6_200_00);
    expect(pricesAfter({ field: "price_buyback", mode: "percent", bp: -1_000, roundTo: 1 }, fixed)?.fixedBuybackKopecks).toBe(3_600_00);
    expect(pricesAfter({ field: "price", mode: "set", roubles: 6_500 }, bullion)).toBeNull();
  });

  test("a coin that is not bought back has no discount to move", () => {
    expect(pricesAfter({ field: "buyback", mode: "add", bp: 10 }, { ...bullion, buybackBp: null })).toBeNull();
    expect(pricesAfter({ field: "premium", mode: "spread", bp: 500 }, { ...bullion, buybackBp: null })).toBeNull();
  });
});

const rowOf = (premiumBp: number, values: Partial<typeof bullion> = {}): PriceRow =>
  priceRow({ ...bullion, ...values }, { ...bullion, ...values, premiumBp }, list, 10);

describe("a second person", () => {
  test("is not needed for a small change above the metal", () => {
    expect(approvalReasonOf([rowOf(700), rowOf(350)], limits)).toBeNull();
  });

  test("is needed for more than two points, in either direction", () => {
    expect(approvalReasonOf([rowOf(751)], limits)).toBe("1\u00A0монета: премия, скидка или цена меняется больше чем на 2 п. п.");
    expect(approvalReasonOf([rowOf(349)], limits)).not.toBeNull();
  });

  test("is needed below the metal, however small the change", () => {
    expect(approvalReasonOf([rowOf(-40, { premiumBp: 20 })], limits)).toMatch(/^1\u00A0монета ниже металла, больше всего на \d/);
  });

  test("is needed when the shop would pay more than its price", () => {
    const row = priceRow(bullion, { ...bullion, premiumBp: 550, buybackBp: 560 }, list, 0);
    expect(approvalReasonOf([row], limits)).toContain("выкуп не ниже цены продажи");
  });

  test("is needed for many coins, of which those that stay as they are do not count", () => {
    expect(approvalReasonOf([rowOf(560), rowOf(561), rowOf(562), rowOf(563)], limits)).toContain("Меняются цены 4 монет");
    expect(approvalReasonOf([rowOf(560), rowOf(561), rowOf(562), rowOf(550)], limits)).toBeNull();
    const many = Array.from({ length: 61 }, () => rowOf(560));
    expect(approvalReasonOf(many, limits)).toContain("Меняются цены 61 монеты, без согласования");
  });
});

test("the summary counts pieces in stock at both prices", () => {
  const row = rowOf(500);
  const summary = summaryOf([row, rowOf(550)], limits);
  expect(summary).toMatchObject({ coins: 2, changed: 1, belowMetal: 0, outOfRange: 0, premiumBpBefore: 550, premiumBpAfter: 500 });
  expect(summary.shelf).toBe((row.priceAfter! - row.priceBefore!) * 10);
});

test("prices that can only be typos are implausible", () => {
  expect(isPlausible({ ...bullion, premiumBp: -5_000 })).toBe(false);
  expect(isPlausible({ ...bullion, buybackBp: -9_999 })).toBe(false);
  expect(isPlausible({ ...fixed, fixedPriceKopecks: 0 })).toBe(false);
  expect(isPlausible(bullion)).toBe(true);
});

describe("the first prices of a new coin", () => {
  test("wait for a second person at the metal and below it", () => {
    const priced = (premiumBp: number) => ({ ...bullion, premiumBp });
    expect(approvalReasonOfNew([priced(1), { ...fixed, fixedPriceKopecks: 900_000_00 }], list)).toBeNull();
    expect(approvalReasonOfNew([priced(0), priced(550), priced(-100)], list)).toBe("Не дороже своего металла: 2\u00A0новые монеты");
    // A fixed price is compared with the metal at the rates of the list; without a rate nothing is known.
    const cheap = { ...fixed, fixedPriceKopecks: 1_000_00 };
    expect(approvalReasonOfNew([cheap], list)).toBe("Не дороже своего металла: 1\u00A0новая монета");
    expect(approvalReasonOfNew([cheap], { ...list, silverE4: 0 })).toBeNull();
  });
});

describe("an edit of metal, kind or pure mass", () => {
  const edit = (values: Partial<typeof bullion>, { from = bullion, wasShown = true } = {}) => [
    { before: from, after: { ...from, ...values }, wasShown },
  ];
  const reasonOf = (edits: ReturnType<typeof edit>, prices = list) => approvalReasonOfFacts(edits, prices, limits);

  test("is needed as for a price change: by how far the price moves", () => {
    expect(reasonOf(edit({ title: "Другое имя" }))).toBeNull();
    expect(reasonOf(edit({ pureMassMg: 7_785 }))).toBeNull();
    const far = "Металл, вид или чистая масса: 1\u00A0монета: цена меняется больше чем на 2 %";
    expect(reasonOf(edit({ pureMassMg: 778 }))).toBe(far);
    expect(reasonOf(edit({ pureMassMg: 15_560 }))).toBe(far);
    expect(reasonOf(edit({ metal: "silver" }))).toBe(far);
    expect(reasonOf(edit({ pureMassMg: 7_785 }), { ...list, goldE4: 0 })).toBe(far);
    const many = [1, 2, 3, 4].flatMap(() => edit({ pureMassMg: 7_785 }));
    expect(reasonOf(many)).toContain("меняются цены 4 монет, без согласования — не больше 3");
  });

  test("ends the price history, unless the price is fixed and stays so", () => {
    const ends = (...edits: ReturnType<typeof edit>) => edits.map(endsPriceHistory);
    expect(ends(...edit({ title: "Другое имя" }), ...edit({ pureMassMg: 7_785 }), ...edit({ metal: "silver" }))).toEqual([
      false,
      true,
      true,
    ]);
    expect(ends(...edit({ pureMassMg: 31_000 }, { from: fixed }), ...edit({ kind: "bullion" }, { from: fixed }))).toEqual([false, true]);
  });

  test("of a coin that was never shown is needed only at the metal and below it", () => {
    const hidden = { wasShown: false };
    expect(reasonOf(edit({ pureMassMg: 31_100 }, hidden))).toBeNull();
    const unpriced = { ...fixed, premiumBp: 0, buybackBp: null };
    expect(reasonOf(edit({ kind: "bullion" }, { from: unpriced, ...hidden }))).toContain("1\u00A0монета не дороже металла");
    expect(reasonOf(edit({ pureMassMg: 311_000 }, { from: fixed, ...hidden }))).toContain("1\u00A0монета не дороже металла");
  });
});
