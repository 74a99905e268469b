import type { Db } from "#kit/db.ts";
import { inTransaction } from "#kit/db.ts";
import { seconds } from "#kit/time.ts";
import type { Ctx } from "#shop/context.ts";
import * as rates from "#shop/rates/service.ts";
import type { PriceList } from "./price.ts";
import * as rows from "./repository.ts";

/**
 * Makes the next version of the price list when an accepted rate differs from the one the newest list was made from,
 * and answers the list that then holds. Safe to repeat, and from several processes at once.
 */
export async function refresh(ctx: Ctx): Promise<PriceList> {
  const metals = await rates.metals(ctx.db, ctx);
  if (metals && hasMoved(metals, await rows.newest(ctx.db))) {
    await inTransaction(ctx.db, async (tx) => {
      await rows.lockLists(tx);
      const [heard, newest] = [await rates.metals(tx, ctx), await rows.newest(tx)];
      if (heard && hasMoved(heard, newest))
        await rows.append(tx, { goldE4: heard.goldE4, silverE4: heard.silverE4, ratesAt: heard.heardAt, madeAt: ctx.now() });
    });
  }
  lookAgain(ctx);
  return current(ctx);
}

/** The list that prices are shown from, at most a second old in this process. Before the first rates: version 0, no metals, dead. */
export async function current(ctx: Ctx): Promise<PriceList> {
  const held = memory(ctx);
  const now = ctx.now().getTime();
  if (!held.list || Math.abs(now - held.readAt) >= seconds(1)) {
    held.readAt = now;
    held.list = latest(ctx.db, ctx);
    held.list.catch(() => (held.list = null)); // the next reader asks again
  }
  return (await held.list) ?? unheard;
}

/** Forgets what was read within the last second: the next reader sees the list that stands now. */
export const lookAgain = (ctx: Ctx): void => {
  memory(ctx).list = null;
};

/** The newest list straight from its row, for what is charged; null before the first rates. */
export async function latest(db: Db, ctx: Ctx): Promise<PriceList | null> {
  const list = await rows.newest(db);
  const metals = await rates.metals(db, ctx); // after the list, so that it is not older
  return list && metals && { ...list, ratesAt: metals.heardAt, isStale: metals.isStale, isDead: metals.isDead };
}

const unheard: PriceList = { version: 0, goldE4: 0, silverE4: 0, ratesAt: new Date(0), madeAt: new Date(0), isStale: true, isDead: true };

const hasMoved = (metals: { goldE4: number; silverE4: number }, list: rows.PriceListRow | null): boolean =>
  list === null || list.goldE4 !== metals.goldE4 || list.silverE4 !== metals.silverE4;

const memory = (ctx: Ctx): { list: Promise<PriceList | null> | null; readAt: number } =>
  ctx.held("pricing.current", () => ({ list: null, readAt: 0 }));
