import { seededRandom } from "#kit/seeded-random.ts";
import { moscow } from "#kit/moscow-time.ts";
import { days, hours, minutes, plus } from "#kit/time.ts";
import type { Ctx } from "#shop/context.ts";
import { stepStart, type Candle, type CandleStep, type RateSeries } from "#shop/rates/candle.ts";
import * as history from "#shop/rates/history.service.ts";
import { openingCloseE4, openingRatesE4, ounceE4, type MetalCode } from "#shop/rates/rate.ts";

type Row = RateSeries & Candle & { step: CandleStep };

/**
 * Creates a rate history for the demo if there is none: five years of days, a month of hours, a day of minutes. Returns how many candles.
 */
export async function seedRates(ctx: Ctx): Promise<number> {
  return (await history.isEmpty(ctx)) ? history.addGenerated(ctx, inventRates(ctx.now())) : 0;
}

/** Start of the walks five years ago, ₽ in 1/10 000, and their daily volatility. */
const past = {
  XAU_RUB: { fromE4: 42_850_000, volatility: 0.008 },
  XAG_RUB: { fromE4: 571_000, volatility: 0.014 },
  USD_RUB: { fromE4: 733_400, volatility: 0.006 },
};
const firstHour = 7;
const lastHour = 19;

/**
 * Seeded random walks with trading sessions that end at the simulated exchange's opening rates: yesterday closes at its `previousClose`,
 * today leads to the present rate. Deterministic for a given moment.
 */
export function inventRates(now: Date): Row[] {
  const random = seededRandom(20_261_121);
  const today = stepStart("day", now);
  const workdays = Array.from({ length: 1826 }, (_, back) => plus(today, -days(1826 - back))).filter(
    (day) => !["Sat", "Sun"].includes(moscow(plus(day, hours(12))).weekday),
  );
  const dollars = bridge(random, past.USD_RUB.fromE4, openingCloseE4.USD_RUB, workdays.length, past.USD_RUB.volatility);
  const dollarOn = new Map(workdays.map((day, index) => [day.getTime(), dollars[index] ?? openingCloseE4.USD_RUB]));

  const rows: Row[] = workdays.map((day, index) =>
    flat({ source: "bank", code: "USD_RUB" }, "day", day, dollars[index] ?? openingCloseE4.USD_RUB),
  );
  for (const code of ["XAU_RUB", "XAG_RUB"] as const) rows.push(...metal(random, code, { now, today, workdays, dollarOn }));
  return rows;
}

type Frame = { now: Date; today: Date; workdays: readonly Date[]; dollarOn: ReadonlyMap<number, number> };

function metal(random: () => number, code: MetalCode, { now, today, workdays, dollarOn }: Frame): Row[] {
  const { fromE4, volatility } = past[code];
  const closes = bridge(random, fromE4, openingCloseE4[code], workdays.length, volatility);
  const exchange: RateSeries = { source: "exchange", code };
  const ounces: RateSeries = { source: "derived", code: code === "XAU_RUB" ? "XAU_USD" : "XAG_USD" };
  const aMonthAgo = plus(today, -days(31));
  const rows: Row[] = [];
  workdays.forEach((day, index) => {
    const close = closes[index] ?? fromE4;
    const before = closes[index - 1] ?? fromE4;
    const session = path(random, before * (1 + (random() - 0.5) * volatility * 0.4), close, lastHour - firstHour, volatility * 0.35).map(
      (candle, hour) => ({ ...candle, at: plus(day, hours(firstHour + hour)) }),
    );
    rows.push(...withOunces(exchange, ounces, "day", [joined(session, day)], dollarOn.get(day.getTime())));
    if (day >= aMonthAgo) rows.push(...withOunces(exchange, ounces, "hour", session, dollarOn.get(day.getTime())));
    // The Bank of Russia sets its price on the evening before.
    rows.push(flat({ source: "bank", code }, "day", day, Math.round((before * (0.994 + (random() - 0.5) * 0.004)) / 100) * 100));
  });

  const passed = Math.floor((now.getTime() - today.getTime()) / minutes(1));
  const minuteCandles = path(random, openingCloseE4[code], openingRatesE4[code], Math.max(1, passed), volatility * 0.03).map(
    (candle, minute) => ({ ...candle, at: plus(today, minutes(minute)) }),
  );
  const todays = (step: CandleStep, candles: Candle[]) => withOunces(exchange, ounces, step, candles, openingRatesE4.USD_RUB);
  const byHour = Map.groupBy(minuteCandles, ({ at }) => stepStart("hour", at).getTime());
  rows.push(
    ...todays("minute", minuteCandles),
    ...todays(
      "hour",
      [...byHour].map(([at, candles]) => joined(candles, new Date(at))),
    ),
    ...todays("day", [joined(minuteCandles, today)]),
  );
  return rows;
}

function withOunces(
  exchange: RateSeries,
  ounces: RateSeries,
  step: CandleStep,
  candles: readonly Candle[],
  dollarE4 = openingCloseE4.USD_RUB,
): Row[] {
  const inDollars = (e4: number): number => ounceE4(e4, dollarE4);
  return candles.flatMap((candle) => [
    { ...exchange, step, ...candle },
    {
      ...ounces,
      step,
      at: candle.at,
      openE4: inDollars(candle.openE4),
      highE4: inDollars(candle.highE4),
      lowE4: inDollars(candle.lowE4),
      closeE4: inDollars(candle.closeE4),
    },
  ]);
}

/** `count` values in whole kopecks of a random walk that begins at `from` and ends at `to`. */
function bridge(random: () => number, from: number, to: number, count: number, volatility: number): number[] {
  const walk: number[] = [];
  for (let at = 0, sum = 0; at < count; at += 1) walk.push((sum += (random() + random() + random() - 1.5) * 2 * volatility));
  const end = walk.at(-1) ?? 0;
  return walk.map((value, index) => {
    const share = (index + 1) / count;
    return kopecksE4(Math.exp(Math.log(from) + (Math.log(to) - Math.log(from)) * share + value - end * share));
  });
}

/** Candles of one session from one price to another. */
function path(random: () => number, from: number, to: number, count: number, volatility: number): Candle[] {
  let openE4 = kopecksE4(from);
  return bridge(random, from, to, count, volatility).map((closeE4) => {
    const highE4 = kopecksE4(Math.max(openE4, closeE4) * (1 + random() * volatility * 0.6));
    const lowE4 = kopecksE4(Math.min(openE4, closeE4) * (1 - random() * volatility * 0.6));
    const candle = { at: new Date(0), openE4, highE4: Math.max(highE4, openE4, closeE4), lowE4: Math.min(lowE4, openE4, closeE4), closeE4 };
    openE4 = closeE4;
    return candle;
  });
}

const joined = (candles: readonly Candle[], at: Date): Candle => ({
  at,
  openE4: candles[0]?.openE4 ?? 0,
  closeE4: candles.at(-1)?.closeE4 ?? 0,
  highE4: Math.max(...candles.map(({ highE4 }) => highE4)),
  lowE4: Math.min(...candles.map(({ lowE4 }) => lowE4)),
});
const flat = (series: RateSeries, step: CandleStep, at: Date, valueE4: number): Row => ({
  ...series,
  step,
  at,
  openE4: valueE4,
  highE4: valueE4,
  lowE4: valueE4,
  closeE4: valueE4,
});
const kopecksE4 = (e4: number): number => Math.round(e4 / 100) * 100;
