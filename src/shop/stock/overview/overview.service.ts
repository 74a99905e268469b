import * as catalog from "#shop/catalog/service.ts";
import type { Ctx } from "#shop/context.ts";
import type { LedgerEntry, Level, LevelPart, MetalTotal } from "./overview.ts";
import * as rows from "./overview.repository.ts";

/** The most coins that a text of the search finds. */
const maxFoundCoins = 500;

/** A page of the stock by title. `text`: words of the title, or a number. */
export async function levels(
  ctx: Pick<Ctx, "db" | "settings">,
  { text, ...filter }: { part: LevelPart; metal: "gold" | "silver" | null; text: string; after: number | null; limit: number },
): Promise<Level[]> {
  const ids = text === "" ? null : (await catalog.findByText(ctx.db, text, maxFoundCoins)).map(({ id }) => id);
  return rows.levels(ctx.db, { ...filter, ids, lowAt: lowAtOf(ctx) });
}

/** At most `limit` coins in stock, those with the most metal value first, at these rates of 1/10 000 ₽ per gram (0: not known). */
export const mostValuable = (
  ctx: Pick<Ctx, "db" | "settings">,
  request: { goldE4: number; silverE4: number; limit: number },
): Promise<Level[]> => rows.mostValuable(ctx.db, { ...request, lowAt: lowAtOf(ctx) });

/** One coin of the stock; null: there is no such coin. */
export const level = (ctx: Pick<Ctx, "db" | "settings">, coinId: number): Promise<Level | null> => rows.level(ctx.db, coinId, lowAtOf(ctx));

/** The whole stock by metal. */
export const totals = (ctx: Pick<Ctx, "db">): Promise<MetalTotal[]> => rows.totals(ctx.db);

/** How many coins are low, out of stock, and have pieces of unknown cost. */
export const counts = (ctx: Pick<Ctx, "db" | "settings">): Promise<{ low: number; out: number; withoutCost: number }> =>
  rows.counts(ctx.db, lowAtOf(ctx));

/** The entries of a coin, newest first. `before`: where the page before ended. */
export const ledger = (
  ctx: Pick<Ctx, "db">,
  coinId: number,
  page: { before: { id: number; balance: number } | null; limit: number },
): Promise<LedgerEntry[]> => rows.ledger(ctx.db, coinId, page);

/** Coins by title, for the sheet of a count. */
export const coinIds = (ctx: Pick<Ctx, "db">, choice: { metal: "gold" | "silver" | null; isInStockOnly: boolean }): Promise<number[]> =>
  rows.coinIds(ctx.db, choice);

const lowAtOf = ({ settings }: Pick<Ctx, "settings">): number => settings.limits.lowStockPieces;
