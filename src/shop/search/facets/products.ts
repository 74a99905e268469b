import type { Coin } from "#shop/catalog/coin.ts";
import { productKey } from "#shop/catalog/product.ts";
import type { SortKey } from "../listing.ts";
import { hasBit, type Bits } from "../index/bits.ts";
import { walk, type Ordered } from "../index/ordered.ts";

/** Which coins are issues of one product, by their positions in the index. */
export type Products = {
  count: number;
  /** The product's number by position. */
  of: Int32Array;
  /** All positions, sorted by product; those of product `p` are from `starts[p]` to `starts[p + 1]`. */
  byProduct: Int32Array;
  starts: Int32Array;
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
  const starts = new Int32Array(numbers.size + 1);
  for (const product of of) starts[product + 1] = (starts[product + 1] ?? 0) + 1;
  for (let product = 0; product < numbers.size; product += 1) starts[product + 1] = (starts[product + 1] ?? 0) + (starts[product] ?? 0);
  const next = starts.slice();
  const byProduct = new Int32Array(coins.length);
  for (let position = 0; position < of.length; position += 1) {
    const product = of[position] ?? 0;
    byProduct[next[product] ?? 0] = position;
    next[product] = (next[product] ?? 0) + 1;
  }
  const popularity = new Int32Array(coins.length);
  popular.forEach((position, rank) => (popularity[position] = rank));
  return { count: numbers.size, of, byProduct, starts, popularity };
}

export const sortedByProduct = (positions: Int32Array, of: Int32Array): Int32Array =>
  positions.sort((a, b) => (of[a] ?? 0) - (of[b] ?? 0) || a - b);

/** The coins of the same product that are in `passing`, by id. */
export function issuesAmong({ of, byProduct, starts }: Products, position: number, passing: Bits): number[] {
  const product = of[position] ?? 0;
  const found: number[] = [];
  for (let at = starts[product] ?? 0; at < (starts[product + 1] ?? 0); at += 1) {
    const issue = byProduct[at] ?? 0;
    if (hasBit(passing, issue)) found.push(issue);
  }
  return found;
}

/** In these orders a product takes the position of its first issue, and its card shows that issue. */
const ordersOfIssues: ReadonlySet<SortKey> = new Set<SortKey>(["year", "-year", "new"]);
/** In these orders a product takes the position of the issue that its card shows. */
const ordersOfPrices: ReadonlySet<SortKey> = new Set<SortKey>(["price", "-price", "gram", "premium", "spread"]);

type Shelf = { price: Float64Array; available: Int32Array };

/**
 * One position for each of the first `most` products among the `passing` coins of an order, in that order: the cheapest issue in stock
 * ("any year"), of equal prices the more popular one; in an order by years the first issue in stock. `sort` null: relevance order. `named`:
 * a coin whose exact title was typed; it is always shown for its product.
 */
export function onePerProduct(
  ordered: Ordered,
  passing: Bits,
  products: Products,
  live: Shelf,
  { sort, named = null, most = Number.POSITIVE_INFINITY }: { sort: SortKey | null; named?: number | null; most?: number },
): number[] {
  if (sort !== null && ordersOfIssues.has(sort)) return firstInStock(ordered, passing, products, live, { named, most });
  const takesPlaceOfShown = sort !== null && ordersOfPrices.has(sort);
  const seen = new Set<number>();
  const shown: number[] = [];
  walk(ordered, passing, (position) => {
    const product = products.of[position] ?? 0;
    if (seen.has(product)) return true;
    const best = bestIssue(position, passing, products, live, named);
    if (takesPlaceOfShown && best !== position) return true;
    seen.add(product);
    shown.push(best);
    return shown.length < most;
  });
  return shown;
}

/** The issue of the product of `position` that a card shows: one in stock, then the cheapest, then the most popular. */
function bestIssue(position: number, passing: Bits, products: Products, { price, available }: Shelf, named: number | null): number {
  const { popularity } = products;
  if (position === named) return position;
  let best = position;
  for (const issue of issuesAmong(products, position, passing)) {
    if (issue === best) continue;
    if (issue === named) return issue;
    const isInStock = (available[issue] ?? 0) > 0;
    if (isInStock !== (available[best] ?? 0) > 0) {
      if (isInStock) best = issue;
      continue;
    }
    const [cost, other] = [price[issue] ?? Number.NaN, price[best] ?? Number.NaN];
    const isSame = cost === other || (Number.isNaN(cost) && Number.isNaN(other));
    const isBetter = isSame ? (popularity[issue] ?? 0) < (popularity[best] ?? 0) : Number.isNaN(other) || cost < other;
    if (isBetter) best = issue;
  }
  return best;
}

/**
 * One position for each of the first `most` products: its first issue in stock in the order, otherwise its first issue. The product keeps
 * the place of its first issue.
 */
export function firstInStock(
  ordered: Ordered,
  passing: Bits,
  products: Products,
  { available }: Pick<Shelf, "available">,
  { named = null, most }: { named?: number | null; most: number },
): number[] {
  const isInStock = (position: number): boolean => (available[position] ?? 0) > 0;
  const placeOf = new Map<number, number>();
  const shown: number[] = [];
  let waiting = 0; // products whose issue in stock comes later in the order
  walk(ordered, passing, (position) => {
    const product = products.of[position] ?? 0;
    const place = placeOf.get(product);
    if (place === undefined && shown.length < most) {
      const issues = issuesAmong(products, position, passing);
      const isNamed = named !== null && issues.includes(named);
      placeOf.set(product, shown.length);
      shown.push(isNamed ? named : position);
      if (!isNamed && !isInStock(position) && issues.some(isInStock)) waiting += 1;
    } else if (place !== undefined && isInStock(position) && shown[place] !== named && !isInStock(shown[place] ?? 0)) {
      shown[place] = position;
      waiting -= 1;
    }
    return shown.length < most || waiting > 0;
  });
  return shown;
}
