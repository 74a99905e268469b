import { eq, lt, notInArray, sql } from "drizzle-orm";
import { deleteInBatches, instant, inTransaction, rowsOf, type Db, type Expression } from "#kit/db.ts";
import { openStreams, processes, rateBuckets } from "./tables.ts";

/** A part of a statement that records that the process runs. */
export const announcement = (id: string, now: Date): Expression =>
  sql`insert into ${processes} (id, seen_at) values (${id}, ${instant(now)}) on conflict (id) do update set seen_at = excluded.seen_at`;

/** How many other processes were seen since `since`. */
export const othersSince = (id: string, since: Date): Expression =>
  sql`(select count(*)::int from ${processes} where id <> ${id} and seen_at > ${instant(since)})`;

/** Records that the process runs and returns how many others were seen since `since`. One statement. */
export async function announce(db: Db, id: string, now: Date, since: Date): Promise<number> {
  const [row] = await rowsOf<{ others: number }>(
    db,
    sql`with announced as (${announcement(id, now)}) select ${othersSince(id, since)} as others`,
  );
  return row?.others ?? 0;
}

export async function remove(db: Db, id: string): Promise<void> {
  await inTransaction(db, async (tx) => {
    await tx.delete(openStreams).where(eq(openStreams.process, id));
    await tx.delete(processes).where(eq(processes.id, id));
  });
}

/**
 * Moves the end of each bucket by the milliseconds that were used (negative: given back) and returns the ends. One statement; the rows are
 * locked in the order of their keys.
 */
export async function addUse(
  db: Db,
  uses: readonly { key: string; ms: number }[],
  { now, latest }: { now: Date; latest: Date },
): Promise<{ key: string; endsAtMs: number }[]> {
  return rowsOf(
    db,
    sql`insert into ${rateBuckets} as b (key, full_at)
      select u.key, ${instant(now)} + u.ms * interval '1 millisecond'
      from jsonb_to_recordset(${JSON.stringify(uses)}::jsonb) as u(key text, ms double precision) order by u.key
      on conflict (key) do update set full_at = least(greatest(b.full_at, ${instant(now)}) + (excluded.full_at - ${instant(now)}), ${instant(latest)})
      returning b.key, (extract(epoch from b.full_at) * 1000)::double precision as "endsAtMs"`,
  );
}

/** Stores how many streams this process has open by key, and returns those of the processes seen since `since`. One statement. */
export async function setOpen(
  db: Db,
  id: string,
  counts: readonly { key: string; count: number }[],
  since: Date,
): Promise<{ key: string; count: number }[]> {
  return rowsOf(
    db,
    sql`with given as (
      select g.key, g.count from jsonb_to_recordset(${JSON.stringify(counts)}::jsonb) as g(key text, count integer) order by g.key
    ), stored as (
      insert into ${openStreams} (process, key, count) select ${id}, key, count from given
      on conflict (key, process) do update set count = excluded.count
    ) select s.key, sum(s.count)::int as count from ${openStreams} s join ${processes} p on p.id = s.process
      where s.key in (select key from given) and s.process <> ${id} and p.seen_at > ${instant(since)} group by s.key`,
  );
}

/** Deletes buckets that are full again, and what processes left behind that were not seen since `since`. */
export async function deleteOld(db: Db, now: Date, since: Date): Promise<void> {
  await deleteInBatches(db, rateBuckets, lt(rateBuckets.fullAt, now));
  await deleteInBatches(db, processes, lt(processes.seenAt, since));
  await deleteInBatches(db, openStreams, notInArray(openStreams.process, db.select({ id: processes.id }).from(processes)));
  await deleteInBatches(db, openStreams, eq(openStreams.count, 0));
}
