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

type Product = Coin & Card;

/** Small, because buyers wait for one part at most: 100 coins take a millisecond. */
const sliceSize = 100;

type Feed = {
  shop: { name: string; company: string };
  publicUrl: string;
  categories: readonly Category[];
  products: Iterable<Product>;
  /** The price list of the prices. Its time is the feed's, so that an unchanged feed has the same bytes. */
  list: Pick<PriceList, "madeAt" | "isDead">;
};

/**
 * The catalogue as a price feed (YML, Yandex Products docs, 2025-11: `currencies` and `categories` before `offers`, price with a dot,
 * pictures as JPEG or PNG). A coin without a price is left out. A coin that cannot be bought now is marked as unavailable, as is bullion
 * while the rates are dead. Made in parts, so that buyers wait for one part at most, and so that the feed of a large catalogue, 160 MB at
 * 100,000 coins, is never in the heap as a whole.
 */
export async function* marketFeed({ shop, publicUrl, categories, products, list }: Feed): AsyncGenerator<string> {
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
  let index = 0;
  const known = new Map<string, string | null>();
  for (const product of products) {
    const listed = `${product.metal} ${product.categories.join(" ")}`;
    const category = known.get(listed) ?? categoryOf(product, slugs);
    known.set(listed, category);
    if (product.price !== null && category !== null)
      part += `${offer(product, toRoubles(product.price), category, publicUrl, list.isDead)}\n`;
    index += 1;
    if (index % sliceSize !== 0) continue;
    if (part !== "") yield part;
    part = "";
    await setImmediate();
  }
  yield `${part}</offers>\n</shop>\n</yml_catalog>\n`;
}

/** Feed readers need an integer that does not change when the catalogue is edited. */
const categoryId = (slug: string): number => crc32(slug);

/** The narrowest listing of the coin's metal, otherwise the narrowest of all. */
function categoryOf({ categories, metal }: Product, slugs: ReadonlySet<string>): string | null {
  const listed = categories.filter((slug) => slugs.has(slug));
  const ofMetal = listed.filter((slug) => slug === metal || slug.startsWith(`${metal}/`));
  const depth = (slug: string) => slug.split("/").length;
  return (ofMetal.length > 0 ? ofMetal : listed).toSorted((a, b) => depth(b) - depth(a) || (a < b ? -1 : 1))[0] ?? null;
}

const maxDescriptionLength = 3_000;

function offer(product: Product, price: number, category: string, publicUrl: string, areRatesDead: boolean): string {
  const canBeBought = product.inStock && !(product.kind === "bullion" && areRatesDead);
  return [
    `<offer id="${product.id}" available="${canBeBought}">`,
    element("name", product.title),
    element("vendor", product.mint ?? product.issuer),
    element("url", `${publicUrl}/products/${product.slug}`),
    element("price", String(price)),
    element("currencyId", "RUB"),
    element("categoryId", String(categoryId(category))),
    ...(["reverse", "obverse"] as const).map((side) =>
      element("picture", `${publicUrl}/_image?url=/media/coins/${product.picture}-${side}.webp&width=640&format=jpeg`),
    ),
    element("description", product.description.slice(0, maxDescriptionLength)),
    element("delivery", "true"),
    element("pickup", "true"),
    ...(product.kind === "bullion" ? [element("sales_notes", "Цена следует за курсом металла")] : []),
    element("country_of_origin", product.country),
    element("weight", (product.totalMassMg / 1_000_000).toFixed(3).replace(/^0\.000$/, "0.001")),
    param("Металл", metalNames[product.metal]),
    param("Проба", String(product.finenessTenths / 10)),
    param("Чистого металла", String(product.pureMassMg / 1000), "г"),
    param("Общая масса", String(product.totalMassMg / 1000), "г"),
    product.diameterMm === null ? "" : param("Диаметр", String(product.diameterMm), "мм"),
    param("Год чеканки", String(product.year)),
    param("Качество", product.quality),
    product.mintage === null ? "" : param("Тираж", String(product.mintage), "шт."),
    "</offer>",
  ]
    .filter((line) => line !== "")
    .join("");
}

const element = (name: string, text: string): string => `<${name}>${xmlText(text)}</${name}>`;
const param = (name: string, value: string, unit?: string): string =>
  `<param name="${xmlText(name)}"${unit ? ` unit="${xmlText(unit)}"` : ""}>${xmlText(value)}</param>`;
