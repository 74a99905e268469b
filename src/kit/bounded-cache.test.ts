import { expect, test } from "vitest";
import { createBoundedCache } from "./bounded-cache.ts";

const stored = (cache: { get(key: string): unknown }, keys: string) =>
  keys
    .split("")
    .filter((key) => cache.get(key) !== undefined)
    .join("");

test("the oldest entries leave when there are too many", () => {
  const cache = createBoundedCache<number>({ maxEntries: 2, maxTotalSize: 100 });
  for (const key of "abc") cache.set(key, 1, 1);
  expect(stored(cache, "abc")).toBe("bc");
});

test("the oldest entries leave when all are too large together, and one that is too large alone is not stored", () => {
  const cache = createBoundedCache<number>({ maxEntries: 10, maxTotalSize: 10 });
  for (const key of "abc") cache.set(key, 1, 4);
  expect(stored(cache, "abc")).toBe("bc");
  cache.set("d", 1, 11);
  expect(stored(cache, "abcd")).toBe("bc");
});

test("an entry that is stored again counts once", () => {
  const cache = createBoundedCache<string>({ maxEntries: 10, maxTotalSize: 10 });
  for (const value of ["one", "two", "three"]) cache.set("a", value, 4);
  cache.set("b", "other", 4);
  expect([cache.get("a"), cache.get("b")]).toEqual(["three", "other"]);
});
