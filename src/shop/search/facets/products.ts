import type { Coin } from "#shop/catalog/coin.ts";
import { productKey } from "#shop/catalog/product.ts";
import type { SortKey } from "../listing.ts";

/** Which coins are issues of one product, by their positions in the index. */
export type Products = {
  count: number;
  /** The product's number by position. */
  of: Int32Array;
  /** All positions, sorted by product. */
  byProduct: Int32Array;
  /** Popularity rank by position: breaks ties between equal prices. */
  popularity: Int32Array;
};

export function createProducts(coins: readonly Coin[], popular: Int32Array): Products {
  const numbers = new Map<string, number>();
  const of = Int32Array.from(coins, (coin) => {
    const key = productKey(coin);
    const number = numbers.get(key) ?? numbers.size;
    numbers.set(key, number);
    return number;
  });
  const popularity = new Int32Array(coins.length);
  popular.forEach((position, rank) => (popularity[position] = rank));
  return {
    count: numbers.size,
    of,
    byProduct: sortedByProduct(
      Int32Array.from({ length: coins.length }, (_, position) => position),
      of,
    ),
    popularity,
  };
}

export const sortedByProduct = (positions: Int32Array, of: Int32Array): Int32Array =>
  positions.sort((a, b) => (of[a] ?? 0) - (of[b] ?? 0) || a - b);

/** In these orders a product takes the position of its first issue, and its card shows that issue. */
const ordersOfIssues: ReadonlySet<SortKey> = new Set<SortKey>(["year", "-year", "new"]);
/** In these orders a product takes the position of the issue that its card shows. */
const ordersOfPrices: ReadonlySet<SortKey> = new Set<SortKey>(["price", "-price", "gram", "premium", "spread"]);

/**
 * One position for each product among `matching`, in their order: the cheapest issue in stock ("any year"), of equal prices the more
 * popular one; in an order by years the first issue in stock. `sort` null: relevance order. `named`: a coin whose exact title was typed;
 * it is always shown for its product.
 */
export function onePerProduct(
  matching: readonly number[],
  products: Products,
  live: { price: Float64Array; available: Int32Array },
  sort: SortKey | null,
  named: number | null = null,
): number[] {
  const { count, of, popularity } = products;
  const shown = new Int32Array(count).fill(none);
  const inOrder: number[] = [];
  const isInStock = (position: number): boolean => (live.available[position] ?? 0) > 0;
  const isBetter = (position: number, than: number): boolean => {
    if (position === named || than === named) return position === named;
    if (isInStock(position) !== isInStock(than)) return isInStock(position);
    if (sort !== null && ordersOfIssues.has(sort)) return false;
    const [cost, other] = [live.price[position] ?? Number.NaN, live.price[than] ?? Number.NaN];
    if (cost !== other && !(Number.isNaN(cost) && Number.isNaN(other))) return Number.isNaN(other) || cost < other;
    return (popularity[position] ?? 0) < (popularity[than] ?? 0);
  };
  for (const position of matching) {
    const product = of[position] ?? 0;
    const before = shown[product] ?? none;
    if (before === none) inOrder.push(product);
    if (before === none || isBetter(position, before)) shown[product] = position;
  }
  if (sort !== null && ordersOfPrices.has(sort)) return matching.filter((position) => shown[of[position] ?? 0] === position);
  return inOrder.map((product) => shown[product] ?? none);
}

const none = -1;
