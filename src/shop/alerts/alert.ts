import { transitions } from "#kit/transitions.ts";
import type { ShownRateCode } from "#shop/rates/rate.ts";

/** The subject of an alert: a coin's price or stock, or a rate. */
export type AlertSubject = { coinId: number } | { rateCode: ShownRateCode };
/** `value`: kopecks for a coin, 1/10 000 of the rate's unit for a rate. `market_open`: the next opening of the exchange, reported once. */
export type AlertRule =
  | { rule: "below" | "above"; value: number }
  | { rule: "in_stock"; value: null }
  | { rule: "market_open"; value: null };

/** In `told` the alert waits until the price is clearly back (hysteresis), so that a price near the threshold causes one letter. */
export const alertStates = transitions({
  unconfirmed: { confirm: "armed" },
  armed: { cross: "told" },
  told: { return: "armed" },
});
export type AlertState = keyof typeof alertStates;

export type Alert = AlertRule & {
  id: string;
  email: string;
  customerId: string | null;
  coinId: number | null;
  rateCode: ShownRateCode | null;
  state: AlertState;
  timesTold: number;
  createdAt: Date;
};
/** An alert with the slug and title of its coin. */
export type AlertView = Alert & { coin: { slug: string; title: string } | null };
export type AlertError = { code: "alert.not_found" } | { code: "alert.too_many" };

/** The current values of an alert's subject; `value` is null when it is unknown or stale. */
export type SubjectValues = { value: number | null; available: number; isMarketOpen: boolean };

/** How far back a price must go before the next crossing counts: half a percent of the threshold. */
const returnShare = 0.005;

/** Whether the alert is due: the price is at or beyond the threshold, the coin is in stock, or the exchange is open. */
export function hasCrossed({ rule, value }: AlertRule, now: SubjectValues): boolean {
  if (rule === "market_open") return now.isMarketOpen;
  if (rule === "in_stock") return now.available > 0;
  return now.value !== null && (rule === "below" ? now.value <= value : now.value >= value);
}

/** Whether a sent alert may be sent again later: the value is clearly back on the other side of the threshold. */
export function hasReturned({ rule, value }: AlertRule, now: SubjectValues): boolean {
  if (rule === "market_open") return false; // one opening is reported, not every morning
  if (rule === "in_stock") return now.available === 0;
  return now.value !== null && (rule === "below" ? now.value >= value * (1 + returnShare) : now.value <= value * (1 - returnShare));
}
