import { afterAll, beforeAll, expect, test } from "vitest";
import { moscowCode } from "#shop/delivery/delivery.ts";
import { testClock } from "#tests/shop.ts";
import { aVisitor, openShopToBuy, type ShopToBuy } from "./testing.ts";
import * as checkout from "./service.ts";

/**
 * The whole table of delivery × payment: what is in it makes a quote, everything else is refused by the server, whatever the page shows.
 */
const table: Record<number, readonly number[]> = {
  35: [4, 5, 6, 7],
  76: [4, 5, 6],
  77: [4, 5, 6],
  79: [4, 5, 6],
  80: [4, 5, 6],
  45: [4, 5, 6],
  75: [4, 5, 6],
  43: [6],
};
const pointOf: Record<number, string> = { 76: "MSK1", 79: "MSK1", 77: "MSK2", 80: "MSK2" };
const payments = [4, 5, 6, 7];

let shop: ShopToBuy;
beforeAll(async () => {
  shop = await openShopToBuy({ clock: testClock(), stock: 100, limits: { freeCourierFromRoubles: 0 } });
});
afterAll(() => shop.close());

const cells = Object.keys(table).flatMap((delivery) => payments.map((payment) => [Number(delivery), payment] as const));

test.each(cells)("delivery %i and payment %i", async (deliveryId, paymentId) => {
  const owner = aVisitor(`cell-${deliveryId}-${paymentId}`);
  await shop.fill(owner, { 1: 1 });
  const made = await checkout.quote(shop.ctx, owner, { deliveryId, pointId: pointOf[deliveryId] ?? null, cityCode: moscowCode, paymentId });
  if (table[deliveryId]?.includes(paymentId))
    expect(made).toMatchObject({ ok: true, value: { delivery: { id: deliveryId }, paymentMethodId: paymentId } });
  else expect(made).toEqual({ ok: false, error: { code: "payment.not_allowed", allowed: table[deliveryId] } });
});

test.each([
  [1, 4],
  [0, 4],
  [44, 6],
  [35, 1],
  [35, 8],
  [76, 0],
])("delivery %i and payment %i are none of ours", async (deliveryId, paymentId) => {
  const owner = aVisitor(`none-${deliveryId}-${paymentId}`);
  await shop.fill(owner, { 1: 1 });
  expect(
    await checkout.quote(shop.ctx, owner, { deliveryId, pointId: pointOf[deliveryId] ?? null, cityCode: moscowCode, paymentId }),
  ).toMatchObject({ ok: false, error: { code: "request.invalid" } });
});
