import { moscow } from "#kit/moscow-time.ts";
import type { CalendarDate } from "#kit/time.ts";

/** What a person may ask about its data (152-FZ, articles 14, 20 and 21). */
export const privacyRequestKinds = ["access", "correction", "erasure", "withdrawal", "other"] as const;
export type PrivacyRequestKind = (typeof privacyRequestKinds)[number];

export type PrivacyRequest = {
  id: number;
  kind: PrivacyRequestKind;
  state: "open" | "done";
  applicant: string;
  contact: string;
  text: string;
  customerId: string | null;
  receivedOn: CalendarDate;
  /** The last day for the answer: ten working days (152-FZ, article 20, part 1). */
  dueOn: CalendarDate;
  outcome: string;
  doneAt: Date | null;
  enteredBy: string;
  doneBy: string | null;
  revision: number;
};

export type PrivacyRequestError =
  | { code: "privacy_request.not_found" | "privacy_request.from_future" }
  | { code: "staff.stale"; current: PrivacyRequest };

export const privacyRequestMaxLengths = { applicant: 200, contact: 200, text: 2000, outcome: 2000 } as const;

/** Whether the day for the answer has passed in Moscow. */
export const isOverdue = ({ state, dueOn }: Pick<PrivacyRequest, "state" | "dueOn">, now: Date): boolean =>
  state === "open" && moscow(now).date > dueOn;
