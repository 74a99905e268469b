/** So many pieces of one coin. */
export type StockLine = { coinId: number; quantity: number };

/** Pieces of coins: `onHand` includes reserved ones, `free` does not. */
export type StockLevels = ReadonlyMap<number, { onHand: number; free: number }>;

/** A coin of which fewer pieces are free than were asked for. */
export type ShortItem = { id: number; available: number };
export type StockError = { code: "order.stock_short"; short: ShortItem[] };

/**
 * Lines of one coin summed, sorted by coin id: the one order in which stock rows are ever locked,
 * so that two orders with the same coins wait for each other instead of locking each other out.
 */
export function inLockOrder(lines: readonly StockLine[]): StockLine[] {
  const quantities = new Map<number, number>();
  for (const { coinId, quantity } of lines) quantities.set(coinId, (quantities.get(coinId) ?? 0) + quantity);
  return [...quantities].map(([coinId, quantity]) => ({ coinId, quantity })).sort((a, b) => a.coinId - b.coinId);
}
