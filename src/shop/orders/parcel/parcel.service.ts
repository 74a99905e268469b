import { inTransaction, type Tx } from "#kit/db.ts";
import type { Ctx } from "#shop/context.ts";
import type { DeliveryMoved, DeliveryRecalled, ShipmentState } from "#shop/delivery/shipment.ts";
import * as shipping from "#shop/delivery/shipping.service.ts";
import type { OrderEvent } from "../order.ts";
import { repack } from "./repack.service.ts";
import { dropPieces } from "../returns/pieces.service.ts";
import * as rows from "../repository.ts";
import type { StoredOrder } from "../stored-order.repository.ts";
import { advance } from "../transition.service.ts";

/** The order event of each parcel state. `not_delivered`: the parcel travels back; its coins return to stock when staff confirms it. */
const eventOfParcel = {
  in_transit: null,
  at_point: "arrive",
  delivered: "deliver",
  not_delivered: "start_return",
} as const satisfies Record<DeliveryMoved["state"], OrderEvent | null>;

/** Applies the parcel's new state to its order. Idempotent; an event that the state table does not allow is logged and left to staff. */
export async function followParcel(ctx: Ctx, moved: DeliveryMoved): Promise<void> {
  await inTransaction(ctx.db, async (tx) => {
    const order = await rows.lock(tx, moved.orderId);
    // During a recall the carrier's answer decides, and reads the parcel's state by then.
    if (order && order.state !== "cancellation_requested") await follow(tx, ctx, order, moved.state);
  });
}

/** Adds the `ship` step when the carrier skipped it: a parcel in any later state has been shipped. */
async function follow(tx: Tx, ctx: Ctx, order: StoredOrder, parcel: DeliveryMoved["state"]): Promise<StoredOrder> {
  let now = order;
  const event = eventOfParcel[parcel];
  for (const each of [...(order.state === "assembled" ? ["ship" as const] : []), ...(event ? [event] : [])]) {
    const stepped = await advance(tx, ctx, now, each);
    if (stepped.kind === "moved") now = stepped.order;
  }
  return now;
}

/**
 * Applies the carrier's answer to a recall. Struck out: a requested cancellation is confirmed, the pieces to be refunded are dropped, or
 * the parcel is registered again with its new recipient or place.
 * Turned back: the order is `returning`. Refused: the order continues with its parcel, and buyer and staff are notified.
 * The answer is read from the parcel, so a late or repeated job changes nothing.
 */
export async function followRecall(ctx: Ctx, { orderId }: DeliveryRecalled): Promise<void> {
  await inTransaction(ctx.db, async (tx) => {
    const order = await rows.lock(tx, orderId);
    const [parcel] = await shipping.shipments(tx, [orderId]);
    if (!order || !parcel) return;
    const isRequested = order.state === "cancellation_requested";
    if (parcel.recall === "struck_out") {
      if (isRequested) await advance(tx, ctx, order, "confirm_cancel");
      else if (order.refundAfterRecall) await unpackAndDrop(tx, ctx, order);
      else if (order.changeAfterRecall) await repack(tx, ctx, order, order.changeAfterRecall);
    }
    if (parcel.recall === "turned_back") {
      if (isRequested) await advance(tx, ctx, order, "start_return");
      else if (order.state === "cancelled")
        ctx.alarm("delivery.recall_refused", { orderId, reason: "the parcel of a cancelled order had left and comes back" });
    }
    if (parcel.recall === "refused") await continueOrder(tx, ctx, order, parcel.state);
  });
}

/**
 * Returns the order of a struck-out parcel to `paid` and drops the pieces to be refunded, in the name of the member of staff who decided
 * it. The caller has locked the order.
 */
async function unpackAndDrop(tx: Tx, ctx: Ctx, order: StoredOrder): Promise<StoredOrder> {
  const wanted = order.refundAfterRecall;
  const unpacked = await advance(tx, ctx, order, "unpack");
  const after = unpacked.kind === "moved" ? unpacked.order : order;
  if (unpacked.kind !== "moved" || !wanted) {
    ctx.alarm("order.pieces_kept", { orderId: order.id, reason: `the order is ${order.state}` });
    await rows.save(tx, order.id, { refundAfterRecall: null });
    return after;
  }
  const decider: Ctx = wanted.by === undefined ? ctx : { ...ctx, actor: { kind: "staff", name: wanted.by } };
  // A job runs this: staff sends the transfer later.
  const dropped = await dropPieces(tx, decider, after, wanted, { isToBeSent: true });
  if (dropped.ok) return dropped.value;
  ctx.alarm("order.pieces_kept", { orderId: order.id, reason: dropped.error.code });
  return after;
}

async function continueOrder(tx: Tx, ctx: Ctx, order: StoredOrder, parcel: ShipmentState): Promise<void> {
  if (order.refundAfterRecall) {
    ctx.alarm("order.pieces_kept", { orderId: order.id, reason: "the carrier refused the recall" });
    await rows.save(tx, order.id, { refundAfterRecall: null });
  }
  if (order.changeAfterRecall) {
    ctx.alarm("order.change_kept", { orderId: order.id, reason: "the carrier refused the recall" });
    await rows.save(tx, order.id, { changeAfterRecall: null });
  }
  if (order.state === "cancelled")
    ctx.alarm("delivery.recall_refused", { orderId: order.id, reason: "the parcel of a cancelled order goes on" });
  if (order.state !== "cancellation_requested") return;
  ctx.alarm("delivery.recall_refused", { orderId: order.id, reason: `the parcel is ${parcel}` });
  const kept = await advance(tx, ctx, order, "refuse_cancel");
  if (kept.kind === "moved" && hasLeft(parcel)) await follow(tx, ctx, kept.order, parcel);
}

const hasLeft = (parcel: ShipmentState): parcel is DeliveryMoved["state"] => Object.hasOwn(eventOfParcel, parcel);
