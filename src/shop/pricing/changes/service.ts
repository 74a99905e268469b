import { inTransaction, isTrue, type Db, type Expression, type Tx } from "#kit/db.ts";
import { done, fail, type Result } from "#kit/result.ts";
import { step } from "#kit/transitions.ts";
import { actorText } from "#shop/actor.ts";
import { isSamePrices, pricesOnly, type CoinFilter, type CoinPrices, type PricedRow } from "#shop/catalog/prices/prices.ts";
import * as catalog from "#shop/catalog/prices/service.ts";
import type { Ctx } from "#shop/context.ts";
import * as stock from "#shop/stock/service.ts";
import * as promos from "../promos/service.ts";
import { regular, type PricedCoin, type PriceList } from "../price.ts";
import * as pricing from "../service.ts";
import {
  approvalReasonOf,
  approvalReasonOfFacts,
  approvalReasonOfNew,
  endsPriceHistory,
  isPlausible,
  movesPrice,
  priceChangeStates,
  pricesAfter,
  priceRow,
  summaryOf,
  type FactsChange,
  type PriceAction,
  type PriceChange,
  type PriceChangeItem,
  type PriceRow,
  type PriceSummary,
} from "./price-change.ts";
import * as rows from "./repository.ts";

export type PreviewFilter = CoinFilter & {
  isInStock?: boolean | undefined;
  /** The premium now, hundredths of a percent; for fixed prices that of today's rate. */
  premiumFromBp?: number | undefined;
  premiumTillBp?: number | undefined;
};
export type PricePreview = { rows: PriceRow[]; summary: PriceSummary; list: PriceList };

/** The coins of a filter before and after an action, at today's rates; without an action as they are. Writes nothing. */
export async function preview(ctx: Ctx, filter: PreviewFilter, action: PriceAction | null): Promise<PricePreview> {
  const { isInStock, premiumFromBp = -Infinity, premiumTillBp = Infinity, ...conditions } = filter;
  const [coins, free] = [await catalog.pricedCoins(ctx.db, conditions), await stock.available(ctx.db)];
  const list = regular(await pricing.current(ctx)); // a change is about the prices without promos
  const isAnyPremium = premiumFromBp === -Infinity && premiumTillBp === Infinity;
  const found = coins
    .filter(({ id }) => isInStock !== true || (free.get(id) ?? 0) > 0)
    .filter((coin) => action === null || pricesAfter(action, coin) !== null)
    .map((coin) => priceRow(coin, action && pricesAfter(action, coin), list, free.get(coin.id) ?? 0))
    .filter(({ premiumBpBefore: bp }) => isAnyPremium || (bp !== null && bp >= premiumFromBp && bp <= premiumTillBp));
  return { rows: found, summary: summaryOf(found, ctx.settings.limits), list };
}

/** A coin with the prices that the clerk saw before the change. */
export type SeenPrices = { coinId: number; seen: CoinPrices };
export type BulkChange = { action: PriceAction; coins: readonly SeenPrices[]; label: string; dueAt: Date | null };

export type PriceChangeError =
  | { code: "price_change.not_found" }
  | { code: "price_change.nothing" }
  | { code: "price_change.too_many"; limit: number }
  | { code: "price_change.past" }
  | { code: "price_change.not_scheduled" }
  | { code: "price_change.not_applied" };

/** The planned prices of one coin. `before`: what it must still have. */
type Planned = { coin: PricedRow; before: CoinPrices; after: CoinPrices };

async function planned(db: Db, { action, coins }: Pick<BulkChange, "action" | "coins">): Promise<Planned[]> {
  const known = await coinsOf(db, coins);
  return onceEach(coins).flatMap(({ coinId, seen }) => {
    const coin = known.get(coinId);
    const after = coin && pricesAfter(action, { ...seen, kind: coin.kind });
    return coin && after ? [{ coin, before: seen, after }] : [];
  });
}

/** Of several items of one coin the last. */
const onceEach = <T extends { coinId: number }>(items: readonly T[]): T[] => [
  ...new Map(items.map((item) => [item.coinId, item])).values(),
];

const coinsOf = async (db: Db, items: readonly { coinId: number }[]): Promise<Map<number, PricedRow>> =>
  new Map((await catalog.pricedCoins(db, { ids: items.map(({ coinId }) => coinId) })).map((coin) => [coin.id, coin]));

/** The newest list without promos, whatever the cache has. */
const newestList = async (ctx: Ctx): Promise<PriceList> => regular((await pricing.latest(ctx.db, ctx)) ?? (await pricing.current(ctx)));

async function reasonFor(ctx: Ctx, plan: readonly Planned[]): Promise<string | null> {
  const list = await newestList(ctx);
  return approvalReasonOf(
    plan.map(({ coin, before, after }) => priceRow({ ...coin, ...before }, after, list, 0)),
    ctx.settings.limits,
  );
}

/** Why a second person must approve the first prices of new coins, as a Russian sentence; null: not needed. */
export const reasonForNewCoins = async (ctx: Ctx, coins: readonly PricedCoin[]): Promise<string | null> =>
  coins.length === 0 ? null : approvalReasonOfNew(coins, await newestList(ctx));

/** Why a second person must approve edits of the metal, the kind or the pure mass of coins, as a Russian sentence; null: not needed. */
export const reasonForFacts = async (ctx: Ctx, list: readonly FactsChange[]): Promise<string | null> =>
  list.some(movesPrice) ? approvalReasonOfFacts(list, await newestList(ctx), ctx.settings.limits) : null;

/** Locks prices for an edit of facts in the transaction of `ctx.db`: changes of prices wait for it. The first lock of the edit. */
export const lockForFacts = (ctx: Ctx): Promise<void> => inTransaction(ctx.db, (tx) => pricing.lockPrices(tx));

/**
 * After an edit of facts, in the same transaction: adds a version of the price list if the price of a shown coin follows the edit, so that
 * open pages show it. Where earlier prices are no longer former prices of the coin (`endsPriceHistory`), its days on sale count anew, and
 * a running promo crosses nothing out. The caller has locked the prices, and has an approval where `reasonForFacts` gives a reason.
 */
export async function showFacts(ctx: Ctx, list: readonly FactsChange[]): Promise<void> {
  const shown = list.filter((edit) => edit.wasShown && movesPrice(edit));
  if (shown.length === 0) return;
  const ended = shown.filter(endsPriceHistory).flatMap(({ before }) => before.id ?? []);
  await inTransaction(ctx.db, async (tx) => {
    await catalog.restartSales(tx, ended, ctx.now());
    await promos.forgetSettled(tx, ended);
    await pricing.appendVersion(tx, ctx);
  });
  pricing.invalidateCache(ctx);
}

/** Why a second person must approve this change, as a Russian sentence; null: not needed. */
export const reasonForBulk = async (ctx: Ctx, bulk: BulkChange): Promise<string | null> => reasonFor(ctx, await planned(ctx.db, bulk));

/**
 * Applies a change at once, or stores it for `dueAt`. Coins whose prices differ from those that were seen keep them and are reported as
 * stale; coins with prices out of range are left out. Adds a version of the price list in the same transaction.
 *
 * The caller has the approval of a second person where `reasonForBulk` gives a reason.
 */
export function change(ctx: Ctx, bulk: BulkChange): Promise<Result<PriceChange, PriceChangeError>> {
  return inTransaction(ctx.db, async (tx) => {
    const { limits } = ctx.settings;
    if (bulk.coins.length > limits.priceChangeCoins) return fail({ code: "price_change.too_many", limit: limits.priceChangeCoins });
    if (bulk.dueAt !== null && bulk.dueAt <= ctx.now()) return fail({ code: "price_change.past" });
    if (bulk.dueAt === null) await pricing.lockPrices(tx);
    const plan = await planned(tx, bulk);
    const changes = plan.filter(({ before, after }) => !isSamePrices(before, after) && isPlausible(after));
    if (changes.length === 0) return fail({ code: "price_change.nothing" });
    const id = await rows.insert(tx, {
      kind: "bulk",
      state: bulk.dueAt === null ? "applied" : "scheduled",
      action: bulk.action,
      label: bulk.label,
      coins: plan.length,
      createdAt: ctx.now(),
      createdBy: actorText(ctx.actor),
      dueAt: bulk.dueAt,
      appliedAt: bulk.dueAt === null ? ctx.now() : null,
      approvalReason: await reasonFor({ ...ctx, db: tx }, plan),
    });
    if (bulk.dueAt === null) await write(tx, ctx, id, plan);
    else
      await rows.writeItems(
        tx,
        id,
        plan.map(({ coin, before, after }) => ({ coinId: coin.id, before, after, outcome: "waiting" })),
      );
    return done(await found(tx, id));
  });
}

/** New prices of a coin; absent fields stay. */
export type GivenPrices = { coinId: number } & Partial<CoinPrices>;

async function plannedValues(db: Db, given: readonly GivenPrices[]): Promise<Planned[]> {
  const known = await coinsOf(db, given);
  return onceEach(given).flatMap(({ coinId, ...prices }) => {
    const coin = known.get(coinId);
    return coin ? [{ coin, before: pricesOnly(coin), after: { ...pricesOnly(coin), ...prices } }] : [];
  });
}

/** Why a second person must approve these prices; null: not needed. For imports and the editor of coins. */
export const reasonForValues = async (ctx: Ctx, given: readonly GivenPrices[]): Promise<string | null> =>
  reasonFor(ctx, await plannedValues(ctx.db, given));

/**
 * Gives many coins their prices, one by one, at once: for imports and new coins, in the transaction of `ctx.db`. Unknown coins and prices
 * out of range are left out; returns null when nothing differs. The document can be undone like every change.
 */
export function setPrices(ctx: Ctx, given: readonly GivenPrices[], label: string): Promise<PriceChange | null> {
  return inTransaction(ctx.db, async (tx) => {
    await pricing.lockPrices(tx);
    const plan = (await plannedValues(tx, given)).filter(({ before, after }) => !isSamePrices(before, after));
    if (!plan.some(({ after }) => isPlausible(after))) return null;
    const id = await rows.insert(tx, {
      ...applied(ctx),
      kind: "values",
      label,
      coins: plan.length,
      approvalReason: await reasonFor({ ...ctx, db: tx }, plan),
    });
    await write(tx, ctx, id, plan);
    return found(tx, id);
  });
}

/** Why a second person must approve the undoing of a change; null: not needed. */
export async function reasonForUndo(ctx: Ctx, id: number): Promise<string | null> {
  return reasonFor(ctx, await plannedUndo(ctx.db, id));
}

/** Back from `after` to `before`, for the coins that the change changed. */
async function plannedUndo(db: Db, id: number): Promise<Planned[]> {
  const items = (await rows.items(db, id)).filter(({ outcome }) => outcome === "changed");
  const known = await coinsOf(db, items);
  return items.flatMap(({ coinId, before, after }) => {
    const coin = known.get(coinId);
    return coin ? [{ coin, before: after, after: before }] : [];
  });
}

/**
 * Gives the coins of an applied change their former prices again, as a change of its own, which can be undone too. Coins whose prices are
 * not those that the change set keep them and are reported as stale. `price_change.nothing`: that is so for all of them.
 */
export function undo(ctx: Ctx, id: number): Promise<Result<PriceChange, PriceChangeError>> {
  return inTransaction(ctx.db, async (tx) => {
    await pricing.lockPrices(tx);
    const undone = await rows.lock(tx, id);
    if (!undone) return fail({ code: "price_change.not_found" });
    if (undone.state !== "applied") return fail({ code: "price_change.not_applied" });
    const plan = await plannedUndo(tx, id);
    if (!plan.some(({ coin, before }) => isSamePrices(coin, before))) return fail({ code: "price_change.nothing" });
    const undoing = await rows.insert(tx, {
      ...applied(ctx),
      kind: "undo",
      label: undone.label,
      undoes: id,
      coins: plan.length,
      approvalReason: await reasonFor({ ...ctx, db: tx }, plan),
    });
    await write(tx, ctx, undoing, plan);
    return done(await found(tx, undoing));
  });
}

const applied = (ctx: Ctx) => ({
  state: "applied",
  createdAt: ctx.now(),
  createdBy: actorText(ctx.actor),
  appliedAt: ctx.now(),
});

/** Cancels a scheduled change. */
export function cancel(ctx: Ctx, id: number): Promise<Result<PriceChange, PriceChangeError>> {
  return inTransaction(ctx.db, async (tx) => {
    const locked = await rows.lock(tx, id);
    if (!locked) return fail({ code: "price_change.not_found" });
    const move = step(priceChangeStates, locked.state, "cancel");
    if (move.kind === "refused") return fail({ code: "price_change.not_scheduled" });
    if (move.kind === "moved") await rows.update(tx, id, { state: move.to, closedBy: actorText(ctx.actor) });
    return done(await found(tx, id));
  });
}

/**
 * Applies the changes whose time has come, each in a transaction of its own and once, whatever processes or restarts are in between. The
 * prices before are those of that moment. A change that would need an approval by then and has none is refused and stays visible.
 */
export async function applyDue(ctx: Ctx): Promise<void> {
  while ((await isTrue(ctx.db, rows.hasDue(ctx.now()))) && (await inTransaction(ctx.db, (tx) => applyOneDue(tx, ctx))));
}

/** Whether `applyDue` has something to do. */
export const hasDue = (ctx: Ctx): Expression => rows.hasDue(ctx.now());

/** Applies, or refuses, one change that is due; false: none is. */
async function applyOneDue(tx: Tx, ctx: Ctx): Promise<boolean> {
  await pricing.lockPrices(tx);
  const due = await rows.lockDue(tx, ctx.now());
  if (!due) return false;
  const items = await rows.items(tx, due.id);
  const known = await coinsOf(tx, items);
  const plan = items.flatMap(({ coinId }): Planned[] => {
    const coin = known.get(coinId);
    const after = coin && due.action && pricesAfter(due.action, coin);
    return coin && after ? [{ coin, before: pricesOnly(coin), after }] : [];
  });
  const reason = due.approvalReason === null ? await reasonFor({ ...ctx, db: tx }, plan) : null;
  if (reason !== null) {
    await rows.update(tx, due.id, { state: "refused", refusal: reason });
    return true;
  }
  await rows.update(tx, due.id, { state: "applied", appliedAt: ctx.now() });
  await write(tx, ctx, due.id, plan);
  return true;
}

/** Writes the planned prices where they are still as planned, stores the outcome for each coin, and adds the version of the price list. */
async function write(tx: Tx, ctx: Ctx, id: number, plan: readonly Planned[]): Promise<void> {
  const wanted = plan.filter(({ before, after }) => !isSamePrices(before, after) && isPlausible(after));
  const changed = new Set(
    await catalog.writePrices(
      tx,
      wanted.map(({ coin, before, after }) => ({ coinId: coin.id, before, after })),
    ),
  );
  const isWanted = new Set(wanted.map(({ coin }) => coin.id));
  const outcomeOf = ({ coin, before, after }: Planned) => {
    if (changed.has(coin.id)) return "changed";
    if (isWanted.has(coin.id)) return "stale";
    return isSamePrices(before, after) ? "same" : "out_of_range";
  };
  await rows.writeItems(
    tx,
    id,
    plan.map((each) => ({ coinId: each.coin.id, before: each.before, after: each.after, outcome: outcomeOf(each) })),
  );
  const priceListVersion = changed.size > 0 ? await pricing.appendVersion(tx, ctx) : null;
  await rows.update(tx, id, { changed: changed.size, stale: wanted.length - changed.size, priceListVersion });
  pricing.invalidateCache(ctx);
}

async function found(db: Db, id: number): Promise<PriceChange> {
  const stored = await rows.find(db, id);
  if (!stored) throw new Error(`price change ${id} is gone`);
  return stored;
}

/** The newest changes; `before`: the id of the last one of the page before. */
export const list = (db: Db, page: { before: number | null; limit: number }): Promise<PriceChange[]> =>
  rows.list(db, page.before, page.limit);

/** Scheduled changes, soonest first. */
export const scheduled = (db: Db): Promise<PriceChange[]> => rows.scheduled(db, 50);

/** A change and a page of its coins, by id; null: there is none. */
export async function read(
  db: Db,
  id: number,
  page: { after: number; limit: number },
): Promise<{ change: PriceChange; items: PriceChangeItem[] } | null> {
  const stored = await rows.find(db, id);
  if (!stored) return null;
  const items = await rows.items(db, id, page);
  const known = await coinsOf(db, items);
  return { change: stored, items: items.map((item) => ({ ...item, title: known.get(item.coinId)?.title ?? String(item.coinId) })) };
}
