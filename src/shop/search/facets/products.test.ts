import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { aCoin } from "#shop/catalog/testing.ts";
import { sortKeys, type SortKey } from "../listing.ts";
import { bitsOf } from "../index/bits.ts";
import { listed } from "../index/ordered.ts";
import { createProducts, onePerProduct, type Products } from "./products.ts";

// Positions 0–2 are years of one product, 3 and 4 of another; the most popular is position 1.
const titles = ["Соболь, 3 рубля 2024", "Соболь, 3 рубля 2025", "Соболь, 3 рубля 2026", "Рысь, 3 рубля 2024", "Рысь, 3 рубля 2025"];
const products = createProducts(
  titles.map((title, id) => aCoin({ id: id + 1, title })),
  Int32Array.from([1, 0, 2, 3, 4]),
);
type Shelf = { price: Float64Array; available: Int32Array };
const live = (price: number[], available: number[]): Shelf => ({
  price: Float64Array.from(price),
  available: Int32Array.from(available),
});
const all = [0, 1, 2, 3, 4];
const shown = (matching: readonly number[], shelf: Shelf, sort: SortKey | null, named: number | null = null): number[] =>
  onePerProduct(listed(matching), bitsOf(matching, 5), products, shelf, { sort, named });

test("a product shows its cheapest issue in stock, not a cheaper one that is sold out", () => {
  expect(shown(all, live([100, 200, 300, 50, 40], [0, 5, 5, 1, 1]), "popular")).toEqual([1, 4]);
  // Nothing in stock: the cheapest.
  expect(shown(all, live([100, 200, 300, 50, 40], [0, 0, 0, 0, 0]), "popular")).toEqual([0, 4]);
});

test("of equal prices the more popular issue is shown, and an issue without a price only when no other has one", () => {
  expect(shown(all, live([100, 100, 100, 50, 50], [5, 5, 5, 1, 1]), "popular")).toEqual([1, 3]);
  expect(shown(all, live([Number.NaN, Number.NaN, 300, Number.NaN, Number.NaN], [5, 5, 5, 1, 1]), "popular")).toEqual([2, 3]);
});

test("sorted by price a product takes the position of the issue it shows, otherwise that of its first issue", () => {
  const byPrice = [4, 0, 3, 1, 2]; // the sold-out position 0 is cheaper than position 3
  const shelf = live([60, 200, 300, 100, 40], [0, 5, 5, 1, 0]);
  expect(shown(byPrice, shelf, "price")).toEqual([3, 1]);
  expect(shown([2, 3, 0, 1, 4], shelf, "mass")).toEqual([1, 3]);
});

test("sorted by years the first issue in stock is shown; a coin whose title was typed is always shown", () => {
  const shelf = live([100, 200, 300, 50, 40], [5, 5, 0, 1, 1]);
  expect(shown([2, 1, 4, 0, 3], shelf, "-year")).toEqual([1, 4]);
  expect(shown(all, shelf, null, 2)).toEqual([2, 4]);
});

/** The rule in one pass over all coins, without products worked out before. */
function plainOnePerProduct(
  matching: readonly number[],
  { of, popularity }: Products,
  { price, available }: Shelf,
  sort: SortKey | null,
  named: number | null,
): number[] {
  const card = new Map<number, number>();
  const isBetter = (position: number, than: number): boolean => {
    if (position === named || than === named) return position === named;
    const [isHere, isThere] = [available[position]! > 0, available[than]! > 0];
    if (isHere !== isThere) return isHere;
    if (sort === "year" || sort === "-year" || sort === "new") return false;
    const [cost, other] = [price[position]!, price[than]!];
    if (cost !== other && !(Number.isNaN(cost) && Number.isNaN(other))) return Number.isNaN(other) || cost < other;
    return popularity[position]! < popularity[than]!;
  };
  for (const position of matching) {
    const before = card.get(of[position]!);
    if (before === undefined || isBetter(position, before)) card.set(of[position]!, position);
  }
  const byCard = sort !== null && ["price", "-price", "gram", "premium", "spread"].includes(sort);
  return byCard ? matching.filter((position) => card.get(of[position]!) === position) : [...card.values()];
}

describe("for any coins", () => {
  const anyCase = fc.integer({ min: 1, max: 60 }).chain((size) =>
    fc.record({
      titles: fc.array(fc.constantFrom("А", "Б", "В", "Г", "Д", "Е"), { minLength: size, maxLength: size }),
      prices: fc.array(fc.constantFrom(100, 200, 300, Number.NaN), { minLength: size, maxLength: size }),
      pieces: fc.array(fc.integer({ min: 0, max: 1 }), { minLength: size, maxLength: size }),
      popular: fc.shuffledSubarray(
        Array.from({ length: size }, (_, i) => i),
        { minLength: size },
      ),
      order: fc.shuffledSubarray(
        Array.from({ length: size }, (_, i) => i),
        { minLength: size },
      ),
      matching: fc.subarray(Array.from({ length: size }, (_, i) => i)),
      sort: fc.option(fc.constantFrom(...sortKeys)),
      named: fc.option(fc.integer({ min: 0, max: size - 1 })),
      most: fc.integer({ min: 1, max: 12 }),
    }),
  );

  test("the first cards are those that looking at every coin gives", () => {
    fc.assert(
      fc.property(anyCase, ({ titles: names, prices, pieces, popular, order, matching, sort, named, most }) => {
        const some = createProducts(
          names.map((title, id) => aCoin({ id: id + 1, title: `${title} 2024` })),
          Int32Array.from(popular),
        );
        const shelf = live(prices, pieces);
        const wanted = new Set(matching);
        const found = plainOnePerProduct(
          order.filter((position) => wanted.has(position)),
          some,
          shelf,
          sort,
          named,
        );
        const passing = bitsOf(matching, names.length);
        const first = (count: number) => onePerProduct(listed(Int32Array.from(order)), passing, some, shelf, { sort, named, most: count });
        expect(first(1_000)).toEqual(found);
        expect(first(most)).toEqual(found.slice(0, most));
      }),
      { numRuns: 400 },
    );
  });
});
