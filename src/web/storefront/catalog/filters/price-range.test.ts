import { expect, test } from "vitest";
import { priceAt, stepOf } from "./price-range.tsx";

const span = { min: 3959, max: 11_432_704, histogram: Array.from({ length: 20 }, () => 0) };

test("the ends of the line are the lowest and the highest price", () => {
  expect([priceAt(0, span), priceAt(20, span)]).toEqual([3959, 11_432_704]);
});
test("between the ends prices are round and grow by a constant ratio", () => {
  expect([priceAt(5, span), priceAt(10, span), priceAt(15, span)]).toEqual([29_000, 210_000, 1_600_000]);
});
test("a typed price gives the nearest step, no price gives the end", () => {
  expect(stepOf(210_000, span, 0)).toBe(10);
  expect(stepOf(0, span, 20)).toBe(20);
  expect(stepOf(1, span, 0)).toBe(0);
  expect(stepOf(Number.NaN, span, 0)).toBe(0);
  expect(stepOf(500, { ...span, max: span.min }, 0)).toBe(0);
});
