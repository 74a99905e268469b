import * as cart from "#shop/cart/service.ts";
import type { Ctx, OwnerKey } from "#shop/context.ts";
import type { Viewer } from "#shop/orders/order.ts";
import * as orders from "#shop/orders/service.ts";

/** What of an order could not be put in the cart as it was: `got` pieces instead of `wanted`, none when it is sold out. */
export type LeftOut = { coinId: number; wanted: number; got: number };

/**
 * Puts the coins of an order in the cart again, as many as there are: at today's prices, nothing is reserved. Coins that lie in the
 * cart already are brought up to the order's number and not added to it, so a second press changes nothing.
 * Null as `orders.find`: there is no such order for this viewer.
 */
export async function repeatOrder(
  ctx: Ctx,
  owner: OwnerKey,
  ask: { orderId: string; viewer: Viewer },
): Promise<{ number: number; leftOut: LeftOut[] } | null> {
  const order = await orders.find(ctx, ask.orderId, ask.viewer);
  if (!order) return null;
  const wanted = order.lines.map(({ coinId, quantity }) => ({ coinId, quantity }));
  const { capped } = await cart.bringUpTo(ctx, owner, wanted);
  return {
    number: order.number,
    leftOut: capped.map(({ id, available }) => ({
      coinId: id,
      got: available,
      wanted: wanted.find(({ coinId }) => coinId === id)?.quantity ?? 0,
    })),
  };
}
