import type { Db, IdQuery } from "#kit/db.ts";
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

/** The number of orders of a filter; more than `most` count as `most`. */
export const countFor = (db: Db, filter: ExportFilter, most: number): Promise<number> => rows.countUpTo(db, filter, most);

/**
 * Orders since a time that a query of `(order_id, revision)` does not have as they are now, oldest first. Orders in the states of
 * `onlyAgain` only where the query has them at all.
 */
export const unsentOrders = (
  db: Db,
  what: { states: readonly OrderState[]; onlyAgain: readonly OrderState[]; since: Date; sent: IdQuery; limit: number },
): Promise<ExportedOrder[]> => rows.unsent(db, what);

/** The numbers of the orders with these ids; texts that are no id are left out. */
export const numbersOf = (db: Db, ids: readonly string[]): Promise<Map<string, number>> => rows.numbersByIds(db, ids);
