import type { Tx } from "#kit/db.ts";
import { withoutDeadline } from "#kit/concurrency/deadline.ts";
import { days, plus, seconds } from "#kit/time.ts";
import type { Ctx } from "#shop/context.ts";
import {
  stepStart,
  type Candle,
  candleSteps,
  type CandleSource,
  type DayRow,
  type History,
  type HistoryRange,
  retention,
  officialSeriesOf,
  rangePlan,
  type RateSeries,
  seriesOf,
  mergeCandles,
} from "./candle.ts";
import * as rows from "./candles.repository.ts";
import { metalCodes, ounceE4, type ShownRateCode, type MetalCode, type RateCode } from "./rate.ts";

/** A value that passed the sanity rules, with its source. */
export type AcceptedRate = { source: Exclude<CandleSource, "derived">; code: RateCode; valueE4: number };

/**
 * Adds the values accepted in this poll to the candles, with the derived prices in dollars per ounce. `lastDollarE4` is used when the poll
 * brought no dollar rate. Returns a function to call after the commit: it marks the values as added, so that they are not added twice.
 */
export async function addToCandles(ctx: Ctx, tx: Tx, accepted: readonly AcceptedRate[], lastDollarE4: number | null): Promise<() => void> {
  const added = ctx.singleton("rates.added", () => new Map<string, string>());
  const at = ctx.now();
  const minute = stepStart("minute", at).getTime();
  const changed = withOunces(accepted, lastDollarE4)
    .map((value) => ({ ...value, key: `${value.source} ${value.code}`, mark: `${minute} ${value.valueE4}` }))
    .filter(({ key, mark }) => added.get(key) !== mark);
  await rows.upsert(
    tx,
    changed.flatMap(({ source, code, valueE4 }) =>
      // The bank sets one value a day: shorter steps would only repeat it.
      candleSteps
        .filter((step) => source !== "bank" || step === "day")
        .map((step) => ({
          source,
          code,
          step,
          at: stepStart(step, at),
          openE4: valueE4,
          highE4: valueE4,
          lowE4: valueE4,
          closeE4: valueE4,
        })),
    ),
  );
  return () => changed.forEach(({ key, mark }) => added.set(key, mark));
}

function withOunces(accepted: readonly AcceptedRate[], lastDollarE4: number | null): (RateSeries & { valueE4: number })[] {
  const dollarE4 = accepted.find(({ code }) => code === "USD_RUB")?.valueE4 ?? lastDollarE4;
  const ounces =
    dollarE4 === null
      ? []
      : accepted.flatMap(({ source, code, valueE4 }): (RateSeries & { valueE4: number })[] =>
          source !== "exchange" || code === "USD_RUB"
            ? []
            : [{ source: "derived", code: code === "XAU_RUB" ? "XAU_USD" : "XAG_USD", valueE4: ounceE4(valueE4, dollarE4) }],
        );
  return [...accepted, ...ounces];
}

/**
 * The candles of a range, oldest first, at most 370. A range without trades contains the last candle before it.
 * Cached for ten seconds in this process.
 */
export async function history(ctx: Ctx, code: ShownRateCode, range: HistoryRange): Promise<History> {
  return cached(ctx, `${code} ${range}`, async () => {
    const { step, lookBack, width } = rangePlan(code, range);
    const from = stepStart(step, plus(ctx.now(), -lookBack));
    const series = seriesOf(code);
    const found = await rows.since(ctx.db, series, step, from);
    const before = found.length > 0 ? null : await rows.lastBefore(ctx.db, series, step, from);
    const all = before ? [before] : found;
    return { candles: mergeCandles(all.map(candleOf), width), isGenerated: all.some((row) => row.isGenerated) };
  });
}

/**
 * Trading days of a rate, newest first, each with the Bank of Russia's price for that day (null for rates in dollars).
 * Cached for ten seconds in this process.
 */
export async function daily(ctx: Ctx, code: ShownRateCode, lookBackDays: number): Promise<DayRow[]> {
  return cached(ctx, `${code} daily ${lookBackDays}`, async () => {
    const from = stepStart("day", plus(ctx.now(), -days(lookBackDays)));
    const official = isMetal(code) ? await rows.since(ctx.db, officialSeriesOf(code), "day", from) : [];
    const byDay = new Map(official.map(({ at, closeE4 }) => [at.getTime(), closeE4]));
    const found = await rows.since(ctx.db, seriesOf(code), "day", from);
    return found.map((row) => ({ candle: candleOf(row), official: byDay.get(row.at.getTime()) ?? null })).reverse();
  });
}

/** Adds generated candles for demo mode, marked as generated. Existing candles stay unchanged. Returns how many were passed in. */
export async function addGenerated(
  ctx: Ctx,
  candles: readonly (RateSeries & Candle & { step: (typeof candleSteps)[number] })[],
): Promise<number> {
  await rows.addGenerated(ctx.db, [...candles]);
  ctx.singleton("rates.history", () => new Map()).clear();
  return candles.length;
}

/** Whether there is any history at all. */
export const isEmpty = (ctx: Ctx): Promise<boolean> => rows.isEmpty(ctx.db);

/** Deletes candles of minutes and hours that no range reads any more. */
export async function deleteOld(ctx: Ctx): Promise<void> {
  for (const step of ["minute", "hour"] as const) {
    const gone = await rows.deleteBefore(ctx.db, step, plus(ctx.now(), -retention[step]));
    if (gone > 0) ctx.log.info({ count: gone }, "candles thinned");
  }
}

const isMetal = (code: ShownRateCode): code is MetalCode => metalCodes.some((metal) => metal === code);
const candleOf = ({ at, openE4, highE4, lowE4, closeE4 }: Candle): Candle => ({ at, openE4, highE4, lowE4, closeE4 });

async function cached<T>(ctx: Ctx, key: string, read: () => Promise<T>): Promise<T> {
  const cache = ctx.singleton("rates.history", () => new Map<string, { readAt: number; answer: Promise<unknown> }>());
  const now = ctx.now().getTime();
  const stored = cache.get(key);
  if (stored && Math.abs(now - stored.readAt) < seconds(10)) return stored.answer as Promise<T>;
  const answer = withoutDeadline(read);
  cache.set(key, { readAt: now, answer });
  answer.catch(() => cache.delete(key)); // a failed read is not cached
  return answer;
}
