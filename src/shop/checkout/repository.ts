import { and, eq, getTableColumns, isNull, lt, sql } from "drizzle-orm";
import { z } from "zod";
import { pauseDeadlineAfter } from "#kit/concurrency/deadline.ts";
import {
  batch,
  deleteInBatches,
  insertRows,
  pipeline,
  pipelineTransaction,
  preparedQuery,
  waitUpTo,
  writeStatement,
  type Db,
  type Expression,
  type IdQuery,
  type Placeholders,
  type QueryBatch,
  type Tx,
} from "#kit/db.ts";
import { seconds } from "#kit/time.ts";
import { kopecks, times } from "#kit/money.ts";
import type { OwnerKey } from "#shop/context.ts";
import { deliverySnapshotSchema } from "#shop/orders/snapshot.ts";
import type { StockLevels } from "#shop/stock/stock.ts";
import type { Quote, QuoteLine, QuoteOwner } from "./quote.ts";
import { idempotencyKeys, quotes } from "./tables.ts";

/** A quote with the facts that decide whether it can be ordered. */
export type StoredQuote = { quote: Quote; usedByOrderId: string | null; isReplaced: boolean };

const amount = z.number().int().transform(kopecks);
const storedLine = z
  .object({
    coinId: z.number().int(),
    slug: z.string(),
    title: z.string(),
    quantity: z.number().int(),
    priceKopecks: amount,
    vatCode: z.number().int(),
  })
  .transform(({ priceKopecks, ...line }): QuoteLine => ({ ...line, price: priceKopecks, sum: times(priceKopecks, line.quantity) }));

/**
 * Locks the owner's cart, marks the earlier unused quote as replaced and inserts the new one, all in one round trip. Without the insert
 * the buyer has no quote and makes another, so each statement is right by itself.
 */
export async function replaceLive(db: Db, owner: OwnerKey, quote: Quote, lockCart: (tx: Tx) => QueryBatch<unknown>): Promise<void> {
  await pipelineTransaction(db, (tx) => [
    waitUpTo(tx, orderWait),
    lockCart(tx),
    endLive(tx, owner, quote.createdAt),
    insertQuote(tx, owner, quote),
  ]);
}

const endLive = (tx: Tx, owner: QuoteOwner, at: Date) =>
  tx
    .update(quotes)
    .set({ replacedAt: at })
    .where(and(eq(quotes.owner, owner), isNull(quotes.usedByOrderId), isNull(quotes.replacedAt)));

function insertQuote(tx: Tx, owner: QuoteOwner, quote: Quote) {
  const { id: deliveryId, price: deliveryPrice, ...words } = quote.delivery;
  return tx.insert(quotes).values({
    id: quote.id,
    owner,
    cartVersion: quote.cartVersion,
    deliveryId,
    pickupPointId: words.point?.id ?? null,
    cityCode: words.cityCode,
    paymentMethodId: quote.paymentMethodId,
    lines: quote.lines.map(({ coinId, slug, title, quantity, price, vatCode }) => ({
      coinId,
      slug,
      title,
      quantity,
      priceKopecks: price,
      vatCode,
    })),
    deliveryKopecks: deliveryPrice,
    delivery: words,
    totalKopecks: quote.total,
    priceListVersion: quote.priceListVersion,
    promoCodeId: quote.promo?.codeId ?? null,
    promoCode: quote.promo?.code ?? null,
    discountKopecks: quote.promo?.discount ?? 0,
    createdAt: quote.createdAt,
    expiresAt: quote.expiresAt,
  });
}

/** Reads a quote of this owner without a lock. */
export async function find(db: Db, id: string, owner: OwnerKey): Promise<StoredQuote | null> {
  const [row] = await db
    .select()
    .from(quotes)
    .where(and(eq(quotes.id, id), eq(quotes.owner, owner)));
  return row ? toStored(row) : null;
}

/** Stores a quote in place of the owner's earlier unused one, in the caller's transaction. */
export async function replaceInside(tx: Tx, owner: QuoteOwner, quote: Quote): Promise<void> {
  await endLive(tx, owner, quote.createdAt);
  await insertQuote(tx, owner, quote);
}

const setUsed = writeStatement<{ id: string; orderId: string }>(
  (value) => sql`update quotes set used_by_order_id = ${value("orderId")} where id = ${value("id")}`,
);

export const markUsedBatch = (tx: Tx, id: string, orderId: string): QueryBatch<void> => batch([setUsed(tx, { id, orderId })], () => {});

/** Deletes quotes made before this moment from which no order was made. */
export async function deleteUnused(db: Db, before: Date): Promise<void> {
  await deleteInBatches(db, quotes, and(isNull(quotes.usedByOrderId), lt(quotes.createdAt, before)));
}

export async function deleteKeys(db: Db, before: Date): Promise<void> {
  await deleteInBatches(db, idempotencyKeys, lt(idempotencyKeys.createdAt, before));
}

/** How long an order waits for another one of the same buyer, which may have the same key. */
export const orderWait = seconds(5);
/** A database that answers after so long is not slow: the order waits for another one. */
const keyGraceMs = 1_000;

/** The order for which a key was used, and the hash of its request. */
export type UsedKey = { orderId: string; bodyHash: string };

const selectKey = preparedQuery("order_key", (db, value: Placeholders<{ owner: OwnerKey; key: string }>) =>
  db
    .select({ orderId: idempotencyKeys.orderId, bodyHash: idempotencyKeys.bodyHash })
    .from(idempotencyKeys)
    .where(and(eq(idempotencyKeys.owner, value.owner), eq(idempotencyKeys.key, value.key))),
);

/** Stores the key of an order with it. Fails when another order has it (SQLSTATE 23505). */
export const useKeyBatch = (tx: Tx, used: UsedKey & { owner: OwnerKey; key: string; createdAt: Date }): QueryBatch<void> =>
  batch([insertRows(tx, idempotencyKeys, [used])], () => {});

/** A locked quote, the stock levels of its coins, and the number of the order that is made from it; 0: it can no longer be used. */
export type LockedQuote = StoredQuote & { levels: StockLevels; number: number };
/** Parts of other modules in the statement that locks a quote. */
export type QuoteParts = { nextNumber: Expression; levelsOf(coinIds: IdQuery): Expression; readLevels(text: string | null): StockLevels };

/** Makes the query that locks a quote of this owner until the transaction ends. */
export function quoteLocker({ nextNumber, levelsOf, readLevels }: QuoteParts) {
  const select = preparedQuery("quote_lock", (db, value: Placeholders<{ owner: QuoteOwner; id: string }>) =>
    db
      .select({
        ...getTableColumns(quotes),
        number: sql<number>`case when ${quotes.usedByOrderId} is null and ${quotes.replacedAt} is null then ${nextNumber} else 0 end`,
        levels: sql<string | null>`${levelsOf(sql`select (line ->> 'coinId')::int from jsonb_array_elements(${quotes.lines}) as line`)}`,
      })
      .from(quotes)
      .where(and(eq(quotes.id, value.id), eq(quotes.owner, value.owner)))
      .for("update"),
  );
  return (tx: Tx, owner: QuoteOwner, id: string): QueryBatch<LockedQuote | null> =>
    batch([select(tx, { owner, id })], ([[row]]) =>
      row ? { ...toStored(row), levels: readLevels(row.levels), number: row.number } : null,
    );
}

/** The city of a quote, for a query of another module. */
export const cityOf = (owner: QuoteOwner, id: string): IdQuery => sql`select city_code from quotes where id = ${id} and owner = ${owner}`;

/**
 * Locks the buyer's cart and the quote until the transaction ends, so that of two orders from one quote, or with one key, the second sees
 * the first, and reads what the key was used for and `facts`. One round trip. Waits up to five seconds for another order of the same buyer;
 * later locks as long as the request has time.
 */
export async function lockForOrder<Cart, Facts, City>(
  tx: Tx,
  { owner, key }: { owner: OwnerKey; key: string },
  locked: { cart: QueryBatch<Cart>; quote: QueryBatch<LockedQuote | null>; facts: QueryBatch<Facts>; city: QueryBatch<City> | null },
): Promise<{ used: UsedKey | null; basket: Cart; stored: LockedQuote | null; facts: Facts; city: City | null }> {
  // The quote comes behind `facts`, which waits for other orders of this phone or address: its levels are those that these have left.
  const [basket, [used], facts, stored, city] = await pauseDeadlineAfter(
    keyGraceMs,
    pipeline([locked.cart, selectKey(tx, { owner, key }), locked.facts, locked.quote, locked.city ?? noBatch, waitUpTo(tx, orderWait)]),
  );
  return { used: used ?? null, basket, stored, facts, city };
}

const noBatch: QueryBatch<null> = { statements: [], resultOf: () => null };

/** The same for the order of an addition; the caller has locked the order to which it belongs. */
export async function lockForAddition<Facts>(
  tx: Tx,
  locked: { quote: QueryBatch<LockedQuote | null>; facts: QueryBatch<Facts> },
): Promise<{ stored: LockedQuote | null; facts: Facts }> {
  const [facts, stored] = await pipeline([locked.facts, locked.quote]);
  return { stored, facts };
}

const toStored = (row: typeof quotes.$inferSelect): StoredQuote => ({
  quote: {
    id: row.id,
    lines: z.array(storedLine).parse(row.lines),
    delivery: { ...deliverySnapshotSchema.parse(row.delivery), id: row.deliveryId, price: kopecks(row.deliveryKopecks) },
    paymentMethodId: row.paymentMethodId,
    total: kopecks(row.totalKopecks),
    priceListVersion: row.priceListVersion,
    promo:
      row.promoCodeId === null || row.promoCode === null
        ? null
        : { codeId: row.promoCodeId, code: row.promoCode, discount: kopecks(row.discountKopecks) },
    cartVersion: row.cartVersion,
    createdAt: row.createdAt,
    expiresAt: row.expiresAt,
  },
  usedByOrderId: row.usedByOrderId,
  isReplaced: row.replacedAt !== null,
});
