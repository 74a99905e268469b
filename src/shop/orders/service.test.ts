import { eq, inArray } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { inTransaction } from "#kit/db.ts";
import { days, hours, minutes, plus, seconds } from "#kit/time.ts";
import { checkLedger } from "#main/ledger/ledger.ts";
import { coins } from "#shop/catalog/tables.ts";
import { byPoint, atOffice, aVisitor, openShopToBuy, type ShopToBuy } from "#shop/checkout/testing.ts";
import * as customers from "#shop/customers/service.ts";
import { signUp } from "#shop/customers/testing.ts";
import { petersburgCode } from "#shop/delivery/delivery.ts";
import * as shipping from "#shop/delivery/shipping.service.ts";
import { shipments } from "#shop/delivery/tables.ts";
import { outbox } from "#shop/notifications/tables.ts";
import * as payment from "#shop/payment/service.ts";
import { testClock } from "#tests/shop.ts";
import type { Order, StaffEvent } from "./order.ts";
import * as orders from "./service.ts";
import { orders as orderTable } from "./tables.ts";

let shop: ShopToBuy;
beforeAll(async () => {
  shop = await openShopToBuy({ clock: testClock(), stock: 1000 });
});
afterAll(async () => {
  expect(
    await checkLedger(
      shop.ctx.db,
      [...shop.provider.payments.values()].map((each) => ({ ...each, isTaken: each.status === "succeeded" })),
    ),
  ).toEqual([]);
  await shop.close();
});

let visitors = 0;
const someone = () => aVisitor(`o${(visitors += 1)}`);
const anOrder = (request = atOffice, content: Record<number, number> = { 1: 2 }) => shop.ordered(someone(), content, request);

/** An order whose money is at the provider's and recorded. */
async function aPaidOrder(request = atOffice): Promise<Order> {
  const order = await anOrder(request);
  await pays(order);
  return shop.now(order);
}
async function pays(order: Order): Promise<void> {
  const link = await shop.pay(order);
  if (!link.ok || !shop.provider.pay(order.id)) throw new Error("cannot be paid");
  await fetched(order);
}
/** The provider's word about the order's attempts reaches the shop. */
async function fetched(order: Order): Promise<void> {
  shop.clock.advance(seconds(3));
  await payment.checkOrder(shop.ctx, order.id);
  await shop.work();
}
async function played(order: Order, ...events: StaffEvent[]): Promise<Order> {
  for (const event of events) {
    const result = await orders.apply(shop.ctx, order.id, event);
    if (!result.ok) throw new Error(`${event}: ${result.error.code}`);
  }
  return shop.now(order);
}
const messages = async (about: string): Promise<string[]> =>
  (await shop.ctx.db.select().from(outbox).where(eq(outbox.about, about))).map(({ kind, channel }) => `${kind} by ${channel}`).sort();

describe("paying", () => {
  test("the first payment pays the order, its reservation stays, and the buyer is notified once", async () => {
    const order = await aPaidOrder();
    expect(order).toMatchObject({ state: "paid", paid: order.total, reservedUntil: null, payment: { status: "succeeded" } });
    expect(order.payment.paidAt).not.toBeNull();
    for (const attempt of await payment.ofOrder(shop.ctx.db, order.id))
      await orders.markPaid(shop.ctx, { orderId: order.id, paymentId: attempt.id });
    expect((await shop.now(order)).history.map((each) => each.event)).toEqual(["place", "pay"]);
    expect(await messages(`order:${order.id}`)).toEqual(["order_paid by email", "order_paid by sms", "order_placed by email"]);
  });

  test("online has its first attempt from the order on, by invoice or at the desk none", async () => {
    const [online, invoiced, atDesk] = [
      await anOrder(),
      await anOrder({ ...atOffice, paymentId: 6 }),
      await anOrder({ ...atOffice, paymentId: 7 }),
    ];
    const attempts = await payment.ofOrders(shop.ctx.db, [online.id, invoiced.id, atDesk.id]);
    expect([...attempts.keys()]).toEqual([online.id]);
    expect(attempts.get(online.id)).toMatchObject([
      { attempt: 1, state: "new", amount: online.total, requestedAt: online.createdAt, confirmationUrl: null },
    ]);
    await pays(online); // by the same attempt, whose page had not been requested
    expect(await payment.ofOrder(shop.ctx.db, online.id)).toMatchObject([{ attempt: 1, state: "succeeded" }]);
  });

  test("twenty concurrent calls make one attempt", async () => {
    const order = await anOrder();
    const links = await Promise.all(Array.from({ length: 20 }, () => shop.pay(order)));
    expect(new Set(links.map((each) => (each.ok ? each.value.confirmationUrl : each.error.code))).size).toBe(1);
    expect(await payment.ofOrder(shop.ctx.db, order.id)).toHaveLength(1);
    await orders.cancel(shop.ctx, { orderId: order.id, viewer: shop.guest(order) });
  });

  test("after a refused card another attempt is made, and the order says so in between", async () => {
    const order = await anOrder();
    await shop.pay(order);
    shop.provider.decline(order.id);
    await fetched(order);
    expect((await shop.now(order)).payment.status).toBe("canceled");
    await pays(order);
    expect((await payment.ofOrder(shop.ctx.db, order.id)).map((each) => each.state)).toEqual(["canceled", "succeeded"]);
    expect((await shop.now(order)).state).toBe("paid");
  });

  test("by another method makes another attempt; when both are paid the second payment is refunded", async () => {
    const order = await anOrder();
    await shop.pay(order);
    await shop.pay(order, 5);
    expect((await shop.now(order)).payment.methodId).toBe(5);
    shop.provider.pay(order.id, 0);
    shop.provider.pay(order.id, 0);
    await fetched(order);
    expect(shop.provider.heldFor(order.id)).toBe(order.total);
    expect(await shop.now(order)).toMatchObject({ state: "paid", paid: order.total, refunded: 0, payment: { status: "succeeded" } });
    expect(shop.alarms.filter(({ name, fields }) => name === "payment.second_money" && fields?.orderId === order.id)).toHaveLength(1);
    const [returned] = (await payment.ofOrder(shop.ctx.db, order.id)).filter((each) => each.isKept === "returned");
    const [refund] = await payment.refundsOfOrder(shop.ctx.db, order.id);
    expect(await messages(`refund:${returned?.id}:${refund?.id}`)).toEqual(["surplus_returned by email", "surplus_returned by sms"]);
  });

  test("is of the order's own total, also when rates and coins change while the payment page is open", async () => {
    const order = await anOrder(atOffice, { 1: 2, 3: 1 });
    await shop.pay(order);
    await shop.receiveRates({ gold: 11_900 });
    const kept = await shop.ctx.db
      .select()
      .from(coins)
      .where(inArray(coins.id, [1, 3]));
    await shop.ctx.db
      .update(coins)
      .set({ premiumBp: 9_900, isPublished: false })
      .where(inArray(coins.id, [1, 3]));
    shop.provider.pay(order.id);
    await fetched(order);
    expect(await shop.now(order)).toMatchObject({ state: "paid", total: order.total, paid: order.total, lines: order.lines });
    expect(shop.provider.heldFor(order.id)).toBe(order.total);
    for (const coin of kept) await shop.ctx.db.update(coins).set(coin).where(eq(coins.id, coin.id));
    await shop.receiveRates();
  });

  test("after the cancellation is refunded and the order stays cancelled", async () => {
    const order = await anOrder();
    await shop.pay(order);
    await orders.cancel(shop.ctx, { orderId: order.id, viewer: shop.guest(order) });
    const free = await shop.free(1);
    shop.provider.pay(order.id);
    // The page to which the buyer returns does not wait for the provider's message.
    shop.clock.advance(seconds(3));
    await orders.refreshPayment(shop.ctx, { orderId: order.id, viewer: shop.guest(order) });
    expect(await payment.refundsOfOrder(shop.ctx.db, order.id)).toMatchObject([{ cause: "late_money" }]);
    await shop.sweep();
    expect(shop.provider.heldFor(order.id)).toBe(0);
    expect(await shop.now(order)).toMatchObject({ state: "cancelled", paid: 0, payment: { status: "refunded" } });
    expect(await shop.free(1)).toBe(free);
    expect(shop.alarms.filter(({ name, fields }) => name === "payment.late_money" && fields?.orderId === order.id)).toHaveLength(1);
  });

  test("while the provider is out leaves the order unchanged, and can be repeated", async () => {
    const order = await anOrder();
    shop.provider.controls.isOut = true;
    expect(await shop.pay(order)).toEqual({ ok: false, error: { code: "payment.unavailable" } });
    expect(await orders.refreshPayment(shop.ctx, { orderId: order.id, viewer: shop.guest(order) })).toMatchObject({
      order: { payment: { status: "pending" } },
    });
    shop.provider.controls.isOut = false;
    expect((await shop.pay(order)).ok).toBe(true);
    expect(await payment.ofOrder(shop.ctx.db, order.id)).toHaveLength(1);
    shop.provider.pay(order.id);
    shop.clock.advance(seconds(3));
    expect(await orders.refreshPayment(shop.ctx, { orderId: order.id, viewer: shop.guest(order) })).toMatchObject({
      isCertain: true,
      order: { state: "paid", payment: { status: "succeeded" } },
    });
  });

  test("is refused for an order that is paid, closed, by invoice or at the desk, and for a method that the delivery excludes", async () => {
    const [paid, cancelled, invoiced, atDesk, byParcel] = [
      await aPaidOrder(),
      await anOrder(),
      await anOrder({ ...atOffice, paymentId: 6 }),
      await anOrder({ ...atOffice, paymentId: 7 }),
      await anOrder(byPoint),
    ];
    await orders.cancel(shop.ctx, { orderId: cancelled.id, viewer: shop.guest(cancelled) });
    for (const order of [paid, cancelled, invoiced, atDesk])
      expect(await shop.pay(order)).toMatchObject({ ok: false, error: { code: "order.not_payable" } });
    expect(await shop.pay(byParcel, 7)).toMatchObject({ ok: false, error: { code: "order.not_payable" } });
    expect(await shop.pay({ id: "none" })).toEqual({ ok: false, error: { code: "order.not_found" } });
    expect((await shop.pay(invoiced, 4)).ok).toBe(true);
  });

  test("starts in the first thirty minutes only; a link made then stays valid", async () => {
    const [late, linked] = [await anOrder(), await anOrder()];
    shop.clock.advance(minutes(29));
    const link = await shop.pay(linked);
    shop.clock.advance(minutes(1) + 1);
    expect(await shop.pay(late)).toMatchObject({ ok: false, error: { code: "order.not_payable" } });
    expect(await shop.pay(linked)).toEqual(link);
    expect(await shop.pay(linked, 5)).toMatchObject({ ok: false, error: { code: "order.not_payable" } });
    shop.provider.decline(linked.id);
    shop.clock.advance(seconds(3));
    expect(await shop.pay(linked)).toMatchObject({ ok: false, error: { code: "order.not_payable" } });
  });
});

describe("the reservation", () => {
  test("ends 65 minutes after the newest attempt, and not a moment earlier", async () => {
    const [never, tried] = [await anOrder(), await anOrder()];
    shop.clock.advance(minutes(25));
    await shop.pay(tried);
    expect((await shop.now(tried)).reservedUntil).toEqual(plus(tried.createdAt, minutes(90)));
    shop.clock.set(plus(never.createdAt, minutes(65) - 1));
    await shop.sweep();
    expect((await shop.now(never)).state).toBe("awaiting_payment");
    const free = await shop.free(1);
    shop.clock.advance(seconds(3)); // the provider is asked at most once in two seconds
    await shop.sweep();
    expect(await shop.now(never)).toMatchObject({ state: "cancelled", payment: { status: "canceled" }, reservedUntil: null });
    expect(await shop.free(1)).toBe(free + 2);
    expect(await messages(`order:${never.id}`)).toEqual(["order_cancelled by email", "order_placed by email"]);
    expect((await shop.now(tried)).state).toBe("awaiting_payment");
    await shop.pass(minutes(30));
    expect((await shop.now(tried)).state).toBe("cancelled");
  });

  test("is extended by a request for the link that the provider did not answer, as it may have made the link", async () => {
    const order = await anOrder();
    shop.clock.advance(minutes(25));
    shop.provider.controls.isOut = true;
    expect(await shop.pay(order)).toMatchObject({ error: { code: "payment.unavailable" } });
    shop.provider.controls.isOut = false;
    expect((await shop.now(order)).reservedUntil).toEqual(plus(order.createdAt, minutes(90)));
    await orders.cancel(shop.ctx, { orderId: order.id, viewer: shop.guest(order) });
  });

  test("of an order paid just before its end does not end: the payment status is fetched first", async () => {
    const order = await anOrder();
    await shop.pay(order);
    shop.clock.set(plus(order.createdAt, minutes(59)));
    shop.provider.pay(order.id);
    shop.clock.set(plus(order.createdAt, minutes(65)));
    await orders.expireDue(shop.ctx);
    expect((await shop.now(order)).state).toBe("paid");
  });

  test("stays while the provider does not answer, and ends once it answers", async () => {
    const order = await anOrder();
    await shop.pay(order);
    shop.provider.controls.isOut = true;
    await shop.pass(minutes(70));
    expect((await shop.now(order)).state).toBe("awaiting_payment");
    shop.provider.controls.isOut = false;
    await shop.pass(minutes(2), seconds(15));
    expect((await shop.now(order)).state).toBe("cancelled");
  });

  test("of an invoice lasts a day, at the desk three", async () => {
    shop.clock.set(new Date("2026-11-24T09:00:00Z")); // a Tuesday, between banking days
    await shop.receiveRates();
    const [invoiced, atDesk] = [await anOrder({ ...atOffice, paymentId: 6 }), await anOrder({ ...atOffice, paymentId: 7 })];
    expect([invoiced.state, atDesk.state]).toEqual(["awaiting_payment", "placed"]);
    shop.clock.advance(hours(24));
    await shop.sweep();
    expect([(await shop.now(invoiced)).state, (await shop.now(atDesk)).state]).toEqual(["cancelled", "placed"]);
    shop.clock.advance(hours(48));
    await shop.sweep();
    expect((await shop.now(atDesk)).state).toBe("cancelled");
    await shop.receiveRates();
  });
});

test("one order that cannot be expired does not stop the others", async () => {
  const [broken, sound] = [await anOrder(), await anOrder()];
  await shop.ctx.db.update(orderTable).set({ delivery: {} }).where(eq(orderTable.id, broken.id));
  shop.clock.advance(minutes(66));
  await orders.expireDue(shop.ctx);
  expect((await shop.now(sound)).state).toBe("cancelled");
  await shop.ctx.db
    .update(orderTable)
    .set({ delivery: { ...broken.delivery } })
    .where(eq(orderTable.id, broken.id));
  shop.clock.advance(seconds(3)); // the provider is asked at most once in two seconds
  await orders.expireDue(shop.ctx);
  expect((await shop.now(broken)).state).toBe("cancelled");
});

test("a letter about an order by special contact does not call its delivery free", async () => {
  const order = await anOrder({ ...atOffice, deliveryId: 43, paymentId: 6 });
  const [letter] = (
    await shop.ctx.db
      .select()
      .from(outbox)
      .where(eq(outbox.about, `order:${order.id}`))
  ).filter(({ channel }) => channel === "email");
  expect(letter?.text).toContain("Доставка: стоимость уточнит менеджер");
});

describe("cancelling", () => {
  test("releases the coins; cancelling a paid order twice refunds it once", async () => {
    const before = await shop.free(1);
    const order = await aPaidOrder();
    expect(await shop.free(1)).toBe(before - 2);
    const cancelled = [
      await orders.cancel(shop.ctx, { orderId: order.id, viewer: shop.guest(order) }),
      await orders.cancel(shop.ctx, { orderId: order.id, viewer: shop.guest(order) }),
    ];
    expect(cancelled.map((each) => each.ok && each.value.state)).toEqual(["cancelled", "cancelled"]);
    expect(await shop.free(1)).toBe(before);
    await shop.work();
    expect(shop.provider.heldFor(order.id)).toBe(0);
    expect(await payment.refundsOfOrder(shop.ctx.db, order.id)).toHaveLength(1);
    expect(await shop.now(order)).toMatchObject({ paid: order.total, refunded: order.total, payment: { status: "refunded" } });
  });

  test("is refused once the parcel has left; another customer's order is answered as not found", async () => {
    const [order, other] = [await aPaidOrder(byPoint), await anOrder()];
    await played(order, "assemble", "ship");
    expect(await orders.cancel(shop.ctx, { orderId: order.id, viewer: shop.guest(order) })).toEqual({
      ok: false,
      error: { code: "order.not_cancellable", state: "shipped" },
    });
    for (const viewer of [shop.guest(order), { guestKey: "" }, { customerId: "stranger" }]) {
      expect(await orders.cancel(shop.ctx, { orderId: other.id, viewer })).toEqual({ ok: false, error: { code: "order.not_found" } });
    }
  });
});

describe("staff", () => {
  test("coins leave the stock with the parcel and return with it; the money is refunded when staff decides so", async () => {
    const before = await shop.free(1);
    const order = await aPaidOrder(byPoint);
    const shipped = await played(order, "assemble", "ship", "ship", "arrive", "deliver");
    expect(shipped.state).toBe("delivered");
    expect(await shop.free(1)).toBe(before - 2);
    const back = await played(order, "give_back", "refund", "refund");
    await shop.work();
    expect(await shop.free(1)).toBe(before);
    expect(await shop.now(order)).toMatchObject({ state: "returned", refunded: order.total, payment: { status: "refunded" } });
    expect(back.history.map((each) => each.event)).toEqual([
      "place",
      "pay",
      "assemble",
      "ship",
      "arrive",
      "deliver",
      "give_back",
      "refund",
    ]);
    expect(shop.provider.heldFor(order.id)).toBe(0);
  });

  test("a packed parcel is registered with the carrier and shows its number", async () => {
    const order = await aPaidOrder(byPoint);
    await played(order, "assemble");
    await shop.work();
    const { sweep } = await import("#shop/delivery/shipping.service.ts");
    await sweep(shop.ctx);
    expect((await shop.now(order)).delivery.trackingNumber).toBe(`T${order.number}`);
  });

  test("the carrier's states move the order, also when one is skipped or repeated", async () => {
    const order = await aPaidOrder(byPoint);
    await played(order, "assemble");
    for (const state of ["at_point", "in_transit", "at_point", "delivered", "delivered"] as const)
      await orders.followParcel(shop.ctx, { orderId: order.id, state });
    expect((await shop.now(order)).history.map((each) => each.event)).toEqual(["place", "pay", "assemble", "ship", "arrive", "deliver"]);
  });

  test("an order paid on collection is paid when it is handed over", async () => {
    const order = await anOrder({ ...atOffice, paymentId: 7 });
    expect(await played(order, "assemble", "make_ready")).toMatchObject({
      state: "ready",
      paid: 0,
      payment: { status: "pending", paidAt: null },
    });
    expect(await played(order, "deliver")).toMatchObject({ state: "delivered", paid: order.total, payment: { status: "succeeded" } });
    await shop.work();
    expect(await played(order, "give_back", "refund")).toMatchObject({ state: "returned" });
    await shop.work();
    expect(await shop.now(order)).toMatchObject({ refunded: order.total, payment: { status: "refunded" } });
  });

  test("an order paid on collection is also paid when it was sent instead", async () => {
    const order = await anOrder({ ...atOffice, paymentId: 7 });
    expect(await played(order, "assemble", "ship", "deliver", "deliver")).toMatchObject({ state: "delivered", paid: order.total });
    await shop.work();
    expect((await shop.now(order)).refunded).toBe(0);
  });

  test("the money of an invoice is recorded by staff, once", async () => {
    const order = await anOrder({ ...atOffice, paymentId: 6 });
    expect(await played(order, "pay", "pay")).toMatchObject({ state: "paid", paid: order.total });
    await shop.work();
    expect((await shop.now(order)).history).toHaveLength(2);
    await orders.cancel(shop.ctx, { orderId: order.id, viewer: shop.guest(order) });
    expect(shop.alarms.some(({ name }) => name === "payment.refund_by_hand")).toBe(true);
    await played(order, "refund");
    await shop.work();
    expect(await shop.now(order)).toMatchObject({ state: "cancelled", refunded: order.total });
  });

  test("cannot apply an event that the state table does not allow", async () => {
    const [unpaid, paid] = [await anOrder(), await aPaidOrder()];
    for (const event of ["pay", "assemble", "ship", "make_ready", "deliver", "turn_back", "give_back", "refund"] as const) {
      expect(await orders.apply(shop.ctx, unpaid.id, event)).toEqual({
        ok: false,
        error: { code: "order.event_refused", state: "awaiting_payment", event },
      });
    }
    expect(await orders.apply(shop.ctx, paid.id, "refund")).toMatchObject({ ok: false, error: { code: "order.event_refused" } });
    expect(await orders.apply(shop.ctx, "none", "ship")).toEqual({ ok: false, error: { code: "order.not_found" } });
  });
});

describe("looking at orders", () => {
  test("a customer sees only the own orders, newest first", async () => {
    const {
      customer: { id: anna },
    } = await signUp(shop.ctx, "+79160000001");
    const [first, second] = [
      await shop.ordered(`customer:${anna}`, { 1: 1 }),
      await shop.ordered(`customer:${anna}`, { 2: 1 }, { ...byPoint, pointId: "SPB1", cityCode: petersburgCode }),
    ];
    expect((await orders.list(shop.ctx, anna)).map((each) => each.id)).toEqual([second.id, first.id]);
    expect(await orders.find(shop.ctx, second.id, { customerId: anna })).toMatchObject({
      id: second.id,
      delivery: { cityName: "Санкт-Петербург" },
    });
    expect(await orders.find(shop.ctx, second.id, { customerId: "boris" })).toBeNull();
    expect(await orders.list(shop.ctx, "boris")).toEqual([]);
    // The next checkout is filled in from this order.
    expect(await customers.byId(shop.ctx, anna)).toMatchObject({
      name: "Иван",
      lastName: "Петров",
      email: "ivan@example.ru",
      buyProfile: {
        delivery: { deliveryId: 76 },
        point: { id: "SPB1", deliveryId: 76, type: "" },
        city: { code: petersburgCode, name: "Санкт-Петербург", coords: [59.94, 30.31] },
      },
    });
  });

  test("the key of a link opens its own order for thirty days", async () => {
    const [order, other] = [await anOrder(), await anOrder()];
    expect((await orders.find(shop.ctx, order.id, shop.guest(order)))?.id).toBe(order.id);
    expect(await orders.find(shop.ctx, order.id, shop.guest(other))).toBeNull();
    expect(await orders.find(shop.ctx, order.id, { guestKey: shop.guest(order).guestKey.slice(1) })).toBeNull();
    const now = shop.clock.now();
    shop.clock.set(plus(order.createdAt, days(30) - 1));
    expect(await orders.find(shop.ctx, order.id, shop.guest(order))).not.toBeNull();
    shop.clock.advance(1);
    expect(await orders.find(shop.ctx, order.id, shop.guest(order))).toBeNull();
    shop.clock.set(now);
  });
});

describe("a parcel at the carrier", () => {
  test("is recalled when its packed order is cancelled, once", async () => {
    const order = await aPaidOrder(byPoint);
    await played(order, "assemble");
    await shipping.sweep(shop.ctx);
    await orders.cancel(shop.ctx, { orderId: order.id, viewer: shop.guest(order) });
    await orders.cancel(shop.ctx, { orderId: order.id, viewer: shop.guest(order) });
    await shipping.sweep(shop.ctx);
    await shop.work();
    await shipping.sweep(shop.ctx);
    expect(shop.carrier.recalls).toEqual([`C${order.number}`]);
    expect(await shop.now(order)).toMatchObject({ state: "cancelled", delivery: { parcel: { state: "called_off" } } });
  });

  test("that the carrier refused goes to another point of the city, which the order then names", async () => {
    const order = await aPaidOrder(byPoint);
    await played(order, "assemble");
    await shop.work();
    await shop.ctx.db.update(shipments).set({ state: "invalid", nextCheckAt: null }).where(eq(shipments.orderId, order.id));
    // A locker is another way of delivery
    expect(await orders.resendParcel(shop.ctx, order.id, "MSK2")).toEqual({ ok: false, error: { code: "shipment.no_such_point" } });
    expect(await orders.resendParcel(shop.ctx, "nobody", null)).toEqual({ ok: false, error: { code: "order.not_found" } });
    expect(await orders.resendParcel(shop.ctx, order.id, "MSK1")).toEqual({ ok: true, value: "new" });
    expect(await orders.resendParcel(shop.ctx, order.id, null)).toEqual({
      ok: false,
      error: { code: "shipment.not_refused", state: "new" },
    });
    expect((await shop.now(order)).delivery.point).toMatchObject({ id: "MSK1", address: "ул. MSK1, 1" });
  });

  test("that returns unclaimed is reported by letter and SMS", async () => {
    const order = await played(await aPaidOrder(byPoint), "assemble", "ship", "arrive", "turn_back");
    expect(order.state).toBe("returned");
    expect(await messages(`order:${order.id}`)).toEqual(expect.arrayContaining(["order_returned by email", "order_returned by sms"]));
  });
});

test("an order to a pickup point stores its delivery method and leaves an earlier address unchanged", async () => {
  const remembered = async (buyProfile: object) => {
    const { customer } = await signUp(shop.ctx, "+79160000077");
    await inTransaction(shop.ctx.db, (tx) =>
      customers.rememberFromOrder(tx, customer.id, { name: "И", lastName: "П", secondName: "", email: "i@p.ru" }, buyProfile),
    );
    return (await customers.byId(shop.ctx, customer.id))?.buyProfile;
  };
  await remembered({ delivery: { street: "Арбат", house: "1", comment: "звонить дважды", deliveryId: 45 } });
  expect(await remembered({ delivery: { deliveryId: 76 }, point: { id: "MSK1" } })).toEqual({
    delivery: { street: "Арбат", house: "1", comment: "звонить дважды", deliveryId: 76 },
    point: { id: "MSK1" },
  });
});
