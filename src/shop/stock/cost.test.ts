import * as fc from "fast-check";
import { expect, test } from "vitest";
import { kopecks } from "#kit/money.ts";
import { averageCost, takeBack, takeOut, type CostPool } from "./cost.ts";

const pool = (pieces: number, costed: number, cost: number): CostPool => ({ pieces, costed, cost: kopecks(cost) });

test("sold pieces take their cost out at the moving average, half a kopeck rounded up, and the last one takes the rest", () => {
  expect(takeOut(pool(3, 3, 1000), 1)).toEqual({ costed: 1, cost: 333 });
  expect(takeOut(pool(2, 2, 667), 1)).toEqual({ costed: 1, cost: 334 });
  expect(takeOut(pool(1, 1, 333), 1)).toEqual({ costed: 1, cost: 333 });
  expect(averageCost(pool(2, 2, 667))).toBe(334);
});

test("pieces of unknown cost leave first and take no cost along", () => {
  expect(takeOut(pool(5, 2, 1000), 3)).toEqual({ costed: 0, cost: 0 });
  expect(takeOut(pool(5, 2, 1000), 4)).toEqual({ costed: 1, cost: 500 });
  expect(averageCost(pool(5, 0, 0))).toBeNull();
});

test("a reversed receipt takes its own cost back, or the average when part of it has left", () => {
  expect(takeBack(pool(4, 4, 400), { costed: 1, cost: kopecks(250) })).toEqual({ costed: 1, cost: 250 });
  expect(takeBack(pool(2, 2, 110), { costed: 1, cost: kopecks(200) })).toEqual({ costed: 1, cost: 55 });
  expect(takeBack(pool(1, 1, 55), { costed: 1, cost: kopecks(100) })).toEqual({ costed: 1, cost: 55 });
});

test("whatever is sold in whatever parts, no cost is lost and none appears", () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 0, max: 50 }),
      fc.integer({ min: 0, max: 50 }),
      fc.integer({ min: 0, max: 2_000_000_000 }),
      fc.array(fc.integer({ min: 1, max: 9 })),
      (unknown, costed, cost, parts) => {
        let left = pool(unknown + costed, costed, costed === 0 ? 0 : cost);
        let taken = 0;
        for (const part of [...parts, Infinity]) {
          const quantity = Math.min(part, left.pieces);
          const out = takeOut(left, quantity);
          taken += out.cost;
          left = { pieces: left.pieces - quantity, costed: left.costed - out.costed, cost: kopecks(left.cost - out.cost) };
          expect(left.costed).toBeGreaterThanOrEqual(0);
          expect(left.costed).toBeLessThanOrEqual(left.pieces);
          expect(left.cost).toBeGreaterThanOrEqual(0);
        }
        expect(left).toEqual({ pieces: 0, costed: 0, cost: 0 });
        expect(taken).toBe(costed === 0 ? 0 : cost);
      },
    ),
  );
});
