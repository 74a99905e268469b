import type { Kopecks } from "#kit/money.ts";
import { transitions } from "#kit/transitions.ts";

/** A price promo: lower prices of coins from a moment till another one. The coins' own prices stay as they are meanwhile. */

export const promoStates = transitions({
  scheduled: { start: "running", refuse: "refused", cancel: "cancelled", miss: "missed" },
  running: { end: "ended" },
  ended: {},
  /** Its day came, and it needed an approval that it did not have. */
  refused: {},
  cancelled: {},
  /** It ended while no process was running that could have started it. */
  missed: {},
});
export type PromoState = keyof typeof promoStates;

/** What a promo does: bullion coins get a lower premium, coins with a fixed price another one. */
export type PromoAction =
  | { field: "premium"; mode: "set" | "add"; bp: number }
  | { field: "price"; mode: "set"; roubles: number }
  | { field: "price"; mode: "percent"; bp: number; roundTo: number };

export type Promo = {
  id: number;
  state: PromoState;
  action: PromoAction;
  /** Its name for staff. */
  label: string;
  startsAt: Date;
  endsAt: Date;
  startedAt: Date | null;
  endedAt: Date | null;
  coins: number;
  /** Coins whose former price may be shown crossed out; 0 before the start. */
  crossedOut: number;
  createdAt: Date;
  createdBy: string;
  /** Who cancelled it or ended it early; null: its time was over, or it runs. */
  closedBy: string | null;
  approvalReason: string | null;
  refusal: string | null;
};

/** The promo price of one coin: a premium (bullion) or a fixed price. */
export type PromoPrice = { premiumBp: number | null; fixedPriceKopecks: number | null };

export type PromoItem = PromoPrice & {
  coinId: number;
  title: string;
  premiumBefore: number;
  fixedPriceBefore: number | null;
  /** The lowest price of the settled period before the start; null: none that may be shown. */
  settled: Kopecks | null;
};

export type PricePromoError =
  | { code: "price_promo.not_found" }
  | { code: "price_promo.nothing" }
  | { code: "price_promo.too_many"; limit: number }
  | { code: "price_promo.past" }
  | { code: "price_promo.too_long"; days: number }
  | { code: "price_promo.overlaps"; label: string; from: Date; till: Date; titles: string[] }
  | { code: "price_promo.closed" };
