import { and, desc, eq, sql } from "drizzle-orm";
import type { Db, Tx } from "#kit/db.ts";
import type { OwnerKey } from "#shop/context.ts";
import type { ListName } from "./list.ts";
import { listEntries } from "./tables.ts";

const of = (owner: OwnerKey, list: ListName) => and(eq(listEntries.owner, owner), eq(listEntries.list, list));

export async function ids(db: Db, owner: OwnerKey, list: ListName): Promise<number[]> {
  const found = await db
    .select({ coinId: listEntries.coinId })
    .from(listEntries)
    .where(of(owner, list))
    .orderBy(desc(listEntries.addedAt), desc(listEntries.id));
  return found.map((row) => row.coinId);
}

/** A list has no row of its own to lock: its name is locked instead, until the transaction ends. */
export async function lock(tx: Tx, owner: OwnerKey, list: ListName): Promise<void> {
  await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${`list ${list} ${owner}`}, 0))`);
}

/** Puts a coin in front unless it is there already or the list is full. The caller holds the list. */
export async function putIfRoom(tx: Tx, owner: OwnerKey, list: ListName, coinId: number, limit: number, at: Date): Promise<void> {
  await tx.execute(sql`
    insert into ${listEntries} (owner, list, coin_id, added_at)
    select ${owner}, ${list}, ${coinId}::int, ${at.toISOString()}::timestamptz where (select count(*) from ${listEntries} where ${of(owner, list)}) < ${limit}::int
    on conflict do nothing`);
}

export async function putAll(
  tx: Tx,
  owner: OwnerKey,
  list: ListName,
  entries: readonly { coinId: number; addedAt: Date }[],
): Promise<void> {
  await tx
    .insert(listEntries)
    .values(entries.map((entry) => ({ owner, list, ...entry })))
    .onConflictDoNothing();
}

export async function drop(db: Db, owner: OwnerKey, list: ListName, coinId?: number): Promise<void> {
  await db.delete(listEntries).where(and(of(owner, list), coinId === undefined ? undefined : eq(listEntries.coinId, coinId)));
}

/** Empties a list and hands out what was in it, oldest first. */
export async function takeAll(tx: Tx, owner: OwnerKey, list: ListName): Promise<{ coinId: number; addedAt: Date }[]> {
  const taken = await tx
    .delete(listEntries)
    .where(of(owner, list))
    .returning({ id: listEntries.id, coinId: listEntries.coinId, addedAt: listEntries.addedAt });
  return taken
    .toSorted((a, b) => a.addedAt.getTime() - b.addedAt.getTime() || a.id - b.id)
    .map(({ coinId, addedAt }) => ({ coinId, addedAt }));
}

/** Lists of guests to which nothing was added since. */
export async function dropGuestEntries(db: Db, unusedSince: Date): Promise<void> {
  await db.execute(sql`delete from ${listEntries} where owner in (
    select owner from ${listEntries} where owner like 'visitor:%' group by owner having max(added_at) < ${unusedSince.toISOString()}::timestamptz)`);
}
