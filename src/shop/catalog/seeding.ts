/** Writes this module's tables for the seed and the owner's import. No other code imports it. */
import { inArray, sql } from "drizzle-orm";
import { chunks } from "#kit/chunks.ts";
import type { Db, Tx } from "#kit/db.ts";
import { whereItDiffers } from "#kit/upsert.ts";
import type { Category } from "./category.ts";
import type { Coin } from "./coin.ts";
import { categories, coinCategories, coins } from "./tables.ts";

/** Whether the shop has a coin, on sale or not. */
export async function hasCoins(db: Db): Promise<boolean> {
  return (await db.select({ id: coins.id }).from(coins).limit(1)).length > 0;
}

/** Adds listings and updates existing ones. */
export async function writeCategories(tx: Tx, list: readonly Category[]): Promise<void> {
  await tx
    .insert(categories)
    .values([...list])
    .onConflictDoUpdate({ target: categories.slug, ...whereItDiffers(categories, ["slug"]) });
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
  const added = list.filter((coin) => !before.has(coin.id)).length;
  return { added, changed: written - added };
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
  "isPublished",
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

async function replaceCategories(tx: Tx, list: readonly Coin[]): Promise<void> {
  const wanted = list.flatMap((coin) => coin.categories.map((categorySlug) => ({ coinId: coin.id, categorySlug })));
  const key = (pair: { coinId: number; categorySlug: string }) => `${pair.coinId} ${pair.categorySlug}`;
  const had = await tx
    .select()
    .from(coinCategories)
    .where(
      inArray(
        coinCategories.coinId,
        list.map((coin) => coin.id),
      ),
    );
  const keep = new Set(wanted.map(key));
  const known = new Set(had.map(key));
  const stale = had.filter((pair) => !keep.has(key(pair)));
  const fresh = wanted.filter((pair) => !known.has(key(pair)));
  if (stale.length > 0) {
    const pairs = sql.join(
      stale.map((pair) => sql`(${pair.coinId}::integer, ${pair.categorySlug}::text)`),
      sql`, `,
    );
    await tx.delete(coinCategories).where(sql`(${coinCategories.coinId}, ${coinCategories.categorySlug}) in (${pairs})`);
  }
  for (const some of chunks(fresh, 20_000)) await tx.insert(coinCategories).values(some);
  const moved = new Set([...stale, ...fresh].map((pair) => pair.coinId));
  if (moved.size > 0)
    await tx
      .update(coins)
      .set({ updatedAt: sql`clock_timestamp()` })
      .where(inArray(coins.id, [...moved]));
}
