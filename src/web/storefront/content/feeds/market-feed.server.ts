import { setImmediate } from "node:timers/promises";
import { crc32 } from "node:zlib";
import { isoMoscow } from "#kit/moscow-time.ts";
import { toRoubles } from "#kit/money.ts";
import type { Category } from "#shop/catalog/category.ts";
import type { PriceList } from "#shop/pricing/price.ts";
import type { Coin } from "#shop/catalog/coin.ts";
import type { Card } from "#shop/search/card.ts";
import { metalNames } from "../../../texts.ru.ts";
import { xmlText } from "./xml.ts";

type ListedCoin = Coin & Card;

/** Small, because buyers wait for one part at most: 100 coins take a millisecond. */
const sliceSize = 100;

type Feed = {
  shop: { name: string; company: string };
  publicUrl: string;
  categories: readonly Category[];
  coins: Iterable<ListedCoin>;
  /** The price list of the prices. Its time is the feed's, so that an unchanged feed has the same bytes. */
  list: Pick<PriceList, "madeAt" | "isDead">;
};

/**
 * The catalogue as a price feed (YML, Yandex Products docs, 2025-11: `currencies` and `categories` before `offers`, price with a dot,
 * pictures as JPEG or PNG). A coin without a price is left out. A coin that cannot be bought now is marked as unavailable, as is bullion
 * while the rates are dead. Made in parts, so that buyers wait for one part at most, and so that the feed of a large catalogue, 160 MB at
 * 100,000 coins, is never in the heap as a whole.
 */
export async function* marketFeed({ shop, publicUrl, categories, coins, list }: Feed): AsyncGenerator<string> {
  const slugs = new Set(categories.map(({ slug }) => slug));
  yield [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<yml_catalog date="${isoMoscow(list.madeAt).slice(0, 16).replace("T", " ")}">`,
    "<shop>",
    element("name", shop.name),
    element("company", shop.company),
    element("url", publicUrl),
    '<currencies><currency id="RUB" rate="1"/></currencies>',
    "<categories>",
    ...categories.map(({ slug, title, parent }) => {
      const parentId = parent !== null && slugs.has(parent) ? ` parentId="${categoryId(parent)}"` : "";
      return `<category id="${categoryId(slug)}"${parentId}>${xmlText(title)}</category>`;
    }),
    "</categories>",
    "<offers>",
    "",
  ].join("\n");
  let part = "";
  let count = 0;
  const categoryOf = createCategoryOf(slugs);
  for (const coin of coins) {
    const category = categoryOf(coin);
    if (coin.price !== null && category !== null) part += `${offer(coin, toRoubles(coin.price), category, publicUrl, list.isDead)}\n`;
    count += 1;
    if (count % sliceSize !== 0) continue;
    if (part !== "") yield part;
    part = "";
    await setImmediate();
  }
  yield `${part}</offers>\n</shop>\n</yml_catalog>\n`;
}

/** Feed readers need an integer that does not change when the catalogue is edited. */
const categoryId = (slug: string): number => crc32(slug);

/** The category of a coin; null: it has none. The coins of a catalogue share a few combinations, each of which is decided once. */
function createCategoryOf(slugs: ReadonlySet<string>): (coin: ListedCoin) => string | null {
  const known = new Map<string, string | null>();
  return (coin) => {
    const key = `${coin.metal} ${coin.categories.join(" ")}`;
    const category = known.get(key) ?? narrowestCategory(coin, slugs);
    known.set(key, category);
    return category;
  };
}

/** The narrowest category of the coin's metal, otherwise the narrowest of all. */
function narrowestCategory({ categories, metal }: ListedCoin, slugs: ReadonlySet<string>): string | null {
  const listed = categories.filter((slug) => slugs.has(slug));
  const ofMetal = listed.filter((slug) => slug === metal || slug.startsWith(`${metal}/`));
  const depth = (slug: string) => slug.split("/").length;
  return (ofMetal.length > 0 ? ofMetal : listed).toSorted((a, b) => depth(b) - depth(a) || (a < b ? -1 : 1))[0] ?? null;
}

const maxDescriptionLength = 3_000;

function offer(coin: ListedCoin, price: number, category: string, publicUrl: string, areRatesDead: boolean): string {
  const canBeBought = coin.inStock && !(coin.kind === "bullion" && areRatesDead);
  return [
    `<offer id="${coin.id}" available="${canBeBought}">`,
    element("name", coin.title),
    element("vendor", coin.mint ?? coin.issuer),
    element("url", `${publicUrl}/products/${coin.slug}`),
    element("price", String(price)),
    element("currencyId", "RUB"),
    element("categoryId", String(categoryId(category))),
    ...(["reverse", "obverse"] as const).map((side) =>
      element("picture", `${publicUrl}/_image?url=/media/coins/${coin.picture}-${side}.webp&width=640&format=jpeg`),
    ),
    element("description", coin.description.slice(0, maxDescriptionLength)),
    element("delivery", "true"),
    element("pickup", "true"),
    ...(coin.kind === "bullion" ? [element("sales_notes", "Цена следует за курсом металла")] : []),
    element("country_of_origin", coin.country),
    element("weight", (coin.totalMassMg / 1_000_000).toFixed(3).replace(/^0\.000$/, "0.001")),
    param("Металл", metalNames[coin.metal]),
    param("Проба", String(coin.finenessTenths / 10)),
    param("Чистого металла", String(coin.pureMassMg / 1000), "г"),
    param("Общая масса", String(coin.totalMassMg / 1000), "г"),
    coin.diameterMm === null ? "" : param("Диаметр", String(coin.diameterMm), "мм"),
    param("Год чеканки", String(coin.year)),
    param("Качество", coin.quality),
    coin.mintage === null ? "" : param("Тираж", String(coin.mintage), "шт."),
    "</offer>",
  ]
    .filter((line) => line !== "")
    .join("");
}

const element = (name: string, text: string): string => `<${name}>${xmlText(text)}</${name}>`;
const param = (name: string, value: string, unit?: string): string =>
  `<param name="${xmlText(name)}"${unit ? ` unit="${xmlText(unit)}"` : ""}>${xmlText(value)}</param>`;
