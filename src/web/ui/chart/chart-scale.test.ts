import { expect, test } from "vitest";
import { chartScale, merged, roundRows, tickPlaces } from "./chart-scale.ts";

test("rows are round numbers that cover all values", () => {
  expect(roundRows(10_123, 11_187)).toEqual([10_000, 10_200, 10_400, 10_600, 10_800, 11_000, 11_200]);
  expect(roundRows(131.48, 131.48).length).toBeGreaterThanOrEqual(2);
  expect(roundRows(0.8, 0.85)[0]).toBeLessThanOrEqual(0.8);
});

test("a higher price is drawn higher, a later one further right, and all within the frame", () => {
  const frame = { width: 100, height: 100, left: 10, right: 90, top: 5, bottom: 95 };
  const points = [10, 12, 11].map((close, at) => ({ at, open: close, high: close + 1, low: close - 1, close }));
  const { x, y } = chartScale(points, [null, 9, 15], frame);
  expect(y(12)).toBeLessThan(y(11));
  expect(x(2)).toBeGreaterThan(x(1));
  expect([y(15), y(9)].every((at) => at >= frame.top && at <= frame.bottom)).toBe(true);
});

test("of many ticks a few remain, and a text that does not change has none", () => {
  expect(tickPlaces(["a", "a", "b", "b", "c"], 5)).toEqual([2, 4]);
  expect(
    tickPlaces(
      Array.from({ length: 50 }, (_, index) => String(index)),
      5,
    ),
  ).toHaveLength(5);
});

test("on a narrow screen neighbours are merged into one candle with their full range", () => {
  const many = Array.from({ length: 130 }, (_, at) => ({ at, open: at, high: at + 10, low: at - 10, close: at + 1 }));
  const { points: few, places, size } = merged(many, 64);
  expect([few.length, size]).toEqual([44, 3]);
  expect(few[0]).toEqual({ at: 0, open: 0, close: 3, high: 12, low: -10 });
  expect(few.at(-1)).toEqual({ at: 129, open: 129, close: 130, high: 139, low: 119 });
  expect([places[0], places.at(-1)]).toEqual([1, 129]);
  expect(merged(many.slice(0, 64), 64).points).toEqual(many.slice(0, 64));
});
