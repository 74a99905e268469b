import { afterAll, beforeAll, expect, test } from "vitest";
import { inTransaction } from "#kit/db.ts";
import { days } from "#kit/time.ts";
import { aBuyer, aVisitor, openShopToBuy, type ShopToBuy } from "#shop/checkout/testing.ts";
import * as customers from "#shop/customers/service.ts";
import { testClock } from "#tests/shop.ts";
import * as orders from "./service.ts";

let shop: ShopToBuy;
beforeAll(async () => { shop = await openShopToBuy({ clock: testClock(), stock: 1000 }); });
afterAll(() => shop.close());

const account = async (phone: string): Promise<string> => (await inTransaction(shop.ctx.db, (tx) => customers.findOrCreateByPhone(tx, shop.ctx, phone))).customer.id;
const claim = (orderId: string, customerId: string, guestKey = orders.keyOf(shop.ctx, orderId)) => orders.claim(shop.ctx, { orderId, guestKey, customerId });

test("a guest's order comes into the account of its phone, once and for all, and fills in the name", async () => {
  const order = await shop.ordered(aVisitor("anna"), { 1: 1 });
  const customerId = await account(aBuyer.phone);
  expect([await claim(order.id, customerId), await claim(order.id, customerId)]).toEqual([true, true]);
  expect((await orders.list(shop.ctx, customerId)).map(({ id }) => id)).toContain(order.id);
  expect(await customers.byId(shop.ctx, customerId)).toMatchObject({ lastName: aBuyer.lastName, email: aBuyer.email });
  expect(await orders.find(shop.ctx, order.id, shop.guest(order))).not.toBeNull(); // its link still opens it
});

test("what a guest agreed to with his order is his account's, once the order is", async () => {
  const order = await shop.ordered(aVisitor("vera"), { 1: 1 });
  await inTransaction(shop.ctx.db, (tx) => customers.subscribe(tx, shop.ctx, { customerId: null, orderId: order.id }));
  const customerId = await account(aBuyer.phone);
  expect(await customers.newsletter(shop.ctx, customerId)).toBeNull();
  await claim(order.id, customerId);
  expect(await customers.newsletter(shop.ctx, customerId)).toMatchObject({ textVersion: "newsletter-2026-11" });
});

test("neither another phone, nor a wrong or old key, nor another's order brings anything into an account", async () => {
  const order = await shop.ordered(aVisitor("boris"), { 1: 1 });
  const [owner, stranger] = [await account(aBuyer.phone), await account("+79990001122")];
  expect(await claim(order.id, stranger)).toBe(false);
  expect(await claim(order.id, owner, "wrong")).toBe(false);
  expect(await claim("AAAAAAAAAAAAAAAAAAAAAA", owner)).toBe(false);
  shop.clock.advance(days(31));
  expect(await claim(order.id, owner)).toBe(false);
  await shop.hear();
  const another = await shop.ordered(`customer:${stranger}`, { 1: 1 });
  expect(await claim(another.id, owner)).toBe(false);
  expect(await orders.list(shop.ctx, stranger)).toHaveLength(1);
});
