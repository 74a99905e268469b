/** Writes this module's tables for the seed and the owner's import. No other code imports it. */
import { sql } from "drizzle-orm";
import { chunks } from "#kit/chunks.ts";
import type { Db, Tx } from "#kit/db.ts";
import { whereItDiffers } from "#kit/upsert.ts";
import type { Category } from "./category.ts";
import type { Coin } from "./coin.ts";
import { replaceCategories, salesOf, startSales } from "./edit.repository.ts";
import { categories, coins } from "./tables.ts";

/** Whether the shop has a coin, on sale or not. */
export async function hasCoins(db: Db): Promise<boolean> {
  return (await db.select({ id: coins.id }).from(coins).limit(1)).length > 0;
}

/** Adds listings and updates existing ones. */
export async function writeCategories(tx: Tx, list: readonly Category[]): Promise<void> {
  await tx
    .insert(categories)
    .values([...list])
    .onConflictDoUpdate({ target: categories.slug, ...whereItDiffers(categories, ["slug", "revision"]) });
}

/**
 * Adds coins with their categories, and updates texts and facts of existing ones. Their prices, premiums, popularity and visibility are not
 * changed; a purchase limit is set where a coin has none. Returns how many were added and how many changed.
 */
export async function writeCoins(tx: Tx, list: readonly Coin[]): Promise<{ added: number; changed: number }> {
  const before = new Set((await tx.select({ id: coins.id }).from(coins)).map((row) => row.id));
  let written = 0;
  for (const some of chunks(list, 1000)) written += await upsertCoins(tx, some);
  for (const some of chunks(list, 1000)) await replaceCategories(tx, some);
  const added = list.filter((coin) => !before.has(coin.id));
  await startSales(tx, salesOf(added));
  return { added: added.length, changed: written - added.length };
}

/** Columns that the shop itself changes after the first import. */
const ownedByShop = [
  "premiumBp",
  "buybackBp",
  "fixedPriceKopecks",
  "fixedBuybackKopecks",
  "vatCode",
  "purchaseLimit",
  "popularity",
  "featuredPosition",
  "isPublished",
  "publishedAt",
  "pictures",
  "hasDrawing",
  "revision",
  "createdAt",
];

/** Returns how many rows were added or changed. */
async function upsertCoins(tx: Tx, list: readonly Coin[]): Promise<number> {
  const { set, setWhere } = whereItDiffers(coins, ["id", ...ownedByShop]);
  const isLimitMissing = sql`${coins.purchaseLimit} is null and excluded.purchase_limit is not null`;
  const written = await tx
    .insert(coins)
    .values(list.map(({ categories: _categories, updatedAt: _updatedAt, ...row }) => row))
    .onConflictDoUpdate({
      target: coins.id,
      set: { ...set, purchaseLimit: sql`coalesce(${coins.purchaseLimit}, excluded.purchase_limit)` },
      setWhere: sql`(${setWhere}) or (${isLimitMissing})`,
    })
    .returning({ id: coins.id });
  return written.length;
}
