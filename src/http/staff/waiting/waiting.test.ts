import { readFileSync } from "node:fs";
import { eq } from "drizzle-orm";
import { afterAll, beforeAll, expect, test } from "vitest";
import { moveRequest, openRequestContacts, readRequest } from "#contract/staff/customers/requests.ts";
import { noteSeen, refuse } from "#contract/staff/access/approvals.ts";
import { assignOrder, readOrderCard, readOrderList, refundOrder, resendMessage } from "#contract/staff/orders/orders.ts";
import { findAnything } from "#contract/staff/search.ts";
import { alarmGroups, isAlarmGroup, readDay, readWaiting, waitingGroups } from "#contract/staff/waiting/waiting.ts";
import { moscow } from "#kit/moscow-time.ts";
import { minutes, plus } from "#kit/time.ts";
import { atOffice, aVisitor, byPoint, openShopToBuy, type ShopToBuy } from "#shop/checkout/testing.ts";
import { signUp } from "#shop/customers/testing.ts";
import * as privacy from "#shop/customers/staff/privacy-requests.service.ts";
import type { NewInquiry } from "#shop/inquiries/inquiry.ts";
import * as inquiries from "#shop/inquiries/service.ts";
import { paymentIds } from "#shop/method-ids.ts";
import { outbox } from "#shop/notifications/tables.ts";
import * as orders from "#shop/orders/service.ts";
import { orders as orderRows } from "#shop/orders/tables.ts";
import * as payment from "#shop/payment/service.ts";
import { testClock } from "#tests/shop.ts";
import { openStaffBench, type StaffBench } from "../testing.ts";

let shop: ShopToBuy;
let bench: StaffBench;
beforeAll(async () => {
  shop = await openShopToBuy({ clock: testClock(), stock: 50, limits: { writesPerMinute: 100_000, requestsPerMinute: 100_000 } });
  bench = await openStaffBench({ shop });
});
afterAll(() => bench.close());

async function aPaidOrder(name: string) {
  const order = await shop.ordered(aVisitor(name), { 1: 1 }, byPoint);
  return shop.paid(order);
}

test("each alarm of the runbook leads to something that waits", () => {
  const runbook = readFileSync(new URL("../../../../docs/runbook.md", import.meta.url), "utf8");
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

test("orders are to be packed before the courier's next visit, which the day names too", async () => {
  const packing = await bench.as("packing");
  const dueOf = async () => (await packing.call(readWaiting)).data.find(({ id }) => id === "to_pack")?.due;
  expect([await dueOf(), (await packing.call(readDay)).data.courier]).toEqual([[], null]);
  const days = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"] as const;
  shop.ctx.settings.courier = [{ days, at: "00:00" }];
  const { courier } = (await packing.call(readDay)).data;
  expect(new Date(courier ?? 0).getTime()).toBeGreaterThan(shop.clock.now().getTime());
  expect(await dueOf()).toEqual([{ at: courier, what: "курьер" }]);
  shop.ctx.settings.courier = [];
});

test("work that can have an assignee names those who have some of it", async () => {
  const sales = await bench.as("sales");
  const leading = async (id: string) => (await sales.call(readWaiting)).data.find((each) => each.id === id)?.assignees;
  expect([await leading("to_pack"), await leading("unsealed")]).toEqual([[], []]);
  const { id } = await aPaidOrder("w4");
  const { data: card } = await sales.call(readOrderCard, { params: { id } });
  await sales.call(assignOrder, { params: { id }, body: { revision: card.revision, assignee: sales.member.login } });
  expect([await leading("to_pack"), await leading("unsealed")]).toEqual([[sales.member.name], []]);
});

test("an order whose message did not arrive waits and is in the list it leads to, until the message is sent again", async () => {
  const order = await aPaidOrder("w7");
  const sales = await bench.as("sales");
  const waiting = async () => (await sales.call(readWaiting)).data.find(({ id }) => id === "messages");
  const numbers = async (query: Record<string, string>) =>
    (await sales.call(readOrderList, { query })).data.rows.map(({ number, problemText }) => [number, problemText]);
  const giveUp = (id: number) => shop.ctx.db.update(outbox).set({ sentAt: null, nextTryAt: null }).where(eq(outbox.id, id));
  const resend = (messageId: number) => sales.call(resendMessage, { params: { id: order.id, messageId } });
  expect(await waiting()).toBeUndefined();
  const [first] = (await sales.call(readOrderCard, { params: { id: order.id } })).data.messages;
  await giveUp(first?.id ?? 0);
  expect(await waiting()).toMatchObject({ count: 1, facts: "1\u00A0заказ" });
  const query = Object.fromEntries(new URL((await waiting())?.path ?? "", "http://office").searchParams);
  const found = [[order.number, "сообщение не дошло до покупателя"]];
  expect(await numbers(query)).toEqual(found);
  expect(await numbers({ ...query, view: "problem" })).toEqual(found);

  const [again] = (await resend(first?.id ?? 0)).data;
  expect([await waiting(), await numbers(query)]).toEqual([undefined, []]);
  await giveUp(again?.id ?? 0); // the copy did not arrive either
  expect(await numbers(query)).toEqual(found);
  await resend(first?.id ?? 0);
  expect([await waiting(), await numbers(query)]).toEqual([undefined, []]);
});

test("a reservation that ends soon is in the list it leads to, also that of an order paid on collection", async () => {
  const order = await shop.ordered(aVisitor("w8"), { 1: 1 }, { ...atOffice, paymentId: paymentIds.on_collection });
  const sales = await bench.as("sales");
  const waiting = async () => (await sales.call(readWaiting)).data.find(({ id }) => id === "unpaid");
  const before = (await waiting())?.count ?? 0;
  const soon = plus(shop.clock.now(), minutes(30));
  await shop.ctx.db.update(orderRows).set({ reservedUntil: soon }).where(eq(orderRows.id, order.id));
  const found = await waiting();
  expect(found?.count).toBe(before + 1);
  const query = Object.fromEntries(new URL(found?.path ?? "", "http://office").searchParams);
  const { rows } = (await sales.call(readOrderList, { query })).data;
  expect(rows.map(({ number }) => number)).toContain(order.number);
});

test("a callback waits with its deadline, a personal data request with its last day, and the day has the office's hours", async () => {
  const form = { name: "Мария", phone: "+79161112233", email: "", note: "", isSuspect: false, mayThank: false };
  await inquiries.submit(shop.ctx, { ...form, kind: "callback", convenientTime: "" } as NewInquiry);
  const sales = await bench.as("sales");
  const { data } = await sales.call(readWaiting);
  expect(data.find(({ id }) => id === "requests")).toMatchObject({ area: "Обращения", facts: "1", due: [{ what: "звонок" }] });
  const { date } = moscow(shop.clock.now());
  const admin = await bench.as("admin");
  await privacy.add(
    shop.ctx,
    { kind: "access", applicant: "Семёнова", contact: "письмо", text: "", customerId: null, receivedOn: date },
    admin.member.login,
  );
  const open = (await admin.call(readWaiting)).data.find(({ id }) => id === "privacy");
  expect(open).toMatchObject({ facts: "1\u00A0обращение", due: [{ what: "ответ о данных" }] });
  const [due] = open?.due ?? [];
  const first = (await admin.call(readDay)).data;
  expect(first).toMatchObject({ today: date });
  shop.clock.set(new Date(due?.at ?? 0));
  const last = (await (await bench.as("admin")).call(readDay)).data; // the session of before has ended
  expect(new Date(last.open?.till ?? 0)).toEqual(shop.clock.now()); // due when the office closes
});

test("a refund by hand and a receipt to print wait for the accountant", async () => {
  const order = await shop.ordered(aVisitor("w4"), { 1: 1 }, { ...atOffice, paymentId: paymentIds.invoice });
  await orders.apply(shop.ctx, order.id, "pay");
  await orders.apply(shop.ctx, order.id, "cancel");
  const { data } = await (await bench.as("accountant")).call(readWaiting);
  expect(data.map(({ id }) => id)).toEqual(expect.arrayContaining(["refunds_by_hand", "receipts"]));
});

test("requests wait for the buyback desk that it can answer: free deals and its own", async () => {
  const [desk, other] = [await bench.as("buyback"), await bench.as("buyback")];
  const rowOf = async (client = desk) => (await client.call(readWaiting)).data.find(({ id }) => id === "requests");
  expect(await rowOf(await bench.as("sales"))).toMatchObject({ count: 1 }); // a callback, whose phone the desk may not open
  expect(await rowOf()).toBeUndefined();
  const sender = { name: "Олег", phone: "+79161234567", email: "", note: "", isSuspect: false, mayThank: false };
  const deal: NewInquiry = { ...sender, kind: "buyback", coins: [{ title: "Сеятель", count: 3 }], condition: "good" };
  const [first, second] = [await inquiries.submit(shop.ctx, deal), await inquiries.submit(shop.ctx, deal)];
  expect(await rowOf()).toMatchObject({ count: 2, act: "Ответить", path: "/requests?kind=buyback" });
  await other.call(openRequestContacts, { params: { id: second.id }, body: { take: true } });
  expect(await rowOf()).toMatchObject({ count: 1, act: "Ответить", path: `/requests/${first.id}` });
  const owner = await bench.as("owner");
  for (const { id } of [first, second]) {
    const { data: card } = await owner.call(readRequest, { params: { id } });
    await owner.call(moveRequest, { params: { id }, body: { revision: card.revision, event: "close", outcome: "не актуально" } });
  }
  expect(await rowOf()).toBeUndefined();
});

test("a row of one item leads to it, a row of several to their list", async () => {
  const rowOf = async (role: "sales" | "accountant" | "owner", id: string) =>
    (await (await bench.as(role)).call(readWaiting)).data.find((each) => each.id === id);
  expect(await rowOf("sales", "requests")).toMatchObject({
    count: 1,
    act: "Позвонить",
    path: expect.stringMatching(/^\/requests\/\d+$/),
  });
  const form = { name: "Ольга", phone: "+79161112244", email: "", note: "", isSuspect: false, mayThank: false };
  await inquiries.submit(shop.ctx, { ...form, kind: "callback", convenientTime: "" } as NewInquiry);
  expect(await rowOf("sales", "requests")).toMatchObject({ count: 2, act: "Ответить", path: "/requests" });
  const [refund] = (await payment.refundsWaiting(shop.ctx)).filter(({ why }) => why === "by_hand");
  expect(await rowOf("accountant", "refunds_by_hand")).toMatchObject({ count: 1, path: `/payments?view=refunds&refund=${refund?.id}` });

  const paid = await aPaidOrder("w8");
  const body = { revision: paid.revision, key: "only-one-refund", reason: "покупатель передумал" };
  const asker = await bench.as("sales");
  const asked = await asker.call(refundOrder, { params: { id: paid.id }, body });
  expect(await rowOf("owner", "approvals")).toMatchObject({ count: 1, path: `/approvals?open=${asked.approval?.id}` });

  // Once it is refused, the person who asked reads why, until noting it.
  const params = { id: asked.approval?.id ?? "" };
  await (await bench.as("owner")).call(refuse, { params, body: { note: "монета цела" } });
  expect((await asker.call(readWaiting)).data.find(({ id }) => id === "approvals_unseen")).toMatchObject({
    count: 1,
    path: `/approvals?view=decided&open=${params.id}`,
  });
  expect(await rowOf("owner", "approvals_unseen")).toBeUndefined();
  await asker.call(noteSeen, { params });
  expect((await asker.call(readWaiting)).data.find(({ id }) => id === "approvals_unseen")).toBeUndefined();

  const packed = await aPaidOrder("w9");
  await orders.apply(shop.ctx, packed.id, "assemble");
  await shop.pass(minutes(1));
  shop.carrier.refuse(packed.number);
  await shop.pass(minutes(30), minutes(10));
  expect(await rowOf("sales", "parcel_refused")).toMatchObject({ count: 1, path: `/orders/${packed.id}` });
});

test("a parcel that the carrier refused is one row until it is sent again, also once handed over; the card has the reason", async () => {
  const sales = await bench.as("sales");
  const rows = async () =>
    (await sales.call(readWaiting)).data.filter(({ area }) => area === "Посылка").map(({ id, count }) => [id, count]);
  const before = (await rows()).find(([id]) => id === "parcel_refused")?.[1] ?? 0;
  const order = await aPaidOrder("w10");
  await orders.apply(shop.ctx, order.id, "assemble");
  await shop.pass(minutes(1));
  await orders.apply(shop.ctx, order.id, "ship");
  shop.alarms.splice(0);
  shop.carrier.refuse(order.number);
  await shop.pass(minutes(30), minutes(10));
  const raised = shop.alarms.filter(({ fields }) => fields?.orderId === order.id);
  expect(raised.map(({ name }) => [name, isAlarmGroup(alarmGroups[name])])).toEqual([["delivery.refused", false]]);
  expect(await rows()).toEqual([["parcel_refused", Number(before) + 1]]);
  const { data: card } = await sales.call(readOrderCard, { params: { id: order.id } });
  expect(card.parcel).toMatchObject({ state: "invalid", refusal: "refused" });
  await orders.resendParcel(shop.ctx, order.id, null);
  expect((await rows()).find(([id]) => id === "parcel_refused")?.[1] ?? 0).toBe(before);
});

test("the search answers each role with what it may read, and with sums only where it may see money", async () => {
  const order = await aPaidOrder("w5");
  const request = async (role: "sales" | "packing" | "editor" | "accountant" | "admin", q: string) =>
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
  // As banks write the number.
  for (const written of ["№ 4711", "004711", " 4711 "])
    expect((await request("accountant", written)).transfers, written).toMatchObject([{ number: "4711" }]);
  expect((await request("sales", "4711")).transfers).toEqual([]);

  const { customer } = await signUp(shop.ctx, "+79995554433");
  const phones = ["4433", "8 999 555-44-33", "+7 (999) 555-44-33"];
  for (const typed of phones)
    expect((await request("admin", typed)).customers, typed).toEqual([{ id: customer.id, name: "", maskedPhone: "+7 ••• •••-44-33" }]);
  expect((await request("packing", "4433")).customers).toEqual([]);
  expect((await request("editor", "3")).coins).toEqual([]);
  expect((await request("sales", "№")).orders).toEqual([]);
});
