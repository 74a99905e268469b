import { expect, test } from "vitest";
import { factProblems, priceProblems } from "#shop/catalog/coin-rules.ts";
import { manyCoins } from "./many-coins.ts";
import { seedCategories } from "./seed.ts";
import { coinsOf, seedCoins } from "./seed-coins.ts";

const real = await seedCoins(new Date("2026-11-20T09:00:00Z"));
const many = manyCoins(real, 10_000);

test("ten thousand coins pass the rules of the catalogue, the real ones first and unchanged", () => {
  const known = new Set(seedCategories().map(({ slug }) => slug));
  const faults = coinsOf(many).flatMap((coin) =>
    [...factProblems(coin, known), ...priceProblems(coin, coin.kind)].map((each) => [coin.slug, each]),
  );
  expect(faults).toEqual([]);
  expect(many).toHaveLength(10_000);
  expect(many.slice(0, real.length)).toEqual(real);
});

test("titles are unique, and the coins vary as a shop's do", () => {
  expect(new Set(many.map(({ coin }) => coin.title)).size).toBe(10_000);
  const made = many.slice(real.length);
  const soldOut = made.filter(({ pieces }) => pieces === 0).length / made.length;
  expect(soldOut).toBeGreaterThan(0.08);
  expect(soldOut).toBeLessThan(0.17);
  expect(new Set(made.map(({ coin }) => coin.year)).size).toBeGreaterThan(30);
  expect(
    new Set(
      coinsOf(made)
        .filter(({ motif, metal }) => motif === "st-george" && metal === "gold")
        .map(({ premiumBp }) => premiumBp),
    ).size,
  ).toBeGreaterThan(5);
});

test("the same number gives the same coins, and a smaller number gives the first of them", () => {
  expect(manyCoins(real, 10_000)).toEqual(many);
  expect(manyCoins(real, 2_000)).toEqual(many.slice(0, 2_000));
  expect(manyCoins(real, 5)).toHaveLength(5);
});
