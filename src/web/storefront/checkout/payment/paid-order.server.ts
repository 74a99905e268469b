import { data } from "react-router";
import type { Ctx, Visitor } from "#shop/context.ts";
import type { Order, Viewer } from "#shop/orders/order.ts";
import * as orders from "#shop/orders/service.ts";
import { missingOrder } from "../../shared/order-texts.ts";

export type Returned = { order: Order; key: string | null; isCertain: boolean };

/**
 * The order that the address names, after reading the state of its payment from the provider; null when it names none. A wrong order or
 * key is 404. If the provider does not answer, the stored state is returned as uncertain.
 */
export async function returnedOrder(ctx: Ctx, visitor: Visitor, url: string): Promise<Returned | null> {
  const { searchParams } = new URL(url);
  const id = searchParams.get("order");
  if (!id) return null;
  const found = await findOrder(ctx, visitor, id, searchParams.get("key"));
  if (!found) throw data(missingOrder, { status: 404 });
  const looked = await orders.refreshPayment(ctx, { orderId: id, viewer: found.viewer });
  return looked && { ...looked, key: found.key };
}

/** The customer's own order, else the order of the link's key. */
async function findOrder(
  ctx: Ctx,
  visitor: Visitor,
  id: string,
  key: string | null,
): Promise<{ order: Order; key: string | null; viewer: Viewer } | null> {
  if (visitor.customerId) {
    const viewer = { customerId: visitor.customerId };
    const order = await orders.find(ctx, id, viewer);
    if (order) return { order, key: null, viewer };
  }
  if (!key) return null;
  const viewer = { guestKey: key };
  const order = await orders.find(ctx, id, viewer);
  return order && { order, key, viewer };
}

/** Starts another payment and redirects to it; for the form, which works without scripts too. */
export async function payAgain(ctx: Ctx, visitor: Visitor, url: string, paymentId: number | null) {
  const { searchParams } = new URL(url);
  const id = searchParams.get("order") ?? "";
  const found = await findOrder(ctx, visitor, id, searchParams.get("key"));
  if (!found) throw data(missingOrder, { status: 404 });
  return orders.pay(ctx, { orderId: id, viewer: found.viewer, ...(paymentId === null ? {} : { paymentId }) });
}
