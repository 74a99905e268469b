import { and, desc, eq, gt, lt, sql } from "drizzle-orm";
import { unionAll } from "drizzle-orm/pg-core";
import { batch, pipeline, type QueryBatch, type Db, type Tx } from "#kit/db.ts";
import type { Rate, RateCode } from "./rate.ts";
import { marketStatus, rates } from "./tables.ts";

export type RateSource = "exchange" | "bank";
export type RateRow = Rate & { id: number; observedAt: Date; heardAt: Date; movedAt: Date | null };
export type MarketRow = { isOpen: boolean; heardAt: Date; openedAt: Date | null };

/** Serialises polls of several processes until the end of the transaction. */
export async function lockForPoll(tx: Tx): Promise<void> {
  await tx.execute(sql`select pg_advisory_xact_lock(hashtext('rates.poll'))`);
}

/** The newest accepted rates by source and code; a rate that was never received is absent. */
export type LatestRates = ReadonlyMap<`${RateSource} ${RateCode}`, RateRow>;

function selectLatest(db: Db) {
  const newest = (source: RateSource, code: RateCode) =>
    db
      .select()
      .from(rates)
      .where(and(eq(rates.source, source), eq(rates.code, code)))
      .orderBy(desc(rates.id))
      .limit(1);
  return unionAll(
    newest("exchange", "XAU_RUB"),
    newest("exchange", "XAG_RUB"),
    newest("bank", "USD_RUB"),
    newest("bank", "XAU_RUB"),
    newest("bank", "XAG_RUB"),
  );
}

const toLatest = (found: Awaited<ReturnType<typeof selectLatest>>): LatestRates =>
  new Map(found.map(({ source, code, ...row }) => [`${source as RateSource} ${code as RateCode}`, { ...row, code: code as RateCode }]));

/** The newest accepted rate of each source and code, in one query. */
export const latestRates = async (db: Db): Promise<LatestRates> => toLatest(await selectLatest(db));

/** The same with the state of the exchange, in one round trip. */
export type RatesAndMarket = { latest: LatestRates; market: MarketRow | null };

export async function latestRatesAndMarket(db: Db): Promise<RatesAndMarket> {
  const [found] = await pipeline([latestRatesAndMarketBatch(db)]);
  return found;
}

export const latestRatesAndMarketBatch = (db: Db): QueryBatch<RatesAndMarket> =>
  batch([selectLatest(db), db.select().from(marketStatus)], ([found, [market]]) => ({ latest: toLatest(found), market: market ?? null }));

/** Median of the values accepted after `since`; null when there are none. */
export async function medianSince(db: Db, source: RateSource, code: RateCode, since: Date): Promise<number | null> {
  const [row] = await db
    .select({ median: sql<number | null>`percentile_disc(0.5) within group (order by ${rates.valueE4})`.mapWith(Number) })
    .from(rates)
    .where(and(eq(rates.source, source), eq(rates.code, code), gt(rates.receivedAt, since)));
  return row?.median || null;
}

export async function insert(tx: Tx, source: RateSource, rate: Rate, times: { observedAt: Date; movedAt: Date }, at: Date): Promise<void> {
  await tx.insert(rates).values({ ...rate, source, ...times, receivedAt: at, heardAt: at });
}

/** Updates the newest row when the source repeats its value. */
export async function updateRepeated(
  tx: Tx,
  id: number,
  observed: { previousCloseE4: number | null; observedAt: Date; movedAt: Date },
  at: Date,
): Promise<void> {
  await tx
    .update(rates)
    .set({ ...observed, heardAt: at })
    .where(eq(rates.id, id));
}

/** Stores the status. `openedAt` is set only when a closed exchange has opened; the first answer ever does not set it. */
export async function saveMarket(tx: Tx, status: { isOpen: boolean; heardAt: Date }): Promise<void> {
  const openedAt = sql`case when ${marketStatus.isOpen} then ${marketStatus.openedAt} else excluded.heard_at end`;
  await tx
    .insert(marketStatus)
    .values({ id: 1, ...status })
    .onConflictDoUpdate({ target: marketStatus.id, set: status.isOpen ? { ...status, openedAt } : status });
}

/** Deletes all but the last row of each minute among the rows received between the two moments. Returns how many were deleted. */
export async function thinByMinute(db: Db, span: { from: Date; till: Date }): Promise<number> {
  const later = sql`exists (select 1 from ${rates} as later
    where later.source = ${rates.source} and later.code = ${rates.code} and later.id > ${rates.id}
    and later.received_at >= ${rates.receivedAt} and later.received_at < date_trunc('minute', ${rates.receivedAt}) + interval '1 minute')`;
  const gone = await db
    .delete(rates)
    .where(and(gt(rates.receivedAt, span.from), lt(rates.receivedAt, span.till), later))
    .returning({ id: rates.id });
  return gone.length;
}
