import { inTransaction, type Tx } from "#kit/db.ts";
import { done, fail, type Result } from "#kit/result.ts";
import { actorText } from "#shop/actor.ts";
import type { Ctx } from "#shop/context.ts";
import * as documents from "../documents/document.service.ts";
import * as stockRows from "../repository.ts";
import type { CoinCount, Stocktake, StocktakeError, StocktakeHead } from "./stocktake.ts";
import * as rows from "./stocktake.repository.ts";

type StocktakeCtx = Pick<Ctx, "db" | "now" | "actor">;

/**
 * Pieces of coins that are in the sealed bags of packed orders: on hand for the ledger, and not on the shelf. Passed in by the caller,
 * because this module does not import that of orders.
 */
export type PackedPieces = (tx: Tx, coinIds: readonly number[]) => Promise<Map<number, number>>;

/** Stocktakes without their lines, newest first. */
export const list = (ctx: Pick<Ctx, "db">, page: { before: number | null; limit: number }): Promise<StocktakeHead[]> =>
  rows.page(ctx.db, page);
/** A stocktake with its lines; null: there is none. */
export const find = (ctx: Pick<Ctx, "db">, id: number): Promise<Stocktake | null> => rows.find(ctx.db, id);

/** Starts a count of these coins, in this order. */
export const start = (ctx: StocktakeCtx, title: string, coinIds: readonly number[]): Promise<{ id: number }> =>
  inTransaction(ctx.db, async (tx) => ({
    id: await rows.insert(tx, { title, createdAt: ctx.now(), createdBy: actorText(ctx.actor) }, coinIds),
  }));

/**
 * Stores pieces that were counted, and beside them what the ledger has on the shelf at this moment, so that sales before and after the
 * count make no difference. Returns what is counted of the coin by now, never what was expected. Several devices may count at once.
 */
export function count(
  ctx: StocktakeCtx,
  id: number,
  { coinId, quantity, mode }: CoinCount,
  packed: PackedPieces,
): Promise<Result<{ counted: number }, StocktakeError>> {
  return inTransaction(ctx.db, async (tx) => {
    const state = await rows.lockForCount(tx, id);
    if (state === null) return fail({ code: "stock.not_found" });
    if (state !== "counting") return fail({ code: "stock.stocktake_ended" });
    if (!(await stockRows.existingCoins(tx, [coinId])).has(coinId)) return fail({ code: "stock.not_on_sheet" });
    const locked = await stockRows.lockRows(tx, [coinId]);
    const expected = (locked.get(coinId)?.pieces ?? 0) - ((await packed(tx, [coinId])).get(coinId) ?? 0);
    const store = mode === "add" ? rows.addCount : rows.setCount;
    const counted = await store(tx, { stocktakeId: id, coinId, quantity, expected, at: ctx.now(), by: actorText(ctx.actor) });
    return counted === null ? fail({ code: "stock.not_on_sheet" }) : done({ counted });
  });
}

/**
 * Ends a count; its differences become the draft of a correction, which is posted with an approval. Coins that were not counted are left
 * out. Refuses with `stock.count_again` and the coins of which pieces moved while they were counted piece by piece. Idempotent.
 */
export function finish(ctx: StocktakeCtx, id: number): Promise<Result<{ documentId: number | null }, StocktakeError>> {
  return inTransaction(ctx.db, async (tx) => {
    const state = await rows.lockForEnd(tx, id);
    const stocktake = await rows.find(tx, id);
    if (state === null || !stocktake) return fail({ code: "stock.not_found" });
    if (state === "finished") return done({ documentId: stocktake.documentId });
    if (state !== "counting") return fail({ code: "stock.stocktake_ended" });
    if (stocktake.countedLines === 0) return fail({ code: "stock.nothing_counted" });
    const moved = stocktake.lines.filter(({ hasMoved }) => hasMoved).map(({ coinId }) => coinId);
    if (moved.length > 0) return fail({ code: "stock.count_again", coinIds: moved });
    await rows.end(tx, id, { state: "finished", at: ctx.now(), by: actorText(ctx.actor) });
    const lines = stocktake.lines.flatMap(({ coinId, counted, expected }) =>
      counted === null || expected === null || counted === expected ? [] : [{ coinId, quantity: counted - expected, unitCost: null }],
    );
    if (lines.length === 0) return done({ documentId: null });
    const note = `Инвентаризация ${id}: ${stocktake.title}`;
    const made = await documents.create(
      { ...ctx, db: tx },
      { kind: "correction", supplier: "", number: "", date: null, note, lines },
      { stocktakeId: id },
    );
    if (!made.ok) throw new Error(`stocktake ${id}: ${made.error.code}`);
    return done({ documentId: made.value.id });
  });
}

/** Ends a count without a result. Idempotent. */
export function cancel(ctx: StocktakeCtx, id: number): Promise<Result<void, StocktakeError>> {
  return inTransaction(ctx.db, async (tx) => {
    const state = await rows.lockForEnd(tx, id);
    if (state === null) return fail({ code: "stock.not_found" });
    if (state === "finished") return fail({ code: "stock.stocktake_ended" });
    if (state === "counting") await rows.end(tx, id, { state: "cancelled", at: ctx.now(), by: actorText(ctx.actor) });
    return done(undefined);
  });
}
