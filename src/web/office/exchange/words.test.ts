import { expect, test } from "vitest";
import { articleOf } from "./words.ts";

test("an article is a whole number of at most nine digits; what is none is not sent", () => {
  expect(["1001", " 1001 ", "999999999"].map(articleOf)).toEqual([1001, 1001, 999_999_999]);
  expect(["", "0", "01", "-5", "1,5", "10о1", "1e5", "1234567890", "артикул"].map(articleOf)).toEqual(Array(9).fill(null));
});
