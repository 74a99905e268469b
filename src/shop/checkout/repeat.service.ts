import * as cart from "#shop/cart/service.ts";
import type { Ctx, OwnerKey } from "#shop/context.ts";
import type { Viewer } from "#shop/orders/order.ts";
import * as orders from "#shop/orders/service.ts";

/** A coin of a repeated order of which fewer pieces are in the cart than the order had: `got` instead of `wanted`, 0 when sold out. */
export type LeftOut = { coinId: number; wanted: number; got: number };

/**
 * Puts the available coins of an order into the cart again, at current prices; nothing is reserved. The quantity in the cart is raised to
 * the order's and not added to it, so a repeated call changes nothing. Returns null when the viewer has no such order.
 */
export async function repeatOrder(
  ctx: Ctx,
  owner: OwnerKey,
  request: { orderId: string; viewer: Viewer },
): Promise<{ number: number; leftOut: LeftOut[] } | null> {
  const order = await orders.find(ctx, request.orderId, request.viewer);
  if (!order) return null;
  const wanted = order.lines.map(({ coinId, quantity }) => ({ coinId, quantity }));
  const { capped } = await cart.raiseQuantities(ctx, owner, wanted);
  return {
    number: order.number,
    leftOut: capped.map(({ id, available }) => ({
      coinId: id,
      got: available,
      wanted: wanted.find(({ coinId }) => coinId === id)?.quantity ?? 0,
    })),
  };
}
