import { expect, test } from "vitest";
import { movedBy } from "./moved.ts";

test("an item changes places with its neighbour and stays at an end", () => {
  expect(movedBy(["a", "b", "c"], 0, 1)).toEqual(["b", "a", "c"]);
  expect(movedBy(["a", "b", "c"], 2, -1)).toEqual(["a", "c", "b"]);
  expect(movedBy(["a", "b"], 0, -1)).toEqual(["a", "b"]);
});
