import { coinsOf } from "../../../db/seed/import-coins.ts";
import { seedCategories, seedCoinRows, seedSynonyms } from "../../../db/seed/seed.ts";
import type { PriceList } from "#shop/pricing/price.ts";
import { createCatalogueIndex, createPriceIndex, type CatalogueIndex } from "./catalogue-index.ts";
import type { ReadModel } from "./read-model.service.ts";

const at = new Date("2026-11-20T09:00:00Z");

export const openingList: PriceList = { version: 1, goldE4: 110_426_000, silverE4: 1_314_800, ratesAt: at, madeAt: at, isStale: false, isDead: false };

/** The index of the real catalogue, built from the seed's files without a database. */
export const realCatalogue = (): CatalogueIndex =>
  createCatalogueIndex({ coins: coinsOf(seedCoinRows(), at), categories: seedCategories(), articles: [], synonyms: seedSynonyms() });

/** The same with prices at the opening rates and the stock of the seed. */
export function realModel(): ReadModel {
  const catalogue = realCatalogue();
  const stock = new Map(seedCoinRows().map((row) => [row.id, row.stock]));
  return { catalogue, pricing: createPriceIndex(catalogue.coins, openingList), available: Int32Array.from(catalogue.coins, (coin) => stock.get(coin.id) ?? 0) };
}
