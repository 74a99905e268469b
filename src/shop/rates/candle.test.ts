import { expect, test } from "vitest";
import { days, hours } from "#kit/time.ts";
import { stepStart, type Candle, rangePlan, seriesOf, mergeCandles } from "./candle.ts";

const at = (iso: string): Date => new Date(iso);
const candle = (iso: string, [openE4, highE4, lowE4, closeE4]: [number, number, number, number]): Candle => ({
  at: at(iso),
  openE4,
  highE4,
  lowE4,
  closeE4,
});

test("a day starts at midnight in Moscow, hours and minutes at their own start", () => {
  const noon = at("2026-11-20T12:34:56+03:00");
  expect(stepStart("day", noon)).toEqual(at("2026-11-20T00:00:00+03:00"));
  expect(stepStart("day", at("2026-11-19T23:59:59+03:00"))).toEqual(at("2026-11-19T00:00:00+03:00"));
  expect(stepStart("hour", noon)).toEqual(at("2026-11-20T12:00:00+03:00"));
  expect(stepStart("minute", noon)).toEqual(at("2026-11-20T12:34:00+03:00"));
});

test("a week of days becomes one candle that begins on Monday", () => {
  const week = [
    candle("2026-11-16T00:00:00+03:00", [10, 12, 9, 11]),
    candle("2026-11-20T00:00:00+03:00", [11, 15, 8, 14]),
    candle("2026-11-23T00:00:00+03:00", [14, 14, 13, 13]),
  ];
  expect(mergeCandles(week, days(7))).toEqual([
    candle("2026-11-16T00:00:00+03:00", [10, 15, 8, 14]),
    candle("2026-11-23T00:00:00+03:00", [14, 14, 13, 13]),
  ]);
});

test("four hours are counted from midnight in Moscow", () => {
  const [only] = mergeCandles([candle("2026-11-20T07:00:00+03:00", [1, 1, 1, 1])], hours(4));
  expect(only?.at).toEqual(at("2026-11-20T04:00:00+03:00"));
});

test("every rate has one source, and the dollar has daily candles only", () => {
  expect([seriesOf("XAU_RUB").source, seriesOf("XAG_USD").source, seriesOf("USD_RUB").source]).toEqual(["exchange", "derived", "bank"]);
  expect(rangePlan("USD_RUB", "1d").step).toBe("day");
  expect(rangePlan("XAU_RUB", "1d").step).toBe("minute");
});
