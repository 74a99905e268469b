import type { Db, Tx } from "#kit/db.ts";
import { inTransaction } from "#kit/db.ts";
import { fromMoscow, moscow } from "#kit/moscow-time.ts";
import { days, hours, minutes, plus, seconds } from "#kit/time.ts";
import type { Ctx } from "#shop/context.ts";
import { nextOpening, presentClose, reasonAt } from "./calendar.ts";
import type { DollarRate, MetalTick, OfficialMetal } from "./gateway.ts";
import { WrongRates } from "./gateway.ts";
import type { Heard } from "./history.service.ts";
import * as history from "./history.service.ts";
import type { Courses, Freshness, Market, Rate, RateCode } from "./rate.ts";
import { coursesFrom, metalCodes } from "./rate.ts";
import type { MarketRow, RateRow, Source } from "./repository.ts";
import * as rows from "./repository.ts";
import type { Verdict } from "./sanity.ts";
import { judge } from "./sanity.ts";

/**
 * One reading of all sources: judges it, stores what is accepted, keeps the last good value otherwise.
 * Never throws for what a source did: an outage is silence (`rates.stale` once it lasts), nonsense is `rates.refused`,
 * one alarm per refused value. Prices follow in pricing.refresh. May run anywhere at any time; polls wait for each other.
 */
export async function poll(ctx: Ctx): Promise<void> {
  const today = moscow(ctx.now()).date;
  const [market, dollar, official] = await Promise.all([
    heard(ctx, "exchange", () => ctx.gateways.rates.readMarket()),
    heard(ctx, "dollar", () => ctx.gateways.rates.readDollar(today)),
    isOfficialDue(ctx).then((due) => (due ? heard(ctx, "official", () => readOfficial(ctx, today)) : null)),
  ]);
  const offers: Offer[] = [
    ...(official ?? []).map(fromBank),
    ...(dollar ? [fromDollar(dollar)] : []),
    ...(market?.ticks ?? []).map(fromExchange),
  ];
  const jumps = agedJumps(ctx);
  const fed = await inTransaction(ctx.db, async (tx) => {
    await rows.lockBook(tx);
    const standing = await rows.standing(tx);
    const believed: Heard[] = [];
    for (const offer of offers) {
      const isBelieved = await store(ctx, tx, offer, standing, jumps);
      if (isBelieved && isNews(offer, standing.get(`${offer.source} ${offer.code}`), market?.isOpen ?? false)) believed.push(offer);
    }
    if (market) await rows.saveMarket(tx, { isOpen: market.isOpen, heardAt: ctx.now() });
    return history.feed(ctx, tx, believed, standing.get("bank USD_RUB")?.valueE4 ?? null);
  });
  fed();
  lookAgain(ctx);
  await tellSilence(ctx);
}

/** The five rates with their moves against the previous close; null until gold, silver and the dollar were each heard once. At most a second old. */
export async function courses(ctx: Ctx): Promise<Courses | null> {
  const book = await remembered(ctx);
  const fresh = freshness(ctx, book);
  if (!book.gold || !book.silver || !book.dollar || !fresh) return null;
  const version = Math.max(book.gold.id, book.silver.id, book.dollar.id);
  return { time: fresh.heardAt, courses: coursesFrom(book.gold, book.silver, book.dollar), stale: fresh.isStale, version };
}

/**
 * Whether the exchange trades, as last heard (closed until anything was heard; at most a second old), and until when and why by the
 * calendar of the settings: the exchange decides what is, the calendar what to expect.
 */
export async function market(ctx: Ctx): Promise<Market> {
  const { market: status } = await remembered(ctx);
  const { market: calendar } = ctx.settings;
  const now = ctx.now();
  if (status?.isOpen) return { isOpen: true, until: presentClose(calendar, now), reason: null };
  const reason = reasonAt(calendar, now);
  return { isOpen: false, until: reason === "halt" ? null : nextOpening(calendar, now), reason }; // nobody knows when a halt ends
}

/** What prices are made from: the newest accepted metals in 1/10 000 ₽ per gram, straight from the rows; null until both were heard. */
export async function metals(db: Db, ctx: Ctx): Promise<(Freshness & { goldE4: number; silverE4: number }) | null> {
  const book = await readBook(db);
  const fresh = freshness(ctx, book);
  if (!book.gold || !book.silver || !fresh) return null;
  return { ...fresh, goldE4: book.gold.valueE4, silverE4: book.silver.valueE4 };
}

/** How a reading of this value (1/10 000 ₽) would be judged right now, without telling anybody: the demonstration refuses what the shop would. */
export async function verdictOn(ctx: Ctx, code: RateCode, valueE4: number): Promise<Verdict> {
  const standing = await rows.standing(ctx.db);
  const source = code === "USD_RUB" ? "bank" : "exchange";
  const last = standing.get(`${source} ${code}`) ?? null;
  const known = {
    now: ctx.now(),
    last,
    usualE4: await usual(ctx, ctx.db, { source, code }, standing),
    refusedJump: null,
    isDaily: source === "bank",
  };
  return judge({ valueE4, observedAt: last?.observedAt ?? ctx.now() }, known, ctx.settings.limits);
}

/** Keeps every reading of the last two days and one a minute of those before, and the candles that some range still reaches; looks a week back, so it may have slept. */
export async function thin(ctx: Ctx): Promise<void> {
  const till = plus(ctx.now(), -days(2));
  const gone = await rows.thin(ctx.db, { from: plus(till, -days(7)), till });
  if (gone > 0) ctx.log.info({ count: gone }, "rates thinned");
  await history.thin(ctx);
}

// One answer of a source, or null when there was none to use.
async function heard<T>(ctx: Ctx, op: string, ask: () => Promise<T>): Promise<T | null> {
  try {
    return await ask();
  } catch (error) {
    if (error instanceof WrongRates) ctx.alarm("rates.refused", { source: op, reason: error.message });
    else ctx.log.warn({ op, reason: error instanceof Error ? error.message : String(error) }, "rate source is silent");
    return null;
  }
}

type Offer = Rate & { source: Source; observedAt: Date };

const fromExchange = (tick: MetalTick): Offer => ({ ...tick, source: "exchange" });
const fromDollar = ({ valueE4, previousE4, effectiveOn }: DollarRate): Offer => ({
  source: "bank",
  code: "USD_RUB",
  valueE4,
  previousCloseE4: previousE4,
  observedAt: fromMoscow(effectiveOn),
});
const fromBank = ({ code, valueE4, effectiveOn }: OfficialMetal): Offer => ({
  source: "bank",
  code,
  valueE4,
  previousCloseE4: null,
  observedAt: fromMoscow(effectiveOn),
});

// A closed or frozen exchange repeats its last price: that is no trade of this minute.
function isNews({ source, valueE4, observedAt }: Offer, last: RateRow | undefined, isOpen: boolean): boolean {
  if (source === "bank" || !last || last.valueE4 !== valueE4) return true;
  return isOpen && observedAt > last.observedAt;
}

async function store(ctx: Ctx, tx: Tx, { observedAt, source, ...rate }: Offer, standing: rows.Standing, jumps: Jumps): Promise<boolean> {
  const key = `${source} ${rate.code}` as const;
  const last = standing.get(key) ?? null;
  const isNew = last?.valueE4 !== rate.valueE4; // the value that stands has passed the test against the usual level
  const refused = jumps.get(key) ?? null;
  const usualE4 = isNew ? await usual(ctx, tx, { source, code: rate.code }, standing) : null;
  const known = { now: ctx.now(), last, usualE4, refusedJump: refused, isDaily: source === "bank" };
  const verdict = judge({ valueE4: rate.valueE4, observedAt }, known, ctx.settings.limits);
  if (verdict !== "accepted") {
    // A repetition of the refused tick, or an older one, is no new first reading and does not prolong the wait for a second.
    if (verdict === "jump" && (!refused || observedAt > refused.observedAt))
      jumps.set(key, { valueE4: rate.valueE4, observedAt, pollsLeft: 3 });
    ctx.alarm("rates.refused", { source, code: rate.code, reason: verdict, value: rate.valueE4 / 10_000 });
    return false;
  }
  jumps.delete(key);
  const movedAt = last && observedAt <= last.observedAt ? (last.movedAt ?? last.heardAt) : ctx.now();
  if (last && !isNew) await rows.repeat(tx, last.id, { previousCloseE4: rate.previousCloseE4, observedAt, movedAt }, ctx.now());
  else await rows.append(tx, source, rate, { observedAt, movedAt }, ctx.now());
  return true;
}

/**
 * The level a new value is held against: the median of a day's accepted readings. After a day without any, the Bank of Russia's
 * price, if it is of this week, says where the metal is, so that a real move of the holidays passes.
 */
async function usual(
  ctx: Ctx,
  db: Db,
  { source, code }: { source: Source; code: RateCode },
  standing: rows.Standing,
): Promise<number | null> {
  const median = await dayMedian(ctx, db, source, code);
  if (median !== null || source === "bank") return median;
  const official = standing.get(`bank ${code}`);
  return official && official.observedAt > plus(ctx.now(), -days(7)) ? official.valueE4 : null;
}

// A scan of a day's rows, and a day's median hardly moves: one scan a minute is enough.
async function dayMedian(ctx: Ctx, db: Db, source: Source, code: RateCode): Promise<number | null> {
  const medians = ctx.held("rates.medians", () => new Map<string, { value: number; at: number }>());
  const key = `${source} ${code}`;
  const known = medians.get(key);
  const now = ctx.now().getTime();
  if (known && Math.abs(now - known.at) < minutes(1)) return known.value;
  const value = await rows.medianSince(db, source, code, plus(ctx.now(), -days(1)));
  if (value !== null) medians.set(key, { value, at: now });
  return value;
}

async function isOfficialDue(ctx: Ctx): Promise<boolean> {
  const { official } = await remembered(ctx);
  return official.length < metalCodes.length || official.some(({ heardAt }) => heardAt <= plus(ctx.now(), -hours(1)));
}

// Prices are set on working days: two weeks reach over the longest holidays. Only the newest that is in force counts.
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

// A refused jump waits three polls for a second opinion. In memory: a restart costs one more poll.
function agedJumps(ctx: Ctx): Jumps {
  const jumps: Jumps = ctx.held("rates.jumps", () => new Map());
  for (const [key, jump] of jumps) {
    if (jump.pollsLeft === 0) jumps.delete(key);
    else jump.pollsLeft -= 1;
  }
  return jumps;
}

type Book = { gold: RateRow | null; silver: RateRow | null; dollar: RateRow | null; official: RateRow[]; market: MarketRow | null };

async function readBook(db: Db): Promise<Book> {
  const standing = await rows.standing(db);
  const market = await rows.market(db);
  return {
    gold: standing.get("exchange XAU_RUB") ?? null,
    silver: standing.get("exchange XAG_RUB") ?? null,
    dollar: standing.get("bank USD_RUB") ?? null,
    official: metalCodes.flatMap((code) => standing.get(`bank ${code}`) ?? []),
    market,
  };
}

type Memory = { book: Promise<Book> | null; readAt: number };
const memory = (ctx: Ctx): Memory => ctx.held("rates.book", () => ({ book: null, readAt: 0 }));

/** Forgets what was read within the last second: the next reader sees what stands now. */
export const lookAgain = (ctx: Ctx): void => {
  memory(ctx).book = null;
};

/** Every page shows the rates: one read a second serves them all. */
async function remembered(ctx: Ctx): Promise<Book> {
  const held = memory(ctx);
  const now = ctx.now().getTime();
  if (!held.book || Math.abs(now - held.readAt) >= seconds(1)) {
    held.readAt = now;
    held.book = readBook(ctx.db);
    held.book.catch(() => lookAgain(ctx)); // the next reader asks again
  }
  return held.book;
}

function freshness(ctx: Ctx, { gold, silver, market: status }: Book): Freshness | null {
  if (!gold || !silver) return null;
  const { ratesStaleSeconds, ratesDeadSeconds, ratesDelaySeconds } = ctx.settings.limits;
  if (!status?.isOpen) return { heardAt: earlier(gold.heardAt, silver.heardAt), isStale: false, isDead: false }; // a closed exchange has nothing to say
  const heardAt = earlier(newsAt(gold, ratesDelaySeconds), newsAt(silver, ratesDelaySeconds));
  // The first trade of a session may come a little after its opening: until then the time of the last session stands by right.
  const since = status.openedAt && status.openedAt > heardAt ? status.openedAt : heardAt;
  const silence = ctx.now().getTime() - since.getTime();
  return { heardAt, isStale: silence > seconds(ratesStaleSeconds), isDead: silence > seconds(ratesDeadSeconds) };
}

/**
 * When the source last had something new to say: when its own time last moved, and no later than that time with the delay at which
 * the source publishes, so that an old tick heard for the first time is not news.
 */
function newsAt({ observedAt, heardAt, movedAt }: RateRow, delaySeconds: number): Date {
  return earlier(movedAt ?? heardAt, plus(observedAt, seconds(delaySeconds)));
}

const earlier = (a: Date, b: Date): Date => (a < b ? a : b);

// One alarm per silence, and one more each ten minutes that it lasts.
async function tellSilence(ctx: Ctx): Promise<void> {
  const told = ctx.held("rates.silence", () => ({ at: null as Date | null }));
  const fresh = freshness(ctx, await remembered(ctx));
  if (!fresh?.isStale) told.at = null;
  else if (!told.at || plus(told.at, minutes(10)) <= ctx.now()) {
    told.at = ctx.now();
    ctx.alarm("rates.stale", { silentSeconds: Math.round((ctx.now().getTime() - fresh.heardAt.getTime()) / 1000) });
  }
}
