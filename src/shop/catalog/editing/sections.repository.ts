import { asc, count, eq, sql } from "drizzle-orm";
import type { Db, Tx } from "#kit/db.ts";
import type { CategoryRecord, Series } from "../category.ts";
import { categories, coinCategories, coins, coinSeries } from "../tables.ts";

const now = sql`clock_timestamp()`;

/** All categories in menu order, each with the number of coins named in it, on sale or not. */
export async function readCategoryRecords(db: Db): Promise<CategoryRecord[]> {
  const { slug, title, heading, intro, parent, position, revision } = categories;
  const coinCount = sql<number>`(select count(*)::int from ${coinCategories} where ${coinCategories.categorySlug} = ${categories.slug})`;
  return db
    .select({ slug, title, heading, intro, parent, position, revision, coinCount })
    .from(categories)
    .orderBy(asc(position), asc(slug));
}

export async function addCategory(tx: Tx, row: typeof categories.$inferInsert): Promise<void> {
  await tx.insert(categories).values({ ...row, updatedAt: now });
}

type CategoryTexts = Pick<typeof categories.$inferSelect, "title" | "heading" | "intro" | "parent">;
export async function saveCategory(tx: Tx, slug: string, texts: CategoryTexts): Promise<void> {
  await tx
    .update(categories)
    .set({ ...texts, revision: sql`${categories.revision} + 1`, updatedAt: now })
    .where(eq(categories.slug, slug));
}

export async function deleteCategory(tx: Tx, slug: string): Promise<void> {
  await tx.delete(categories).where(eq(categories.slug, slug));
}

/** Positions by the order of `slugs`; categories that stay in place are not written. */
export async function placeCategories(tx: Tx, slugs: readonly string[]): Promise<void> {
  const order = sql`unnest(${sql.param([...slugs])}::text[]) with ordinality as placed(slug, place)`;
  await tx.execute(
    sql`update ${categories} set position = placed.place - 1, updated_at = clock_timestamp()
      from ${order} where ${categories.slug} = placed.slug and ${categories.position} <> placed.place - 1`,
  );
}

/** Series that coins name or that have a text, in their order; those without a place follow by name. */
export async function readSeries(db: Db): Promise<Series[]> {
  const used = db
    .select({ name: coins.series, n: count().as("n") })
    .from(coins)
    .where(sql`${coins.series} is not null`)
    .groupBy(coins.series)
    .as("used");
  const found = await db
    .select({
      name: sql<string>`coalesce(${coinSeries.name}, ${used.name})`,
      body: sql<string>`coalesce(${coinSeries.body}, '')`,
      position: coinSeries.position,
      revision: sql<number>`coalesce(${coinSeries.revision}, 0)`,
      coinCount: sql<number>`coalesce(${used.n}, 0)::int`,
    })
    .from(coinSeries)
    .fullJoin(used, eq(used.name, coinSeries.name));
  const collator = new Intl.Collator("ru");
  return found.toSorted((a, b) => (a.position ?? Infinity) - (b.position ?? Infinity) || collator.compare(a.name, b.name));
}

/** Texts and places of series, without counting coins. */
export const readSeriesTexts = (db: Db): Promise<{ name: string; body: string }[]> =>
  db.select({ name: coinSeries.name, body: coinSeries.body }).from(coinSeries).orderBy(asc(coinSeries.position), asc(coinSeries.name));

/** Writes a series; a name that coins use without a row gets one, behind the others. */
export async function writeSeries(tx: Tx, name: string, body: string): Promise<void> {
  await tx
    .insert(coinSeries)
    .values({ name, body, position: sql`(select coalesce(max(position), -1) + 1 from ${coinSeries})`, revision: 1, updatedAt: now })
    .onConflictDoUpdate({ target: coinSeries.name, set: { body, revision: sql`${coinSeries.revision} + 1`, updatedAt: now } });
}

/** Gives a series another name, with all of its coins. */
export async function renameSeries(tx: Tx, from: string, to: string): Promise<void> {
  await tx.update(coinSeries).set({ name: to, updatedAt: now }).where(eq(coinSeries.name, from));
  await tx
    .update(coins)
    .set({ series: to, revision: sql`${coins.revision} + 1`, updatedAt: now })
    .where(eq(coins.series, from));
}

export async function placeSeries(tx: Tx, names: readonly string[]): Promise<void> {
  const order = sql`unnest(${sql.param([...names])}::text[]) with ordinality as placed(name, place)`;
  await tx.execute(
    sql`insert into ${coinSeries} (name, position, updated_at) select placed.name, placed.place - 1, clock_timestamp() from ${order}
      on conflict (name) do update set position = excluded.position, updated_at = excluded.updated_at
      where coin_series.position <> excluded.position`,
  );
}

export async function deleteSeries(tx: Tx, name: string): Promise<void> {
  await tx.delete(coinSeries).where(eq(coinSeries.name, name));
}
