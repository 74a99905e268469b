import { expect, test } from "vitest";
import { readNumberCursor } from "./cursor.ts";

test("a cursor is the number after which a page begins", () => {
  expect(readNumberCursor("17")).toBe(17);
  expect(readNumberCursor("999999999999999")).toBe(999_999_999_999_999);
});

test.each([undefined, "", "x", "-1", "1.5", "1e3", " 1", "1000000000000000"])("anything else begins with the first page: %s", (cursor) => {
  expect(readNumberCursor(cursor)).toBeNull();
});

test("a number longer than its column is not read", () => {
  expect(readNumberCursor("999999999", 9)).toBe(999_999_999);
  expect(readNumberCursor("1000000000", 9)).toBeNull();
});
