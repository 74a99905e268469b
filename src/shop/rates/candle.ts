import { moscowOffset } from "#kit/moscow-time.ts";
import { days, hours, minutes } from "#kit/time.ts";
import type { CourseCode, MetalCode } from "./rate.ts";

/** Open, high, low and close of one step; 1/10 000 ₽, or 1/10 000 $ for rates in dollars. */
export type Candle = { at: Date; openE4: number; highE4: number; lowE4: number; closeE4: number };
export type CandleStep = "minute" | "hour" | "day";
export const candleSteps: readonly CandleStep[] = ["minute", "hour", "day"];

/** One source says one thing: what the exchange and the bank each call the price of gold are two series. */
export type CandleSource = "exchange" | "bank" | "derived";
export type Series = { source: CandleSource; code: CourseCode };

export const historyRanges = ["1d", "1w", "1m", "1y", "5y"] as const;
export type HistoryRange = (typeof historyRanges)[number];

/** `isGenerated`: at least one of the candles is the demonstration's invention. */
export type History = { candles: Candle[]; isGenerated: boolean };
/** A trading day as the table shows it; `official` is the Bank of Russia's price that held on it. */
export type DayRow = { candle: Candle; official: number | null };

/** The series that people are shown under a code. */
export const seriesOf = (code: CourseCode): Series => ({
  code,
  source: code === "USD_RUB" ? "bank" : code.endsWith("_USD") ? "derived" : "exchange",
});
export const officialOf = (code: MetalCode): Series => ({ code, source: "bank" });

const lengths: Record<CandleStep, number> = { minute: minutes(1), hour: hours(1), day: days(1) };

/** Where the step begins that `at` falls into; days are Moscow's. */
export const beginOf = (step: CandleStep, at: Date): Date => floor(at, lengths[step]);

/**
 * Which steps a range is drawn from, and how many go into one drawn candle: never more than 370.
 * The dollar is set once a day and has days only.
 */
export function planOf(code: CourseCode, range: HistoryRange): { step: CandleStep; lookBack: number; width: number } {
  const plan = plans[range];
  return code === "USD_RUB" && plan.step !== "day" ? { step: "day", lookBack: plan.lookBack, width: days(1) } : plan;
}

const plans: Record<HistoryRange, { step: CandleStep; lookBack: number; width: number }> = {
  "1d": { step: "minute", lookBack: days(1), width: minutes(5) },
  "1w": { step: "hour", lookBack: days(7), width: hours(1) },
  "1m": { step: "hour", lookBack: days(31), width: hours(4) },
  "1y": { step: "day", lookBack: days(366), width: days(1) },
  "5y": { step: "day", lookBack: days(1827), width: days(7) },
};

/** How long each step is kept; days for ever. A month of minutes and two years of hours are what the ranges above need, with room. */
export const keptFor: Record<Exclude<CandleStep, "day">, number> = { minute: days(40), hour: days(740) };

/** Joins candles (oldest first) into wider ones; weeks begin on Monday. */
export function widened(candles: readonly Candle[], width: number): Candle[] {
  const wide: Candle[] = [];
  for (const candle of candles) {
    const at = floor(candle.at, width);
    const last = wide.at(-1);
    if (last && last.at.getTime() === at.getTime()) {
      last.highE4 = Math.max(last.highE4, candle.highE4);
      last.lowE4 = Math.min(last.lowE4, candle.lowE4);
      last.closeE4 = candle.closeE4;
    } else {
      wide.push({ ...candle, at });
    }
  }
  return wide;
}

/** The first of January 1970 was a Thursday. */
const firstMonday = days(4);
function floor(at: Date, width: number): Date {
  const shift = width === days(7) ? moscowOffset - firstMonday : moscowOffset;
  return new Date(Math.floor((at.getTime() + shift) / width) * width - shift);
}
