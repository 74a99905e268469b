import { kopecks, type Kopecks } from "#kit/money.ts";

/**
 * The cost of pieces of one coin: `costed` of the `pieces` have a known cost, and cost `cost` together. The moving average is
 * `cost / costed`; it is never stored, so no rounding of it is carried on (docs/decisions/0063).
 */
export type CostPool = { pieces: number; costed: number; cost: Kopecks };
/** Pieces of known cost that move, and what they cost together. */
export type MovedCost = { costed: number; cost: Kopecks };

export const noCost: MovedCost = { costed: 0, cost: kopecks(0) };

/**
 * What `quantity` pieces take along when they leave: pieces of unknown cost leave first, the others at the moving average. The only
 * rounding of costs: half a kopeck and more is rounded up. The last piece takes what is left, so nothing is lost.
 */
export function takeOut(pool: CostPool, quantity: number): MovedCost {
  const unknown = Math.max(0, pool.pieces - pool.costed);
  return atAverage(pool, Math.min(pool.costed, Math.max(0, quantity - unknown)));
}

/** What pieces are worth at the moving average: all costed ones exactly the whole cost, others rounded half up to a kopeck. */
export function atAverage({ costed: all, cost }: Pick<CostPool, "costed" | "cost">, costed: number): MovedCost {
  if (costed === 0 || all === 0) return noCost;
  const [n, total] = [BigInt(all), BigInt(cost)];
  return { costed, cost: kopecks(Number((2n * total * BigInt(costed) + n) / (2n * n))) };
}

/**
 * What a reversed receipt takes out again: what it brought. At the moving average where that is no longer there: some of it was sold
 * at the average since, and the rest must neither be negative nor be without pieces.
 */
export function takeBack(pool: CostPool, { costed, cost }: MovedCost): MovedCost {
  const left = Math.min(costed, pool.costed);
  return left === costed && left < pool.costed && cost <= pool.cost ? { costed, cost } : atAverage(pool, left);
}

/** The moving average of one piece, kopecks rounded half up; null: no piece has a known cost. */
export const averageCost = ({ costed, cost }: Pick<CostPool, "costed" | "cost">): Kopecks | null =>
  costed > 0 ? atAverage({ costed, cost }, 1).cost : null;
