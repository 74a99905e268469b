import { inTransaction, type Tx } from "#kit/db.ts";
import { done, fail, type Result } from "#kit/result.ts";
import { step } from "#kit/transitions.ts";
import type { Ctx } from "#shop/context.ts";
import * as delivery from "#shop/delivery/service.ts";
import type { DeliveryMoved, ShipmentError, ShipmentState } from "#shop/delivery/shipment.ts";
import * as shipping from "#shop/delivery/shipping.service.ts";
import { methodById } from "#shop/payment/payment.ts";
import * as payment from "#shop/payment/service.ts";
import { decide } from "./money.service.ts";
import { isClosed, orderStates, type Order, type OrderError, type OrderEvent, type StaffEvent } from "./order.ts";
import { startAsk } from "./pay.service.ts";
import { viewed } from "./read.service.ts";
import * as rows from "./repository.ts";
import type { StoredOrder } from "./repository.ts";
import { advance, parcelGrams, toPoint } from "./steps.service.ts";

/**
 * What staff did with an order: packed it, handed it over, took it back, saw its money. Safe to repeat: what already happened is answered
 * with the order as it is. Handing over an order that is paid at the desk records its money.
 *
 * Refuses with `order.not_found`, and `order.event_refused` when the state table has no such step.
 */
export async function apply(ctx: Ctx, orderId: string, event: StaffEvent): Promise<Result<Order, OrderError>> {
  const known = await rows.byId(ctx.db, orderId);
  if (!known) return fail({ code: "order.not_found" });
  if (bringsMoney(known, event)) await payment.start(ctx, startAsk(ctx, known)); // makes the row that the money is recorded on; calls nobody
  return inTransaction(ctx.db, async (tx) => {
    const order = await rows.lock(tx, orderId);
    if (!order) return fail({ code: "order.not_found" });
    const after = await applyLocked(tx, ctx, order, event);
    return after ? done(await viewed(tx, after)) : fail({ code: "order.event_refused", state: order.state, event });
  });
}

const isByHand = (order: StoredOrder): boolean => methodById(order.paymentMethodId)?.isOnline === false;

/** Whether the event says that money came by transfer or at the desk. */
const bringsMoney = (order: StoredOrder, event: StaffEvent): boolean =>
  isByHand(order) && order.paid === 0 && (event === "pay" || event === "deliver") && step(orderStates, order.state, event).kind === "moved";

/** The order after the event, null when it is refused. */
async function applyLocked(tx: Tx, ctx: Ctx, order: StoredOrder, event: StaffEvent): Promise<StoredOrder | null> {
  if (event === "refund") return refund(tx, ctx, order);
  const isPaying = bringsMoney(order, event);
  if (event === "pay") {
    if (isPaying) return recordMoney(tx, ctx, order);
    return order.paid > 0 ? order : null; // money at the provider's is the provider's to confirm
  }
  const stepped = await advance(tx, ctx, order, event);
  if (stepped.kind === "moved") return isPaying ? recordMoney(tx, ctx, stepped.order) : stepped.order;
  return stepped.kind === "already" ? order : null;
}

async function recordMoney(tx: Tx, ctx: Ctx, order: StoredOrder): Promise<StoredOrder> {
  const recorded = await payment.recordTransferIn(tx, ctx, { orderId: order.id, amount: order.total });
  if (!recorded.ok) throw new Error(`the money of order ${order.id} could not be recorded: ${recorded.error.code}`);
  await decide(tx, ctx, order, recorded.value, false);
  return (await rows.lock(tx, order.id)) ?? order;
}

/** Gives back what was kept for a closed order. Money by hand is thereby said to be on its way; the provider is asked by a job. */
async function refund(tx: Tx, ctx: Ctx, order: StoredOrder): Promise<StoredOrder | null> {
  const retried = await payment.retryRefunds(tx, ctx, order.id); // what the provider had turned down
  if (!isClosed(order.state) || order.paid === 0) return retried > 0 ? order : null;
  await payment.refundAll(tx, ctx, order.id, order.state === "returned" ? "returned" : "cancelled");
  await payment.confirmRefundsByHand(tx, ctx, order.id);
  if (order.history.some((entry) => entry.event === "refund")) return order;
  const entry = { event: "refund" as const, state: order.state, at: ctx.now() };
  await rows.addHistory(tx, order, entry);
  return { ...order, history: [...order.history, entry] };
}

/**
 * Sends the parcel of an order again after the carrier refused it: where it was to go, or to another point of the same city and kind,
 * which the order then names. Refuses with `order.not_found`, `shipment.not_found`, `shipment.not_refused` and `shipment.no_such_point`.
 */
export async function resend(ctx: Ctx, orderId: string, pointId: string | null): Promise<Result<ShipmentState, OrderError | ShipmentError>> {
  const known = await rows.byId(ctx.db, orderId);
  if (!known) return fail({ code: "order.not_found" });
  const { cityCode } = known.told;
  const weightGrams = await parcelGrams(ctx.db, known);
  const point = pointId === null ? null : await delivery.point(ctx, cityCode, known.deliveryId, pointId, { weightGrams });
  if (pointId !== null && !point) return fail({ code: "shipment.no_such_point" });
  return inTransaction(ctx.db, async (tx) => {
    const order = await rows.lock(tx, orderId);
    if (!order) return fail({ code: "order.not_found" });
    const sent = await shipping.retry({ ...ctx, db: tx }, orderId, point ? toPoint(point) : undefined);
    if (!sent.ok || !point) return sent;
    await rows.savePoint(tx, orderId, { ...order.told, point: { id: point.id, type: point.type, name: point.name, address: point.address, workTime: point.workTime, phone: point.phone } });
    return sent;
  });
}

/** What the carrier's word means for the order: he may skip a step, and an order that has left the shelf has been shipped. */
const eventOfParcel = { in_transit: null, at_point: "arrive", delivered: "deliver", not_delivered: "turn_back" } as const satisfies Record<DeliveryMoved["state"], OrderEvent | null>;

/** Moves an order along with its parcel. Safe to repeat; what the state table does not allow is logged and left to staff. */
export async function followParcel(ctx: Ctx, news: DeliveryMoved): Promise<void> {
  await inTransaction(ctx.db, async (tx) => {
    let order = await rows.lock(tx, news.orderId);
    if (!order) return;
    if (order.state === "assembled") {
      const shipped = await advance(tx, ctx, order, "ship");
      if (shipped.kind === "moved") order = shipped.order;
    }
    const event = eventOfParcel[news.state];
    if (event) await advance(tx, ctx, order, event);
  });
}
