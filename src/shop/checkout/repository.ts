import { and, eq, isNull, lt, sql } from "drizzle-orm";
import { z } from "zod";
import { pauseDeadlineAfter } from "#kit/concurrency/deadline.ts";
import {
  batch,
  deleteInBatches,
  pipeline,
  pipelineTransaction,
  preparedQuery,
  setLockTimeout,
  type Db,
  type Placeholders,
  type QueryBatch,
  type Tx,
} from "#kit/db.ts";
import { seconds } from "#kit/time.ts";
import { kopecks, times } from "#kit/money.ts";
import type { OwnerKey } from "#shop/context.ts";
import { deliverySnapshotSchema } from "#shop/orders/snapshot.ts";
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
  await pipelineTransaction(db, (tx) => [lockCart(tx), endLive(tx, owner, quote.createdAt), insertQuote(tx, owner, quote)]);
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

/** Locks a quote of this owner until the transaction ends. */
export async function lock(tx: Tx, id: string, owner: QuoteOwner): Promise<StoredQuote | null> {
  const [row] = await tx
    .select()
    .from(quotes)
    .where(and(eq(quotes.id, id), eq(quotes.owner, owner)))
    .for("update");
  return row ? toStored(row) : null;
}

const setUsed = preparedQuery("quote_set_used", (db, value: Placeholders<{ id: string; orderId: string }>) =>
  db
    .update(quotes)
    .set({ usedByOrderId: sql`${value.orderId}` })
    .where(eq(quotes.id, value.id)),
);

export const markUsedBatch = (tx: Tx, id: string, orderId: string): QueryBatch<void> => batch([setUsed(tx, { id, orderId })], () => {});

/** Deletes quotes made before this moment from which no order was made. */
export async function deleteUnused(db: Db, before: Date): Promise<void> {
  await deleteInBatches(db, quotes, and(isNull(quotes.usedByOrderId), lt(quotes.createdAt, before)));
}

export async function deleteKeys(db: Db, before: Date): Promise<void> {
  await deleteInBatches(db, idempotencyKeys, lt(idempotencyKeys.createdAt, before));
}

/** How long a call waits for another one with the same key. */
const keyWait = seconds(5);
/** A database that answers after so long is not slow: the call waits for the first one with the same key. */
const keyGraceMs = 1_000;

export type ClaimedKey = { orderId: string; bodyHash: string; isNew: boolean };

/** A key that is claimed already is locked and returned unchanged, also one whose transaction this statement has waited for. */
const claimKey = preparedQuery("order_key_claim", (db, value: Placeholders<typeof idempotencyKeys.$inferInsert>) =>
  db
    .insert(idempotencyKeys)
    .values({ owner: value.owner, key: value.key, bodyHash: value.bodyHash, orderId: value.orderId, createdAt: value.createdAt })
    .onConflictDoUpdate({ target: [idempotencyKeys.owner, idempotencyKeys.key], set: { orderId: sql`${idempotencyKeys.orderId}` } })
    .returning({ orderId: idempotencyKeys.orderId, bodyHash: idempotencyKeys.bodyHash }),
);

const lockQuote = preparedQuery("quote_lock", (db, value: Placeholders<{ owner: OwnerKey; id: string }>) =>
  db
    .select()
    .from(quotes)
    .where(and(eq(quotes.id, value.id), eq(quotes.owner, value.owner)))
    .for("update"),
);

/**
 * Claims the key for a new order, whose id no other order has, or returns what it was claimed for; then locks the buyer's cart and the
 * quote until the transaction ends, so that of two orders from one quote the second sees the first. One round trip. Waits up to five
 * seconds for another transaction with the same key and claims it if that one rolls back. The same time limit holds for every later lock
 * of this transaction.
 */
export async function lockForOrder<Cart>(
  tx: Tx,
  request: { owner: OwnerKey; key: string; bodyHash: string; orderId: string; quoteId: string; at: Date },
  lockCart: QueryBatch<Cart>,
): Promise<{ claimed: ClaimedKey; basket: Cart; stored: StoredQuote | null }> {
  const { owner, key, bodyHash, orderId, at } = request;
  const [, [known], basket, [quote]] = await pauseDeadlineAfter(
    keyGraceMs,
    pipeline([
      setLockTimeout(tx, keyWait),
      claimKey(tx, { owner, key, bodyHash, orderId, createdAt: at }),
      lockCart,
      lockQuote(tx, { owner, id: request.quoteId }),
    ]),
  );
  if (!known) throw new Error("a key was neither claimed nor found");
  return {
    claimed: { orderId: known.orderId, bodyHash: known.bodyHash, isNew: known.orderId === orderId },
    basket,
    stored: quote ? toStored(quote) : null,
  };
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
