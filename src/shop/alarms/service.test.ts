import { sql } from "drizzle-orm";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Db } from "#kit/db.ts";
import { inTransaction } from "#kit/db.ts";
import { silentLog } from "#kit/log.ts";
import { days, minutes } from "#kit/time.ts";
import { testShop, type TestShop } from "#tests/shop.ts";
import * as alarms from "./service.ts";

let shop: TestShop;
beforeAll(async () => {
  shop = await testShop();
});
afterAll(() => shop.close());

const storeOf = (db: Db) => alarms.createAlarmStore({ db, log: silentLog, now: shop.clock.now });

test("alarms of one name and subject are one row with a count, on every process; another subject is another row", async () => {
  const other = await shop.another();
  const [here, there] = [storeOf(shop.ctx.db), storeOf(other.db)];
  here.raise("order.pieces_kept", { orderId: "a", reason: "first" });
  there.raise("order.pieces_kept", { orderId: "a", reason: "second" });
  here.raise("order.pieces_kept", { orderId: "b", reason: "first" });
  await Promise.all([here.settled(), there.settled()]);
  shop.clock.advance(minutes(5));
  here.raise("order.pieces_kept", { orderId: "a", reason: "third" });
  await here.settled();
  const open = await alarms.list(shop.ctx, ["order.pieces_kept"]);
  expect(open.map(({ subject, count, fields }) => [subject, count, fields["reason"]])).toEqual([
    ["orderId a", 3, "third"],
    ["orderId b", 1, "first"],
  ]);
  expect(open[0]?.lastAt.getTime()).toBe((open[0]?.firstAt.getTime() ?? 0) + minutes(5));
});

test("a long reason is cut between characters, since half of one could not be stored", async () => {
  const store = storeOf(shop.ctx.db);
  store.raise("order.pieces_kept", { orderId: "long", reason: `${"я".repeat(299)}😀` });
  await store.settled();
  const stored = (await alarms.list(shop.ctx, ["order.pieces_kept"])).find(({ subject }) => subject === "orderId long");
  expect(stored?.fields["reason"]).toBe("я".repeat(299));
});

test("an alarm is stored although the transaction that raised it is rolled back", async () => {
  const store = storeOf(shop.ctx.db);
  const broken = inTransaction(shop.ctx.db, async () => {
    store.raise("payment.refused", { paymentId: "p1" });
    await store.settled();
    throw new Error("rolled back");
  });
  await expect(broken).rejects.toThrow("rolled back");
  expect(await alarms.list(shop.ctx, ["payment.refused"])).toHaveLength(1);
});

test("a settled alarm that is raised again opens again, and is settled once", async () => {
  const store = storeOf(shop.ctx.db);
  store.raise("rates.stale", { silentSeconds: 200 });
  await store.settled();
  const [first] = await alarms.list(shop.ctx, ["rates.stale"]);
  const close = () => alarms.close(shop.ctx, { id: first?.id ?? 0, note: "сеть", names: ["rates.stale"] });
  expect(await alarms.close(shop.ctx, { id: first?.id ?? 0, note: "сеть", names: ["sms.low_use"] })).toMatchObject({
    error: { code: "staff.not_found" },
  });
  expect(await close()).toMatchObject({ value: { closedBy: "staff:test", note: "сеть" } });
  expect(await close()).toMatchObject({ error: { code: "alarm.closed" } });
  expect(await alarms.list(shop.ctx, ["rates.stale"])).toEqual([]);
  store.raise("rates.stale", { silentSeconds: 900 });
  await store.settled();
  expect(await alarms.list(shop.ctx, ["rates.stale"])).toHaveLength(1);
  expect(await alarms.list(shop.ctx, ["rates.stale"], { isClosed: true })).toHaveLength(1);
  shop.clock.advance(days(91));
  await alarms.removeOld(shop.ctx);
  expect(await alarms.list(shop.ctx, ["rates.stale"], { isClosed: true })).toEqual([]);
});

test("an alarm that cannot be stored delays no caller and waits", async () => {
  const away = {
    insert() {
      throw new Error("away");
    },
  } as unknown as Db;
  const store = storeOf(away);
  store.raise("ledger.broken", { reason: "stock" });
  await store.settled();
  store.stop();
  const rows = await shop.ctx.db.execute(sql`select 1 from alarms where name = 'ledger.broken'`);
  expect((rows as unknown as { rows: unknown[] }).rows).toEqual([]);
});
