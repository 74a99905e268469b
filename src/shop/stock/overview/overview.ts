import type { Kopecks } from "#kit/money.ts";
import type { EntryKind } from "../stock.ts";

/** `low`: at the coin's threshold or below it, and not sold out · `out`: nothing is free · `without_cost`: pieces of unknown cost. */
export const levelParts = ["all", "in_stock", "low", "out", "without_cost"] as const;
export type LevelPart = (typeof levelParts)[number];

export type LevelFilter = {
  part: LevelPart;
  metal: "gold" | "silver" | null;
  /** These coins only, found by a text; null: no text. */
  ids: readonly number[] | null;
  /** The last coin of the page before. */
  after: number | null;
  limit: number;
  /** The setting `lowStockPieces`, for coins without a threshold of their own. */
  lowAt: number;
};

/** A coin in the list of the stock. `cost` is that of `costed` pieces; `metalValue` needs the rate and is computed by the caller. */
export type Level = {
  coinId: number;
  slug: string;
  title: string;
  metal: "gold" | "silver";
  catalogueNumber: string | null;
  pureMassMg: number;
  isPublished: boolean;
  onHand: number;
  reserved: number;
  costed: number;
  cost: Kopecks;
  /** The coin's own threshold; null: the setting. */
  lowAt: number | null;
  isLow: boolean;
};

/** Sums of a metal over all coins. Milligrams of pure metal. */
export type MetalTotal = { metal: "gold" | "silver"; pieces: number; reserved: number; pureMassMg: number; costed: number; cost: Kopecks };

export type LedgerEntry = {
  id: number;
  kind: EntryKind;
  quantity: number;
  /** Pieces on hand after this entry. */
  balance: number;
  costed: number;
  cost: Kopecks;
  orderId: string | null;
  documentId: number | null;
  at: Date;
  actor: string | null;
};
