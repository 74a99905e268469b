import { and, asc, desc, eq, gte, lt, sql } from "drizzle-orm";
import type { Db, Tx } from "#kit/db.ts";
import type { Candle, CandleStep, RateSeries } from "./candle.ts";
import { rateCandles } from "./tables.ts";

export type CandleRow = RateSeries & Candle & { step: CandleStep };

/** Inserts each candle, or updates high, low and close of the stored one. */
export async function upsert(tx: Tx, candles: CandleRow[]): Promise<void> {
  if (candles.length === 0) return;
  await tx
    .insert(rateCandles)
    .values(candles)
    .onConflictDoUpdate({
      target: [rateCandles.source, rateCandles.code, rateCandles.step, rateCandles.at],
      set: {
        highE4: sql`greatest(${rateCandles.highE4}, excluded.high_e_4)`,
        lowE4: sql`least(${rateCandles.lowE4}, excluded.low_e_4)`,
        closeE4: sql`excluded.close_e_4`,
      },
    });
}

/** Candles of a series since a moment, oldest first; one range scan of the primary key. */
export async function since(
  db: Db,
  { source, code }: RateSeries,
  step: CandleStep,
  from: Date,
): Promise<(Candle & { isGenerated: boolean })[]> {
  const { at, openE4, highE4, lowE4, closeE4, isGenerated } = rateCandles;
  return db
    .select({ at, openE4, highE4, lowE4, closeE4, isGenerated })
    .from(rateCandles)
    .where(and(eq(rateCandles.source, source), eq(rateCandles.code, code), eq(rateCandles.step, step), gte(at, from)))
    .orderBy(asc(at));
}

/** The newest candle that began before a moment: the starting price of a range without trades. */
export async function lastBefore(
  db: Db,
  { source, code }: RateSeries,
  step: CandleStep,
  till: Date,
): Promise<(Candle & { isGenerated: boolean }) | null> {
  const { at, openE4, highE4, lowE4, closeE4, isGenerated } = rateCandles;
  const [row] = await db
    .select({ at, openE4, highE4, lowE4, closeE4, isGenerated })
    .from(rateCandles)
    .where(and(eq(rateCandles.source, source), eq(rateCandles.code, code), eq(rateCandles.step, step), lt(at, till)))
    .orderBy(desc(at))
    .limit(1);
  return row ?? null;
}

export async function isEmpty(db: Db): Promise<boolean> {
  const [row] = await db.select({ at: rateCandles.at }).from(rateCandles).limit(1);
  return row === undefined;
}

/** Inserts generated candles for demo mode; existing candles stay unchanged. */
export async function addGenerated(db: Db, candles: CandleRow[]): Promise<void> {
  for (let from = 0; from < candles.length; from += 2_000) {
    await db
      .insert(rateCandles)
      .values(candles.slice(from, from + 2_000).map((candle) => ({ ...candle, isGenerated: true })))
      .onConflictDoNothing();
  }
}

/** Deletes the candles of a step that began before a moment; returns how many. */
export async function deleteBefore(db: Db, step: CandleStep, till: Date): Promise<number> {
  const gone = await db
    .delete(rateCandles)
    .where(and(eq(rateCandles.step, step), lt(rateCandles.at, till)))
    .returning({ at: rateCandles.at });
  return gone.length;
}
