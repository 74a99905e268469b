import { and, asc, between, desc, lt, sql, sum } from "drizzle-orm";
import { deleteInBatches, type Db } from "#kit/db.ts";
import type { Period } from "./report.ts";
import { moscowDay } from "./sales.repository.ts";
import { checkoutDays, searchMisses } from "./tables.ts";

/** Adds counted queries of a day. One statement. */
export async function addMisses(db: Db, day: string, counted: ReadonlyMap<string, number>): Promise<void> {
  if (counted.size === 0) return;
  // Sorted: two processes that add the same queries at once must not wait for each other.
  const values = [...counted].map(([query, times]) => ({ day, query, times })).sort((a, b) => (a.query < b.query ? -1 : 1));
  await db
    .insert(searchMisses)
    .values(values)
    .onConflictDoUpdate({
      target: [searchMisses.day, searchMisses.query],
      set: { times: sql`${searchMisses.times} + excluded.times` },
    });
}

/** Queries without a result, the most frequent first. */
export async function misses(db: Db, { from, till }: Period, limit: number): Promise<{ query: string; times: number; last: string }[]> {
  const times = sum(searchMisses.times);
  const rows = await db
    .select({ query: searchMisses.query, times, last: sql<string>`max(${searchMisses.day})::text` })
    .from(searchMisses)
    .where(between(searchMisses.day, from, till))
    .groupBy(searchMisses.query)
    .orderBy(desc(times), asc(searchMisses.query))
    .limit(limit);
  return rows.map(({ query, times: counted, last }) => ({ query, times: Number(counted ?? 0), last }));
}

/** Deletes counts of queries from before this day. */
export async function deleteMisses(db: Db, before: string): Promise<void> {
  await deleteInBatches(db, searchMisses, lt(searchMisses.day, before));
}

/** Counts carts and locked prices of these days again and stores the numbers. Older quotes are deleted, their numbers stay. */
export async function countCheckouts(db: Db, { from, till }: Period): Promise<void> {
  await db.execute(sql`
    insert into checkout_days (day, carts, quoted)
    select d.day::date, coalesce(c.carts, 0), coalesce(q.quoted, 0)
    from generate_series(${from}::date, ${till}::date, interval '1 day') as d (day)
    left join (
      select ${moscowDay(sql`touched_at`)} as day, count(*)::integer as carts from carts
      where exists (select 1 from cart_lines where cart_id = carts.id) group by 1
    ) c on c.day = d.day::date
    left join (
      select ${moscowDay(sql`created_at`)} as day, count(distinct owner)::integer as quoted from quotes
      where created_at >= ${from}::date - interval '1 day' group by 1
    ) q on q.day = d.day::date
    on conflict (day) do update
      set carts = greatest(checkout_days.carts, excluded.carts), quoted = greatest(checkout_days.quoted, excluded.quoted)`);
}

export const checkouts = (db: Db, { from, till }: Period) =>
  db
    .select()
    .from(checkoutDays)
    .where(and(between(checkoutDays.day, from, till)))
    .orderBy(asc(checkoutDays.day));
