/** An alert as the letters about it need it. `course` is the code of a rate, under the name that queued jobs store it by; `value` in kopecks for a coin, 1/10 000 of its unit for a rate. */
export type AlertFacts = {
  token: string;
  coin: { slug: string; title: string } | null;
  course: string | null;
  rule: "below" | "above" | "in_stock" | "market_open";
  value: number | null;
};

/** `value` is what holds now; null while it asks for confirmation, and for stock. */
export type AlertNotice = {
  kind: "alert_to_confirm" | "alert_crossed";
  about: string;
  email: string;
  facts: AlertFacts;
  value: number | null;
};
