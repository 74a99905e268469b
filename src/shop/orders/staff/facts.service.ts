import type { Db } from "#kit/db.ts";
import * as shipping from "#shop/delivery/shipping.service.ts";
import * as payment from "#shop/payment/service.ts";
import { piecesOf } from "../order.ts";
import type { StoredOrder } from "../stored-order.repository.ts";
import type { ActFacts } from "./acts.ts";

/** Reads the facts that the rules of `acts.ts` depend on. */
export async function loadActFacts(db: Db, order: StoredOrder): Promise<ActFacts> {
  const [parcel] = await shipping.shipments(db, [order.id]);
  const left = await payment.leftToRefund(db, order.id);
  const hasOpenRefund = await payment.hasRefundForStaff(db, order.id);
  return {
    state: order.state,
    deliveryId: order.deliveryId,
    paymentMethodId: order.paymentMethodId,
    left,
    pieces: order.lines.reduce((sum, line) => sum + piecesOf(line), 0),
    parcel: parcel ?? null,
    isRepacking: order.refundAfterRecall !== null || order.changeAfterRecall !== null,
    hasOpenRefund,
    isAnonymous: order.user.phone === "",
  };
}
