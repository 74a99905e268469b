import { createBatches } from "#kit/concurrency/batches.ts";
import { batch, inTransaction, mapBatch, sqlState, type QueryBatch, type Db, type IdQuery, type Tx } from "#kit/db.ts";
import { add, times, zero, type Kopecks } from "#kit/money.ts";
import { done, fail, type Result } from "#kit/result.ts";
import { days, plus, seconds } from "#kit/time.ts";
import type { Coin } from "#shop/catalog/coin.ts";
import { coinImage, pictureOf } from "#shop/catalog/image.ts";
import * as catalog from "#shop/catalog/service.ts";
import type { Ctx, OwnerKey } from "#shop/context.ts";
import type { PriceList } from "#shop/pricing/price.ts";
import { promoPricesOf, type PromoError } from "#shop/pricing/promo-codes/promo-code.ts";
import * as promoCodes from "#shop/pricing/promo-codes/service.ts";
import * as pricing from "#shop/pricing/service.ts";
import * as stock from "#shop/stock/service.ts";
import { isQuantity, type CappedLine, type Cart, type CartError, type CartLine } from "./cart.ts";
import * as rows from "./repository.ts";

// A guest's cart is deleted a year after it was last read or changed; a customer's is never deleted.

/**
 * Reads the cart with current prices and stock; a null owner or one without a cart gets an empty cart. Sold-out coins stay in it.
 * Reading postpones the deletion of the cart (written at most once a day).
 */
export async function read(ctx: Ctx, owner: OwnerKey | null): Promise<Cart> {
  return withPrices(ctx, owner && (await rows.find(ctx.db, owner)));
}

/** `known`: what was read together with the cart. */
async function withPrices(
  ctx: Ctx,
  cart: Awaited<ReturnType<typeof rows.find>>,
  known?: CoinsAndStock & { list: PriceList },
): Promise<Cart> {
  if (!cart) return { lines: [], total: zero, count: 0, promo: null, version: 0 };
  const ids = cart.lines.map((line) => line.coinId);
  const isLongUntouched = cart.touchedAt < plus(ctx.now(), -days(1));
  if (ids.length === 0 && !isLongUntouched) return { lines: [], total: zero, count: 0, promo: null, version: cart.version };
  const [coinsAndStock, list, code] = await Promise.all([
    known ?? loadCoins(ctx, ids),
    known?.list ?? pricing.current(ctx),
    promoCodes.ofCart(ctx, cart.promoCodeId),
    isLongUntouched ? rows.touch(ctx.db, cart.id, ctx.now()) : undefined,
  ]);
  const wanted = cart.lines.flatMap(({ coinId, quantity }) => {
    const coin = coinsAndStock.coinOf.get(coinId);
    return coin ? [{ coin, quantity }] : [];
  });
  const { prices, discount, fault } = promoPricesOf(wanted, list, code, ctx.now());
  const lines = wanted.map(({ coin, quantity }) => lineOf(coin, quantity, coinsAndStock.free, prices.get(coin.id)));
  return {
    lines,
    promo: code && { code: code.code, discount, fault, minSum: code.minSum },
    total: add(...lines.map((line) => line.sum ?? zero)),
    count: lines.reduce((sum, line) => sum + line.quantity, 0),
    version: cart.version,
  };
}

type CoinsAndStock = { coinOf: ReadonlyMap<number, Coin>; free: ReadonlyMap<number, number> };

/**
 * Reads coins and their available pieces. Coins come from a cache of this process that is at most one second old: they are the most
 * expensive part of reading a cart and hardly ever change.
 */
async function loadCoins(ctx: Ctx, ids: readonly number[]): Promise<CoinsAndStock> {
  const cached = cachedCoins(ctx);
  const missing = ids.filter((id) => !cached.has(id));
  const readFree = stock.available(ctx.db, ids);
  if (missing.length === 0) return { coinOf: cached, free: await readFree };
  const [coins, free] = await Promise.all([catalog.coinsByIds(ctx.db, missing), readFree]);
  return { coinOf: withCoins(cached, coins), free };
}

/** Reads the same for the coins of a cart, in the round trip that changes it; coins that are in the cache are not read again. */
function goodsBatch(ctx: Ctx, tx: Tx, coinIds: IdQuery): QueryBatch<CoinsAndStock> {
  const cached = cachedCoins(ctx);
  return batch([catalog.coinsInBatch(tx, coinIds, { except: [...cached.keys()] }), stock.availableBatch(tx, coinIds)], ([coins, free]) => ({
    coinOf: withCoins(cached, coins),
    free,
  }));
}

type CoinCache = { coins: Map<number, Coin>; since: number };

/** Coins that were read within the last second. After it a new map takes the place of this one, which its readers keep. */
function cachedCoins(ctx: Ctx): Map<number, Coin> {
  const cache = ctx.singleton("cart.coins", (): CoinCache => ({ coins: new Map(), since: -Infinity }));
  const now = ctx.now().getTime();
  if (Math.abs(now - cache.since) >= seconds(1)) Object.assign(cache, { coins: new Map(), since: now });
  return cache.coins;
}

function withCoins(cached: Map<number, Coin>, coins: readonly Coin[]): Map<number, Coin> {
  for (const coin of coins) cached.set(coin.id, coin);
  return cached;
}

function lineOf(coin: Coin, quantity: number, free: ReadonlyMap<number, number>, priced?: { full: Kopecks; price: Kopecks }): CartLine {
  const available = availableOf(coin, free);
  const price = priced?.price ?? null;
  return {
    coinId: coin.id,
    quantity,
    slug: coin.slug,
    title: coin.title,
    image: coinImage(pictureOf(coin), "obverse", 320),
    metal: coin.metal,
    kind: coin.kind,
    totalMassMg: coin.totalMassMg,
    price,
    fullPrice: priced?.full ?? null,
    sum: price === null ? null : times(price, quantity),
    available,
    hasStock: available > 0,
  };
}

const availableOf = (coin: Coin, free: ReadonlyMap<number, number>): number => (coin.isPublished ? (free.get(coin.id) ?? 0) : 0);

/**
 * Sets the number of pieces of one coin, 0…999 (0 removes the line), and returns the cart. Idempotent: the cart's version, on which a
 * quote depends, changes only when the line changes. A cart reserves nothing.
 *
 * Refuses without a change with `product.not_found`, `cart.stock_short` (with the available pieces), `cart.limit` (the coin's
 * purchase limit) and `cart.full`.
 */
export async function setQuantity(ctx: Ctx, owner: OwnerKey, coinId: number, quantity: number): Promise<Result<Cart, CartError>> {
  if (!isQuantity(quantity)) throw new RangeError(`not a quantity: ${quantity}`);
  if (quantity === 0) {
    const { coinOf } = await loadCoins(ctx, [coinId]);
    return coinOf.has(coinId) ? done(await remove(ctx, owner, [coinId])) : fail({ code: "product.not_found" });
  }
  const limit = ctx.settings.limits.cartLines;
  const cached = cachedCoins(ctx);
  // Nothing waits for the line, so all that is not in the cache is read beside it.
  const [set, list, coins] = await Promise.all([
    changes(ctx)({ owner, coinId, quantity }),
    pricing.current(ctx),
    cached.has(coinId) ? [] : catalog.coinsIn(ctx.db, rows.coinIdsWith(owner, coinId), { except: [...cached.keys()] }),
  ]);
  switch (set.verdict) {
    case "absent":
      return fail({ code: "product.not_found" });
    case "short":
      return fail({ code: "cart.stock_short", available: set.available });
    case "limit":
      return fail({ code: "cart.limit", limit: set.purchaseLimit ?? 0 });
    case "full":
      return fail({ code: "cart.full", limit });
    case "put":
    case "unchanged":
      return done(
        await withPrices(ctx, set.cart, { coinOf: await withAll(ctx, withCoins(cached, coins), set.cart), free: set.free, list }),
      );
    case "busy": {
      const readGoods = (tx: Tx, ids: IdQuery) => goodsBatch(ctx, tx, ids);
      const changed = await rows.setLineWaiting(ctx.db, owner, { coinId, quantity }, { limit, now: ctx.now(), readGoods });
      return changed.isPut ? done(await withPrices(ctx, changed.cart, { ...changed.goods, list })) : fail({ code: "cart.full", limit });
    }
  }
}

const setLines = rows.linesSetter({ saleTermsOf: catalog.saleTermsOf, availableOf: stock.availableOf });

/**
 * Changes of several carts are sent together (docs/decisions/0098): a statement and a commit for many cost little more than for one. When
 * the database refuses the statement, each change is sent by itself, so that an error of one visitor fails no other.
 */
const changes = (ctx: Ctx) =>
  ctx.singleton("cart.changes", () =>
    createBatches({
      work: (wanted: readonly rows.WantedLine[]) => setLines(ctx.db, wanted, { limit: ctx.settings.limits.cartLines, now: ctx.now() }),
      keyOf: ({ owner }) => owner,
      max: changeLimits,
      mayBeOfOneItem: (error) => sqlState(error) !== undefined,
    }),
  );

/** Four batches use four connections of the pool at most, so that other requests find one. */
const changeLimits = { items: 32, batches: 4, waiting: 1_000 };

/** Reads the coins of the cart that are not known yet, as those that another tab has added. */
async function withAll(ctx: Ctx, known: Map<number, Coin>, cart: { lines: rows.StoredCartLine[] } | null): Promise<Map<number, Coin>> {
  const missing = (cart?.lines ?? []).map(({ coinId }) => coinId).filter((id) => !known.has(id));
  return missing.length === 0 ? known : withCoins(known, await catalog.coinsByIds(ctx.db, missing));
}

/** Removes these coins; ids that are not in the cart are ignored. */
export async function remove(ctx: Ctx, owner: OwnerKey | null, coinIds: readonly number[]): Promise<Cart> {
  if (!owner || coinIds.length === 0) return read(ctx, owner);
  return takeLines(ctx, owner, coinIds);
}

/** Removes all lines. Idempotent. */
export async function clear(ctx: Ctx, owner: OwnerKey | null): Promise<Cart> {
  if (!owner) return read(ctx, owner);
  return takeLines(ctx, owner, "all");
}

async function takeLines(ctx: Ctx, owner: OwnerKey, coinIds: readonly number[] | "all"): Promise<Cart> {
  const readGoods = (tx: Tx, ids: IdQuery) => goodsBatch(ctx, tx, ids);
  const [list, { cart, goods }] = await Promise.all([
    pricing.current(ctx),
    rows.removeLines(ctx.db, owner, coinIds, { now: ctx.now(), readGoods }),
  ]);
  return withPrices(ctx, cart, { ...goods, list });
}

/** Locks the cart until the transaction ends and reads it; null for an owner without a cart. */
export const lock = (tx: Tx, owner: OwnerKey): Promise<{ version: number; lines: { coinId: number; quantity: number }[] } | null> =>
  rows.lock(tx, owner);

/** Only locks the cart, as a part of another module's round trip; waits for it as long as the transaction may wait for locks. */
export const lockBatch = (tx: Tx, owner: OwnerKey): QueryBatch<{ version: number } | null> => rows.lockVersionBatch(tx, owner);

/** Reads the cart without a lock; null for an owner without a cart. */
export const peek = (
  db: Db,
  owner: OwnerKey,
): Promise<{ version: number; promoCodeId: number | null; lines: { coinId: number; quantity: number }[] } | null> => rows.find(db, owner);

/**
 * Enters a code in the owner's cart, in place of an earlier one. Idempotent. Refuses codes that cannot be used now at all, or not by this
 * buyer (`promo.…`); one that does not fit the present cart is stored, and the cart says why it lowers nothing.
 */
export async function enterPromo(ctx: Ctx, owner: OwnerKey, typed: string, customerId: string | null): Promise<Result<Cart, PromoError>> {
  const entered = await promoCodes.enter(ctx, typed, customerId);
  if (!entered.ok) return entered;
  await rows.setPromo(ctx.db, owner, entered.value.id);
  return done(await read(ctx, owner));
}

/** Takes the code out of the owner's cart. Idempotent. */
export async function removePromo(ctx: Ctx, owner: OwnerKey): Promise<Cart> {
  await rows.setPromo(ctx.db, owner, null);
  return read(ctx, owner);
}

/** Takes the code out of a cart that the caller has locked, because an order has it now. */
export const forgetPromoBatch = (tx: Tx, owner: OwnerKey): QueryBatch<void> => rows.forgetPromoBatch(tx, owner);

/** Takes lines out of a cart that the caller has locked, as part of a larger change, as when they become an order. */
export const removeLines = (tx: Tx, owner: OwnerKey, coinIds: readonly number[], at: Date): Promise<void> =>
  rows.deleteLocked(tx, owner, coinIds, at);

/** The same as a part of another module's round trip. */
export const removeLinesBatch = (tx: Tx, owner: OwnerKey, coinIds: readonly number[], at: Date): QueryBatch<void> =>
  rows.deleteLinesBatch(tx, owner, coinIds, at);

/** The cart of a browser in which a customer signs in. */
export type BrowserCart = { from: OwnerKey; lines: rows.StoredCartLine[] };
/** The customer's own cart, and the coins of the browser's cart with their available pieces. */
export type CartToJoin = { lines: rows.StoredCartLine[]; coins: Coin[]; free: Map<number, number> };

/** First step of merging a browser's cart into the customer's: locks and reads the browser's cart. */
export const lockBrowserCartBatch = (tx: Tx, from: OwnerKey): QueryBatch<BrowserCart> =>
  mapBatch(rows.lockBatch(tx, from), (locked) => ({ from, lines: locked?.lines ?? [] }));

/** Second step: locks the customer's cart (made when absent) and reads the coins to merge; null when the browser's cart is empty. */
export function lockToJoinBatch(tx: Tx, ctx: Ctx, to: OwnerKey, browser: BrowserCart): QueryBatch<CartToJoin | null> {
  if (browser.from === to || browser.lines.length === 0) return batch([], () => null);
  const ids = browser.lines.map((line) => line.coinId);
  return batch(
    [rows.lockOrCreateBatch(tx, to, ctx.now()), catalog.coinsByIdsBatch(tx, ids), stock.availableBatch(tx, ids)],
    ([lines, coins, free]) => ({ lines, coins, free }),
  );
}

/**
 * Third step: keeps the larger quantity per coin, limited by stock, purchase limit and number of lines; `capped` lists the reduced lines.
 * The browser's cart is empty afterwards, so a repetition adds nothing. All steps run in the transaction that makes the session.
 *
 * A sold-out coin is merged with one piece: it stays visible, and the buyer decides.
 */
export function joinBatch(
  tx: Tx,
  ctx: Ctx,
  to: OwnerKey,
  { from, lines: brought }: BrowserCart,
  own: CartToJoin | null,
): QueryBatch<{ capped: CappedLine[] }> {
  if (!own) return batch([], () => ({ capped: [] }));
  const quantities = new Map(own.lines.map(({ coinId, quantity }) => [coinId, quantity]));
  const coinOf = new Map(own.coins.map((coin) => [coin.id, coin]));
  const joined = brought.map(({ coinId, quantity }) => {
    const coin = coinOf.get(coinId);
    const obtainable = coin ? Math.min(availableOf(coin, own.free), coin.purchaseLimit ?? Infinity) : 0;
    const wanted = Math.max(quantity, quantities.get(coinId) ?? 0);
    return { coinId, quantity: Math.max(1, Math.min(wanted, obtainable)), isShort: obtainable < wanted, obtainable };
  });
  return mapBatch(rows.moveLinesBatch(tx, { from, to }, joined, ctx.settings.limits.cartLines, ctx.now()), (isPut) => ({
    capped: joined.flatMap(({ coinId, isShort, obtainable }, index): CappedLine[] => {
      if (!isPut[index]) return [{ id: coinId, available: 0 }];
      return isShort ? [{ id: coinId, available: obtainable }] : [];
    }),
  }));
}

/**
 * Raises each of these coins to the given quantity, limited by stock, purchase limit and number of lines; a larger quantity in the cart
 * stays. Returns the coins that got fewer pieces, with the quantity that is in the cart now. A sold-out coin is not added. Idempotent.
 */
export async function raiseQuantities(
  ctx: Ctx,
  owner: OwnerKey,
  wanted: readonly { coinId: number; quantity: number }[],
): Promise<{ capped: CappedLine[] }> {
  const ids = wanted.map((line) => line.coinId);
  const [coins, free] = await Promise.all([catalog.coinsByIds(ctx.db, ids), stock.available(ctx.db, ids)]);
  const coinOf = new Map(coins.map((coin) => [coin.id, coin]));
  const limit = ctx.settings.limits.cartLines;
  return inTransaction(ctx.db, async (tx) => {
    const lines = await rows.lockOrCreate(tx, owner, ctx.now());
    const there = new Map(lines.map(({ coinId, quantity }) => [coinId, quantity]));
    const capped: CappedLine[] = [];
    for (const { coinId, quantity } of wanted) {
      const coin = coinOf.get(coinId);
      const obtainable = coin ? Math.min(availableOf(coin, free), coin.purchaseLimit ?? Infinity) : 0;
      const before = there.get(coinId) ?? 0;
      const after = Math.max(before, Math.min(quantity, obtainable));
      const isPut = after === before || (await rows.putLine(tx, owner, { coinId, quantity: after }, limit, ctx.now()));
      const got = isPut ? after : before;
      if (got < quantity) capped.push({ id: coinId, available: got });
    }
    return { capped };
  });
}

/** Deletes guest carts that were not used for `guestDataDays`. For the sweep. */
export async function deleteUnusedGuestCarts(ctx: Ctx): Promise<void> {
  await rows.deleteGuestCarts(ctx.db, plus(ctx.now(), -days(ctx.settings.limits.guestDataDays)));
}
