import { sql } from "drizzle-orm";
import { afterAll, beforeAll, expect, test } from "vitest";
import { aVisitor, byPoint, openShopToBuy, type ShopToBuy } from "#shop/checkout/testing.ts";
import { outbox } from "#shop/notifications/tables.ts";
import type { CreatePayment } from "#shop/payment/gateway.ts";
import { testClock } from "#tests/shop.ts";
import * as orders from "../service.ts";

let shop: ShopToBuy;
beforeAll(async () => {
  shop = await openShopToBuy({ clock: testClock() });
});
afterAll(() => shop.close());

const found = async <T>(query: ReturnType<typeof sql>): Promise<T[]> =>
  ((await shop.ctx.db.execute(query)) as unknown as { rows: T[] }).rows;

/** Tables, of the shop and of the job queue, with a row that holds the text. */
async function tablesWith(text: string): Promise<string[]> {
  const tables = await found<{ name: string }>(sql`
    select format('%I.%I', schemaname, tablename) as name from pg_tables where schemaname not in ('pg_catalog', 'information_schema')
      order by 1`);
  const holding: string[] = [];
  for (const { name } of tables) {
    const [row] = await found<{ n: number }>(
      sql`select count(*)::int as n from ${sql.raw(name)} as each_row where each_row::text like ${`%${text}%`}`,
    );
    if (row && row.n > 0) holding.push(name);
  }
  return holding;
}

test("the provider gets a return link with the order's key, the same in a repeated call; only the outbox table has the key", async () => {
  const { gateways } = shop.ctx;
  const { create } = gateways.payment;
  const requests: CreatePayment[] = [];
  gateways.payment = {
    ...gateways.payment,
    create: (request) => {
      requests.push(request);
      return requests.length === 1 ? Promise.reject(new Error("no answer")) : create(request);
    },
  };
  const order = await shop.ordered(aVisitor("k1"), { 1: 1 }, byPoint);
  const key = orders.keyOf(shop.ctx, order.id);
  expect((await shop.pay(order)).ok).toBe(false);
  expect((await shop.pay(order)).ok).toBe(true);
  expect(requests).toHaveLength(2);
  expect(requests[1]).toEqual(requests[0]);
  expect(requests[0]?.returnUrl).toBe(`http://localhost:3000/thanks?order=${order.id}&returned=1&key=${key}`);
  expect(await tablesWith(key)).toEqual(["public.outbox"]);
  expect((await shop.ctx.db.select().from(outbox)).length).toBeGreaterThan(0);
  expect(await tablesWith(order.id)).toContain("public.payments");
});
