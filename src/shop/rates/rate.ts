import type { ClosedReason } from "./calendar.ts";

/** Metals the shop prices by, roubles per gram. */
export type MetalCode = "XAU_RUB" | "XAG_RUB";
export type RateCode = MetalCode | "USD_RUB";
export const metalCodes: readonly MetalCode[] = ["XAU_RUB", "XAG_RUB"];

/** The five rates shown to people; the two in dollars per troy ounce are derived. */
export type CourseCode = RateCode | "XAU_USD" | "XAG_USD";
export type Course = {
  code: CourseCode;
  /** Roubles per gram (`XAU_RUB`, `XAG_RUB`), dollars per troy ounce (`XAU_USD`, `XAG_USD`), roubles per dollar (`USD_RUB`). */
  course: number;
  /** Against the previous trading day's close, in the same unit; 0 when that is not known. */
  diff: number;
  direction: "up" | "down";
};
/** `time` is the `heardAt` of `Freshness`; `version` grows with every accepted rate that differs from the one before. */
export type Courses = { time: Date; courses: Record<CourseCode, Course>; stale: boolean; version: number };

/** `until` is when that is expected to change, by the calendar; `reason` why it is closed. */
export type Market = { isOpen: boolean; until: Date | null; reason: ClosedReason | null };

/**
 * How long the exchange has said nothing new about its slowest metal, judged against the limits. Stale and dead exist only in trading
 * hours. `heardAt`: while it trades, when the source's own time last moved; while it is closed, when it last answered.
 */
export type Freshness = { heardAt: Date; isStale: boolean; isDead: boolean };

const gramsPerTroyOunce = 31.1034768;

/** Rates in 1/10 000 ₽ at which the demonstration opens and memorable coins got their fixed prices. */
export const openingRatesE4: Readonly<Record<RateCode, number>> = { XAU_RUB: 110_426_000, XAG_RUB: 1_314_800, USD_RUB: 812_400 };

/** The close of the day before the demonstration opens, in the same unit. */
export const openingCloseE4: Readonly<Record<RateCode, number>> = { XAU_RUB: 109_864_000, XAG_RUB: 1_309_200, USD_RUB: 809_652 };

/** A rate that stands in the book: value and previous close in 1/10 000 ₽. */
export type Rate = { code: RateCode; valueE4: number; previousCloseE4: number | null };

/** The five shown rates from the three heard ones; ounces are derived and rounded to cents. */
export function coursesFrom(gold: Rate, silver: Rate, dollar: Rate): Record<CourseCode, Course> {
  return {
    XAU_RUB: asHeard(gold),
    XAG_RUB: asHeard(silver),
    USD_RUB: asHeard(dollar),
    XAU_USD: perOunce("XAU_USD", gold, dollar),
    XAG_USD: perOunce("XAG_USD", silver, dollar),
  };
}

const asHeard = ({ code, valueE4, previousCloseE4 }: Rate): Course =>
  course(code, valueE4 / 10_000, (valueE4 - (previousCloseE4 ?? valueE4)) / 10_000);

function perOunce(code: CourseCode, metal: Rate, dollar: Rate): Course {
  const now = ounceCents(metal.valueE4, dollar.valueE4);
  const before = ounceCents(metal.previousCloseE4 ?? metal.valueE4, dollar.previousCloseE4 ?? dollar.valueE4);
  return course(code, now / 100, (now - before) / 100);
}

const ounceCents = (metalE4: number, dollarE4: number): number => Math.round((metalE4 * gramsPerTroyOunce * 100) / dollarE4);

/** The same in 1/10 000 $, for history. */
export const ounceE4 = (metalE4: number, dollarE4: number): number => ounceCents(metalE4, dollarE4) * 100;

const course = (code: CourseCode, value: number, diff: number): Course => ({
  code,
  course: value,
  diff,
  direction: diff >= 0 ? "up" : "down",
});
