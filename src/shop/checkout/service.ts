import { inTransaction, sqlState, type Tx } from "#kit/db.ts";
import { createSemaphore } from "#kit/semaphore.ts";
import { randomId } from "#kit/ids.ts";
import { add, type Kopecks } from "#kit/money.ts";
import { done, fail, type Result } from "#kit/result.ts";
import { days, plus, seconds } from "#kit/time.ts";
import * as cart from "#shop/cart/service.ts";
import type { Coin } from "#shop/catalog/coin.ts";
import * as catalog from "#shop/catalog/service.ts";
import type { Ctx, OwnerKey } from "#shop/context.ts";
import { deliveryById, paymentsAllowed } from "#shop/delivery/delivery.ts";
import * as delivery from "#shop/delivery/service.ts";
import type { Order } from "#shop/orders/order.ts";
import * as orders from "#shop/orders/service.ts";
import { toldName, type Address, type Recipient } from "#shop/orders/snapshot.ts";
import { isOverLimit, limitOf, methodById, receiptLineCount, receiptLinesMax, type PaymentMethod } from "#shop/payment/payment.ts";
import { priceOf, type PriceList } from "#shop/pricing/price.ts";
import * as pricing from "#shop/pricing/service.ts";
import * as rates from "#shop/rates/service.ts";
import * as stock from "#shop/stock/service.ts";
import type { ShortItem, StockLine } from "#shop/stock/stock.ts";
import { isMadeFrom, lineOf, sumOf, type CheckoutError, type Quote, type QuoteAsk, type QuoteError, type QuoteLine } from "./quote.ts";
import * as rows from "./repository.ts";

/**
 * Locks the prices of the owner's cart with this delivery for ten minutes; every amount is computed here, none is taken from the buyer.
 * Ends the owner's earlier unused quote. Reserves nothing.
 *
 * Refuses with the first of: a wrong delivery, city, point or payment; an empty cart; coins that are short (all of them);
 * bullion while the exchange is closed (its ids) or silent; a total over the payment's limit.
 */
export async function quote(ctx: Ctx, owner: OwnerKey, ask: QuoteAsk): Promise<Result<Quote, QuoteError>> {
  const way = deliveryById(ask.deliveryId);
  const method = methodById(ask.paymentId);
  if (!way || !method)
    return fail({ code: "request.invalid", fields: [...(way ? [] : ["deliveryId" as const]), ...(method ? [] : ["paymentId" as const])] });
  const gate = ctx.singleton("checkout.quotes", () => createSemaphore(quotesAtOnce));
  const [city, basket, market, list] = await gate(() =>
    Promise.all([delivery.city(ctx, ask.cityCode), cart.peek(ctx.db, owner), rates.market(ctx), pricing.latest(ctx.db, ctx)]),
  );
  if (!city) return fail({ code: "city.not_found" });
  const ids = basket?.lines.map((line) => line.coinId) ?? [];
  const [coins, free] = await Promise.all([catalog.coinsByIds(ctx.db, ids), stock.available(ctx.db, ids)]);
  const coinOf = new Map(coins.map((coin) => [coin.id, coin]));
  const priced = priceLines(basket?.lines ?? [], { coinOf, free, isOpen: market.isOpen, list: list ?? (await pricing.current(ctx)) });
  const contents = { weightGrams: weightOf(basket?.lines ?? [], coinOf) };
  const [point, option] = await Promise.all([
    way.hasPoint && ask.pointId !== null ? delivery.point(ctx, city, way.id, ask.pointId, contents) : null,
    priced.ok ? delivery.optionPrice(ctx, city, way.id, { total: sumOf(priced.value.lines), gold: priced.value.gold, ...contents }) : null,
  ]);
  if (way.hasPoint && !point) return fail({ code: "request.invalid", fields: ["pointId"] });
  if (!basket || basket.lines.length === 0) return fail({ code: "cart.empty" });
  const allowed = paymentsAllowed(way.id);
  if (!allowed.includes(method.id)) return fail({ code: "payment.not_allowed", allowed: [...allowed] });

  if (!priced.ok) return priced;
  const { lines, priceListVersion } = priced.value;
  if (!option) return fail({ code: "request.invalid", fields: ["deliveryId"] });
  const total = add(sumOf(lines), option.price);
  if (isTooMuch(ctx, method, total, lines, option.price))
    return fail({ code: "payment.over_limit", limit: limitOf(method, ctx.settings.limits) });

  const at = ctx.now();
  const made: Quote = {
    id: randomId(),
    lines,
    total,
    priceListVersion,
    paymentMethodId: method.id,
    cartVersion: basket.version,
    delivery: {
      id: way.id,
      price: option.price,
      name: toldName(way.name),
      cityCode: city.code,
      cityName: city.name,
      point: point && {
        id: point.id,
        type: point.type,
        name: point.name,
        address: point.address,
        workTime: point.workTime,
        phone: point.phone,
      },
      minDays: option.minDays,
      maxDays: option.maxDays,
      note: option.note,
    },
    createdAt: at,
    expiresAt: plus(at, seconds(ctx.settings.limits.quoteLifeSeconds)),
  };
  await inTransaction(ctx.db, async (tx) => {
    await rows.replaceLive(tx, owner, made, cart.lockBatch(tx, owner)); // two quotes of one owner wait here, so that one of them is the live one
  });
  return done(made);
}

/** A quote begins with three questions on three connections: of a rush of buyers so many ask at a time, and the others wait here instead of three times in the pool. */
const quotesAtOnce = 6;

/** `isLive`: an order can be made from it now. `orderId`: the order that was made from it. */
export type QuoteState = { quote: Quote; isLive: boolean; orderId: string | null };

/** The owner's quote and whether it still holds: not run out, not replaced, and of the cart as it is now. Null for another owner's quote. */
export async function findQuote(ctx: Ctx, owner: OwnerKey, quoteId: string): Promise<QuoteState | null> {
  const stored = await rows.find(ctx.db, quoteId, owner);
  if (!stored) return null;
  const { quote: found, usedByOrderId: orderId, isReplaced } = stored;
  const basket = await cart.peek(ctx.db, owner);
  const isLive = orderId === null && !isReplaced && ctx.now() < found.expiresAt && basket?.version === found.cartVersion;
  return { quote: found, isLive, orderId };
}

/** What the coins weigh, without packing, whole grams. */
const weightOf = (basket: readonly StockLine[], coinOf: ReadonlyMap<number, Coin>): number =>
  Math.ceil(basket.reduce((sum, line) => sum + (coinOf.get(line.coinId)?.totalMassMg ?? 0) * line.quantity, 0) / 1000);

type PricedLines = { lines: QuoteLine[]; gold: Kopecks; priceListVersion: number };

type Standing = { coinOf: ReadonlyMap<number, Coin>; free: ReadonlyMap<number, number>; isOpen: boolean; list: PriceList };

/** The lines at this price list, or why not: short, market closed, rates silent. */
function priceLines(basket: readonly StockLine[], { coinOf, free, isOpen, list }: Standing): Result<PricedLines, QuoteError> {
  const short = shortOf(basket, coinOf, free);
  if (short.length > 0) return fail({ code: "cart.stock_short", short });

  const bullion = basket.map((line) => line.coinId).filter((id) => coinOf.get(id)?.kind === "bullion");
  if (bullion.length > 0 && !isOpen) return fail({ code: "market.closed", ids: bullion });
  if (bullion.length > 0 && list.isDead) return fail({ code: "rates.stale" });

  const lines: QuoteLine[] = [];
  for (const { coinId, quantity } of basket) {
    const coin = coinOf.get(coinId);
    const price = coin ? priceOf(coin, list).price : null;
    if (!coin || price === null) return fail({ code: "rates.stale" }); // a metal that was never heard of has no price yet
    lines.push(lineOf(coin, quantity, price));
  }
  const gold = sumOf(lines.filter((line) => coinOf.get(line.coinId)?.metal === "gold"));
  return done({ lines, gold, priceListVersion: list.version });
}

/** What may be had of each coin: what is free, as much as one order may hold, nothing of a coin that is off sale. */
function shortOf(basket: readonly StockLine[], coinOf: ReadonlyMap<number, Coin>, free: ReadonlyMap<number, number>): ShortItem[] {
  return basket.flatMap(({ coinId, quantity }) => {
    const coin = coinOf.get(coinId);
    const available = coin?.isPublished ? Math.min(free.get(coinId) ?? 0, coin.purchaseLimit ?? Infinity) : 0;
    return available < quantity ? [{ id: coinId, available }] : [];
  });
}

/** Over the method's own limit, or more lines than the aggregator's receipt can hold. */
function isTooMuch(ctx: Ctx, method: PaymentMethod, total: Kopecks, lines: readonly QuoteLine[], deliveryPrice: Kopecks): boolean {
  return (
    isOverLimit(method, total, ctx.settings.limits) || (method.isOnline && receiptLineCount(lines.length, deliveryPrice) > receiptLinesMax)
  );
}

export type PlaceAsk = {
  /** 1–64 printable characters, chosen by the caller, unique per owner. */
  idempotencyKey: string;
  /** Tells equal bodies from different ones. */
  bodyHash: string;
  quoteId: string;
  user: Recipient;
  delivery: { id: number; pointId: string | null };
  address: Address | null;
  paymentId: number;
  customerId: string | null;
  wantsNewsletter?: boolean;
  /** The client's network address as limits count it (IPv6: the /64); never stored in clear. */
  clientAddress?: string;
};

/** So many orders at once leave the pool's other connections to everybody else; the rest wait here, not in the pool, whose patience is short. */
const ordersAtOnce = 6;

/**
 * Makes an order from a live quote in one transaction: key, quote, reservation, order, messages, and its lines out of the cart;
 * a refusal leaves nothing behind, not even the key. Safe to repeat: the same key and body answer the same order (`isRepeat`),
 * waiting up to 5 s for a first call that is still running.
 *
 * Checks in this order: key (`order.key_reused`, `order.in_progress`), quote found, used, run out or changed
 * (`order.prices_changed` with a fresh quote, or why none can be made), a phone to be confirmed, unpaid orders, stock, and what unpaid orders hold.
 */
export async function placeOrder(
  ctx: Ctx,
  owner: OwnerKey,
  ask: PlaceAsk,
): Promise<Result<{ order: Order; isRepeat: boolean }, CheckoutError>> {
  const gate = ctx.singleton("checkout.gate", () => createSemaphore(ordersAtOnce));
  try {
    const placed = await gate(() => inTransaction(ctx.db, (tx) => place(tx, ctx, owner, ask)));
    if (placed.kind === "placed") return done({ order: placed.order, isRepeat: false });
    if (placed.kind === "reused") return fail({ code: "order.key_reused" });
    const order = await orders.byId(ctx, placed.orderId);
    if (!order) throw new Error("a key names an order that is gone");
    return done({ order, isRepeat: true });
  } catch (error) {
    if (error instanceof Refused) return fail(error.refusal);
    if (isWaitedOut(error)) return fail({ code: "order.in_progress" });
    if (error instanceof Outdated) return freshQuote(ctx, owner, { ...ask, cityCode: error.cityCode });
    throw error;
  }
}

/** Thrown to take the whole transaction back, the key included. */
class Refused extends Error {
  readonly refusal: CheckoutError;
  constructor(refusal: CheckoutError) {
    super(refusal.code);
    this.refusal = refusal;
  }
}
class Outdated extends Error {
  readonly cityCode: string;
  constructor(cityCode: string) {
    super("outdated quote");
    this.cityCode = cityCode;
  }
}

type Placed = { kind: "placed"; order: Order } | { kind: "repeated"; orderId: string } | { kind: "reused" };

async function place(tx: Tx, ctx: Ctx, owner: OwnerKey, ask: PlaceAsk): Promise<Placed> {
  const at = ctx.now();
  const { claimed, basket, stored } = await rows.lockForOrder(
    tx,
    { owner, key: ask.idempotencyKey, bodyHash: ask.bodyHash, orderId: randomId(), quoteId: ask.quoteId, at },
    cart.lockBatch(tx, owner),
  );
  if (!claimed.isNew) return claimed.bodyHash === ask.bodyHash ? { kind: "repeated", orderId: claimed.orderId } : { kind: "reused" };
  if (!stored) throw new Refused({ code: "quote.not_found" });
  if (stored.usedByOrderId !== null) throw new Refused({ code: "quote.used", orderId: stored.usedByOrderId });
  const { quote: locked } = stored;
  const isLive = !stored.isReplaced && at < locked.expiresAt;
  if (!isLive || basket?.version !== locked.cartVersion || !isMadeFrom(locked, ask)) throw new Outdated(locked.delivery.cityCode);

  const coinIds = locked.lines.map((line) => line.coinId);
  const draft: orders.OrderDraft = {
    id: claimed.orderId,
    owner,
    customerId: ask.customerId,
    quoteId: locked.id,
    lines: locked.lines,
    delivery: locked.delivery,
    paymentMethodId: locked.paymentMethodId,
    total: locked.total,
    priceListVersion: locked.priceListVersion,
    user: ask.user,
    address: ask.address,
    wantsNewsletter: ask.wantsNewsletter ?? false,
    clientAddress: ask.clientAddress ?? null,
  };
  // Last, because it ends with the stock rows, which other buyers wait for.
  const placed = await orders.place(tx, ctx, draft, [
    rows.markUsedBatch(tx, locked.id, claimed.orderId),
    cart.takeOutBatch(tx, owner, coinIds, at),
  ]);
  if (!placed.ok) throw new Refused(placed.error);
  return { kind: "placed", order: placed.value };
}

const lockNotAvailable = "55P03";
const queryCanceled = "57014";

/** Five seconds behind another call of the same buyer (his key, his cart, his quote) are enough: nothing was done, and the next try will know more. */
function isWaitedOut(error: unknown): boolean {
  const state = sqlState(error);
  return state === lockNotAvailable || state === queryCanceled;
}

/** The quote has run out or is of another cart, delivery or payment: says so with a fresh one, or why there can be none. */
async function freshQuote(ctx: Ctx, owner: OwnerKey, ask: PlaceAsk & { cityCode: string }): Promise<Result<never, CheckoutError>> {
  const fresh = await quote(ctx, owner, {
    deliveryId: ask.delivery.id,
    pointId: ask.delivery.pointId,
    cityCode: ask.cityCode,
    paymentId: ask.paymentId,
  });
  if (fresh.ok) return fail({ code: "order.prices_changed", quote: fresh.value });
  return fail(fresh.error.code === "cart.stock_short" ? { code: "order.stock_short", short: fresh.error.short } : fresh.error);
}

/** Quotes that made no order are kept a week for questions about prices, keys of order calls likewise. */
const keptFor = days(7);

export async function forgetOld(ctx: Ctx): Promise<void> {
  await rows.forgetUnused(ctx.db, plus(ctx.now(), -keptFor));
  await rows.forgetKeys(ctx.db, plus(ctx.now(), -keptFor));
}
