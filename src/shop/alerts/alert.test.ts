import { expect, test } from "vitest";
import { hasCrossed, hasReturned } from "./alert.ts";

const at = (value: number | null, available = 0) => ({ value, available, isMarketOpen: true });

test("a threshold is crossed when the price reaches it from the side of the rule", () => {
  const below = { rule: "below" as const, value: 10_000 };
  expect([10_001, 10_000, 9_999].map((price) => hasCrossed(below, at(price)))).toEqual([false, true, true]);
  const above = { rule: "above" as const, value: 10_000 };
  expect([9_999, 10_000].map((price) => hasCrossed(above, at(price)))).toEqual([false, true]);
});

test("the next crossing counts only after the price went back half a percent", () => {
  expect([10_000, 10_049, 10_050].map((price) => hasReturned({ rule: "below", value: 10_000 }, at(price)))).toEqual([false, false, true]);
  expect([10_000, 9_951, 9_950].map((price) => hasReturned({ rule: "above", value: 10_000 }, at(price)))).toEqual([false, false, true]);
});

test("an unknown price neither crosses a threshold nor returns; stock alerts need no price", () => {
  expect(hasCrossed({ rule: "below", value: 1 }, at(null))).toBe(false);
  expect(hasReturned({ rule: "below", value: 1 }, at(null))).toBe(false);
  expect(hasCrossed({ rule: "in_stock", value: null }, at(null, 1))).toBe(true);
  expect(hasReturned({ rule: "in_stock", value: null }, at(null, 0))).toBe(true);
});

test("an opening of the exchange is reported once, however often it opens afterwards", () => {
  const opening = { rule: "market_open" as const, value: null };
  expect(hasCrossed(opening, { ...at(11_000), isMarketOpen: false })).toBe(false);
  expect(hasCrossed(opening, at(11_000))).toBe(true);
  expect(hasReturned(opening, { ...at(11_000), isMarketOpen: false })).toBe(false);
});
