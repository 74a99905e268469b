import { inTransaction, type Tx } from "#kit/db.ts";
import { subtract } from "#kit/money.ts";
import { done, fail, type Result } from "#kit/result.ts";
import { step } from "#kit/transitions.ts";
import type { Ctx } from "#shop/context.ts";
import { deliveryById, type PickupPoint } from "#shop/delivery/delivery.ts";
import * as delivery from "#shop/delivery/service.ts";
import { isRefusedByCarrier, type ShipmentError, type ShipmentState } from "#shop/delivery/shipment.ts";
import * as shipping from "#shop/delivery/shipping.service.ts";
import { isPaidOnCollection } from "#shop/payment/payment.ts";
import * as payment from "#shop/payment/service.ts";
import { cancelLocked } from "./cancel.service.ts";
import { isClosed, isReserving, orderStates, type Order, type OrderError, type StaffEvent, type StaffDetails } from "./order.ts";
import { coinWithCode } from "./parcel/coin-code.service.ts";
import { recordChange } from "./parcel/repack.service.ts";
import { isSealable } from "./parcel/seal.ts";
import { returnPieces, recordEvent, receiptPieces, refundPieces } from "./returns/pieces.service.ts";
import { loadFullOrder } from "./read.service.ts";
import * as rows from "./repository.ts";
import * as seals from "./parcel/seal.repository.ts";
import type { StoredOrder } from "./stored-order.repository.ts";
import { pointSnapshot, type DeliverySnapshot } from "./snapshot.ts";
import { advance, parcelGrams, parcelRequest } from "./transition.service.ts";
import { isByHand, recordDeskPayment, recordTransfer } from "./transfers/transfer.service.ts";

/**
 * Applies a staff event to an order: packing, hand-over, return, payment, refund. Idempotent except for refunding a part without a
 * `refundKey`: a repeated event returns the order unchanged or is refused as known. Handing over an order that is paid on collection
 * records its money.
 *
 * Refuses with `order.not_found`; `order.event_refused` in a wrong state; `order.refund_too_much`; `order.pieces_refused`;
 * `order.parcel_refused` for handing over a parcel that the carrier refused, until it was sent again;
 * `order.reference_missing` for a sum without the bank's reference; `order.transfer_known` for a reference entered before;
 * `order.seal_missing` for `seal` without a number; `order.seal_taken` for a number that another order has or had;
 * `order.seal_is_coin` for the code of a coin.
 */
export async function apply(ctx: Ctx, orderId: string, event: StaffEvent, money: StaffDetails = {}): Promise<Result<Order, OrderError>> {
  return inTransaction(ctx.db, async (tx) => {
    const order = await rows.lock(tx, orderId);
    if (!order) return fail({ code: "order.not_found" });
    const after = await applyLocked(tx, ctx, order, event, money);
    return after.ok ? done(await loadFullOrder(tx, after.value)) : after;
  });
}

async function applyLocked(
  tx: Tx,
  ctx: Ctx,
  order: StoredOrder,
  event: StaffEvent,
  money: StaffDetails,
): Promise<Result<StoredOrder, OrderError>> {
  const refused = fail({ code: "order.event_refused" as const, state: order.state, event });
  if (event === "pay") return payLocked(tx, ctx, order, money);
  if (event === "refund") {
    if (money.amount !== undefined || money.pieces || money.isDeliveryToo) return refundPart(tx, ctx, order, money);
    const after = await refund(tx, ctx, order);
    return after ? done(after) : refused;
  }
  if (event === "seal") return isSealable(order.state) ? seal(tx, ctx, order, money.sealNumber) : refused;
  if (event === "give_back" && money.pieces) return returnPieces(tx, ctx, order, money.pieces);
  if (event === "ship" || event === "make_ready") {
    // The parcel is being recalled to be packed again: shipped now, it would contain the pieces to be refunded, or go to the old address.
    if (order.refundAfterRecall || order.changeAfterRecall) return refused;
    const [parcel] = order.state === "assembled" ? await shipping.shipments(tx, [order.id]) : [];
    if (isRefusedByCarrier(parcel)) return fail({ code: "order.parcel_refused" });
  }
  if (event === "assemble" && money.sealNumber !== undefined) return assembleSealed(tx, ctx, order, money.sealNumber);
  const stepped = event === "cancel" ? await cancelLocked(tx, ctx, order) : await advance(tx, ctx, order, event);
  if (stepped.kind === "refused") return refused;
  if (stepped.kind === "already") return done(order);
  const isPaidNow = event === "deliver" && isByHand(order) && order.paid === 0;
  return done(isPaidNow ? await recordDeskPayment(tx, ctx, stepped.order) : stepped.order);
}

/** Packs the order in a bag with this seal; with a refused seal the order stays unpacked. The caller has locked the order. */
async function assembleSealed(tx: Tx, ctx: Ctx, order: StoredOrder, sealNumber: string): Promise<Result<StoredOrder, OrderError>> {
  const move = step(orderStates, order.state, "assemble");
  if (move.kind === "refused") return fail({ code: "order.event_refused", state: order.state, event: "assemble" });
  const sealed = await seal(tx, ctx, order, sealNumber);
  if (!sealed.ok) return sealed;
  const stepped = await advance(tx, ctx, sealed.value, "assemble");
  return done(stepped.kind === "moved" ? stepped.order : sealed.value);
}

/** Enters or corrects the number of the bag's seal. Idempotent. The caller has locked the order. */
async function seal(tx: Tx, ctx: Ctx, order: StoredOrder, sealNumber: string | undefined): Promise<Result<StoredOrder, OrderError>> {
  if (sealNumber === undefined) return fail({ code: "order.seal_missing" });
  if (order.sealNumber === sealNumber) return done(order);
  const coin = await coinWithCode(tx, sealNumber, order.lines);
  if (coin) return fail({ code: "order.seal_is_coin", title: coin.title });
  const holder = await seals.setSeal(tx, ctx, order.id, sealNumber, ctx.now());
  if (holder !== order.id) return fail({ code: "order.seal_taken", orderNumber: (await rows.numberById(tx, holder)) ?? 0 });
  await rows.touch(tx, order.id);
  return done({ ...order, sealNumber });
}

/**
 * Records money received on the bank account: `amount`, or all that is missing. Online payments are confirmed by the provider only, and an
 * order paid on collection is paid at hand-over. Refuses as `apply` does. The caller has locked the order.
 */
export async function payLocked(
  tx: Tx,
  ctx: Ctx,
  order: StoredOrder,
  { amount, reference }: StaffDetails,
): Promise<Result<StoredOrder, OrderError>> {
  const refused = fail({ code: "order.event_refused" as const, state: order.state, event: "pay" as const });
  if (amount === undefined && !(order.state === "awaiting_payment" && isByHand(order))) return order.paid > 0 ? done(order) : refused;
  if (amount !== undefined && isPaidOnCollection(order.paymentMethodId) && !isClosed(order.state)) return refused;
  if (amount !== undefined && !reference) return fail({ code: "order.reference_missing" });
  const received = amount ?? subtract(order.total, order.paid);
  if (!reference) return done(await recordTransfer(tx, ctx, order, { amount: received, transferId: null }));
  const transfer = await payment.enterTransfer(tx, ctx, { orderId: order.id, reference, amount: received });
  if (!transfer.isNew) return fail({ code: "order.transfer_known", orderNumber: (await rows.numberById(tx, transfer.orderId)) ?? 0 });
  return done(await recordTransfer(tx, ctx, order, { amount: received, transferId: transfer.id }));
}

/**
 * Refunds what was paid for a closed order, repeats refunds that the provider declined, and marks refunds by hand as sent, also those of
 * a surplus of an open order. Null if there was nothing to refund, repeat or mark.
 */
async function refund(tx: Tx, ctx: Ctx, order: StoredOrder): Promise<StoredOrder | null> {
  const retried = await payment.retryRefunds(tx, ctx, order.id);
  const isOwed = isClosed(order.state) && order.paid > 0;
  if (isOwed) await payment.refundOrder(tx, ctx, order.id, order.state === "returned" ? "returned" : "cancelled");
  const sent = await payment.confirmRefundsByHand(tx, ctx, order.id);
  if (!isOwed) return retried > 0 || sent.length > 0 ? order : null;
  if (order.history.some((entry) => entry.event === "refund")) return order;
  return recordEvent(tx, ctx, order, "refund");
}

/**
 * Refunds a part of what was paid for an order. Before shipping, the refunded pieces are removed from the order. Afterwards only money is
 * refunded; staff reports the pieces with `give_back` when they are back in the shop.
 */
async function refundPart(tx: Tx, ctx: Ctx, order: StoredOrder, money: StaffDetails): Promise<Result<StoredOrder, OrderError>> {
  if (order.state === "awaiting_payment" || order.state === "cancellation_requested" || order.paid === 0)
    return fail({ code: "order.event_refused", state: order.state, event: "refund" });
  const { pieces = [], isDeliveryToo = false, refundKey, isToBeSent = false } = money;
  if (refundKey !== undefined && (await payment.isRefundedWithKey(tx, order.id, refundKey))) return done(order);
  const key = refundKey === undefined ? {} : { key: refundKey };
  if (pieces.length > 0 && isReserving(order.state)) return refundPieces(tx, ctx, order, { pieces, isDeliveryToo, ...key }, { isToBeSent });
  const request = money.amount === undefined ? receiptPieces(order, pieces, isDeliveryToo) : { amount: money.amount };
  const refunded = await payment.refundPartially(tx, ctx, order.id, { ...request, ...key, isToBeSent });
  return refunded.ok
    ? done(await recordEvent(tx, ctx, order, "refund_part"))
    : fail({ code: "order.refund_too_much", left: refunded.error.left });
}

/** A pickup point of the order's own city and kind that accepts its parcel; null: none with this id. May call the carrier. */
export async function pointFor(ctx: Ctx, orderId: string, pointId: string): Promise<PickupPoint | null> {
  return (await pointsFor(ctx, orderId)).find(({ id }) => id === pointId) ?? null;
}

/** The points to which the order can go instead. May call the carrier. */
export async function pointsFor(ctx: Ctx, orderId: string): Promise<PickupPoint[]> {
  const known = await rows.byId(ctx.db, orderId);
  if (!known || !deliveryById(known.deliveryId)?.hasPoint) return [];
  const { cityCode } = known.deliverySnapshot;
  return delivery.points(ctx, cityCode, known.deliveryId, { weightGrams: await parcelGrams(ctx.db, known) });
}

/** The delivery of an order with another pickup point. */
export const withPoint = (snapshot: DeliverySnapshot, point: PickupPoint): DeliverySnapshot => ({
  ...snapshot,
  point: pointSnapshot(point),
});

/**
 * Sends the parcel of an order again after the carrier refused it: where it was to go, or to another point of the same city and kind,
 * which the order then names. Refuses with `order.not_found`, `shipment.not_found`, `shipment.not_refused` and `shipment.no_such_point`.
 */
export async function resendParcel(
  ctx: Ctx,
  orderId: string,
  pointId: string | null,
): Promise<Result<ShipmentState, OrderError | ShipmentError>> {
  if (!(await rows.byId(ctx.db, orderId))) return fail({ code: "order.not_found" });
  const point = pointId === null ? null : await pointFor(ctx, orderId, pointId);
  if (pointId !== null && !point) return fail({ code: "shipment.no_such_point" });
  return inTransaction(ctx.db, async (tx) => {
    const order = await rows.lock(tx, orderId);
    return order ? resendLocked(tx, ctx, order, point) : fail({ code: "order.not_found" });
  });
}

/** Sends a refused parcel again, to this point if one is given, and adds both to the history. The caller has locked the order. */
export async function resendLocked(
  tx: Tx,
  ctx: Ctx,
  order: StoredOrder,
  point: PickupPoint | null,
): Promise<Result<ShipmentState, ShipmentError>> {
  const changed = point ? { ...order, deliverySnapshot: withPoint(order.deliverySnapshot, point) } : order;
  const sent = await shipping.retry({ ...ctx, db: tx }, order.id, await parcelRequest(tx, changed));
  if (!sent.ok) return sent;
  if (point) await rows.savePoint(tx, order.id, changed.deliverySnapshot);
  const isElsewhere = point !== null && point.id !== order.deliverySnapshot.point?.id;
  const recorded = isElsewhere ? await recordChange(tx, ctx, changed, { delivery: changed.deliverySnapshot }) : changed;
  await recordEvent(tx, ctx, recorded, "resend_parcel");
  return sent;
}
