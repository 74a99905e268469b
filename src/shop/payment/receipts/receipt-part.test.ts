import * as fc from "fast-check";
import { expect, test } from "vitest";
import { kopecks } from "#kit/money.ts";
import type { ReceiptLine } from "../gateway.ts";
import { leftOf, takeAmount, takePieces, type PartLine } from "./receipt-part.ts";

const sumOf = (lines: readonly ReceiptLine[]) => lines.reduce((sum, { unitPrice, quantity }) => sum + unitPrice * quantity, 0);
const aLine = (quantity: number, price: number): ReceiptLine => ({
  title: "Монета",
  quantity,
  unitPrice: kopecks(price),
  vatCode: 1,
  subject: "commodity",
});

test("any sequence of parts sums to the kopeck, and together they are the whole", () => {
  const line = fc.record({ quantity: fc.integer({ min: 1, max: 999 }), price: fc.integer({ min: 1, max: 30_000_000 }) });
  const part = fc.record({ share: fc.double({ min: 0, max: 1, noNaN: true }), isPiece: fc.boolean() });
  fc.assert(
    fc.property(fc.array(line, { minLength: 1, maxLength: 20 }), fc.array(part, { maxLength: 6 }), (items, parts) => {
      const whole = items.map(({ quantity, price }) => aLine(quantity, price));
      const taken: PartLine[] = [];
      for (const { share, isPiece } of parts) {
        const left = leftOf(whole, taken);
        expect(sumOf(left)).toBe(sumOf(whole) - sumOf(taken));
        expect(left.length).toBeLessThanOrEqual(whole.length);
        const first = left[0];
        if (!first) break;
        const amount = kopecks(Math.max(1, Math.floor(sumOf(left) * share)));
        const now = isPiece ? takePieces(whole, left, [{ line: first.line, quantity: 1 }]) : takeAmount(left, amount);
        expect(now === null || now.every((each) => each.unitPrice > 0 && each.quantity > 0)).toBe(true);
        if (isPiece) expect(now === null || now[0]?.unitPrice === whole[first.line]?.unitPrice).toBe(true);
        if (!isPiece) expect(sumOf(now ?? [])).toBe(amount);
        taken.push(...(now ?? []));
      }
      const rest = leftOf(whole, taken);
      expect(sumOf(takeAmount(rest, kopecks(sumOf(rest))))).toBe(sumOf(whole) - sumOf(taken));
    }),
    { numRuns: 1_000 },
  );
});

test("the rest of a line is whole pieces while only pieces were taken, else one piece", () => {
  const whole = [aLine(3, 1_000)];
  expect(leftOf(whole, [{ ...aLine(1, 1_000), line: 0 }])).toEqual([{ ...aLine(2, 1_000), line: 0 }]);
  expect(leftOf(whole, [{ ...aLine(1, 1), line: 0 }])).toEqual([{ ...aLine(1, 2_999), line: 0 }]);
  expect(() => takeAmount(leftOf(whole, []), kopecks(3_001))).toThrow("more than");
});
