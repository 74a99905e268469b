import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { aCoin } from "#shop/catalog/testing.ts";
import { petersburgCode } from "#shop/delivery/delivery.ts";
import { days, minutes, seconds } from "#kit/time.ts";
import { testClock } from "#tests/shop.ts";
import { checkLedger } from "#main/ledger/ledger.ts";
import * as cart from "#shop/cart/service.ts";
import * as checkout from "./service.ts";
import { idempotencyKeys, quotes } from "./tables.ts";
import { atOffice, aVisitor, byPoint, openShopToBuy, shelf, type ShopToBuy } from "./testing.ts";

let shop: ShopToBuy;
beforeAll(async () => {
  shop = await openShopToBuy({
    clock: testClock(),
    stock: 1000,
    coins: [
      ...shelf,
      aCoin({ id: 4, kind: "memorable", fixedPriceKopecks: 400_000_00 }),
      aCoin({ id: 5, kind: "memorable", fixedPriceKopecks: 1_000_00, purchaseLimit: 2 }),
    ],
  });
});
afterAll(() => shop.close());

let visitors = 0;
const someone = () => aVisitor(`v${(visitors += 1)}`);
const refusal = async (work: Promise<{ ok: true; value: unknown } | { ok: false; error: object }>): Promise<object> => {
  const result = await work;
  if (result.ok) throw new Error("was not refused");
  return result.error;
};
const placed = async (work: ReturnType<typeof checkout.placeOrder>) => {
  const result = await work;
  if (!result.ok) throw new Error(result.error.code);
  return result.value;
};

describe("a quote", () => {
  test("locks the prices of the cart for ten minutes, delivery included", async () => {
    const me = someone();
    await shop.fill(me, { 1: 2, 3: 1 });
    const quote = await shop.quoted(me, { ...byPoint, deliveryId: 45, pointId: null });
    expect(quote.lines.map(({ coinId, quantity, price, sum }) => ({ coinId, quantity, price, sum }))).toEqual([
      { coinId: 1, quantity: 2, price: 600_000, sum: 1_200_000 },
      { coinId: 3, quantity: 1, price: 9_439_100, sum: 9_439_100 },
    ]);
    expect(quote.delivery).toMatchObject({ id: 45, price: 45_000, name: "Курьер СДЭК", cityName: "Москва", point: null });
    expect(quote.total).toBe(1_200_000 + 9_439_100 + 45_000);
    expect(quote.expiresAt.getTime() - quote.createdAt.getTime()).toBe(minutes(10));
  });

  test("is refused for an empty cart", async () => {
    expect(await refusal(checkout.quote(shop.ctx, someone(), atOffice))).toEqual({ code: "cart.empty" });
  });

  test("is refused for a missing point, a point of another city and a point of another kind", async () => {
    const me = someone();
    await shop.fill(me, { 1: 1 });
    for (const request of [
      { ...byPoint, pointId: null },
      { ...byPoint, pointId: "SPB1" },
      { ...byPoint, pointId: "MSK2" },
      { ...byPoint, deliveryId: 77 },
    ]) {
      expect(await refusal(checkout.quote(shop.ctx, me, request))).toEqual({ code: "request.invalid", fields: ["pointId"] });
    }
    expect(await refusal(checkout.quote(shop.ctx, me, { ...atOffice, deliveryId: 1 }))).toEqual({
      code: "request.invalid",
      fields: ["deliveryId"],
    });
    expect(await refusal(checkout.quote(shop.ctx, me, { ...atOffice, cityCode: petersburgCode }))).toEqual({
      code: "request.invalid",
      fields: ["deliveryId"],
    });
    expect(await refusal(checkout.quote(shop.ctx, me, { ...atOffice, cityCode: "1999999999" }))).toEqual({ code: "city.not_found" });
  });

  test("is refused for a way to pay that does not go with the delivery", async () => {
    const me = someone();
    await shop.fill(me, { 1: 1 });
    expect(await refusal(checkout.quote(shop.ctx, me, { ...byPoint, paymentId: 7 }))).toEqual({
      code: "payment.not_allowed",
      allowed: [4, 5, 6],
    });
    expect(await refusal(checkout.quote(shop.ctx, me, { ...atOffice, deliveryId: 43 }))).toEqual({
      code: "payment.not_allowed",
      allowed: [6],
    });
  });

  test("is refused above the limit of the way to pay: card, fast payments, at the desk; an invoice has none", async () => {
    const me = someone();
    await shop.fill(me, { 4: 1 });
    expect(await refusal(checkout.quote(shop.ctx, me, atOffice))).toMatchObject({ code: "payment.over_limit", limit: 350_000_00 });
    expect((await shop.quoted(me, { ...atOffice, paymentId: 5 })).total).toBe(400_000_00);
    await shop.fill(me, { 4: 2 });
    expect(await refusal(checkout.quote(shop.ctx, me, { ...atOffice, paymentId: 5 }))).toMatchObject({ code: "payment.over_limit" });
    expect(await refusal(checkout.quote(shop.ctx, me, { ...atOffice, paymentId: 7 }))).toMatchObject({ code: "payment.over_limit" });
    expect((await shop.quoted(me, { ...atOffice, paymentId: 6 })).total).toBe(800_000_00);
  });

  test("names every coin that is short", async () => {
    const scarce = await openShopToBuy({ stock: 3 });
    const [me, other] = [aVisitor("me"), aVisitor("other")];
    await scarce.fill(me, { 1: 2, 2: 2, 3: 2 });
    await scarce.ordered(other, { 1: 2, 3: 3 });
    expect(await refusal(checkout.quote(scarce.ctx, me, atOffice))).toEqual({
      code: "cart.stock_short",
      short: [
        { id: 1, available: 1 },
        { id: 3, available: 0 },
      ],
    });
    await scarce.close();
  });

  test("replaces the earlier one, which can no longer be ordered", async () => {
    const me = someone();
    await shop.fill(me, { 1: 1 });
    const [first, second] = [await shop.quoted(me), await shop.quoted(me)];
    expect(await refusal(checkout.placeOrder(shop.ctx, me, shop.orderRequestFor(first)))).toMatchObject({ code: "order.prices_changed" });
    // The refusal made a newer one
    expect(await refusal(checkout.placeOrder(shop.ctx, me, shop.orderRequestFor(second)))).toMatchObject({ code: "order.prices_changed" });
  });

  test("two at once leave one that can be ordered", async () => {
    const me = someone();
    await shop.fill(me, { 1: 1 });
    const made = await Promise.all(Array.from({ length: 20 }, () => shop.quoted(me)));
    const results = await Promise.all(made.map((quote) => checkout.placeOrder(shop.ctx, me, shop.orderRequestFor(quote))));
    expect(results.filter((each) => each.ok).length).toBeLessThanOrEqual(1);
  });

  test("of bullion needs an open exchange and fresh rates; memorable coins do not, and a live quote stays valid without both", async () => {
    const [me, collector] = [someone(), someone()];
    await shop.fill(me, { 1: 1, 3: 1 });
    await shop.fill(collector, { 2: 1 });
    const live = await shop.quoted(me);
    await shop.receiveRates({ isOpen: false });
    expect(await refusal(checkout.quote(shop.ctx, me, atOffice))).toEqual({ code: "market.closed", ids: [3] });
    expect((await shop.quoted(collector)).total).toBe(900_000);
    expect((await placed(checkout.placeOrder(shop.ctx, me, shop.orderRequestFor(live)))).order.total).toBe(live.total);
    await shop.receiveRates();
    await shop.fill(me, { 1: 1, 3: 1 });
    shop.clock.advance(minutes(10));
    expect((await shop.quoted(me)).lines).toHaveLength(2);
    shop.clock.advance(seconds(1));
    expect(await refusal(checkout.quote(shop.ctx, me, atOffice))).toEqual({ code: "rates.stale" });
    expect((await shop.quoted(collector)).total).toBe(900_000);
    await shop.receiveRates();
  });

  test("allows no more of a coin in one order than its limit", async () => {
    const me = someone();
    await shop.fill(me, { 5: 2 });
    expect((await shop.quoted(me)).total).toBe(200_000);
  });
});

describe("an order", () => {
  test("reserves its coins, empties the cart of them and keeps the quote's prices", async () => {
    const me = someone();
    await shop.fill(me, { 1: 2 });
    const [before, quote] = [await shop.free(1), await shop.quoted(me, byPoint)];
    const { order, isRepeat } = await placed(checkout.placeOrder(shop.ctx, me, shop.orderRequestFor(quote)));
    expect(isRepeat).toBe(false);
    expect(order).toMatchObject({
      state: "awaiting_payment",
      total: quote.total,
      payment: { methodId: 4, status: "pending", paidAt: null },
      delivery: { id: 76, point: { id: "MSK1" } },
    });
    expect(await shop.free(1)).toBe(before - 2);
    expect((await cart.read(shop.ctx, me)).lines).toEqual([]);
  });

  test("the same key and body answer the same order, another body is refused, also after the cart has changed", async () => {
    const me = someone();
    await shop.fill(me, { 1: 1 });
    const request = shop.orderRequestFor(await shop.quoted(me));
    const first = await placed(checkout.placeOrder(shop.ctx, me, request));
    await shop.fill(me, { 2: 1 });
    const second = await placed(checkout.placeOrder(shop.ctx, me, request));
    expect(second).toEqual({ order: first.order, opened: null, isRepeat: true });
    expect(await refusal(checkout.placeOrder(shop.ctx, me, { ...request, bodyHash: "other" }))).toEqual({ code: "order.key_reused" });
    expect(await refusal(checkout.placeOrder(shop.ctx, someone(), request))).toEqual({ code: "quote.not_found" });
  });

  test("a refused call leaves its key free", async () => {
    const me = someone();
    await shop.fill(me, { 1: 1 });
    const request = shop.orderRequestFor(await shop.quoted(me), { quoteId: "unknown" });
    expect(await refusal(checkout.placeOrder(shop.ctx, me, request))).toEqual({ code: "quote.not_found" });
    const quote = await shop.quoted(me);
    expect(
      (await placed(checkout.placeOrder(shop.ctx, me, { ...shop.orderRequestFor(quote), idempotencyKey: request.idempotencyKey })))
        .isRepeat,
    ).toBe(false);
  });

  test("a second order from one quote names the first", async () => {
    const me = someone();
    await shop.fill(me, { 1: 1 });
    const quote = await shop.quoted(me);
    const { order } = await placed(checkout.placeOrder(shop.ctx, me, shop.orderRequestFor(quote)));
    expect(await refusal(checkout.placeOrder(shop.ctx, me, shop.orderRequestFor(quote)))).toEqual({
      code: "quote.used",
      orderId: order.id,
    });
  });

  test("keeps the quote's price for ten minutes and needs a new quote after them, whether rates rise or fall", async () => {
    for (const gold of [11_615, 11_385]) {
      const me = someone();
      await shop.receiveRates();
      await shop.fill(me, { 3: 1 });
      const [kept, quote] = [await shop.quoted(me), await shop.quoted(me)];
      await shop.receiveRates({ gold });
      shop.clock.advance(minutes(10) - seconds(1) - 1);
      await shop.receiveRates({ gold });
      // Exactly at ten minutes the quote has run out.
      const changed = await refusal(checkout.placeOrder(shop.ctx, me, shop.orderRequestFor(quote)));
      expect(changed).toMatchObject({ code: "order.prices_changed" });
      const fresh = (changed as { quote: { total: number; id: string } }).quote;
      expect(Math.sign(fresh.total - kept.total)).toBe(gold > 11_500 ? 1 : -1);

      const other = someone();
      await shop.fill(other, { 3: 1 });
      const live = await shop.quoted(other);
      await shop.receiveRates({ gold: 11_500 });
      shop.clock.advance(minutes(10) - seconds(1) - 1);
      expect((await placed(checkout.placeOrder(shop.ctx, other, shop.orderRequestFor(live)))).order.total).toBe(live.total);
    }
    await shop.receiveRates();
  });

  test("is refused when the courier's address is in another city than the quote's; the fresh quote is for that city", async () => {
    const me = someone();
    await shop.fill(me, { 1: 1 });
    const byCourier = { ...byPoint, deliveryId: 45, pointId: null };
    const to = (city: string) => ({ city, street: "Невский проспект", house: "28", room: "", entrance: "", floor: "", message: "" });
    const request = shop.orderRequestFor(await shop.quoted(me, byCourier), { address: to("г. Санкт-Петербург") });
    const elsewhere = (await refusal(checkout.placeOrder(shop.ctx, me, request))) as {
      code: string;
      quote: Awaited<ReturnType<typeof shop.quoted>>;
    };
    expect(elsewhere).toMatchObject({
      code: "order.prices_changed",
      quote: { delivery: { cityCode: petersburgCode, cityName: "Санкт-Петербург" } },
    });
    const again = shop.orderRequestFor(elsewhere.quote, { address: to("санкт-петербург") });
    expect((await placed(checkout.placeOrder(shop.ctx, me, again))).order.delivery.cityCode).toBe(petersburgCode);

    // A name that the shop does not know is the buyer's way to write the city of the quote.
    await shop.fill(me, { 1: 1 });
    const unknown = shop.orderRequestFor(await shop.quoted(me, byCourier), { address: to("Moscow City") });
    expect((await placed(checkout.placeOrder(shop.ctx, me, unknown))).order.delivery.cityName).toBe("Москва");
  });

  test("is refused with a cart, delivery or payment other than the quote's; the fresh quote can be ordered", async () => {
    const me = someone();
    await shop.fill(me, { 1: 1 });
    const quote = await shop.quoted(me, byPoint);
    await shop.fill(me, { 1: 2 });
    const changed = (await refusal(checkout.placeOrder(shop.ctx, me, shop.orderRequestFor(quote)))) as {
      code: string;
      quote: typeof quote;
    };
    expect(changed.code).toBe("order.prices_changed");
    expect(changed.quote.total).toBe(1_200_000);
    expect(
      await refusal(checkout.placeOrder(shop.ctx, me, shop.orderRequestFor(changed.quote, { delivery: { id: 77, pointId: "MSK2" } }))),
    ).toMatchObject({ code: "order.prices_changed", quote: { delivery: { id: 77 } } });
    const again = await shop.quoted(me, byPoint);
    const byFast = (await refusal(checkout.placeOrder(shop.ctx, me, shop.orderRequestFor(again, { paymentId: 5 })))) as {
      quote: typeof quote;
    };
    expect(byFast.quote.paymentMethodId).toBe(5);
    expect((await placed(checkout.placeOrder(shop.ctx, me, shop.orderRequestFor(byFast.quote)))).order.payment.methodId).toBe(5);
  });

  test("when no fresh quote can be made, says why", async () => {
    const [me, other] = [someone(), someone()];
    await shop.fill(me, { 3: 1 });
    await shop.fill(other, { 1: 1 });
    const [quote, emptied] = [await shop.quoted(me), await shop.quoted(other)];
    await cart.clear(shop.ctx, other);
    expect(await refusal(checkout.placeOrder(shop.ctx, other, shop.orderRequestFor(emptied)))).toEqual({ code: "cart.empty" });
    shop.clock.advance(minutes(11));
    expect(await refusal(checkout.placeOrder(shop.ctx, me, shop.orderRequestFor(quote)))).toEqual({ code: "rates.stale" });
    await shop.receiveRates({ isOpen: false });
    expect(await refusal(checkout.placeOrder(shop.ctx, me, shop.orderRequestFor(quote)))).toEqual({ code: "market.closed", ids: [3] });
    await shop.receiveRates();
  });

  test("that is short of stock is refused as a whole, and leaves cart, quote and key unchanged", async () => {
    const scarce = await openShopToBuy({ stock: 2 });
    const [me, other] = [aVisitor("me"), aVisitor("other")];
    await scarce.fill(me, { 1: 1, 2: 2, 3: 1 });
    const request = scarce.orderRequestFor(await scarce.quoted(me));
    const theirs = await scarce.ordered(other, { 2: 1, 3: 2 });
    expect(await refusal(checkout.placeOrder(scarce.ctx, me, request))).toEqual({
      code: "order.stock_short",
      short: [
        { id: 2, available: 1 },
        { id: 3, available: 0 },
      ],
    });
    expect(await scarce.free(1)).toBe(2);
    const { cancel } = await import("#shop/orders/service.ts");
    await cancel(scarce.ctx, { orderId: theirs.id, viewer: scarce.guest(theirs) });
    expect((await placed(checkout.placeOrder(scarce.ctx, me, request))).isRepeat).toBe(false);
    await scarce.close();
  });

  test("is refused while five others are unpaid", async () => {
    const me = someone();
    for (let i = 0; i < 5; i += 1) await shop.ordered(me, { 1: 1 });
    await shop.fill(me, { 1: 1 });
    expect(await refusal(checkout.placeOrder(shop.ctx, me, shop.orderRequestFor(await shop.quoted(me))))).toEqual({
      code: "order.too_many_unpaid",
      limit: 5,
    });
  });
});

test("of several refusals the first in the order of checks is returned: key, quote, used, changed, stock", async () => {
  const [me, other] = [someone(), someone()];
  await shop.fill(me, { 1: 1 });
  await shop.fill(other, { 1: 1 });
  const quote = await shop.quoted(me);
  const request = shop.orderRequestFor(quote);
  const { order } = await placed(checkout.placeOrder(shop.ctx, me, request));
  shop.clock.advance(minutes(11)); // used and run out, the cart empty, all at once
  await shop.receiveRates();
  expect(await refusal(checkout.placeOrder(shop.ctx, me, { ...request, bodyHash: "other", quoteId: "unknown" }))).toEqual({
    code: "order.key_reused",
  });
  expect(await refusal(checkout.placeOrder(shop.ctx, me, shop.orderRequestFor(quote, { quoteId: "unknown" })))).toEqual({
    code: "quote.not_found",
  });
  expect(await refusal(checkout.placeOrder(shop.ctx, other, shop.orderRequestFor(quote)))).toEqual({ code: "quote.not_found" });
  expect(await refusal(checkout.placeOrder(shop.ctx, me, shop.orderRequestFor(quote)))).toEqual({ code: "quote.used", orderId: order.id });
});

test("unused quotes and old keys are deleted after a week, orders and their quotes are not", async () => {
  const me = someone();
  const order = await shop.ordered(me, { 1: 1 });
  await shop.fill(me, { 2: 1 });
  const unused = await shop.quoted(me);
  const kept = async () =>
    (await shop.ctx.db.select().from(quotes)).filter(({ id, usedByOrderId }) => id === unused.id || usedByOrderId === order.id).length;
  shop.clock.advance(days(7) - 1000);
  await checkout.deleteOld(shop.ctx);
  expect(await kept()).toBe(2);
  shop.clock.advance(2000);
  await checkout.deleteOld(shop.ctx);
  expect(await kept()).toBe(1);
  expect(await shop.ctx.db.select().from(idempotencyKeys)).toEqual([]);
  await shop.receiveRates();
});

test("the ledger is consistent after all tests of this file", async () => {
  expect(await checkLedger(shop.ctx.db)).toEqual([]);
});
