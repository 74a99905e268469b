import type { Db, Tx } from "#kit/db.ts";
import type { Kopecks } from "#kit/money.ts";
import { step } from "#kit/transitions.ts";
import * as catalog from "#shop/catalog/service.ts";
import type { Ctx } from "#shop/context.ts";
import { fullNameOf } from "#shop/customers/customer.ts";
import { deliveryById } from "#shop/delivery/delivery.ts";
import type { CallOffShipment, RegisterShipment } from "#shop/delivery/shipment.ts";
import * as payment from "#shop/payment/service.ts";
import * as stock from "#shop/stock/service.ts";
import { orderStates, type OrderEvent } from "./order.ts";
import { receiptOf } from "./receipt.ts";
import * as rows from "./repository.ts";
import type { StoredOrder } from "./repository.ts";
import { tell } from "./tell.service.ts";

export type Stepped = { kind: "moved"; order: StoredOrder } | { kind: "already" } | { kind: "refused" };

/**
 * The only way in which an order changes its state: by the table, with the coins, the money, the history and the message
 * that belong to the event, all in the caller's transaction. The caller holds the order's row.
 * A refused event changes nothing and is logged; a repeated one is `already`.
 */
export async function advance(tx: Tx, ctx: Ctx, order: StoredOrder, event: OrderEvent, money: { paid?: Kopecks; paidAt?: Date } = {}): Promise<Stepped> {
  const move = step(orderStates, order.state, event);
  if (move.kind === "refused") ctx.log.warn({ orderId: order.id, state: order.state, event }, "an order refused an event");
  if (move.kind !== "moved") return move;

  const at = ctx.now();
  const entry = { event, state: move.to, at };
  const change = { state: move.to, reservedUntil: null, ...money };
  await rows.save(tx, order.id, change);
  await rows.addHistory(tx, ctx, order, entry);
  // Payments are locked before stock rows, everywhere.
  if (move.to === "cancelled") await payment.refundAll(tx, ctx, order.id, "cancelled");
  if (event === "deliver") await payment.oweForHandover(tx, ctx, order.id, receiptOf(order));
  await moveCoins(tx, ctx, order, event);
  if (event === "assemble") await askCarrier(tx, ctx, order);
  if (event === "cancel" && order.state === "assembled") await ctx.enqueue(tx, "delivery.call_off", { orderId: order.id } satisfies CallOffShipment);

  const moved: StoredOrder = { ...order, ...change, history: [...order.history, entry] };
  await tell(tx, ctx, event, moved);
  return { kind: "moved", order: moved };
}

async function moveCoins(tx: Tx, ctx: Ctx, order: StoredOrder, event: OrderEvent): Promise<void> {
  switch (event) {
    case "cancel":
    case "expire":
      return stock.release(tx, order.lines);
    case "ship":
    case "make_ready":
      return stock.take(tx, ctx, order.id, order.lines);
    case "turn_back":
    case "give_back":
      return stock.putBack(tx, ctx, order.id, order.lines);
    default:
      return undefined;
  }
}

/** A packed parcel is registered with the carrier by a job: he may be slow or out. Office and special contact are ours to hand over. */
async function askCarrier(tx: Tx, ctx: Ctx, order: StoredOrder): Promise<void> {
  if (deliveryById(order.deliveryId)?.type !== "sdek") return;
  const coins = await catalog.coinsByIds(tx, order.lines.map((line) => line.coinId));
  const massOf = new Map(coins.map((coin) => [coin.id, coin.totalMassMg]));
  const { point, cityCode } = order.told;
  await ctx.enqueue(tx, "delivery.register", {
    orderId: order.id, number: String(order.number),
    to: point ? toPoint(point) : { cityCode, address: addressLine(order) },
    recipient: { name: fullNameOf(order.user), phone: order.user.phone, email: order.user.email },
    lines: order.lines.map((line) => ({
      title: line.title, article: String(line.coinId), quantity: line.quantity, unitPriceKopecks: line.price,
      weightGrams: Math.ceil((massOf.get(line.coinId) ?? 0) / 1000),
    })),
  } satisfies RegisterShipment);
}

/** What the coins of an order weigh, without packing. */
export async function parcelGrams(db: Db, order: StoredOrder): Promise<number> {
  const coins = await catalog.coinsByIds(db, order.lines.map((line) => line.coinId));
  const massOf = new Map(coins.map((coin) => [coin.id, coin.totalMassMg]));
  return Math.ceil(order.lines.reduce((sum, line) => sum + (massOf.get(line.coinId) ?? 0) * line.quantity, 0) / 1000);
}

export const toPoint = ({ id, type }: { id: string; type: string }) => ({ pointId: id, isLocker: type === "POSTAMAT" });

const addressLine = ({ address }: StoredOrder): string => (address ? [address.street, address.house, address.room].filter((part) => part !== "").join(", ") : "");
