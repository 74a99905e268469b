import { inPipelinedTransaction, inTransaction } from "#kit/db.ts";
import { randomId } from "#kit/ids.ts";
import { add, zero } from "#kit/money.ts";
import { done, fail, type Result } from "#kit/result.ts";
import { seconds } from "#kit/time.ts";
import * as catalog from "#shop/catalog/service.ts";
import type { Ctx } from "#shop/context.ts";
import { deliveryById, paymentsAllowed, type DeliveryMethod } from "#shop/delivery/delivery.ts";
import * as delivery from "#shop/delivery/service.ts";
import { deliveryIds } from "#shop/method-ids.ts";
import type { Order } from "#shop/orders/order.ts";
import * as orders from "#shop/orders/service.ts";
import { linkAddition, lockForAct, type Seen } from "#shop/orders/staff/act.service.ts";
import type { ActError } from "#shop/orders/staff/acts.ts";
import { deliveryTitle } from "#shop/orders/snapshot.ts";
import { limitOf, methodById } from "#shop/payment/payment.ts";
import { priceOf } from "#shop/pricing/price.ts";
import * as pricing from "#shop/pricing/service.ts";
import * as rates from "#shop/rates/service.ts";
import * as stock from "#shop/stock/service.ts";
import type { StockLine } from "#shop/stock/stock.ts";
import { isShippedWith, sumOf, type AdditionError, type Quote, type QuoteOwner } from "./quote.ts";
import * as rows from "./repository.ts";
import { exceedsPaymentLimits, lockQuote, newQuote, priceLines, RefusedError, weightOf } from "./service.ts";

/** Coins that staff adds to an order, and how the buyer pays for them. */
export type AdditionRequest = { orderId: string; lines: StockLine[]; paymentId: number };

/**
 * Prices coins for a new order that adds to another one: today's prices, the same recipient and place. Until the first order is packed the
 * delivery costs nothing; afterwards it costs what any parcel costs. Writes nothing and may call the carrier.
 *
 * Refuses as `quote` does, and with `delivery.needs_special` when the carrier does not take coins of this value.
 */
export async function priceAddition(
  ctx: Ctx,
  { orderId, lines: wanted, paymentId }: AdditionRequest,
): Promise<Result<Quote, AdditionError>> {
  const first = await orders.byId(ctx, orderId);
  if (!first) return fail({ code: "order.not_found" });
  const isTogether = isShippedWith(first);
  const way = isTogether ? deliveryById(first.delivery.id) : paidVariantOf(first.delivery.id);
  const method = methodById(paymentId);
  if (!way || !method) return fail({ code: "request.invalid", fields: [method ? "deliveryId" : "paymentId"] });
  const allowed = paymentsAllowed(way.id);
  if (!allowed.includes(method.id)) return fail({ code: "payment.not_allowed", allowed: [...allowed] });

  const ids = wanted.map((line) => line.coinId);
  const [coins, free] = await Promise.all([catalog.coinsByIds(ctx.db, ids), stock.available(ctx.db, ids)]);
  const coinOf = new Map(coins.map((coin) => [coin.id, coin]));
  const [market, list] = await Promise.all([rates.market(ctx), pricing.current(ctx)]);
  const priced = priceLines(wanted, { coinOf, free, isOpen: market.isOpen, list, promo: null });
  if (!priced.ok) return priced;
  const { lines, gold, priceListVersion } = priced.value;
  const contents = { total: sumOf(lines), gold, weightGrams: weightOf(wanted, coinOf) };
  if (way.type === "carrier" && delivery.needsSpecial(ctx, contents)) return fail({ code: "delivery.needs_special" });
  const option = isTogether ? null : await delivery.optionPrice(ctx, first.delivery.cityCode, way.id, contents);
  if (!isTogether && !option) return fail({ code: "request.invalid", fields: ["deliveryId"] });
  const price = option?.price ?? zero;
  const total = add(contents.total, price);
  if (exceedsPaymentLimits(ctx, method, total, lines, price))
    return fail({ code: "payment.over_limit", limit: limitOf(method, ctx.settings.limits) });

  const { cityCode, cityName, point, minDays, maxDays, note } = first.delivery;
  return done(
    newQuote(ctx, {
      lines,
      total,
      priceListVersion,
      promo: null,
      paymentMethodId: method.id,
      cartVersion: first.revision,
      delivery: {
        id: way.id,
        price,
        name: deliveryTitle(way.name),
        cityCode,
        cityName,
        point,
        minDays: option?.minDays ?? minDays,
        maxDays: option?.maxDays ?? maxDays,
        note: option?.note ?? (way.type === "special" ? "" : note),
      },
    }),
  );
}

/** The free variant of a delivery needs a large order; an addition of its own is priced as the paid one. */
function paidVariantOf(deliveryId: number): DeliveryMethod | null {
  const paid: Readonly<Record<number, number>> = {
    [deliveryIds.free_pickup_point]: deliveryIds.pickup_point,
    [deliveryIds.free_locker]: deliveryIds.locker,
    [deliveryIds.free_courier]: deliveryIds.courier,
  };
  return deliveryById(paid[deliveryId] ?? deliveryId);
}

/**
 * Stores a quote of `priceAddition`, which locks its prices; it replaces an earlier unused one of this order. Reserves nothing.
 * Refuses as `lockForAct`, also when the order was changed after it was priced.
 */
export function saveAddition(ctx: Ctx, orderId: string, made: Quote): Promise<Result<Quote, ActError>> {
  return inTransaction(ctx.db, async (tx) => {
    const locked = await lockForAct(tx, { orderId, revision: made.cartVersion }, "add_coins");
    if (!locked.ok) return locked;
    await rows.replaceInside(tx, ownerOf(orderId), made);
    return done(made);
  });
}

/**
 * Makes the order of an addition: linked to the first one, with its recipient and place, its own payment, message and reservation. The
 * first order is locked, so that it cannot be packed or cancelled meanwhile, and gets a new revision: a second press with the same one is
 * refused.
 *
 * Refuses as `lockForAct` and `orders.place` do; with `quote.not_found` and `quote.used`; and with `staff.quote_gone` for a quote that
 * expired, was replaced, or was made before the first order changed.
 */
export async function placeAddition(ctx: Ctx, seen: Seen, quoteId: string): Promise<Result<Order, AdditionError | ActError>> {
  try {
    return await inPipelinedTransaction(
      ctx.db,
      async (tx): Promise<Result<Order, AdditionError | ActError>> => {
        const locked = await lockForAct(tx, seen, "add_coins");
        if (!locked.ok) return locked;
        const first = locked.value;
        const buyer = { owner: first.owner, customerId: first.customerId, user: first.user, clientAddress: null };
        const { stored, facts } = await rows.lockForAddition(tx, {
          quote: lockQuote(tx, ownerOf(first.id), quoteId),
          facts: orders.lockForPlacingBatch(tx, ctx, buyer),
        });
        if (!stored) return fail({ code: "quote.not_found" });
        if (stored.usedByOrderId !== null) return fail({ code: "quote.used", orderId: stored.usedByOrderId });
        const { quote } = stored;
        if (stored.isReplaced || ctx.now() >= quote.expiresAt || quote.cartVersion !== first.revision)
          return fail({ code: "staff.quote_gone" });
        const id = randomId();
        const draft: orders.OrderDraft = {
          ...buyer,
          id,
          number: stored.number,
          quoteId: quote.id,
          lines: quote.lines,
          delivery: quote.delivery,
          paymentMethodId: quote.paymentMethodId,
          total: quote.total,
          priceListVersion: quote.priceListVersion,
          address: first.address,
          linkedOrderId: first.id,
        };
        await linkAddition(tx, ctx, first);
        // Last, because it locks the stock rows, for which buyers wait.
        const placed = await orders.place(tx, ctx, draft, { ...facts, levels: stored.levels, city: null }, [
          rows.markUsedBatch(tx, quote.id, id),
        ]);
        if (!placed.ok) throw new RefusedError(placed.error);
        return done(placed.value.order);
      },
      { lockMs: seconds(2) },
    );
  } catch (error) {
    if (error instanceof RefusedError) return fail(error.refusal);
    const shortage = await stock.shortageOf(ctx.db, error);
    if (shortage) return fail(shortage);
    throw error;
  }
}

const ownerOf = (orderId: string): QuoteOwner => `addition:${orderId}`;

/** Coins on sale by number or title with today's price, for the choice of what to add; at most `limit`. */
export async function findCoinsToAdd(
  ctx: Ctx,
  text: string,
  limit: number,
): Promise<{ id: number; title: string; available: number; price: Quote["total"] | null }[]> {
  const found = await catalog.findOnSale(ctx.db, text, limit);
  const [list, free] = await Promise.all([
    pricing.current(ctx),
    stock.available(
      ctx.db,
      found.map(({ id }) => id),
    ),
  ]);
  return found.map((coin) => ({
    id: coin.id,
    title: coin.title,
    available: Math.min(free.get(coin.id) ?? 0, coin.purchaseLimit ?? Infinity),
    price: priceOf(coin, list).price,
  }));
}
