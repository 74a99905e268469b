import type { Coin } from "#shop/catalog/coin.ts";
import { productKey } from "#shop/catalog/product.ts";
import type { SortKey } from "./listing.ts";

/** Which coins are issues of one product, by their places in the index. */
export type Products = {
  count: number;
  /** The product's number by place. */
  of: Int32Array;
  /** All places, those of one product next to each other. */
  together: Int32Array;
  /** Place in the order of popularity by place: decides between equal prices. */
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
  popular.forEach((place, rank) => (popularity[place] = rank));
  return {
    count: numbers.size,
    of,
    together: sortedByProduct(
      Int32Array.from({ length: coins.length }, (_, place) => place),
      of,
    ),
    popularity,
  };
}

export const sortedByProduct = (places: Int32Array, of: Int32Array): Int32Array =>
  places.sort((a, b) => (of[a] ?? 0) - (of[b] ?? 0) || a - b);

/** In these orders a product stands where the issue stands that put it there, and shows that one. */
const ordersOfIssues: ReadonlySet<SortKey> = new Set<SortKey>(["year", "-year", "new"]);
/** In these it stands where the price stands that it shows. */
const ordersOfPrices: ReadonlySet<SortKey> = new Set<SortKey>(["price", "-price", "gram", "premium", "spread"]);

/**
 * One place for each product among `matching`, in its order: the cheapest issue in stock ("any year"). Of equal prices the more popular issue
 * is shown. In an order by years it is the first issue in stock. `sort` null: the order of a search, best first. `named` is a coin that was asked
 * for by its own title: it is shown for its product.
 */
export function onePerProduct(
  matching: readonly number[],
  products: Products,
  moving: { price: Float64Array; available: Int32Array },
  sort: SortKey | null,
  named: number | null = null,
): number[] {
  const { count, of, popularity } = products;
  const shown = new Int32Array(count).fill(none);
  const inOrder: number[] = [];
  const isInStock = (place: number): boolean => (moving.available[place] ?? 0) > 0;
  const isBetter = (place: number, than: number): boolean => {
    if (place === named || than === named) return place === named;
    if (isInStock(place) !== isInStock(than)) return isInStock(place);
    if (sort !== null && ordersOfIssues.has(sort)) return false;
    const [cost, other] = [moving.price[place] ?? Number.NaN, moving.price[than] ?? Number.NaN];
    if (cost !== other && !(Number.isNaN(cost) && Number.isNaN(other))) return Number.isNaN(other) || cost < other;
    return (popularity[place] ?? 0) < (popularity[than] ?? 0);
  };
  for (const place of matching) {
    const product = of[place] ?? 0;
    const before = shown[product] ?? none;
    if (before === none) inOrder.push(product);
    if (before === none || isBetter(place, before)) shown[product] = place;
  }
  if (sort !== null && ordersOfPrices.has(sort)) return matching.filter((place) => shown[of[place] ?? 0] === place);
  return inOrder.map((product) => shown[product] ?? none);
}

const none = -1;
