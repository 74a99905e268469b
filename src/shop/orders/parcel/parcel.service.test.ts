import { eq } from "drizzle-orm";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { kopecks } from "#kit/money.ts";
import { days, minutes } from "#kit/time.ts";
import { checkLedger } from "#main/ledger/ledger.ts";
import * as checkout from "#shop/checkout/service.ts";
import { atOffice, aVisitor, byPoint, openShopToBuy, type ShopToBuy } from "#shop/checkout/testing.ts";
import { registerShipment } from "#shop/delivery/shipment.ts";
import { shipments } from "#shop/delivery/tables.ts";
import type { RecallAnswer } from "#shop/delivery/testing.ts";
import { outbox } from "#shop/notifications/tables.ts";
import { deliveryIds } from "#shop/method-ids.ts";
import * as payment from "#shop/payment/service.ts";
import { testClock } from "#tests/shop.ts";
import type { Order, StaffEvent, StaffDetails } from "../order.ts";
import * as orders from "../service.ts";
import type { Address } from "../snapshot.ts";

let shop: ShopToBuy;
beforeAll(async () => {
  shop = await openShopToBuy({ clock: testClock(), stock: 100 });
});
afterAll(() => shop.close());
beforeEach(() => {
  shop.carrier.controls.recall = "as_it_is";
  shop.carrier.controls.isOut = false;
  shop.alarms.splice(0);
});

let people = 0;
async function aPaidOrder(content: Record<number, number> = { 1: 2, 2: 1 }, request = byPoint): Promise<Order> {
  people += 1;
  const order = await shop.ordered(aVisitor(`p${people}`), content, request);
  return shop.paid(order);
}
/** Packed, and registered with the carrier. */
async function aPackedOrder(content?: Record<number, number>, request?: typeof byPoint): Promise<Order> {
  const order = await aPaidOrder(content, request);
  await apply(order, "assemble");
  await shop.pass(minutes(1));
  return shop.now(order);
}
const apply = (order: Order, event: StaffEvent, money: StaffDetails = {}) => orders.apply(shop.ctx, order.id, event, money);
const cancel = (order: Order) => orders.cancel(shop.ctx, { orderId: order.id, viewer: shop.guest(order) });
/** The carrier changes the status, and the shop receives it with its next check. */
async function carrierSays(order: Order, state: "in_transit" | "at_point" | "delivered" | "not_delivered"): Promise<void> {
  shop.carrier.move(order.number, state);
  await shop.pass(minutes(20), minutes(10));
}
const paidToShop = (order: Order): number => shop.provider.heldFor(order.id);
const messages = async (order: Order): Promise<string[]> =>
  (await shop.ctx.db.select().from(outbox))
    .filter(({ about, channel }) => about.includes(order.id) && channel === "email")
    .map(({ kind }) => kind);
const alarms = (order: Order) => shop.alarms.filter(({ fields }) => fields?.orderId === order.id).map(({ name }) => name);
const brokenInvariants = () => checkLedger(shop.ctx.db);

test("a parcel that the carrier refused is not handed over until it was sent again, also not from the command line", async () => {
  const order = await aPackedOrder();
  shop.carrier.refuse(order.number);
  await shop.pass(minutes(30), minutes(10));
  for (const event of ["ship", "make_ready"] as const)
    expect(await apply(order, event)).toEqual({ ok: false, error: { code: "order.parcel_refused" } });
  expect(await shop.now(order)).toMatchObject({ state: "assembled" });
  expect(await orders.resendParcel(shop.ctx, order.id, null)).toMatchObject({ ok: true });
  expect(await apply(order, "ship")).toMatchObject({ ok: true, value: { state: "shipped" } });
  expect(await apply(order, "ship")).toMatchObject({ ok: true, value: { state: "shipped" } });
});

test("a courier gets the entrance, the floor and what the buyer wrote", async () => {
  const sentTo = async (address: Partial<Address>) => {
    people += 1;
    const owner = aVisitor(`p${people}`);
    await shop.fill(owner, { 1: 1 });
    const quote = await shop.quoted(owner, { ...byPoint, deliveryId: deliveryIds.courier, pointId: null });
    const placed = await checkout.placeOrder(shop.ctx, owner, { ...shop.orderRequestFor(quote), address: { ...home, ...address } });
    if (!placed.ok) throw new Error(placed.error.code);
    await apply(await shop.paid(placed.value.order), "assemble");
    const [parcel] = await shop.ctx.db.select().from(shipments).where(eq(shipments.orderId, placed.value.order.id));
    return registerShipment.parse(parcel?.request).to;
  };
  const home = { city: "Москва", street: "Тверская", house: "1", room: "2", entrance: "", floor: "", message: "" };
  const to = { cityCode: byPoint.cityCode, address: "Тверская, 1, 2" };
  expect(await sentTo({})).toEqual({ ...to, comment: "" });
  expect(await sentTo({ entrance: "3", floor: "5", message: "Домофон 12" })).toEqual({ ...to, comment: "подъезд 3, этаж 5, Домофон 12" });
  expect(await sentTo({ message: "Домофон 12" })).toEqual({ ...to, comment: "Домофон 12" });
});

describe("cancelling a packed order", () => {
  test("refunds no money and releases no coins until the carrier has struck the parcel out", async () => {
    shop.carrier.controls.recall = "undecided";
    const before = await shop.free(1);
    const order = await aPackedOrder({ 1: 2 });
    expect(await cancel(order)).toMatchObject({ ok: true, value: { state: "cancellation_requested" } });
    expect(await cancel(order)).toMatchObject({ ok: true, value: { state: "cancellation_requested" } });
    await shop.pass(minutes(30), minutes(5));
    expect(await shop.now(order)).toMatchObject({ state: "cancellation_requested", refunded: 0 });
    expect([paidToShop(order), await shop.free(1)]).toEqual([order.total, before - 2]);
    expect(await messages(order)).toContain("cancel_requested");
    expect(alarms(order)).toContain("delivery.unanswered");
    expect(await brokenInvariants()).toEqual([]);

    shop.carrier.controls.recall = "as_it_is";
    await shop.pass(minutes(70), minutes(10));
    expect(await shop.now(order)).toMatchObject({ state: "cancelled", refunded: order.total });
    expect([paidToShop(order), await shop.free(1), shop.carrier.undeleted(order.number)]).toEqual([0, before, []]);
    expect((await messages(order)).filter((kind) => kind === "order_cancelled")).toHaveLength(1);
    expect(await brokenInvariants()).toEqual([]);
  });

  test("while a recall is pending, the order cannot be packed, shipped or refunded", async () => {
    shop.carrier.controls.recall = "undecided";
    const order = await aPackedOrder({ 1: 2 });
    await cancel(order);
    for (const event of ["assemble", "ship", "make_ready", "deliver", "turn_back", "refund"] as const)
      expect(await apply(order, event)).toMatchObject({ ok: false, error: { code: "order.event_refused" } });
    expect(await apply(order, "refund", { pieces: [{ coinId: 1, quantity: 1 }] })).toMatchObject({
      ok: false,
      error: { code: "order.event_refused" },
    });
    expect(await shop.pay(order)).toMatchObject({ ok: false });
    await shop.pass(minutes(1));
    expect(await orders.waiting(shop.ctx)).toContainEqual(
      expect.objectContaining({ id: order.id, why: "cancellation", parcel: expect.objectContaining({ recall: "sent" }) as unknown }),
    );
  });

  test("by staff also waits for the carrier; staff may confirm it once the parcel is back", async () => {
    shop.carrier.controls.recall = "undecided";
    const order = await aPackedOrder();
    expect(await apply(order, "cancel")).toMatchObject({ ok: true, value: { state: "cancellation_requested" } });
    expect(await apply(order, "confirm_cancel")).toMatchObject({ ok: true, value: { state: "cancelled" } });
    await shop.pass(minutes(5));
    expect(paidToShop(order)).toBe(0);
    expect(await brokenInvariants()).toEqual([]);
  });

  test.each(["refuse", "too_late"] as const satisfies RecallAnswer[])(
    "that the carrier refuses (%s) lets the order go on, and customer and staff are notified",
    async (answer) => {
      shop.carrier.controls.recall = answer;
      const order = await aPackedOrder();
      await cancel(order);
      await shop.pass(minutes(5));
      expect(await shop.now(order)).toMatchObject({ state: answer === "refuse" ? "assembled" : "shipped", refunded: 0 });
      expect([paidToShop(order), await messages(order), alarms(order)]).toEqual([
        order.total,
        expect.arrayContaining(["cancel_refused"]),
        ["delivery.recall_refused"],
      ]);
      await carrierSays(order, "delivered");
      expect(await shop.now(order)).toMatchObject({ state: "delivered" });
      expect(await brokenInvariants()).toEqual([]);
    },
  );

  test("of a parcel that was handed over meanwhile leaves the order in its parcel's state", async () => {
    const order = await aPackedOrder();
    shop.carrier.move(order.number, "delivered"); // the shop has not fetched it yet
    await cancel(order);
    await shop.pass(minutes(5));
    expect(await shop.now(order)).toMatchObject({ state: "delivered", refunded: 0 });
    expect(await brokenInvariants()).toEqual([]);
  });

  test("that the carrier answers by turning the parcel back refunds it in full once the parcel is back", async () => {
    const before = await shop.free(1);
    const order = await aPackedOrder({ 1: 2 });
    shop.carrier.move(order.number, "in_transit"); // the shop has not fetched it yet
    await cancel(order);
    await shop.pass(minutes(5));
    expect(await shop.now(order)).toMatchObject({ state: "returning", refunded: 0 });
    expect([paidToShop(order), await shop.free(1)]).toEqual([order.total, before - 2]);
    expect(await messages(order)).toContain("order_returning");
    expect(await apply(order, "turn_back")).toMatchObject({ ok: true, value: { state: "returned" } });
    await shop.pass(minutes(5));
    expect([paidToShop(order), await shop.free(1), alarms(order)]).toEqual([0, before, []]);
    expect(await orders.waiting(shop.ctx)).not.toContainEqual(expect.objectContaining({ id: order.id }));
    expect(await brokenInvariants()).toEqual([]);
  });

  test("may be requested again after the carrier refused it", async () => {
    shop.carrier.controls.recall = "refuse";
    const order = await aPackedOrder();
    await cancel(order);
    await shop.pass(minutes(5));
    shop.carrier.controls.recall = "as_it_is";
    expect(await cancel(order)).toMatchObject({ ok: true, value: { state: "cancellation_requested" } });
    await orders.followRecall(shop.ctx, { orderId: order.id }); // the first answer is announced once more
    expect(await shop.now(order)).toMatchObject({ state: "cancellation_requested" });
    await shop.pass(minutes(5));
    expect(await shop.now(order)).toMatchObject({ state: "cancelled" });
    expect((await messages(order)).filter((kind) => kind === "cancel_requested")).toHaveLength(2);
  });

  test("waits while the carrier is out", async () => {
    const order = await aPackedOrder();
    shop.carrier.controls.isOut = true;
    await cancel(order);
    await shop.pass(minutes(60), minutes(5));
    expect(await shop.now(order)).toMatchObject({ state: "cancellation_requested" });
    expect(alarms(order)).toEqual(["delivery.unanswered"]);
    shop.carrier.controls.isOut = false;
    await shop.pass(minutes(70), minutes(10));
    expect(await shop.now(order)).toMatchObject({ state: "cancelled" });
  });

  test("is done at once where no carrier has the parcel: at the office", async () => {
    const order = await aPackedOrder({ 1: 1 }, atOffice);
    expect(await cancel(order)).toMatchObject({ ok: true, value: { state: "cancelled" } });
  });

  test("and the carrier's news that the parcel left, at once on two connections, end in one of the two states, never in both", async () => {
    for (let round = 0; round < 6; round += 1) {
      const order = await aPackedOrder({ 1: 1 });
      shop.carrier.move(order.number, "in_transit");
      const other = await shop.another();
      await Promise.all([cancel(order), orders.followParcel(other, { orderId: order.id, state: "in_transit" }), cancel(order)]);
      await shop.pass(minutes(20), minutes(10));
      const after = await shop.now(order);
      expect(["shipped", "returning"]).toContain(after.state);
      expect([paidToShop(order), after.refunded]).toEqual([order.total, 0]);
    }
    expect(await brokenInvariants()).toEqual([]);
  });
});

test("a cancelled order whose refunds the bank refused, first in part and then in full, is refunded in full when sent again", async () => {
  const order = await aPaidOrder({ 1: 2 }, atOffice);
  shop.provider.controls.refunds = "canceled";
  await apply(order, "refund", { amount: kopecks(2_000_00) });
  await shop.work();
  await cancel(order);
  await shop.work();
  shop.provider.controls.refunds = "succeeded";
  expect(paidToShop(order)).toBe(order.total);
  expect(await apply(order, "refund")).toMatchObject({ ok: true });
  await shop.pass(minutes(5));
  expect(paidToShop(order)).toBe(0);
  expect(await brokenInvariants()).toEqual([]);
});

describe("a parcel that was not delivered", () => {
  test("puts nothing on sale and refunds nothing until staff confirms it", async () => {
    const before = await shop.free(1);
    const order = await aPackedOrder({ 1: 2 });
    await carrierSays(order, "in_transit");
    await carrierSays(order, "not_delivered");
    expect(await shop.now(order)).toMatchObject({ state: "returning" });
    expect([await shop.free(1), paidToShop(order), alarms(order)]).toEqual([before - 2, order.total, []]);
    expect(await orders.waiting(shop.ctx)).toContainEqual(expect.objectContaining({ id: order.id, why: "returning" }));
    shop.clock.advance(days(31));
    await orders.alarmOverdueReturns(shop.ctx);
    expect(alarms(order)).toContain("delivery.return_late");
    shop.alarms.splice(0);

    expect(await apply(order, "turn_back")).toMatchObject({ ok: true, value: { state: "returned" } });
    expect(await apply(order, "turn_back")).toMatchObject({ ok: true, value: { state: "returned" } });
    expect([await shop.free(1), paidToShop(order), alarms(order)]).toEqual([before, order.total, ["order.return_unsettled"]]);
    expect(await messages(order)).toEqual(expect.arrayContaining(["order_returning", "order_returned"]));
    await orders.alarmOverdueReturns(shop.ctx);
    expect(alarms(order)).toEqual(["order.return_unsettled", "order.return_unsettled"]);
    expect(await apply(order, "refund")).toMatchObject({ ok: true });
    await shop.pass(minutes(5));
    await orders.alarmOverdueReturns(shop.ctx);
    expect([paidToShop(order), alarms(order)]).toEqual([0, ["order.return_unsettled", "order.return_unsettled"]]);
    expect(await orders.waiting(shop.ctx)).not.toContainEqual(expect.objectContaining({ id: order.id }));
    expect(await brokenInvariants()).toEqual([]);
  });

  test("and is handed over all the same is delivered when staff records it", async () => {
    const order = await aPackedOrder();
    await carrierSays(order, "not_delivered");
    expect(await apply(order, "deliver")).toMatchObject({ ok: true, value: { state: "delivered" } });
    expect(await brokenInvariants()).toEqual([]);
  });
});

describe("refunding pieces", () => {
  const one = { pieces: [{ coinId: 1, quantity: 1 }] };

  test("of a paid order takes them out of it: they are on sale again, and the parcel goes without them", async () => {
    const before = await shop.free(1);
    const order = await aPaidOrder({ 1: 2, 2: 1 });
    expect(await apply(order, "refund", one)).toMatchObject({
      ok: true,
      value: { state: "paid", total: order.total, lines: [{ quantity: 2, dropped: 1 }, { dropped: 0 }] },
    });
    await apply(order, "assemble");
    await shop.pass(minutes(1));
    expect([await shop.free(1), paidToShop(order), shop.carrier.undeleted(order.number)]).toEqual([
      before - 1,
      order.total - 6_000_00,
      [{ state: "registered", pieces: 2 }],
    ]);
    await carrierSays(order, "delivered");
    expect(await brokenInvariants()).toEqual([]);
    expect(await apply(order, "give_back")).toMatchObject({ ok: true, value: { state: "returned" } });
    expect(await shop.free(1)).toBe(before);
    expect(await brokenInvariants()).toEqual([]);
  });

  test("of a packed order recalls the parcel first; then it is packed again without them", async () => {
    const before = await shop.free(1);
    const order = await aPackedOrder({ 1: 2, 2: 1 });
    expect(await apply(order, "refund", one)).toMatchObject({
      ok: true,
      value: { state: "assembled", lines: [{ dropped: 0 }, { dropped: 0 }] },
    });
    expect(await apply(order, "refund", one)).toMatchObject({ ok: true, value: { state: "assembled" } });
    expect(await apply(order, "ship")).toMatchObject({ ok: false });
    expect([paidToShop(order), await shop.free(1)]).toEqual([order.total, before - 2]);
    expect(await orders.waiting(shop.ctx)).toContainEqual(expect.objectContaining({ id: order.id, why: "repacking" }));
    await shop.pass(minutes(5));
    expect(await shop.now(order)).toMatchObject({ state: "paid", lines: [{ dropped: 1 }, { dropped: 0 }] });
    expect([paidToShop(order), await shop.free(1), shop.carrier.undeleted(order.number)]).toEqual([order.total - 6_000_00, before - 1, []]);
    await apply(order, "assemble");
    await shop.pass(minutes(1));
    expect(shop.carrier.undeleted(order.number)).toEqual([{ state: "registered", pieces: 2 }]);
    expect(await brokenInvariants()).toEqual([]);
  });

  test("of a packed order that a transfer has paid waits until staff has sent the money", async () => {
    const order = await shop.ordered(aVisitor("by transfer"), { 1: 2, 2: 1 }, byPoint);
    await apply(order, "pay", { amount: order.total, reference: { number: "1", date: "2026-11-20", payerAccount: null } });
    await apply(order, "assemble");
    await shop.pass(minutes(1));
    await apply(order, "refund", one);
    await shop.pass(minutes(5));
    expect(await shop.now(order)).toMatchObject({ state: "paid", refunded: 0, lines: [{ dropped: 1 }, { dropped: 0 }] });
    const waiting = (await payment.refundsWaiting(shop.ctx)).filter(({ orderId }) => orderId === order.id);
    expect(waiting).toMatchObject([{ why: "by_hand", amount: 6_000_00 }]);
    expect(alarms(order)).toEqual(["payment.refund_by_hand"]);
    expect(await brokenInvariants()).toEqual([]);
    for (const { id } of waiting) await orders.confirmRefundSent(shop.ctx, id);
    await shop.work();
    expect(await shop.now(order)).toMatchObject({ paid: order.total, refunded: 6_000_00 });
    expect(await brokenInvariants()).toEqual([]);
  });

  test("of a packed order that no carrier has takes it back to be packed without them", async () => {
    const before = await shop.free(1);
    const order = await aPackedOrder({ 1: 2, 2: 1 }, atOffice);
    expect(await apply(order, "refund", one)).toMatchObject({
      ok: true,
      value: { state: "paid", lines: [{ dropped: 1 }, { dropped: 0 }] },
    });
    expect(await apply(order, "make_ready")).toMatchObject({ ok: false });
    await shop.work();
    expect([paidToShop(order), await shop.free(1)]).toEqual([order.total - 6_000_00, before - 1]);
    for (const event of ["assemble", "make_ready", "deliver"] as const) expect(await apply(order, event)).toMatchObject({ ok: true });
    expect(await brokenInvariants()).toEqual([]);
  });

  test.each([
    ["by the carrier", byPoint],
    ["at the office", atOffice],
  ])("of a packed order whose price cannot be refunded any more leaves it packed (%s)", async (_, request) => {
    const order = await aPackedOrder({ 1: 2, 2: 1 }, request);
    await apply(order, "refund", { amount: kopecks(100_00) });
    await shop.work();
    expect(await apply(order, "refund", one)).toMatchObject({ ok: false, error: { code: "order.refund_too_much" } });
    expect(await shop.now(order)).toMatchObject({ state: "assembled", refundAfterRecall: null, lines: [{ dropped: 0 }, { dropped: 0 }] });
    expect(await brokenInvariants()).toEqual([]);
  });

  test.each(["refuse", "too_late", "turn_back"] as const)(
    "of a packed order whose recall is refused (%s) drops nothing, and staff is notified",
    async (answer) => {
      shop.carrier.controls.recall = answer;
      const order = await aPackedOrder({ 1: 2, 2: 1 });
      await apply(order, "refund", one);
      await shop.pass(minutes(5));
      expect(await shop.now(order)).toMatchObject({ refunded: 0, lines: [{ dropped: 0 }, { dropped: 0 }] });
      expect([paidToShop(order), alarms(order)]).toEqual([order.total, ["order.pieces_kept"]]);
      expect(await brokenInvariants()).toEqual([]);
    },
  );

  test("of a packed order that is cancelled meanwhile refunds all of it", async () => {
    const before = await shop.free(1);
    shop.carrier.controls.recall = "undecided";
    const order = await aPackedOrder({ 1: 2, 2: 1 });
    await apply(order, "refund", one);
    await cancel(order);
    shop.carrier.controls.recall = "as_it_is";
    await shop.pass(minutes(20), minutes(5));
    expect(await shop.now(order)).toMatchObject({ state: "cancelled", refunded: order.total });
    expect([paidToShop(order), await shop.free(1)]).toEqual([0, before]);
    expect(await brokenInvariants()).toEqual([]);
  });

  test("never takes the last one, nor more than there are", async () => {
    const order = await aPaidOrder({ 1: 2 });
    for (const quantity of [2, 3])
      expect(await apply(order, "refund", { pieces: [{ coinId: 1, quantity }] })).toMatchObject({
        ok: false,
        error: { code: "order.pieces_refused", left: [{ coinId: 1, quantity: 2 }] },
      });
    expect(await apply(order, "refund", { pieces: [{ coinId: 3, quantity: 1 }] })).toMatchObject({
      ok: false,
      error: { code: "order.pieces_refused" },
    });
    expect(await apply(order, "refund", one)).toMatchObject({ ok: true });
    expect(await apply(order, "refund", one)).toMatchObject({
      ok: false,
      error: { code: "order.pieces_refused", left: [{ coinId: 1, quantity: 1 }] },
    });
    expect(await cancel(order)).toMatchObject({ ok: true, value: { state: "cancelled" } });
    await shop.pass(minutes(5));
    expect(paidToShop(order)).toBe(0);
    expect(await brokenInvariants()).toEqual([]);
  });

  test("of a delivered order refunds money only; the pieces return to stock once, when staff confirms them", async () => {
    const before = await shop.free(1);
    const order = await aPackedOrder({ 1: 3, 2: 1 });
    await carrierSays(order, "delivered");
    expect(await apply(order, "refund", { pieces: [{ coinId: 1, quantity: 2 }] })).toMatchObject({ ok: true });
    await shop.pass(minutes(5));
    expect([await shop.free(1), paidToShop(order)]).toEqual([before - 3, order.total - 12_000_00]);
    expect(await apply(order, "give_back", one)).toMatchObject({
      ok: true,
      value: { state: "delivered", lines: [{ returned: 1 }, { returned: 0 }] },
    });
    expect(await apply(order, "give_back", one)).toMatchObject({ ok: true, value: { lines: [{ returned: 2 }, { returned: 0 }] } });
    expect(await shop.free(1)).toBe(before - 1);
    expect(await apply(order, "give_back", { pieces: [{ coinId: 1, quantity: 2 }] })).toMatchObject({
      ok: false,
      error: {
        code: "order.pieces_refused",
        left: [
          { coinId: 1, quantity: 1 },
          { coinId: 2, quantity: 1 },
        ],
      },
    });
    expect(await brokenInvariants()).toEqual([]);
    expect(
      await apply(order, "give_back", {
        pieces: [
          { coinId: 1, quantity: 1 },
          { coinId: 2, quantity: 1 },
        ],
      }),
    ).toMatchObject({ ok: true, value: { state: "returned" } });
    expect(await shop.free(1)).toBe(before);
    expect(await brokenInvariants()).toEqual([]);
  });

  test("twice at once on two connections takes each piece once", async () => {
    const order = await aPaidOrder({ 1: 2, 2: 1 });
    const other = await shop.another();
    const both = await Promise.all([
      apply(order, "refund", { pieces: [{ coinId: 1, quantity: 2 }] }),
      orders.apply(other, order.id, "refund", { pieces: [{ coinId: 1, quantity: 2 }] }),
    ]);
    expect(both.filter(({ ok }) => ok)).toHaveLength(1);
    expect(await brokenInvariants()).toEqual([]);
  });
});
