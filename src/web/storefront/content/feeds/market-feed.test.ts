import { XMLParser, XMLValidator } from "fast-xml-parser";
import { expect, test } from "vitest";
import { kopecks } from "#kit/money.ts";
import type { Category } from "#shop/catalog/category.ts";
import type { Coin } from "#shop/catalog/coin.ts";
import { aCoin } from "#shop/catalog/testing.ts";
import { cardOf, type Card } from "#shop/search/card.ts";
import { marketFeed } from "./market-feed.server.ts";

const category = (slug: string, parent: string | null): Category => ({
  slug,
  title: `Раздел «${slug}»`,
  heading: slug,
  intro: "",
  parent,
  position: 1,
});
const categories = [category("gold", null), category("gold/rf", "gold"), category("bullion-coins", null)];

type ListedCoin = Coin & Card;

function listedCoin(coin: Parameters<typeof aCoin>[0], price: number | null, available = 5): ListedCoin {
  const made = aCoin(coin);
  return {
    ...made,
    ...cardOf(
      made,
      { price: price === null ? null : kopecks(price), premium: null, perGram: null, buyback: null, spreadBp: null },
      1,
      available,
      2026,
    ),
  };
}

const list = { madeAt: new Date("2026-11-21T21:30:00Z"), isDead: false };
const partsOf = (coins: ListedCoin[], areRatesDead = false) =>
  Array.fromAsync(
    marketFeed({
      shop: { name: "Чекан & сын", company: "ООО «Чекан»" },
      publicUrl: "https://shop.example",
      categories,
      coins,
      list: { ...list, isDead: areRatesDead },
    }),
  );
const feedOf = async (coins: ListedCoin[], areRatesDead = false) => (await partsOf(coins, areRatesDead)).join("");

type Element = { "#name": string; "#text": string; attributes: Record<string, string>; children: Element[] };

/** Parses the feed into a tree, with the elements in their order. */
function read(xml: string): Element {
  expect(XMLValidator.validate(xml)).toBe(true);
  const tree = new XMLParser({
    preserveOrder: true,
    ignoreAttributes: false,
    attributeNamePrefix: "",
    parseTagValue: false,
    parseAttributeValue: false,
    ignoreDeclaration: true,
  }).parse(xml) as Record<string, unknown>[];
  const element = (node: Record<string, unknown>): Element[] =>
    Object.entries(node)
      .filter(([name]) => name !== ":@" && name !== "#text")
      .map(([name, value]) => {
        const inner = value as Record<string, unknown>[];
        return {
          "#name": name,
          "#text": inner.map((each) => (each["#text"] as string | undefined) ?? "").join(""),
          attributes: (node[":@"] ?? {}) as Record<string, string>,
          children: inner.flatMap(element),
        };
      });
  return tree.flatMap(element)[0]!;
}
const all = (node: Element, name: string): Element[] => node.children.filter((each) => each["#name"] === name);
const one = (node: Element, name: string): Element => {
  const found = all(node, name);
  expect([name, found.length]).toEqual([name, 1]);
  return found[0]!;
};

/**
 * Checks for which a feed is rejected (Yandex Products docs): order of elements, required elements, unknown categories, invalid prices,
 * duplicate ids.
 */
function checkFeed(xml: string): Element[] {
  const root = read(xml);
  expect(root["#name"]).toBe("yml_catalog");
  expect(root.attributes.date).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d$/);
  const shop = one(root, "shop");
  expect(shop.children.map((each) => each["#name"])).toEqual(["name", "company", "url", "currencies", "categories", "offers"]);
  const sections = all(one(shop, "categories"), "category");
  const ids = new Set(sections.map(({ attributes }) => attributes.id));
  expect(ids.size).toBe(sections.length);
  for (const { attributes } of sections) {
    expect(attributes.id).toMatch(/^[1-9]\d{0,17}$/);
    if (attributes.parentId !== undefined) expect(ids.has(attributes.parentId)).toBe(true);
  }
  const offers = all(one(shop, "offers"), "offer");
  expect(new Set(offers.map(({ attributes }) => attributes.id)).size).toBe(offers.length);
  for (const offer of offers) {
    expect(offer.attributes.id).toMatch(/^[A-Za-z0-9]{1,20}$/);
    expect(["true", "false"]).toContain(offer.attributes.available);
    for (const name of ["name", "vendor", "url", "price", "currencyId", "categoryId", "description"])
      expect([name, one(offer, name)["#text"].length > 0]).toEqual([name, true]);
    expect(one(offer, "price")["#text"]).toMatch(/^[1-9]\d*(\.\d{1,2})?$/);
    expect(one(offer, "currencyId")["#text"]).toBe("RUB");
    expect(ids.has(one(offer, "categoryId")["#text"])).toBe(true);
    expect(one(offer, "description")["#text"].length).toBeLessThanOrEqual(3_000);
    expect(Number(one(offer, "weight")["#text"])).toBeGreaterThan(0);
    const pictures = all(offer, "picture");
    expect(pictures.length).toBeGreaterThan(0);
    for (const address of [one(offer, "url"), ...pictures]) expect(URL.canParse(address["#text"])).toBe(true);
    for (const param of all(offer, "param")) expect(param.attributes.name).toBeTruthy();
  }
  return offers;
}

test("the feed is valid with any characters in names and texts", async () => {
  const [offer] = checkFeed(
    await feedOf([
      listedCoin(
        {
          id: 7,
          slug: "a",
          title: '«Орёл» <&> "50"',
          description: "Текст ]]> & <b>".repeat(400),
          categories: ["bullion-coins", "gold", "gold/rf"],
        },
        9_050_050,
      ),
    ]),
  );
  expect(one(offer!, "price")["#text"]).toBe("90500.5");
  expect(one(offer!, "name")["#text"]).toContain("«Орёл»");
  expect(all(offer!, "picture").map((each) => each["#text"].replaceAll("&amp;", "&"))[0]).toBe(
    "https://shop.example/_image?url=/media/coins/a-reverse.webp&width=640&format=jpeg",
  );
});

test("a coin without a price or a listing is left out; a sold-out coin is marked as unavailable", async () => {
  const offers = checkFeed(
    await feedOf([
      listedCoin({ id: 1, slug: "a", categories: ["gold"] }, null),
      listedCoin({ id: 2, slug: "b", categories: ["silver"] }, 100),
      listedCoin({ id: 3, slug: "c", categories: ["gold"] }, 100, 0),
      listedCoin({ id: 4, slug: "d", categories: ["gold"] }, 100),
    ]),
  );
  expect(offers.map(({ attributes }) => [attributes.id, attributes.available])).toEqual([
    ["3", "false"],
    ["4", "true"],
  ]);
});

test("while the rates are dead, bullion coins are marked as unavailable", async () => {
  const coins = [
    listedCoin({ id: 1, slug: "a", categories: ["gold"] }, 100),
    listedCoin({ id: 2, slug: "b", kind: "memorable", fixedPriceKopecks: 100, categories: ["gold"] }, 100),
  ];
  expect(checkFeed(await feedOf(coins, true)).map(({ attributes }) => attributes.available)).toEqual(["false", "true"]);
});

test("the feed's time is that of Moscow, and the same prices give the same bytes", async () => {
  const coins = [listedCoin({ id: 1, slug: "a", categories: ["gold"] }, 100)];
  expect(await feedOf(coins)).toContain('<yml_catalog date="2026-11-22 00:30">');
  expect(await feedOf(coins)).toBe(await feedOf(coins));
});

test("a large catalogue comes in parts of some hundred offers, each offer once", async () => {
  const coins = Array.from({ length: 1_700 }, (_, id) => listedCoin({ id: id + 1, categories: ["gold"] }, id % 7 === 0 ? null : 100));
  const parts = await partsOf(coins);
  expect(parts.length).toBeGreaterThan(3);
  const ids = [...parts.join("").matchAll(/<offer id="(\d+)"/g)].map(([, id]) => Number(id));
  expect(ids).toEqual(coins.filter(({ price }) => price !== null).map(({ id }) => id));
  read(parts.join(""));
});
