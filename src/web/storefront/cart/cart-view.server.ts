import { promoFaultText } from "#contract/public/promo-texts.ru.ts";
import { marketNote } from "#contract/texts.ru.ts";
import { add, fromRoubles, kopecks, subtract, times, zero, type Kopecks } from "#kit/money.ts";
import * as cart from "#shop/cart/service.ts";
import { coinImage, pictureOf } from "#shop/catalog/image.ts";
import * as catalog from "#shop/catalog/service.ts";
import * as siteParts from "#shop/content/site/parts.service.ts";
import type { Ctx, OwnerKey } from "#shop/context.ts";
import * as lists from "#shop/lists/service.ts";
import * as orders from "#shop/orders/service.ts";
import { limitOf, methodByName } from "#shop/payment/payment.ts";
import { priceOf, priceStepsOf } from "#shop/pricing/price.ts";
import { promoOf } from "#shop/pricing/promos/crossed-out.ts";
import * as pricing from "#shop/pricing/service.ts";
import * as rates from "#shop/rates/service.ts";
import { liveHref } from "../shared/live-href.server.ts";
import type { CartPageLine, CartPageView, MetalInCart } from "./cart-view.ts";

/** The cart as its page shows it: lines with the value of their metal and today's buyback price. */
export async function cartView(ctx: Ctx, owner: OwnerKey | null): Promise<CartPageView> {
  const [read, list, market, wishlist, words] = await Promise.all([
    cart.read(ctx, owner),
    pricing.current(ctx),
    rates.market(ctx),
    lists.ids(ctx, owner, "wishlist"),
    siteParts.pageWords(ctx),
  ]);
  const { closedMarket } = words;
  const offer = { ...closedMarket, link: { ...closedMarket.link, href: await liveHref(ctx, closedMarket.link.href) } };
  const coins = new Map(
    (
      await catalog.coinsByIds(
        ctx.db,
        read.lines.map((line) => line.coinId),
      )
    ).map((coin) => [coin.id, coin]),
  );

  const lines: CartPageLine[] = read.lines.flatMap((line) => {
    const coin = coins.get(line.coinId);
    if (!coin) return [];
    const { premium, buyback } = priceOf(coin, list, line.quantity);
    const most = Math.min(line.available, coin.purchaseLimit ?? line.available);
    const next = priceStepsOf(coin, list).find((step) => step.quantity > line.quantity && step.quantity <= most);
    return {
      id: line.coinId,
      slug: line.slug,
      title: line.title,
      image: coinImage(pictureOf(coin), "reverse", 320),
      metal: line.metal,
      isBullion: line.kind === "bullion",
      quantity: line.quantity,
      available: line.available,
      limit: coin.purchaseLimit,
      price: line.price,
      oldPrice: promoOf(coin, list, line.quantity)?.oldPrice ?? null,
      buyback,
      nextStep: next ? { missing: next.quantity - line.quantity, price: next.price } : null,
      worth: line.fullPrice !== null && premium ? subtract(line.fullPrice, premium.amount) : null,
      pureMassMg: coin.pureMassMg,
      diameterMm: coin.diameterMm,
    };
  });

  const fullPrices = new Map(read.lines.map((line) => [line.coinId, line.fullPrice]));
  const had = lines.map((line) => ({ ...line, taken: Math.min(line.quantity, line.available) }));
  const sum = (of: (line: (typeof had)[number]) => Kopecks | null) => add(...had.map((line) => times(of(line) ?? zero, line.taken)));
  const limits = ctx.settings.limits;
  const total = sum((line) => line.price);
  const { promo } = read;
  return {
    lines,
    count: read.count,
    taken: had.reduce((count, line) => count + line.taken, 0),
    total,
    promo: promo && {
      code: promo.code,
      discount: subtract(
        sum(({ id }) => fullPrices.get(id) ?? null),
        total,
      ),
      message: promo.fault && promoFaultText(promo.fault, promo.minSum),
    },
    worth: had.every((line) => line.worth !== null) ? wholeRoubles(sum((line) => line.worth)) : null,
    buyback: had.every((line) => line.buyback !== null) ? sum((line) => line.buyback) : null,
    metals: (["gold", "silver"] as const).flatMap((metal) =>
      metalOf(
        metal,
        had.filter((line) => line.metal === metal),
      ),
    ),
    pricedAt: list.ratesAt.toISOString(),
    isStale: list.isStale,
    isDead: list.isDead,
    market: { isOpen: market.isOpen, note: marketNote(market), until: market.until?.toISOString() ?? null, offer },
    emptyText: words.emptyCart,
    limits: { card: limitOf(methodByName("card"), limits) ?? zero, sbp: limitOf(methodByName("sbp"), limits) ?? zero },
    unpaid: lines.length === 0 && owner ? await unpaidOrder(ctx, owner) : null,
    lockMinutes: Math.round(limits.quoteLifeSeconds / 60),
    wishlistCount: wishlist.length,
    isPickupFree: total >= fromRoubles(limits.freePickupFromRoubles) && total <= fromRoubles(limits.insuredLimitRoubles),
  };
}

async function unpaidOrder(ctx: Ctx, owner: OwnerKey): Promise<CartPageView["unpaid"]> {
  const waiting = await orders.waitingForPayment(ctx, owner);
  if (!waiting) return null;
  const {
    order: { id, number, total, reservedUntil },
    key,
  } = waiting;
  const query = new URLSearchParams({ order: id, ...(key === null ? {} : { key }) });
  return { number, total, heldUntil: reservedUntil, href: `/thanks?${query.toString()}` };
}

/** Up to this number, pieces of one metal are drawn one by one; more become one bar. */
const drawnPieces = 24;

function metalOf(metal: "gold" | "silver", lines: (CartPageLine & { taken: number })[]): MetalInCart[] {
  const massMg = lines.reduce((mass, line) => mass + line.pureMassMg * line.taken, 0);
  if (massMg === 0) return [];
  const pieces = lines.flatMap((line) => Array.from({ length: Math.min(line.taken, drawnPieces + 1) }, () => line.pureMassMg));
  return [
    {
      metal,
      massMg,
      pieces: pieces.length > drawnPieces ? [massMg] : pieces,
      count: lines.reduce((count, line) => count + line.taken, 0),
      worth: lines.every((line) => line.worth !== null)
        ? wholeRoubles(add(...lines.map((line) => times(line.worth ?? zero, line.taken))))
        : null,
    },
  ];
}

/** Rounded to the nearest rouble: the value of the metal is never charged. */
const wholeRoubles = (amount: Kopecks): Kopecks => kopecks(Math.round(amount / 100) * 100);
