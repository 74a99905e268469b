import { expect, test } from "vitest";
import { fromRoubles, isWholeKopecks, kopecks, toRoubles } from "./money.ts";

test("a sum of any size survives the way to roubles and back", () => {
  for (const amount of [0, 1, 113, 31_035_377_929, 16_945_870_748, 481_839_891_073, 99_999_999_999_999])
    expect(fromRoubles(toRoubles(kopecks(amount)))).toBe(amount);
  expect(fromRoubles(0.1 + 0.2)).toBe(30);
});

test("what is finer than a kopeck, or too large to be exact, is no sum", () => {
  expect([0.005, 1.000_01, 75_000.001, 1e23, Number.NaN, Number.POSITIVE_INFINITY].map(isWholeKopecks)).not.toContain(true);
  expect(() => fromRoubles(1.000_01)).toThrow(RangeError);
});
