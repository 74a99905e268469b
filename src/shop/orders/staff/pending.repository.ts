import { and, eq, gt, inArray, isNotNull, isNull, notExists, or, sql } from "drizzle-orm";
import type { Db, Tx } from "#kit/db.ts";
import { actorText } from "#shop/actor.ts";
import { sealableStates } from "../parcel/seal.ts";
import { orderHistory, orders, orderSeals } from "../tables.ts";
import { selectOrders } from "../repository.ts";
import type { StoredOrder } from "../stored-order.repository.ts";

/** Packed orders without a seal; orders in cancellation, repacking or return; returned orders that are not refunded in full. */
export const findWaitingForStaff = (db: Db): Promise<StoredOrder[]> =>
  selectOrders(
    db,
    or(
      and(
        inArray(orders.state, [...sealableStates]),
        notExists(
          db
            .select({ number: orderSeals.number })
            .from(orderSeals)
            .where(and(eq(orderSeals.orderId, orders.id), isNull(orderSeals.removedAt))),
        ),
      ),
      inArray(orders.state, ["cancellation_requested", "returning"]),
      isNotNull(orders.refundAfterRecall),
      isNotNull(orders.changeAfterRecall),
      and(eq(orders.state, "returned"), gt(orders.paidKopecks, orders.refundedKopecks)),
    ),
  );

/** The last request to the carrier to cancel an order. */
const cancelRequester = sql<string | null>`(select actor from ${orderHistory} where order_id = ${orders}.id and event = 'request_cancel'
  order by step desc limit 1)`;

/** The actor of the last request to the carrier to cancel this order; null: there was none, or its actor was not stored. */
export async function requesterOfCancel(tx: Tx, id: string): Promise<string | null> {
  const [row] = await tx.select({ actor: cancelRequester }).from(orders).where(eq(orders.id, id));
  return row?.actor ?? null;
}

/**
 * Orders whose pieces this member of staff drops once the carrier has struck the parcel out, and orders for which it asked the carrier to
 * cancel and which are not cancelled yet. The states are written out for the index `orders_watched`.
 */
export const decidedByStaff = (db: Db, login: string): Promise<StoredOrder[]> =>
  selectOrders(
    db,
    or(
      and(isNotNull(orders.refundAfterRecall), eq(sql`${orders.refundAfterRecall} ->> 'by'`, login)),
      and(sql`${orders.state} in ('cancellation_requested', 'returning')`, eq(cancelRequester, actorText({ kind: "staff", name: login }))),
    ),
  );

/** Those of these orders for which this member of staff was the last to ask the carrier to cancel. */
export async function cancelRequestedBy(db: Db, login: string, ids: readonly string[]): Promise<StoredOrder[]> {
  if (ids.length === 0) return [];
  return selectOrders(db, and(inArray(orders.id, [...ids]), eq(cancelRequester, actorText({ kind: "staff", name: login }))));
}
