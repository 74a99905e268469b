import { and, asc, eq, like, lt, sql } from "drizzle-orm";
import type { Db, Tx } from "#kit/db.ts";
import type { OwnerKey } from "#shop/context.ts";
import { cartLines, carts } from "./tables.ts";

export type StoredCart = { id: number; version: number };
export type StoredLine = { coinId: number; quantity: number };

export async function find(db: Db, owner: OwnerKey): Promise<(StoredCart & { touchedAt: Date; lines: StoredLine[] }) | null> {
  const found = await db
    .select({ id: carts.id, version: carts.version, touchedAt: carts.touchedAt, coinId: cartLines.coinId, quantity: cartLines.quantity })
    .from(carts)
    .leftJoin(cartLines, eq(cartLines.cartId, carts.id))
    .where(eq(carts.owner, owner))
    .orderBy(asc(cartLines.addedAt), asc(cartLines.coinId));
  const [first] = found;
  if (!first) return null;
  const lines = found.flatMap(({ coinId, quantity }) => (coinId === null || quantity === null ? [] : [{ coinId, quantity }]));
  return { id: first.id, version: first.version, touchedAt: first.touchedAt, lines };
}

/** Holds the cart's row: everyone who changes a line of this cart waits here, so that limits and versions are exact. */
export async function lock(tx: Tx, owner: OwnerKey): Promise<StoredCart | null> {
  const [row] = await tx.select({ id: carts.id, version: carts.version }).from(carts).where(eq(carts.owner, owner)).for("update");
  return row ?? null;
}

/** The same, making the cart at its first use. */
export async function lockOrCreate(tx: Tx, owner: OwnerKey, at: Date): Promise<StoredCart> {
  const [row] = await tx
    .insert(carts)
    .values({ owner, touchedAt: at })
    .onConflictDoUpdate({ target: carts.owner, set: { touchedAt: at } })
    .returning({ id: carts.id, version: carts.version });
  if (!row) throw new Error("a cart was neither found nor made");
  return row;
}

/** What lies in an owner's cart: asked right behind `lock`, it sees what that one waited for. */
export const linesOfOwner = (tx: Tx, owner: OwnerKey): Promise<StoredLine[]> =>
  tx
    .select({ coinId: cartLines.coinId, quantity: cartLines.quantity })
    .from(cartLines)
    .innerJoin(carts, eq(carts.id, cartLines.cartId))
    .where(eq(carts.owner, owner))
    .orderBy(asc(cartLines.addedAt), asc(cartLines.coinId));

/** Takes these lines out of an owner's cart and moves its version if one of them was there. One statement, for a cart that is locked. */
export async function takeLines(tx: Tx, owner: OwnerKey, coinIds: readonly number[], now: Date): Promise<void> {
  const ids = sql.join(
    coinIds.map((id) => sql`${id}::int`),
    sql`, `,
  );
  await tx.execute(sql`
    with gone as (delete from cart_lines using carts where carts.owner = ${owner} and cart_lines.cart_id = carts.id and coin_id in (${ids}) returning 1)
    update carts set version = version + 1, touched_at = ${now.toISOString()}::timestamptz where owner = ${owner} and exists (select 1 from gone)`);
}

/**
 * Sets one line to this quantity and moves the version when that changed something: one statement, for a cart that is locked.
 * False when the cart has as many other lines as it may have; nothing is written then.
 */
export async function putLine(tx: Tx, owner: OwnerKey, { coinId, quantity }: StoredLine, limit: number, now: Date): Promise<boolean> {
  const at = sql`${now.toISOString()}::timestamptz`;
  const { rows } = (await tx.execute(sql`
    with mine as (select id from carts where owner = ${owner}),
      others as (select count(*)::int as n from cart_lines where cart_id = (select id from mine) and coin_id <> ${coinId}),
      put as (
        insert into cart_lines (cart_id, coin_id, quantity, added_at) select mine.id, ${coinId}::int, ${quantity}::int, ${at} from mine, others where n < ${limit}::int
        on conflict (cart_id, coin_id) do update set quantity = excluded.quantity where cart_lines.quantity <> excluded.quantity returning 1),
      moved as (update carts set version = version + 1, touched_at = ${at} where owner = ${owner} and exists (select 1 from put))
    select n from others`)) as unknown as { rows: { n: number }[] };
  return (rows[0]?.n ?? 0) < limit;
}

/** Takes everything out of an owner's cart and moves its version if something was there. One statement, for a cart that is locked. */
export async function dropLines(tx: Tx, owner: OwnerKey, now: Date): Promise<void> {
  await tx.execute(sql`
    with gone as (delete from cart_lines using carts where carts.owner = ${owner} and cart_lines.cart_id = carts.id returning 1)
    update carts set version = version + 1, touched_at = ${now.toISOString()}::timestamptz where owner = ${owner} and exists (select 1 from gone)`);
}

export async function touch(db: Db, cartId: number, at: Date): Promise<void> {
  await db
    .update(carts)
    .set({ touchedAt: at })
    .where(and(eq(carts.id, cartId), lt(carts.touchedAt, at)));
}

/** Guest carts not used since; their lines go with them. */
export async function dropGuestCarts(db: Db, unusedSince: Date): Promise<number> {
  const dropped = await db
    .delete(carts)
    .where(and(like(carts.owner, "visitor:%"), lt(carts.touchedAt, unusedSince)))
    .returning({ id: carts.id });
  return dropped.length;
}
