import { eq } from "drizzle-orm";
import { afterAll, beforeAll, expect, test } from "vitest";
import { silentLog } from "#kit/log.ts";
import { plus } from "#kit/time.ts";
import { aVisitor, openShopToBuy, type ShopToBuy } from "#shop/checkout/testing.ts";
import { orders } from "#shop/orders/tables.ts";
import { testClock } from "#tests/shop.ts";
import { runBackfills } from "./backfills.ts";
import { openPostgres } from "./postgres.ts";

let shop: ShopToBuy;
beforeAll(async () => {
  shop = await openShopToBuy({ stock: 10, clock: testClock() });
});
afterAll(() => shop.close());

test("orders of guests without a retention date get one at the next start; anonymised orders and orders of customers do not", async () => {
  const [old, anonymised] = [await shop.ordered(aVisitor("old"), { 1: 1 }), await shop.ordered(aVisitor("anonymised"), { 1: 1 })];
  const erased = { name: "", lastName: "", secondName: "", email: "", phone: "" };
  await shop.ctx.db.update(orders).set({ forgetAt: null });
  await shop.ctx.db.update(orders).set({ user: erased }).where(eq(orders.id, anonymised.id));
  const starting = openPostgres(shop.url, { log: silentLog, max: 1 });
  await starting.migrate();
  await starting.close();
  const termOf = async (id: string) => (await shop.ctx.db.select().from(orders).where(eq(orders.id, id)))[0];
  const filled = await termOf(old.id);
  expect(filled?.forgetAt).toEqual(plus(filled?.createdAt ?? new Date(0), 1826 * 86_400_000));
  expect((await termOf(anonymised.id))?.forgetAt).toBeNull();
});

test("batches are repeated until one is not full", async () => {
  const changed = [500, 500, 3];
  await runBackfills(async () => changed.shift() ?? 0);
  expect(changed).toEqual([]);
});
