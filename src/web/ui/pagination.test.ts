import { expect, test } from "vitest";
import { pageNumbers } from "./pagination.tsx";

test("a few pages are all printed", () => {
  expect(pageNumbers(1, 1)).toEqual([1]);
  expect(pageNumbers(2, 3)).toEqual([1, 2, 3]);
});
test("many pages show the ends, the present page and its neighbours", () => {
  expect(pageNumbers(1, 16)).toEqual([1, 2, null, 16]);
  expect(pageNumbers(8, 16)).toEqual([1, null, 7, 8, 9, null, 16]);
  expect(pageNumbers(16, 16)).toEqual([1, null, 15, 16]);
});
test("a gap of one page is that page, not three dots", () => {
  expect(pageNumbers(3, 16)).toEqual([1, 2, 3, 4, null, 16]);
  expect(pageNumbers(14, 16)).toEqual([1, null, 13, 14, 15, 16]);
});
