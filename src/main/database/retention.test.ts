import { readFileSync } from "node:fs";
import { sql } from "drizzle-orm";
import { afterAll, beforeAll, expect, test } from "vitest";
import { deleteInBatches } from "#kit/db.ts";
import { days, minutes, plus } from "#kit/time.ts";
import { atOffice, aVisitor, openShopToBuy, type ShopToBuy } from "#shop/checkout/testing.ts";
import { paymentIds } from "#shop/method-ids.ts";
import * as orders from "#shop/orders/service.ts";
import { searchMisses } from "#shop/reports/tables.ts";
import { defaultLimits } from "#shop/settings.ts";
import { testClock } from "#tests/shop.ts";
import { limitVariable } from "../config.ts";
import { checkLedger } from "../ledger/ledger.ts";
import { sweepsOf } from "../jobs-and-sweeps.ts";

let shop: ShopToBuy;
beforeAll(async () => {
  shop = await openShopToBuy({ stock: 10, clock: testClock() });
});
afterAll(() => shop.close());

async function found<Row>(query: ReturnType<typeof sql>): Promise<Row[]> {
  const result: unknown = await shop.ctx.db.execute(query);
  return (result as { rows: Row[] }).rows;
}
const ago = (span: number) => sql`${plus(shop.clock.now(), -span).toISOString()}::timestamptz`;
const sweep = (name: string) => sweepsOf(60)[name]?.run(shop.ctx);

const page = readFileSync(new URL("../../../docs/retention.md", import.meta.url), "utf8");
const rows = page
  .split("\n")
  .filter((line) => /^\| (`|the schema)/.test(line))
  .map((line) => line.split("|").slice(1, -1));
const codes = (cell = ""): string[] => [...cell.matchAll(/`([^`]+)`/g)].map(([, code]) => code ?? "");

test("every table of the schema has one row in docs/retention.md, and every row says how long its rows stay", async () => {
  const tables = await found<{ name: string }>(sql`select table_name as name from information_schema.tables where table_schema = 'public'`);
  const listed = rows.flatMap(([names]) => codes(names)).filter((name) => name !== "pgboss");
  expect(listed.toSorted()).toEqual(tables.map(({ name }) => name).toSorted());
  for (const [names, , stay = ""] of rows) expect([names, stay.trim() === ""]).toEqual([names, false]);
});

test("every setting that docs/retention.md names is a setting", () => {
  const settings = new Set([...Object.keys(defaultLimits).map(limitVariable), "RATES_POLL_SECONDS"]);
  const named = page.match(/`[A-Z][A-Z_]+`/g) ?? [];
  expect(named.length).toBeGreaterThan(20);
  expect(named.filter((name) => !settings.has(name.slice(1, -1)))).toEqual([]);
});

test("records without money go after RECORD_DAYS; younger ones, and those that still wait, stay", async () => {
  const order = await shop.ordered(aVisitor("kept"), { 1: 1 }, { ...atOffice, paymentId: paymentIds.invoice });
  await orders.apply(shop.ctx, order.id, "pay");
  const [payment] = await found<{ id: string }>(sql`select id from payments where order_id = ${order.id}`);
  await shop.ctx.db.execute(
    sql`insert into shipments (order_id, state, request, created_at) values (${order.id}, 'new', '{}', now()) on conflict do nothing`,
  );
  const both = [
    { name: "old", at: ago(days(400) + minutes(1)) },
    { name: "young", at: ago(days(400) - minutes(1)) },
  ];
  for (const { name, at } of both) {
    await shop.ctx.db.execute(sql`insert into outbox (channel, kind, about, recipient, subject, text, created_at, sent_at, next_try_at)
      values ('email', 'test', ${`${name} sent`}, '', '', '', ${at}, ${at}, null),
        ('email', 'test', ${`${name} waiting`}, '', '', '', ${at}, null, now() + interval '90 years')`);
    await shop.ctx.db.execute(sql`insert into payment_events (provider, event, object_id, payment_id, status, body, received_at)
      values ('test', ${name}, 'o', ${payment?.id}, 's', '', ${at})`);
    await shop.ctx.db.execute(sql`insert into carrier_events (order_id, carrier_id, code, status_at, is_taken_back, body, received_at)
      values (${order.id}, 'c', ${name}, ${at}, false, '', ${at})`);
    await shop.ctx.db.execute(sql`insert into label_files (key, order_ids, state, created_at) values (${name}, '[]', 'expired', ${at})`);
    await shop.ctx.db.execute(sql`insert into point_readings (started_at, fault) values (${at}, ${name})`);
  }
  await shop.ctx.db.execute(sql`insert into search_misses (day, query, times)
    values ((${ago(days(402))})::date, 'old', 1), ((${ago(days(398))})::date, 'young', 1)`);
  for (const name of ["notifications.forget", "payment.erase", "delivery.delete_records", "reports.delete_misses"]) await sweep(name);
  const left = await found<{ what: string }>(sql`
    select about as what from outbox where kind = 'test' union all select event from payment_events where provider = 'test'
    union all select code from carrier_events union all select key from label_files
    union all select fault from point_readings where fault is not null union all select query from search_misses`);
  expect(left.map(({ what }) => what).toSorted()).toEqual(
    ["old waiting", "young sent", "young waiting", ...Array<string>(5).fill("young")].toSorted(),
  );
  await shop.ctx.db.execute(sql`update outbox set sent_at = created_at, next_try_at = null where about like 'order:%'`);
  shop.clock.advance(days(500));
  await sweep("notifications.forget");
  expect(await checkLedger(shop.ctx.db)).toEqual([]); // reads the first message of each order
  shop.clock.advance(-days(500));
});

test("carts and lists of guests go after GUEST_DATA_DAYS without use, those of customers never; settings apply at once", async () => {
  const owners = ["visitor:old", "visitor:young", "customer:old"];
  const fill = async (span: number, names: string[]) => {
    for (const owner of names) {
      await shop.ctx.db.execute(sql`insert into carts (owner, touched_at) values (${owner}, ${ago(span)})`);
      await shop.ctx.db.execute(
        sql`insert into list_entries (owner, list, coin_id, added_at)
          values (${owner}, 'wishlist', 1, ${ago(span)}), (${owner}, 'compare', 1, ${ago(span)})`,
      );
    }
  };
  await fill(days(31), ["visitor:old", "customer:old"]);
  await fill(days(29), ["visitor:young"]);
  // A list that is still added to keeps its old entries.
  await shop.ctx.db.execute(sql`update list_entries set added_at = ${ago(days(300))} where owner = 'visitor:young' and list = 'compare'`);
  const left = () =>
    found<{ owner: string; entries: number }>(sql`
      select owner, (select count(*)::int from list_entries l where l.owner = c.owner) as entries
      from carts c where owner in ${owners} order by owner`);
  await sweep("cart.forget");
  await sweep("lists.forget");
  expect(await left()).toHaveLength(3);
  shop.ctx.settings.limits.guestDataDays = 30;
  await sweep("cart.forget");
  await sweep("lists.forget");
  shop.ctx.settings.limits.guestDataDays = defaultLimits.guestDataDays;
  expect(await left()).toEqual([
    { owner: "customer:old", entries: 2 },
    { owner: "visitor:young", entries: 2 },
  ]);
});

test("locked prices and keys of repeated calls go after QUOTE_DAYS, the price of an order stays", async () => {
  const order = await shop.ordered(aVisitor("ordered"), { 1: 1 });
  const owner = aVisitor("only-quoted");
  await shop.ctx.db
    .execute(sql`insert into quotes (id, owner, cart_version, delivery_id, city_code, payment_method_id, lines, delivery_kopecks,
      delivery, total_kopecks, price_list_version, created_at, expires_at)
    select 'unused', ${owner}, cart_version, delivery_id, city_code, payment_method_id, lines, delivery_kopecks,
      delivery, total_kopecks, price_list_version, created_at, expires_at from quotes where used_by_order_id = ${order.id}`);
  const left = () =>
    found<{ n: number }>(sql`select (select count(*) from quotes where id = 'unused' or used_by_order_id = ${order.id})::int
    + (select count(*) from idempotency_keys where order_id = ${order.id})::int as n`);
  shop.clock.advance(days(7) - minutes(1));
  await sweep("checkout.forget");
  expect(await left()).toEqual([{ n: 3 }]);
  shop.clock.advance(minutes(2));
  await sweep("checkout.forget");
  expect(await left()).toEqual([{ n: 1 }]);
});

test("a large number of rows is deleted batch by batch until none is left", async () => {
  await shop.ctx.db.execute(
    sql`insert into search_misses (day, query, times) select '2001-01-01', 'q' || n, 1 from generate_series(1, 25) n`,
  );
  expect(await deleteInBatches(shop.ctx.db, searchMisses, sql`${searchMisses.day} = '2001-01-01'`, 10)).toBe(25);
  await expect(deleteInBatches(shop.ctx.db, searchMisses, undefined)).rejects.toThrow("needs a condition");
  expect(await found(sql`select 1 from search_misses where query = 'young'`)).toHaveLength(1);
});

test("every sweep that deletes runs at least hourly: a process may be restarted daily", () => {
  const deleting = Object.entries(sweepsOf(60)).filter(([name]) => /forget|delete|erase|remove|ended|unused|thin/.test(name));
  expect(deleting.length).toBeGreaterThan(12);
  for (const [name, { everySeconds }] of deleting) expect([name, everySeconds <= 3_600]).toEqual([name, true]);
});
