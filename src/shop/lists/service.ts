import { inTransaction, type Tx } from "#kit/db.ts";
import { done, fail, type Result } from "#kit/result.ts";
import { days, plus } from "#kit/time.ts";
import * as catalog from "#shop/catalog/service.ts";
import type { Ctx, OwnerKey } from "#shop/context.ts";
import { limitOf, type ListError, type ListName } from "./list.ts";
import * as rows from "./repository.ts";

/** As long as a guest's cookie lives; after that nobody can reach the list any more. */
const guestListDays = 365;

/** Ids of the coins in a list, newest first; nobody's list is empty. */
export const ids = async (ctx: Ctx, owner: OwnerKey | null, list: ListName): Promise<number[]> =>
  owner ? rows.ids(ctx.db, owner, list) : [];

/**
 * Adds a coin and answers the list; a coin that is in it already stays where it is.
 * Refuses with `product.not_found`, and with `wishlist.full` or `compare.full` when there is no room.
 */
export async function add(ctx: Ctx, owner: OwnerKey, list: ListName, coinId: number): Promise<Result<number[], ListError>> {
  const [coin] = await catalog.coinsByIds(ctx.db, [coinId]);
  if (!coin?.isPublished) return fail({ code: "product.not_found" });
  const limit = limitOf(list, ctx.settings.limits);
  const now = await inTransaction(ctx.db, (tx) => rows.add(tx, owner, list, coinId, limit, ctx.now()));
  return now.includes(coinId) ? done(now) : fail({ code: `${list}.full`, limit });
}

/** Takes a coin out and answers the list; one that is not in it is no fault, one that the shop never had is `product.not_found`. */
export async function remove(ctx: Ctx, owner: OwnerKey | null, list: ListName, coinId: number): Promise<Result<number[], ListError>> {
  const [coin] = await catalog.coinsByIds(ctx.db, [coinId]);
  if (!coin) return fail({ code: "product.not_found" });
  if (!owner) return done([]);
  return done(await inTransaction(ctx.db, (tx) => rows.remove(tx, owner, list, coinId)));
}

export async function clear(ctx: Ctx, owner: OwnerKey | null, list: ListName): Promise<number[]> {
  if (owner) await rows.drop(ctx.db, owner, list);
  return [];
}

/** What a browser's lists held, taken out of them. */
type Brought = { list: ListName; entries: { coinId: number; addedAt: Date }[] }[];
const listNames = ["wishlist", "compare"] as const;

/**
 * Empties both lists of a browser for the customer who signs in there, and hands out what was in them; `bringTo` puts it into his.
 * Everybody takes the lists of the browser first and those of the customer behind them.
 */
export async function takeFrom(tx: Tx, from: OwnerKey): Promise<Brought> {
  const brought: Brought = [];
  for (const list of listNames) brought.push({ list, entries: await rows.takeAll(tx, from, list) });
  return brought;
}

/** The union, the newest of what was brought first until a list is full. The caller's transaction is that of `takeFrom`. */
export async function bringTo(tx: Tx, ctx: Ctx, to: OwnerKey, brought: Brought): Promise<void> {
  for (const { list, entries } of brought) {
    if (entries.length === 0) continue;
    const there = await rows.lockIds(tx, to, list);
    const room = Math.max(0, limitOf(list, ctx.settings.limits) - there.length);
    const fresh = entries.filter(({ coinId }) => !there.includes(coinId));
    if (room > 0 && fresh.length > 0) await rows.putAll(tx, to, list, fresh.slice(-room));
  }
}

/** Lets go of guests' lists to which nothing was added for a year. */
export async function sweepForgotten(ctx: Ctx): Promise<void> {
  await rows.dropGuestEntries(ctx.db, plus(ctx.now(), -days(guestListDays)));
}

/** Empties both lists of an owner who is going for good. */
export async function forget(tx: Tx, owner: OwnerKey): Promise<void> {
  for (const list of ["wishlist", "compare"] as const) await rows.drop(tx, owner, list);
}
