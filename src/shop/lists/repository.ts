import { and, asc, count, desc, eq, sql } from "drizzle-orm";
import type { Db, Tx } from "#kit/db.ts";
import type { OwnerKey } from "#shop/context.ts";
import type { ListName } from "./list.ts";
import { listEntries } from "./tables.ts";

const of = (owner: OwnerKey, list: ListName) => and(eq(listEntries.owner, owner), eq(listEntries.list, list));

export async function ids(db: Db, owner: OwnerKey, list: ListName): Promise<number[]> {
  const found = await db.select({ coinId: listEntries.coinId }).from(listEntries).where(of(owner, list)).orderBy(desc(listEntries.addedAt), desc(listEntries.id));
  return found.map((row) => row.coinId);
}

/** A list has no row of its own to lock: its name is locked instead, until the transaction ends. */
export async function lock(tx: Tx, owner: OwnerKey, list: ListName): Promise<void> {
  await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${`list ${list} ${owner}`}, 0))`);
}

export async function countOf(tx: Tx, owner: OwnerKey, list: ListName): Promise<number> {
  const [row] = await tx.select({ n: count() }).from(listEntries).where(of(owner, list));
  return row?.n ?? 0;
}

export async function has(tx: Tx, owner: OwnerKey, list: ListName, coinId: number): Promise<boolean> {
  const found = await tx.select({ id: listEntries.id }).from(listEntries).where(and(of(owner, list), eq(listEntries.coinId, coinId)));
  return found.length > 0;
}

export async function put(tx: Tx, owner: OwnerKey, list: ListName, coinId: number, at: Date): Promise<void> {
  await tx.insert(listEntries).values({ owner, list, coinId, addedAt: at }).onConflictDoNothing();
}

export async function drop(db: Db, owner: OwnerKey, list: ListName, coinId?: number): Promise<void> {
  await db.delete(listEntries).where(and(of(owner, list), coinId === undefined ? undefined : eq(listEntries.coinId, coinId)));
}

/** Empties a list and hands out what was in it, oldest first. */
export async function takeAll(tx: Tx, owner: OwnerKey, list: ListName): Promise<{ coinId: number; addedAt: Date }[]> {
  const found = await tx.select({ coinId: listEntries.coinId, addedAt: listEntries.addedAt }).from(listEntries).where(of(owner, list))
    .orderBy(asc(listEntries.addedAt), asc(listEntries.id));
  await drop(tx, owner, list);
  return found;
}

/** Lists of guests to which nothing was added since. */
export async function dropGuestEntries(db: Db, unusedSince: Date): Promise<void> {
  await db.execute(sql`delete from ${listEntries} where owner in (
    select owner from ${listEntries} where owner like 'visitor:%' group by owner having max(added_at) < ${unusedSince.toISOString()}::timestamptz)`);
}
