import { mapBatch, type Batch, type Db, type IdQuery, type Tx } from "#kit/db.ts";
import { done, fail, type Result } from "#kit/result.ts";
import { actorText } from "#shop/actor.ts";
import type { Ctx } from "#shop/context.ts";
import * as rows from "./repository.ts";
import { inLockOrder, type ShortItem, type StockError, type StockLevels, type StockLine } from "./stock.ts";

/** When an entry is made and who causes it. */
export type Stamp = Pick<Ctx, "now" | "actor">;
const stamp = (ctx: Stamp) => ({ at: ctx.now(), actor: actorText(ctx.actor) });

/** Free pieces (on hand − reserved) of the coins asked for, or of all; a coin without a stock row counts as absent: read it as 0. */
export function available(db: Db, ids?: readonly number[]): Promise<Map<number, number>> {
  return rows.readFree(db, ids);
}

/** `ids`: the coins, or a query of their ids. */
export const availableBatch = (db: Db, ids: readonly number[] | IdQuery): Batch<Map<number, number>> => rows.freeBatch(db, ids);

/** Pieces on hand and free of the coins of these lines, read without locks. */
export const levelsBatch = (db: Db, lines: readonly StockLine[]): Batch<StockLevels> =>
  rows.levelsBatch(
    db,
    lines.map((line) => line.coinId),
  );

/** Every coin that is short by these levels, by id. */
export function shortOf(lines: readonly StockLine[], known: StockLevels): ShortItem[] {
  return inLockOrder(lines).flatMap(({ coinId, quantity }) => {
    const free = known.get(coinId)?.free ?? 0;
    return free < quantity ? [{ id: coinId, available: free }] : [];
  });
}

/**
 * Reserves all lines or nothing. Refuses with `order.stock_short` and every coin that is short, not just the first,
 * so that the buyer mends the cart once; after a refusal the transaction may go on, nothing stays reserved.
 */
export async function reserve(tx: Tx, lines: readonly StockLine[]): Promise<Result<void, StockError>> {
  const sorted = inLockOrder(lines);
  return unlessShort(tx, withReserved(sorted, await rows.reserveIfFree(tx, sorted)));
}

/** Lines of which some may be reserved and others not: what `unlessShort` is called with. */
export type ReservedLines = readonly (StockLine & { isReserved: boolean })[];

/** Reserves what is free of these lines. The caller sends it and calls `unlessShort` with the answer: together they are `reserve`. */
export function reserveBatch(tx: Tx, lines: readonly StockLine[]): Batch<ReservedLines> {
  const sorted = inLockOrder(lines);
  return mapBatch(rows.reserveIfFreeBatch(tx, sorted), (isReserved) => withReserved(sorted, isReserved));
}

const withReserved = (lines: readonly StockLine[], isReserved: readonly boolean[]): ReservedLines =>
  lines.map((line, index) => ({ ...line, isReserved: isReserved[index] === true }));

/** All lines stay reserved, or none of them does: then every short coin is named. */
export async function unlessShort(tx: Tx, lines: ReservedLines): Promise<Result<void, StockError>> {
  const refused = lines.find(({ isReserved }) => !isReserved);
  if (!refused) return done(undefined);
  for (const line of lines) if (line.isReserved) await rows.unreserve(tx, line);
  return fail({ code: "order.stock_short", short: await shortAfter(tx, lines, refused) });
}

async function shortAfter(tx: Tx, lines: readonly StockLine[], refused: StockLine): Promise<ShortItem[]> {
  const free = await rows.readFree(
    tx,
    lines.map((line) => line.coinId),
  );
  const short: ShortItem[] = [];
  for (const { coinId, quantity } of lines) {
    const left = free.get(coinId) ?? 0;
    // Pieces may have come back since the refusal; the coin that refused is reported short all the same, by one at least.
    if (coinId === refused.coinId) short.push({ id: coinId, available: Math.min(left, quantity - 1) });
    else if (left < quantity) short.push({ id: coinId, available: left });
  }
  return short;
}

/** Lets reserved pieces go. Throws when less is reserved than is let go: that is a bug in the caller, not a refusal. */
export async function release(tx: Tx, lines: readonly StockLine[]): Promise<void> {
  for (const line of inLockOrder(lines)) {
    if (!(await rows.unreserve(tx, line))) throw new Error(`coin ${line.coinId}: released more than is reserved`);
  }
}

/** The parcel leaves the shelf: pieces go out of the reservation and off the stock, with a `sold` entry per coin. Once per order. */
export async function take(tx: Tx, ctx: Stamp, orderId: string, lines: readonly StockLine[]): Promise<void> {
  const sorted = inLockOrder(lines);
  for (const line of sorted) {
    if (!(await rows.takeReserved(tx, line))) throw new Error(`coin ${line.coinId}: taken more than is reserved`);
  }
  await rows.addEntries(
    tx,
    sorted.map(({ coinId, quantity }) => ({ coinId, kind: "sold", quantity: -quantity, orderId, ...stamp(ctx) })),
  );
}

/**
 * Pieces of a sold order came back: they lie on the shelf again, free to sell, with a `returned` entry per coin. An order may come back
 * in parts. Throws when more would come back than was sold: that is a bug in the caller. The caller holds the order.
 */
export async function putBack(tx: Tx, ctx: Stamp, orderId: string, lines: readonly StockLine[]): Promise<void> {
  const sorted = inLockOrder(lines);
  for (const line of sorted) await rows.addOnHand(tx, line);
  await rows.addEntries(
    tx,
    sorted.map(({ coinId, quantity }) => ({ coinId, kind: "returned", quantity, orderId, ...stamp(ctx) })),
  );
  const [coinId] = await rows.returnedBeyondSold(tx, orderId);
  if (coinId !== undefined) throw new Error(`coin ${coinId}: more came back than order ${orderId} had`);
}

/** A delivery from a supplier: more on hand, with a `receipt` entry. */
export async function receive(tx: Tx, ctx: Stamp, coinId: number, quantity: number): Promise<void> {
  await rows.addOnHand(tx, { coinId, quantity });
  await rows.addEntries(tx, [{ coinId, kind: "receipt", quantity, orderId: null, ...stamp(ctx) }]);
}

/** First stock of coins that have no row yet, with an `opening` entry each; coins that have one are left alone, so seeding may be repeated. */
export async function open(tx: Tx, ctx: Stamp, lines: readonly StockLine[]): Promise<void> {
  const sorted = inLockOrder(lines);
  const made = await rows.openRows(tx, sorted);
  await rows.addEntries(
    tx,
    sorted
      .filter(({ coinId }) => made.has(coinId))
      .map(({ coinId, quantity }) => ({ coinId, kind: "opening", quantity, orderId: null, ...stamp(ctx) })),
  );
}
