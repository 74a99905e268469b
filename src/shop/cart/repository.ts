import { and, asc, eq, like, lt, sql } from "drizzle-orm";
import {
  batch,
  deleteInBatches,
  pipeline,
  pipelineTransaction,
  waitUpTo,
  type Batch,
  type Db,
  type IdQuery,
  type Statement,
  type Tx,
} from "#kit/db.ts";
import { seconds } from "#kit/time.ts";
import type { OwnerKey } from "#shop/context.ts";
import { cartLines, carts } from "./tables.ts";

export type StoredLine = { coinId: number; quantity: number };
type FoundCart = { id: number; version: number; touchedAt: Date; lines: StoredLine[] };

export const find = async (db: Db, owner: OwnerKey): Promise<FoundCart | null> => toCart(await selectCart(db, owner));

/** How long a change waits for the same buyer's order or sign-in, which locks the cart and may itself wait for stock rows. */
const lockWait = seconds(5);

export type LockedCart = { version: number; lines: StoredLine[] };

/** Locks the cart's row, so that limits and versions are exact, and reads its lines; null for an owner without a cart. */
export const lockBatch = (tx: Tx, owner: OwnerKey): Batch<LockedCart | null> =>
  batch([waitUpTo(tx, lockWait), lockRow(tx, owner), selectLines(tx, owner)], ([, [row], lines]) =>
    row ? { version: row.version, lines } : null,
  );

export async function lock(tx: Tx, owner: OwnerKey): Promise<LockedCart | null> {
  const [locked] = await pipeline([lockBatch(tx, owner)]);
  return locked;
}

/** Does the same and makes the cart when the owner has none. */
export const lockOrCreateBatch = (tx: Tx, owner: OwnerKey, at: Date): Batch<StoredLine[]> =>
  batch([waitUpTo(tx, lockWait), lockOrCreateRow(tx, owner, at), selectLines(tx, owner)], ([, , lines]) => lines);

export async function lockOrCreate(tx: Tx, owner: OwnerKey, at: Date): Promise<StoredLine[]> {
  const [lines] = await pipeline([lockOrCreateBatch(tx, owner, at)]);
  return lines;
}

/**
 * Locks the cart, sets one line and reads the cart, all in one round trip. The version increases when the line changed. `isPut` is false
 * when the cart already has `limit` other lines; then nothing is written. Setting a line is one statement, so it is right by itself.
 */
export async function setLine<Goods>(
  db: Db,
  owner: OwnerKey,
  line: StoredLine,
  { limit, now, readGoods }: { limit: number; now: Date; readGoods: ReadGoods<Goods> },
): Promise<{ isPut: boolean; cart: FoundCart | null; goods: Goods }> {
  const [, , put, found, goods] = await pipelineTransaction(db, (tx) => [
    waitUpTo(tx, lockWait),
    lockOrCreateRow(tx, owner, now),
    putLineRow(tx, owner, line, limit, now),
    selectCart(tx, owner),
    readGoods(tx, coinIdsOf(owner)),
  ]);
  return { isPut: isBelow(put, limit), cart: toCart(found), goods };
}

/** Reads what other modules know of these coins. */
type ReadGoods<Goods> = (tx: Tx, coinIds: IdQuery) => Batch<Goods>;
const coinIdsOf = (owner: OwnerKey): IdQuery =>
  sql`(select ${cartLines.coinId} from ${cartLines} inner join ${carts} on ${carts.id} = ${cartLines.cartId} where ${carts.owner} = ${owner})`;

/** Sets one line of a locked cart; false when the cart already has `limit` other lines. */
export const putLine = async (tx: Tx, owner: OwnerKey, line: StoredLine, limit: number, now: Date): Promise<boolean> =>
  isBelow(await putLineRow(tx, owner, line, limit, now), limit);

/** Sets lines of one locked cart and empties another one; returns for each line whether it fitted within `limit`. */
export const moveLinesBatch = (
  tx: Tx,
  { from, to }: { from: OwnerKey; to: OwnerKey },
  lines: readonly StoredLine[],
  limit: number,
  now: Date,
): Batch<boolean[]> =>
  batch<QueryRows[], boolean[]>([...lines.map((line) => putLineRow(tx, to, line, limit, now)), deleteLines(tx, from, now)], (puts) =>
    lines.map((_, index) => isBelow(puts[index], limit)),
  );

/** Removes lines of a locked cart; increases its version if there were any. */
export const deleteLinesBatch = (tx: Tx, owner: OwnerKey, coinIds: readonly number[], now: Date): Batch<void> =>
  batch([deleteLines(tx, owner, now, coinIds)], () => {});

export async function deleteLocked(tx: Tx, owner: OwnerKey, coinIds: readonly number[], now: Date): Promise<void> {
  await deleteLines(tx, owner, now, coinIds);
}

/** Locks the cart, removes these lines or all, increases its version if there were any, and reads the rest, all in one round trip. */
export async function removeLines<Goods>(
  db: Db,
  owner: OwnerKey,
  coinIds: readonly number[] | "all",
  { now, readGoods }: { now: Date; readGoods: ReadGoods<Goods> },
): Promise<{ cart: FoundCart | null; goods: Goods }> {
  const [, , , found, goods] = await pipelineTransaction(db, (tx) => [
    waitUpTo(tx, lockWait),
    lockRow(tx, owner),
    deleteLines(tx, owner, now, coinIds === "all" ? undefined : coinIds),
    selectCart(tx, owner),
    readGoods(tx, coinIdsOf(owner)),
  ]);
  return { cart: toCart(found), goods };
}

type QueryRows = { rows: unknown[] };

const selectCart = (db: Db, owner: OwnerKey) =>
  db
    .select({ id: carts.id, version: carts.version, touchedAt: carts.touchedAt, coinId: cartLines.coinId, quantity: cartLines.quantity })
    .from(carts)
    .leftJoin(cartLines, eq(cartLines.cartId, carts.id))
    .where(eq(carts.owner, owner))
    .orderBy(asc(cartLines.addedAt), asc(cartLines.coinId));

function toCart(found: Awaited<ReturnType<typeof selectCart>>): FoundCart | null {
  const [first] = found;
  if (!first) return null;
  const lines = found.flatMap(({ coinId, quantity }) => (coinId === null || quantity === null ? [] : [{ coinId, quantity }]));
  return { id: first.id, version: first.version, touchedAt: first.touchedAt, lines };
}

const lockRow = (tx: Tx, owner: OwnerKey) => tx.select({ version: carts.version }).from(carts).where(eq(carts.owner, owner)).for("update");

const lockOrCreateRow = (tx: Tx, owner: OwnerKey, at: Date) =>
  tx
    .insert(carts)
    .values({ owner, touchedAt: at })
    .onConflictDoUpdate({ target: carts.owner, set: { touchedAt: at } });

const selectLines = (tx: Tx, owner: OwnerKey) =>
  tx
    .select({ coinId: cartLines.coinId, quantity: cartLines.quantity })
    .from(cartLines)
    .innerJoin(carts, eq(carts.id, cartLines.cartId))
    .where(eq(carts.owner, owner))
    .orderBy(asc(cartLines.addedAt), asc(cartLines.coinId));

const deleteLines = (tx: Tx, owner: OwnerKey, now: Date, coinIds?: readonly number[]) => {
  const which = coinIds ? sql`and coin_id = any(${sql.param([...coinIds])}::int[])` : sql``;
  return tx.execute(sql`
    with gone as (delete from cart_lines using carts where carts.owner = ${owner} and cart_lines.cart_id = carts.id ${which} returning 1)
    update carts set version = version + 1, touched_at = ${now.toISOString()}::timestamptz where owner = ${owner} and exists (select 1 from gone)`) as unknown as Statement<QueryRows>;
};

/** Returns the number of other lines; writes only when it is below the limit. */
const putLineRow = (tx: Tx, owner: OwnerKey, { coinId, quantity }: StoredLine, limit: number, now: Date) => {
  const at = sql`${now.toISOString()}::timestamptz`;
  return tx.execute(sql`
    with mine as (select id from carts where owner = ${owner}),
      others as (select count(*)::int as n from cart_lines where cart_id = (select id from mine) and coin_id <> ${coinId}),
      put as (
        insert into cart_lines (cart_id, coin_id, quantity, added_at) select mine.id, ${coinId}::int, ${quantity}::int, ${at} from mine, others where n < ${limit}::int
        on conflict (cart_id, coin_id) do update set quantity = excluded.quantity where cart_lines.quantity <> excluded.quantity returning 1),
      moved as (update carts set version = version + 1, touched_at = ${at} where owner = ${owner} and exists (select 1 from put))
    select n from others`) as unknown as Statement<QueryRows>;
};
const isBelow = (answer: QueryRows | undefined, limit: number): boolean => ((answer?.rows[0] as { n: number } | undefined)?.n ?? 0) < limit;

export async function touch(db: Db, cartId: number, at: Date): Promise<void> {
  await db
    .update(carts)
    .set({ touchedAt: at })
    .where(and(eq(carts.id, cartId), lt(carts.touchedAt, at)));
}

/** Deletes guest carts, with their lines, that were not used since this moment; returns their number. */
export async function deleteGuestCarts(db: Db, unusedSince: Date): Promise<number> {
  return deleteInBatches(db, carts, and(like(carts.owner, "visitor:%"), lt(carts.touchedAt, unusedSince)));
}
