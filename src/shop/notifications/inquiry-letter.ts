import type { Kopecks } from "#kit/money.ts";

/** A request by form, as the letters about it need it. Facts that were not given are empty or absent. */
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

export type InquiryNotice = {
  /** `review:12`, `inquiry:34`. */
  about: string;
  kind: "review" | "buyback" | "partners" | "callback";
  number: number;
  /** Whom to thank; empty for nobody. */
  thanksTo: string;
  /** It may be a robot's: the desk is told. */
  isSuspect: boolean;
  facts: InquiryFacts;
  /** What offered coins would bring by the day's prices, in kopecks; `isWhole` when every coin has one. */
  estimate: { range: { least: Kopecks; most: Kopecks } | null; isWhole: boolean } | null;
};
