import { batch, inTransaction, type QueryBatch, type Tx } from "#kit/db.ts";
import { done, fail, type Result } from "#kit/result.ts";
import { days, plus } from "#kit/time.ts";
import * as catalog from "#shop/catalog/service.ts";
import type { Ctx, OwnerKey } from "#shop/context.ts";
import { limitOf, type ListError, type ListName } from "./list.ts";
import * as rows from "./repository.ts";

/** No page shows a coin off sale: it stays in a list, takes no place there, and is back when it is on sale again. */
const isShown = catalog.isOnSale(rows.coinIdOfEntry);

/** Ids of the coins on sale in a list, newest first; empty without an owner. */
export const ids = async (ctx: Ctx, owner: OwnerKey | null, list: ListName): Promise<number[]> =>
  owner ? rows.ids(ctx.db, owner, list, isShown) : [];

/** The same with coins off sale, for the customer's own data. */
export const storedIds = (ctx: Ctx, owner: OwnerKey, list: ListName): Promise<number[]> => rows.ids(ctx.db, owner, list);

/**
 * Adds a coin and returns the list; a coin that is already in it keeps its place. Refuses with `product.not_found`, and with
 * `wishlist.full` or `compare.full`.
 */
export async function add(ctx: Ctx, owner: OwnerKey, list: ListName, coinId: number): Promise<Result<number[], ListError>> {
  const [coin] = await catalog.coinsByIds(ctx.db, [coinId]);
  if (!coin?.isPublished) return fail({ code: "product.not_found" });
  const limit = limitOf(list, ctx.settings.limits);
  const now = await inTransaction(ctx.db, (tx) => rows.add(tx, owner, list, coinId, { limit, isShown, at: ctx.now() }));
  return now.includes(coinId) ? done(now) : fail({ code: `${list}.full`, limit });
}

/** Removes a coin and returns the list. Idempotent; refuses with `product.not_found` for an unknown coin. */
export async function remove(ctx: Ctx, owner: OwnerKey | null, list: ListName, coinId: number): Promise<Result<number[], ListError>> {
  const [coin] = await catalog.coinsByIds(ctx.db, [coinId]);
  if (!coin) return fail({ code: "product.not_found" });
  if (!owner) return done([]);
  return done(await inTransaction(ctx.db, (tx) => rows.remove(tx, owner, list, coinId, isShown)));
}

/** Removes all coins of a list; the answer is the empty list. Idempotent. */
export async function clear(ctx: Ctx, owner: OwnerKey | null, list: ListName): Promise<number[]> {
  if (owner) await rows.drop(ctx.db, owner, list);
  return [];
}

/** Contents of a browser's lists, oldest first. */
export type BrowserLists = { list: ListName; entries: { coinId: number; addedAt: Date }[] }[];
/** Coins on sale in the customer's own lists, for each list that gets more. */
export type ListsToJoin = { list: ListName; fresh: BrowserLists[number]["entries"]; ids: number[] }[];
const listNames = ["wishlist", "compare"] as const;

/**
 * First step of merging a browser's lists into those of the customer who signs in there: locks and empties them, and returns what was in
 * them. All transactions lock the browser's lists first and the customer's after them.
 */
export const takeBrowserListsBatch = (tx: Tx, from: OwnerKey): QueryBatch<BrowserLists> =>
  batch([rows.takeAllBatch(tx, from, listNames[0]), rows.takeAllBatch(tx, from, listNames[1])], (entries) =>
    listNames.map((list, index) => ({ list, entries: entries[index] ?? [] })),
  );

/** Second step: locks the customer's lists that get more, and reads their coins on sale. */
export function lockToJoinBatch(tx: Tx, to: OwnerKey, browser: BrowserLists): QueryBatch<ListsToJoin> {
  const growing = browser.filter(({ entries }) => entries.length > 0);
  return batch<number[][], ListsToJoin>(
    growing.map(({ list }) => rows.lockIdsBatch(tx, to, list, isShown)),
    (ids) => growing.map(({ list, entries }, index) => ({ list, fresh: entries, ids: ids[index] ?? [] })),
  );
}

/** Third step: the union, the browser's newest coins first until a list is full. All steps run in one transaction. */
export function joinBatch(tx: Tx, ctx: Ctx, to: OwnerKey, own: ListsToJoin): QueryBatch<void> {
  const puts = own.flatMap(({ list, fresh, ids }) => {
    const room = Math.max(0, limitOf(list, ctx.settings.limits) - ids.length);
    const missing = fresh.filter(({ coinId }) => !ids.includes(coinId));
    return room > 0 && missing.length > 0 ? [rows.putAllBatch(tx, to, list, missing.slice(-room))] : [];
  });
  return batch<void[], void>(puts, () => {});
}

/** Deletes guests' lists to which nothing was added for `guestDataDays`. */
export async function deleteUnusedGuestLists(ctx: Ctx): Promise<void> {
  await rows.dropGuestEntries(ctx.db, plus(ctx.now(), -days(ctx.settings.limits.guestDataDays)));
}

/** Deletes both lists of an owner whose account is erased. */
export async function deleteOf(tx: Tx, owner: OwnerKey): Promise<void> {
  for (const list of ["wishlist", "compare"] as const) await rows.drop(tx, owner, list);
}
