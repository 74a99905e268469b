import { and, asc, count, desc, eq, inArray, isNotNull, isNull, lt, min, sql } from "drizzle-orm";
import { deleteInBatches, type Db, type Tx } from "#kit/db.ts";
import type { AlarmName } from "#shop/context.ts";
import type { Alarm, AlarmFields } from "./alarm.ts";
import { alarms } from "./tables.ts";

export type Raised = Pick<Alarm, "name" | "subject" | "fields" | "firstAt" | "lastAt" | "count">;

const alarmOf = (row: typeof alarms.$inferSelect): Alarm => ({
  ...row,
  name: row.name as AlarmName,
  fields: row.fields as AlarmFields,
});

/** Opens an alarm, or counts it for the open one of the same name and subject. */
export async function raise(db: Db, raised: Raised): Promise<void> {
  await db
    .insert(alarms)
    .values(raised)
    .onConflictDoUpdate({
      target: [alarms.name, alarms.subject],
      targetWhere: isNull(alarms.closedAt),
      set: { count: sql`${alarms.count} + ${raised.count}`, lastAt: raised.lastAt, fields: raised.fields },
    });
}

/** Open alarms of these names, the newest first. */
export async function open(db: Db, names: readonly string[], limit: number): Promise<Alarm[]> {
  if (names.length === 0) return [];
  const found = await db
    .select()
    .from(alarms)
    .where(and(inArray(alarms.name, [...names]), isNull(alarms.closedAt)))
    .orderBy(desc(alarms.lastAt), desc(alarms.id))
    .limit(limit);
  return found.map(alarmOf);
}

/** Settled alarms of these names, the last one first. */
export async function closed(db: Db, names: readonly string[], limit: number): Promise<Alarm[]> {
  if (names.length === 0) return [];
  const found = await db
    .select()
    .from(alarms)
    .where(and(inArray(alarms.name, [...names]), isNotNull(alarms.closedAt)))
    .orderBy(desc(alarms.closedAt))
    .limit(limit);
  return found.map(alarmOf);
}

/** How many are open of each name, and since when. */
export const countOpen = (db: Db): Promise<{ name: string; count: number; since: Date | null }[]> =>
  db
    .select({ name: alarms.name, count: count(), since: min(alarms.firstAt) })
    .from(alarms)
    .where(isNull(alarms.closedAt))
    .groupBy(alarms.name)
    .orderBy(asc(alarms.name));

export async function lock(tx: Tx, id: number): Promise<Alarm | null> {
  const [row] = await tx.select().from(alarms).where(eq(alarms.id, id)).for("update");
  return row ? alarmOf(row) : null;
}

export async function close(tx: Tx, id: number, end: { at: Date; by: string; note: string }): Promise<void> {
  await tx.update(alarms).set({ closedAt: end.at, closedBy: end.by, note: end.note }).where(eq(alarms.id, id));
}

export async function closeOpen(tx: Tx, { name, subject }: Pick<Alarm, "name" | "subject">, end: { at: Date; by: string }): Promise<void> {
  await tx
    .update(alarms)
    .set({ closedAt: end.at, closedBy: end.by })
    .where(and(eq(alarms.name, name), eq(alarms.subject, subject), isNull(alarms.closedAt)));
}

export async function removeClosed(db: Db, before: Date): Promise<void> {
  await deleteInBatches(db, alarms, lt(alarms.closedAt, before));
}
