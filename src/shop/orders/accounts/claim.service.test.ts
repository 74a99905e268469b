import { eq } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { inTransaction } from "#kit/db.ts";
import { days } from "#kit/time.ts";
import { aBuyer, aVisitor, byPoint, openShopToBuy, type ShopToBuy } from "#shop/checkout/testing.ts";
import * as customers from "#shop/customers/service.ts";
import { signUp } from "#shop/customers/testing.ts";
import { testClock } from "#tests/shop.ts";
import type { Order } from "../order.ts";
import * as rows from "../repository.ts";
import * as orders from "../service.ts";
import { orders as orderTable } from "../tables.ts";

let shop: ShopToBuy;
beforeAll(async () => {
  shop = await openShopToBuy({ clock: testClock(), stock: 1000 });
});
afterAll(() => shop.close());

const account = async (phone: string): Promise<string> => (await signUp(shop.ctx, phone)).customer.id;
const claim = (orderId: string, customerId: string, guestKey = orders.keyOf(shop.ctx, orderId)) =>
  orders.claim(shop.ctx, { orderId, guestKey, customerId });

test("a guest's order is moved into the account of its phone once, and fills in the name", async () => {
  const order = await shop.ordered(aVisitor("anna"), { 1: 1 });
  const customerId = await account(aBuyer.phone);
  expect([await claim(order.id, customerId), await claim(order.id, customerId)]).toEqual([true, true]);
  expect((await orders.list(shop.ctx, customerId)).map(({ id }) => id)).toContain(order.id);
  expect(await customers.byId(shop.ctx, customerId)).toMatchObject({ lastName: aBuyer.lastName, email: aBuyer.email });
  expect(await orders.find(shop.ctx, order.id, shop.guest(order))).not.toBeNull(); // its link still opens it
});

test("the consents given with a guest's order are moved to the account with it", async () => {
  const order = await shop.ordered(aVisitor("vera"), { 1: 1 });
  await inTransaction(shop.ctx.db, (tx) => customers.subscribe(tx, shop.ctx, { customerId: null, orderId: order.id }));
  const customerId = await account(aBuyer.phone);
  expect(await customers.newsletter(shop.ctx, customerId)).toBeNull();
  await claim(order.id, customerId);
  expect(await customers.newsletter(shop.ctx, customerId)).toMatchObject({ textVersion: "newsletter-2026-11" });
});

test("another phone, a wrong or old key, or another customer's order moves nothing into an account", async () => {
  const order = await shop.ordered(aVisitor("boris"), { 1: 1 });
  const [owner, stranger] = [await account(aBuyer.phone), await account("+79990001122")];
  expect(await claim(order.id, stranger)).toBe(false);
  expect(await claim(order.id, owner, "wrong")).toBe(false);
  expect(await claim("AAAAAAAAAAAAAAAAAAAAAA", owner)).toBe(false);
  shop.clock.advance(days(31));
  expect(await claim(order.id, owner)).toBe(false);
  await shop.receiveRates();
  const another = await shop.ordered(`customer:${stranger}`, { 1: 1 });
  expect(await claim(another.id, owner)).toBe(false);
  expect(await orders.list(shop.ctx, stranger)).toHaveLength(1);
});

/** A customer with a phone of its own, and guests' orders on that phone. */
let serial = 0;
async function aPhoneOwner(): Promise<{
  phone: string;
  customerId: string;
  guestOrder: (browser?: string, email?: string) => Promise<Order>;
}> {
  serial += 1;
  const phone = `+79167${String(serial).padStart(6, "0")}`;
  const customerId = await account(phone);
  await shop.receiveRates();
  const guestOrder = async (browser = `guest-${serial}-${shop.ctx.now().getTime()}`, email = aBuyer.email) => {
    const order = await shop.ordered(aVisitor(browser), { 1: 1 }, byPoint);
    await shop.ctx.db
      .update(orderTable)
      .set({ user: { ...aBuyer, phone, email } })
      .where(eq(orderTable.id, order.id));
    return order;
  };
  return { phone, customerId, guestOrder };
}
const later = (): Date => {
  shop.clock.advance(1000);
  return shop.ctx.now();
};

describe("orders made without sign-in on a confirmed phone", () => {
  test("are listed without data of their recipient, claimed at once, and then listed no more", async () => {
    const { customerId, guestOrder } = await aPhoneOwner();
    const [first, second] = [await guestOrder(), await guestOrder()];
    const claimant = { customerId, signedInAt: later(), browser: null };
    const found = await orders.claimable(shop.ctx, claimant);
    expect(new Set(found.map(({ number }) => number))).toEqual(new Set([first.number, second.number]));
    expect(found[0]).toEqual({
      number: expect.any(Number) as number,
      createdAt: expect.any(Date) as Date,
      state: "awaiting_payment",
      total: first.total,
      pieces: 1,
    });
    expect(new Set(await orders.claimAll(shop.ctx, claimant))).toEqual(new Set([first.number, second.number]));
    expect(await orders.claimAll(shop.ctx, claimant)).toEqual([]);
    expect(await orders.claimable(shop.ctx, claimant)).toEqual([]);
    expect(await orders.list(shop.ctx, customerId)).toHaveLength(2);
  });

  test("with another phone, older than 30 days, made after the code, or of another account are not listed and not claimed", async () => {
    const [owner, other] = [await aPhoneOwner(), await aPhoneOwner()];
    const old = await owner.guestOrder();
    shop.clock.advance(days(30));
    await shop.receiveRates();
    const signedInAt = later();
    const taken = await other.guestOrder();
    await inTransaction(shop.ctx.db, (tx) => rows.save(tx, taken.id, { customerId: other.customerId }));
    shop.clock.advance(1000);
    const afterCode = await owner.guestOrder();
    const claimant = { customerId: owner.customerId, signedInAt, browser: null };
    expect([await orders.claimable(shop.ctx, claimant), await orders.claimAll(shop.ctx, claimant)]).toEqual([[], []]);
    expect(await orders.claimAll(shop.ctx, { ...claimant, signedInAt: null })).toEqual([]);
    expect(await orders.claimAll(shop.ctx, { ...claimant, customerId: other.customerId, signedInAt: later() })).toEqual([]);
    // The code was entered once more
    expect(await orders.claimAll(shop.ctx, { ...claimant, signedInAt: later() })).toEqual([afterCode.number]);
    expect((await shop.now(old)).customerId).toBeNull();
  });

  test("keep name, e-mail and address masked in every answer, copy nothing to the profile; the order's link removes the mask", async () => {
    const { customerId, guestOrder, phone } = await aPhoneOwner();
    const order = await guestOrder();
    const viewer = { customerId };
    await orders.claimAll(shop.ctx, { customerId, signedInAt: later(), browser: null });
    const seen = [
      await orders.find(shop.ctx, order.id, viewer),
      (await orders.list(shop.ctx, customerId))[0],
      await orders.cancel(shop.ctx, { orderId: order.id, viewer }),
    ];
    for (const each of seen) expect(JSON.stringify(each)).not.toMatch(/Петров|Иван|ivan@/);
    expect((await orders.find(shop.ctx, order.id, viewer))?.user).toEqual({
      name: "И•••",
      lastName: "П•••",
      secondName: "",
      email: "i•••@example.ru",
      phone,
    });
    expect(await customers.byId(shop.ctx, customerId)).toMatchObject({ name: "", lastName: "", email: "" });
    expect((await orders.byId(shop.ctx, order.id))?.user.email).toBe(aBuyer.email); // letters still go where the buyer wanted them
    expect(await claim(order.id, customerId)).toBe(true);
    expect((await orders.find(shop.ctx, order.id, viewer))?.user.lastName).toBe(aBuyer.lastName);
  });

  test("made in this browser, or with the account's e-mail, are claimed with their recipient unmasked", async () => {
    const here = await aPhoneOwner();
    const order = await here.guestOrder("this-browser");
    await orders.claimAll(shop.ctx, { customerId: here.customerId, signedInAt: later(), browser: aVisitor("this-browser") });
    expect((await orders.find(shop.ctx, order.id, here))?.user.lastName).toBe(aBuyer.lastName);
    expect(await customers.byId(shop.ctx, here.customerId)).toMatchObject({ lastName: aBuyer.lastName, email: aBuyer.email });

    const known = await aPhoneOwner();
    await customers.update(shop.ctx, known.customerId, { email: "Anna@Example.ru" });
    const byMail = await known.guestOrder("elsewhere", "anna@example.ru");
    await orders.claimAll(shop.ctx, { customerId: known.customerId, signedInAt: later(), browser: null });
    expect((await orders.find(shop.ctx, byMail.id, known))?.user.lastName).toBe(aBuyer.lastName);
  });

  test("made in this browser with another phone are listed with the phone masked, and cannot be claimed", async () => {
    const [owner, other] = [await aPhoneOwner(), await aPhoneOwner()];
    const gift = await other.guestOrder("one-browser");
    await other.guestOrder("another-browser");
    await owner.guestOrder("one-browser");
    const claimant = { customerId: owner.customerId, signedInAt: later(), browser: aVisitor("one-browser") };
    const found = await orders.ofOtherPhones(shop.ctx, claimant);
    expect(found).toEqual([
      expect.objectContaining({
        number: gift.number,
        pieces: 1,
        phone: `+7 ••• •••-${other.phone.slice(-4, -2)}-${other.phone.slice(-2)}`,
      }),
    ]);
    await orders.claimAll(shop.ctx, claimant);
    expect((await shop.now(gift)).customerId).toBeNull();
    expect(await orders.ofOtherPhones(shop.ctx, { ...claimant, browser: null })).toEqual([]);
    shop.clock.advance(days(30));
    expect(await orders.ofOtherPhones(shop.ctx, claimant)).toEqual([]);
  });

  test("claimed twice at once are moved into the account once", async () => {
    const { customerId, guestOrder } = await aPhoneOwner();
    const order = await guestOrder();
    const claimant = { customerId, signedInAt: later(), browser: null };
    const both = await Promise.all([orders.claimAll(shop.ctx, claimant), orders.claimAll(shop.ctx, claimant)]);
    expect(both.flat()).toEqual([order.number]);
  });
});
