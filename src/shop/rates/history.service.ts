import type { Tx } from "#kit/db.ts";
import { days, plus, seconds } from "#kit/time.ts";
import type { Ctx } from "#shop/context.ts";
import {
  beginOf,
  type Candle,
  candleSteps,
  type CandleSource,
  type DayRow,
  type History,
  type HistoryRange,
  keptFor,
  officialOf,
  planOf,
  type Series,
  seriesOf,
  widened,
} from "./candle.ts";
import * as rows from "./candles.repository.ts";
import { metalCodes, ounceE4, type CourseCode, type MetalCode, type RateCode } from "./rate.ts";

/** A value the shop believes at this moment, from the source that said it. */
export type Heard = { source: Exclude<CandleSource, "derived">; code: RateCode; valueE4: number };

/**
 * Puts the believed values into the candles; call with what was accepted in this poll. Dollars per ounce are derived from them,
 * while the bank is silent by the rate that stands. Answers what to do after the commit: until then the same values may be fed again.
 */
export async function feed(ctx: Ctx, tx: Tx, heard: readonly Heard[], standingDollarE4: number | null): Promise<() => void> {
  const fed = ctx.held("rates.fed", () => new Map<string, string>());
  const at = ctx.now();
  const minute = beginOf("minute", at).getTime();
  const news = withOunces(heard, standingDollarE4)
    .map((value) => ({ ...value, key: `${value.source} ${value.code}`, mark: `${minute} ${value.valueE4}` }))
    .filter(({ key, mark }) => fed.get(key) !== mark);
  await rows.feed(
    tx,
    news.flatMap(({ source, code, valueE4 }) =>
      // What the bank sets holds for a day: finer steps would only repeat it.
      candleSteps
        .filter((step) => source !== "bank" || step === "day")
        .map((step) => ({ source, code, step, at: beginOf(step, at), openE4: valueE4, highE4: valueE4, lowE4: valueE4, closeE4: valueE4 })),
    ),
  );
  return () => news.forEach(({ key, mark }) => fed.set(key, mark));
}

function withOunces(heard: readonly Heard[], standingDollarE4: number | null): (Series & { valueE4: number })[] {
  const dollarE4 = heard.find(({ code }) => code === "USD_RUB")?.valueE4 ?? standingDollarE4;
  const ounces =
    dollarE4 === null
      ? []
      : heard.flatMap(({ source, code, valueE4 }): (Series & { valueE4: number })[] =>
          source !== "exchange" || code === "USD_RUB"
            ? []
            : [{ source: "derived", code: code === "XAU_RUB" ? "XAU_USD" : "XAG_USD", valueE4: ounceE4(valueE4, dollarE4) }],
        );
  return [...heard, ...ounces];
}

/**
 * The candles of a range, oldest first, at most 370 of them. A range in which nothing was traded begins with the last candle before it.
 * At most ten seconds old in this process: one walk along the index serves everybody who looks.
 */
export async function history(ctx: Ctx, code: CourseCode, range: HistoryRange): Promise<History> {
  return kept(ctx, `${code} ${range}`, async () => {
    const { step, lookBack, width } = planOf(code, range);
    const from = beginOf(step, plus(ctx.now(), -lookBack));
    const series = seriesOf(code);
    const found = await rows.since(ctx.db, series, step, from);
    const before = found.length > 0 ? null : await rows.lastBefore(ctx.db, series, step, from);
    const all = before ? [before] : found;
    return { candles: widened(all.map(candleOf), width), isGenerated: all.some((row) => row.isGenerated) };
  });
}

/** Trading days of a rate since a number of days ago, newest first, with the bank's price that held on each; the bank says none for rates in dollars. */
export async function daily(ctx: Ctx, code: CourseCode, lookBackDays: number): Promise<DayRow[]> {
  return kept(ctx, `${code} daily ${lookBackDays}`, async () => {
    const from = beginOf("day", plus(ctx.now(), -days(lookBackDays)));
    const official = isMetal(code) ? await rows.since(ctx.db, officialOf(code), "day", from) : [];
    const byDay = new Map(official.map(({ at, closeE4 }) => [at.getTime(), closeE4]));
    const found = await rows.since(ctx.db, seriesOf(code), "day", from);
    return found.map((row) => ({ candle: candleOf(row), official: byDay.get(row.at.getTime()) ?? null })).reverse();
  });
}

/** Fills an empty history with an invented past, marked as such; a shop that has a candle keeps its own. */
export async function invent(ctx: Ctx, candles: readonly (Series & Candle & { step: (typeof candleSteps)[number] })[]): Promise<number> {
  await rows.addGenerated(ctx.db, [...candles]);
  ctx.held("rates.history", () => new Map()).clear();
  return candles.length;
}

/** Whether there is any history at all. */
export const isEmpty = (ctx: Ctx): Promise<boolean> => rows.isEmpty(ctx.db);

/** Drops minutes and hours that no range reaches any more. */
export async function thin(ctx: Ctx): Promise<void> {
  for (const step of ["minute", "hour"] as const) {
    const gone = await rows.dropBefore(ctx.db, step, plus(ctx.now(), -keptFor[step]));
    if (gone > 0) ctx.log.info({ count: gone }, "candles thinned");
  }
}

const isMetal = (code: CourseCode): code is MetalCode => metalCodes.some((metal) => metal === code);
const candleOf = ({ at, openE4, highE4, lowE4, closeE4 }: Candle): Candle => ({ at, openE4, highE4, lowE4, closeE4 });

async function kept<T>(ctx: Ctx, key: string, read: () => Promise<T>): Promise<T> {
  const held = ctx.held("rates.history", () => new Map<string, { readAt: number; answer: Promise<unknown> }>());
  const now = ctx.now().getTime();
  const known = held.get(key);
  if (known && Math.abs(now - known.readAt) < seconds(10)) return known.answer as Promise<T>;
  const answer = read();
  held.set(key, { readAt: now, answer });
  answer.catch(() => held.delete(key)); // the next reader asks again
  return answer;
}
