import { readFileSync } from "node:fs";
import { afterAll, beforeAll, expect, test } from "vitest";
import { findAnything } from "#contract/staff/search.ts";
import { alarmGroups, readWaiting, waitingGroups } from "#contract/staff/waiting.ts";
import { seconds } from "#kit/time.ts";
import { atOffice, aVisitor, byPoint, openShopToBuy, type ShopToBuy } from "#shop/checkout/testing.ts";
import { paymentIds } from "#shop/method-ids.ts";
import * as orders from "#shop/orders/service.ts";
import * as payment from "#shop/payment/service.ts";
import { testClock } from "#tests/shop.ts";
import { openStaffBench, type StaffBench } from "./testing.ts";

let shop: ShopToBuy;
let bench: StaffBench;
beforeAll(async () => {
  shop = await openShopToBuy({ clock: testClock(), stock: 50, limits: { writesPerMinute: 100_000, requestsPerMinute: 100_000 } });
  bench = await openStaffBench({ shop });
});
afterAll(() => bench.close());

async function aPaidOrder(name: string) {
  const order = await shop.ordered(aVisitor(name), { 1: 1 }, byPoint);
  await shop.pay(order);
  shop.provider.pay(order.id);
  shop.clock.advance(seconds(3));
  await payment.checkOrder(shop.ctx, order.id);
  await shop.work();
  return shop.now(order);
}

test("each alarm of the runbook leads to something that waits", () => {
  const runbook = readFileSync(new URL("../../../docs/runbook.md", import.meta.url), "utf8");
  const rows = runbook.split("\n").filter((line) => /^\| `[a-z]+\.[a-z_]+`/.test(line));
  const alarms = rows.flatMap((line) => [...(line.split("|")[1] ?? "").matchAll(/`([a-z]+\.[a-z_]+)`/g)].map(([, name]) => name));
  expect(alarms.length).toBeGreaterThan(15);
  expect(new Set(alarms)).toEqual(new Set(Object.keys(alarmGroups)));
  for (const [alarm, group] of Object.entries(alarmGroups)) expect([alarm, group in waitingGroups]).toEqual([alarm, true]);
});

test("each role sees what waits for it, with the count and the oldest, and nothing else", async () => {
  const paid = await aPaidOrder("w1");
  const unsealed = await aPaidOrder("w2");
  await orders.apply(shop.ctx, unsealed.id, "assemble");
  await shop.ordered(aVisitor("w3"), { 1: 1 }, byPoint);
  const packing = await (await bench.as("packing")).call(readWaiting);
  expect(packing.data.map(({ id, count }) => [id, count])).toEqual([
    ["to_pack", 1],
    ["unsealed", 1],
  ]);
  expect(new Date(packing.data[0]?.since ?? 0)).toEqual(new Date(Math.floor((paid.payment.paidAt?.getTime() ?? 0) / 1000) * 1000));
  const sales = await (await bench.as("sales")).call(readWaiting);
  expect(sales.data.map(({ id }) => id)).toEqual(expect.arrayContaining(["to_pack", "unsealed", "unpaid"]));
  expect((await (await bench.as("editor")).call(readWaiting)).data).toEqual([]);
});

test("a refund by hand and a receipt to print wait for the accountant", async () => {
  const order = await shop.ordered(aVisitor("w4"), { 1: 1 }, { ...atOffice, paymentId: paymentIds.invoice });
  await orders.apply(shop.ctx, order.id, "pay");
  await orders.apply(shop.ctx, order.id, "cancel");
  const { data } = await (await bench.as("accountant")).call(readWaiting);
  expect(data.map(({ id }) => id)).toEqual(expect.arrayContaining(["refunds_by_hand", "receipts"]));
});

test("the search finds orders for those who may read them, transfers and coins for theirs, and sums for nobody else", async () => {
  const order = await aPaidOrder("w5");
  const request = async (role: "sales" | "packing" | "editor" | "accountant", q: string) =>
    (await (await bench.as(role)).call(findAnything, { query: { q } })).data;
  expect((await request("sales", String(order.number))).orders).toMatchObject([{ number: order.number, sum: order.total / 100 }]);
  expect((await request("packing", String(order.number))).orders[0]).not.toHaveProperty("sum");
  expect((await request("editor", String(order.number))).orders).toEqual([]);
  const invoice = await shop.ordered(aVisitor("w6"), { 1: 1 }, { ...atOffice, paymentId: paymentIds.invoice });
  const reference = { number: "4711", date: "2026-11-20", payerAccount: null };
  await orders.apply(shop.ctx, invoice.id, "pay", { amount: invoice.total, reference });
  expect((await request("accountant", "4711")).transfers).toMatchObject([
    { number: "4711", orderId: invoice.id, amount: invoice.total / 100 },
  ]);
  expect((await request("sales", "4711")).transfers).toEqual([]);
  expect((await request("editor", "3")).coins).toEqual([]);
  expect((await request("sales", "№")).orders).toEqual([]);
});
