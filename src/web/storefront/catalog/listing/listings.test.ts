import { expect, test } from "vitest";
import categories from "../../../../../db/seed/data/categories.json" with { type: "json" };
import { ancestorsOf, type PageNode } from "../../page/page-tree.ts";
import { listingTitle, listingTitles } from "./listing-titles.ts";
import { listingNodeAt, listings } from "./listings.ts";

const listingTrail = (node: PageNode): PageNode[] => [...ancestorsOf(node), node];

/** Address, display name, parent category. */
const expected = [
  ["/catalog/gold/monety-georgiy-pobedonosec", "Георгий Победоносец", "gold"],
  ["/catalog/gold/monety-georgiy-pobedonosec/50-rub", "50 рублей", "gold"],
  ["/catalog/gold/monety-seyatel", "Сеятель", "gold"],
  ["/catalog/bullion-coins", "Инвестиционные монеты", null],
  ["/catalog/bullion-coins/georgij-pobedonosec", "Георгий Победоносец", "bullion-coins"],
  ["/catalog/bullion-coins/monety-sberbanka", "Монеты Сбербанка", "bullion-coins"],
  ["/catalog/bullion-coins/monety-sberbanka/gold", "Золотые монеты Сбербанка", "bullion-coins"],
  ["/catalog/bullion-coins/monety-sberbanka/silver", "Серебряные монеты Сбербанка", "bullion-coins"],
  ["/catalog/bullion-coins/rf", "Инвестиционные монеты России", "bullion-coins"],
  ["/catalog/gold/rf", "Золотые монеты России", "gold"],
  ["/catalog/silver/rf", "Серебряные монеты России", "silver"],
  ["/catalog/silver/monety-georgiy-pobedonosec", "Георгий Победоносец", "silver"],
  ["/catalog/memorable-coins", "Памятные монеты", null],
  ["/catalog/gold/bullion-coins", "Инвестиционные из золота", "gold"],
  ["/catalog/gold/memorable-coins", "Памятные из золота", "gold"],
  ["/catalog/silver/bullion-coins", "Инвестиционные из серебра", "silver"],
  ["/catalog/silver/memorable-coins", "Памятные из серебра", "silver"],
] as const;

test.each(expected)("%s is called «%s» and belongs to %s, on each of its pages", (address, name, parent) => {
  for (const pathname of [address, `${address}/page/2`, `${address}.data`]) {
    const node = listingNodeAt(pathname);
    expect([node?.title, node?.href]).toEqual([name, address]);
    const above = listingTrail(node!)
      .slice(0, -1)
      .map(({ href }) => href);
    expect(above.slice(0, 2)).toEqual(["/", "/catalog"]);
    if (parent) expect(above).toContain(`/catalog/${parent}`);
    else expect(above).toHaveLength(2);
  }
});

test("a page below a series has the series above it", () => {
  expect(listingTrail(listingNodeAt("/catalog/bullion-coins/monety-sberbanka/gold")!).map(({ title }) => title)).toEqual([
    "Главная",
    "Каталог",
    "Инвестиционные монеты",
    "Монеты Сбербанка",
    "Золотые монеты Сбербанка",
  ]);
});

test("built-in listings and seeded categories have the same names, titles and parents, and titles are unique", () => {
  expect(Object.keys(listings).toSorted()).toEqual(categories.map(({ slug }) => slug).toSorted());
  for (const { slug, title, heading, parent } of categories) {
    const trail = listingTrail(listingNodeAt(`/catalog/${slug}`)!);
    expect([slug, trail.at(-1)?.title, listingTitle(slug), trail.at(-2)?.href]).toEqual([
      slug,
      title,
      heading,
      parent === null ? "/catalog" : `/catalog/${parent}`,
    ]);
  }
  const titles = Object.values(listingTitles);
  expect(new Set(titles).size).toBe(titles.length);
});

test("a category of the owner and an unknown name are not built-in listings", () => {
  for (const pathname of ["/catalog/podarki", "/catalog/gold/podarki", "/catalog/constructor", "/catalog/toString"])
    expect(listingNodeAt(pathname)).toBeNull();
  expect(listingNodeAt("/catalog")?.title).toBe("Каталог");
  expect(listingNodeAt("/catalog/page/3")?.title).toBe("Каталог");
});
