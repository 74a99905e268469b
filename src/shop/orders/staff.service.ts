import { inTransaction, type Tx } from "#kit/db.ts";
import { subtract } from "#kit/money.ts";
import { done, fail, type Result } from "#kit/result.ts";
import { step } from "#kit/transitions.ts";
import type { Ctx } from "#shop/context.ts";
import * as delivery from "#shop/delivery/service.ts";
import type { ShipmentError, ShipmentState } from "#shop/delivery/shipment.ts";
import * as shipping from "#shop/delivery/shipping.service.ts";
import { methodById } from "#shop/payment/payment.ts";
import * as payment from "#shop/payment/service.ts";
import { cancelLocked } from "./cancel.service.ts";
import { isClosed, isReserving, orderStates, type Order, type OrderError, type StaffEvent, type StaffDetails } from "./order.ts";
import { isSealable } from "./parcel/seal.ts";
import { giveBackPieces, noted, receiptPieces, refundPieces } from "./returns/pieces.service.ts";
import { viewed } from "./read.service.ts";
import * as rows from "./repository.ts";
import type { StoredOrder } from "./repository.ts";
import { advance, parcelGrams, toPoint } from "./transition.service.ts";
import { isByHand, takeAtDesk, takeTransfer } from "./transfers/transfer.service.ts";

/**
 * What staff did with an order: packed it, handed it over, took it back, saw its money, gave some of it back. Safe to repeat but for
 * a sum to give back: what already happened is answered with the order as it is, or refused as known. Handing over an order that is paid at the desk records its money.
 *
 * Refuses with `order.not_found`, `order.event_refused` when the order is not in a state for it, `order.refund_too_much`, `order.pieces_refused`,
 * `order.reference_missing` for a sum without the bank's reference, `order.transfer_known` for a reference that has been entered,
 * `order.seal_missing` for `seal` without a number and `order.seal_taken` for a number that another order has or had.
 */
export async function apply(ctx: Ctx, orderId: string, event: StaffEvent, money: StaffDetails = {}): Promise<Result<Order, OrderError>> {
  return inTransaction(ctx.db, async (tx) => {
    const order = await rows.lock(tx, orderId);
    if (!order) return fail({ code: "order.not_found" });
    const after = await applyLocked(tx, ctx, order, event, money);
    return after.ok ? done(await viewed(tx, after.value)) : after;
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
  if (event === "give_back" && money.pieces) return giveBackPieces(tx, ctx, order, money.pieces);
  // Its parcel is being recalled to be packed again: handed over now, it would go with pieces that are refunded.
  if (order.refundAfterRecall && (event === "ship" || event === "make_ready")) return refused;
  if (event === "assemble" && money.sealNumber !== undefined) return assembleSealed(tx, ctx, order, money.sealNumber);
  const stepped = event === "cancel" ? await cancelLocked(tx, ctx, order) : await advance(tx, ctx, order, event);
  if (stepped.kind === "refused") return refused;
  if (stepped.kind === "already") return done(order);
  const isPaidNow = event === "deliver" && isByHand(order) && order.paid === 0;
  return done(isPaidNow ? await takeAtDesk(tx, ctx, stepped.order) : stepped.order);
}

/** Packs the order into a bag with this seal; a seal that is refused leaves the order unpacked. The caller holds the order. */
async function assembleSealed(tx: Tx, ctx: Ctx, order: StoredOrder, sealNumber: string): Promise<Result<StoredOrder, OrderError>> {
  const move = step(orderStates, order.state, "assemble");
  if (move.kind === "refused") return fail({ code: "order.event_refused", state: order.state, event: "assemble" });
  const sealed = await seal(tx, ctx, order, sealNumber);
  if (!sealed.ok) return sealed;
  const stepped = await advance(tx, ctx, sealed.value, "assemble");
  return done(stepped.kind === "moved" ? stepped.order : sealed.value);
}

/** Enters the number of the bag's seal, or corrects it. Entered again, the same number changes nothing. The caller holds the order. */
async function seal(tx: Tx, ctx: Ctx, order: StoredOrder, sealNumber: string | undefined): Promise<Result<StoredOrder, OrderError>> {
  if (sealNumber === undefined) return fail({ code: "order.seal_missing" });
  if (order.sealNumber === sealNumber) return done(order);
  const holder = await rows.setSeal(tx, ctx, order.id, sealNumber, ctx.now());
  if (holder !== order.id) return fail({ code: "order.seal_taken", orderNumber: (await rows.numberById(tx, holder)) ?? 0 });
  return done({ ...order, sealNumber });
}

/**
 * Money on the account: all that is missing, or the sum that is named. Money at the provider's is the provider's to confirm, and what
 * is paid at the desk is paid when the order is handed over. Refuses as `apply` does. The caller holds the order.
 */
export async function payLocked(
  tx: Tx,
  ctx: Ctx,
  order: StoredOrder,
  { amount, reference }: StaffDetails,
): Promise<Result<StoredOrder, OrderError>> {
  const refused = fail({ code: "order.event_refused" as const, state: order.state, event: "pay" as const });
  if (amount === undefined && !(order.state === "awaiting_payment" && isByHand(order))) return order.paid > 0 ? done(order) : refused;
  if (amount !== undefined && isPaidAtDesk(order) && !isClosed(order.state)) return refused;
  if (amount !== undefined && !reference) return fail({ code: "order.reference_missing" });
  const came = amount ?? subtract(order.total, order.paid);
  if (!reference) return done(await takeTransfer(tx, ctx, order, { amount: came, transferId: null }));
  const transfer = await payment.enterTransfer(tx, ctx, { orderId: order.id, reference, amount: came });
  if (!transfer.isNew) return fail({ code: "order.transfer_known", orderNumber: (await rows.numberById(tx, transfer.orderId)) ?? 0 });
  return done(await takeTransfer(tx, ctx, order, { amount: came, transferId: transfer.id }));
}

/**
 * Gives back what was kept for a closed order, sends what the provider had turned down again, and says of money by hand that it was sent:
 * surplus of a live order too. Null when there is nothing of all that.
 */
async function refund(tx: Tx, ctx: Ctx, order: StoredOrder): Promise<StoredOrder | null> {
  const retried = await payment.retryRefunds(tx, ctx, order.id);
  const isOwed = isClosed(order.state) && order.paid > 0;
  if (isOwed) await payment.refundAll(tx, ctx, order.id, order.state === "returned" ? "returned" : "cancelled");
  const sent = await payment.confirmRefundsByHand(tx, ctx, order.id);
  if (!isOwed) return retried > 0 || sent.length > 0 ? order : null;
  if (order.history.some((entry) => entry.event === "refund")) return order;
  return noted(tx, ctx, order, "refund");
}

/**
 * Gives a part back of what an order has paid, whatever state it is in since then. Pieces of an order that was not shipped leave it;
 * of a later one only their money is meant, and `give_back` says when staff has them in hand.
 */
async function refundPart(tx: Tx, ctx: Ctx, order: StoredOrder, money: StaffDetails): Promise<Result<StoredOrder, OrderError>> {
  if (order.state === "awaiting_payment" || order.state === "cancellation_requested" || order.paid === 0)
    return fail({ code: "order.event_refused", state: order.state, event: "refund" });
  const { pieces = [], isDeliveryToo = false } = money;
  if (pieces.length > 0 && isReserving(order.state)) return refundPieces(tx, ctx, order, { pieces, isDeliveryToo });
  const ask = money.amount === undefined ? { pieces: receiptPieces(order, pieces, isDeliveryToo) } : { amount: money.amount };
  const refunded = await payment.refundPart(tx, ctx, order.id, ask);
  return refunded.ok
    ? done(await noted(tx, ctx, order, "refund_part"))
    : fail({ code: "order.refund_too_much", left: refunded.error.left });
}

const isPaidAtDesk = (order: StoredOrder): boolean => methodById(order.paymentMethodId)?.name === "on_collection";

/**
 * Sends the parcel of an order again after the carrier refused it: where it was to go, or to another point of the same city and kind,
 * which the order then names. Refuses with `order.not_found`, `shipment.not_found`, `shipment.not_refused` and `shipment.no_such_point`.
 */
export async function resend(
  ctx: Ctx,
  orderId: string,
  pointId: string | null,
): Promise<Result<ShipmentState, OrderError | ShipmentError>> {
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
    await rows.savePoint(tx, orderId, {
      ...order.told,
      point: { id: point.id, type: point.type, name: point.name, address: point.address, workTime: point.workTime, phone: point.phone },
    });
    return sent;
  });
}
