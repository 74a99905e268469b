import type { QueryBatch, Db, IdQuery } from "#kit/db.ts";
import type { Ctx } from "#shop/context.ts";
import type { Category } from "./category.ts";
import type { Coin } from "./coin.ts";
import * as rows from "./repository.ts";

/** All coins on sale, by id. Thousands of rows: for read models and feeds, not for a page. */
export const allCoins = (ctx: Ctx): Promise<Coin[]> => rows.readPublished(ctx.db);

/** The coins among `ids`, by id, including coins taken off sale (old orders and carts refer to them). Unknown ids are left out. */
export const coinsByIds = (db: Db, ids: readonly number[]): Promise<Coin[]> => rows.readByIds(db, ids);
/** The coins whose ids a query finds, but not those of `except`. */
export const coinsInBatch = (db: Db, ids: IdQuery, { except }: { except: readonly number[] }): QueryBatch<Coin[]> =>
  rows.inBatch(db, ids, except);
/** The same, read at once. */
export const coinsIn = (db: Db, ids: IdQuery, { except }: { except: readonly number[] }): Promise<Coin[]> => rows.readIn(db, ids, except);
/** A query of `is_published` and `purchase_limit` of one coin, as a part of another module's statement. */
export const saleTermsOf = rows.saleTermsOf;
/** Whether a coin is on sale, as a condition of another module's statement. */
export const isOnSale = rows.isOnSale;
/** `coinsByIds` as a part of another module's round trip. */
export const coinsByIdsBatch = (db: Db, ids: readonly number[]): QueryBatch<Coin[]> => rows.byIdsBatch(db, ids);

/** Titles of all coins on sale, by id, for matching typed names in code: databases lower-case Russian letters differently. */
export const titles = async (db: Db): Promise<{ id: number; title: string }[]> =>
  (await rows.readTitles(db)).filter(({ isPublished }) => isPublished);

/**
 * Coins with this id or number of the central bank, or whose title contains all the words; ё counts as е. Also coins that are off sale,
 * because staff receives and counts them.
 */
export const findByText = (db: Db, text: string, limit: number): Promise<Coin[]> => find(db, text, limit, () => true);
/** The same among coins on sale. */
export const findOnSale = (db: Db, text: string, limit: number): Promise<Coin[]> => find(db, text, limit, (coin) => coin.isPublished);

async function find(db: Db, text: string, limit: number, isWanted: (coin: { isPublished: boolean }) => boolean): Promise<Coin[]> {
  if (/^[\d-]{1,15}$/.test(text)) return (await rows.readByNumber(db, text)).filter(isWanted).slice(0, limit);
  const fold = (words: string): string => words.toLowerCase().replaceAll("ё", "е");
  const words = fold(text).split(/\s+/);
  const titled = (await rows.readTitles(db)).filter(isWanted);
  const found = titled.filter(({ title }) => words.every((word) => fold(title).includes(word)));
  return rows.readByIds(
    db,
    found.slice(0, limit).map(({ id }) => id),
  );
}

/** Titles by slug, of coins that are not published too. */
export async function titlesBySlugs(db: Db, slugs: readonly string[]): Promise<Map<string, string>> {
  const found = slugs.length === 0 ? [] : await rows.readTitlesBySlugs(db, [...new Set(slugs)]);
  return new Map(found.map(({ slug, title }) => [slug, title]));
}

/** Whether each of the coins is on sale, by slug; unknown slugs are left out. */
export async function onSaleBySlugs(db: Db, slugs: readonly string[]): Promise<Map<string, boolean>> {
  const found = slugs.length === 0 ? [] : await rows.readSaleBySlugs(db, [...new Set(slugs)]);
  return new Map(found.map(({ slug, isPublished }) => [slug, isPublished]));
}

/** A coin on sale by its slug; null if there is none or it was taken off sale. */
export async function coinBySlug(ctx: Ctx, slug: string): Promise<Coin | null> {
  const [coin] = await rows.readBySlug(ctx.db, slug);
  return coin?.isPublished ? coin : null;
}

/** All listings under /catalog in menu order. */
export const categories = (ctx: Pick<Ctx, "db">): Promise<Category[]> => rows.readCategories(ctx.db);

/**
 * A version that changes with each edit of a coin or category, as a part of another statement. A sum over all coins: a hundred thousand
 * take the database 40 ms.
 */
export const version = rows.version;
/** Changes with each edit like `version`, and is cheap enough to read every second. It may miss an edit that was committed very late. */
export const newestEdits = rows.newestEdits;

/** The coins with this code: its catalogue number, which several coins may share, or the article, which is the coin's id. */
export const coinsByCode = (db: Db, code: string): Promise<Coin[]> => rows.readByCode(db, code);
