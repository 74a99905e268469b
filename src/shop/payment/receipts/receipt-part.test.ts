import * as fc from "fast-check";
import { expect, test } from "vitest";
import { kopecks } from "#kit/money.ts";
import type { ReceiptLine } from "../gateway.ts";
import { asLines, leftOf, sharesOf, takeAmount, takePieces, takePiecesOfShares, type PartLine } from "./receipt-part.ts";

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

/** The receipts of payments of these sums, with what is left of each, as the services read them. */
const paidBy = (whole: readonly ReceiptLine[], sums: readonly number[], taken: readonly PartLine[][] = []) =>
  sharesOf(whole, sums.map(kopecks)).map((share, index) => {
    const lines = asLines(share);
    return { whole: lines, left: leftOf(lines, taken[index] ?? []) };
  });

test("pieces of an order paid by several payments are taken from the newest one first, at their price", () => {
  const whole = [aLine(3, 1_000), { ...aLine(1, 600), title: "Жетон" }];
  const parts = takePiecesOfShares(whole, paidBy(whole, [1_200, 2_400]), [{ line: 0, quantity: 2 }]);
  // The second payment covers 2,000 of the three coins, and 400 of the token.
  expect(parts?.map(sumOf)).toEqual([0, 2_000]);
  const rest = takePiecesOfShares(whole, paidBy(whole, [1_200, 2_400], parts ?? []), [
    { line: 0, quantity: 1 },
    { line: 1, quantity: 1 },
  ]);
  expect(rest?.map((lines) => lines.map(({ title, unitPrice }) => [title, unitPrice]))).toEqual([
    [
      ["Монета", 1_000],
      ["Жетон", 200],
    ],
    [["Жетон", 400]],
  ]);
});

test.each<[string, { line: number; quantity: number }[]]>([
  ["more pieces than there are", [{ line: 0, quantity: 4 }]],
  ["a line that the order does not have", [{ line: 2, quantity: 1 }]],
  ["no piece", [{ line: 0, quantity: 0 }]],
  [
    "a line that is named twice",
    [
      { line: 1, quantity: 1 },
      { line: 1, quantity: 1 },
    ],
  ],
])("%s is not taken", (_, sent) => {
  const whole = [aLine(3, 1_000), aLine(1, 600)];
  expect(takePiecesOfShares(whole, paidBy(whole, [1_200, 2_400]), sent)).toBeNull();
});

test("no piece is taken of which a part of the price was refunded, nor of receipts that are not shares of the order", () => {
  const whole = [aLine(3, 1_000)];
  const part: PartLine = { ...aLine(1, 1), line: 0 };
  expect(takePiecesOfShares(whole, paidBy(whole, [1_200, 1_800], [[part]]), [{ line: 0, quantity: 1 }])).toBeNull();
  const [first, second] = paidBy(whole, [1_200, 1_800]);
  const renamed = { ...first, whole: [{ ...aLine(1, 1_200), title: "Другая" }], left: first?.left ?? [] };
  expect(takePiecesOfShares(whole, [renamed, second ?? renamed], [{ line: 0, quantity: 1 }])).toBeNull();
});

test("all pieces, taken in any order, are all the money of every payment", () => {
  const items = fc.array(fc.record({ quantity: fc.integer({ min: 1, max: 9 }), price: fc.integer({ min: 1, max: 90_000 }) }), {
    minLength: 1,
    maxLength: 6,
  });
  fc.assert(
    fc.property(items, fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { minLength: 1, maxLength: 3 }), (made, cuts) => {
      const whole = made.map(({ quantity, price }, index) => ({ ...aLine(quantity, price), title: `Монета ${index}` }));
      const total = sumOf(whole);
      const bounds = [...new Set([0, ...cuts.map((cut) => Math.floor(total * cut)), total])].toSorted((a, b) => a - b);
      const sums = bounds.slice(1).map((bound, index) => bound - (bounds[index] ?? 0));
      const taken: PartLine[][] = sums.map(() => []);
      for (const line of whole.keys()) {
        const parts = takePiecesOfShares(whole, paidBy(whole, sums, taken), [{ line, quantity: whole[line]?.quantity ?? 0 }]);
        parts?.forEach((part, index) => taken[index]?.push(...part));
      }
      expect(taken.map(sumOf)).toEqual(sums);
    }),
    { numRuns: 300 },
  );
});
