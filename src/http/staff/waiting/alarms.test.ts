import { afterAll, beforeAll, expect, test } from "vitest";
import { closeAlarm, readAlarms } from "#contract/staff/waiting/alarms.ts";
import { alarmGroups, alarmsOf, isAlarmGroup, readWaiting, waitingGroups } from "#contract/staff/waiting/waiting.ts";
import { silentLog } from "#kit/log.ts";
import * as alarms from "#shop/alarms/service.ts";
import { aVisitor, openShopToBuy } from "#shop/checkout/testing.ts";
import type { AlarmName } from "#shop/context.ts";
import { testClock } from "#tests/shop.ts";
import { openStaffBench, type StaffBench } from "../testing.ts";

let bench: StaffBench;
beforeAll(async () => {
  bench = await openStaffBench();
});
afterAll(() => bench.close());

async function raise(name: AlarmName, fields: Record<string, string | number>) {
  const store = alarms.createAlarmStore({ db: bench.ctx.db, log: silentLog, now: bench.clock.now });
  store.raise(name, fields);
  await store.settled();
}

test("every alarm has a group with a screen, and those of a group of alarms open the list of that group", () => {
  for (const [name, id] of Object.entries(alarmGroups)) {
    const group = waitingGroups[id];
    expect([name, group.path]).toEqual([name, expect.stringMatching(/^\//)]);
    if (isAlarmGroup(id)) expect([name, group.path, alarmsOf(id)]).toEqual([name, `/alarms?group=${id}`, expect.arrayContaining([name])]);
  }
});

test("an open alarm waits for the roles that settle it, with its count and since when, until one of them notes what was done", async () => {
  await raise("order.change_kept", { orderId: "Zx3", reason: "the carrier refused the recall" });
  await raise("sms.low_use", { used: 10, of: 100 });
  const [sales, admin, editor] = [await bench.as("sales"), await bench.as("admin"), await bench.as("editor")];
  const waiting = async (client: typeof sales) => (await client.call(readWaiting)).data.map(({ id, count }) => [id, count]);
  expect(await waiting(sales)).toEqual([["order_alarms", 1]]);
  expect(await waiting(admin)).toEqual([["sms_alarms", 1]]);
  expect(await waiting(editor)).toEqual([]);
  expect((await editor.call(readAlarms)).data).toEqual([]);

  const [alarm] = (await sales.call(readAlarms, { query: { group: "order_alarms" } })).data;
  expect(alarm).toMatchObject({ name: "order.change_kept", count: 1, fields: { orderId: "Zx3" } });
  const close = (client: typeof sales, note: string) => client.call(closeAlarm, { params: { id: alarm?.id ?? 0 }, body: { note } });
  expect((await close(admin, "не моё")).problem?.code).toBe("staff.not_found");
  expect((await close(sales, "")).problem?.fields).toHaveProperty("note");
  expect((await close(sales, "Позвонила покупателю")).data).toMatchObject({ closedBy: sales.member.name, note: "Позвонила покупателю" });
  expect((await close(sales, "ещё раз")).problem?.code).toBe("alarm.closed");
  expect(await waiting(sales)).toEqual([]);
  expect((await sales.call(readAlarms, { query: { state: "closed" } })).data).toHaveLength(1);
});

test("an alarm that was settled without a person has no name", async () => {
  const sales = await bench.as("sales");
  await raise("delivery.unanswered", { orderId: "Zx9" });
  await alarms.settle(bench.ctx.db, { now: bench.clock.now, actor: { kind: "job", name: "delivery.track" } }, "delivery.unanswered", {
    orderId: "Zx9",
  });
  expect((await sales.call(readAlarms, { query: { group: "delivery_alarms" } })).data).toEqual([]);
  const closed = (await sales.call(readAlarms, { query: { group: "delivery_alarms", state: "closed" } })).data;
  expect(closed).toMatchObject([{ name: "delivery.unanswered", closedBy: null, note: "" }]);
});

/** Alarms about orders, refunds and receipts that wait as such: their groups are counted from the rows themselves. */
const counted: readonly AlarmName[] = [
  "payment.second_money",
  "payment.late_money",
  "payment.refund_failed",
  "payment.refund_stuck",
  "payment.receipt_failed",
  "payment.refund_by_hand",
  "payment.difference",
  "delivery.refused",
  "delivery.return_late",
  "order.return_unsettled",
];

test("every alarm that is raised waits in its group, unless what it is about is counted", async () => {
  const everyone = await bench.as("owner", "admin");
  for (const name of Object.keys(alarmGroups) as AlarmName[]) {
    expect([name, isAlarmGroup(alarmGroups[name])]).toEqual([name, !counted.includes(name)]);
    if (counted.includes(name)) continue;
    const countNow = async () => (await everyone.call(readWaiting)).data.find(({ id }) => id === alarmGroups[name])?.count ?? 0;
    const before = await countNow();
    await raise(name, { orderId: `of-${name}` });
    expect([name, await countNow()]).toEqual([name, before + 1]);
    const { data } = await everyone.call(readAlarms);
    expect(data.map((alarm) => [alarm.name, alarm.group])).toContainEqual([name, alarmGroups[name]]);
  }
});

test("an alarm about an order has the number of the order, also once it is settled; others have none", async () => {
  const shop = await openShopToBuy({ clock: testClock() });
  const own = await openStaffBench({ shop });
  const order = await shop.ordered(aVisitor("alarm"), { 1: 1 });
  const store = alarms.createAlarmStore({ db: own.ctx.db, log: silentLog, now: own.clock.now });
  store.raise("order.change_kept", { orderId: order.id, reason: "the carrier refused the recall" });
  store.raise("order.pieces_kept", { orderId: "unknown", reason: "the order is shipped" });
  await store.settled();
  const sales = await own.as("sales");
  const { data } = await sales.call(readAlarms, { query: { group: "order_alarms" } });
  expect(new Map(data.map(({ name, orderNumber }) => [name, orderNumber]))).toEqual(
    new Map([
      ["order.change_kept", order.number],
      ["order.pieces_kept", null],
    ]),
  );
  const id = data.find(({ name }) => name === "order.change_kept")?.id ?? 0;
  const closed = await sales.call(closeAlarm, { params: { id }, body: { note: "Позвонила покупателю" } });
  expect(closed.data).toMatchObject({ orderNumber: order.number });
  expect(own.faults).toEqual([]);
  await own.close();
});

test("what waits is answered with 304 while nothing has changed", async () => {
  const admin = await bench.as("admin");
  const first = await admin.call(readWaiting);
  const tag = String(first.response.headers["etag"]);
  expect((await admin.call(readWaiting, { headers: { "if-none-match": tag } })).status).toBe(304);
  await raise("mail.failed", { channel: "letter", kind: "order_paid" });
  expect((await admin.call(readWaiting, { headers: { "if-none-match": tag } })).status).toBe(200);
});
