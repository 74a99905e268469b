import { transitions } from "#kit/transitions.ts";

export const stocktakeStates = transitions({ counting: { finish: "finished", cancel: "cancelled" }, finished: {}, cancelled: {} });
export type StocktakeState = keyof typeof stocktakeStates;

export type StocktakeHead = {
  id: number;
  title: string;
  state: StocktakeState;
  createdAt: Date;
  createdBy: string;
  endedAt: Date | null;
  endedBy: string | null;
  lineCount: number;
  countedLines: number;
  /** The correction that it made; null: not finished, or nothing differed. */
  documentId: number | null;
};

/**
 * A coin of the sheet. `expected`: pieces that the ledger had on the shelf when the coin was counted last. Sealed bags of packed orders are
 * not on the shelf: they are not opened for a count. `hasMoved`: that number changed while the coin was being counted piece by piece, so
 * it is unknown whether the piece that left was counted; the coin must be counted again.
 */
export type StocktakeLine = {
  coinId: number;
  counted: number | null;
  expected: number | null;
  hasMoved: boolean;
  countedAt: Date | null;
  countedBy: string | null;
};
export type Stocktake = StocktakeHead & { lines: StocktakeLine[] };

/** `add`: these pieces were found besides those counted before, by this device or another one. `all`: this many are there. */
export type CoinCount = { coinId: number; quantity: number; mode: "add" | "all" };

export type StocktakeError =
  | { code: "stock.not_found" }
  | { code: "stock.stocktake_ended" }
  | { code: "stock.not_on_sheet" }
  | { code: "stock.nothing_counted" }
  | { code: "stock.count_again"; coinIds: number[] };
