import { add, zero, type Kopecks } from "#kit/money.ts";
import type { PromoFault } from "#shop/pricing/promo-codes/promo-code.ts";

/** The most pieces of one coin in a cart. Setting 0 removes the line. */
export const maxQuantity = 999;
export const isQuantity = (quantity: number): boolean => Number.isInteger(quantity) && quantity >= 0 && quantity <= maxQuantity;

/**
 * A line of the cart with its price and stock. A coin that is sold out or no longer published stays in the cart until the buyer
 * removes it; its `available` is then less than its `quantity`.
 */
export type CartLine = {
  coinId: number;
  quantity: number;
  slug: string;
  title: string;
  image: string;
  metal: "gold" | "silver";
  kind: "bullion" | "memorable";
  /** Mass of one piece, for the parcel's weight. */
  totalMassMg: number;
  /** Current price of one piece; null before the first rates. Only the quote decides what is charged. */
  price: Kopecks | null;
  /** The same without the promo code. */
  fullPrice: Kopecks | null;
  sum: Kopecks | null;
  /** Pieces available in stock; 0 once the coin is no longer published. */
  available: number;
  hasStock: boolean;
};

export type Cart = {
  lines: CartLine[];
  /** Sum of all lines that have a price. */
  total: Kopecks;
  /** Sum of the quantities. */
  count: number;
  /** The code that the buyer entered, and what it takes off the prices of the lines; `fault`: why it takes off nothing now. */
  promo: { code: string; discount: Kopecks; fault: PromoFault | null; minSum: Kopecks } | null;
  /** Increases with every change of a line; 0 for a cart that was never used. */
  version: number;
};

/**
 * The contents of a parcel with these coins: their value, the value of the gold among them, and their weight in whole grams without
 * packing.
 */
export const parcelOf = ({ total, lines }: Pick<Cart, "total" | "lines">): { total: Kopecks; gold: Kopecks; weightGrams: number } => ({
  total,
  gold: add(...lines.filter(({ metal }) => metal === "gold").map(({ sum }) => sum ?? zero)),
  weightGrams: Math.ceil(lines.reduce((sum, line) => sum + line.totalMassMg * line.quantity, 0) / 1000),
});

/** `cart.limit`: there is enough in stock, but one order may have at most `limit` pieces. `cart.full`: the cart has `limit` lines. */
export type CartError =
  | { code: "product.not_found" }
  | { code: "cart.stock_short"; available: number }
  | { code: "cart.limit"; limit: number }
  | { code: "cart.full"; limit: number };

/** A coin whose quantity was reduced when two carts were merged, and how many pieces of it are available. */
export type CappedLine = { id: number; available: number };
