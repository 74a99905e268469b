import { afterAll, beforeAll, expect, test } from "vitest";
import { minutes } from "#kit/time.ts";
import { atOffice, aVisitor, openShopToBuy, type ShopToBuy } from "#shop/checkout/testing.ts";
import * as payment from "#shop/payment/service.ts";
import { testClock } from "#tests/shop.ts";
import { orderPageView } from "./order-view.server.ts";

let shop: ShopToBuy;
beforeAll(async () => {
  shop = await openShopToBuy({ clock: testClock() });
});
afterAll(() => shop.close());

const payOf = async (order: { id: string }) => (await orderPageView(shop.ctx, await shop.now(order), null)).pay;

test("the page offers payment as long as the API accepts it: a payment begun in time stays open, a new one is refused", async () => {
  const [begun, declined] = [await shop.ordered(aVisitor("begun"), { 1: 1 }), await shop.ordered(aVisitor("declined"), { 1: 1 }, atOffice)];
  expect(await payOf(begun)).toMatchObject({ canStart: true, isLate: false, methods: [{ id: 4 }, { id: 5 }] });
  await shop.pay(begun, 4);
  await shop.pay(declined, 4);
  shop.provider.decline(declined.id);
  await payment.checkOrder(shop.ctx, declined.id);
  shop.clock.advance(minutes(31));
  expect(await payOf(begun)).toMatchObject({ canStart: true, isLate: false, methods: [{ id: 4, isOver: false }] });
  expect(await payOf(declined)).toMatchObject({ isLate: true });
  expect([(await shop.pay(begun, 4)).ok, (await shop.pay(begun, 5)).ok, (await shop.pay(declined, 4)).ok]).toEqual([true, false, false]);
  shop.clock.advance(minutes(30));
  expect(await payOf(begun)).toMatchObject({ isLate: true });
});

test("the printed order names the seller with its requisites and the VAT inside the total", async () => {
  const order = await shop.ordered(aVisitor("printed"), { 1: 2 }, atOffice);
  const { paper } = await orderPageView(shop.ctx, await shop.now(order), null);
  const { seller } = shop.ctx.settings;
  expect(paper.seller).toBe(seller.name);
  expect(paper.requisites).toEqual(
    expect.arrayContaining([
      { name: "ИНН", value: seller.inn },
      { name: "КПП", value: seller.kpp },
      { name: "Адрес", value: seller.address },
    ]),
  );
  expect(paper.vat).toEqual([{ name: "НДС не облагается", value: null }]);
});

test("the owner of an order reads everything about its address, the holder of its link nothing", async () => {
  const order = await shop.now(await shop.ordered(aVisitor("courier"), { 1: 1 }, atOffice));
  const address = { city: "Тула", street: "Ленина", house: "5", room: "7", entrance: "2", floor: "3", message: "Домофон 7" };
  expect((await orderPageView(shop.ctx, { ...order, address }, null)).delivery).toMatchObject({
    address: "Тула, Ленина, 5, кв. 7, подъезд 2, этаж 3",
    courierNote: "Домофон 7",
  });
  expect((await orderPageView(shop.ctx, { ...order, address }, "key")).delivery).toMatchObject({ address: null, courierNote: "" });
});
