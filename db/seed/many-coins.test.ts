import { expect, test } from "vitest";
import { readCoinRows } from "./coin-row.ts";
import { manyCoins } from "./many-coins.ts";
import { seedCategories, seedCoinRows } from "./seed.ts";

const real = seedCoinRows();
const many = manyCoins(real, 10_000);

test("ten thousand coins pass the import, the real ones first and unchanged", () => {
  expect(readCoinRows(many, new Set(seedCategories().map(({ slug }) => slug)))).toHaveLength(10_000);
  expect(many.slice(0, real.length)).toEqual(real);
});

test("titles are unique, and the coins vary as a shop's do", () => {
  expect(new Set(many.map(({ title }) => title)).size).toBe(10_000);
  const made = many.slice(real.length);
  const soldOut = made.filter(({ stock }) => stock === 0).length / made.length;
  expect(soldOut).toBeGreaterThan(0.08);
  expect(soldOut).toBeLessThan(0.17);
  expect(new Set(made.map(({ year }) => year)).size).toBeGreaterThan(30);
  expect(
    new Set(made.filter(({ motif, metal }) => motif === "st-george" && metal === "gold").map(({ premium }) => premium.typicalPct)).size,
  ).toBeGreaterThan(5);
});

test("the same number gives the same coins, and a smaller number gives the first of them", () => {
  expect(manyCoins(real, 10_000)).toEqual(many);
  expect(manyCoins(real, 2_000)).toEqual(many.slice(0, 2_000));
  expect(manyCoins(real, 5)).toHaveLength(5);
});
