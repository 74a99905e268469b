import { eq, isNotNull } from "drizzle-orm";
import { afterEach, beforeEach, expect, test } from "vitest";
import { hours, minutes } from "#kit/time.ts";
import { checkLedger } from "#main/ledger/ledger.ts";
import * as checkout from "#shop/checkout/service.ts";
import { aBuyer, atOffice, aVisitor, openShopToBuy, type ShopToBuy } from "#shop/checkout/testing.ts";
import type { OwnerKey } from "#shop/context.ts";
import { signUp } from "#shop/customers/testing.ts";
import type { EmailMessage } from "#shop/notifications/gateway.ts";
import * as notifications from "#shop/notifications/service.ts";
import { outbox } from "#shop/notifications/tables.ts";
import * as orders from "#shop/orders/service.ts";
import type { Limits } from "#shop/settings.ts";
import { testClock } from "#tests/shop.ts";
import { limitOrderMessage } from "./message-limits.service.ts";
import * as auth from "./service.ts";

const phone = "+79161112233";
let shop: ShopToBuy;
let letters: EmailMessage[];
let sms: { to: string; text: string }[];
let smsFault: Error | null;
beforeEach(() => {
  [letters, sms, smsFault] = [[], [], null];
});
afterEach(async () => {
  expect(await checkLedger(shop.ctx.db)).toEqual([]);
  await shop.close();
});

async function open(limits: Partial<Limits> = {}): Promise<void> {
  shop = await openShopToBuy({ clock: testClock(), stock: 1000, limits });
  shop.ctx.gateways = {
    ...shop.ctx.gateways,
    email: {
      send: async (letter) => {
        letters.push(letter);
      },
    },
    sms: {
      send: async (message) => {
        if (smsFault) throw smsFault;
        sms.push(message);
        return { providerId: "1" };
      },
    },
  };
}

let visitors = 0;
async function places(owner: OwnerKey = aVisitor(`m${(visitors += 1)}`), given: { from?: string; email?: string } = {}) {
  await shop.fill(owner, { 1: 1 });
  const quote = await shop.quoted(owner, { ...atOffice, paymentId: 6 });
  const placed = await checkout.placeOrder(shop.ctx, owner, {
    ...shop.orderRequestFor(quote),
    user: { ...aBuyer, phone, email: given.email ?? "victim@example.ru" },
    customerId: owner.startsWith("customer:") ? owner.slice(9) : null,
    ...(given.from ? { clientAddress: given.from } : {}),
  });
  if (!placed.ok) throw new Error(placed.error.code);
  return placed.value.order;
}
const cancels = (order: { id: string }) => orders.cancel(shop.ctx, { orderId: order.id, viewer: shop.guest(order) });
async function sendAll(): Promise<void> {
  while ((await notifications.sendDue(shop.ctx, undefined, limitOrderMessage)) > 0);
}
async function aCustomer(): Promise<OwnerKey> {
  const { customer } = await signUp(shop.ctx, phone);
  return `customer:${customer.id}`;
}
const suppressed = () => shop.ctx.db.select().from(outbox).where(isNotNull(outbox.suppressedAt));

test("forty orders placed and cancelled by new browsers send thirty letters and no SMS; the phone's owner still gets a code", async () => {
  await open();
  for (let n = 0; n < 40; n += 1) await cancels(await places());
  await sendAll();
  expect(letters).toHaveLength(30);
  expect(sms).toEqual([]);
  expect(await suppressed()).toHaveLength(50);
  expect(await auth.requestCode(shop.ctx, { phone, address: "203.0.113.9", deviceHash: null })).toMatchObject({ ok: true });
  expect(sms.map(({ to }) => to)).toEqual([phone]);
  shop.clock.advance(hours(1));
  await sendAll();
  expect(letters).toHaveLength(30); // suppressed messages are not sent later
});

test("a signed-in customer gets a limited number of SMS about orders a day, and codes in addition", async () => {
  await open();
  const me = await aCustomer();
  for (let n = 0; n < 40; n += 1) await cancels(await places(me));
  for (let minute = 0; minute < 5; minute += 1) {
    await sendAll();
    shop.clock.advance(minutes(1));
  }
  expect(sms).toHaveLength(12);
  expect(await auth.requestCode(shop.ctx, { phone, address: "203.0.113.9", deviceHash: null })).toMatchObject({ ok: true });
});

test("messages about orders use half of the SMS budget at most, the rest waits for codes", async () => {
  await open({ smsBudgetDay: 10, smsBudgetOrdersPercent: 50, unpaidOrders: 100 });
  const me = await aCustomer();
  for (let n = 0; n < 8; n += 1) await places(me);
  await sendAll();
  expect(sms).toHaveLength(5);
  for (let n = 0; n < 5; n += 1)
    expect(await auth.requestCode(shop.ctx, { phone: `+7916222000${n}`, address: "203.0.113.9", deviceHash: null })).toMatchObject({
      ok: true,
    });
  expect(await auth.requestCode(shop.ctx, { phone: "+79162220009", address: "203.0.113.9", deviceHash: null })).toMatchObject({
    ok: false,
  });
});

test("one network address causes a limited number of letters an hour, for any mailboxes", async () => {
  await open({ orderMessagesPerAddressHour: 3 });
  for (let n = 0; n < 5; n += 1) await places(undefined, { from: "203.0.113.7", email: `victim${n}@example.ru` });
  await places(undefined, { from: "203.0.113.8", email: "other@example.ru" });
  await sendAll();
  expect(letters).toHaveLength(4);
  const rows = await suppressed();
  expect(rows.map(({ suppressedBecause }) => suppressedBecause)).toEqual(["address hour", "address hour"]);
  expect(shop.alarms.filter(({ name }) => name === "mail.suppressed").map(({ fields }) => fields)).toEqual([
    { channel: "email", reason: "address hour" },
    { channel: "email", reason: "address hour" },
  ]);
  expect(JSON.stringify(rows.map(({ origin }) => origin))).not.toContain("203.0.113");
});

test("the cancellation of an order whose letter was suppressed is suppressed too", async () => {
  await open({ orderLettersPerMailboxHour: 1 });
  const [first, second] = [await places(), await places()];
  await sendAll();
  shop.clock.advance(hours(1));
  await cancels(second);
  await cancels(first);
  await sendAll();
  expect(letters.map(({ subject }) => subject.replaceAll(/\d+/g, "N"))).toEqual(["Заказ №N принят — Чекан", "Заказ №N отменён — Чекан"]);
  expect((await suppressed()).map(({ kind, suppressedBecause }) => [kind, suppressedBecause])).toEqual([
    ["order_placed", "mailbox hour"],
    ["order_cancelled", "order not announced"],
  ]);
});

test("letters about money are delayed by the limits, never dropped", async () => {
  await open({ orderLettersPerMailboxHour: 2 });
  const order = await places();
  await places();
  await sendAll();
  await orders.apply(shop.ctx, order.id, "pay");
  await sendAll();
  expect(letters).toHaveLength(2);
  shop.clock.advance(hours(1));
  await sendAll();
  expect(letters.map(({ subject }) => subject).at(-1)).toMatch(/оплачен/);
  expect(await suppressed()).toEqual([]);
});

test("a message that could not be sent is not counted", async () => {
  await open({ orderSmsPerPhoneDay: 1 });
  await places(await aCustomer());
  smsFault = new Error("refused with 220");
  await sendAll();
  smsFault = null;
  shop.clock.advance(minutes(1));
  await sendAll();
  expect(sms).toHaveLength(1);
  const [row] = await shop.ctx.db.select().from(outbox).where(eq(outbox.channel, "sms"));
  expect(row?.sentAt).not.toBeNull();
});
