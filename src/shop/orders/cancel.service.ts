import type { Tx } from "#kit/db.ts";
import type { Ctx } from "#shop/context.ts";
import * as shipping from "#shop/delivery/shipping.service.ts";
import * as payment from "#shop/payment/service.ts";
import type { StoredOrder } from "./stored-order.repository.ts";
import { advance, isSentByCarrier, type TransitionResult } from "./transition.service.ts";

/**
 * Cancels an order for its buyer or for staff. A packed parcel is recalled first: the order is `cancellation_requested`, and coins and
 * money stay as they are until the carrier answers (`followRecall`). The caller has locked the order. Idempotent.
 */
export async function cancelLocked(tx: Tx, ctx: Ctx, order: StoredOrder): Promise<TransitionResult> {
  if (order.state === "cancellation_requested") return { kind: "already" };
  if (order.state !== "assembled" || !isSentByCarrier(order)) return advance(tx, ctx, order, "cancel");
  await payment.lockAttempts(tx, order.id); // payments are locked before the parcel
  const recall = await shipping.recall(tx, ctx, order.id, { mayTurnBack: true });
  return advance(tx, ctx, order, recall === "struck_out" ? "cancel" : "request_cancel");
}
