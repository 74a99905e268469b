import { inTransaction, type QueryBatch, type Db, type IdQuery, type Tx } from "#kit/db.ts";
import { kopecks, times, type Kopecks } from "#kit/money.ts";
import { done, fail, type Result } from "#kit/result.ts";
import { actorText } from "#shop/actor.ts";
import type { Ctx } from "#shop/context.ts";
import { noCost, takeOut, type MovedCost } from "./cost.ts";
import * as rows from "./repository.ts";
import { inLockOrder, type EntryKind, type ShortItem, type StockError, type StockLevels, type StockLine } from "./stock.ts";

/** What a stock entry records besides its pieces: its time and its actor. */
export type EntryContext = Pick<Ctx, "now" | "actor">;
const stamp = (ctx: EntryContext) => ({ at: ctx.now(), actor: actorText(ctx.actor) });

/** The available pieces that changed since an earlier read, as a part of another statement, for `readChanges`. */
export const changesSince = rows.changesSince;
/** The pieces by coin that `changesSince` found, and from where the next read goes on. */
export const readChanges = rows.readChanges;

/** Available pieces (on hand − reserved) of these coins, or of all. A coin without a stock row is absent from the map: read it as 0. */
export function available(db: Db, ids?: readonly number[]): Promise<Map<number, number>> {
  return rows.readAvailable(db, ids);
}

/** Pieces on hand of these coins, reserved ones included. A coin without a stock row is absent from the map: read it as 0. */
export const onHand = (db: Db, ids: readonly number[]): Promise<Map<number, number>> => rows.readOnHand(db, ids);

/** When pieces of these coins came or left last, of what happened after a time; coins without such a move are absent. */
export const lastMoves = (db: Db, ids: readonly number[], after: Date): Promise<Map<number, Date>> => rows.readLastMoves(db, ids, after);

/** `ids`: the coins, or a query of their ids. */
export const availableBatch = (db: Db, ids: readonly number[] | IdQuery): QueryBatch<Map<number, number>> => rows.availableBatch(db, ids);

/** Available pieces of one coin, as a part of another module's statement. */
export const availableOf = rows.availableOf;

/** Pieces on hand and available of these coins, as a part of another module's statement, for `readLevels`; read without locks. */
export const levelsOf = rows.levelsOf;
/** What `levelsOf` found. */
export const readLevels = rows.readLevels;

/** All coins that are short at these levels, sorted by id. */
export function shortOf(lines: readonly StockLine[], known: StockLevels): ShortItem[] {
  return inLockOrder(lines).flatMap(({ coinId, quantity }) => {
    const free = known.get(coinId)?.available ?? 0;
    return free < quantity ? [{ id: coinId, available: free }] : [];
  });
}

/** Fewer pieces were available than a reservation needs. The transaction has failed. */
class OutOfStockError extends Error {
  readonly lines: readonly StockLine[];
  readonly refused: StockLine;
  constructor(lines: readonly StockLine[], refused: StockLine) {
    super(`coin ${refused.coinId}: fewer than ${refused.quantity} pieces are available`);
    this.lines = lines;
    this.refused = refused;
  }
}

/**
 * Reserves all lines, or fails together with the transaction when too few pieces are available, so that `commit` may be sent with it; see
 * `shortageOf`.
 */
export function reserveBatch(tx: Tx, lines: readonly StockLine[]): QueryBatch<void> {
  const sorted = inLockOrder(lines);
  return rows.reserveBatch(tx, sorted, (refused) => new OutOfStockError(sorted, refused));
}

/**
 * The refusal `order.stock_short` of a failed `reserveBatch`, with every short coin, so that the buyer corrects the cart once. To be called
 * after the transaction. Null: the error is another one.
 */
export async function shortageOf(db: Db, error: unknown): Promise<StockError | null> {
  if (!(error instanceof OutOfStockError)) return null;
  const { lines, refused } = error;
  const free = await rows.readAvailable(db, idsOf(lines));
  const short: ShortItem[] = [];
  for (const { coinId, quantity } of lines) {
    const left = free.get(coinId) ?? 0;
    // Pieces may have been released since the refusal. The coin that was refused is still reported as short, by at least one piece.
    if (coinId === refused.coinId) short.push({ id: coinId, available: Math.min(left, quantity - 1) });
    else if (left < quantity) short.push({ id: coinId, available: left });
  }
  return { code: "order.stock_short", short };
}

/** Releases reserved pieces. Throws when fewer are reserved: that is a bug in the caller, not a refusal. */
export async function release(tx: Tx, lines: readonly StockLine[]): Promise<void> {
  for (const line of inLockOrder(lines)) {
    if (!(await rows.unreserve(tx, line))) throw new Error(`coin ${line.coinId}: released more than is reserved`);
  }
}

/**
 * Removes the pieces of a shipped order from the reservation and from the stock, with a `sold` entry per coin that stores what they cost.
 * Once per order.
 */
export async function removeSold(tx: Tx, ctx: EntryContext, orderId: string, lines: readonly StockLine[]): Promise<void> {
  const sorted = inLockOrder(lines);
  const locked = await rows.lockRows(tx, idsOf(sorted));
  const moves = sorted.map(({ coinId, quantity }) => {
    const row = locked.get(coinId);
    if (!row || row.reserved < quantity) throw new Error(`coin ${coinId}: taken more than is reserved`);
    return { coinId, quantity: -quantity, reserved: -quantity, ...negative(takeOut(row, quantity)) };
  });
  await applyMoves(tx, ctx, moves, { kind: "sold", orderId });
}

/**
 * Puts returned pieces of a sold order back on sale, with a `returned` entry per coin, at the cost that the sale took out. An order may be
 * returned in parts. Throws when more would be returned than was sold: that is a bug in the caller. The caller has locked the order.
 */
export async function returnToStock(tx: Tx, ctx: EntryContext, orderId: string, lines: readonly StockLine[]): Promise<void> {
  const sorted = inLockOrder(lines);
  await rows.lockRows(tx, idsOf(sorted));
  const sold = await rows.soldPools(tx, orderId);
  const moves = sorted.map(({ coinId, quantity }) => {
    const pool = sold.get(coinId);
    if (!pool || pool.pieces < quantity) throw new Error(`coin ${coinId}: more came back than order ${orderId} had`);
    return { coinId, quantity, ...takeOut(pool, quantity) };
  });
  await applyMoves(tx, ctx, moves, { kind: "returned", orderId });
}

/**
 * Adds a supplier's delivery to the pieces on hand without a document, with a `receipt` entry. Each call adds again. `unitCost`: kopecks
 * for one piece; null: not known. Staff enters goods with documents.
 */
export async function receive(tx: Tx, ctx: EntryContext, coinId: number, quantity: number, unitCost: Kopecks | null = null): Promise<void> {
  await rows.lockRows(tx, [coinId]);
  const brought = unitCost === null ? noCost : { costed: quantity, cost: times(unitCost, quantity) };
  await applyMoves(tx, ctx, [{ coinId, quantity, ...brought }], { kind: "receipt" });
}

/**
 * Writes moves of pieces and their costs to the rows and to the ledger. The caller has locked the rows with `rows.lockRows` and has checked
 * that what leaves is there. At most one move a coin.
 */
export async function applyMoves(
  tx: Tx,
  ctx: EntryContext,
  moves: readonly StockMove[],
  of: { kind: EntryKind; orderId?: string; documentId?: number },
): Promise<void> {
  await rows.changeRows(
    tx,
    moves.map((move) => ({ reserved: 0, ...move })),
  );
  await rows.addEntries(
    tx,
    moves.map(({ coinId, quantity, costed, cost }) => ({
      coinId,
      quantity,
      costedPieces: costed,
      costKopecks: cost,
      ...of,
      ...stamp(ctx),
    })),
  );
}

/** Pieces of a coin that come, or leave when negative, with their cost. `reserved`: by how much the reservation changes. */
export type StockMove = StockLine & MovedCost & { reserved?: number };

/** The cost of pieces that leave, as a move has it. */
export const negative = ({ costed, cost }: MovedCost): MovedCost => ({ costed: 0 - costed, cost: kopecks(0 - cost) });
const idsOf = (lines: readonly StockLine[]): number[] => lines.map(({ coinId }) => coinId);

/**
 * Sets from which number of available pieces a coin counts as low; null: the setting `lowStockPieces`. `before`: the number that the clerk
 * saw. Returns the number before. Refuses with `staff.stale` when another one is stored by now.
 */
export function setLowAt(
  ctx: Pick<Ctx, "db">,
  coinId: number,
  { before, lowAt }: { before: number | null; lowAt: number | null },
): Promise<Result<{ before: number | null }, { code: "staff.stale"; current: number | null }>> {
  return inTransaction(ctx.db, async (tx) => {
    const current = await rows.lockLowAt(tx, coinId);
    if (current !== before && current !== lowAt) return fail({ code: "staff.stale", current });
    await rows.setLowAt(tx, coinId, lowAt);
    return done({ before: current });
  });
}

/** Makes the first stock rows of coins, with an `opening` entry each. Coins that have a row are skipped, so seeding can be repeated. */
export async function openStock(tx: Tx, ctx: EntryContext, lines: readonly StockLine[]): Promise<void> {
  const sorted = inLockOrder(lines);
  const made = await rows.openRows(tx, sorted);
  await rows.addEntries(
    tx,
    sorted
      .filter(({ coinId }) => made.has(coinId))
      .map(({ coinId, quantity }) => ({ coinId, kind: "opening" as const, quantity, ...stamp(ctx) })),
  );
}
