import type { Kopecks } from "#kit/money.ts";
import type { OrderState } from "#shop/orders/order.ts";
import type { ImportKind } from "../imports/import.ts";

/** The exchange with the accounting system (1C). */

export const sessionTypes = ["catalog", "sale"] as const;
export type SessionType = (typeof sessionTypes)[number];

/** The kinds of imports that are made from the offers of the accounting system: pieces and prices. */
export type OfferKind = Extract<ImportKind, "stock" | "prices">;

/**
 * Whether files of a session may be archives. A client that names no version never calls `import` in a `sale` session: its files are read
 * as soon as they end with the root element, which an archive never does.
 */
export const takesArchives = (type: SessionType, version: string | null): boolean => type !== "sale" || version !== null;

/** Ids and names of the shop's states and methods, from which the accounting system's user chooses what they mean there. */
export type AccountingLists = Record<"states" | "payments" | "deliveries", { id: string; name: string }[]>;

/** The content of one file of the accounting system; each list may be empty. */
export type AccountingContent = {
  goods: { guid: string; article: string; name: string; isDeleted: boolean }[];
  /** Null: the file says nothing about it, which is not zero. */
  offers: { guid: string; article: string; name: string; quantity: number | null; price: Kopecks | null }[];
  documents: AccountingDocument[];
  /** What could not be read, as Russian sentences; the rest was read. */
  faults: string[];
};

/** A document of the accounting system about an order: the order itself, its payment or its dispatch. */
export type AccountingDocument = {
  guid: string;
  /** The ids that may be those of our order: its own, or the one that it is based on. */
  orderIds: string[];
  number: string;
  operation: string;
  /** As written there; it has no zone. */
  date: string;
  amount: Kopecks | null;
  isPosted: boolean | null;
  isDeleted: boolean;
  details: Record<string, string>;
};

/** States of the orders that are sent: the shop has the money, or has reserved the coins for payment at the office. */
export const confirmedStates = [
  "placed",
  "paid",
  "assembled",
  "cancellation_requested",
  "shipped",
  "ready",
  "returning",
  "delivered",
  "returned",
] as const satisfies readonly OrderState[];

/** A cancelled order is sent only where it was sent before. */
export const sentOnlyAgain = ["cancelled"] as const satisfies readonly OrderState[];

/** An order as it is sent there: what the buyer gets and pays for now, without dropped pieces and a refunded delivery. */
export type OrderForAccounting = {
  id: string;
  number: number;
  createdAt: Date;
  state: OrderState;
  stateName: string;
  /** All of it was paid, and not all of that was refunded. */
  isPaid: boolean;
  isCancelled: boolean;
  isShipped: boolean;
  paymentName: string;
  deliveryName: string;
  /** Zero: free, or refunded. */
  deliveryPrice: Kopecks;
  address: string;
  buyer: { id: string; name: string; phone: string; email: string };
  /** `guid`: the good of the accounting system; empty: it does not know this coin, and finds it by the article. */
  lines: { guid: string; article: string; title: string; quantity: number; price: Kopecks }[];
};

/** The outcome of a call: what the first line of the answer says. */
export type Verdict = { verdict: "success" | "progress" | "failure"; detail: string };
