import type { Db, Tx } from "#kit/db.ts";
import type { Kopecks } from "#kit/money.ts";
import { step } from "#kit/transitions.ts";
import { staffLoginOf } from "#shop/actor.ts";
import * as catalog from "#shop/catalog/service.ts";
import type { Ctx } from "#shop/context.ts";
import { fullNameOf } from "#shop/customers/customer.ts";
import { deliveryById } from "#shop/delivery/delivery.ts";
import type { RegisterShipment } from "#shop/delivery/shipment.ts";
import * as shipping from "#shop/delivery/shipping.service.ts";
import * as payment from "#shop/payment/service.ts";
import * as promoCodes from "#shop/pricing/promo-codes/service.ts";
import * as stock from "#shop/stock/service.ts";
import {
  isReserving,
  isReturnOfCancelled,
  isReturnUnsettled,
  isSold,
  orderStates,
  piecesOf,
  remainingLines,
  type OrderEvent,
  type OrderState,
} from "./order.ts";
import { receiptOf } from "./receipts/receipt.ts";
import * as rows from "./repository.ts";
import * as pending from "./staff/pending.repository.ts";
import * as seals from "./parcel/seal.repository.ts";
import type { StoredOrder } from "./stored-order.repository.ts";
import { notifyBuyer } from "./messages/messages.service.ts";

type Money = { paid?: Kopecks; paidAt?: Date };
export type TransitionResult = { kind: "moved"; order: StoredOrder } | { kind: "already" } | { kind: "refused" };

/**
 * Changes the state of an order by the state table, together with coins, money, history and message of the event, in the caller's
 * transaction. No other function changes the state. The caller has locked the order.
 * A refused event changes nothing and is logged; a repeated one is `already`.
 */
export async function advance(tx: Tx, ctx: Ctx, order: StoredOrder, event: OrderEvent, money: Money = {}): Promise<TransitionResult> {
  const move = step(orderStates, order.state, event);
  if (move.kind === "refused") ctx.log.warn({ orderId: order.id, state: order.state, event }, "an order refused an event");
  if (move.kind !== "moved") return move;

  const at = ctx.now();
  const entry = { event, state: move.to, at };
  // A cancellation refunds everything, and `unpack` drops the pieces or repacks the parcel itself: what waited for a recall is obsolete.
  const clearsPending = move.to === "cancelled" || move.to === "cancellation_requested" || move.to === "paid";
  const change = {
    state: move.to,
    reservedUntil: null,
    ...money,
    ...(clearsPending && order.refundAfterRecall !== null ? { refundAfterRecall: null } : {}),
    ...(clearsPending && order.changeAfterRecall !== null ? { changeAfterRecall: null } : {}),
  };
  await rows.save(tx, order.id, change);
  await rows.addHistory(tx, ctx, order, entry);
  // The order of the locks, here and elsewhere: payments, promo code, parcel, stock rows.
  const isAnswered = event === "confirm_cancel" && ctx.actor.kind === "job";
  if (move.to === "cancelled") await payment.refundOrder(tx, isAnswered ? await asRequester(tx, ctx, order) : ctx, order.id, "cancelled");
  if (move.to === "cancelled" && order.promo !== null) await promoCodes.giveBack(tx, ctx, order.id);
  const isRefundedOnReturn = move.to === "returned" && isReturnOfCancelled(order) && order.paid > order.refunded;
  if (isRefundedOnReturn) await payment.refundOrder(tx, await asRequester(tx, ctx, order), order.id, "returned");
  if (event === "deliver")
    await payment.createHandoverReceipt(tx, ctx, order.id, receiptOf(order, ctx.settings.seller.tax, "full_payment"));
  if (event === "assemble" && isSentByCarrier(order)) await packParcel(tx, ctx, order);
  if (event === "unpack") await seals.removeSeal(tx, order.id, at);
  if (event === "turn_back") await shipping.stopTracking(tx, ctx, order.id);
  await moveCoins(tx, ctx, order, move.to);

  const moved: StoredOrder = {
    ...order,
    ...change,
    ...(event === "unpack" ? { sealNumber: null } : {}),
    history: [...order.history, entry],
  };
  if (isRefundedOnReturn) {
    const refund = { event: "refund" as const, state: move.to, at };
    await rows.addHistory(tx, ctx, moved, refund);
    moved.history = [...moved.history, refund];
  }
  if (isReturnUnsettled(moved)) ctx.alarm("order.return_unsettled", { orderId: order.id, since: at.toISOString() });
  await notifyBuyer(tx, ctx, event, moved);
  return { kind: "moved", order: moved };
}

/**
 * The context in which the money of a cancelled order goes back after the carrier's answer: in the name of the member of staff who asked
 * for the cancellation, so that it counts towards that clerk's day.
 */
async function asRequester(tx: Tx, ctx: Ctx, order: StoredOrder): Promise<Ctx> {
  const login = staffLoginOf((await pending.requesterOfCancel(tx, order.id)) ?? "");
  return login === null ? ctx : { ...ctx, actor: { kind: "staff", name: login } };
}

/** Releases, removes or returns the order's coins in stock. Pieces that were dropped or returned before are not counted again. */
async function moveCoins(tx: Tx, ctx: Ctx, order: StoredOrder, to: OrderState): Promise<void> {
  const remaining = remainingLines(order.lines);
  if (isReserving(order.state) && to === "cancelled") return stock.release(tx, remaining);
  if (isReserving(order.state) && isSold(to)) return stock.removeSold(tx, ctx, order.id, remaining);
  if (to === "returned")
    return stock.returnToStock(
      tx,
      ctx,
      order.id,
      order.lines.map((line) => ({ coinId: line.coinId, quantity: piecesOf(line) - line.returned })).filter(({ quantity }) => quantity > 0),
    );
}

/** Whether the carrier delivers the order; then packing makes a parcel. The shop itself hands over at the office and to special contact. */
export const isSentByCarrier = (order: Pick<StoredOrder, "deliveryId">): boolean => deliveryById(order.deliveryId)?.type === "carrier";

/** Stores the parcel in this transaction; a job registers it with the carrier, which may be slow or out. */
const packParcel = async (tx: Tx, ctx: Ctx, order: StoredOrder): Promise<void> => shipping.pack(tx, ctx, await parcelRequest(tx, order));

/** What is sent to the carrier about the parcel of an order. */
export async function parcelRequest(db: Db, order: StoredOrder): Promise<RegisterShipment> {
  const remaining = remainingLines(order.lines);
  const coins = await catalog.coinsByIds(
    db,
    remaining.map(({ coinId }) => coinId),
  );
  const massOf = new Map(coins.map((coin) => [coin.id, coin.totalMassMg]));
  const { point, cityCode } = order.deliverySnapshot;
  return {
    orderId: order.id,
    number: String(order.number),
    to: point ? toPoint(point) : { cityCode, address: addressLine(order), comment: courierComment(order) },
    recipient: { name: fullNameOf(order.user), phone: order.user.phone, email: order.user.email },
    lines: remaining.map(({ coinId, quantity, line }) => ({
      title: line.title,
      article: String(coinId),
      quantity,
      unitPriceKopecks: line.price,
      weightGrams: Math.ceil((massOf.get(coinId) ?? 0) / 1000),
    })),
  };
}

/** The weight of an order's coins in grams, without packing. */
export async function parcelGrams(db: Db, order: StoredOrder): Promise<number> {
  const remaining = remainingLines(order.lines);
  const coins = await catalog.coinsByIds(
    db,
    remaining.map(({ coinId }) => coinId),
  );
  const massOf = new Map(coins.map((coin) => [coin.id, coin.totalMassMg]));
  return Math.ceil(remaining.reduce((sum, { coinId, quantity }) => sum + (massOf.get(coinId) ?? 0) * quantity, 0) / 1000);
}

const toPoint = ({ id, type }: { id: string; type: string }) => ({ pointId: id, isLocker: type === "POSTAMAT" });

const addressLine = ({ address }: StoredOrder): string =>
  address ? [address.street, address.house, address.room].filter((part) => part !== "").join(", ") : "";

/** What the buyer wrote for the courier, after the entrance and the floor, which the carrier's address has no place for. */
const courierComment = ({ address }: StoredOrder): string =>
  address
    ? [address.entrance && `подъезд ${address.entrance}`, address.floor && `этаж ${address.floor}`, address.message]
        .filter((part) => part !== "")
        .join(", ")
    : "";
