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
export const ids = async (ctx: Ctx, owner: OwnerKey | null, list: ListName): Promise<number[]> => (owner ? rows.ids(ctx.db, owner, list) : []);

/**
 * Adds a coin and answers the list; a coin that is in it already stays where it is.
 * Refuses with `product.not_found`, and with `wishlist.full` or `compare.full` when there is no room.
 */
export async function add(ctx: Ctx, owner: OwnerKey, list: ListName, coinId: number): Promise<Result<number[], ListError>> {
  const [coin] = await catalog.coinsByIds(ctx.db, [coinId]);
  if (!coin?.isPublished) return fail({ code: "product.not_found" });
  const limit = limitOf(list, ctx.settings.limits);
  const hasRoom = await inTransaction(ctx.db, async (tx) => {
    await rows.lock(tx, owner, list);
    if (await rows.has(tx, owner, list, coinId)) return true;
    if ((await rows.countOf(tx, owner, list)) >= limit) return false;
    await rows.put(tx, owner, list, coinId, ctx.now());
    return true;
  });
  return hasRoom ? done(await ids(ctx, owner, list)) : fail({ code: `${list}.full`, limit });
}

/** Takes a coin out and answers the list; one that is not in it is no fault, one that the shop never had is `product.not_found`. */
export async function remove(ctx: Ctx, owner: OwnerKey | null, list: ListName, coinId: number): Promise<Result<number[], ListError>> {
  const [coin] = await catalog.coinsByIds(ctx.db, [coinId]);
  if (!coin) return fail({ code: "product.not_found" });
  if (owner) await rows.drop(ctx.db, owner, list, coinId);
  return done(await ids(ctx, owner, list));
}

export async function clear(ctx: Ctx, owner: OwnerKey | null, list: ListName): Promise<number[]> {
  if (owner) await rows.drop(ctx.db, owner, list);
  return [];
}

/**
 * Moves both lists of a browser to the customer who signs in there: unions, the newest of the browser's first
 * until the list is full. The browser's lists are empty afterwards.
 */
export async function merge(tx: Tx, ctx: Ctx, from: OwnerKey, to: OwnerKey): Promise<void> {
  if (from === to) return;
  for (const list of ["wishlist", "compare"] as const) {
    for (const owner of [from, to].sort()) await rows.lock(tx, owner, list);
    const brought = await rows.takeAll(tx, from, list);
    if (brought.length === 0) continue;
    const own = new Set(await rows.ids(tx, to, list));
    const room = Math.max(0, limitOf(list, ctx.settings.limits) - own.size);
    const fresh = brought.filter(({ coinId }) => !own.has(coinId));
    for (const { coinId, addedAt } of room > 0 ? fresh.slice(-room) : []) await rows.put(tx, to, list, coinId, addedAt);
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
