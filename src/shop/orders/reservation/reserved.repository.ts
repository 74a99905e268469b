import { and, asc, eq, inArray, sql } from "drizzle-orm";
import type { Db } from "#kit/db.ts";
import { reservingStates, type OrderState } from "../order.ts";
import { orderLines, orders } from "../tables.ts";

const reservedPieces = sql<number>`${orderLines.quantity} - ${orderLines.dropped}`;

/** Orders that reserve pieces of a coin, oldest first. */
export const reserving = (db: Db, coinId: number, limit: number) =>
  db
    .select({
      id: orders.id,
      number: orders.number,
      state: sql<OrderState>`${orders.state}`,
      pieces: reservedPieces,
      createdAt: orders.createdAt,
      reservedUntil: orders.reservedUntil,
    })
    .from(orders)
    .innerJoin(orderLines, eq(orderLines.orderId, orders.id))
    .where(and(inArray(orders.state, [...reservingStates]), eq(orderLines.coinId, coinId), sql`${reservedPieces} > 0`))
    .orderBy(asc(orders.createdAt), asc(orders.id))
    .limit(limit);

/** Pieces of coins in orders of these states, by coin. */
export async function piecesIn(db: Db, states: readonly OrderState[], coinIds: readonly number[]): Promise<Map<number, number>> {
  if (coinIds.length === 0) return new Map();
  const rows = await db
    .select({ coinId: orderLines.coinId, pieces: sql<number>`sum(${reservedPieces})::integer` })
    .from(orders)
    .innerJoin(orderLines, eq(orderLines.orderId, orders.id))
    .where(and(inArray(orders.state, [...states]), inArray(orderLines.coinId, [...coinIds])))
    .groupBy(orderLines.coinId);
  return new Map(rows.map(({ coinId, pieces }) => [coinId, pieces]));
}
