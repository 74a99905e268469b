import { and, eq, gte, inArray, sql } from "drizzle-orm";
import { batch, pipeline, type Batch, type Db, type IdQuery, type Tx } from "#kit/db.ts";
import type { StockLevels, StockLine } from "./stock.ts";
import { stockEntries, stockItems } from "./tables.ts";

type EntryKind = "opening" | "receipt" | "sold" | "returned";
export type Entry = { coinId: number; kind: EntryKind; quantity: number; orderId: string | null; at: Date; actor: string };

const free = sql<number>`${stockItems.onHand} - ${stockItems.reserved}`;

/** Free pieces per coin; coins without a row are not in the answer. */
export async function readFree(db: Db, ids?: readonly number[]): Promise<Map<number, number>> {
  if (!ids) return readAllFree(db);
  if (ids.length === 0) return new Map();
  const [found] = await pipeline([freeBatch(db, ids)]);
  return found;
}

/** `ids`: the coins, or a query of their ids. */
export const freeBatch = (db: Db, ids: readonly number[] | IdQuery): Batch<Map<number, number>> =>
  batch(
    [
      db
        .select({ coinId: stockItems.coinId, free })
        .from(stockItems)
        .where(inArray(stockItems.coinId, "length" in ids ? [...ids] : ids)),
    ],
    ([rows]) => new Map(rows.map((row) => [row.coinId, row.free])),
  );

/** Pieces on hand, reserved ones included, and free ones; coins without a row are not in the answer. */
export const levelsBatch = (db: Db, ids: readonly number[]): Batch<StockLevels> =>
  batch(
    [
      db
        .select({ coinId: stockItems.coinId, onHand: stockItems.onHand, free })
        .from(stockItems)
        .where(inArray(stockItems.coinId, [...ids])),
    ],
    ([rows]) => new Map(rows.map(({ coinId, ...level }) => [coinId, level])),
  );

/** As one text: asked each second by the read model, and ten thousand rows cost the driver four times as much to take apart. */
async function readAllFree(db: Db): Promise<Map<number, number>> {
  const [row] = await db.select({ all: sql<string | null>`string_agg(${stockItems.coinId} || ' ' || (${free}), ',')` }).from(stockItems);
  return new Map(
    row?.all?.split(",").map((pair) => {
      const at = pair.indexOf(" ");
      return [Number(pair.slice(0, at)), Number(pair.slice(at + 1))] as const;
    }),
  );
}

/**
 * Reserves each line while enough of its coin is free, in the order given; tells for each whether it was.
 * The condition is checked again after waiting for another order's row lock.
 */
export const reserveIfFreeBatch = (tx: Tx, lines: readonly StockLine[]): Batch<boolean[]> =>
  batch<{ coinId: number }[][], boolean[]>(
    lines.map(({ coinId, quantity }) =>
      tx
        .update(stockItems)
        .set({ reserved: sql`${stockItems.reserved} + ${quantity}` })
        .where(and(eq(stockItems.coinId, coinId), sql`${free} >= ${quantity}`))
        .returning({ coinId: stockItems.coinId }),
    ),
    (reserved) => reserved.map((rows) => rows.length === 1),
  );

export async function reserveIfFree(tx: Tx, lines: readonly StockLine[]): Promise<boolean[]> {
  const [reserved] = await pipeline([reserveIfFreeBatch(tx, lines)]);
  return reserved;
}

export async function unreserve(tx: Tx, { coinId, quantity }: StockLine): Promise<boolean> {
  const rows = await tx
    .update(stockItems)
    .set({ reserved: sql`${stockItems.reserved} - ${quantity}` })
    .where(and(eq(stockItems.coinId, coinId), gte(stockItems.reserved, quantity)))
    .returning({ coinId: stockItems.coinId });
  return rows.length === 1;
}

/** Out of the reservation and off the shelf in one step. */
export async function takeReserved(tx: Tx, { coinId, quantity }: StockLine): Promise<boolean> {
  const rows = await tx
    .update(stockItems)
    .set({ onHand: sql`${stockItems.onHand} - ${quantity}`, reserved: sql`${stockItems.reserved} - ${quantity}` })
    .where(and(eq(stockItems.coinId, coinId), gte(stockItems.reserved, quantity)))
    .returning({ coinId: stockItems.coinId });
  return rows.length === 1;
}

/** More on the shelf; a coin that never lay there gets its row. */
export async function addOnHand(tx: Tx, { coinId, quantity }: StockLine): Promise<void> {
  await tx
    .insert(stockItems)
    .values({ coinId, onHand: quantity })
    .onConflictDoUpdate({ target: stockItems.coinId, set: { onHand: sql`${stockItems.onHand} + ${quantity}` } });
}

/** Makes the rows that are missing and tells which those were. */
export async function openRows(tx: Tx, lines: readonly StockLine[]): Promise<Set<number>> {
  if (lines.length === 0) return new Set();
  const rows = await tx
    .insert(stockItems)
    .values(lines.map(({ coinId, quantity }) => ({ coinId, onHand: quantity })))
    .onConflictDoNothing()
    .returning({ coinId: stockItems.coinId });
  return new Set(rows.map((row) => row.coinId));
}

export async function addEntries(tx: Tx, entries: readonly Entry[]): Promise<void> {
  if (entries.length > 0) await tx.insert(stockEntries).values([...entries]);
}

/** Coins of which an order's entries put back more than they took. */
export async function returnedBeyondSold(tx: Tx, orderId: string): Promise<number[]> {
  const rows = await tx
    .select({ coinId: stockEntries.coinId })
    .from(stockEntries)
    .where(eq(stockEntries.orderId, orderId))
    .groupBy(stockEntries.coinId)
    .having(sql`sum(${stockEntries.quantity}) > 0`);
  return rows.map((row) => row.coinId);
}
