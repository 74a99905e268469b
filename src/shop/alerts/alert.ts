import { transitions } from "#kit/transitions.ts";
import type { ShownRateCode } from "#shop/rates/rate.ts";

/** What is watched: a coin's price or stock, or a rate. */
export type AlertSubject = { coinId: number } | { rateCode: ShownRateCode };
/** `value`: kopecks for a coin, 1/10 000 of the rate's unit for a rate. `market_open`: when the exchange trades again, told once. */
export type AlertRule =
  | { rule: "below" | "above"; value: number }
  | { rule: "in_stock"; value: null }
  | { rule: "market_open"; value: null };

/** `told` waits until the price is clearly back on the other side, so that a price that trembles around the mark writes one letter. */
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
/** An alert with what it is about, as people read it. */
export type AlertView = Alert & { coin: { slug: string; title: string } | null };
export type AlertError = { code: "alert.not_found" } | { code: "alert.too_many" };

/** What holds at this moment for the thing watched; null where it is not known or may not be trusted. */
export type Standing = { value: number | null; available: number; isMarketOpen: boolean };

/** How far back a price must go before the next crossing counts: half a percent of the mark. */
const returnShare = 0.005;

export function hasCrossed({ rule, value }: AlertRule, now: Standing): boolean {
  if (rule === "market_open") return now.isMarketOpen;
  if (rule === "in_stock") return now.available > 0;
  return now.value !== null && (rule === "below" ? now.value <= value : now.value >= value);
}

export function hasReturned({ rule, value }: AlertRule, now: Standing): boolean {
  if (rule === "market_open") return false; // the buyer waited for one opening, not for every morning
  if (rule === "in_stock") return now.available === 0;
  return now.value !== null && (rule === "below" ? now.value >= value * (1 + returnShare) : now.value <= value * (1 - returnShare));
}
