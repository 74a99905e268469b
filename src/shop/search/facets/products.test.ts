import { expect, test } from "vitest";
import { aCoin } from "#shop/catalog/testing.ts";
import { createProducts, onePerProduct } from "./products.ts";

// Positions 0–2 are years of one product, 3 and 4 of another; the most popular is position 1.
const titles = ["Соболь, 3 рубля 2024", "Соболь, 3 рубля 2025", "Соболь, 3 рубля 2026", "Рысь, 3 рубля 2024", "Рысь, 3 рубля 2025"];
const products = createProducts(
  titles.map((title, id) => aCoin({ id: id + 1, title })),
  Int32Array.from([1, 0, 2, 3, 4]),
);
const live = (price: number[], available: number[]) => ({ price: Float64Array.from(price), available: Int32Array.from(available) });
const all = [0, 1, 2, 3, 4];

test("a product shows its cheapest issue in stock, not a cheaper one that is sold out", () => {
  expect(onePerProduct(all, products, live([100, 200, 300, 50, 40], [0, 5, 5, 1, 1]), "popular")).toEqual([1, 4]);
  // Nothing in stock: the cheapest.
  expect(onePerProduct(all, products, live([100, 200, 300, 50, 40], [0, 0, 0, 0, 0]), "popular")).toEqual([0, 4]);
});

test("of equal prices the more popular issue is shown, and an issue without a price only when no other has one", () => {
  expect(onePerProduct(all, products, live([100, 100, 100, 50, 50], [5, 5, 5, 1, 1]), "popular")).toEqual([1, 3]);
  expect(onePerProduct(all, products, live([Number.NaN, Number.NaN, 300, Number.NaN, Number.NaN], [5, 5, 5, 1, 1]), "popular")).toEqual([
    2, 3,
  ]);
});

test("sorted by price a product takes the position of the issue it shows, otherwise that of its first issue", () => {
  const byPrice = [4, 0, 3, 1, 2]; // the sold-out position 0 is cheaper than position 3
  const shelf = live([60, 200, 300, 100, 40], [0, 5, 5, 1, 0]);
  expect(onePerProduct(byPrice, products, shelf, "price")).toEqual([3, 1]);
  expect(onePerProduct([2, 3, 0, 1, 4], products, shelf, "mass")).toEqual([1, 3]);
});

test("sorted by years the first issue in stock is shown; a coin whose title was typed is always shown", () => {
  const shelf = live([100, 200, 300, 50, 40], [5, 5, 0, 1, 1]);
  expect(onePerProduct([2, 1, 4, 0, 3], products, shelf, "-year")).toEqual([1, 4]);
  expect(onePerProduct(all, products, shelf, null, 2)).toEqual([2, 4]);
});
