import { and, eq, gt, sql } from "drizzle-orm";
import { instant, pipeline, type Db, type Tx } from "#kit/db.ts";
import { plus, seconds } from "#kit/time.ts";
import type { LimitRule } from "./limit-rule.ts";
import { rateCounters } from "./tables.ts";

/** Counts one event in one statement; returns the new count, or null without a write when the window is full. */
export async function countOne(db: Db, rule: LimitRule, now: Date): Promise<number | null> {
  if (rule.limit < 1) return null;
  const [row] = await insertCount(db, rule, now);
  return row?.count ?? null;
}

/** Counts one event under each rule in one round trip; the rows are locked in the order of the rules. */
export async function countAll(tx: Tx, rules: readonly LimitRule[], now: Date): Promise<(number | null)[]> {
  const counting = rules.filter(({ limit }) => limit >= 1);
  const counted = await pipeline<{ count: number }[][]>(counting.map((rule) => insertCount(tx, rule, now)));
  return rules.map((rule) => (rule.limit < 1 ? null : (counted[counting.indexOf(rule)]?.[0]?.count ?? null)));
}

export function insertCount(db: Db, { key, windowSeconds, limit }: LimitRule, now: Date) {
  const isOver = sql`${rateCounters.windowEnds} <= ${instant(now)}`;
  const windowEnds = plus(now, seconds(windowSeconds));
  return db
    .insert(rateCounters)
    .values({ key, windowEnds, count: 1 })
    .onConflictDoUpdate({
      target: rateCounters.key,
      set: {
        count: sql`case when ${isOver} then 1 else ${rateCounters.count} + 1 end`,
        windowEnds: sql`case when ${isOver} then ${instant(windowEnds)} else ${rateCounters.windowEnds} end`,
      },
      setWhere: sql`${isOver} or ${rateCounters.count} < ${limit}`,
    })
    .returning({ count: rateCounters.count });
}

/** Decrements each of these open windows in one round trip; the rows are locked in the order of the keys. */
export async function decrementAll(tx: Tx, keys: readonly string[], now: Date): Promise<void> {
  await pipeline<unknown[]>(keys.map((key) => decrement(tx, key, now)));
}

export const decrement = (db: Db, key: string, now: Date) =>
  db
    .update(rateCounters)
    .set({ count: sql`${rateCounters.count} - 1` })
    .where(and(eq(rateCounters.key, key), gt(rateCounters.windowEnds, now), gt(rateCounters.count, 0)));

/** An open rate limit window. */
export type LimitWindow = { count: number; windowEnds: Date };

/** Seconds until the window of a full counter ends; at least one. */
export async function secondsLeft(db: Db, { key, windowSeconds }: LimitRule, now: Date): Promise<number> {
  const [row] = await db.select({ windowEnds: rateCounters.windowEnds }).from(rateCounters).where(eq(rateCounters.key, key));
  return row ? secondsUntil(row.windowEnds, now) : windowSeconds;
}

export const secondsUntil = (moment: Date, now: Date): number => Math.max(1, Math.ceil((moment.getTime() - now.getTime()) / 1000));
