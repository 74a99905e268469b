import { days, plus } from "#kit/time.ts";
import type { Ctx } from "#shop/context.ts";
import * as shipping from "#shop/delivery/shipping.service.ts";
import { isReturnUnsettled, type WaitingOrder } from "../order.ts";
import * as pending from "../staff/pending.repository.ts";
import type { StoredOrder } from "../stored-order.repository.ts";
import { isSealable, isSealed } from "../parcel/seal.ts";

/** Orders that wait for the carrier or for staff, the longest waiting first. For staff. */
export async function waiting(ctx: Ctx): Promise<WaitingOrder[]> {
  const found = await pending.findWaitingForStaff(ctx.db);
  const parcels = new Map(
    (
      await shipping.shipments(
        ctx.db,
        found.map(({ id }) => id),
      )
    ).map((each) => [each.orderId, each]),
  );
  return found
    .flatMap((order): WaitingOrder[] => {
      const why = reasonOf(ctx, order);
      const parcel = parcels.get(order.id);
      const { id, number, state } = order;
      return why
        ? [
            {
              id,
              number,
              state,
              why,
              since: sinceOf(order),
              parcel: parcel
                ? { recall: parcel.recall, lastStep: parcel.steps.at(-1) ?? null, trackingNumber: parcel.trackingNumber }
                : null,
            },
          ]
        : [];
    })
    .sort((a, b) => a.since.getTime() - b.since.getTime());
}

function reasonOf(ctx: Ctx, order: StoredOrder): WaitingOrder["why"] | null {
  if (isSealable(order.state) && order.sealNumber === null && isSealed(order.deliveryId) && !order.refundAfterRecall) return "unsealed";
  if (order.state === "cancellation_requested") return "cancellation";
  if (order.refundAfterRecall || order.changeAfterRecall) return "repacking";
  if (order.state === "returning")
    return plus(sinceOf(order), days(ctx.settings.limits.returnDays)) <= ctx.now() ? "return_late" : "returning";
  return isReturnUnsettled(order) ? "unsettled" : null;
}

/** When the order entered its state: later entries may be about money only. */
function sinceOf(order: StoredOrder): Date {
  const other = order.history.findLastIndex((entry) => entry.state !== order.state);
  return order.history[other + 1]?.at ?? order.createdAt;
}

/** Raises alarms for parcels that should be back by now, and for returned orders whose money is undecided. For the sweep. */
export async function alarmOverdueReturns(ctx: Ctx): Promise<void> {
  for (const { id, why, since } of await waiting(ctx)) {
    if (why === "return_late") ctx.alarm("delivery.return_late", { orderId: id, since: since.toISOString() });
    if (why === "unsettled") ctx.alarm("order.return_unsettled", { orderId: id, since: since.toISOString() });
  }
}
