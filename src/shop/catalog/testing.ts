import type { Db } from "#kit/db.ts";
import type { Coin } from "./coin.ts";
import { noPictures } from "./image.ts";
import { salesOf, startSales } from "./editing/edit.repository.ts";
import { categories, coinCategories, coins } from "./tables.ts";

const noon = new Date("2026-11-20T09:00:00Z");

/** A quarter-ounce gold bullion coin unless `values` say otherwise; slug and title follow the id. */
export function aCoin(values: Partial<Coin> & { id: number }): Coin {
  return {
    slug: `coin-${values.id}`,
    title: `Coin ${values.id}`,
    metal: "gold",
    kind: "bullion",
    country: "Россия",
    issuer: "Банк России",
    mint: null,
    year: 2025,
    denominationValue: 50,
    denominationCurrency: "RUB",
    series: null,
    catalogueNumber: null,
    finenessTenths: 9990,
    pureMassMg: 7780,
    totalMassMg: 7890,
    diameterMm: 22.6,
    thicknessMm: 1.6,
    shape: "round",
    lengthMm: null,
    widthMm: null,
    mintage: null,
    quality: "АЦ",
    edge: null,
    artist: null,
    description: "A coin.",
    motif: "st-george",
    premiumBp: 550,
    buybackBp: -450,
    fixedPriceKopecks: null,
    fixedBuybackKopecks: null,
    vatCode: 1,
    purchaseLimit: null,
    popularity: 0,
    featuredPosition: null,
    isPublished: true,
    publishedAt: noon,
    pictures: noPictures,
    hasDrawing: true,
    revision: 0,
    createdAt: noon,
    updatedAt: noon,
    categories: [],
    ...values,
  };
}

/** Writes coins with their categories; missing categories are created with their slug as the title. */
export async function putCoins(db: Db, list: readonly Coin[]): Promise<void> {
  await db.insert(coins).values(list.map(({ categories: _categories, ...row }) => row));
  await startSales(db, salesOf(list));
  const slugs = [...new Set(list.flatMap((coin) => coin.categories))];
  if (slugs.length === 0) return;
  await db
    .insert(categories)
    .values(slugs.map((slug, position) => ({ slug, title: slug, heading: slug, intro: "", parent: null, position })))
    .onConflictDoNothing();
  await db
    .insert(coinCategories)
    .values(list.flatMap((coin) => coin.categories.map((categorySlug) => ({ coinId: coin.id, categorySlug }))));
}
