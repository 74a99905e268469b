import { inTransaction, together, waitUpTo, type AtLast, type Db, type Tx } from "#kit/db.ts";
import { add, times, zero } from "#kit/money.ts";
import { done, fail, type Result } from "#kit/result.ts";
import { days, plus, seconds } from "#kit/time.ts";
import type { Coin } from "#shop/catalog/coin.ts";
import { coinImage } from "#shop/catalog/image.ts";
import * as catalog from "#shop/catalog/service.ts";
import type { Ctx, OwnerKey } from "#shop/context.ts";
import { priceOf, type PriceList } from "#shop/pricing/price.ts";
import * as pricing from "#shop/pricing/service.ts";
import * as stock from "#shop/stock/service.ts";
import { isQuantity, type CappedLine, type Cart, type CartError, type CartLine } from "./cart.ts";
import * as rows from "./repository.ts";

/** A guest's cart is kept for a year after it was last looked at or changed; a customer's for ever. */
const guestCartDays = 365;
/** How long a change waits for the same buyer's order or sign-in, which holds his cart and may itself wait for coins that many want. */
export const sameCartWait = seconds(5);

/**
 * The cart with today's prices and stock; `null` and an owner without a cart read as empty. Coins that ran out stay in it.
 * Looking at a cart keeps it alive (noted at most once a day).
 */
export async function read(ctx: Ctx, owner: OwnerKey | null): Promise<Cart> {
  return shown(ctx, owner && (await rows.find(ctx.db, owner)));
}

async function shown(ctx: Ctx, cart: Awaited<ReturnType<typeof rows.find>>): Promise<Cart> {
  if (!cart) return { lines: [], total: zero, count: 0, version: 0 };
  const ids = cart.lines.map((line) => line.coinId);
  const isLongUntouched = cart.touchedAt < plus(ctx.now(), -days(1));
  if (ids.length === 0 && !isLongUntouched) return { lines: [], total: zero, count: 0, version: cart.version };
  const [{ coinOf, free }, list] = await Promise.all([
    shelf(ctx, ids),
    pricing.current(ctx),
    isLongUntouched ? rows.touch(ctx.db, cart.id, ctx.now()) : undefined,
  ]);
  const lines = cart.lines.flatMap(({ coinId, quantity }) => {
    const coin = coinOf.get(coinId);
    return coin ? [lineOf(coin, quantity, free, list)] : [];
  });
  return {
    lines,
    total: add(...lines.map((line) => line.sum ?? zero)),
    count: lines.reduce((sum, line) => sum + line.quantity, 0),
    version: cart.version,
  };
}

type Shelf = { coinOf: Map<number, Coin>; free: Map<number, number> };

/** Coins with their free pieces. The coins as they were at most a second ago in this process: by far the dearest part of reading a cart, and it hardly ever changes. */
async function shelf(ctx: Ctx, ids: readonly number[]): Promise<Shelf> {
  const known = ctx.held("cart.coins", () => new Map<number, { coin: Coin; readAt: number }>());
  const now = ctx.now().getTime();
  // Taken out before anything is awaited: meanwhile others find the same coin too old and read it anew.
  const coinOf = new Map(
    ids.flatMap((id) => {
      const entry = known.get(id);
      return entry && Math.abs(now - entry.readAt) < seconds(1) ? [[id, entry.coin] as const] : [];
    }),
  );
  const missing = ids.filter((id) => !coinOf.has(id));
  if (missing.length === 0) return { coinOf, free: await stock.available(ctx.db, ids) };
  const [coins, free] = await together<[Coin[], Map<number, number>]>(ctx.db, (tx) => [
    catalog.coinsByIds(tx, missing),
    stock.available(tx, ids),
  ]);
  for (const id of missing) known.delete(id);
  for (const coin of coins) {
    known.set(coin.id, { coin, readAt: now });
    coinOf.set(coin.id, coin);
  }
  return { coinOf, free };
}

function lineOf(coin: Coin, quantity: number, free: Map<number, number>, list: PriceList): CartLine {
  const { price } = priceOf(coin, list);
  const available = availableOf(coin, free);
  return {
    coinId: coin.id,
    quantity,
    slug: coin.slug,
    title: coin.title,
    image: coinImage(coin.slug, "obverse", 320),
    metal: coin.metal,
    kind: coin.kind,
    totalMassMg: coin.totalMassMg,
    price,
    sum: price === null ? null : times(price, quantity),
    available,
    hasStock: available > 0,
  };
}

const availableOf = (coin: Coin, free: Map<number, number>): number => (coin.isPublished ? (free.get(coin.id) ?? 0) : 0);

/**
 * Sets the number of pieces of one coin, 0…999 (0 takes it out), and answers the cart. Safe to repeat: the version of the cart,
 * and with it a locked quote, moves only when something changed. A cart reserves nothing.
 *
 * Refuses, leaving the cart as it was, with `product.not_found`, `cart.stock_short` (how many there are),
 * `cart.limit` (how many one buyer may have) and `cart.full`.
 */
export async function setQuantity(ctx: Ctx, owner: OwnerKey, coinId: number, quantity: number): Promise<Result<Cart, CartError>> {
  if (!isQuantity(quantity)) throw new RangeError(`not a quantity: ${quantity}`);
  const { coinOf, free } = await shelf(ctx, [coinId]);
  const coin = coinOf.get(coinId);
  if (!coin) return fail({ code: "product.not_found" });
  if (quantity === 0) return done(await remove(ctx, owner, [coinId]));
  if (!coin.isPublished) return fail({ code: "product.not_found" });
  const available = availableOf(coin, free);
  if (available < quantity) return fail({ code: "cart.stock_short", available });
  if (coin.purchaseLimit !== null && quantity > coin.purchaseLimit) return fail({ code: "cart.limit", limit: coin.purchaseLimit });

  const limit = ctx.settings.limits.cartLines;
  const { isPut, cart } = await inTransaction(ctx.db, async (tx, atLast) => {
    void atLast(waitUpTo(tx, sameCartWait));
    void atLast(rows.lockOrCreate(tx, owner, ctx.now()));
    return { isPut: atLast(rows.putLine(tx, owner, { coinId, quantity }, limit, ctx.now())), cart: atLast(rows.find(tx, owner)) };
  });
  return (await isPut) ? done(await shown(ctx, await cart)) : fail({ code: "cart.full", limit });
}

/** Takes these coins out; ids that are not in the cart are ignored. */
export async function remove(ctx: Ctx, owner: OwnerKey | null, coinIds: readonly number[]): Promise<Cart> {
  return owner ? change(ctx, owner, (tx, atLast) => void atLast(takeOut(tx, owner, coinIds, ctx.now()))) : read(ctx, owner);
}

export async function clear(ctx: Ctx, owner: OwnerKey | null): Promise<Cart> {
  return owner
    ? change(ctx, owner, (tx, atLast) => void atLast(Promise.all([rows.lock(tx, owner), rows.dropLines(tx, owner, ctx.now())])))
    : read(ctx, owner);
}

/** Does what needs no answer to the owner's cart, and reads what came of it: one crossing of the line. */
async function change(ctx: Ctx, owner: OwnerKey, ask: (tx: Tx, atLast: AtLast) => void): Promise<Cart> {
  const { cart } = await inTransaction(ctx.db, async (tx, atLast) => {
    void atLast(waitUpTo(tx, sameCartWait));
    ask(tx, atLast);
    return { cart: atLast(rows.find(tx, owner)) };
  });
  return shown(ctx, await cart);
}

/** Holds the cart against every other change until the transaction ends, and reads it; null for an owner who never had one. */
export async function lock(tx: Tx, owner: OwnerKey): Promise<{ version: number; lines: { coinId: number; quantity: number }[] } | null> {
  const [cart, lines] = await Promise.all([rows.lock(tx, owner), rows.linesOfOwner(tx, owner)]);
  return cart && { version: cart.version, lines };
}

/** The cart as it stands, without holding it; null for an owner who never had one. */
export const peek = (db: Db, owner: OwnerKey): Promise<{ version: number; lines: { coinId: number; quantity: number }[] } | null> =>
  rows.find(db, owner);

/** Takes lines out as part of a larger change, as when they became an order. */
export async function takeOut(tx: Tx, owner: OwnerKey, coinIds: readonly number[], at: Date): Promise<void> {
  if (coinIds.length > 0) await Promise.all([rows.lock(tx, owner), rows.takeLines(tx, owner, coinIds, at)]);
}

/** Holds the cart of a browser that signs in, and what lies in it; `bringTo` puts it into the customer's. */
export const takeFrom = async (tx: Tx, from: OwnerKey): Promise<Brought> => ({ from, lines: (await lock(tx, from))?.lines ?? [] });
type Brought = { from: OwnerKey; lines: rows.StoredLine[] };

/**
 * Joins the cart of a browser into that of the customer who signs in there: per coin the larger quantity, as far as stock,
 * purchase limit and the number of lines allow; what could not be kept is told. The browser's cart is empty afterwards,
 * so repeating it adds nothing. Must run in the transaction that makes the session and took the cart in hand (`takeFrom`);
 * what is written leaves with the commit, so `capped` is known after it.
 *
 * A coin that is sold out right now is kept with one piece: it stays visible, and the buyer decides.
 */
export async function bringTo(
  tx: Tx,
  atLast: AtLast,
  ctx: Ctx,
  to: OwnerKey,
  { from, lines: brought }: Brought,
): Promise<{ capped: Promise<CappedLine[]> }> {
  if (from === to || brought.length === 0) return { capped: Promise.resolve([]) };
  const ids = brought.map((line) => line.coinId);
  const [, lines, coins, free] = await Promise.all([
    rows.lockOrCreate(tx, to, ctx.now()),
    rows.linesOfOwner(tx, to),
    catalog.coinsByIds(tx, ids),
    stock.available(tx, ids),
  ]);
  const quantities = new Map(lines.map(({ coinId, quantity }) => [coinId, quantity]));
  const coinOf = new Map(coins.map((coin) => [coin.id, coin]));
  const limit = ctx.settings.limits.cartLines;
  const puts = brought.map(async ({ coinId, quantity }): Promise<CappedLine[]> => {
    const coin = coinOf.get(coinId);
    const obtainable = coin ? Math.min(availableOf(coin, free), coin.purchaseLimit ?? Infinity) : 0;
    const wanted = Math.max(quantity, quantities.get(coinId) ?? 0);
    const kept = Math.max(1, Math.min(wanted, obtainable));
    const isPut = await rows.putLine(tx, to, { coinId, quantity: kept }, limit, ctx.now());
    if (!isPut) return [{ id: coinId, available: 0 }];
    return obtainable < wanted ? [{ id: coinId, available: obtainable }] : [];
  });
  const capped = atLast(Promise.all(puts));
  void atLast(rows.dropLines(tx, from, ctx.now()));
  return { capped: capped.then((each) => each.flat()) };
}

/**
 * Brings each of these coins up to so many pieces, as far as stock, purchase limit and the number of lines allow; more that lies there
 * already stays. What fell short is told with the pieces that are there now; a coin that is sold out is left out. Safe to repeat.
 */
export async function bringUpTo(
  ctx: Ctx,
  owner: OwnerKey,
  wanted: readonly { coinId: number; quantity: number }[],
): Promise<{ capped: CappedLine[] }> {
  const ids = wanted.map((line) => line.coinId);
  const [coins, free] = await Promise.all([catalog.coinsByIds(ctx.db, ids), stock.available(ctx.db, ids)]);
  const coinOf = new Map(coins.map((coin) => [coin.id, coin]));
  const limit = ctx.settings.limits.cartLines;
  return inTransaction(ctx.db, async (tx) => {
    const [, lines] = await Promise.all([rows.lockOrCreate(tx, owner, ctx.now()), rows.linesOfOwner(tx, owner)]);
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

/** Lets go of guest carts that nobody used for a year. */
export async function sweepForgotten(ctx: Ctx): Promise<void> {
  await rows.dropGuestCarts(ctx.db, plus(ctx.now(), -days(guestCartDays)));
}
