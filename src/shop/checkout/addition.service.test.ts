import { eq } from "drizzle-orm";
import { afterAll, beforeAll, expect, test } from "vitest";
import { fromRoubles } from "#kit/money.ts";
import { minutes, seconds } from "#kit/time.ts";
import { checkLedger } from "#main/ledger/ledger.ts";
import type { Ctx } from "#shop/context.ts";
import { customers } from "#shop/customers/tables.ts";
import { deliveryIds, paymentIds } from "#shop/method-ids.ts";
import { outbox } from "#shop/notifications/tables.ts";
import type { Order } from "#shop/orders/order.ts";
import * as orders from "#shop/orders/service.ts";
import { carryOut } from "#shop/orders/staff/act.service.ts";
import * as cards from "#shop/orders/staff/card.service.ts";
import { edit } from "#shop/orders/staff/edit.service.ts";
import * as payment from "#shop/payment/service.ts";
import { testClock } from "#tests/shop.ts";
import { placeAddition, priceAddition, saveAddition } from "./addition.service.ts";
import type { Quote } from "./quote.ts";
import { aVisitor, byPoint, openShopToBuy, type ShopToBuy } from "./testing.ts";

let shop: ShopToBuy;
let ivanova: Ctx;
let petrov: Ctx;
beforeAll(async () => {
  shop = await openShopToBuy({ clock: testClock(), stock: 100 });
  ivanova = { ...shop.ctx, actor: { kind: "staff", name: "ivanova" } };
  petrov = { ...(await shop.another()), actor: { kind: "staff", name: "petrov" } };
});
afterAll(async () => {
  expect(await checkLedger(shop.ctx.db)).toEqual([]);
  await shop.close();
});

let people = 0;
async function aPaidOrder(): Promise<Order> {
  people += 1;
  shop.clock.advance(seconds(1));
  await shop.receiveRates();
  const order = await shop.ordered(aVisitor(`add${people}`), { 1: 1 }, byPoint);
  return shop.paid(order);
}
const seen = (order: Order) => ({ orderId: order.id, revision: order.revision });
const addition = (order: Order, quantity = 2) => ({ orderId: order.id, lines: [{ coinId: 2, quantity }], paymentId: paymentIds.card });
async function aQuote(order: Order, quantity = 2): Promise<Quote> {
  const priced = await priceAddition(ivanova, addition(order, quantity));
  if (!priced.ok) throw new Error(priced.error.code);
  const saved = await saveAddition(ivanova, order.id, priced.value);
  if (!saved.ok) throw new Error(saved.error.code);
  return saved.value;
}

test("coins are added by a new order: today's prices, same recipient and point, delivery at no cost, linked both ways", async () => {
  const order = await aPaidOrder();
  const free = await shop.free(2);
  const quote = await aQuote(order);
  expect(quote).toMatchObject({ total: fromRoubles(18_000), delivery: { price: 0, point: { id: "MSK1" } } });
  expect(quote.expiresAt.getTime() - quote.createdAt.getTime()).toBe(minutes(10));
  const placed = await placeAddition(ivanova, seen(order), quote.id);
  if (!placed.ok) throw new Error(placed.error.code);
  const added = placed.value;
  expect(added).toMatchObject({ state: "awaiting_payment", linkedOrderId: order.id, user: order.user, total: fromRoubles(18_000) });
  expect(await shop.free(2)).toBe(free - 2);

  const [first, second] = [await cards.card(shop.ctx, order.id), await cards.card(shop.ctx, added.id)];
  expect(first?.linked).toEqual([{ id: added.id, number: added.number }]);
  expect(second?.linked).toEqual([{ id: order.id, number: order.number }]);
  expect([first?.isFreeAlone, second?.isFreeAlone]).toEqual([false, false]);
  expect(first?.history.at(-1)).toMatchObject({ event: "add_coins", actor: "staff:ivanova" });
  expect(second?.history).toMatchObject([{ event: "place", actor: "staff:ivanova" }]);
  expect(await orders.linkedOrders(shop.ctx, await shop.now(order), shop.guest(order))).toEqual([
    { id: added.id, number: added.number, key: orders.keyOf(shop.ctx, added.id) },
  ]);
  const letters = await shop.ctx.db
    .select()
    .from(outbox)
    .where(eq(outbox.about, `order:${added.id}`));
  expect(letters.map(({ kind, recipient }) => [kind, recipient])).toEqual([["order_placed", "ivan@example.ru"]]);

  await shop.pay(added);
  shop.provider.pay(added.id);
  shop.clock.advance(seconds(3));
  await payment.checkOrder(shop.ctx, added.id);
  await shop.work();
  expect((await shop.now(added)).state).toBe("paid");
});

test("two presses make one order: the second clerk sees the order as it is now", async () => {
  const order = await aPaidOrder();
  const quote = await aQuote(order);
  const results = await Promise.all([placeAddition(ivanova, seen(order), quote.id), placeAddition(petrov, seen(order), quote.id)]);
  expect(results.filter(({ ok }) => ok)).toHaveLength(1);
  expect(results.flatMap((each) => (each.ok ? [] : [each.error.code]))).toEqual(["staff.stale"]);
  const now = await shop.now(order);
  expect(await placeAddition(ivanova, seen(now), quote.id)).toMatchObject({ error: { code: "quote.used" } });
});

test.each(["assemble", "cancel"] as const)(
  "coins are not added to an order that a colleague changes at the same moment (%s)",
  async (act) => {
    const order = await aPaidOrder();
    const quote = await aQuote(order);
    const free = await shop.free(2);
    const [added, other] = await Promise.all([
      placeAddition(ivanova, seen(order), quote.id),
      carryOut(petrov, seen(order), act, act === "assemble" ? { sealNumber: `AD${order.number}` } : {}),
    ]);
    expect([added.ok, other.ok].filter(Boolean)).toHaveLength(1);
    expect(await shop.free(2)).toBe(added.ok ? free - 2 : free);
    if (!added.ok) expect(added.error.code).toBe("staff.stale");
  },
);

test("the delivery is free only until the first order is packed; then the addition pays for its own parcel", async () => {
  const order = await aPaidOrder();
  const quote = await aQuote(order);
  const packed = await carryOut(petrov, seen(order), "assemble", { sealNumber: `AE${order.number}` });
  if (!packed.ok) throw new Error(packed.error.code);
  expect(await placeAddition(ivanova, seen(packed.value), quote.id)).toMatchObject({ error: { code: "staff.quote_gone" } });
  const now = await shop.now(order);
  const limits = { ...ivanova.settings.limits, freePickupFromRoubles: 100_000 };
  const own = await priceAddition({ ...ivanova, settings: { ...ivanova.settings, limits } }, addition(now));
  if (!own.ok) throw new Error(own.error.code);
  expect(own.value.delivery).toMatchObject({ id: deliveryIds.pickup_point, point: { id: "MSK1" } });
  expect(own.value.delivery.price).toBeGreaterThan(0);
});

test("a quote is good for ten minutes and until the next one", async () => {
  const order = await aPaidOrder();
  const early = await aQuote(order);
  const quote = await aQuote(order, 1);
  expect(await placeAddition(ivanova, seen(order), early.id)).toMatchObject({ error: { code: "staff.quote_gone" } });
  expect(await placeAddition(ivanova, seen(order), "another-order-s-quote")).toMatchObject({ error: { code: "quote.not_found" } });
  shop.clock.advance(minutes(10));
  expect(await placeAddition(ivanova, seen(order), quote.id)).toMatchObject({ error: { code: "staff.quote_gone" } });
});

test("an addition that is not paid in time frees its coins, and the first order stays", async () => {
  await shop.pass(minutes(shop.ctx.settings.limits.paymentLifeMinutes + 10), minutes(5)); // the additions of other tests expire
  const order = await aPaidOrder();
  const free = await shop.free(2);
  const placed = await placeAddition(ivanova, seen(order), (await aQuote(order)).id);
  if (!placed.ok) throw new Error(placed.error.code);
  await shop.pass(minutes(shop.ctx.settings.limits.paymentLifeMinutes + 10), minutes(5));
  expect((await shop.now(placed.value)).state).toBe("cancelled");
  expect(await shop.free(2)).toBe(free);
  expect((await shop.now(order)).state).toBe("paid");
});

test("the shop's limits hold: stock, and what the unpaid orders of one buyer may reserve", async () => {
  const order = await aPaidOrder();
  expect(await priceAddition(ivanova, addition(order, 1_000))).toMatchObject({ error: { code: "cart.stock_short", short: [{ id: 2 }] } });
  const quote = await aQuote(order);
  const limits = { ...ivanova.settings.limits, reservedPiecesPerPerson: 1 };
  const strict: Ctx = { ...ivanova, settings: { ...ivanova.settings, limits } };
  const free = await shop.free(2);
  expect(await placeAddition(strict, seen(order), quote.id)).toMatchObject({ error: { code: "order.reserve_limit" } });
  expect(await shop.free(2)).toBe(free);
  expect((await cards.card(shop.ctx, order.id))?.history.map(({ event }) => event)).not.toContain("add_coins");
});

test("an addition records no consent and no profile: its buyer filled in no form", async () => {
  const before = await shop.ctx.db.select().from(customers);
  const order = await aPaidOrder();
  const placed = await placeAddition(ivanova, seen(order), (await aQuote(order)).id);
  if (!placed.ok) throw new Error(placed.error.code);
  expect(await shop.ctx.db.select().from(customers)).toEqual(before);
});

test("a change of the recipient is in the history with its author, also when it waits for the carrier", async () => {
  const order = await aPaidOrder();
  const user = { ...order.user, name: "Пётр" };
  const changed = await edit(ivanova, seen(order), { act: "change_recipient", user });
  if (!changed.ok) throw new Error(changed.error.code);
  expect((await cards.card(shop.ctx, order.id))?.history.at(-1)).toMatchObject({ event: "change_recipient", actor: "staff:ivanova" });
  const packed = await carryOut(petrov, seen(changed.value), "assemble", { sealNumber: `AF${order.number}` });
  if (!packed.ok) throw new Error(packed.error.code);
  await shop.pass(minutes(1));
  const now = await shop.now(order);
  const sent = await edit(ivanova, seen(now), { act: "change_recipient", user: { ...user, name: "Анна" } });
  expect(sent.ok).toBe(true);
  await shop.trackParcels();
  await shop.pass(minutes(2));
  const history = (await cards.card(shop.ctx, order.id))?.history ?? [];
  expect(history.slice(-3).map(({ event, actor }) => [event, actor])).toMatchObject([
    ["unpack", expect.anything()],
    ["change_recipient", "staff:ivanova"],
    ["assemble", expect.anything()],
  ]);
});

test("when the first order is cancelled, the card of the addition says that its delivery stayed free", async () => {
  const order = await aPaidOrder();
  const placed = await placeAddition(ivanova, seen(order), (await aQuote(order)).id);
  if (!placed.ok) throw new Error(placed.error.code);
  await orders.apply(shop.ctx, order.id, "cancel");
  expect((await cards.card(shop.ctx, placed.value.id))?.isFreeAlone).toBe(true);
  expect((await cards.card(shop.ctx, order.id))?.isFreeAlone).toBe(false);
});
