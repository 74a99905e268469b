import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { inTransaction } from "#kit/db.ts";
import type { Category } from "#shop/catalog/category.ts";
import * as coinSeeding from "#shop/catalog/seeding.ts";
import type { Ctx } from "#shop/context.ts";
import { checkFirstCoins, readFirstCoins } from "#shop/exchange/seeding.ts";
import * as searchSeeding from "#shop/search/seeding.ts";
import { addMissingPages, addMissingParts, importContent, importPages } from "./import-content.ts";
import { seedCities } from "./seed-cities.ts";
import { addSeedCoins, onSale, seedTables } from "./seed-coins.ts";

/**
 * Fills an empty shop with the big cities, its categories, search synonyms, texts and, last, 379 coins with their stock: tables that the
 * exchange could have written, judged like an import. Done once: a shop that has a coin is not changed, except for documents and parts of
 * the site that it does not have. An interrupted first start begins again.
 */
export async function seed(ctx: Pick<Ctx, "db" | "now" | "actor">, { progress }: { progress: (done: string) => void }): Promise<void> {
  if (await coinSeeding.hasCoins(ctx.db)) {
    return inTransaction(ctx.db, async (tx) => {
      await addMissingPages(tx, seedDocuments());
      await addMissingParts(tx, read("site.json"));
    });
  }
  const categoryRows = seedCategories();
  const synonymRows = seedSynonyms();
  await inTransaction(ctx.db, async (tx) => {
    await coinSeeding.writeCategories(tx, categoryRows);
    await searchSeeding.addMissingSynonyms(tx, synonymRows);
  });
  progress(`${categoryRows.length} categories, ${synonymRows.length} synonyms`);

  progress(`${await seedCities(ctx)} cities`);

  const content = await inTransaction(ctx.db, (tx) => importContent(tx, read("content.json")));
  progress(`${content.entries} texts, ${content.reviews} reviews`);

  const own = await inTransaction(ctx.db, (tx) => importPages(tx, seedDocuments(), read("redirects.json")));
  const parts = await inTransaction(ctx.db, (tx) => addMissingParts(tx, read("site.json")));
  progress(`${own.pages} documents, ${own.redirects} redirects, ${parts} parts of the site`);

  const coins = await readFirstCoins(await seedTables());
  await checkFirstCoins(ctx, coins);
  progress(`${await addSeedCoins(ctx, onSale(coins, ctx.now()))} coins`);
}

export const seedCategories = (): Category[] => categoryFile.parse(read("categories.json")).map((row, position) => ({ ...row, position }));
export const seedSynonyms = (): { phrase: string; meaning: string }[] => synonymFile.parse(read("synonyms.json"));

/** The texts of the documents, as stored in files. */
export const seedDocuments = (): string[] => {
  const folder = join(import.meta.dirname, "documents");
  return readdirSync(folder)
    .sort()
    .map((name) => readFileSync(join(folder, name), "utf8"));
};

const categoryFile = z.array(
  z.strictObject({
    slug: z.string().min(1),
    parent: z.string().nullable(),
    title: z.string().min(1),
    heading: z.string().min(1),
    intro: z.string().min(1),
  }),
);
const synonymFile = z.array(z.strictObject({ phrase: z.string().min(1), meaning: z.string().min(1) }));

const read = (name: string): unknown => JSON.parse(readFileSync(join(import.meta.dirname, "data", name), "utf8"));
