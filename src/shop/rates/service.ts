import { inTransaction, mapBatch, type QueryBatch, type Db, type Tx } from "#kit/db.ts";
import { withoutDeadline } from "#kit/concurrency/deadline.ts";
import { fromMoscow, moscow } from "#kit/moscow-time.ts";
import { days, hours, minutes, plus, seconds } from "#kit/time.ts";
import type { Ctx } from "#shop/context.ts";
import { nextOpening, presentClose, reasonAt } from "./calendar.ts";
import type { DollarRate, MetalTick, OfficialMetal } from "./gateway.ts";
import { InvalidRatesError } from "./gateway.ts";
import type { AcceptedRate } from "./history.service.ts";
import * as history from "./history.service.ts";
import type { ShownRates, Freshness, Market, Rate, RateCode } from "./rate.ts";
import { shownRatesFrom, metalCodes } from "./rate.ts";
import type { MarketRow, RateRow, RateSource } from "./repository.ts";
import * as rows from "./repository.ts";
import type { RateVerdict } from "./sanity.ts";
import { judge } from "./sanity.ts";

/**
 * Polls all sources, checks every value and stores the accepted ones; the last accepted value stays otherwise.
 * Does not throw when a source fails: an outage raises the alarm `rates.stale` once it lasts, an invalid or refused value raises
 * `rates.refused`. `pricing.refresh` updates the prices afterwards. Safe to run in several processes: polls are serialised.
 */
export async function poll(ctx: Ctx): Promise<void> {
  const today = moscow(ctx.now()).date;
  const [market, dollar, official] = await Promise.all([
    readSource(ctx, "exchange", () => ctx.gateways.rates.readMarket()),
    readSource(ctx, "dollar", () => ctx.gateways.rates.readDollar(today)),
    isOfficialDue(ctx).then((due) => (due ? readSource(ctx, "official", () => readOfficial(ctx, today)) : null)),
  ]);
  const received: ReceivedRate[] = [
    ...(official ?? []).map(fromBank),
    ...(dollar ? [fromDollar(dollar)] : []),
    ...(market?.ticks ?? []).map(fromExchange),
  ];
  const jumps = currentJumps(ctx);
  const markAdded = await inTransaction(ctx.db, async (tx) => {
    await rows.lockForPoll(tx);
    const latest = await rows.latestRates(tx);
    const accepted: AcceptedRate[] = [];
    for (const rate of received) {
      const isAccepted = await storeIfAccepted(ctx, tx, rate, latest, jumps);
      if (isAccepted && isNewTrade(rate, latest.get(`${rate.source} ${rate.code}`), market?.isOpen ?? false)) accepted.push(rate);
    }
    if (market) await rows.saveMarket(tx, { isOpen: market.isOpen, heardAt: ctx.now() });
    return history.addToCandles(ctx, tx, accepted, latest.get("bank USD_RUB")?.valueE4 ?? null);
  });
  markAdded();
  invalidateCache(ctx);
  await alarmWhenStale(ctx);
}

/**
 * The five displayed rates with their changes against the previous close; null until gold, silver and the dollar were each received once.
 * At most one second old.
 */
export async function shown(ctx: Ctx): Promise<ShownRates | null> {
  const snapshot = await cachedSnapshot(ctx);
  const fresh = freshness(ctx, snapshot);
  if (!snapshot.gold || !snapshot.silver || !snapshot.dollar || !fresh) return null;
  const version = Math.max(snapshot.gold.id, snapshot.silver.id, snapshot.dollar.id);
  return { time: fresh.heardAt, rates: shownRatesFrom(snapshot.gold, snapshot.silver, snapshot.dollar), stale: fresh.isStale, version };
}

/**
 * Whether the exchange trades, by its last answer (closed before the first one; at most one second old).
 * Until when and why comes from the calendar in the settings.
 */
export async function market(ctx: Ctx): Promise<Market> {
  const { market: status } = await cachedSnapshot(ctx);
  const { market: calendar } = ctx.settings;
  const now = ctx.now();
  if (status?.isOpen) return { isOpen: true, until: presentClose(calendar, now), reason: null };
  const reason = reasonAt(calendar, now);
  return { isOpen: false, until: reason === "halt" ? null : nextOpening(calendar, now), reason }; // the end of a halt is unknown
}

/** The newest accepted metal rates in 1/10 000 ₽ per gram, read without the cache; null until both were received. */
export const currentMetals = async (db: Db, ctx: Ctx): Promise<Metals | null> => metalsOf(ctx, await readSnapshot(db));

/** The same as a part of another module's round trip. */
export const metalsBatch = (db: Db, ctx: Ctx): QueryBatch<Metals | null> =>
  mapBatch(rows.latestRatesAndMarketBatch(db), (found) => metalsOf(ctx, toSnapshot(found)));

type Metals = Freshness & { goldE4: number; silverE4: number };

function metalsOf(ctx: Ctx, snapshot: RatesSnapshot): Metals | null {
  const fresh = freshness(ctx, snapshot);
  if (!snapshot.gold || !snapshot.silver || !fresh) return null;
  return { ...fresh, goldE4: snapshot.gold.valueE4, silverE4: snapshot.silver.valueE4 };
}

/** The verdict on this value (1/10 000 ₽) if it were received now. Stores nothing and raises no alarm; demo mode uses it. */
export async function verdictFor(ctx: Ctx, code: RateCode, valueE4: number): Promise<RateVerdict> {
  const latest = await rows.latestRates(ctx.db);
  const source = code === "USD_RUB" ? "bank" : "exchange";
  const last = latest.get(`${source} ${code}`) ?? null;
  const known = {
    now: ctx.now(),
    last,
    referenceE4: await referenceLevel(ctx, ctx.db, { source, code }, latest),
    refusedJump: null,
    isDaily: source === "bank",
  };
  return judge({ valueE4, observedAt: last?.observedAt ?? ctx.now() }, known, ctx.settings.limits);
}

/**
 * Deletes old data: of rates older than two days one row a minute remains, and candles that no range reads are deleted.
 * Looks back one week, so a missed run does no harm.
 */
export async function deleteOld(ctx: Ctx): Promise<void> {
  const till = plus(ctx.now(), -days(2));
  const gone = await rows.thinByMinute(ctx.db, { from: plus(till, -days(7)), till });
  if (gone > 0) ctx.log.info({ count: gone }, "rates thinned");
  await history.deleteOld(ctx);
}

/** The answer of a source; null with an alarm (invalid answer) or a log entry (outage). */
async function readSource<T>(ctx: Ctx, op: string, read: () => Promise<T>): Promise<T | null> {
  try {
    return await read();
  } catch (error) {
    if (error instanceof InvalidRatesError) ctx.alarm("rates.refused", { source: op, reason: error.message });
    else ctx.log.warn({ op, reason: error instanceof Error ? error.message : String(error) }, "rate source is silent");
    return null;
  }
}

type ReceivedRate = Rate & { source: RateSource; observedAt: Date };

const fromExchange = (tick: MetalTick): ReceivedRate => ({ ...tick, source: "exchange" });
const fromDollar = ({ valueE4, previousE4, effectiveOn }: DollarRate): ReceivedRate => ({
  source: "bank",
  code: "USD_RUB",
  valueE4,
  previousCloseE4: previousE4,
  observedAt: fromMoscow(effectiveOn),
});
const fromBank = ({ code, valueE4, effectiveOn }: OfficialMetal): ReceivedRate => ({
  source: "bank",
  code,
  valueE4,
  previousCloseE4: null,
  observedAt: fromMoscow(effectiveOn),
});

// A closed or frozen exchange repeats its last price; a repeated price is not a new trade.
function isNewTrade({ source, valueE4, observedAt }: ReceivedRate, last: RateRow | undefined, isOpen: boolean): boolean {
  if (source === "bank" || !last || last.valueE4 !== valueE4) return true;
  return isOpen && observedAt > last.observedAt;
}

/** Checks a received value and stores it if it is accepted; a refused one raises the alarm `rates.refused`. */
async function storeIfAccepted(
  ctx: Ctx,
  tx: Tx,
  { observedAt, source, ...rate }: ReceivedRate,
  latest: rows.LatestRates,
  jumps: Jumps,
): Promise<boolean> {
  const key = `${source} ${rate.code}` as const;
  const last = latest.get(key) ?? null;
  const isNew = last?.valueE4 !== rate.valueE4; // the current value has passed the check against the reference level
  const refused = jumps.get(key) ?? null;
  const referenceE4 = isNew ? await referenceLevel(ctx, tx, { source, code: rate.code }, latest) : null;
  const known = { now: ctx.now(), last, referenceE4, refusedJump: refused, isDaily: source === "bank" };
  const verdict = judge({ valueE4: rate.valueE4, observedAt }, known, ctx.settings.limits);
  if (verdict !== "accepted") {
    // A repeated or older tick does not replace the refused one and does not extend the wait for its confirmation.
    if (verdict === "jump" && (!refused || observedAt > refused.observedAt))
      jumps.set(key, { valueE4: rate.valueE4, observedAt, pollsLeft: 3 });
    ctx.alarm("rates.refused", { source, code: rate.code, reason: verdict, value: rate.valueE4 / 10_000 });
    return false;
  }
  jumps.delete(key);
  const movedAt = last && observedAt <= last.observedAt ? (last.movedAt ?? last.heardAt) : ctx.now();
  if (last && !isNew) await rows.updateRepeated(tx, last.id, { previousCloseE4: rate.previousCloseE4, observedAt, movedAt }, ctx.now());
  else await rows.insert(tx, source, rate, { observedAt, movedAt }, ctx.now());
  return true;
}

/**
 * The level that a new value is compared with: the median of the values accepted in the last day. Without any, the Bank of Russia's
 * price of the last week, so that a real change over the holidays is accepted.
 */
async function referenceLevel(
  ctx: Ctx,
  db: Db,
  { source, code }: { source: RateSource; code: RateCode },
  latest: rows.LatestRates,
): Promise<number | null> {
  const median = await dayMedian(ctx, db, source, code);
  if (median !== null || source === "bank") return median;
  const official = latest.get(`bank ${code}`);
  return official && official.observedAt > plus(ctx.now(), -days(7)) ? official.valueE4 : null;
}

// Scans the rows of a day, and the median changes slowly: cached for a minute.
async function dayMedian(ctx: Ctx, db: Db, source: RateSource, code: RateCode): Promise<number | null> {
  const medians = ctx.singleton("rates.medians", () => new Map<string, { value: number; at: number }>());
  const key = `${source} ${code}`;
  const known = medians.get(key);
  const now = ctx.now().getTime();
  if (known && Math.abs(now - known.at) < minutes(1)) return known.value;
  const value = await rows.medianSince(db, source, code, plus(ctx.now(), -days(1)));
  if (value !== null) medians.set(key, { value, at: now });
  return value;
}

async function isOfficialDue(ctx: Ctx): Promise<boolean> {
  const { official } = await cachedSnapshot(ctx);
  return official.length < metalCodes.length || official.some(({ heardAt }) => heardAt <= plus(ctx.now(), -hours(1)));
}

// Prices are set on working days: two weeks cover the longest holidays. Only the newest price in force counts.
async function readOfficial(ctx: Ctx, today: string): Promise<OfficialMetal[]> {
  const since = moscow(plus(ctx.now(), -days(14))).date;
  const inForce = (await ctx.gateways.rates.readOfficialMetals(since, today)).filter(({ effectiveOn }) => effectiveOn <= today);
  return metalCodes.flatMap((code) =>
    inForce
      .filter((each) => each.code === code)
      .sort((a, b) => (a.effectiveOn < b.effectiveOn ? 1 : -1))
      .slice(0, 1),
  );
}

type Jumps = Map<string, { valueE4: number; observedAt: Date; pollsLeft: number }>;

// A refused jump may be confirmed in the next three polls. Kept in memory: after a restart it takes one poll more.
function currentJumps(ctx: Ctx): Jumps {
  const jumps: Jumps = ctx.singleton("rates.jumps", () => new Map());
  for (const [key, jump] of jumps) {
    if (jump.pollsLeft === 0) jumps.delete(key);
    else jump.pollsLeft -= 1;
  }
  return jumps;
}

type RatesSnapshot = {
  gold: RateRow | null;
  silver: RateRow | null;
  dollar: RateRow | null;
  official: RateRow[];
  market: MarketRow | null;
};

const readSnapshot = async (db: Db): Promise<RatesSnapshot> => toSnapshot(await rows.latestRatesAndMarket(db));

function toSnapshot({ latest, market }: rows.RatesAndMarket): RatesSnapshot {
  return {
    gold: latest.get("exchange XAU_RUB") ?? null,
    silver: latest.get("exchange XAG_RUB") ?? null,
    dollar: latest.get("bank USD_RUB") ?? null,
    official: metalCodes.flatMap((code) => latest.get(`bank ${code}`) ?? []),
    market,
  };
}

type SnapshotCache = { snapshot: Promise<RatesSnapshot> | null; readAt: number };
const snapshotCache = (ctx: Ctx): SnapshotCache => ctx.singleton("rates.snapshot", () => ({ snapshot: null, readAt: 0 }));

/** Drops the cached rates: the next call reads them again. */
export const invalidateCache = (ctx: Ctx): void => {
  snapshotCache(ctx).snapshot = null;
};

/** What `shown` and `market` are made from now: another object after each reading; null: the rates must be read again. */
export function basis(ctx: Ctx): object | null {
  const { snapshot, readAt } = snapshotCache(ctx);
  return snapshot && Math.abs(ctx.now().getTime() - readAt) < seconds(1) ? snapshot : null;
}

/** The newest rates, read at most once a second, because every page shows them. */
async function cachedSnapshot(ctx: Ctx): Promise<RatesSnapshot> {
  const cache = snapshotCache(ctx);
  const now = ctx.now().getTime();
  if (!cache.snapshot || Math.abs(now - cache.readAt) >= seconds(1)) {
    cache.readAt = now;
    cache.snapshot = withoutDeadline(() => readSnapshot(ctx.db)); // for every request of this second
    cache.snapshot.catch(() => invalidateCache(ctx)); // a failed read is not cached
  }
  return cache.snapshot;
}

function freshness(ctx: Ctx, { gold, silver, market: status }: RatesSnapshot): Freshness | null {
  if (!gold || !silver) return null;
  const { ratesStaleSeconds, ratesDeadSeconds, ratesDelaySeconds } = ctx.settings.limits;
  // A closed exchange sends nothing new.
  if (!status?.isOpen) return { heardAt: earlier(gold.heardAt, silver.heardAt), isStale: false, isDead: false };
  const heardAt = earlier(lastAdvanceAt(gold, ratesDelaySeconds), lastAdvanceAt(silver, ratesDelaySeconds));
  // The first trade of a session may come some time after the opening: until then the age is counted from the opening.
  const since = status.openedAt && status.openedAt > heardAt ? status.openedAt : heardAt;
  const silence = ctx.now().getTime() - since.getTime();
  return { heardAt, isStale: silence > seconds(ratesStaleSeconds), isDead: silence > seconds(ratesDeadSeconds) };
}

/**
 * When the source last sent something new: when its own time last advanced, but not later than that time plus the publication delay
 * of the source, so that an old tick received for the first time does not count as fresh.
 */
function lastAdvanceAt({ observedAt, heardAt, movedAt }: RateRow, delaySeconds: number): Date {
  return earlier(movedAt ?? heardAt, plus(observedAt, seconds(delaySeconds)));
}

const earlier = (a: Date, b: Date): Date => (a < b ? a : b);

// One alarm when the rates become stale, and another every ten minutes while they are.
async function alarmWhenStale(ctx: Ctx): Promise<void> {
  const lastAlarm = ctx.singleton("rates.silence", () => ({ at: null as Date | null }));
  const fresh = freshness(ctx, await cachedSnapshot(ctx));
  if (!fresh?.isStale) lastAlarm.at = null;
  else if (!lastAlarm.at || plus(lastAlarm.at, minutes(10)) <= ctx.now()) {
    lastAlarm.at = ctx.now();
    ctx.alarm("rates.stale", { silentSeconds: Math.round((ctx.now().getTime() - fresh.heardAt.getTime()) / 1000) });
  }
}
