/**
 * The data of an alert for its letters. `course` is the code of a rate, under the name that queued jobs store it by.
 * `value` is in kopecks for a coin, in 1/10 000 of its unit for a rate.
 */
export type AlertFacts = {
  token: string;
  coin: { slug: string; title: string } | null;
  course: string | null;
  rule: "below" | "above" | "in_stock" | "market_open";
  value: number | null;
};

/** `value` is the current price or rate; null in a request for confirmation and for stock alerts. */
export type AlertLetterData = {
  kind: "alert_to_confirm" | "alert_crossed";
  about: string;
  email: string;
  facts: AlertFacts;
  value: number | null;
};
