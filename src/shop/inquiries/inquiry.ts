import { transitions } from "#kit/transitions.ts";
import type { Filling } from "./review.ts";

/** What people ask of the shop by a form: to buy their coins, to work together, to be called. */
export const inquiryKinds = ["buyback", "partners", "callback"] as const;
export type InquiryKind = (typeof inquiryKinds)[number];

export const inquiryStates = transitions({ received: { answer: "answered" }, answered: {} });
export type InquiryState = keyof typeof inquiryStates;
export const inquiryEvents = ["answer"] as const;
export type InquiryEvent = (typeof inquiryEvents)[number];

export type BuybackLine = { title: string; count: number };
/** How the coins look, as the page's table of conditions names it. */
export const coinConditions = ["perfect", "good", "fair", "damaged"] as const;
export type CoinCondition = (typeof coinConditions)[number];

/** Who asks and what; phones are `+7` and ten digits, an e-mail that was not given is empty. */
type Asker = { name: string; phone: string; email: string };
export type NewInquiry = Filling &
  Asker &
  (
    | { kind: "buyback"; coins: BuybackLine[]; condition: CoinCondition; note: string }
    | { kind: "partners"; company: string; city: string; note: string }
    | { kind: "callback"; convenientTime: string; note: string }
  );

/** A request that waits for the desk. */
export type WaitingInquiry = { id: number; kind: InquiryKind; name: string; phone: string; createdAt: Date; isSuspect: boolean };

export type InquiryError =
  | { code: "review.not_found" }
  | { code: "inquiry.not_found" }
  | { code: "inquiry.too_many"; retryAfterSeconds: number };

/** Longest texts and lists. */
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

/** Which text of consent these forms show; its words stand on the page `/consent/request`. */
export const inquiryConsentVersion = "request-2026-11";
