import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import * as auth from "#shop/auth/service.ts";
import { anSmsInbox } from "#shop/auth/testing.ts";
import * as cart from "#shop/cart/service.ts";
import { aBuyer, aVisitor, byPoint, openShopToBuy, type ShopToBuy } from "#shop/checkout/testing.ts";
import { readEntries, saveEntries } from "#shop/checkout/entries/entries.service.ts";
import * as customers from "#shop/customers/service.ts";
import { days, minutes } from "#kit/time.ts";
import * as lists from "#shop/lists/service.ts";
import { sweeps as orderSweeps } from "#shop/orders/jobs.ts";
import * as orders from "#shop/orders/service.ts";
import { orders as orderTable } from "#shop/orders/tables.ts";
import { outbox } from "#shop/notifications/tables.ts";
import { payments, receipts } from "#shop/payment/tables.ts";
import { eraseOld } from "#shop/notifications/service.ts";
import { eq } from "drizzle-orm";
import { testClock } from "#tests/shop.ts";
import * as account from "./service.ts";

let shop: ShopToBuy;
let phones: ReturnType<typeof anSmsInbox>;
let phone: string;
let serial = 0;
beforeAll(async () => {
  shop = await openShopToBuy({ stock: 1000, clock: testClock() });
  phones = anSmsInbox();
  shop.ctx.gateways.sms = phones;
});
afterAll(() => shop.close());
beforeEach(async () => {
  serial += 1;
  phone = `+79165${String(serial).padStart(6, "0")}`;
  await shop.receiveRates();
});

/** Signs in and returns the customer's id and the time of the sign-in. */
async function signIn(device = "home", address = `10.1.${serial}.1`) {
  const sent = await auth.requestCode(shop.ctx, { phone, address, deviceHash: device });
  if (!sent.ok) throw new Error(sent.error.code);
  const signedIn = await auth.checkCode(shop.ctx, {
    phone,
    code: phones.codeOf(phone),
    challenge: sent.value.challenge,
    address,
    deviceHash: device,
    visitor: null,
    userAgent: "a browser",
  });
  if (!signedIn.ok) throw new Error(signedIn.error.code);
  const session = await auth.session(shop.ctx, signedIn.value.sid);
  if (!session) throw new Error("no session");
  return { ...session, sid: signedIn.value.sid };
}

const lettersTo = async (email: string): Promise<string[]> =>
  (await shop.ctx.db.select().from(outbox).where(eq(outbox.recipient, email))).map(({ kind }) => kind);
const withMail = async (email = `anna${serial}@example.ru`) => {
  const me = await signIn();
  await account.changeProfile(shop.ctx, me, { name: "Анна", lastName: "Петрова", email });
  return { ...me, email };
};

test("a sign-in from a new device after half a year without use sends a letter; an earlier one, or a known device, does not", async () => {
  const { email } = await withMail();
  shop.clock.advance(minutes(2));
  await signIn("office"); // a new browser the same day
  shop.clock.advance(days(180) - minutes(1));
  await signIn("train");
  expect(await lettersTo(email)).toEqual([]);
  shop.clock.advance(days(180) + minutes(1));
  await signIn("home"); // known
  expect(await lettersTo(email)).toEqual([]);
  shop.clock.advance(days(180) + minutes(1));
  await signIn("somebody else's");
  expect(await lettersTo(email)).toEqual(["new_device"]);
});

test("an account that is read in an old session counts as used", async () => {
  const { email, sid } = await withMail();
  shop.clock.advance(days(20));
  await auth.session(shop.ctx, sid);
  shop.clock.advance(days(170));
  await auth.deleteExpired(shop.ctx); // the session is deleted, the device's last use is not
  await signIn("another");
  expect(await lettersTo(email)).toEqual([]);
});

test("an e-mail can be replaced only within ten minutes after a code; everything else can be changed at any time", async () => {
  const { email, ...me } = await withMail();
  shop.clock.advance(minutes(10));
  expect(await account.changeProfile(shop.ctx, me, { email: "second@example.ru" })).toMatchObject({ ok: true });
  shop.clock.advance(1);
  for (const refused of [
    await account.changeProfile(shop.ctx, me, { name: "Вор", email: "thief@example.ru" }),
    await account.completeProfile(shop.ctx, me, { name: "Вор", email: "thief@example.ru" }),
  ])
    expect(refused).toEqual({ ok: false, error: { code: "account.code_needed" } });
  expect(await customers.byId(shop.ctx, me.customerId)).toMatchObject({ name: "Анна", email: "second@example.ru" });
  expect(await account.changeProfile(shop.ctx, me, { name: "Анна-Мария", email: "second@example.ru" })).toMatchObject({ ok: true });
  const again = await signIn();
  expect(await account.changeProfile(shop.ctx, again, { email })).toMatchObject({ ok: true });
});

test("a first e-mail needs no fresh code", async () => {
  const me = await signIn();
  shop.clock.advance(days(2));
  expect(await account.completeProfile(shop.ctx, me, { name: "Петрова Анна", email: "anna@example.ru" })).toMatchObject({
    ok: true,
    value: { lastName: "Петрова", email: "anna@example.ru" },
  });
});

test("all stored data of a customer can be exported", async () => {
  const me = await withMail();
  const order = await shop.ordered(`customer:${me.customerId}`, { 1: 2 });
  await lists.add(shop.ctx, `customer:${me.customerId}`, "wishlist", 3);
  await shop.fill(`customer:${me.customerId}`, { 2: 1 });
  expect(await account.exportData(shop.ctx, me.customerId)).toMatchObject({
    customer: { phone, email: me.email },
    consents: [{ purpose: "registration" }, { purpose: "order" }],
    orders: [{ number: order.number, user: aBuyer }],
    wishlist: [3],
    compare: [],
    cart: [{ coinId: 2, quantity: 1 }],
    devices: [{ userAgent: "a browser" }],
  });
  expect(await account.exportData(shop.ctx, "nobody")).toBeNull();
});

test("an account is deleted only soon after a code, and only without open orders", async () => {
  const me = await withMail();
  const order = await shop.ordered(`customer:${me.customerId}`, { 1: 1 });
  expect(await account.erase(shop.ctx, me)).toEqual({ ok: false, error: { code: "account.orders_open" } });
  await orders.cancel(shop.ctx, { orderId: order.id, viewer: { customerId: me.customerId } });
  shop.clock.advance(minutes(10) + 1);
  expect(await account.erase(shop.ctx, me)).toEqual({ ok: false, error: { code: "account.code_needed" } });
  expect(await auth.session(shop.ctx, me.sid)).not.toBeNull();
});

test("a deleted account has no personal data, cart, list or session; its phone is free; orders are anonymised after 5 years", async () => {
  const me = await withMail();
  const owner = `customer:${me.customerId}` as const;
  const order = await shop.ordered(owner, { 1: 1 }, byPoint);
  await shop.pay(order);
  await orders.cancel(shop.ctx, { orderId: order.id, viewer: { customerId: me.customerId } });
  await shop.fill(owner, { 2: 1 });
  await saveEntries(shop.ctx, owner, { cityCode: "0000073738" });
  await lists.add(shop.ctx, owner, "wishlist", 3);
  const kept = await shop.ordered(aVisitor(`guest-${serial}`), { 2: 1 });

  expect(await account.erase(shop.ctx, me)).toEqual({ ok: true, value: true });
  expect(await account.erase(shop.ctx, me)).toEqual({ ok: true, value: true });
  expect(await auth.session(shop.ctx, me.sid)).toBeNull();
  expect(await customers.byId(shop.ctx, me.customerId)).toBeNull();
  expect(await lists.ids(shop.ctx, owner, "wishlist")).toEqual([]);
  expect((await cart.read(shop.ctx, owner)).lines).toEqual([]);
  expect(await readEntries(shop.ctx, owner)).toEqual({});
  expect(await lettersTo(me.email)).toEqual(["account_deleted"]);
  shop.clock.advance(minutes(2));
  const stranger = await signIn("new owner's phone");
  expect(stranger.customerId).not.toBe(me.customerId);
  expect(await orders.list(shop.ctx, stranger.customerId)).toEqual([]);

  // The account's row has no name; the order has it until the retention period ends.
  const {
    rows: [row],
  } = (await shop.ctx.db.execute(`select * from customers where id = '${me.customerId}'`)) as unknown as {
    rows: Record<string, unknown>[];
  };
  expect(JSON.stringify(row)).not.toMatch(new RegExp(`Анна|Петрова|${me.email}|${phone.slice(1)}`));
  shop.clock.advance(days(1826) - minutes(10));
  await orderSweeps["orders.forget"].run(shop.ctx);
  expect((await shop.now(order)).user).toEqual(aBuyer);
  shop.clock.advance(minutes(20));
  await orderSweeps["orders.forget"].run(shop.ctx);
  for (const { id } of [order, kept]) {
    const after = await shop.now({ id });
    expect(after).toMatchObject({
      user: { name: "", lastName: "", email: "", phone: "" },
      address: null,
      total: expect.any(Number) as number,
    });
    const stored = JSON.stringify([
      await shop.ctx.db.select().from(orderTable).where(eq(orderTable.id, id)),
      await shop.ctx.db.select().from(payments).where(eq(payments.orderId, id)),
      await shop.ctx.db.select().from(receipts).where(eq(receipts.orderId, id)),
    ]);
    expect(stored).not.toMatch(/Петров|ivan@example|9161234567/);
  }
  await eraseOld(shop.ctx);
  expect((await shop.ctx.db.select().from(outbox)).filter(({ nextTryAt, recipient }) => nextTryAt === null && recipient !== "")).toEqual(
    [],
  );
});

test("orders of an existing account are not anonymised, and an order adopted by an account is no longer a guest's", async () => {
  const me = await withMail();
  const order = await shop.ordered(`customer:${me.customerId}`, { 1: 1 });
  const guests = await shop.ordered(aVisitor(`g-${serial}`), { 1: 1 });
  await shop.ctx.db
    .update(orderTable)
    .set({ user: { ...aBuyer, phone } })
    .where(eq(orderTable.id, guests.id));
  expect(await orders.claim(shop.ctx, { orderId: guests.id, guestKey: orders.keyOf(shop.ctx, guests.id), customerId: me.customerId })).toBe(
    true,
  );
  shop.clock.advance(days(2000));
  await orderSweeps["orders.forget"].run(shop.ctx);
  expect([(await shop.now(order)).user.name, (await shop.now(guests)).user.name]).toEqual([aBuyer.name, aBuyer.name]);
});

test("a sign-in during the deletion of an account creates a new account", async () => {
  const me = await withMail();
  const sent = await auth.requestCode(
    { ...shop.ctx, now: () => new Date(shop.ctx.now().getTime() + minutes(3)) },
    { phone, address: "10.9.9.9", deviceHash: "x" },
  );
  if (!sent.ok) throw new Error(sent.error.code);
  const [erased, signedIn] = await Promise.all([
    account.erase(shop.ctx, me),
    auth.checkCode(shop.ctx, {
      phone,
      code: phones.codeOf(phone),
      challenge: sent.value.challenge,
      address: "10.9.9.9",
      deviceHash: "x",
      visitor: null,
      userAgent: "a browser",
    }),
  ]);
  expect(erased.ok && signedIn.ok).toBe(true);
  if (!signedIn.ok) return;
  const session = await auth.session(shop.ctx, signedIn.value.sid);
  expect(session === null || (await customers.byId(shop.ctx, session.customerId)) !== null).toBe(true);
});

test("a guest's order adopted by an account during its deletion is anonymised after the retention period too", async () => {
  for (let round = 0; round < 6; round += 1) {
    phone = `+79168${String(serial * 10 + round).padStart(6, "0")}`;
    const me = await signIn(`taker-${round}`, `10.2.${serial}.${round}`);
    const order = await shop.ordered(aVisitor(`left-${serial}-${round}`), { 1: 1 }, byPoint);
    await orders.cancel(shop.ctx, { orderId: order.id, viewer: shop.guest(order) });
    await shop.ctx.db
      .update(orderTable)
      .set({ user: { ...aBuyer, phone } })
      .where(eq(orderTable.id, order.id));
    shop.clock.advance(1);
    await Promise.all([
      account.erase(shop.ctx, me),
      orders.claimAll(shop.ctx, { customerId: me.customerId, signedInAt: shop.ctx.now(), browser: null }),
    ]);
    expect(await customers.byId(shop.ctx, me.customerId)).toBeNull();
    const [row] = await shop.ctx.db.select({ forgetAt: orderTable.forgetAt }).from(orderTable).where(eq(orderTable.id, order.id));
    expect(row?.forgetAt).not.toBeNull();
  }
});

test("an account with an open order is not deleted, and no code is requested before", async () => {
  const me = await withMail();
  await shop.ordered(`customer:${me.customerId}`, { 1: 1 });
  shop.clock.advance(minutes(11));
  expect(await account.erase(shop.ctx, me)).toEqual({ ok: false, error: { code: "account.orders_open" } });
});
