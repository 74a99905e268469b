import { inTransaction, isTrue, type Db, type Expression, type Tx } from "#kit/db.ts";
import { done, fail, type Result } from "#kit/result.ts";
import { days, plus } from "#kit/time.ts";
import { step } from "#kit/transitions.ts";
import { actorText } from "#shop/actor.ts";
import { isSamePrices, pricesOnly, type CoinPrices, type PricedRow } from "#shop/catalog/prices/prices.ts";
import * as catalog from "#shop/catalog/prices/service.ts";
import type { Ctx } from "#shop/context.ts";
import { approvalReasonOf, isPlausible, pricesAfter, priceRow, type PriceRow } from "../changes/price-change.ts";
import { regular } from "../price.ts";
import * as pricing from "../service.ts";
import { settledPrice, settledReach, type PastPrices } from "./crossed-out.ts";
import { promoStates, type Promo, type PromoAction, type PricePromoError, type PromoItem } from "./promo.ts";
import * as rows from "./repository.ts";

/** The coins with the prices that the clerk saw, as in a price change. */
export type NewPromo = {
  action: PromoAction;
  coins: readonly { coinId: number; seen: CoinPrices }[];
  label: string;
  startsAt: Date;
  endsAt: Date;
};

/** A coin that gets cheaper. Coins with other prices than were seen, and those that would not get cheaper, are left out. */
type Planned = { coin: PricedRow; after: CoinPrices };

async function planned(db: Db, { action, coins }: Pick<NewPromo, "action" | "coins">): Promise<Planned[]> {
  const seen = new Map(coins.map((coin) => [coin.coinId, coin.seen]));
  const known = await catalog.pricedCoins(db, { ids: [...seen.keys()] });
  return known.flatMap((coin) => {
    const before = seen.get(coin.id);
    const after = pricesAfter(action, coin);
    return before && after && isSamePrices(coin, before) && isCheaper(coin, after) && isPlausible(after) ? [{ coin, after }] : [];
  });
}

const isCheaper = (coin: PricedRow, after: CoinPrices): boolean =>
  coin.kind === "bullion"
    ? after.premiumBp < coin.premiumBp
    : coin.fixedPriceKopecks !== null && after.fixedPriceKopecks !== null && after.fixedPriceKopecks < coin.fixedPriceKopecks;

async function reasonOf(ctx: Ctx, plan: readonly Planned[]): Promise<string | null> {
  const list = regular((await pricing.latest(ctx.db, ctx)) ?? (await pricing.current(ctx)));
  const priced: PriceRow[] = plan.map(({ coin, after }) => priceRow(coin, after, list, 0));
  return approvalReasonOf(priced, ctx.settings.limits);
}

/** Why a second person must approve this promo, by the same limits as a price change; null: not needed. */
export const reasonFor = async (ctx: Ctx, promo: NewPromo): Promise<string | null> => reasonOf(ctx, await planned(ctx.db, promo));

/** The coins that a promo would make cheaper, before and after; writes nothing. */
export const preview = async (ctx: Ctx, promo: NewPromo) =>
  (await planned(ctx.db, promo)).map(({ coin, after }) => ({ coinId: coin.id, title: coin.title, before: pricesOnly(coin), after }));

/**
 * Stores a promo, and starts it at once when its time has come. Refuses with `price_promo.overlaps` when a coin has another one in that
 * time, `price_promo.nothing` when no coin would get cheaper, `price_promo.past`, `price_promo.too_long` and `price_promo.too_many`.
 *
 * The caller has the approval of a second person where `reasonFor` gives a reason.
 */
export function create(ctx: Ctx, promo: NewPromo): Promise<Result<Promo, PricePromoError>> {
  return inTransaction(ctx.db, async (tx) => {
    const { priceChangeCoins, promoDays } = ctx.settings.limits;
    if (promo.coins.length > priceChangeCoins) return fail({ code: "price_promo.too_many", limit: priceChangeCoins });
    if (promo.endsAt <= ctx.now()) return fail({ code: "price_promo.past" });
    if (promo.endsAt > plus(promo.startsAt, days(promoDays))) return fail({ code: "price_promo.too_long", days: promoDays });
    await pricing.lockPrices(tx);
    const plan = await planned(tx, promo);
    if (plan.length === 0) return fail({ code: "price_promo.nothing" });
    const ids = plan.map(({ coin }) => coin.id);
    const other = await rows.overlapping(tx, ids, { from: promo.startsAt, till: promo.endsAt });
    if (other) {
      const { label, startsAt: from, endsAt: till } = other.promo;
      const titles = plan.filter(({ coin }) => other.coinIds.includes(coin.id)).map(({ coin }) => coin.title);
      return fail({ code: "price_promo.overlaps", label, from, till, titles });
    }
    const id = await rows.insert(
      tx,
      {
        action: promo.action,
        label: promo.label,
        startsAt: promo.startsAt,
        endsAt: promo.endsAt,
        coins: plan.length,
        createdAt: ctx.now(),
        createdBy: actorText(ctx.actor),
        approvalReason: await reasonOf({ ...ctx, db: tx }, plan),
      },
      plan.map(({ coin, after }) => ({
        coinId: coin.id,
        premiumBefore: coin.premiumBp,
        fixedPriceBefore: coin.fixedPriceKopecks,
        premiumBp: coin.kind === "bullion" ? after.premiumBp : null,
        fixedPriceKopecks: coin.kind === "bullion" ? null : after.fixedPriceKopecks,
      })),
    );
    if (promo.startsAt <= ctx.now()) await start(tx, ctx, await found(tx, id));
    return done(await found(tx, id));
  });
}

/** Ends a running promo at once, or cancels one that waits. The coins' own prices hold again. Refuses with `price_promo.closed`. */
export function stop(ctx: Ctx, id: number): Promise<Result<Promo, PricePromoError>> {
  return inTransaction(ctx.db, async (tx) => {
    await pricing.lockPrices(tx);
    const promo = await rows.lock(tx, id);
    if (!promo) return fail({ code: "price_promo.not_found" });
    const closedBy = actorText(ctx.actor);
    if (promo.state === "running") await end(tx, ctx, promo, closedBy);
    else if (promo.state === "scheduled") await rows.update(tx, id, { state: "cancelled", closedBy });
    else return fail({ code: "price_promo.closed" });
    return done(await found(tx, id));
  });
}

/**
 * Starts and ends the promos whose time has come, each in a transaction of its own and once, whatever processes or restarts are in between.
 */
export async function applyDue(ctx: Ctx): Promise<void> {
  while ((await isTrue(ctx.db, rows.hasDue(ctx.now()))) && (await inTransaction(ctx.db, (tx) => applyOneDue(tx, ctx))));
}

/** Whether `applyDue` has something to do. */
export const hasDue = (ctx: Ctx): Expression => rows.hasDue(ctx.now());

/** Starts, ends or marks as missed one promo that is due; false: none is. */
async function applyOneDue(tx: Tx, ctx: Ctx): Promise<boolean> {
  await pricing.lockPrices(tx);
  const due = await rows.lockDue(tx, ctx.now());
  if (!due) return false;
  if (due.state === "running") await end(tx, ctx, due, null);
  else if (due.endsAt <= ctx.now()) await rows.update(tx, due.id, { state: moved(due, "miss") });
  else await start(tx, ctx, due);
  return true;
}

const moved = (promo: Promo, event: "start" | "refuse" | "end" | "miss"): Promo["state"] => {
  const move = step(promoStates, promo.state, event);
  if (move.kind !== "moved") throw new Error(`promo ${promo.id} is ${promo.state}, not to ${event}`);
  return move.to;
};

/**
 * Starts a promo and adds the version of the price list that contains its prices. Coins that do not exist any more, or cost less without
 * the promo, keep their prices. A promo that would need an approval by now and has none becomes `refused`.
 */
async function start(tx: Tx, ctx: Ctx, promo: Promo): Promise<void> {
  const items = await rows.items(tx, promo.id);
  const coins = new Map((await catalog.pricedCoins(tx, { ids: items.map(({ coinId }) => coinId) })).map((coin) => [coin.id, coin]));
  const plan = items.flatMap(({ coinId, premiumBp, fixedPriceKopecks }): Planned[] => {
    const coin = coins.get(coinId);
    if (!coin) return [];
    const own = pricesOnly(coin);
    return [{ coin, after: premiumBp === null ? { ...own, fixedPriceKopecks } : { ...own, premiumBp } }];
  });
  const reason = promo.approvalReason === null ? await reasonOf({ ...ctx, db: tx }, plan) : null;
  if (reason !== null) {
    await rows.update(tx, promo.id, { state: moved(promo, "refuse"), refusal: reason });
    return;
  }
  const settled = await settledPrices(tx, ctx, [...coins.values()]);
  await rows.saveSettled(tx, promo.id, settled);
  await rows.update(tx, promo.id, { state: moved(promo, "start"), startedAt: ctx.now(), crossedOut: settled.size });
  await pricing.appendVersion(tx, ctx);
  pricing.invalidateCache(ctx);
}

async function end(tx: Tx, ctx: Ctx, promo: Promo, closedBy: string | null): Promise<void> {
  await rows.update(tx, promo.id, { state: moved(promo, "end"), endedAt: ctx.now(), closedBy });
  await pricing.appendVersion(tx, ctx);
  pricing.invalidateCache(ctx);
}

/** Running promos cross out no former price of these coins any more. */
export const forgetSettled = async (tx: Tx, coinIds: readonly number[]): Promise<void> =>
  coinIds.length === 0 ? undefined : rows.forgetSettled(tx, coinIds);

/** The former prices that may be shown, from the stored history of the settled days on sale until now. */
async function settledPrices(tx: Tx, ctx: Ctx, coins: readonly PricedRow[]) {
  const till = ctx.now();
  const settledDays = ctx.settings.limits.promoSettledDays;
  const from = settledReach(till, settledDays);
  const ids = coins.map(({ id }) => id);
  const lists = await rows.ratesSince(tx, from);
  const changes = Map.groupBy(await rows.changesSince(tx, ids, from), ({ coinId }) => coinId);
  const promos = Map.groupBy(await rows.endedSince(tx, ids, from), ({ coinId }) => coinId);
  const onSale = await catalog.salePeriods(tx, ids, from);
  const found = new Map<number, NonNullable<ReturnType<typeof settledPrice>>>();
  for (const coin of coins) {
    const changed = changes.get(coin.id) ?? [];
    const [first] = changed;
    const beginning = first
      ? { premiumBp: first.premiumBefore, fixedPriceKopecks: first.fixedPriceBefore }
      : { premiumBp: coin.premiumBp, fixedPriceKopecks: coin.fixedPriceKopecks };
    const history: PastPrices = {
      rates: lists
        .map((list) => ({ from: list.from, rateE4: coin.metal === "gold" ? list.goldE4 : list.silverE4 }))
        .filter(({ rateE4 }) => rateE4 > 0),
      prices: [
        { from: new Date(0), ...beginning },
        ...changed.map((each) => ({ from: each.at, premiumBp: each.premiumAfter, fixedPriceKopecks: each.fixedPriceAfter })),
      ],
      promos: promos.get(coin.id) ?? [],
      onSale: onSale.get(coin.id) ?? [],
    };
    const amount = settledPrice(coin, history, { till, settledDays });
    if (amount !== null) found.set(coin.id, amount);
  }
  return found;
}

async function found(db: Db, id: number): Promise<Promo> {
  const stored = await rows.find(db, id);
  if (!stored) throw new Error(`promo ${id} is gone`);
  return stored;
}

/** Promos, newest first; `before`: the id of the last one of the page before. */
export const list = (db: Db, page: { before: number | null; limit: number }): Promise<Promo[]> => rows.list(db, page);

/** A promo and a page of its coins, by id; null: there is none. */
export async function read(
  db: Db,
  id: number,
  page: { after: number; limit: number },
): Promise<{ promo: Promo; items: PromoItem[] } | null> {
  const promo = await rows.find(db, id);
  if (!promo) return null;
  const items = await rows.items(db, id, page);
  const titles = new Map((await catalog.pricedCoins(db, { ids: items.map(({ coinId }) => coinId) })).map((coin) => [coin.id, coin.title]));
  return { promo, items: items.map((item) => ({ ...item, title: titles.get(item.coinId) ?? String(item.coinId) })) };
}
