import { and, asc, count, eq, gt, isNull, lt, lte, ne, notInArray, sql } from "drizzle-orm";
import type { Db, Tx } from "#kit/db.ts";
import type { OwnerKey } from "#shop/context.ts";
import { finalStates } from "../order.ts";
import { orders } from "../tables.ts";
import type { Recipient } from "../snapshot.ts";
import { selectOrders } from "../repository.ts";
import type { StoredOrder } from "../stored-order.repository.ts";

/** Orders of guests with this phone, made between two moments, newest first. */
export const ofGuests = (db: Db, { phone, after, before }: { phone: string; after: Date; before: Date }): Promise<StoredOrder[]> =>
  selectOrders(
    db,
    and(isNull(orders.customerId), eq(sql`${orders.user} ->> 'phone'`, phone), gt(orders.createdAt, after), lt(orders.createdAt, before)),
  );

/** Guests' orders of one browser with a phone other than this one. */
export const ofGuestBrowser = (
  db: Db,
  { owner, otherThan, after }: { owner: OwnerKey; otherThan: string; after: Date },
): Promise<StoredOrder[]> =>
  selectOrders(
    db,
    and(eq(orders.owner, owner), isNull(orders.customerId), ne(sql`${orders.user} ->> 'phone'`, otherThan), gt(orders.createdAt, after)),
  );

/** The number of an account's orders that are not in a final state. */
export async function countOpen(db: Db, customerId: string): Promise<number> {
  const [row] = await db
    .select({ n: count() })
    .from(orders)
    .where(and(eq(orders.customerId, customerId), notInArray(orders.state, [...finalStates])));
  return row?.n ?? 0;
}

/** Sets the day of anonymisation of an account's orders: `termDays` after each was made. */
export async function setForgetAt(tx: Tx, customerId: string, termDays: number): Promise<void> {
  await tx
    .update(orders)
    .set({ forgetAt: sql`${orders.createdAt} + make_interval(days => ${termDays}::int)` })
    .where(eq(orders.customerId, customerId));
}

/** Orders whose day of anonymisation has come, oldest first. */
export async function dueForAnonymisation(db: Db, now: Date, limit: number): Promise<string[]> {
  const rows = await db.select({ id: orders.id }).from(orders).where(lte(orders.forgetAt, now)).orderBy(asc(orders.forgetAt)).limit(limit);
  return rows.map((row) => row.id);
}

const emptyRecipient: Recipient = { name: "", lastName: "", secondName: "", email: "", phone: "" };

/** Erases recipient and address; lines, sums and history stay. */
export async function anonymise(tx: Tx, id: string): Promise<void> {
  await tx.update(orders).set({ user: emptyRecipient, address: null, changeAfterRecall: null, forgetAt: null }).where(eq(orders.id, id));
}
