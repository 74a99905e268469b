import { and, eq, gte, inArray, sql } from "drizzle-orm";
import { batch, pipeline, type Batch, type Db, type IdQuery, type Tx } from "#kit/db.ts";
import type { StockLevels, StockLine } from "./stock.ts";
import { stockEntries, stockItems } from "./tables.ts";

type EntryKind = "opening" | "receipt" | "sold" | "returned";
export type Entry = { coinId: number; kind: EntryKind; quantity: number; orderId: string | null; at: Date; actor: string };

const available = sql<number>`${stockItems.onHand} - ${stockItems.reserved}`;

/** Available pieces per coin; coins without a row are absent. */
export async function readAvailable(db: Db, ids?: readonly number[]): Promise<Map<number, number>> {
  if (!ids) return readAllAvailable(db);
  if (ids.length === 0) return new Map();
  const [found] = await pipeline([availableBatch(db, ids)]);
  return found;
}

/** `ids`: the coins, or a query of their ids. */
export const availableBatch = (db: Db, ids: readonly number[] | IdQuery): Batch<Map<number, number>> =>
  batch(
    [
      db
        .select({ coinId: stockItems.coinId, available })
        .from(stockItems)
        .where(inArray(stockItems.coinId, "length" in ids ? [...ids] : ids)),
    ],
    ([rows]) => new Map(rows.map((row) => [row.coinId, row.available])),
  );

/** Pieces on hand (reserved ones included) and available pieces; coins without a row are absent. */
export const levelsBatch = (db: Db, ids: readonly number[]): Batch<StockLevels> =>
  batch(
    [
      db
        .select({ coinId: stockItems.coinId, onHand: stockItems.onHand, available })
        .from(stockItems)
        .where(inArray(stockItems.coinId, [...ids])),
    ],
    ([rows]) => new Map(rows.map(({ coinId, ...level }) => [coinId, level])),
  );

/** Read as one text: the read model queries it every second, and parsing ten thousand rows costs the driver four times as much. */
async function readAllAvailable(db: Db): Promise<Map<number, number>> {
  const [row] = await db
    .select({ all: sql<string | null>`string_agg(${stockItems.coinId} || ' ' || (${available}), ',')` })
    .from(stockItems);
  return new Map(
    row?.all?.split(",").map((pair) => {
      const at = pair.indexOf(" ");
      return [Number(pair.slice(0, at)), Number(pair.slice(at + 1))] as const;
    }),
  );
}

/**
 * Reserves each line of which enough pieces are available, in the given order; returns for each line whether it was reserved.
 * PostgreSQL checks the condition again after waiting for another order's row lock.
 */
export const reserveIfAvailableBatch = (tx: Tx, lines: readonly StockLine[]): Batch<boolean[]> =>
  batch<{ coinId: number }[][], boolean[]>(
    lines.map(({ coinId, quantity }) =>
      tx
        .update(stockItems)
        .set({ reserved: sql`${stockItems.reserved} + ${quantity}` })
        .where(and(eq(stockItems.coinId, coinId), sql`${available} >= ${quantity}`))
        .returning({ coinId: stockItems.coinId }),
    ),
    (reserved) => reserved.map((rows) => rows.length === 1),
  );

export async function unreserve(tx: Tx, { coinId, quantity }: StockLine): Promise<boolean> {
  const rows = await tx
    .update(stockItems)
    .set({ reserved: sql`${stockItems.reserved} - ${quantity}` })
    .where(and(eq(stockItems.coinId, coinId), gte(stockItems.reserved, quantity)))
    .returning({ coinId: stockItems.coinId });
  return rows.length === 1;
}

/** Removes pieces from the reservation and from the pieces on hand in one statement; false when fewer are reserved. */
export async function removeReserved(tx: Tx, { coinId, quantity }: StockLine): Promise<boolean> {
  const rows = await tx
    .update(stockItems)
    .set({ onHand: sql`${stockItems.onHand} - ${quantity}`, reserved: sql`${stockItems.reserved} - ${quantity}` })
    .where(and(eq(stockItems.coinId, coinId), gte(stockItems.reserved, quantity)))
    .returning({ coinId: stockItems.coinId });
  return rows.length === 1;
}

/** Adds pieces on hand; makes the row of a coin that has none. */
export async function addOnHand(tx: Tx, { coinId, quantity }: StockLine): Promise<void> {
  await tx
    .insert(stockItems)
    .values({ coinId, onHand: quantity })
    .onConflictDoUpdate({ target: stockItems.coinId, set: { onHand: sql`${stockItems.onHand} + ${quantity}` } });
}

/** Inserts the missing rows and returns their coin ids. */
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

/** Coins of which an order returned more than it was sold. */
export async function returnedBeyondSold(tx: Tx, orderId: string): Promise<number[]> {
  const rows = await tx
    .select({ coinId: stockEntries.coinId })
    .from(stockEntries)
    .where(eq(stockEntries.orderId, orderId))
    .groupBy(stockEntries.coinId)
    .having(sql`sum(${stockEntries.quantity}) > 0`);
  return rows.map((row) => row.coinId);
}
