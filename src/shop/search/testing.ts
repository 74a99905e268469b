import { readFileSync } from "node:fs";
import { join } from "node:path";
import { seedCategories, seedSynonyms } from "../../../db/seed/seed.ts";
import { coinsOf, seedCoins } from "../../../db/seed/seed-coins.ts";
import type { PriceList } from "#shop/pricing/price.ts";
import { createCatalogueIndex, createPriceIndex, type CatalogueIndex } from "./index/catalogue-index.ts";
import type { Correction } from "./listing.ts";
import { createResults, type ReadModel } from "./index/read-model.service.ts";

const at = new Date("2026-11-20T09:00:00Z");

const openingList: PriceList = {
  version: 1,
  goldE4: 110_426_000,
  silverE4: 1_314_800,
  ratesAt: at,
  madeAt: at,
  isStale: false,
  isDead: false,
};

/** The index of the real catalogue, built from the seed's files without a database. */
export const realCatalogue = async (): Promise<CatalogueIndex> =>
  createCatalogueIndex({ coins: coinsOf(await seedCoins(at)), categories: seedCategories(), articles: [], synonyms: seedSynonyms() });

/** The same with prices at the opening rates and the stock of the seed. */
export async function realModel(): Promise<ReadModel> {
  const catalogue = await realCatalogue();
  const stock = new Map((await seedCoins(at)).map(({ coin, pieces }) => [coin.id, pieces]));
  return {
    catalogue,
    pricing: await createPriceIndex(catalogue.coins, openingList),
    available: Int32Array.from(catalogue.coins, (coin) => stock.get(coin.id) ?? 0),
    ...createResults(),
  };
}

/**
 * The expected result of a query, as patterns of slugs: `first` for the first coin, `top` for the first three (or all, when fewer are
 * found), `total` where the number is certain. `intent`: the expected prepared list; absent for a query that names coins.
 */
type JudgedQuery = {
  level: "easy" | "medium" | "hard" | "none";
  query: string;
  first?: string;
  top?: string;
  total?: number;
  corrected?: string;
  none?: true;
  intent?: string;
};

/** The differences between a result and the expected one; empty when it is right. */
export function judge(judged: JudgedQuery, slugs: readonly string[], corrected: Correction | null, intent?: string): string[] {
  const wrong: string[] = [];
  if (judged.intent !== intent) wrong.push(`understood as ${intent ?? "coins"}`);
  if (judged.none) return slugs.length === 0 ? wrong : [...wrong, `found ${slugs.length}, ${slugs[0]}`];
  if (slugs.length === 0) wrong.push("found nothing");
  const { first, top, total } = judged;
  if (first !== undefined && !new RegExp(first).test(slugs[0] ?? "")) wrong.push(`first is ${slugs[0]}`);
  if (top !== undefined) for (const slug of slugs.slice(0, 3)) if (!new RegExp(top).test(slug)) wrong.push(`${slug} among the first three`);
  if (total !== undefined && slugs.length !== total) wrong.push(`found ${slugs.length} instead of ${total}`);
  if (judged.corrected !== undefined && corrected?.to !== judged.corrected) wrong.push(`corrected to ${corrected?.to}`);
  return wrong;
}

/** Queries over the real catalogue, from easy to hard, each with its expected result. */
export const judgedQueries = (): JudgedQuery[] =>
  JSON.parse(readFileSync(join(import.meta.dirname, "judged-queries.json"), "utf8")) as JudgedQuery[];
