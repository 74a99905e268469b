import * as contract from "#contract/public/orders.ts";
import { done, fail, mapOk, type Result } from "#kit/result.ts";
import * as checkout from "#shop/checkout/service.ts";
import type { Visitor } from "#shop/context.ts";
import type { Viewer } from "#shop/orders/order.ts";
import * as orders from "#shop/orders/service.ts";
import { trafficSourceOf } from "#shop/orders/traffic-source.ts";
import { addressKey } from "../request/addresses.ts";
import { bodyHash } from "../request/body-hash.ts";
import { endpoint } from "../endpoint.ts";
import { claimableView, maskedOrderView, orderView } from "../views.ts";

/**
 * The order is committed before the payment provider is called. If the provider does not answer, the order has no payment address yet, and
 * `pay` tries again. The answer contains the order's key, whether its buyer is signed in or not.
 */
export const placeOrder = endpoint(contract.placeOrder, async (ctx, { owner, visitor, body, key, status, jar }) => {
  const placed = await checkout.placeOrder(ctx, owner, {
    idempotencyKey: key,
    bodyHash: bodyHash({ ...body, source: undefined }), // how the visitor came is not part of what is ordered
    quoteId: body.quoteId,
    user: body.user,
    delivery: { id: body.delivery.id, pointId: body.delivery.pvzId ?? null },
    address: body.address ?? null,
    paymentId: body.paymentId,
    customerId: visitor.customerId,
    wantsNewsletter: body.newsletter ?? false,
    ...(body.source ? { source: trafficSourceOf(body.source) } : {}),
    clientAddress: addressKey(visitor.address),
  });
  if (!placed.ok) return placed;
  const { order, isRepeat } = placed.value;
  if (isRepeat) status(200);
  jar.clear("city"); // checkout is reset: the next one starts in Moscow, or in the profile's city
  const view = orderView(order);
  const confirmationUrl = await orders.startPayment(ctx, placed.value);
  return done({ ...view, payment: { ...view.payment, ...(confirmationUrl ? { confirmationUrl } : {}) }, key: orders.keyOf(ctx, order.id) });
});

export const readOrders = endpoint(contract.readOrders, async (ctx, { visitor }) =>
  done(visitor.customerId ? (await orders.list(ctx, visitor.customerId)).map(orderView) : []),
);

export const readClaimable = endpoint(contract.readClaimable, async (ctx, { visitor }) =>
  done((await orders.claimable(ctx, claimant(visitor))).map(claimableView)),
);

export const claimOrders = endpoint(contract.claimOrders, async (ctx, { visitor }) =>
  done({ claimed: await orders.claimAll(ctx, claimant(visitor)) }),
);

/** Calls for customers are refused with 401 before the handler. */
function claimant({ customerId, signedInAt, browser }: Visitor) {
  if (customerId === null) throw new Error("a call for customers was reached without sign-in");
  return { customerId, signedInAt, browser };
}

export const readOrder = endpoint(contract.readOrder, async (ctx, { params, query, visitor }) =>
  asViewer(visitor, query.key, async (viewer, view) => {
    const order = await orders.find(ctx, params.id, viewer);
    return order ? done(view(order)) : fail({ code: "order.not_found" as const });
  }),
);

export const payOrder = endpoint(contract.payOrder, async (ctx, { params, query, body, visitor }) =>
  asViewer(visitor, query.key, async (viewer) =>
    orders.pay(ctx, { orderId: params.id, viewer, ...(body.paymentId === undefined ? {} : { paymentId: body.paymentId }) }),
  ),
);

export const cancelOrder = endpoint(contract.cancelOrder, async (ctx, { params, query, visitor }) =>
  asViewer(visitor, query.key, async (viewer, view) => mapOk(await orders.cancel(ctx, { orderId: params.id, viewer }), view)),
);

type ToOrderView = typeof orderView;

/**
 * Tries the order as its customer first, then by the key of its link, masked. A customer may have the link of an order made before signing
 * in. Otherwise the order does not exist.
 */
async function asViewer<T, E extends { code: string }>(
  visitor: Visitor,
  key: string | undefined,
  request: (viewer: Viewer, view: ToOrderView) => Promise<Result<T, E>>,
): Promise<Result<T, E | { code: "order.not_found" }>> {
  if (visitor.customerId !== null) {
    const own = await request({ customerId: visitor.customerId }, orderView);
    if (own.ok || own.error.code !== "order.not_found" || key === undefined) return own;
  }
  return key === undefined ? fail({ code: "order.not_found" }) : request({ guestKey: key }, maskedOrderView);
}
