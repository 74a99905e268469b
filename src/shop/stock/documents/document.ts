import type { Kopecks } from "#kit/money.ts";
import { transitions } from "#kit/transitions.ts";

/**
 * `receipt`: goods of a supplier · `write_off`: pieces that are gone or spoilt · `correction`: what a count found, in both directions ·
 * `opening_cost`: what the pieces cost whose cost is not known.
 */
export const documentKinds = ["receipt", "write_off", "correction", "opening_cost"] as const;
export type DocumentKind = (typeof documentKinds)[number];

/** A document is never deleted: a draft that is not needed is discarded, a posted one is reversed. */
export const documentStates = transitions({
  draft: { post: "posted", discard: "discarded" },
  posted: { reverse: "reversed" },
  reversed: {},
  discarded: {},
});
export type DocumentState = keyof typeof documentStates;

/** Documents that take pieces out or correct what the ledger says need the permission `stock.correct`. */
export const isCorrecting = (kind: DocumentKind): boolean => kind === "correction" || kind === "write_off";

/** `quantity`: signed for corrections, 0 for opening costs until they are posted. `unitCost`: one piece; null: not known. */
export type DocumentLine = { coinId: number; quantity: number; unitCost: Kopecks | null };

export type DocumentDraft = {
  kind: DocumentKind;
  supplier: string;
  /** Number and day of the supplier's document. */
  number: string;
  date: string | null;
  note: string;
  lines: readonly DocumentLine[];
};

export type DocumentHead = {
  id: number;
  kind: DocumentKind;
  state: DocumentState;
  supplier: string;
  number: string;
  date: string | null;
  note: string;
  lineCount: number;
  /** Pieces that come or leave, without their sign. */
  pieces: number;
  /** Sum of the lines with a cost; null: no line has one. */
  cost: Kopecks | null;
  stocktakeId: number | null;
  revision: number;
  createdAt: Date;
  createdBy: string;
  postedAt: Date | null;
  postedBy: string | null;
  reversedAt: Date | null;
  reversedBy: string | null;
  reversalReason: string | null;
};

export type StockDocument = DocumentHead & { lines: DocumentLine[] };

/**
 * Why a line cannot be posted or reversed. `short`: more pieces would leave than are free; `onHand` includes the `reserved` ones of orders.
 * `cost_known`: the coin has no piece of unknown cost. `cost_used`: pieces of the entered cost have left. `corrected`: the line is the
 * difference that a stocktake found, and another document has corrected the coin since it was counted.
 */
export const lineFaults = ["short", "cost_known", "cost_used", "corrected"] as const;
export type LineRefusal = { coinId: number; why: (typeof lineFaults)[number]; needed: number; onHand: number; reserved: number };

export type DocumentError =
  | { code: "stock.not_found" }
  | { code: "stock.wrong_state"; state: DocumentState }
  | { code: "stock.stale"; current: StockDocument }
  | { code: "stock.empty" }
  | { code: "stock.unknown_coins"; ids: number[] }
  | { code: "stock.line_refused"; lines: LineRefusal[] };

export type DocumentFilter = { kind: DocumentKind | null; state: DocumentState | null; before: number | null; limit: number };
