import type { Db, IdQuery } from "#kit/db.ts";
import { add, zero } from "#kit/money.ts";
import * as payment from "#shop/payment/service.ts";
import type { OrderState } from "../order.ts";
import type { ExportedOrder, ExportFilter } from "./exported-order.ts";
import * as rows from "./export.repository.ts";

/** Orders that are read at once, so that an export of any length needs the memory of its rows only. */
const atOnce = 1_000;

/** The orders of a filter, oldest first, in pieces. With personal data: the caller decides what is written. */
export async function* ordersFor(db: Db, filter: ExportFilter): AsyncGenerator<ExportedOrder[]> {
  let after: rows.ExportPlace | null = null;
  while (true) {
    const found: ExportedOrder[] = await rows.page(db, filter, after, atOnce);
    if (found.length > 0) yield found;
    const last: ExportedOrder | undefined = found.at(-1);
    if (!last || found.length < atOnce) return;
    after = { createdAt: last.createdAt, id: last.id };
  }
}

/** The number of orders of a filter; more than `limit` count as `limit`. */
export const countFor = (db: Db, filter: ExportFilter, limit: number): Promise<number> => rows.countUpTo(db, filter, limit);

/**
 * Orders made since a time whose present revision was not sent yet, oldest first. `sent`: a query of `(order_id, revision)`. Orders in the
 * states of `onlyAgain` are included only if an earlier revision was sent.
 */
export const unsentOrders = (
  db: Db,
  what: { states: readonly OrderState[]; onlyAgain: readonly OrderState[]; since: Date; sent: IdQuery; limit: number },
): Promise<ExportedOrder[]> => rows.unsent(db, what);

/**
 * The ids of the orders in `list` whose delivery was refunded as a line of its own. Refunds of a sum, and of a whole order that was
 * cancelled or returned, do not count.
 */
export async function withRefundedDelivery(db: Db, list: readonly ExportedOrder[]): Promise<Set<string>> {
  const paid = new Map(list.filter((order) => order.paid > zero && order.deliveryPrice > zero).map((order) => [order.id, order] as const));
  const refunds = await payment.partialRefunds(db, [...paid.keys()]);
  // Money of several transfers goes back by a refund of each, with one cause.
  const decisions = Map.groupBy(refunds, ({ orderId, cause }) => `${orderId} ${cause}`);
  const ids = [...decisions.values()].flatMap((parts) => {
    const orderId = parts[0]?.orderId ?? "";
    const delivery = parts.flatMap(({ lines }) => lines ?? []).filter(({ subject }) => subject === "service");
    // A share of its price is a part of a refunded sum.
    return add(...delivery.map(({ unitPrice }) => unitPrice)) === paid.get(orderId)?.deliveryPrice ? [orderId] : [];
  });
  return new Set(ids);
}

/** The numbers of the orders with these ids; texts that are not an id are left out. */
export const numbersOf = (db: Db, ids: readonly string[]): Promise<Map<string, number>> => rows.numbersByIds(db, ids);
