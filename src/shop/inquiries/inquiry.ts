import { transitions } from "#kit/transitions.ts";
import type { FormOrigin } from "./review.ts";

/** Kinds of inquiries by form: coins for sale, partnership, call back. */
export const inquiryKinds = ["buyback", "partners", "callback"] as const;
export type InquiryKind = (typeof inquiryKinds)[number];

export const inquiryStates = transitions({ received: { answer: "answered" }, answered: {} });
export type InquiryState = keyof typeof inquiryStates;
export const inquiryEvents = ["answer"] as const;
export type InquiryEvent = (typeof inquiryEvents)[number];

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
export type WaitingInquiry = { id: number; kind: InquiryKind; name: string; phone: string; createdAt: Date; isSuspect: boolean };

export type InquiryError =
  | { code: "review.not_found" }
  | { code: "inquiry.not_found" }
  | { code: "inquiry.too_many"; retryAfterSeconds: number };

/** Maximum lengths of texts and lists. */
export const longestInquiry = {
  name: 100,
  company: 200,
  city: 100,
  note: 2000,
  coinTitle: 150,
  coins: 30,
  count: 9999,
  convenientTime: 100,
} as const;

/** Version of the consent text that these forms show; the text is the page `/consent/request`. */
export const inquiryConsentVersion = "request-2026-11";
