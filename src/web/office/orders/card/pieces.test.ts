import { expect, test } from "vitest";
import { countIn, piecesLeft, piecesToRefund, withCount } from "./pieces.ts";

test("a coin that the buyer gave back cannot come back again, and its money can be refunded by the piece", () => {
  const line = { count: 3, dropped: 1, returned: 2 };
  expect([piecesLeft(line), piecesToRefund(line)]).toEqual([0, 2]);
});

test("a pasted count that is no whole number is not turned into another one", () => {
  for (const text of ["1,5", "-1", "1.5", "abc", "2 шт", "1e3"]) expect(countIn(text, 20)).toBeNull();
  expect([countIn("", 3), countIn(" 2 ", 3), countIn("7", 3), countIn("007", 9)]).toEqual([0, 2, 3, 7]);
});

test("a coin whose count changes keeps its place among the chosen ones, and goes with a count of none", () => {
  const [one, two] = [
    { id: 1, available: 5, count: 1 },
    { id: 2, available: 3, count: 1 },
  ];
  expect(withCount([one, two], one, 2)).toEqual([{ ...one, count: 2 }, two]);
  expect(withCount([one], two, 7)).toEqual([one, { ...two, count: 3 }]);
  expect(withCount([one, two], one, 0)).toEqual([two]);
});
