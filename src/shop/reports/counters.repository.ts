import { asc, between, desc, lt, sql, sum } from "drizzle-orm";
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

/** How often queries found nothing in the period. */
export async function countMisses(db: Db, { from, till }: Period): Promise<number> {
  const [row] = await db
    .select({ times: sum(searchMisses.times) })
    .from(searchMisses)
    .where(between(searchMisses.day, from, till));
  return Number(row?.times ?? 0);
}

/** Deletes counts of queries from before this day. */
export async function deleteMisses(db: Db, before: string): Promise<void> {
  await deleteInBatches(db, searchMisses, lt(searchMisses.day, before));
}

/**
 * Counts the buyers who filled a cart, and those whose price was locked, on these days again and stores the numbers. Older quotes are
 * deleted, their numbers stay. An order empties its cart, so a buyer with a quote is one with a cart too; the quotes of additions, which
 * staff makes, are none of a cart.
 */
export async function countCheckouts(db: Db, { from, till }: Period): Promise<void> {
  const since = sql`${from}::date - interval '1 day'`;
  await db.execute(sql`
    with quoted as (
      select distinct ${moscowDay(sql`created_at`)} as day, owner from quotes
      where created_at >= ${since} and owner not like 'addition:%'
    ), filled as (
      select ${moscowDay(sql`touched_at`)} as day, owner from carts
      where touched_at >= ${since} and exists (select 1 from cart_lines where cart_id = carts.id)
      union select day, owner from quoted
    )
    insert into checkout_days (day, carts, quoted)
    select d.day::date, (select count(*)::integer from filled where filled.day = d.day::date),
      (select count(*)::integer from quoted where quoted.day = d.day::date)
    from generate_series(${from}::date, ${till}::date, interval '1 day') as d (day)
    on conflict (day) do update
      set carts = greatest(checkout_days.carts, excluded.carts), quoted = greatest(checkout_days.quoted, excluded.quoted)`);
}

/** The stored numbers of each day that has some. */
export const checkouts = (db: Db, { from, till }: Period) =>
  db
    .select()
    .from(checkoutDays)
    .where(between(checkoutDays.day, from, till))
    .orderBy(asc(checkoutDays.day));
