import * as fc from "fast-check";
import { expect, test } from "vitest";
import { orderBy } from "./order-by.ts";

const anyKeys = fc.array(
  fc.oneof(
    fc.integer({ min: -3, max: 3 }),
    fc.double(),
    fc.constantFrom(Number.NaN, Number.POSITIVE_INFINITY, -0, 0, 1_100_000_000_00, 1_800_000_000_000),
  ),
  { maxLength: 200 },
);

test("positions are sorted as a comparison sorts them: unknown values last, equal ones in the order before", () => {
  fc.assert(
    fc.property(anyKeys, anyKeys, (keys, others) => {
      const second = keys.map((_, i) => others[i] ?? Number.NaN);
      const compare = (a: number, b: number): number => {
        if (Number.isNaN(a) || Number.isNaN(b)) return Number(Number.isNaN(a)) - Number(Number.isNaN(b));
        return a < b ? -1 : a > b ? 1 : 0;
      };
      const positions = keys.map((_, i) => i);
      expect([...orderBy(Float64Array.from(keys))]).toEqual(positions.toSorted((a, b) => compare(keys[a]!, keys[b]!) || a - b));
      expect([...orderBy(Float64Array.from(keys), orderBy(Float64Array.from(second)))]).toEqual(
        positions.toSorted((a, b) => compare(keys[a]!, keys[b]!) || compare(second[a]!, second[b]!) || a - b),
      );
    }),
  );
});
