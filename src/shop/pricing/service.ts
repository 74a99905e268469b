import { inTransaction, type Db, type Tx } from "#kit/db.ts";
import { withoutDeadline } from "#kit/concurrency/deadline.ts";
import { seconds } from "#kit/time.ts";
import type { Ctx } from "#shop/context.ts";
import * as rates from "#shop/rates/service.ts";
import type { PriceList } from "./price.ts";
import * as rows from "./repository.ts";

/**
 * Adds the next version of the price list when a metal rate differs from that of the newest list; returns the current list.
 * Idempotent, also from several processes at once.
 */
export async function refresh(ctx: Ctx): Promise<PriceList> {
  const metals = await rates.currentMetals(ctx.db, ctx);
  if (metals && hasChanged(metals, await rows.newest(ctx.db))) {
    await inTransaction(ctx.db, async (tx) => {
      await rows.lockLists(tx);
      const [metalsNow, newest] = [await rates.currentMetals(tx, ctx), await rows.newest(tx)];
      if (metalsNow && hasChanged(metalsNow, newest))
        await rows.append(tx, { goldE4: metalsNow.goldE4, silverE4: metalsNow.silverE4, ratesAt: metalsNow.heardAt, madeAt: ctx.now() });
    });
  }
  invalidateCache(ctx);
  return current(ctx);
}

/**
 * Locks the price list until the transaction ends: changes of prices run one after another. Taken before any row of a coin.
 * `appendVersion` adds the version that shows the change.
 */
export const lockPrices = (tx: Tx): Promise<void> => rows.lockLists(tx);

/**
 * Adds a version of the price list with the same rates, in the transaction of a change of prices: pages, streams and the index of the
 * catalogue follow it as they follow a rate. Null before the first rates.
 */
export const appendVersion = (tx: Tx, ctx: Ctx): Promise<number | null> => rows.appendSame(tx, ctx.now());

/** The list that pages show prices from, cached for one second. Before the first rates: version 0, no metal rates, dead. */
export async function current(ctx: Ctx): Promise<PriceList> {
  const cache = memory(ctx);
  const now = ctx.now().getTime();
  if (!cache.list || Math.abs(now - cache.readAt) >= seconds(1)) {
    cache.readAt = now;
    cache.read = null;
    cache.list = withoutDeadline(() => latest(ctx.db, ctx)); // for every request of this second
    cache.list.catch(() => (cache.list = null)); // a failed read is not cached
  }
  const { list: read } = cache;
  const list = (await read) ?? emptyList;
  if (cache.list === read) cache.read = list;
  return list;
}

/**
 * The shortest time between two readings for requests that have seen a newer list: an invented version must not read it at every request.
 */
const rereadMs = 100;

/**
 * Reads the list again if a page has seen a newer version at another process, so that its prices do not step back. Waits at most about 0.3
 * s; after that the version was invented, or the reading is of a database that does not have it.
 */
export async function catchUp(ctx: Ctx, seen: number): Promise<void> {
  const cache = memory(ctx);
  // The first reading may have begun before the version was committed.
  for (let readings = 0; readings < 2 && seen > (await current(ctx)).version; readings += 1)
    await (cache.rereading ??= reread(ctx, cache).finally(() => (cache.rereading = null)));
}

async function reread(ctx: Ctx, cache: CachedList): Promise<void> {
  const pause = cache.rereadAt + rereadMs - performance.now();
  if (pause > 0) await new Promise((resolve) => setTimeout(resolve, pause));
  cache.rereadAt = performance.now();
  invalidateCache(ctx);
  rates.invalidateCache(ctx);
  await current(ctx);
}

/** The version that `current` would return without waiting; null: it must read the list first. */
export function currentVersion(ctx: Ctx): number | null {
  const { list, read, readAt } = memory(ctx);
  return list && read && Math.abs(ctx.now().getTime() - readAt) < seconds(1) ? read.version : null;
}

/** Drops the cached list: the next call reads it again. */
export const invalidateCache = (ctx: Ctx): void => {
  Object.assign(memory(ctx), { list: null, read: null });
};

/** The newest list, read without the cache, for amounts that are charged; null before the first rates. */
export async function latest(db: Db, ctx: Ctx): Promise<PriceList | null> {
  const { list, metals, steps, promos } = await rows.newestWithMetals(db, (tx) => rates.metalsBatch(tx, ctx));
  return list && metals && { ...list, ratesAt: metals.heardAt, isStale: metals.isStale, isDead: metals.isDead, steps, promos };
}

/** The metal rates of an earlier version, for prices that were promised by it: no steps or promos, never stale. Null: no such version. */
export async function ofVersion({ db }: Pick<Ctx, "db">, version: number): Promise<PriceList | null> {
  const list = await rows.byVersion(db, version);
  return list && { ...list, isStale: false, isDead: false };
}

const emptyList: PriceList = { version: 0, goldE4: 0, silverE4: 0, ratesAt: new Date(0), madeAt: new Date(0), isStale: true, isDead: true };

const hasChanged = (metals: { goldE4: number; silverE4: number }, list: rows.PriceListRow | null): boolean =>
  list === null || list.goldE4 !== metals.goldE4 || list.silverE4 !== metals.silverE4;

/** `read`: the result of `list`, once there is one. */
type CachedList = {
  list: Promise<PriceList | null> | null;
  read: PriceList | null;
  readAt: number;
  rereading: Promise<void> | null;
  rereadAt: number;
};
const memory = (ctx: Ctx): CachedList =>
  ctx.singleton("pricing.current", () => ({ list: null, read: null, readAt: 0, rereading: null, rereadAt: -Infinity }));
