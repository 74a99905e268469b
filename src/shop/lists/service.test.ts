import { inArray, lte } from "drizzle-orm";
import { afterAll, beforeAll, expect, test } from "vitest";
import { inTransaction, pipeline } from "#kit/db.ts";
import { days, seconds } from "#kit/time.ts";
import { coins } from "#shop/catalog/tables.ts";
import { aCoin, putCoins } from "#shop/catalog/testing.ts";
import type { Ctx, OwnerKey } from "#shop/context.ts";
import { testShop, type TestShop } from "#tests/shop.ts";
import { sweeps } from "./jobs.ts";
import type { ListName } from "./list.ts";
import * as lists from "./service.ts";

let shop: TestShop;
let ctx: Ctx;
beforeAll(async () => {
  shop = await testShop({ limits: { wishlistItems: 12 } });
  ctx = shop.ctx;
  await putCoins(ctx.db, [...Array.from({ length: 30 }, (_, index) => aCoin({ id: index + 1 })), aCoin({ id: 99, isPublished: false })]);
});
afterAll(() => shop.close());

async function addAll(owner: OwnerKey, list: ListName, coinIds: number[]): Promise<void> {
  for (const id of coinIds) {
    shop.clock.advance(seconds(1));
    expect(await lists.add(ctx, owner, list, id)).toMatchObject({ ok: true });
  }
}
const merge = (from: OwnerKey, to: OwnerKey) =>
  inTransaction(ctx.db, async (tx) => {
    const [browser] = await pipeline([lists.takeBrowserListsBatch(tx, from)]);
    const [own] = await pipeline([lists.lockToJoinBatch(tx, to, browser)]);
    await pipeline([lists.joinBatch(tx, ctx, to, own)]);
  });

test("the newest coin is first, and adding it again changes nothing", async () => {
  await addAll("visitor:a", "wishlist", [1, 2, 3, 1]);
  expect(await lists.ids(ctx, "visitor:a", "wishlist")).toEqual([3, 2, 1]);
  expect(await lists.ids(ctx, "visitor:a", "compare")).toEqual([]);
  expect(await lists.ids(ctx, null, "wishlist")).toEqual([]);
});

test("removing and clearing are idempotent; unknown coins are not found", async () => {
  await addAll("visitor:b", "compare", [1, 2]);
  expect(await lists.remove(ctx, "visitor:b", "compare", 1)).toEqual({ ok: true, value: [2] });
  expect(await lists.remove(ctx, "visitor:b", "compare", 1)).toEqual({ ok: true, value: [2] });
  expect(await lists.remove(ctx, null, "compare", 1)).toEqual({ ok: true, value: [] });
  expect(await lists.remove(ctx, "visitor:b", "compare", 404)).toEqual({ ok: false, error: { code: "product.not_found" } });
  expect(await lists.add(ctx, "visitor:b", "compare", 404)).toEqual({ ok: false, error: { code: "product.not_found" } });
  expect(await lists.add(ctx, "visitor:b", "compare", 99)).toEqual({ ok: false, error: { code: "product.not_found" } });
  expect(await lists.clear(ctx, "visitor:b", "compare")).toEqual([]);
  expect(await lists.ids(ctx, "visitor:b", "compare")).toEqual([]);
});

test("an eleventh coin does not fit into the comparison, also when all are added at once", async () => {
  const results = await Promise.all(Array.from({ length: 25 }, (_, index) => lists.add(ctx, "visitor:c", "compare", index + 1)));
  expect(results.filter((result) => result.ok)).toHaveLength(10);
  expect(results.find((result) => !result.ok)).toEqual({ ok: false, error: { code: "compare.full", limit: 10 } });
  const listed = await lists.ids(ctx, "visitor:c", "compare");
  expect(listed).toHaveLength(10);
  expect(await lists.add(ctx, "visitor:c", "compare", listed[0] ?? 0)).toMatchObject({ ok: true });
});

test("a coin off sale is not in a list, takes no place there, and is back when it is on sale again", async () => {
  const publish = (isPublished: boolean) =>
    ctx.db
      .update(coins)
      .set({ isPublished })
      .where(inArray(coins.id, [5, 6]));
  await addAll("visitor:h", "compare", [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
  await publish(false);
  expect(await lists.ids(ctx, "visitor:h", "compare")).toEqual([10, 9, 8, 7, 4, 3, 2, 1]);
  expect(await lists.add(ctx, "visitor:h", "compare", 11)).toEqual({ ok: true, value: [11, 10, 9, 8, 7, 4, 3, 2, 1] });
  expect(await lists.remove(ctx, "visitor:h", "compare", 6)).toEqual({ ok: true, value: [11, 10, 9, 8, 7, 4, 3, 2, 1] });
  expect(await lists.storedIds(ctx, "visitor:h", "compare")).toEqual([11, 10, 9, 8, 7, 5, 4, 3, 2, 1]);
  await publish(true);
  expect(await lists.ids(ctx, "visitor:h", "compare")).toEqual([11, 10, 9, 8, 7, 5, 4, 3, 2, 1]);
  expect(await lists.add(ctx, "visitor:h", "compare", 12)).toMatchObject({ ok: false, error: { code: "compare.full" } });
});

test("coins off sale take no place from those that a browser brings at sign-in", async () => {
  const publish = (isPublished: boolean) => ctx.db.update(coins).set({ isPublished }).where(lte(coins.id, 10));
  await addAll("customer:i", "compare", [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
  await addAll("visitor:i", "compare", [11, 12]);
  await publish(false);
  await merge("visitor:i", "customer:i");
  expect(await lists.ids(ctx, "customer:i", "compare")).toEqual([12, 11]);
  await publish(true);
  expect(await lists.storedIds(ctx, "customer:i", "compare")).toHaveLength(12);
});

test("a full wishlist has its own refusal", async () => {
  await addAll("visitor:d", "wishlist", [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]);
  expect(await lists.add(ctx, "visitor:d", "wishlist", 13)).toEqual({ ok: false, error: { code: "wishlist.full", limit: 12 } });
});

test("signing in merges the lists, the browser's newest coins first until the list is full", async () => {
  await addAll("customer:e", "compare", [1, 2, 3, 4, 5, 6, 7, 8]);
  await addAll("visitor:e", "compare", [8, 9, 10, 11]);
  await addAll("customer:e", "wishlist", [1]);
  await addAll("visitor:e", "wishlist", [2, 1]);
  await merge("visitor:e", "customer:e");
  expect(await lists.ids(ctx, "customer:e", "compare")).toEqual([11, 10, 8, 7, 6, 5, 4, 3, 2, 1]);
  expect(await lists.ids(ctx, "customer:e", "wishlist")).toEqual([2, 1]);
  expect(await lists.ids(ctx, "visitor:e", "compare")).toEqual([]);
  expect(await lists.ids(ctx, "visitor:e", "wishlist")).toEqual([]);
  await merge("visitor:e", "customer:e");
  expect(await lists.ids(ctx, "customer:e", "compare")).toHaveLength(10);
});

test("a guest's lists are deleted a year after the last coin was added, a customer's never", async () => {
  await addAll("visitor:f", "wishlist", [1]);
  await addAll("customer:f", "wishlist", [1]);
  shop.clock.advance(days(200));
  await addAll("visitor:g", "wishlist", [1]);
  shop.clock.advance(days(166));
  await sweeps["lists.forget"].run(ctx);
  expect(await lists.ids(ctx, "visitor:f", "wishlist")).toEqual([]);
  expect(await lists.ids(ctx, "visitor:g", "wishlist")).toEqual([1]);
  expect(await lists.ids(ctx, "customer:f", "wishlist")).toEqual([1]);
});
