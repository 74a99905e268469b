import { and, asc, count, eq, inArray, like, lt, ne, sql } from "drizzle-orm";
import type { Db, Tx } from "#kit/db.ts";
import type { OwnerKey } from "#shop/context.ts";
import { cartLines, carts } from "./tables.ts";

export type StoredCart = { id: number; version: number };
export type StoredLine = { coinId: number; quantity: number };

export async function find(db: Db, owner: OwnerKey): Promise<(StoredCart & { touchedAt: Date; lines: StoredLine[] }) | null> {
  const found = await db.select({ id: carts.id, version: carts.version, touchedAt: carts.touchedAt, coinId: cartLines.coinId, quantity: cartLines.quantity })
    .from(carts).leftJoin(cartLines, eq(cartLines.cartId, carts.id)).where(eq(carts.owner, owner)).orderBy(asc(cartLines.addedAt), asc(cartLines.coinId));
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
  const [row] = await tx.insert(carts).values({ owner, touchedAt: at })
    .onConflictDoUpdate({ target: carts.owner, set: { touchedAt: at } }).returning({ id: carts.id, version: carts.version });
  if (!row) throw new Error("a cart was neither found nor made");
  return row;
}

export const linesOf = (tx: Tx, cartId: number): Promise<StoredLine[]> =>
  tx.select({ coinId: cartLines.coinId, quantity: cartLines.quantity }).from(cartLines)
    .where(eq(cartLines.cartId, cartId)).orderBy(asc(cartLines.addedAt), asc(cartLines.coinId));

/** How many lines the cart has besides this coin's. */
export async function countOthers(tx: Tx, cartId: number, coinId: number): Promise<number> {
  const [row] = await tx.select({ n: count() }).from(cartLines).where(and(eq(cartLines.cartId, cartId), ne(cartLines.coinId, coinId)));
  return row?.n ?? 0;
}

/** Sets one line to this quantity, in one statement; false when it was so already. */
export async function putLine(tx: Tx, cartId: number, { coinId, quantity }: StoredLine, at: Date): Promise<boolean> {
  const changed = await tx.insert(cartLines).values({ cartId, coinId, quantity, addedAt: at })
    .onConflictDoUpdate({ target: [cartLines.cartId, cartLines.coinId], set: { quantity }, setWhere: ne(cartLines.quantity, quantity) })
    .returning({ coinId: cartLines.coinId });
  return changed.length > 0;
}

/** Takes these lines out, or all of them; false when there were none. */
export async function dropLines(tx: Tx, cartId: number, coinIds?: readonly number[]): Promise<boolean> {
  const dropped = await tx.delete(cartLines)
    .where(and(eq(cartLines.cartId, cartId), coinIds && inArray(cartLines.coinId, [...coinIds]))).returning({ coinId: cartLines.coinId });
  return dropped.length > 0;
}

export async function moveVersion(tx: Tx, cartId: number, at: Date): Promise<void> {
  await tx.update(carts).set({ version: sql`${carts.version} + 1`, touchedAt: at }).where(eq(carts.id, cartId));
}

export async function touch(db: Db, cartId: number, at: Date): Promise<void> {
  await db.update(carts).set({ touchedAt: at }).where(and(eq(carts.id, cartId), lt(carts.touchedAt, at)));
}

/** Guest carts not used since; their lines go with them. */
export async function dropGuestCarts(db: Db, unusedSince: Date): Promise<number> {
  const dropped = await db.delete(carts).where(and(like(carts.owner, "visitor:%"), lt(carts.touchedAt, unusedSince))).returning({ id: carts.id });
  return dropped.length;
}
