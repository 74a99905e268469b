import { eq } from "drizzle-orm";
import { afterAll, beforeAll, expect, test } from "vitest";
import { inTransaction } from "#kit/db.ts";
import { seconds } from "#kit/time.ts";
import * as cart from "#shop/cart/service.ts";
import { coins } from "#shop/catalog/tables.ts";
import type { Order } from "#shop/orders/order.ts";
import * as orders from "#shop/orders/service.ts";
import * as stock from "#shop/stock/service.ts";
import { testClock } from "#tests/shop.ts";
import { repeatOrder } from "./repeat.service.ts";
import { aVisitor, openShopToBuy, type ShopToBuy } from "./testing.ts";

let shop: ShopToBuy;
beforeAll(async () => {
  shop = await openShopToBuy({ clock: testClock(), stock: 10 });
});
afterAll(() => shop.close());

const inCart = async (owner: ReturnType<typeof aVisitor>) =>
  Object.fromEntries((await cart.read(shop.ctx, owner)).lines.map((line) => [line.coinId, line.quantity]));
const again = (owner: ReturnType<typeof aVisitor>, order: Order) =>
  repeatOrder(shop.ctx, owner, { orderId: order.id, viewer: shop.guest(order) });

test("available coins go into the cart, short and sold-out ones are listed; a second call changes nothing", async () => {
  const buyer = aVisitor("again");
  const order = await shop.ordered(buyer, { 1: 6, 2: 2, 3: 1 }); // takes six of ten: four are left
  await shop.ctx.db.update(coins).set({ isPublished: false }).where(eq(coins.id, 2));
  shop.clock.advance(seconds(2));
  const expected = {
    number: order.number,
    leftOut: [
      { coinId: 1, wanted: 6, got: 4 },
      { coinId: 2, wanted: 2, got: 0 },
    ],
  };
  expect(await again(buyer, order)).toEqual(expected);
  expect(await inCart(buyer)).toEqual({ 1: 4, 3: 1 });
  expect(await again(buyer, order)).toEqual(expected);
  expect(await inCart(buyer)).toEqual({ 1: 4, 3: 1 });
  await shop.ctx.db.update(coins).set({ isPublished: true }).where(eq(coins.id, 2));
});

test("a larger quantity in the cart stays; a cancelled order can be repeated too", async () => {
  const buyer = aVisitor("more");
  const order = await shop.ordered(buyer, { 2: 1 });
  await orders.cancel(shop.ctx, { orderId: order.id, viewer: shop.guest(order) });
  await inTransaction(shop.ctx.db, (tx) => stock.receive(tx, shop.ctx, 2, 5));
  await shop.fill(buyer, { 2: 3 });
  expect(await again(buyer, order)).toEqual({ number: order.number, leftOut: [] });
  expect(await inCart(buyer)).toEqual({ 2: 3 });
});

test("another customer's order is answered as not found", async () => {
  const [order, other] = [await shop.ordered(aVisitor("own"), { 2: 1 }), await shop.ordered(aVisitor("other"), { 2: 1 })];
  expect(await repeatOrder(shop.ctx, aVisitor("thief"), { orderId: order.id, viewer: shop.guest(other) })).toBeNull();
  expect(await repeatOrder(shop.ctx, aVisitor("thief"), { orderId: order.id, viewer: { customerId: "thief" } })).toBeNull();
  expect(await inCart(aVisitor("thief"))).toEqual({});
});

test("a coin with a purchase limit is raised to it, and a full cart takes no more lines", async () => {
  const buyer = aVisitor("limited");
  const order = await shop.ordered(buyer, { 2: 2 });
  await shop.ctx.db.update(coins).set({ purchaseLimit: 1 }).where(eq(coins.id, 2));
  shop.clock.advance(seconds(2));
  expect(await again(buyer, order)).toMatchObject({ leftOut: [{ coinId: 2, wanted: 2, got: 1 }] });
  await shop.ctx.db.update(coins).set({ purchaseLimit: null }).where(eq(coins.id, 2));
});
