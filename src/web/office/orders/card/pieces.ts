import type { OrderCardView } from "#contract/staff/orders/orders.ts";

type Line = Pick<OrderCardView["lines"][number], "count" | "dropped" | "returned">;

/** Pieces of a line that the buyer still has, or is to get. */
export const piecesLeft = ({ count, dropped, returned }: Line): number => count - dropped - returned;

/**
 * A count of pieces as it was typed or pasted, at most `most`; an empty field is none. Null: it is no whole number, and is not turned into
 * another one (`1,5` is not 15).
 */
export const countIn = (text: string, most: number): number | null =>
  /^\d{0,9}$/.test(text.trim()) ? Math.min(most, Number(text.trim())) : null;

/**
 * The chosen coins with this count of one of them, at most what is available; zero takes it out. A coin keeps its place, so that a second
 * press on «+» meets the same coin.
 */
export function withCount<Coin extends { id: number; available: number }>(
  chosen: readonly (Coin & { count: number })[],
  coin: Coin,
  count: number,
): (Coin & { count: number })[] {
  if (count < 1) return chosen.filter(({ id }) => id !== coin.id);
  const counted = { ...coin, count: Math.min(count, coin.available) };
  return chosen.some(({ id }) => id === coin.id) ? chosen.map((each) => (each.id === coin.id ? counted : each)) : [...chosen, counted];
}

/** Pieces of a line whose money may still be with the shop: also those that came back, because their money is refunded separately. */
export const piecesToRefund = ({ count, dropped }: Line): number => count - dropped;
