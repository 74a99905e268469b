import { eq, inArray, lte, sql } from "drizzle-orm";
import type { Db } from "#kit/db.ts";
import { staffFailures } from "../tables.ts";

/** Counts one failure; returns null, or when the limit is reached the time at which the key is forgotten. */
export async function count(
  db: Db,
  { key, limit, now, forgetAt }: { key: string; limit: number; now: Date; forgetAt: Date },
): Promise<Date | null> {
  const isOver = sql`${staffFailures.forgetAt} <= ${now.toISOString()}::timestamptz`;
  const counted = await db
    .insert(staffFailures)
    .values({ key, failures: 1, forgetAt })
    .onConflictDoUpdate({
      target: staffFailures.key,
      set: { failures: sql`case when ${isOver} then 1 else ${staffFailures.failures} + 1 end`, forgetAt },
      setWhere: sql`${isOver} or ${staffFailures.failures} < ${limit}`,
    })
    .returning({ key: staffFailures.key });
  if (counted.length > 0) return null;
  const [row] = await db.select({ forgetAt: staffFailures.forgetAt }).from(staffFailures).where(eq(staffFailures.key, key));
  return row?.forgetAt ?? now;
}

export async function uncount(db: Db, keys: readonly string[]): Promise<void> {
  if (keys.length === 0) return;
  await db
    .update(staffFailures)
    .set({ failures: sql`greatest(${staffFailures.failures} - 1, 0)` })
    .where(inArray(staffFailures.key, [...keys]));
}

export async function remove(db: Db, key: string): Promise<void> {
  await db.delete(staffFailures).where(eq(staffFailures.key, key));
}

export async function removeOld(db: Db, now: Date): Promise<void> {
  await db.delete(staffFailures).where(lte(staffFailures.forgetAt, now));
}
