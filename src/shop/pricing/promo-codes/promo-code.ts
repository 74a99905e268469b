import { priceText } from "#kit/format.ts";
import { add, kopecks, times, zero, type Kopecks } from "#kit/money.ts";
import { promoOf } from "../promos/crossed-out.ts";
import { priceOf, sellingPrice, type PricedCoin, type PriceList } from "../price.ts";

/** A code that a buyer enters in the cart for a lower price. Exactly one of `percentBp` (of the price) and `sum` is set. */
export type PromoCode = {
  id: number;
  /** As `normaliseCode` returns it. */
  code: string;
  /** Hundredths of a percent. */
  percentBp: number | null;
  sum: Kopecks | null;
  startsAt: Date;
  endsAt: Date | null;
  /** How often it may be used in all, and by one person (phone or account); null: no limit. */
  maxUses: number | null;
  maxUsesPerPerson: number | null;
  /** The coins in the cart must cost this much without the code. */
  minSum: Kopecks;
  /** Only these coins and the coins of these categories get cheaper; both null: all coins. */
  coinIds: readonly number[] | null;
  categories: readonly string[] | null;
  /** Also lowers the price of coins that a promo has lowered already. */
  isWithPromos: boolean;
  isStopped: boolean;
  /** Orders that use it now. */
  used: number;
  createdAt: Date;
  createdBy: string;
};

/** What an order or quote has of a code. */
export type AppliedPromo = { codeId: number; code: string; discount: Kopecks };

/** Upper case without spaces: `весна 26` and `ВЕСНА26` are one code. */
export const normaliseCode = (typed: string): string => typed.toUpperCase().replaceAll(/\s+/g, "");
export const codePattern = /^[A-ZА-ЯЁ0-9-]{3,30}$/;

/** Why a code cannot be used at all, and why it lowers nothing in the present cart. */
export type PromoRefusal = "unknown" | "ended" | "not_started" | "spent" | "spent_by_person";
export type PromoError = { code: `promo.${PromoRefusal}` };
export type PromoFault = Exclude<PromoRefusal, "unknown" | "spent_by_person"> | "min_sum" | "no_coins" | "only_promos";

/** Why the code cannot be used now, whatever is in the cart. */
export function promoStateFault(code: PromoCode, now: Date): "ended" | "not_started" | "spent" | null {
  if (code.isStopped || (code.endsAt !== null && now >= code.endsAt)) return "ended";
  if (now < code.startsAt) return "not_started";
  return code.maxUses !== null && code.used >= code.maxUses ? "spent" : null;
}

type Line = { coin: PricedCoin & { id: number; categories: readonly string[] }; quantity: number };
/** `prices`: of one piece of each coin, without and with the code; a coin without a price now has none. */
export type PromoPrices = {
  prices: Map<number, { full: Kopecks; price: Kopecks }>;
  discount: Kopecks;
  /** Why the code takes off nothing; null: it does, or there is no code. */
  fault: PromoFault | null;
};

/**
 * The prices of a cart with a code. All pieces of one coin have one price in whole kopecks, so that the lines of an order, its receipts and
 * the refund of any piece sum up exactly. A percentage is rounded up to a kopeck for each piece. A sum is spread over the coins by how far
 * their prices may fall, and reached to the kopeck; where the numbers of pieces do not divide it, the buyer pays up to a few kopecks less.
 * No price goes below the value of the metal; a coin that costs less already, or whose metal has no rate, stays as it is.
 */
export function promoPricesOf(lines: readonly Line[], list: PriceList, code: PromoCode | null, now: Date): PromoPrices {
  const priced = lines.flatMap(({ coin, quantity }) => {
    const { price } = priceOf(coin, list, quantity);
    return price === null ? [] : [{ coin, quantity, price }];
  });
  const prices = new Map(priced.map(({ coin, price }) => [coin.id, { full: price, price }]));
  const unchanged = (fault: PromoFault | null): PromoPrices => ({ prices, discount: zero, fault });
  if (code === null) return unchanged(null);
  const stateFault = promoStateFault(code, now);
  if (stateFault) return unchanged(stateFault);
  if (add(...priced.map(({ price, quantity }) => times(price, quantity))) < code.minSum) return unchanged("min_sum");

  const meant = priced.filter(({ coin }) => isForCoin(code, coin));
  const isLeftOut = ({ coin, quantity }: Line) => !code.isWithPromos && promoOf(coin, list, quantity) !== null;
  const cut = meant
    .filter((line) => !isLeftOut(line))
    .map(({ coin, quantity, price }) => ({ coin, quantity, price, most: maxDiscount(coin, list, price), off: 0 }))
    .filter(({ most }) => most > 0);
  if (code.percentBp === null) takeOff(code.sum ?? zero, cut);
  else for (const line of cut) line.off = Math.min(line.most, Math.ceil((line.price * code.percentBp) / 10_000));
  for (const { coin, price, off } of cut) prices.set(coin.id, { full: price, price: kopecks(price - off) });
  const discount = add(...cut.map(({ off, quantity }) => kopecks(off * quantity)));
  if (discount === 0 && meant.some(isLeftOut)) return unchanged("only_promos");
  return discount === 0 ? unchanged("no_coins") : { prices, discount, fault: null };
}

const isForCoin = ({ coinIds, categories }: PromoCode, coin: Line["coin"]): boolean =>
  (coinIds === null && categories === null) ||
  (coinIds ?? []).includes(coin.id) ||
  (categories ?? []).some((slug) => coin.categories.includes(slug));

/** How far the price of one piece may fall: to the value of its metal, whole roubles, rounded up. */
function maxDiscount(coin: PricedCoin, list: PriceList, price: Kopecks): number {
  const rateE4 = coin.metal === "gold" ? list.goldE4 : list.silverE4;
  return rateE4 === 0 ? 0 : Math.max(0, price - sellingPrice(coin.pureMassMg, rateE4, 0));
}

/** Spreads a sum over lines: `off` kopecks of each piece, at most `most`. */
function takeOff(sum: Kopecks, lines: { quantity: number; most: number; off: number }[]): void {
  const room = lines.reduce((all, { most, quantity }) => all + most * quantity, 0);
  if (room === 0) return;
  const wanted = Math.min(sum, room);
  // Kopecks times kopecks is beyond 2^53.
  for (const line of lines) line.off = Number((BigInt(wanted) * BigInt(line.most)) / BigInt(room));
  let rest = wanted - lines.reduce((taken, { off, quantity }) => taken + off * quantity, 0);
  const bySize = lines.toSorted((a, b) => b.quantity - a.quantity);
  for (const line of bySize) {
    const more = Math.min(Math.floor(rest / line.quantity), line.most - line.off);
    line.off += more;
    rest -= more * line.quantity;
  }
  const last = rest > 0 ? bySize.findLast(({ most, off }) => off < most) : undefined;
  if (last) last.off += 1;
}

export type PromoApprovalLimits = { promoCodeApprovalBp: number; promoCodeApprovalRoubles: number };

/** Why a second person must approve a code, as a Russian sentence; null: not needed. */
export function promoReasonOf({ percentBp, sum }: Pick<PromoCode, "percentBp" | "sum">, limits: PromoApprovalLimits): string | null {
  const { promoCodeApprovalBp: maxBp, promoCodeApprovalRoubles: maxRoubles } = limits;
  if (percentBp !== null && percentBp > maxBp)
    return `Промокод на ${percentBp / 100} %, без согласования — не больше ${maxBp / 100} %`.replaceAll(".", ",");
  if (sum !== null && sum > maxRoubles * 100)
    return `Промокод на ${priceText(sum)}, без согласования — не больше ${priceText(kopecks(maxRoubles * 100))}`;
  return null;
}
