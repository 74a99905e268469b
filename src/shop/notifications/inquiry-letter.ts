import type { Kopecks } from "#kit/money.ts";

/** The data of a submitted form for its letters. Missing values are empty or absent. */
export type InquiryFacts = Partial<Record<InquiryFact, string>>;
export type InquiryFact =
  | "name"
  | "phone"
  | "email"
  | "city"
  | "company"
  | "coins"
  | "condition"
  | "convenientTime"
  | "rating"
  | "coin"
  | "text";

export type InquiryLetterData = {
  /** `review:12`, `inquiry:34`. */
  about: string;
  kind: "review" | "buyback" | "partners" | "callback";
  number: number;
  /** E-mail address for the letter of thanks; empty for none. */
  thanksTo: string;
  /** The form may have been sent by a robot; the letter to the staff says so. */
  isSuspect: boolean;
  facts: InquiryFacts;
  /** Buyback estimate for the offered coins at current prices, in kopecks; `isWhole` when every coin has a price. */
  estimate: { range: { least: Kopecks; most: Kopecks } | null; isWhole: boolean } | null;
};
