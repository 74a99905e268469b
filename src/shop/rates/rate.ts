import type { ClosedReason } from "./calendar.ts";

/** Metal rates that prices are computed from, roubles per gram. */
export type MetalCode = "XAU_RUB" | "XAG_RUB";
export type RateCode = MetalCode | "USD_RUB";
export const metalCodes: readonly MetalCode[] = ["XAU_RUB", "XAG_RUB"];

/** The five displayed rates; the two in dollars per troy ounce are derived. */
export type ShownRateCode = RateCode | "XAU_USD" | "XAG_USD";
export type ShownRate = {
  code: ShownRateCode;
  /** Roubles per gram (`XAU_RUB`, `XAG_RUB`), dollars per troy ounce (`XAU_USD`, `XAG_USD`), roubles per dollar (`USD_RUB`). */
  value: number;
  /** Difference to the close of the previous trading day, in the same unit; 0 when that close is unknown. */
  diff: number;
  direction: "up" | "down";
};
/** `time` is the `heardAt` of `Freshness`; `version` increases with every accepted rate that differs from the previous one. */
export type ShownRates = { time: Date; rates: Record<ShownRateCode, ShownRate>; stale: boolean; version: number };

/** `until`: when `isOpen` is expected to change, by the calendar; `reason`: why the exchange is closed. */
export type Market = { isOpen: boolean; until: Date | null; reason: ClosedReason | null };

/**
 * Age of the older of the two metal rates, compared with the limits. Rates are stale or dead only during trading hours.
 * `heardAt`: while the exchange trades, when the source's own time last advanced; while it is closed, when the source last answered.
 */
export type Freshness = { heardAt: Date; isStale: boolean; isDead: boolean };

const gramsPerTroyOunce = 31.1034768;

/** Rates in 1/10 000 ₽ at which demo mode starts and from which the fixed prices of memorable coins were set. */
export const openingRatesE4: Readonly<Record<RateCode, number>> = { XAU_RUB: 110_426_000, XAG_RUB: 1_314_800, USD_RUB: 812_400 };

/** The close of the day before demo mode starts, in the same unit. */
export const openingCloseE4: Readonly<Record<RateCode, number>> = { XAU_RUB: 109_864_000, XAG_RUB: 1_309_200, USD_RUB: 809_652 };

/** An accepted rate: value and previous close in 1/10 000 ₽. */
export type Rate = { code: RateCode; valueE4: number; previousCloseE4: number | null };

/** Computes the five displayed rates from the three received ones; prices per ounce are rounded to cents. */
export function shownRatesFrom(gold: Rate, silver: Rate, dollar: Rate): Record<ShownRateCode, ShownRate> {
  return {
    XAU_RUB: toShownRate(gold),
    XAG_RUB: toShownRate(silver),
    USD_RUB: toShownRate(dollar),
    XAU_USD: perOunce("XAU_USD", gold, dollar),
    XAG_USD: perOunce("XAG_USD", silver, dollar),
  };
}

const toShownRate = ({ code, valueE4, previousCloseE4 }: Rate): ShownRate =>
  shownRate(code, valueE4 / 10_000, (valueE4 - (previousCloseE4 ?? valueE4)) / 10_000);

function perOunce(code: ShownRateCode, metal: Rate, dollar: Rate): ShownRate {
  const now = ounceCents(metal.valueE4, dollar.valueE4);
  const before = ounceCents(metal.previousCloseE4 ?? metal.valueE4, dollar.previousCloseE4 ?? dollar.valueE4);
  return shownRate(code, now / 100, (now - before) / 100);
}

const ounceCents = (metalE4: number, dollarE4: number): number => Math.round((metalE4 * gramsPerTroyOunce * 100) / dollarE4);

/** Dollars per troy ounce in 1/10 000 $, rounded to cents. */
export const ounceE4 = (metalE4: number, dollarE4: number): number => ounceCents(metalE4, dollarE4) * 100;

const shownRate = (code: ShownRateCode, value: number, diff: number): ShownRate => ({
  code,
  value,
  diff,
  direction: diff >= 0 ? "up" : "down",
});
