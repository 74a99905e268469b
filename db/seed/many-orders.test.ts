import { sql } from "drizzle-orm";
import { afterAll, beforeAll, expect, test } from "vitest";
import { checkLedger } from "#main/ledger/ledger.ts";
import * as orders from "#shop/orders/service.ts";
import * as cards from "#shop/orders/staff/card.service.ts";
import { testShop, type TestShop } from "#tests/shop.ts";
import { addAudit, addOrders } from "./many-orders.ts";
import { seed } from "./seed.ts";

let shop: TestShop;
const quiet = () => {};
beforeAll(async () => {
  shop = await testShop();
  await seed(shop.ctx, { progress: quiet });
  await addOrders(shop.ctx.db, 2_000, shop.ctx.now(), quiet);
});
afterAll(() => shop.close());
const rowsOf = async <T>(what: ReturnType<typeof sql>): Promise<T[]> =>
  ((await shop.ctx.db.execute(what)) as unknown as { rows: T[] }).rows;

test("invented orders keep the ledger true, also when more are added later", async () => {
  expect(await checkLedger(shop.ctx.db)).toEqual([]);
  const free = sql`select sum(on_hand - reserved)::int as free from stock_items`;
  const before = await rowsOf<{ free: number }>(free);
  await addOrders(shop.ctx.db, 500, shop.ctx.now(), quiet);
  expect(await rowsOf<{ free: number }>(free)).toEqual(before);
  expect(await checkLedger(shop.ctx.db)).toEqual([]);
});

test("they are of two years, in every usual state, of customers and guests", async () => {
  const states = await rowsOf<{ state: string; n: number }>(sql`select state, count(*)::int as n from orders group by state`);
  expect(new Map(states.map(({ state, n }) => [state, n > 0])).size).toBeGreaterThanOrEqual(8);
  const [span] = await rowsOf<{ days: number; guests: number }>(
    sql`select extract(days from max(created_at) - min(created_at))::int as days,
      count(*) filter (where customer_id is null)::int as guests from orders`,
  );
  expect(span?.days).toBeGreaterThan(700);
  expect(span?.guests).toBeGreaterThan(1_000);
});

test("the newest has two hundred lines, and its card can be read", async () => {
  const [newest] = await rowsOf<{ order_id: string }>(
    sql`select order_id from order_lines group by order_id order by count(*) desc limit 1`,
  );
  const card = await cards.card(shop.ctx, newest?.order_id ?? "");
  expect(card?.order.lines).toHaveLength(200);
});

test("the pages of a customer's orders have each order once, newest first", async () => {
  const [buyer] = await rowsOf<{ id: string }>(
    sql`select customer_id as id from orders where customer_id is not null group by 1 order by count(*) desc limit 1`,
  );
  const all = (await orders.list(shop.ctx, buyer?.id ?? "")).map(({ number }) => number);
  const paged: number[] = [];
  let page: Awaited<ReturnType<typeof orders.listPage>> = { items: [], next: null };
  do {
    page = await orders.listPage(shop.ctx, buyer?.id ?? "", page.next, 2);
    paged.push(...page.items.map(({ number }) => number));
  } while (page.next);
  expect(all.length).toBeGreaterThan(4);
  expect(paged).toEqual(all);
});

test("audit entries are added by the number", async () => {
  await addAudit(shop.ctx.db, 300, shop.ctx.now(), quiet);
  expect(await rowsOf(sql`select count(*)::int as n from audit_entries where address = '10.0.0.7'`)).toEqual([{ n: 300 }]);
});
