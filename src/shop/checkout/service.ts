import { inPipelinedTransaction, sqlState, type Tx } from "#kit/db.ts";
import { createSemaphore } from "#kit/concurrency/semaphore.ts";
import { randomId } from "#kit/ids.ts";
import { add, type Kopecks } from "#kit/money.ts";
import { done, fail, type Result } from "#kit/result.ts";
import { days, plus, seconds } from "#kit/time.ts";
import * as cart from "#shop/cart/service.ts";
import type { Coin } from "#shop/catalog/coin.ts";
import * as catalog from "#shop/catalog/service.ts";
import type { Ctx, OwnerKey } from "#shop/context.ts";
import { deliveryById, paymentsAllowed, type City } from "#shop/delivery/delivery.ts";
import * as delivery from "#shop/delivery/service.ts";
import * as orders from "#shop/orders/service.ts";
import { deliveryTitle, pointSnapshot, type Address, type Recipient } from "#shop/orders/snapshot.ts";
import type { TrafficSource } from "#shop/orders/traffic-source.ts";
import { isOverLimit, limitOf, methodById, receiptLineCount, receiptLinesMax, type PaymentMethod } from "#shop/payment/payment.ts";
import type { PriceList } from "#shop/pricing/price.ts";
import { promoPricesOf, type PromoCode } from "#shop/pricing/promo-codes/promo-code.ts";
import * as promoCodes from "#shop/pricing/promo-codes/service.ts";
import * as pricing from "#shop/pricing/service.ts";
import * as rates from "#shop/rates/service.ts";
import * as stock from "#shop/stock/service.ts";
import type { ShortItem, StockLine } from "#shop/stock/stock.ts";
import { isMadeFrom, lineOf, sumOf, type CheckoutError, type Quote, type QuoteRequest, type QuoteError, type QuoteLine } from "./quote.ts";
import * as rows from "./repository.ts";

/**
 * Locks the prices of the owner's cart with this delivery for ten minutes. All amounts are computed here, none comes from the request.
 * Replaces the owner's earlier unused quote. Reserves nothing.
 *
 * Refuses with the first of: an unknown delivery, city, point or payment method; an empty cart; all coins that are short; bullion while the
 * exchange is closed (with the ids) or its rates are dead; a total over the payment method's limit.
 */
export async function quote(ctx: Ctx, owner: OwnerKey, request: QuoteRequest): Promise<Result<Quote, QuoteError>> {
  const deliveryMethod = deliveryById(request.deliveryId);
  const paymentMethod = methodById(request.paymentId);
  if (!deliveryMethod || !paymentMethod) {
    const fields = [...(deliveryMethod ? [] : ["deliveryId" as const]), ...(paymentMethod ? [] : ["paymentId" as const])];
    return fail({ code: "request.invalid", fields });
  }
  const semaphore = ctx.singleton("checkout.quotes", () => createSemaphore(concurrentQuotes));
  const [city, basket, market, list] = await semaphore(() =>
    Promise.all([delivery.city(ctx, request.cityCode), cart.peek(ctx.db, owner), rates.market(ctx), pricing.latest(ctx.db, ctx)]),
  );
  if (!city) return fail({ code: "city.not_found" });
  const ids = basket?.lines.map((line) => line.coinId) ?? [];
  const [coins, free, code] = await Promise.all([
    catalog.coinsByIds(ctx.db, ids),
    stock.available(ctx.db, ids),
    promoCodes.current(ctx.db, basket?.promoCodeId ?? null),
  ]);
  const coinOf = new Map(coins.map((coin) => [coin.id, coin]));
  const promo = code && { code, now: ctx.now() };
  const priced = priceLines(basket?.lines ?? [], {
    coinOf,
    free,
    isOpen: market.isOpen,
    list: list ?? (await pricing.current(ctx)),
    promo,
  });
  const contents = { weightGrams: weightOf(basket?.lines ?? [], coinOf) };
  const [point, option] = await Promise.all([
    deliveryMethod.hasPoint && request.pointId !== null ? delivery.point(ctx, city, deliveryMethod.id, request.pointId, contents) : null,
    priced.ok
      ? delivery.optionPrice(ctx, city, deliveryMethod.id, { total: sumOf(priced.value.lines), gold: priced.value.gold, ...contents })
      : null,
  ]);
  if (deliveryMethod.hasPoint && !point) return fail({ code: "request.invalid", fields: ["pointId"] });
  if (!basket || basket.lines.length === 0) return fail({ code: "cart.empty" });
  const allowed = paymentsAllowed(deliveryMethod.id);
  if (!allowed.includes(paymentMethod.id)) return fail({ code: "payment.not_allowed", allowed: [...allowed] });

  if (!priced.ok) return priced;
  const { lines, priceListVersion, discount } = priced.value;
  if (!option) return fail({ code: "request.invalid", fields: ["deliveryId"] });
  const total = add(sumOf(lines), option.price);
  if (exceedsPaymentLimits(ctx, paymentMethod, total, lines, option.price))
    return fail({ code: "payment.over_limit", limit: limitOf(paymentMethod, ctx.settings.limits) });

  const made = newQuote(ctx, {
    lines,
    total,
    priceListVersion,
    promo: code && discount > 0 ? { codeId: code.id, code: code.code, discount } : null,
    paymentMethodId: paymentMethod.id,
    cartVersion: basket.version,
    delivery: {
      id: deliveryMethod.id,
      price: option.price,
      name: deliveryTitle(deliveryMethod.name),
      cityCode: city.code,
      cityName: city.name,
      point: point && pointSnapshot(point),
      minDays: option.minDays,
      maxDays: option.maxDays,
      note: option.note,
    },
  });
  // Concurrent quotes of one owner wait for the cart, so that only the last one stays live.
  await rows.replaceLive(ctx.db, owner, made, (tx) => cart.lockBatch(tx, owner));
  return done(made);
}

/** How many quotes run at once. Each starts with queries on three connections, so further quotes wait here and not in the pool. */
const concurrentQuotes = 6;

/** A quote with a new id that expires `quoteLifeSeconds` from now. Stores nothing. */
export function newQuote(ctx: Ctx, parts: Omit<Quote, "id" | "createdAt" | "expiresAt">): Quote {
  const at = ctx.now();
  return { ...parts, id: randomId(), createdAt: at, expiresAt: plus(at, seconds(ctx.settings.limits.quoteLifeSeconds)) };
}

/** `isLive`: an order can be made from it now. `orderId`: the order that was made from it, or null. */
export type QuoteState = { quote: Quote; isLive: boolean; orderId: string | null };

/** The owner's quote and whether it is live: not expired, not replaced, and made from the current cart. Null for another owner's quote. */
export async function findQuote(ctx: Ctx, owner: OwnerKey, quoteId: string): Promise<QuoteState | null> {
  const stored = await rows.find(ctx.db, quoteId, owner);
  if (!stored) return null;
  const { quote: found, usedByOrderId: orderId, isReplaced } = stored;
  const basket = await cart.peek(ctx.db, owner);
  const isLive = orderId === null && !isReplaced && ctx.now() < found.expiresAt && basket?.version === found.cartVersion;
  return { quote: found, isLive, orderId };
}

/** The weight of the coins in whole grams, without packing. */
export const weightOf = (basket: readonly StockLine[], coinOf: ReadonlyMap<number, Coin>): number =>
  Math.ceil(basket.reduce((sum, line) => sum + (coinOf.get(line.coinId)?.totalMassMg ?? 0) * line.quantity, 0) / 1000);

type PricedLines = { lines: QuoteLine[]; gold: Kopecks; discount: Kopecks; priceListVersion: number };

type PriceContext = {
  coinOf: ReadonlyMap<number, Coin>;
  free: ReadonlyMap<number, number>;
  isOpen: boolean;
  list: PriceList;
  promo: { code: PromoCode; now: Date } | null;
};

/** Prices the lines by this price list. Refuses with `cart.stock_short`, `market.closed` and `rates.stale`. */
export function priceLines(
  basket: readonly StockLine[],
  { coinOf, free, isOpen, list, promo }: PriceContext,
): Result<PricedLines, QuoteError> {
  const short = shortOf(basket, coinOf, free);
  if (short.length > 0) return fail({ code: "cart.stock_short", short });

  const bullion = basket.map((line) => line.coinId).filter((id) => coinOf.get(id)?.kind === "bullion");
  if (bullion.length > 0 && !isOpen) return fail({ code: "market.closed", ids: bullion });
  if (bullion.length > 0 && list.isDead) return fail({ code: "rates.stale" });

  const wanted = basket.flatMap(({ coinId, quantity }) => {
    const coin = coinOf.get(coinId);
    return coin ? [{ coin, quantity }] : [];
  });
  const { prices, discount } = promoPricesOf(wanted, list, promo?.code ?? null, promo?.now ?? list.madeAt);
  const lines: QuoteLine[] = [];
  for (const { coin, quantity } of wanted) {
    const priced = prices.get(coin.id);
    if (!priced) return fail({ code: "rates.stale" }); // there is no rate of this metal yet
    lines.push(lineOf(coin, quantity, priced.price));
  }
  const gold = sumOf(lines.filter((line) => coinOf.get(line.coinId)?.metal === "gold"));
  return done({ lines, gold, discount, priceListVersion: list.version });
}

/** Coins of which fewer pieces can be ordered than requested: limited by stock and purchase limit; an unpublished coin has none. */
function shortOf(basket: readonly StockLine[], coinOf: ReadonlyMap<number, Coin>, free: ReadonlyMap<number, number>): ShortItem[] {
  return basket.flatMap(({ coinId, quantity }) => {
    const coin = coinOf.get(coinId);
    const available = coin?.isPublished ? Math.min(free.get(coinId) ?? 0, coin.purchaseLimit ?? Infinity) : 0;
    return available < quantity ? [{ id: coinId, available }] : [];
  });
}

/** Whether the total is over the method's limit, or the provider's receipt cannot hold that many lines. */
export function exceedsPaymentLimits(
  ctx: Ctx,
  method: PaymentMethod,
  total: Kopecks,
  lines: readonly QuoteLine[],
  deliveryPrice: Kopecks,
): boolean {
  return (
    isOverLimit(method, total, ctx.settings.limits) || (method.isOnline && receiptLineCount(lines.length, deliveryPrice) > receiptLinesMax)
  );
}

export type OrderRequest = {
  /** 1–64 printable characters, chosen by the client, unique per owner. */
  idempotencyKey: string;
  /** Hash of the request body; the same key with another hash is refused. */
  bodyHash: string;
  quoteId: string;
  user: Recipient;
  delivery: { id: number; pointId: string | null };
  address: Address | null;
  paymentId: number;
  customerId: string | null;
  wantsNewsletter?: boolean;
  /** Where the buyer came from; absent: not known. */
  source?: TrafficSource;
  /** The client's network address for limits (IPv6: the /64); never stored in clear. */
  clientAddress?: string;
};

/** How many orders run at once. The pool keeps connections for other requests; further orders wait here. */
const concurrentOrders = 6;

/**
 * Makes an order from a live quote in one transaction: stores the key, marks the quote as used, empties the cart of its lines, writes the
 * order and its messages, and reserves the coins. A refusal rolls everything back, the key included. Idempotent: the same key and body
 * return the same order (`isRepeat`); a call waits up to 5 s for an earlier one that is still running.
 *
 * Checks in this order: key (`order.key_reused`, `order.in_progress`); quote not found, used, expired, changed or of another city than the
 * courier's address (`order.prices_changed` with a fresh quote, for the city of the address, or the reason why there is none); unconfirmed
 * phone; unpaid orders; stock; what unpaid orders reserve.
 */
export async function placeOrder(
  ctx: Ctx,
  owner: OwnerKey,
  request: OrderRequest,
): Promise<Result<orders.Placed & { isRepeat: boolean }, CheckoutError>> {
  const semaphore = ctx.singleton("checkout.orders", () => createSemaphore(concurrentOrders));
  try {
    const placed = await semaphore(() =>
      onceMoreIfTaken(() => inPipelinedTransaction(ctx.db, (tx) => place(tx, ctx, owner, request), { lockMs: rows.orderWait })),
    );
    if (placed.kind === "placed") return done({ order: placed.order, opened: placed.opened, isRepeat: false });
    if (placed.kind === "reused") return fail({ code: "order.key_reused" });
    const order = await orders.byId(ctx, placed.orderId);
    if (!order) throw new Error("a key names an order that is gone");
    return done({ order, opened: null, isRepeat: true });
  } catch (error) {
    if (error instanceof RefusedError) return fail(error.refusal);
    if (isLockTimeout(error)) return fail({ code: "order.in_progress" });
    const shortage = await stock.shortageOf(ctx.db, error);
    if (shortage) return fail(shortage);
    if (error instanceof PromoGoneError) await cart.removePromo(ctx, owner);
    if (error instanceof OutdatedQuoteError || error instanceof PromoGoneError)
      return freshQuote(ctx, owner, { ...request, cityCode: error.cityCode });
    throw error;
  }
}

/**
 * Of two transactions with one key the second waits for the cart and sees the key. Should the cart not be the same, the key is refused when
 * it is stored, and the second attempt sees it.
 */
async function onceMoreIfTaken<T>(transaction: () => Promise<T>): Promise<T> {
  try {
    return await transaction();
  } catch (error) {
    if (sqlState(error) !== uniqueViolation) throw error;
    return transaction();
  }
}
const uniqueViolation = "23505";

/** Locks a quote and reads what an order from it needs. */
export const lockQuote = rows.quoteLocker({
  nextNumber: orders.nextNumber,
  levelsOf: stock.levelsOf,
  readLevels: stock.readLevels,
});

/** Thrown to roll the whole transaction back, the key included. */
export class RefusedError extends Error {
  readonly refusal: CheckoutError;
  constructor(refusal: CheckoutError) {
    super(refusal.code);
    this.refusal = refusal;
  }
}
/** The promo code of the quote can no longer be used: the quote is outdated, and the code leaves the cart. */
class PromoGoneError extends Error {
  readonly cityCode: string;
  constructor(cityCode: string) {
    super("promo code gone");
    this.cityCode = cityCode;
  }
}
class OutdatedQuoteError extends Error {
  readonly cityCode: string;
  constructor(cityCode: string) {
    super("outdated quote");
    this.cityCode = cityCode;
  }
}

type PlaceOutcome = ({ kind: "placed" } & orders.Placed) | { kind: "repeated"; orderId: string } | { kind: "reused" };

async function place(tx: Tx, ctx: Ctx, owner: OwnerKey, request: OrderRequest): Promise<PlaceOutcome> {
  const at = ctx.now();
  const { idempotencyKey: key, bodyHash, quoteId, customerId } = request;
  const buyer = { owner, customerId, user: request.user, clientAddress: request.clientAddress ?? null };
  const { used, basket, stored, facts, city } = await rows.lockForOrder(
    tx,
    { owner, key },
    {
      cart: cart.lockBatch(tx, owner),
      quote: lockQuote(tx, owner, quoteId),
      facts: orders.lockForPlacingBatch(tx, ctx, buyer),
      city: customerId === null ? null : delivery.cityBatch(tx, rows.cityOf(owner, quoteId)),
    },
  );
  if (used) return used.bodyHash === bodyHash ? { kind: "repeated", orderId: used.orderId } : { kind: "reused" };
  if (!stored) throw new RefusedError({ code: "quote.not_found" });
  if (stored.usedByOrderId !== null) throw new RefusedError({ code: "quote.used", orderId: stored.usedByOrderId });
  const { quote: locked } = stored;
  const isLive = !stored.isReplaced && at < locked.expiresAt;
  if (!isLive || basket?.version !== locked.cartVersion || !isMadeFrom(locked, request))
    throw new OutdatedQuoteError(locked.delivery.cityCode);
  const elsewhere = await addressElsewhere(tx, locked, request.address);
  if (elsewhere) throw new OutdatedQuoteError(elsewhere.code);

  const coinIds = locked.lines.map((line) => line.coinId);
  const draft: orders.OrderDraft = {
    ...buyer,
    id: randomId(),
    number: stored.number,
    quoteId: locked.id,
    lines: locked.lines,
    delivery: locked.delivery,
    paymentMethodId: locked.paymentMethodId,
    total: locked.total,
    priceListVersion: locked.priceListVersion,
    promo: locked.promo && { code: locked.promo.code, discount: locked.promo.discount },
    address: request.address,
    wantsNewsletter: request.wantsNewsletter ?? false,
    source: request.source ?? null,
  };
  if (locked.promo) {
    const { codeId, discount } = locked.promo;
    const use = { codeId, discount, orderId: draft.id, phone: request.user.phone, customerId };
    if (!(await promoCodes.claim(tx, ctx, use))) throw new PromoGoneError(locked.delivery.cityCode);
  }
  // Last, because it locks the stock rows, for which other buyers wait.
  const placed = await orders.place(tx, ctx, draft, { ...facts, levels: stored.levels, city }, [
    rows.useKeyBatch(tx, { owner, key, bodyHash, orderId: draft.id, createdAt: at }),
    rows.markUsedBatch(tx, locked.id, draft.id),
    cart.removeLinesBatch(tx, owner, coinIds, at),
    ...(locked.promo ? [cart.forgetPromoBatch(tx, owner)] : []),
  ]);
  if (!placed.ok) throw new RefusedError(placed.error);
  return { kind: "placed", ...placed.value };
}

/**
 * The city of an address to which a courier comes, when it is not the city of the quote: the price is for that one. Usually both names are
 * equal and nothing is read.
 */
async function addressElsewhere(tx: Tx, { delivery: to }: Quote, address: Address | null): Promise<City | null> {
  if (!address || !deliveryById(to.id)?.isCourier) return null;
  return delivery.otherCityNamed(tx, address.city, { code: to.cityCode, name: to.cityName });
}

const lockNotAvailable = "55P03";
const queryCanceled = "57014";

/**
 * Whether the wait for another call of the same buyer (key, cart or quote) took over five seconds. Nothing was written; the client may
 * retry.
 */
function isLockTimeout(error: unknown): boolean {
  const state = sqlState(error);
  return state === lockNotAvailable || state === queryCanceled;
}

/** Refuses an order whose quote has expired or does not match, with a fresh quote or the reason why there is none. */
async function freshQuote(ctx: Ctx, owner: OwnerKey, request: OrderRequest & { cityCode: string }): Promise<Result<never, CheckoutError>> {
  const fresh = await quote(ctx, owner, {
    deliveryId: request.delivery.id,
    pointId: request.delivery.pointId,
    cityCode: request.cityCode,
    paymentId: request.paymentId,
  });
  if (fresh.ok) return fail({ code: "order.prices_changed", quote: fresh.value });
  return fail(fresh.error.code === "cart.stock_short" ? { code: "order.stock_short", short: fresh.error.short } : fresh.error);
}

/** Deletes quotes without an order and idempotency keys after `quoteDays`. */
export async function deleteOld(ctx: Ctx): Promise<void> {
  const before = plus(ctx.now(), -days(ctx.settings.limits.quoteDays));
  await rows.deleteUnused(ctx.db, before);
  await rows.deleteKeys(ctx.db, before);
}
