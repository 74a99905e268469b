import { describe, expect, test } from "vitest";
import { categoryPath, categoryTree, titleAmong, type Category } from "./category.ts";
import { fineness, pureMassG } from "./coin.ts";
import { coinImage, coinSrcSet } from "./image.ts";
import { aCoin } from "./testing.ts";

const category = (slug: string, parent: string | null, position: number): Category => ({
  slug,
  title: slug,
  heading: slug,
  intro: "",
  parent,
  position,
});
const gold = category("gold", null, 0);
const george = category("gold/george", "gold", 2);
const fifty = category("gold/george/50", "gold/george", 3);
const bullion = category("gold/bullion", "gold", 1);

describe("categories", () => {
  test("are listed below their parents in the order of the menu", () => {
    const [root] = categoryTree([fifty, george, bullion, gold]);
    expect(root?.slug).toBe("gold");
    expect(root?.children.map(({ slug }) => slug)).toEqual(["gold/bullion", "gold/george"]);
    expect(root?.children[1]?.children.map(({ slug }) => slug)).toEqual(["gold/george/50"]);
  });

  test("a category without its parent stays reachable", () => {
    expect(categoryTree([george]).map(({ slug }) => slug)).toEqual(["gold/george"]);
  });

  test("the path to a listing names every step once, also when parents form a circle", () => {
    expect(categoryPath([fifty, george, bullion, gold], "gold/george/50").map(({ slug }) => slug)).toEqual([
      "gold",
      "gold/george",
      "gold/george/50",
    ]);
    expect(categoryPath([gold], "silver")).toEqual([]);
    expect(categoryPath([category("a", "b", 0), category("b", "a", 1)], "a").map(({ slug }) => slug)).toEqual(["b", "a"]);
  });

  test("of two listings with one title each is shown with its parent's title", () => {
    const silver = { ...category("silver", null, 4), title: "Серебро" };
    const twins = [
      { ...george, title: "Георгий" },
      { ...category("silver/george", "silver", 5), title: "Георгий" },
    ];
    const all = [{ ...gold, title: "Золото" }, silver, bullion, ...twins];
    expect(twins.map((each) => titleAmong(all, each))).toEqual(["Золото · Георгий", "Серебро · Георгий"]);
    expect(titleAmong(all, bullion)).toBe("gold/bullion");
    expect(titleAmong([...all, fifty], { ...fifty, title: "50 рублей" })).toBe("Георгий · 50 рублей");
  });
});

test("grams and fineness are shown in the usual units", () => {
  const coin = aCoin({ id: 1, pureMassMg: 31_103, finenessTenths: 9999 });
  expect([pureMassG(coin), fineness(coin)]).toEqual([31.103, 999.9]);
});

test("a coin's picture has one address per side and width", () => {
  expect(coinImage("sobol", "obverse", 320)).toBe("/media/coins/sobol-obverse-320.webp");
  expect(coinSrcSet("sobol", "reverse")).toBe(
    "/media/coins/sobol-reverse-160.webp 160w, /media/coins/sobol-reverse-320.webp 320w, " +
      "/media/coins/sobol-reverse-480.webp 480w, /media/coins/sobol-reverse-640.webp 640w",
  );
});
