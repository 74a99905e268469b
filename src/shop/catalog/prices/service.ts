import type { Db, Tx } from "#kit/db.ts";
import type { CoinFacets, CoinFilter, PricedRow, PriceWrite, SalePeriod } from "./prices.ts";
import * as rows from "./repository.ts";

/** The coins of a filter with their prices; thousands of rows in one statement. */
export async function pricedCoins(db: Db, filter: CoinFilter): Promise<PricedRow[]> {
  const found = await rows.readPriced(db, filter);
  // Databases lower-case Russian letters differently, so the text is compared here.
  const fold = (words: string): string => words.toLowerCase().replaceAll("ё", "е");
  const words = fold(filter.text ?? "")
    .split(/\s+/)
    .filter((word) => word !== "");
  return words.length === 0 ? found : found.filter(({ title }) => words.every((word) => fold(title).includes(word)));
}

/**
 * For `shop/pricing` only, which adds the price list's version: writes prices where they are still those of `before` and marks the coins as
 * edited. Returns the ids of the changed coins; the others have other prices meanwhile.
 */
export const writePrices = async (tx: Tx, list: readonly PriceWrite[]): Promise<number[]> =>
  list.length === 0 ? [] : rows.writePrices(tx, list);

/** When coins were on sale since `from`, oldest first; a coin that is not on sale now is left out. */
export async function salePeriods(db: Db, ids: readonly number[], from: Date): Promise<Map<number, SalePeriod[]>> {
  return Map.groupBy(await rows.salePeriods(db, ids, from), ({ coinId }) => coinId);
}

/** For `shop/pricing` only: counts the days on sale of coins from this moment on, because their price follows other facts than before. */
export const restartSales = async (tx: Tx, ids: readonly number[], at: Date): Promise<void> =>
  ids.length === 0 ? undefined : rows.restartSales(tx, ids, at);

/** What coins can be filtered by. */
export const facets = (db: Db): Promise<CoinFacets> => rows.readFacets(db);
