import type { Kopecks } from "#kit/money.ts";
import { transitions } from "#kit/transitions.ts";
import type { FormOrigin } from "./review.ts";

/** Kinds of inquiries by form: coins for sale, partnership, call back. */
export const inquiryKinds = ["buyback", "partners", "callback"] as const;
export type InquiryKind = (typeof inquiryKinds)[number];

/** `answered`: the sender got an answer · `closed`: there is nothing to answer (not reached, spam). */
export const inquiryStates = transitions({
  received: { take: "in_work", answer: "answered", close: "closed" },
  in_work: { put_back: "received", answer: "answered", close: "closed" },
  answered: { reopen: "in_work" },
  closed: { reopen: "in_work" },
});
export type InquiryState = keyof typeof inquiryStates;
/** What the command line may do. */
export const inquiryEvents = ["answer"] as const;
export type InquiryEvent = (typeof inquiryEvents)[number];
/** What staff may do in the back office. */
export const staffInquiryEvents = ["take", "put_back", "answer", "close", "reopen"] as const;
export type StaffInquiryEvent = (typeof staffInquiryEvents)[number];

export type BuybackLine = { title: string; count: number };
/** The condition of coins, as in the page's table. */
export const coinConditions = ["perfect", "good", "fair", "damaged"] as const;
export type CoinCondition = (typeof coinConditions)[number];

/** The sender of a form. The phone is `+7` and ten digits; without an e-mail it is empty. */
type Sender = { name: string; phone: string; email: string };
export type NewInquiry = FormOrigin &
  Sender &
  (
    | { kind: "buyback"; coins: BuybackLine[]; condition: CoinCondition; note: string }
    | { kind: "partners"; company: string; city: string; note: string }
    | { kind: "callback"; convenientTime: string; note: string }
  );

/** An inquiry that waits for an answer of staff. */
export type WaitingInquiry = {
  id: number;
  kind: InquiryKind;
  name: string;
  phone: string;
  createdAt: Date;
  dueAt: Date;
  isSuspect: boolean;
  /** A login; null: none. */
  assignee: string | null;
};

/** The fields that only one kind of form has. */
export type InquiryDetails = {
  note: string;
  convenientTime?: string | undefined;
  company?: string | undefined;
  city?: string | undefined;
  condition?: CoinCondition | undefined;
  coins?: (BuybackLine & { each: Kopecks | null; sum: Kopecks | null })[] | undefined;
  /** By the prices of the moment at which the form was sent; null: no coin had a price. */
  estimate?: { range: { least: Kopecks; most: Kopecks } | null; isWhole: boolean } | undefined;
};

/** An inquiry as staff works on it. */
export type StaffInquiry = {
  id: number;
  kind: InquiryKind;
  state: InquiryState;
  name: string;
  phone: string;
  email: string;
  details: InquiryDetails;
  isSuspect: boolean;
  createdAt: Date;
  dueAt: Date;
  answeredAt: Date | null;
  /** Login; null: free. */
  assignee: string | null;
  outcome: string;
  revision: number;
};
export type InquiryNote = { id: number; at: Date; author: string; text: string };

export const isOpen = (state: InquiryState): boolean => state === "received" || state === "in_work";

/** Refusals of changes by staff; a stale one brings what is stored now. */
export type StaffInquiryError<T> =
  | { code: "inquiry.not_found" | "review.not_found" | "staff.act_refused" }
  | { code: "staff.stale"; current: T };

export type InquiryError =
  | { code: "review.not_found" }
  | { code: "inquiry.not_found" }
  | { code: "inquiry.too_many"; retryAfterSeconds: number };

/** Maximum lengths of texts and lists. */
export const inquiryLimits = {
  name: 100,
  company: 200,
  city: 100,
  note: 2000,
  coinTitle: 150,
  coins: 30,
  count: 9999,
  convenientTime: 100,
  outcome: 500,
  staffNote: 2000,
} as const;

/** Version of the consent text that these forms show; the text is the page `/consent/request`. */
export const inquiryConsentVersion = "request-2026-11";
