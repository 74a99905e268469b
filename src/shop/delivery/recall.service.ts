import { inTransaction, type Tx } from "#kit/db.ts";
import { minutes, plus } from "#kit/time.ts";
import type { Ctx } from "#shop/context.ts";
import type { CarrierRecall } from "./gateway.ts";
import type { ShipmentRow } from "./repository.ts";
import * as rows from "./repository.ts";
import { carrierNumber, type DeliveryRecalled } from "./shipment.ts";

/** Longer than all calls that the turn of one parcel may take: until then a registration may still be on its way to the carrier. */
export const sendingLease = minutes(1);

/**
 * Recalls the parcel of an order, in the caller's transaction; the caller holds the order. `struck_out`: the carrier has no parcel and never
 * will. `asked`: the carrier decides, and `delivery.recalled` says when it has. `mayTurnBack`: the recall also holds for a parcel on its way.
 * Safe to repeat: a recall that is under way goes on.
 */
export async function recall(
  tx: Tx,
  ctx: Ctx,
  orderId: string,
  { mayTurnBack }: { mayTurnBack: boolean },
): Promise<"struck_out" | "asked"> {
  const now = ctx.now();
  await rows.insertCalledOff(tx, orderId, now);
  const known = await rows.lockShipment(tx, orderId);
  if (!known) throw new Error(`no parcel of order ${orderId}`);
  if (known.state === "called_off" || known.state === "invalid") {
    await rows.saveShipment(tx, orderId, { state: "called_off", recall: "struck_out", request: null, nextCheckAt: null });
    return "struck_out";
  }
  const isUnderWay = known.recall === "asked" || known.recall === "sent";
  await rows.saveShipment(tx, orderId, {
    recall: known.recall === "sent" ? "sent" : "asked",
    mayTurnBack: mayTurnBack || (isUnderWay && known.mayTurnBack),
    attempts: 0,
    nextCheckAt: afterRegistration(known, now),
  });
  return "asked";
}

/** A registration that was sent a moment ago may reach the carrier after the question whether it has the parcel. */
function afterRegistration({ state, nextCheckAt }: ShipmentRow, now: Date): Date {
  if (state !== "new" || !nextCheckAt || nextCheckAt <= now) return now;
  const leaseEnd = plus(now, sendingLease);
  return nextCheckAt < leaseEnd ? nextCheckAt : leaseEnd;
}

/** Pursues one recall; null once the carrier has decided, else why it has not. For the sweep. Throws when the carrier cannot be asked. */
export async function pursueRecall(ctx: Ctx, parcel: ShipmentRow): Promise<string | null> {
  // The answer to an earlier registration may have been lost: the carrier may have a parcel that we know nothing of.
  const carrierId = parcel.carrierId ?? (await findRegistered(ctx, parcel));
  const answer = await askCarrier(ctx, parcel, carrierId);
  return inTransaction(ctx.db, async (tx) => {
    const known = await rows.lockShipment(tx, parcel.orderId);
    if (!known || (known.recall !== "asked" && known.recall !== "sent")) return null;
    // What was asked meanwhile, or became known meanwhile, is answered by another question.
    const isOutdated = (known.carrierId !== null && known.carrierId !== carrierId) || known.mayTurnBack !== parcel.mayTurnBack;
    if (isOutdated) {
      await rows.saveShipment(tx, parcel.orderId, { nextCheckAt: ctx.now() });
      return null;
    }
    if (answer.outcome === "pending") {
      await rows.saveShipment(tx, parcel.orderId, { recall: "sent", carrierId });
      return answer.reason ?? "the carrier has not decided about the recall";
    }
    await rows.saveShipment(
      tx,
      parcel.orderId,
      answer.outcome === "struck_out"
        ? { state: "called_off", recall: answer.outcome, request: null, carrierId, attempts: 0, nextCheckAt: null }
        : { recall: answer.outcome, carrierId, attempts: 0, nextCheckAt: ctx.now() },
    );
    ctx.log.info({ orderId: parcel.orderId, outcome: answer.outcome, reason: answer.reason }, "a recall was decided");
    await ctx.enqueue(tx, "delivery.recalled", { orderId: parcel.orderId } satisfies DeliveryRecalled);
    return null;
  });
}

async function findRegistered(ctx: Ctx, { request, registration, state }: ShipmentRow): Promise<string | null> {
  if (!request || state !== "new") return null;
  const found = await ctx.gateways.delivery.find(carrierNumber(request.number, registration));
  return found?.carrierId ?? null;
}

async function askCarrier(ctx: Ctx, { state, mayTurnBack }: ShipmentRow, carrierId: string | null): Promise<CarrierRecall> {
  if (state === "delivered") return { outcome: "refused", reason: state };
  if (state === "not_delivered") return { outcome: mayTurnBack ? "turned_back" : "refused", reason: state };
  if (carrierId === null || state === "invalid") return { outcome: "struck_out", reason: null };
  return ctx.gateways.delivery.recall(carrierId, { mayTurnBack });
}
