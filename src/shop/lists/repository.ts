import { and, desc, eq, sql, type SQL } from "drizzle-orm";
import { batch, deleteInBatches, pipeline, type QueryBatch, type Db, type Tx } from "#kit/db.ts";
import type { OwnerKey } from "#shop/context.ts";
import type { ListName } from "./list.ts";
import { listEntries } from "./tables.ts";

const of = (owner: OwnerKey, list: ListName) => and(eq(listEntries.owner, owner), eq(listEntries.list, list));

/** The coin of an entry, for conditions of other modules (`isShown`). */
export const coinIdOfEntry: SQL = sql`${listEntries.coinId}`;

const selectIds = (db: Db, owner: OwnerKey, list: ListName, isShown?: SQL) =>
  db
    .select({ coinId: listEntries.coinId })
    .from(listEntries)
    .where(and(of(owner, list), isShown))
    .orderBy(desc(listEntries.addedAt), desc(listEntries.id));

/** A list has no row of its own to lock, so its name is locked (advisory lock) until the transaction ends. */
const lockName = (tx: Tx, owner: OwnerKey, list: ListName) =>
  tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${`list ${list} ${owner}`}, 0))`);

const deleteEntries = (db: Db, owner: OwnerKey, list: ListName, coinId?: number) =>
  db.delete(listEntries).where(and(of(owner, list), coinId === undefined ? undefined : eq(listEntries.coinId, coinId)));

/** Newest first; with `isShown` only these. */
export const ids = async (db: Db, owner: OwnerKey, list: ListName, isShown?: SQL): Promise<number[]> =>
  (await selectIds(db, owner, list, isShown)).map((row) => row.coinId);

/** Locks a list and reads those that are shown. */
export const lockIdsBatch = (tx: Tx, owner: OwnerKey, list: ListName, isShown: SQL): QueryBatch<number[]> =>
  batch([lockName(tx, owner, list), selectIds(tx, owner, list, isShown)], ([, found]) => found.map((row) => row.coinId));

/** Locks a list, adds a coin at the front unless it is in the list or `limit` coins are shown, and returns those that are shown. */
export async function add(
  tx: Tx,
  owner: OwnerKey,
  list: ListName,
  coinId: number,
  { limit, isShown, at }: { limit: number; isShown: SQL; at: Date },
): Promise<number[]> {
  const put = tx.execute(sql`
    insert into ${listEntries} (owner, list, coin_id, added_at)
    select ${owner}, ${list}, ${coinId}::int, ${at.toISOString()}::timestamptz
    where (select count(*) from ${listEntries} where ${and(of(owner, list), isShown)}) < ${limit}::int
    on conflict do nothing`);
  const [, , found] = await pipeline([lockName(tx, owner, list), put, selectIds(tx, owner, list, isShown)]);
  return found.map((row) => row.coinId);
}

/** Removes a coin and returns those that are shown. */
export async function remove(tx: Tx, owner: OwnerKey, list: ListName, coinId: number, isShown: SQL): Promise<number[]> {
  const [, found] = await pipeline([deleteEntries(tx, owner, list, coinId), selectIds(tx, owner, list, isShown)]);
  return found.map((row) => row.coinId);
}

export const putAllBatch = (
  tx: Tx,
  owner: OwnerKey,
  list: ListName,
  entries: readonly { coinId: number; addedAt: Date }[],
): QueryBatch<void> => {
  const put = tx
    .insert(listEntries)
    .values(entries.map((entry) => ({ owner, list, ...entry })))
    .onConflictDoNothing();
  return batch([put], () => {});
};

export async function drop(db: Db, owner: OwnerKey, list: ListName): Promise<void> {
  await deleteEntries(db, owner, list);
}

/** Locks and empties a list, and returns what was in it, oldest first. */
export function takeAllBatch(tx: Tx, owner: OwnerKey, list: ListName): QueryBatch<{ coinId: number; addedAt: Date }[]> {
  const empty = tx
    .delete(listEntries)
    .where(of(owner, list))
    .returning({ id: listEntries.id, coinId: listEntries.coinId, addedAt: listEntries.addedAt });
  return batch([lockName(tx, owner, list), empty], ([, taken]) =>
    taken.toSorted((a, b) => a.addedAt.getTime() - b.addedAt.getTime() || a.id - b.id).map(({ coinId, addedAt }) => ({ coinId, addedAt })),
  );
}

/** Deletes lists of guests to which nothing was added since. */
export async function dropGuestEntries(db: Db, unusedSince: Date): Promise<void> {
  const since = sql`${unusedSince.toISOString()}::timestamptz`;
  await deleteInBatches(
    db,
    listEntries,
    sql`${listEntries.owner} like 'visitor:%' and ${listEntries.addedAt} < ${since}
      and not exists (select 1 from ${listEntries} as newer where newer.owner = ${listEntries.owner} and newer.added_at >= ${since})`,
  );
}
