import { and, asc, desc, eq, getTableColumns, gt, inArray, isNotNull, isNull, lt, sql, type SQL } from "drizzle-orm";
import { chunks } from "#kit/concurrency/chunks.ts";
import type { Db, Tx } from "#kit/db.ts";
import { whereItDiffers } from "#kit/upsert.ts";
import type { Coin, Metal } from "../coin.ts";
import { factFields } from "../coin-rules.ts";
import type { CoinPictures } from "../image.ts";
import { coinCategories, coinPictures, coinPreviews, coins, coinSalePeriods } from "../tables.ts";

/** Edits of coins run one after another, so that two editors cannot add one coin twice. Held until the end of the transaction. */
export async function lockEdits(tx: Tx): Promise<void> {
  await tx.execute(sql`select pg_advisory_xact_lock(hashtext('catalog.edit'))`);
}

const identityColumns = {
  id: coins.id,
  slug: coins.slug,
  title: coins.title,
  metal: coins.metal,
  kind: coins.kind,
  country: coins.country,
  mint: coins.mint,
  year: coins.year,
  denominationValue: coins.denominationValue,
  denominationCurrency: coins.denominationCurrency,
  series: coins.series,
  pureMassMg: coins.pureMassMg,
  finenessTenths: coins.finenessTenths,
  quality: coins.quality,
  motif: coins.motif,
  catalogueNumber: coins.catalogueNumber,
} satisfies Partial<Record<keyof Coin, unknown>>;

/** What distinguishes coins, for all coins on sale or not. */
export type CoinIdentity = Pick<Coin, keyof typeof identityColumns>;

export async function readIdentities(db: Db): Promise<CoinIdentity[]> {
  return (await db.select(identityColumns).from(coins).orderBy(asc(coins.id))) as CoinIdentity[];
}

export async function readHighestId(tx: Tx): Promise<number> {
  const [row] = await tx.select({ id: coins.id }).from(coins).orderBy(desc(coins.id)).limit(1);
  return row?.id ?? 0;
}

const rowOf = ({ categories: _categories, updatedAt: _updatedAt, ...row }: Coin) => row;

/** Adds coins with their categories. */
export async function addCoins(tx: Tx, list: readonly Coin[]): Promise<void> {
  for (const some of chunks(list, 1_000))
    await tx.insert(coins).values(some.map((coin) => ({ ...rowOf(coin), updatedAt: sql`clock_timestamp()` })));
  const pairs = list.flatMap((coin) => coin.categories.map((categorySlug) => ({ coinId: coin.id, categorySlug })));
  for (const some of chunks(pairs, 20_000)) await tx.insert(coinCategories).values(some);
}

const notFacts = Object.keys(getTableColumns(coins)).filter((name) => !(factFields as readonly string[]).includes(name));

/** Writes the facts and the revision of existing coins, and their categories; the other columns stay. */
export async function writeFacts(tx: Tx, list: readonly Coin[]): Promise<void> {
  const { set } = whereItDiffers(coins, notFacts);
  for (const some of chunks(list, 1_000))
    await tx
      .insert(coins)
      .values(some.map(rowOf))
      .onConflictDoUpdate({ target: coins.id, set: { ...set, revision: sql`excluded.revision` } });
  for (const some of chunks(list, 1_000)) await replaceCategories(tx, some);
}

/** Makes the categories of these coins exactly the given ones; changed coins count as changed. */
export async function replaceCategories(tx: Tx, list: readonly Coin[]): Promise<void> {
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
  if (moved.size > 0) await touch(tx, inArray(coins.id, [...moved]));
}

/** Marks coins as changed, so that pages are rendered again. */
const touch = (tx: Tx, where: SQL) =>
  tx
    .update(coins)
    .set({ updatedAt: sql`clock_timestamp()` })
    .where(where);

type Change = Partial<Pick<Coin, "isPublished" | "publishedAt" | "featuredPosition">> & { pictures?: CoinPictures };

/** Stores a change of one coin that is not a fact, and counts the revision. */
export async function saveCoin(tx: Tx, id: number, change: Change): Promise<void> {
  await tx
    .update(coins)
    .set({ ...change, revision: sql`${coins.revision} + 1`, updatedAt: sql`clock_timestamp()` })
    .where(eq(coins.id, id));
}

/** Puts coins on sale; the day of the first showing stays. */
export async function publish(tx: Tx, ids: readonly number[], at: Date): Promise<void> {
  for (const some of chunks(ids, 1_000))
    await tx
      .update(coins)
      .set({
        isPublished: true,
        publishedAt: sql`coalesce(${coins.publishedAt}, ${at.toISOString()}::timestamptz)`,
        revision: sql`${coins.revision} + 1`,
        updatedAt: sql`clock_timestamp()`,
      })
      .where(inArray(coins.id, [...some]));
}

/** Imported coins that are on sale are so since their day of publication. */
export const salesOf = (list: readonly Coin[]): { coinId: number; startedAt: Date }[] =>
  list.flatMap(({ id, isPublished, publishedAt, createdAt }) => (isPublished ? [{ coinId: id, startedAt: publishedAt ?? createdAt }] : []));

/** Begins a period on sale for coins that are put on sale. One that a release without periods left open begins again. */
export async function startSales(db: Db, list: readonly { coinId: number; startedAt: Date }[]): Promise<void> {
  for (const some of chunks(list, 1_000))
    await db
      .insert(coinSalePeriods)
      .values([...some])
      .onConflictDoUpdate({
        target: coinSalePeriods.coinId,
        targetWhere: isNull(coinSalePeriods.endedAt),
        set: { startedAt: sql`excluded.started_at` },
      });
}

export async function endSale(tx: Tx, coinId: number, at: Date): Promise<void> {
  await tx
    .update(coinSalePeriods)
    .set({ endedAt: sql`greatest(${coinSalePeriods.startedAt}, ${at.toISOString()}::timestamptz)` })
    .where(and(eq(coinSalePeriods.coinId, coinId), isNull(coinSalePeriods.endedAt)));
}

export type CoinListFilter = {
  ids: readonly number[] | null;
  /** Ids that do not pass. */
  except: ReadonlySet<number> | null;
  metal: string | null;
  kind: string | null;
  isPublished: boolean | null;
  /** Without photographs of both sides. */
  isWithoutPhoto: boolean;
};
const hasBothPhotos = sql`(${coins.pictures} -> 'alts') ?& array['obverse', 'reverse']`;

/** Ids of the coins that pass, the newest entries first, behind the cursor. */
export async function listIds(db: Db, filter: CoinListFilter, before: number | null, limit: number): Promise<number[]> {
  const found = await db
    .select({ id: coins.id })
    .from(coins)
    .where(
      and(
        filter.ids === null ? undefined : sql`${coins.id} = any(${sql.param([...filter.ids])}::int[])`,
        filter.except === null ? undefined : sql`${coins.id} <> all(${sql.param([...filter.except])}::int[])`,
        filter.metal === null ? undefined : eq(coins.metal, filter.metal),
        filter.kind === null ? undefined : eq(coins.kind, filter.kind),
        filter.isPublished === null ? undefined : eq(coins.isPublished, filter.isPublished),
        filter.isWithoutPhoto ? sql`not ${hasBothPhotos}` : undefined,
        before === null ? undefined : lt(coins.id, before),
      ),
    )
    .orderBy(desc(coins.id))
    .limit(limit);
  return found.map(({ id }) => id);
}

/** The words that coins use in these fields, each once. */
export async function readWords(db: Db, field: "country" | "issuer" | "mint" | "quality" | "artist"): Promise<string[]> {
  const column = coins[field];
  const found = await db
    .selectDistinct({ word: column })
    .from(coins)
    .where(sql`${column} is not null`)
    .orderBy(asc(column));
  return found.flatMap(({ word }) => word ?? []);
}

/** The pure masses that coins of one metal and face value have, by value and mass. */
export async function readMasses(db: Db): Promise<{ metal: Metal; currency: string; value: number; pureMassMg: number }[]> {
  const found = await db
    .selectDistinct({
      metal: coins.metal,
      currency: coins.denominationCurrency,
      value: coins.denominationValue,
      pureMassMg: coins.pureMassMg,
    })
    .from(coins)
    .where(and(isNotNull(coins.denominationValue), isNotNull(coins.denominationCurrency)))
    .orderBy(asc(coins.metal), asc(coins.denominationCurrency), asc(coins.denominationValue), asc(coins.pureMassMg));
  return found.flatMap(({ metal, currency, value, pureMassMg }) =>
    currency === null || value === null ? [] : [{ metal: metal as Metal, currency, value, pureMassMg }],
  );
}

/** Places of coins in the beginning of the catalogue, in their order. */
export const readFeatured = (db: Db): Promise<{ id: number; slug: string; title: string; position: number | null }[]> =>
  db
    .select({ id: coins.id, slug: coins.slug, title: coins.title, position: coins.featuredPosition })
    .from(coins)
    .where(sql`${coins.featuredPosition} is not null`)
    .orderBy(asc(coins.featuredPosition), asc(coins.id));

export type CoinPictureRow = typeof coinPictures.$inferSelect;

/** The pictures that show a coin now. */
export const readPictures = (db: Db, coinId: number): Promise<CoinPictureRow[]> =>
  db
    .select()
    .from(coinPictures)
    .where(and(eq(coinPictures.coinId, coinId), isNull(coinPictures.until)));

/** A coin with the picture that shows a side of it at a revision of its pictures, or now. */
export async function readPictureAt(db: Db, { coinId, side, revision }: { coinId: number; side: string; revision: number | null }) {
  const at =
    revision === null
      ? isNull(coinPictures.until)
      : sql`${coinPictures.since} <= ${revision} and coalesce(${coinPictures.until} > ${revision}, true)`;
  const [row] = await db
    .select({ slug: coins.slug, shape: coins.shape, pictures: coins.pictures, photo: coinPictures })
    .from(coins)
    .leftJoin(coinPictures, and(eq(coinPictures.coinId, coins.id), eq(coinPictures.side, side), at))
    .where(eq(coins.id, coinId));
  return row ?? null;
}

/** Ends the current pictures of these sides at `revision`. */
export async function endPictures(tx: Tx, coinId: number, sides: readonly string[], revision: number): Promise<void> {
  await tx
    .update(coinPictures)
    .set({ until: revision })
    .where(and(eq(coinPictures.coinId, coinId), inArray(coinPictures.side, [...sides]), isNull(coinPictures.until)));
}

export async function addPictures(tx: Tx, rows: readonly (typeof coinPictures.$inferInsert)[]): Promise<void> {
  await tx.insert(coinPictures).values([...rows]);
}

export async function addPreview(tx: Tx, row: { draft: unknown; expiresAt: Date }, now: Date): Promise<number> {
  await tx.delete(coinPreviews).where(lt(coinPreviews.expiresAt, now));
  const [added] = await tx.insert(coinPreviews).values(row).returning({ id: coinPreviews.id });
  if (!added) throw new Error("an insert returns its row");
  return added.id;
}

export async function readPreview(db: Db, id: number, now: Date): Promise<unknown> {
  const [row] = await db
    .select({ draft: coinPreviews.draft })
    .from(coinPreviews)
    .where(and(eq(coinPreviews.id, id), gt(coinPreviews.expiresAt, now)));
  return row?.draft ?? null;
}
