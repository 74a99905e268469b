import type { Db } from "#kit/db.ts";
import type { Ctx } from "#shop/context.ts";
import type { OrderState } from "../order.ts";
import * as rows from "./reserved.repository.ts";

export type ReservingOrder = {
  id: string;
  number: number;
  state: OrderState;
  pieces: number;
  createdAt: Date;
  /** When an unpaid order releases them; null: it does not. */
  reservedUntil: Date | null;
};

/** The orders that reserve pieces of a coin, oldest first, at most `limit`. */
export const ordersReserving = (ctx: Pick<Ctx, "db">, coinId: number, limit: number): Promise<ReservingOrder[]> =>
  rows.reserving(ctx.db, coinId, limit);

/** Pieces of coins in the sealed bags of packed orders: still in the stock, and no longer on the shelf. */
export const packedPieces = (db: Db, coinIds: readonly number[]): Promise<Map<number, number>> =>
  rows.piecesIn(db, ["assembled", "cancellation_requested"], coinIds);
