/** A number of pieces of one coin. */
export type StockLine = { coinId: number; quantity: number };

/** Pieces of coins: `onHand` includes reserved ones, `available` does not. */
export type StockLevels = ReadonlyMap<number, { onHand: number; available: number }>;

/** A coin of which fewer pieces are available than were requested. */
export type ShortItem = { id: number; available: number };
export type StockError = { code: "order.stock_short"; short: ShortItem[] };

/**
 * Why pieces came or left. `cost`: no pieces, only the cost of pieces whose cost was unknown. `reversed`: undoes the entries of a document.
 */
export const entryKinds = ["opening", "receipt", "sold", "returned", "correction", "written_off", "reversed", "cost"] as const;
export type EntryKind = (typeof entryKinds)[number];

/**
 * Sums the lines per coin and sorts them by coin id. Stock rows are always locked in this order, so that two orders with the same coins
 * wait for each other and do not deadlock.
 */
export function inLockOrder(lines: readonly StockLine[]): StockLine[] {
  const quantities = new Map<number, number>();
  for (const { coinId, quantity } of lines) quantities.set(coinId, (quantities.get(coinId) ?? 0) + quantity);
  return [...quantities].map(([coinId, quantity]) => ({ coinId, quantity })).sort((a, b) => a.coinId - b.coinId);
}
