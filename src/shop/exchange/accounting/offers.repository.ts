import { and, asc, count, eq, inArray, isNotNull, or, sql, type SQL } from "drizzle-orm";
import { chunks } from "#kit/concurrency/chunks.ts";
import type { Db, Tx } from "#kit/db.ts";
import { kopecks, type Kopecks } from "#kit/money.ts";
import { accountingGoods as goods, exchangeImports as imports } from "../tables.ts";
import type { OfferKind } from "./accounting.ts";

/** Pieces and price of a good that the accounting system sent and that are not applied yet. They may have arrived at different times. */
export type PendingOffer = {
  guid: string;
  coinId: number;
  quantity: number | null;
  quantityAt: Date | null;
  price: Kopecks | null;
  priceAt: Date | null;
};

/** Serialises changes of pending offers and of the imports made from them. Taken before the rows of goods and imports are locked. */
export async function lock(tx: Tx): Promise<void> {
  await tx.execute(sql`select pg_advisory_xact_lock(hashtext('exchange.offers'))`);
}

/** The pending offers of goods that are coins. */
export async function pending(db: Db): Promise<PendingOffer[]> {
  const rows = await db
    .select()
    .from(goods)
    .where(and(isNotNull(goods.coinId), or(isNotNull(goods.quantity), isNotNull(goods.priceKopecks))))
    .orderBy(asc(goods.guid));
  return rows.flatMap(({ guid, coinId, quantity, quantityAt, priceKopecks, priceAt }) =>
    coinId === null ? [] : [{ guid, coinId, quantity, quantityAt, price: priceKopecks === null ? null : kopecks(priceKopecks), priceAt }],
  );
}

const columns = {
  stock: { value: goods.quantity, check: goods.quantityCheck },
  prices: { value: goods.priceKopecks, check: goods.priceCheck },
} as const;
const heldBy = (kind: OfferKind, importId: number | null) => (kind === "stock" ? { quantityCheck: importId } : { priceCheck: importId });
const nothing = {
  stock: { quantity: null, quantityAt: null, quantityCheck: null },
  prices: { priceKopecks: null, priceAt: null, priceCheck: null },
} as const;

/** Stores which offers of a kind an import applies; the other offers of that kind then belong to no import. `importId` null: none does. */
export async function hold(tx: Tx, kind: OfferKind, importId: number | null, guids: readonly string[]): Promise<void> {
  await tx.update(goods).set(heldBy(kind, null)).where(isNotNull(columns[kind].check));
  if (importId === null) return;
  for (const some of chunks(guids, 10_000)) await tx.update(goods).set(heldBy(kind, importId)).where(inArray(goods.guid, some));
}

/** Removes the pending offers of a kind from these goods. */
export async function settle(tx: Tx, kind: OfferKind, guids: readonly string[]): Promise<void> {
  for (const some of chunks(guids, 10_000)) await tx.update(goods).set(nothing[kind]).where(inArray(goods.guid, some));
}

/**
 * Removes the offers that an applied import contains. Pieces of its coins that arrived after the import was made stay pending, with the
 * present time: applying the import moved the stock, and offers older than the last move are left out (`offers.service.ts`).
 */
export async function settleHeld(
  tx: Tx,
  { importId, coinIds, at }: { importId: number; coinIds: readonly number[]; at: Date },
): Promise<void> {
  await tx.update(goods).set(nothing.stock).where(eq(goods.quantityCheck, importId));
  await tx.update(goods).set(nothing.prices).where(eq(goods.priceCheck, importId));
  for (const some of chunks(coinIds, 10_000))
    await tx
      .update(goods)
      .set({ quantityAt: at })
      .where(and(inArray(goods.coinId, some), isNotNull(goods.quantity)));
}

const isUnseen = (kind: OfferKind): SQL => {
  const { value, check } = columns[kind];
  return sql`(${value} is not null and not exists (
    select from ${imports} where ${imports.id} = ${check} and ${imports.state} = 'checked'))`;
};

/** How many goods that are coins have an offer that no waiting import holds; `limit` and more count as `limit`. */
export async function countUnseen(db: Db, limit: number): Promise<number> {
  const some = db
    .select({ guid: goods.guid })
    .from(goods)
    .where(and(isNotNull(goods.coinId), or(isUnseen("stock"), isUnseen("prices"))))
    .limit(limit)
    .as("some");
  const [row] = await db.select({ n: count() }).from(some);
  return row?.n ?? 0;
}
