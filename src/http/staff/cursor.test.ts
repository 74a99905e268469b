import { expect, test } from "vitest";
import { pageOf, readNumberCursor, viewPage } from "./cursor.ts";

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

test("a page shows as many rows as its size, and its cursor is the place of the last of them", () => {
  expect(pageOf(2, [{ id: 9 }, { id: 8 }, { id: 7 }], ({ id }) => id)).toEqual({ items: [{ id: 9 }, { id: 8 }], next: "8" });
  expect(viewPage(2, [9, 8, 7], (id) => `№ ${id}`, String)).toEqual({ items: ["№ 9", "№ 8"], next: "8" });
});

test.each([[[]], [[9]], [[9, 8]]])("a list that fits into one page has no next one: %s", (rows) => {
  expect(pageOf(2, rows, String)).toEqual({ items: rows, next: null });
});
