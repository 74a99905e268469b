import { array, assert as assertProperty, constantFrom, integer, property, record } from "fast-check";
import { expect, test } from "vitest";
import { add, kopecks } from "#kit/money.ts";
import { aCoin } from "#shop/catalog/testing.ts";
import { lineOf, sumOf } from "#shop/checkout/quote.ts";
import { receiptTotal } from "#shop/payment/payment.ts";
import { priceOf, type PriceList } from "#shop/pricing/price.ts";
import { testTax } from "#tests/shop.ts";
import { receiptOf } from "./receipt.ts";

const noon = new Date("2026-11-20T09:00:00Z");
const aList = (goldE4: number, silverE4: number): PriceList => ({
  version: 1,
  goldE4,
  silverE4,
  ratesAt: noon,
  madeAt: noon,
  isStale: false,
  isDead: false,
});
const user = { name: "Иван", lastName: "Петров", secondName: "", email: "ivan@example.ru", phone: "+79161234567" };
const carrier = { name: "Курьер СДЭК", cityCode: "0000073738", cityName: "Москва", point: null, minDays: 1, maxDays: 2, note: "" };

const coins = record({
  metal: constantFrom("gold" as const, "silver" as const),
  kind: constantFrom("bullion" as const, "memorable" as const),
  pureMassMg: integer({ min: 10, max: 5_000_000 }),
  premiumBp: integer({ min: -500, max: 40_000 }),
  fixedPriceKopecks: integer({ min: 1, max: 50_000_000 }).map((roubles) => roubles * 100),
  vatCode: constantFrom(1, 11),
  quantity: integer({ min: 1, max: 999 }),
});

test("lines, delivery, total and receipt agree to the kopeck for any coins at any rates", () => {
  const shops = record({
    gold: integer({ min: 1, max: 500_000_000 }),
    silver: integer({ min: 1, max: 50_000_000 }),
    delivery: integer({ min: 0, max: 1_000_00 }),
  });
  assertProperty(
    property(array(coins, { minLength: 1, maxLength: 100, size: "max" }), shops, (bought, { gold, silver, delivery }) => {
      const list = aList(gold, silver);
      const lines = bought.map(({ quantity, ...traits }, index) => {
        const coin = aCoin({ id: index + 1, ...traits, fixedPriceKopecks: traits.kind === "bullion" ? null : traits.fixedPriceKopecks });
        const { price } = priceOf(coin, list);
        if (price === null) throw new Error("no price");
        expect(price % 100).toBe(0);
        return lineOf(coin, quantity, price);
      });
      const total = add(sumOf(lines), kopecks(delivery));
      expect(Number.isSafeInteger(total)).toBe(true);
      expect(lines.reduce((sum, line) => sum + line.price * line.quantity, delivery)).toBe(total);
      const receipt = receiptOf({ lines, user, deliverySnapshot: carrier, deliveryPrice: kopecks(delivery) }, testTax, "full_prepayment");
      expect(receiptTotal(receipt)).toBe(total);
      expect(receipt.lines).toHaveLength(lines.length + (delivery > 0 ? 1 : 0));
    }),
    { numRuns: 2_000 },
  ); // a hundred thousand lines
});
