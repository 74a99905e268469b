import { afterAll, beforeAll, expect, test } from "vitest";
import { kopecks } from "#kit/money.ts";
import { days } from "#kit/time.ts";
import { atOffice, aVisitor, openShopToBuy, type ShopToBuy } from "#shop/checkout/testing.ts";
import { testClock } from "#tests/shop.ts";
import { invoiceAttachment, invoiceFile } from "./invoice.service.ts";
import * as orders from "../service.ts";

let shop: ShopToBuy;
beforeAll(async () => {
  shop = await openShopToBuy({ clock: testClock(), stock: 100 });
});
afterAll(() => shop.close());

test("an invoice opens with the order's own key only", async () => {
  const [order, other, byCard] = [
    await shop.ordered(aVisitor("i1"), { 1: 1 }, { ...atOffice, paymentId: 6 }),
    await shop.ordered(aVisitor("i2"), { 1: 1 }, { ...atOffice, paymentId: 6 }),
    await shop.ordered(aVisitor("i3"), { 1: 1 }),
  ];
  const own = await invoiceFile(shop.ctx, order.id, shop.guest(order));
  expect([own?.name, own?.bytes.subarray(0, 5).toString()]).toEqual([`schet-${order.number}.pdf`, "%PDF-"]);
  expect(await invoiceFile(shop.ctx, order.id, shop.guest(other))).toBeNull();
  expect(await invoiceFile(shop.ctx, order.id, { guestKey: "" })).toBeNull();
  expect(await invoiceFile(shop.ctx, order.id, { customerId: "somebody" })).toBeNull();
  expect(await invoiceFile(shop.ctx, "none", shop.guest(order))).toBeNull();
  expect(await invoiceFile(shop.ctx, byCard.id, shop.guest(byCard))).toBeNull();
  shop.clock.advance(days(31));
  expect(await invoiceFile(shop.ctx, order.id, shop.guest(order))).toBeNull();
});

test("the PDF of an unchanged invoice is made once, and again after a part payment", async () => {
  const order = await shop.ordered(aVisitor("i5"), { 1: 1 }, { ...atOffice, paymentId: 6 });
  const request = async () => (await invoiceFile(shop.ctx, order.id, shop.guest(order)))?.bytes;
  const first = await request();
  expect(await request()).toBe(first);
  await orders.apply(shop.ctx, order.id, "pay", {
    reference: { number: "1", date: "2026-11-20", payerAccount: null },
    amount: kopecks(100),
  });
  expect((await request())?.equals(first ?? Buffer.alloc(0))).toBe(false);
});

test("the invoice is attached to the letter until the order is cancelled", async () => {
  const order = await shop.ordered(aVisitor("i4"), { 1: 1 }, { ...atOffice, paymentId: 6 });
  expect((await invoiceAttachment(shop.ctx, order.id))?.name).toBe(`schet-${order.number}.pdf`);
  await orders.cancel(shop.ctx, { orderId: order.id, viewer: shop.guest(order) });
  expect(await invoiceAttachment(shop.ctx, order.id)).toBeNull();
});
