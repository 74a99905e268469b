import { and, asc, desc, eq, gt, inArray, lt, ne, sql } from "drizzle-orm";
import type { Db, Tx } from "#kit/db.ts";
import type { Alert, AlertState } from "./alert.ts";
import { alerts } from "./tables.ts";

/** Serialises new alerts of one mailbox. */
export async function lockMailbox(tx: Tx, email: string): Promise<void> {
  await tx.execute(sql`select pg_advisory_xact_lock(hashtext(${`alerts ${email}`}))`);
}

export async function ofMailbox(db: Db, email: string): Promise<Alert[]> {
  return (await db.select().from(alerts).where(eq(alerts.email, email))).map(toAlert);
}

export async function ofCustomer(db: Db, customerId: string): Promise<Alert[]> {
  return (await db.select().from(alerts).where(eq(alerts.customerId, customerId)).orderBy(desc(alerts.createdAt), asc(alerts.id))).map(
    toAlert,
  );
}

export async function find(db: Db, id: string): Promise<Alert | null> {
  const [row] = await db.select().from(alerts).where(eq(alerts.id, id));
  return row ? toAlert(row) : null;
}

export async function insert(tx: Tx, alert: Alert): Promise<void> {
  await tx.insert(alerts).values(alert);
}

/** A page of confirmed alerts after an id, in order of id. */
export async function confirmedAfter(db: Db, after: string, limit: number): Promise<Alert[]> {
  return (
    await db
      .select()
      .from(alerts)
      .where(and(ne(alerts.state, "unconfirmed"), gt(alerts.id, after)))
      .orderBy(asc(alerts.id))
      .limit(limit)
  ).map(toAlert);
}

/** Moves an alert from one state to another; false when its state has changed since. */
export async function move(tx: Tx, id: string, from: AlertState, to: AlertState): Promise<boolean> {
  const moved = await tx
    .update(alerts)
    .set({ state: to, ...(to === "told" ? { timesTold: sql`${alerts.timesTold} + 1` } : {}) })
    .where(and(eq(alerts.id, id), eq(alerts.state, from)))
    .returning({ id: alerts.id });
  return moved.length > 0;
}

export async function remove(db: Db, ids: readonly string[]): Promise<void> {
  await db.delete(alerts).where(inArray(alerts.id, [...ids]));
}

export async function deleteUnconfirmed(db: Db, till: Date): Promise<void> {
  await db.delete(alerts).where(and(eq(alerts.state, "unconfirmed"), lt(alerts.createdAt, till)));
}

function toAlert(row: typeof alerts.$inferSelect): Alert {
  return row as Alert; // the table's checks hold the rule and its value together
}

export async function removeOf(tx: Tx, customerId: string): Promise<void> {
  await tx.delete(alerts).where(eq(alerts.customerId, customerId));
}
