import { afterAll, beforeAll, expect, test } from "vitest";
import { seconds } from "#kit/time.ts";
import { checkLedger } from "#main/ledger/ledger.ts";
import type { Cart } from "#shop/cart/cart.ts";
import * as cart from "#shop/cart/service.ts";
import * as orders from "#shop/orders/service.ts";
import { testClock } from "#tests/shop.ts";
import * as checkout from "./service.ts";
import { aVisitor, byPoint, openShopToBuy, type ShopToBuy } from "./testing.ts";

let shop: ShopToBuy;
beforeAll(async () => {
  shop = await openShopToBuy({ clock: testClock(), isEmbedded: true });
});
afterAll(() => shop.close());

test("the embedded database also sells its last coins once, and a whole order runs on its one connection", async () => {
  const requests = [];
  for (let n = 0; n < 30; n += 1) {
    await shop.fill(aVisitor(n), { 1: 1, 3: 1 });
    requests.push({ me: aVisitor(n), request: shop.orderRequestFor(await shop.quoted(aVisitor(n), byPoint)) });
  }
  const results = await Promise.all([...requests, ...requests].map(({ me, request: input }) => checkout.placeOrder(shop.ctx, me, input)));
  const made = results.flatMap((each) => (each.ok && !each.value.isRepeat ? [each.value.order] : []));
  expect([made.length, results.filter((each) => each.ok).length]).toEqual([10, 20]);

  const [order, other] = made;
  if (!order || !other) throw new Error("no order was placed");
  expect((await shop.pay(order)).ok).toBe(true);
  shop.provider.pay(order.id);
  shop.clock.advance(seconds(3));
  expect((await orders.refreshPayment(shop.ctx, { orderId: order.id, viewer: shop.guest(order) }))?.order.state).toBe("paid");
  for (const event of ["assemble", "ship", "turn_back", "refund"] as const)
    expect((await orders.apply(shop.ctx, order.id, event)).ok).toBe(true);
  expect((await orders.cancel(shop.ctx, { orderId: other.id, viewer: shop.guest(other) })).ok).toBe(true);
  await shop.sweep();
  expect(await shop.now(order)).toMatchObject({ state: "returned", payment: { status: "refunded" } });
  expect(await shop.free(1)).toBe(2);
  expect(await checkLedger(shop.ctx.db)).toEqual([]);
});

test("on the embedded database each change of the cart answers the cart after it", async () => {
  const me = aVisitor(99);
  await shop.fill(me, { 2: 1, 3: 2 });
  const quantities = ({ lines }: Cart) => lines.map(({ coinId, quantity }) => [coinId, quantity]);
  expect(quantities(await cart.remove(shop.ctx, me, [2]))).toEqual([[3, 2]]);
  const none = await cart.setQuantity(shop.ctx, me, 3, 0);
  expect(none.ok && quantities(none.value)).toEqual([]);
  await shop.fill(me, { 2: 1 });
  expect(quantities(await cart.clear(shop.ctx, me))).toEqual([]);
});
