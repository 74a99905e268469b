import type { Kopecks } from "#kit/money.ts";
import type { Coin, CoinKind, Metal } from "#shop/catalog/coin.ts";
import { priceOf, type PriceList } from "#shop/pricing/price.ts";
import { promoOf } from "#shop/pricing/promos/crossed-out.ts";
import { coinImage, isDrawing, pictureOf } from "#shop/catalog/image.ts";

/** A coin as listings, the wishlist and the comparison show it. Money in kopecks; unknown values are null. */
export type Card = {
  id: number;
  slug: string;
  title: string;
  /** The name of its pictures in their addresses. */
  picture: string;
  /** What the photograph of the reverse shows, in the words of staff; null: there is none, or it is not described. */
  alt: string | null;
  /** The pictures are our drawings and not photographs. */
  isDrawing: boolean;
  /** Address of the reverse, 320 px wide: the side with the motif. */
  image: string;
  price: Kopecks | null;
  /** The former price that may be crossed out; null: none. */
  oldPrice: Kopecks | null;
  /** The end of the promo that lowers the price; null: there is none. */
  promoEndsAt: Date | null;
  /** Premium over the value of the pure metal: an amount, and hundredths of a percent. */
  premium: { amount: Kopecks; bp: number } | null;
  perGram: Kopecks | null;
  buyback: Kopecks | null;
  /** Loss when bought and sold back today: hundredths of a percent of the price; null where the coin is not bought back. */
  spreadBp: number | null;
  priceListVersion: number;
  metal: Metal;
  kind: CoinKind;
  pureMassMg: number;
  diameterMm: number | null;
  finenessTenths: number;
  year: number;
  country: string;
  mint: string | null;
  quality: string;
  mintage: number | null;
  /** Null when not known; `rectangle` has sides in place of a diameter. */
  shape: string | null;
  lengthMm: number | null;
  available: number;
  inStock: boolean;
  badges: Badge[];
  /** In a listing by products: the issues that this card represents; null for a single coin. */
  issues: Issues | null;
};

/**
 * The issues of a product that one card represents; the card shows one of them. `available`: pieces of all issues.
 * `isCheapest`: no issue in stock costs less than the card's.
 */
export type Issues = { count: number; available: number; yearFrom: number; yearTo: number; isCheapest: boolean };

/** `new`: struck this year; `last`: one to three pieces are left. The pages hold the texts. */
type Badge = "new" | "last";

/**
 * A coin with everything its page shows. `rateE4`: the metal rate (1/10 000 ₽ per gram) of its price; null before the first rate;
 * `priceSteps`: prices by quantity.
 */
export type CoinDetails = Coin & Card & { rateE4: number | null; priceSteps: { quantity: number; price: Kopecks }[] };

export type CardPrice = Pick<Card, "price" | "premium" | "perGram" | "buyback" | "spreadBp"> &
  Partial<Pick<Card, "oldPrice" | "promoEndsAt">>;

/** The prices that a card shows, by a price list. */
export function cardPriceOf(coin: Coin, list: PriceList): CardPrice {
  const promo = promoOf(coin, list);
  const { price, premium, perGram, buyback, spreadBp } = priceOf(coin, list);
  return { price, premium, perGram, buyback, spreadBp, oldPrice: promo?.oldPrice ?? null, promoEndsAt: promo?.endsAt ?? null };
}

/** Builds the card of a coin; `thisYear` is the year in Moscow. */
export function cardOf(coin: Coin, prices: CardPrice, priceListVersion: number, available: number, thisYear: number): Card {
  const badges: Badge[] = [];
  if (coin.year === thisYear) badges.push("new");
  if (available >= 1 && available <= 3) badges.push("last");
  return {
    id: coin.id,
    slug: coin.slug,
    title: coin.title,
    picture: pictureOf(coin),
    alt: coin.pictures.alts.reverse || null,
    isDrawing: isDrawing(coin),
    image: coinImage(pictureOf(coin), "reverse", 320),
    price: prices.price,
    oldPrice: prices.oldPrice ?? null,
    promoEndsAt: prices.promoEndsAt ?? null,
    premium: prices.premium,
    perGram: prices.perGram,
    buyback: prices.buyback,
    spreadBp: prices.spreadBp,
    priceListVersion,
    metal: coin.metal,
    kind: coin.kind,
    pureMassMg: coin.pureMassMg,
    diameterMm: coin.diameterMm,
    finenessTenths: coin.finenessTenths,
    year: coin.year,
    country: coin.country,
    mint: coin.mint,
    quality: coin.quality,
    mintage: coin.mintage,
    shape: coin.shape,
    lengthMm: coin.lengthMm,
    available,
    inStock: available > 0,
    badges,
    issues: null,
  };
}
