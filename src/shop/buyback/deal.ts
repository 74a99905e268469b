import type { Kopecks } from "#kit/money.ts";
import type { CalendarDate } from "#kit/time.ts";
import { transitions } from "#kit/transitions.ts";
import type { CoinCondition } from "#shop/inquiries/inquiry.ts";
import type { FiscalNumbers } from "#shop/payment/receipts/receipt.ts";

/**
 * A purchase of coins from a person. `locked`: the prices hold until a time · `received`: the coins are here · `checked`: they are
 * counted and priced · `shelved`: they are in the stock · `returned`: the seller has the coins back.
 */
export const dealStates = transitions({
  offered: { lock: "locked", cancel: "cancelled" },
  locked: { renew: "locked", receive: "received", cancel: "cancelled" },
  received: { check: "checked", return: "returned" },
  checked: { check: "checked", pay: "paid", return: "returned" },
  paid: { shelve: "shelved" },
  shelved: {},
  returned: {},
  cancelled: {},
});
export type DealState = keyof typeof dealStates;
/** What moves a deal. */
export const dealEvents = ["lock", "renew", "receive", "check", "pay", "shelve", "return", "cancel"] as const;
export type DealEvent = (typeof dealEvents)[number];

/** Entries of a deal's history: its moves, and what changes without a move. */
export const historyKinds = ["create", "edit", ...dealEvents, "assign", "identity", "identity_erased", "receipt"] as const;
export type HistoryKind = (typeof historyKinds)[number];

/**
 * Parts of the list. `open`: neither shelved, returned nor cancelled · `expiring`: locked offers that run out today or have run out ·
 * `receipt`: paid without the receipt of expense · `finished`: the others.
 */
export const dealParts = ["open", "offered", "locked", "expiring", "received", "checked", "paid", "receipt", "finished"] as const;
export type DealPart = (typeof dealParts)[number];

/** Kinds of identity documents. */
export const identityKinds = ["passport", "foreign_passport", "residence_permit", "other"] as const;
export type IdentityKind = (typeof identityKinds)[number];

/** The seller's identity document (115-FZ art. 7). Stored encrypted until a date. */
export type Identity = {
  lastName: string;
  name: string;
  /** Empty: the person has none. */
  secondName: string;
  birthDate: CalendarDate;
  kind: IdentityKind;
  /** Empty: the document has none. */
  series: string;
  number: string;
  issuedBy: string;
  issuedOn: CalendarDate;
  address: string;
};

/** What was agreed or found of one coin. */
export type LinePart = { quantity: number; condition: CoinCondition; unitPrice: Kopecks };
/** A line: what was offered (null: it came unannounced) and what the check found (null: not checked; no pieces: `quantity` 0). */
export type DealLine = { coinId: number; offered: LinePart | null; checked: LinePart | null };

/** The transfer to the seller. */
export type Payout = { account: string; bik: string; number: string; date: CalendarDate };

export type DealReceipt = FiscalNumbers;

/** Maximum lengths and numbers. */
export const longestDeal = {
  name: 100,
  note: 1000,
  reason: 500,
  lines: 50,
  quantity: 9_999,
  unitPriceRoubles: 100_000_000,
  address: 300,
} as const;

/** Whether the text is a BIK: nine digits, the first two those of Russia. */
export const isBik = (text: string): boolean => /^04\d{7}$/.test(text);
