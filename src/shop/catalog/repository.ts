import { asc, eq, getTableColumns, inArray, sql, type SQL } from "drizzle-orm";
import { batch, pipeline, type QueryBatch, type Db, type Expression, type IdQuery } from "#kit/db.ts";
import { newestMarks, tableVersion } from "#kit/table-version.ts";
import type { Category } from "./category.ts";
import type { Coin, CoinKind, Metal } from "./coin.ts";
import { categories, coinCategories, coins, coinSeries } from "./tables.ts";

const categorySlugs = sql<string[]>`coalesce((select array_agg(${coinCategories.categorySlug} order by ${coinCategories.categorySlug})
  from ${coinCategories} where ${coinCategories.coinId} = ${coins.id}), '{}')`;

const select = (db: Db, where: SQL) =>
  db
    .select({ ...getTableColumns(coins), categories: categorySlugs })
    .from(coins)
    .where(where)
    .orderBy(asc(coins.id));

/** The table's checks allow only these metals and kinds. */
const toCoins = (rows: Awaited<ReturnType<typeof select>>): Coin[] =>
  rows.map((row) => ({ ...row, metal: row.metal as Metal, kind: row.kind as CoinKind }));

const read = async (db: Db, where: SQL): Promise<Coin[]> => toCoins(await select(db, where));

/**
 * Makes equal texts of many coins one text in memory: the driver makes a new one for each row, and few mints strike a hundred thousand
 * coins.
 */
function createSharing(): (coin: Coin) => Coin {
  const known = new Map<string, unknown>();
  const one = <T>(value: T, key: string = String(value)): T => {
    if (!known.has(key)) known.set(key, value);
    return known.get(key) as T;
  };
  return (coin) => ({
    ...coin,
    country: one(coin.country),
    issuer: one(coin.issuer),
    mint: coin.mint && one(coin.mint),
    denominationCurrency: coin.denominationCurrency && one(coin.denominationCurrency),
    series: coin.series && one(coin.series),
    shape: coin.shape && one(coin.shape),
    quality: one(coin.quality),
    edge: coin.edge && one(coin.edge),
    artist: coin.artist && one(coin.artist),
    motif: one(coin.motif),
    pictures: one(coin.pictures, JSON.stringify(coin.pictures)),
    categories: one(coin.categories, `${coin.categories.join(",")},`),
  });
}

/** Coins of one statement: a hundred thousand take longer than a statement may. */
const partSize = 2_000;
/** All coins on sale, by id. What is edited meanwhile changes the catalogue's version, so it is read again. */
export async function readPublished(db: Db): Promise<Coin[]> {
  const parts: Coin[][] = [];
  const share = createSharing();
  for (let last: Coin | undefined; ;) {
    const where = sql`${coins.isPublished} and ${coins.id} > ${last?.id ?? 0}`;
    const part = toCoins(await select(db, where).limit(partSize)).map(share);
    parts.push(part);
    if (part.length < partSize) return parts.flat();
    last = part.at(-1);
  }
}
export const readByIds = (db: Db, ids: readonly number[]): Promise<Coin[]> =>
  ids.length === 0 ? Promise.resolve([]) : read(db, inArray(coins.id, [...ids]));
/** A coin that exists, in a transaction that has locked it. Throws when it does not. */
export async function readExisting(db: Db, id: number): Promise<Coin> {
  const [coin] = await readByIds(db, [id]);
  if (!coin) throw new Error(`coin ${id} is gone`);
  return coin;
}
/** Coins with this id or with this number of the central bank. */
export const readByNumber = (db: Db, text: string): Promise<Coin[]> => {
  const isId = /^[1-9]\d{0,8}$/.test(text);
  return read(db, isId ? sql`(${coins.id} = ${Number(text)} or ${coins.catalogueNumber} = ${text})` : eq(coins.catalogueNumber, text));
};
export const byIdsBatch = (db: Db, ids: readonly number[]): QueryBatch<Coin[]> =>
  batch([select(db, inArray(coins.id, [...ids]))], ([rows]) => toCoins(rows));
export const inBatch = (db: Db, ids: IdQuery, except: readonly number[]): QueryBatch<Coin[]> =>
  batch([select(db, sql`${coins.id} in ${ids} and ${coins.id} <> all(${sql.param([...except])}::int[])`)], ([rows]) => toCoins(rows));
export async function readIn(db: Db, ids: IdQuery, except: readonly number[]): Promise<Coin[]> {
  const [found] = await pipeline([inBatch(db, ids, except)]);
  return found;
}
/** Whether a coin is on sale and its purchase limit, as a part of another module's statement; no row for an unknown coin. */
export const saleTermsOf = (coinId: SQL): SQL => sql`(select is_published, purchase_limit from coins where id = ${coinId})`;
/** Whether a coin is on sale, as a condition of another module's statement. */
export const isOnSale = (coinId: SQL): SQL => sql`exists (select 1 from coins where coins.id = ${coinId} and coins.is_published)`;
/** By id, or by catalogue number, which is compared without spaces and in upper case. */
export const readByCode = (db: Db, code: string): Promise<Coin[]> =>
  read(db, /^[1-9]\d{0,8}$/.test(code) ? sql`(${hasCatalogueNumber(code)} or ${coins.id} = ${Number(code)})` : hasCatalogueNumber(code));
const hasCatalogueNumber = (code: string): SQL => sql`upper(replace(${coins.catalogueNumber}, ' ', '')) = ${code}`;
export const readTitles = (db: Db): Promise<{ id: number; title: string; isPublished: boolean }[]> =>
  db.select({ id: coins.id, title: coins.title, isPublished: coins.isPublished }).from(coins).orderBy(asc(coins.id));
export const readTitlesBySlugs = (db: Db, slugs: readonly string[]): Promise<{ slug: string; title: string }[]> =>
  db
    .select({ slug: coins.slug, title: coins.title })
    .from(coins)
    .where(inArray(coins.slug, [...slugs]));
export const readSaleBySlugs = (db: Db, slugs: readonly string[]): Promise<{ slug: string; isPublished: boolean }[]> =>
  db
    .select({ slug: coins.slug, isPublished: coins.isPublished })
    .from(coins)
    .where(inArray(coins.slug, [...slugs]));
export const readBySlug = (db: Db, slug: string): Promise<Coin[]> => read(db, eq(coins.slug, slug));

export function readCategories(db: Db): Promise<Category[]> {
  const { slug, title, heading, intro, parent, position } = categories;
  return db.select({ slug, title, heading, intro, parent, position }).from(categories).orderBy(asc(position), asc(slug));
}

const sectionsVersion = sql`${tableVersion(categories)} || ' ' || ${tableVersion(coinSeries)}`;

/** A short version string that changes with each edit of a coin, category or series. */
export const version: Expression = sql`(${tableVersion(coins)} || ' ' || ${sectionsVersion})`;

/** An import of more coins than this that ends late may be seen by `version` only. */
const markedCoins = 2_000;

/** Changes with each edit like `version`, but reads at most two thousand coins; see `newestMarks` for what it may miss. */
export const newestEdits: Expression = sql`(${newestMarks(coins, markedCoins)} || ' ' || ${sectionsVersion})`;
