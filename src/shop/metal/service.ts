import { inTransaction } from "#kit/db.ts";
import { done, fail, type Result } from "#kit/result.ts";
import { actorText } from "#shop/actor.ts";
import type { Ctx } from "#shop/context.ts";
import { reservingStates } from "#shop/orders/order.ts";
import type { Exposure, Hedge, HedgeError, NewHedge, OpenMetal, PriceLock } from "./metal.ts";
import * as rows from "./repository.ts";

type HedgeCtx = Pick<Ctx, "db" | "now" | "actor">;

/** How much metal is open to the market, gold first. */
export const openMetal = (ctx: Pick<Ctx, "db" | "now">): Promise<OpenMetal[]> => rows.openMetal(ctx.db, ctx.now());

/** How much metal is open to the market and by how many orders it is locked, gold first. Slower than `openMetal`: it counts orders. */
export async function exposure(ctx: Pick<Ctx, "db" | "now">): Promise<Exposure[]> {
  const [open, counts] = await Promise.all([rows.openMetal(ctx.db, ctx.now()), rows.ordersWithMetal(ctx.db, reservingStates)]);
  return open.map((each) => ({ ...each, lockedOrders: counts.find(({ metal }) => metal === each.metal)?.orders ?? 0 }));
}

/** Prices that are locked for unpaid orders and carts at this moment, those that end first. */
export const priceLocks = (ctx: Pick<Ctx, "db" | "now">, limit: number): Promise<PriceLock[]> => rows.locks(ctx.db, ctx.now(), limit);

/** Hedges, newest first, reversed ones too. */
export const hedges = (ctx: Pick<Ctx, "db">, page: { before: number | null; limit: number }): Promise<Hedge[]> => rows.hedges(ctx.db, page);

/** Stores a hedge. Each call stores another one. */
export const addHedge = (ctx: HedgeCtx, hedge: NewHedge): Promise<Hedge> =>
  inTransaction(ctx.db, (tx) => rows.insert(tx, hedge, { createdAt: ctx.now(), createdBy: actorText(ctx.actor) }));

/** Takes a hedge back; it stays in the list and counts no longer. Idempotent. Refuses with `hedge.not_found`. */
export function reverseHedge(ctx: HedgeCtx, id: number, reason: string): Promise<Result<Hedge, HedgeError>> {
  return inTransaction(ctx.db, async (tx) => {
    const reversed = await rows.reverse(tx, id, {
      reversedAt: ctx.now(),
      reversedBy: actorText(ctx.actor),
      reversalReason: reason,
    });
    return reversed ? done(reversed) : fail({ code: "hedge.not_found" });
  });
}
