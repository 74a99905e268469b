import { inTransaction, type Tx } from "#kit/db.ts";
import { minutes, plus } from "#kit/time.ts";
import * as alarms from "#shop/alarms/service.ts";
import type { Ctx } from "#shop/context.ts";
import type { CarrierRecall } from "./gateway.ts";
import type { ShipmentRow } from "./shipments.repository.ts";
import * as shipmentRows from "./shipments.repository.ts";
import { carrierNumber, type DeliveryRecalled } from "./shipment.ts";

/** Longer than all calls of one sweep step for a parcel: until it ends, a registration request may still be in flight. */
export const checkLease = minutes(1);

/** Failed calls about a parcel in a row before an alarm: about twenty minutes. */
export const alarmAfter = 5;

/** Settles the alarm about a parcel that was not answered for: there is an answer, or the question is another one now. */
export async function settleUnanswered(tx: Tx, ctx: Ctx, { orderId, attempts }: Pick<ShipmentRow, "orderId" | "attempts">): Promise<void> {
  if (attempts >= alarmAfter) await alarms.settle(tx, ctx, "delivery.unanswered", { orderId });
}

/**
 * Recalls the parcel of an order in the caller's transaction; the caller has locked the order.
 * Returns `struck_out` when the carrier has no parcel and will get none, `asked` when the carrier must decide: `delivery.recalled`
 * is enqueued afterwards. `mayTurnBack`: a parcel on its way is recalled too. Idempotent: a running recall continues.
 */
export async function recall(
  tx: Tx,
  ctx: Ctx,
  orderId: string,
  { mayTurnBack }: { mayTurnBack: boolean },
): Promise<"struck_out" | "asked"> {
  const now = ctx.now();
  await shipmentRows.insertCalledOff(tx, orderId, now);
  const stored = await shipmentRows.lockShipment(tx, orderId);
  if (!stored) throw new Error(`no parcel of order ${orderId}`);
  await settleUnanswered(tx, ctx, stored);
  if (stored.state === "called_off" || stored.state === "invalid") {
    await shipmentRows.saveShipment(tx, orderId, { state: "called_off", recall: "struck_out", request: null, nextCheckAt: null });
    return "struck_out";
  }
  const isUnderWay = stored.recall === "asked" || stored.recall === "sent";
  await shipmentRows.saveShipment(tx, orderId, {
    recall: stored.recall === "sent" ? "sent" : "asked",
    mayTurnBack: mayTurnBack || (isUnderWay && stored.mayTurnBack),
    attempts: 0,
    nextCheckAt: afterRegistration(stored, now),
  });
  return "asked";
}

/** Waits for a registration that may be in flight: it could reach the carrier after the recall has looked for the parcel. */
function afterRegistration({ state, nextCheckAt }: ShipmentRow, now: Date): Date {
  if (state !== "new" || !nextCheckAt || nextCheckAt <= now) return now;
  const leaseEnd = plus(now, checkLease);
  return nextCheckAt < leaseEnd ? nextCheckAt : leaseEnd;
}

/** Advances one recall, for the sweep. Returns null once it is decided, else the reason why not. Throws when the carrier is unavailable. */
export async function advanceRecall(ctx: Ctx, parcel: ShipmentRow): Promise<string | null> {
  // The answer to an earlier registration may have been lost: the carrier may have a parcel whose id is not stored here.
  const carrierId = parcel.carrierId ?? (await findRegistered(ctx, parcel));
  const answer = await requestRecall(ctx, parcel, carrierId);
  return inTransaction(ctx.db, async (tx) => {
    const stored = await shipmentRows.lockShipment(tx, parcel.orderId);
    if (!stored || (stored.recall !== "asked" && stored.recall !== "sent")) return null;
    // The row changed during the call: the next sweep step repeats the request with the new values.
    const isOutdated = (stored.carrierId !== null && stored.carrierId !== carrierId) || stored.mayTurnBack !== parcel.mayTurnBack;
    if (isOutdated) {
      await shipmentRows.saveShipment(tx, parcel.orderId, { nextCheckAt: ctx.now() });
      return null;
    }
    if (answer.outcome === "pending") {
      await shipmentRows.saveShipment(tx, parcel.orderId, { recall: "sent", carrierId });
      return answer.reason ?? "the carrier has not decided about the recall";
    }
    await shipmentRows.saveShipment(
      tx,
      parcel.orderId,
      answer.outcome === "struck_out"
        ? { state: "called_off", recall: answer.outcome, request: null, carrierId, attempts: 0, nextCheckAt: null }
        : { recall: answer.outcome, carrierId, attempts: 0, nextCheckAt: ctx.now() },
    );
    await settleUnanswered(tx, ctx, stored);
    ctx.log.info({ orderId: parcel.orderId, outcome: answer.outcome, reason: answer.reason }, "recall decided");
    await ctx.enqueue(tx, "delivery.recalled", { orderId: parcel.orderId } satisfies DeliveryRecalled);
    return null;
  });
}

async function findRegistered(ctx: Ctx, { request, registration, state }: ShipmentRow): Promise<string | null> {
  if (!request || state !== "new") return null;
  const found = await ctx.gateways.delivery.find(carrierNumber(request.number, registration));
  return found?.carrierId ?? null;
}

async function requestRecall(ctx: Ctx, { state, mayTurnBack }: ShipmentRow, carrierId: string | null): Promise<CarrierRecall> {
  if (state === "delivered") return { outcome: "refused", reason: state };
  if (state === "not_delivered") return { outcome: mayTurnBack ? "turned_back" : "refused", reason: state };
  if (carrierId === null || state === "invalid") return { outcome: "struck_out", reason: null };
  return ctx.gateways.delivery.recall(carrierId, { mayTurnBack });
}
