import { moscowOffset } from "#kit/moscow-time.ts";
import { days, hours, minutes } from "#kit/time.ts";
import type { ShownRateCode, MetalCode } from "./rate.ts";

/** Open, high, low and close of one step, in 1/10 000 ₽, or in 1/10 000 $ for rates in dollars. */
export type Candle = { at: Date; openE4: number; highE4: number; lowE4: number; closeE4: number };
export type CandleStep = "minute" | "hour" | "day";
export const candleSteps: readonly CandleStep[] = ["minute", "hour", "day"];

/** A series has one source: the gold price of the exchange and that of the Bank of Russia are two series. */
export type CandleSource = "exchange" | "bank" | "derived";
export type RateSeries = { source: CandleSource; code: ShownRateCode };

export const historyRanges = ["1d", "1w", "1m", "1y", "5y"] as const;
export type HistoryRange = (typeof historyRanges)[number];

/** `isGenerated`: at least one candle was generated for demo mode. */
export type History = { candles: Candle[]; isGenerated: boolean };
/** One trading day; `official` is the Bank of Russia's price for that day. */
export type DayRow = { candle: Candle; official: number | null };

/** The series that pages show for a code. */
export const seriesOf = (code: ShownRateCode): RateSeries => ({
  code,
  source: code === "USD_RUB" ? "bank" : code.endsWith("_USD") ? "derived" : "exchange",
});
export const officialSeriesOf = (code: MetalCode): RateSeries => ({ code, source: "bank" });

const lengths: Record<CandleStep, number> = { minute: minutes(1), hour: hours(1), day: days(1) };

/** Start of the step that contains `at`. Days start at midnight in Moscow. */
export const stepStart = (step: CandleStep, at: Date): Date => floor(at, lengths[step]);

/**
 * Which stored step a range is read from, and the width of one displayed candle in milliseconds. A range has at most 370 candles.
 * The dollar rate is set once a day, so it has daily candles only.
 */
export function rangePlan(code: ShownRateCode, range: HistoryRange): { step: CandleStep; lookBack: number; width: number } {
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

/** How long candles of each step are stored; daily candles are never deleted. The values exceed what the ranges above read. */
export const retention: Record<Exclude<CandleStep, "day">, number> = { minute: days(40), hour: days(740) };

/** Merges candles (oldest first) into wider ones; weeks start on Monday. */
export function mergeCandles(candles: readonly Candle[], width: number): Candle[] {
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

/** 1 January 1970 was a Thursday, so the first Monday was four days later. */
const firstMonday = days(4);
function floor(at: Date, width: number): Date {
  const shift = width === days(7) ? moscowOffset - firstMonday : moscowOffset;
  return new Date(Math.floor((at.getTime() + shift) / width) * width - shift);
}
