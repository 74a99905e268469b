import { add, zero, type Kopecks } from "#kit/money.ts";

/** Pieces of one coin in a cart; putting 0 takes the line out. */
export const maxQuantity = 999;
export const isQuantity = (quantity: number): boolean => Number.isInteger(quantity) && quantity >= 0 && quantity <= maxQuantity;

/**
 * A line as it is shown. A coin that ran out or left the catalogue stays in the cart, visibly, until the buyer takes it out:
 * its `available` is then less than its `quantity`.
 */
export type CartLine = {
  coinId: number;
  quantity: number;
  slug: string;
  title: string;
  image: string;
  metal: "gold" | "silver";
  kind: "bullion" | "memorable";
  /** One piece, for the parcel's weight. */
  totalMassMg: number;
  /** Price of one piece now; null while there is none to be named. What is charged is settled by the quote alone. */
  price: Kopecks | null;
  sum: Kopecks | null;
  /** Pieces that may be had: free in stock, 0 once the coin is not sold any more. */
  available: number;
  hasStock: boolean;
};

export type Cart = {
  lines: CartLine[];
  /** Sum of all lines that have a price. */
  total: Kopecks;
  /** Sum of the quantities. */
  count: number;
  /** Moves with every change of a line; 0 for a cart that was never used. */
  version: number;
};

/** What a parcel with these coins holds: what they and the gold among them cost and, in whole grams, what they weigh without packing. */
export const parcelOf = ({ total, lines }: Pick<Cart, "total" | "lines">): { total: Kopecks; gold: Kopecks; weightGrams: number } => ({
  total,
  gold: add(...lines.filter(({ metal }) => metal === "gold").map(({ sum }) => sum ?? zero)),
  weightGrams: Math.ceil(lines.reduce((sum, line) => sum + line.totalMassMg * line.quantity, 0) / 1000),
});

/** `cart.limit`: enough in stock, but one buyer may have `limit` pieces at most. */
export type CartError =
  | { code: "product.not_found" }
  | { code: "cart.stock_short"; available: number }
  | { code: "cart.limit"; limit: number }
  | { code: "cart.full"; limit: number };

/** What joining two carts could not keep: the coin and how many pieces may be had of it. */
export type CappedLine = { id: number; available: number };
