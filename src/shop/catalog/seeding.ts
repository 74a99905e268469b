/** Writes this module's tables for the seed. No other code imports it. */
import type { Db, Tx } from "#kit/db.ts";
import { whereItDiffers } from "#kit/upsert.ts";
import type { Category } from "./category.ts";
import type { Coin } from "./coin.ts";
import { addCoins, lockEdits, salesOf, startSales } from "./editing/edit.repository.ts";
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
 * Adds the coins that the shop does not have, with their categories, on sale or not as they say. Existing coins are not changed. Returns
 * those that were added.
 */
export async function addMissingCoins(tx: Tx, list: readonly Coin[]): Promise<Coin[]> {
  await lockEdits(tx); // two processes may begin with one empty database
  const known = new Set((await tx.select({ id: coins.id }).from(coins)).map(({ id }) => id));
  const added = list.filter(({ id }) => !known.has(id));
  await addCoins(tx, added);
  await startSales(tx, salesOf(added));
  return added;
}
