import { eq, sql } from "drizzle-orm";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { inTransaction } from "#kit/db.ts";
import { fromRoubles, kopecks } from "#kit/money.ts";
import { days, minutes, seconds } from "#kit/time.ts";
import { checkLedger } from "#main/ledger/ledger.ts";
import { atOffice, aVisitor, byPoint, openShopToBuy, type ShopToBuy } from "#shop/checkout/testing.ts";
import type { Ctx } from "#shop/context.ts";
import { deliveryIds, paymentIds } from "#shop/method-ids.ts";
import { outbox } from "#shop/notifications/tables.ts";
import * as payment from "#shop/payment/service.ts";
import { refunds } from "#shop/payment/tables.ts";
import { testClock } from "#tests/shop.ts";
import type { Order } from "../order.ts";
import * as orders from "../service.ts";
import { carryOut, resend, settleRefunds } from "./act.service.ts";
import * as cards from "./card.service.ts";
import { assign, eachOrder, edit } from "./edit.service.ts";
import * as orderList from "./order-list.service.ts";
import { placeOf, type ListFilter, type OrderListPage } from "./order-list.ts";
import { approvalReason, previewRefund, refund } from "./refund.service.ts";
import * as views from "./views.service.ts";

let shop: ShopToBuy;
let ivanova: Ctx;
let petrov: Ctx;
beforeAll(async () => {
  shop = await openShopToBuy({ clock: testClock(), stock: 300 });
  ivanova = { ...shop.ctx, actor: { kind: "staff", name: "ivanova" } };
  petrov = { ...shop.ctx, actor: { kind: "staff", name: "petrov" } };
});
afterAll(async () => {
  expect(await checkLedger(shop.ctx.db)).toEqual([]);
  await shop.close();
});
beforeEach(() => {
  shop.carrier.controls.recall = "as_it_is";
  shop.alarms.splice(0);
});

let people = 0;
const anOrder = async (content: Record<number, number> = { 1: 2, 2: 1 }, request = byPoint): Promise<Order> => {
  people += 1;
  shop.clock.advance(seconds(1));
  await shop.receiveRates(); // the tests before may have moved the clock beyond the age of the rates
  return shop.ordered(aVisitor(`s${people}`), content, request);
};
async function aPaidOrder(content?: Record<number, number>, request?: typeof byPoint): Promise<Order> {
  const order = await anOrder(content, request);
  return shop.paid(order);
}
async function aPackedOrder(): Promise<Order> {
  const order = await aPaidOrder();
  const packed = await carryOut(ivanova, seen(order), "assemble", { sealNumber: `AA${order.number}` });
  if (!packed.ok) throw new Error(packed.error.code);
  await shop.pass(minutes(1));
  return shop.now(order);
}
const seen = (order: Order) => ({ orderId: order.id, revision: order.revision });
const older: OrderListPage = { direction: "older", cursor: null };
const listed = async (filter: Partial<ListFilter>, page: OrderListPage = older, login = "ivanova") =>
  orderList.list(shop.ctx, login, { view: "all", ...filter }, page);
const numbers = async (filter: Partial<ListFilter>) => (await listed(filter)).rows.map(({ number }) => number);

describe("two clerks at one order", () => {
  test("pack it at once: one does, the other is refused and sees the order as it is now", async () => {
    const order = await aPaidOrder();
    const other = await shop.another();
    const results = await Promise.all([
      carryOut(ivanova, seen(order), "assemble", { sealNumber: `BB${order.number}` }),
      carryOut({ ...other, actor: petrov.actor }, seen(order), "cancel"),
    ]);
    expect(results.filter(({ ok }) => ok)).toHaveLength(1);
    const [refused] = results.flatMap((each) => (each.ok ? [] : [each.error]));
    const now = await shop.now(order);
    expect(refused).toMatchObject({ code: "staff.stale", current: { id: order.id, state: now.state, revision: now.revision } });
    expect(now.revision).toBeGreaterThan(order.revision);
  });

  test("a change of the recipient refuses the save of the one who saw the earlier one", async () => {
    const order = await aPaidOrder();
    const user = { ...order.user, name: "Пётр" };
    expect(await edit(ivanova, seen(order), { act: "change_recipient", user })).toMatchObject({ ok: true, value: { user } });
    expect(await edit(petrov, seen(order), { act: "change_recipient", user: order.user })).toMatchObject({
      error: { code: "staff.stale", current: { user } },
    });
    expect((await shop.now(order)).user.name).toBe("Пётр");
  });

  test("the seal, a step and an assignee each make a new revision", async () => {
    const order = await aPackedOrder();
    const sealed = await carryOut(ivanova, seen(order), "seal", { sealNumber: `CC${order.number}` });
    if (!sealed.ok) throw new Error(sealed.error.code);
    expect(sealed.value.revision).toBeGreaterThan(order.revision);
    const taken = await assign(ivanova, seen(sealed.value), "ivanova");
    expect(taken).toMatchObject({ ok: true, value: { assignee: "ivanova" } });
    expect(await assign(petrov, seen(sealed.value), "petrov")).toMatchObject({ error: { code: "staff.stale" } });
  });
});

test("an act that the order does not allow is refused with its reason", async () => {
  const order = await anOrder();
  expect(await carryOut(ivanova, seen(order), "assemble")).toEqual({
    ok: false,
    error: { code: "staff.act_refused", reason: "Заказ ещё не оплачен" },
  });
});

describe("a change before the shipment", () => {
  test("of an order that is not packed is written at once", async () => {
    const order = await aPaidOrder();
    expect(await edit(ivanova, seen(order), { act: "change_address", address: anAddress })).toMatchObject({
      error: { code: "staff.act_refused", reason: "Этот заказ не везут по адресу" },
    });
    const point = await orders.pointFor(shop.ctx, order.id, "MSK1");
    if (!point) throw new Error("no such point");
    const changed = await edit(ivanova, seen(order), { act: "change_point", point: { ...point, id: "MSK9", name: "Новый" } });
    expect(changed).toMatchObject({ ok: true, value: { delivery: { point: { id: "MSK9", name: "Новый" } } } });
  });

  test("of a packed order recalls the parcel and registers it again with the new recipient, under the same seal", async () => {
    const order = await aPackedOrder();
    const user = { ...order.user, name: "Анна", lastName: "Орлова" };
    const pending = await edit(ivanova, seen(order), { act: "change_recipient", user });
    expect(pending).toMatchObject({ ok: true, value: { state: "assembled", user: order.user, changeAfterRecall: { user } } });
    if (!pending.ok) return;
    expect(await carryOut(ivanova, seen(pending.value), "ship")).toMatchObject({ error: { code: "staff.act_refused" } });
    await shop.trackParcels();
    await shop.pass(minutes(2));
    const now = await shop.now(order);
    expect(now).toMatchObject({ state: "assembled", user, sealNumber: order.sealNumber, changeAfterRecall: null });
    expect(now.delivery.trackingNumber).not.toBe(order.delivery.trackingNumber);
    expect(shop.carrier.requests(order.number).at(-1)?.recipient.name).toContain("Орлова");
  });

  test("is not made when the carrier does not give the parcel back: staff is alarmed", async () => {
    const order = await aPackedOrder();
    shop.carrier.controls.recall = "refuse";
    await edit(ivanova, seen(order), { act: "change_recipient", user: { ...order.user, name: "Анна" } });
    await shop.trackParcels();
    const now = await shop.now(order);
    expect(now).toMatchObject({ state: "assembled", user: order.user, changeAfterRecall: null });
    expect(shop.alarms.map(({ name }) => name)).toContain("order.change_kept");
    expect(await listed({ text: String(order.number) })).toMatchObject({ rows: [{ problem: null }] });
  });

  test("is obsolete once the order is cancelled", async () => {
    const order = await aPackedOrder();
    shop.carrier.controls.recall = "undecided";
    const pending = await edit(ivanova, seen(order), { act: "change_recipient", user: { ...order.user, name: "Анна" } });
    if (!pending.ok) throw new Error(pending.error.code);
    expect(await carryOut(ivanova, seen(pending.value), "cancel")).toMatchObject({ value: { state: "cancellation_requested" } });
    expect((await shop.now(order)).changeAfterRecall).toBeNull();
  });
});

describe("a refused parcel", () => {
  const aRefused = async (order: Order): Promise<Order> => {
    shop.carrier.refuse(order.number);
    await shop.pass(minutes(30), minutes(10));
    return shop.now(order);
  };
  const lastEvents = async ({ id }: Order, count: number) =>
    (await cards.card(shop.ctx, id))?.history.slice(-count).map(({ event, actor }) => [event, actor]);

  test("is sent again to another point; the history has both and who did it", async () => {
    const refused = await aRefused(await aPackedOrder());
    expect(await listed({ text: String(refused.number) })).toMatchObject({ rows: [{ problem: "parcel_refused" }] });
    expect(await carryOut(ivanova, seen(refused), "ship")).toMatchObject({
      error: { reason: expect.stringMatching(/отклонил/) as unknown },
    });
    const point = await orders.pointFor(shop.ctx, refused.id, "MSK1");
    if (!point) throw new Error("no such point");
    const elsewhere = { ...point, id: "MSK9", name: "Новый" };
    expect(await resend(ivanova, seen(refused), elsewhere)).toMatchObject({
      ok: true,
      value: { delivery: { point: { id: "MSK9" }, parcel: { state: "new" } } },
    });
    expect(await resend(petrov, seen(refused), elsewhere)).toMatchObject({ error: { code: "staff.stale" } });
    expect(await lastEvents(refused, 2)).toEqual([
      ["change_point", "staff:ivanova"],
      ["resend_parcel", "staff:ivanova"],
    ]);
  });

  test("of an order that was handed over is sent again to the same point, too", async () => {
    const order = await aPackedOrder();
    await carryOut(ivanova, seen(order), "ship");
    const refused = await aRefused(order);
    expect(refused).toMatchObject({ state: "shipped", delivery: { parcel: { state: "invalid" } } });
    expect(await resend(petrov, seen(refused), null)).toMatchObject({ ok: true });
    expect(await lastEvents(refused, 2)).toEqual([
      ["ship", "staff:ivanova"],
      ["resend_parcel", "staff:petrov"],
    ]);
  });
});

/** Paid by transfer. */
async function anInvoiced(request = atOffice, content: Record<number, number> = { 1: 2, 2: 1 }): Promise<Order> {
  const order = await anOrder(content, { ...request, paymentId: paymentIds.invoice });
  await orders.apply(petrov, order.id, "pay");
  return shop.now(order);
}
const waitingRefunds = async ({ id }: Order) => (await payment.refundsWaiting(shop.ctx)).filter(({ orderId }) => orderId === id);

describe("refunds that wait for staff", () => {
  /** Returned by its buyer, with money whose refund is not decided, and a second transfer that is to be sent back. */
  async function aReturned(): Promise<Order> {
    const order = await anInvoiced();
    const reference = { number: `second-${order.number}`, date: "2026-11-20", payerAccount: null };
    await orders.apply(ivanova, order.id, "pay", { amount: kopecks(500_00), reference });
    for (const event of ["assemble", "make_ready", "deliver", "give_back"] as const) await orders.apply(ivanova, order.id, event);
    return shop.now(order);
  }
  const problemOf = async ({ number }: Order) => (await listed({ text: String(number) })).rows.map(({ problem }) => problem);
  const refundsOf = async ({ id }: Order) => (await payment.refundsOfOrder(shop.ctx.db, id)).map(({ amount, state }) => [amount, state]);

  test("are settled together, and the rest of a returned order's money stays undecided", async () => {
    const order = await aReturned();
    expect(await problemOf(order)).toEqual(["unsettled"]);
    expect(await settleRefunds(ivanova, seen(order))).toMatchObject({ ok: true, value: { state: "returned" } });
    await shop.work();
    expect(await refundsOf(order)).toEqual([[500_00, "succeeded"]]);
    expect(await problemOf(order)).toEqual(["unsettled"]);
    expect(await settleRefunds(ivanova, seen(await shop.now(order)))).toMatchObject({ error: { code: "staff.act_refused" } });
  });

  test("are settled one by one: the surplus that was sent back decides nothing about the order either", async () => {
    const order = await aReturned();
    const [surplus] = await waitingRefunds(order);
    expect(await orders.confirmRefundSent(ivanova, surplus?.id ?? "")).toMatchObject({ ok: true });
    expect([await refundsOf(order), await problemOf(order)]).toEqual([[[500_00, "succeeded"]], ["unsettled"]]);
  });
});

describe("a refund", () => {
  test("of a part of a transfer waits until it is sent, and stays that of the clerk who decided it", async () => {
    const order = await anInvoiced();
    const pieces = { kind: "pieces" as const, pieces: [{ coinId: 2, quantity: 1 }], isDeliveryToo: false };
    expect(await refund(ivanova, seen(order), pieces, "key-of-a-transfer")).toMatchObject({ ok: true, value: { amount: 9_000_00 } });
    await shop.work();
    const waiting = await waitingRefunds(order);
    expect(waiting).toMatchObject([{ why: "by_hand", amount: 9_000_00 }]);
    expect((await shop.now(order)).refunded).toBe(0);
    expect(shop.alarms.map(({ name }) => name)).toContain("payment.refund_by_hand");
    expect(await previewRefund(ivanova, order.id, { kind: "rest" })).toMatchObject({ value: { left: order.total - 9_000_00 } });

    expect(await orders.confirmRefundSent(petrov, waiting[0]?.id ?? "")).toMatchObject({ ok: true });
    await shop.work();
    expect((await shop.now(order)).refunded).toBe(9_000_00);
    const [stored] = await shop.ctx.db.select({ actor: refunds.actor }).from(refunds).where(eq(refunds.orderId, order.id));
    expect(stored).toEqual({ actor: "staff:ivanova" });
  });

  test("with the same key is made once, however often it is sent", async () => {
    const order = await aPaidOrder();
    const details = { pieces: [{ coinId: 1, quantity: 1 }], refundKey: "key-1" };
    const first = await carryOut(ivanova, seen(order), "drop_pieces", details);
    if (!first.ok) throw new Error(first.error.code);
    const again = await Promise.all([
      carryOut(ivanova, seen(first.value), "refund", { amount: kopecks(500_00), refundKey: "key-2" }),
      orders.apply(ivanova, order.id, "refund", { amount: kopecks(500_00), refundKey: "key-2" }),
      orders.apply(ivanova, order.id, "refund", details),
    ]);
    expect(again.filter(({ ok }) => ok).length).toBeGreaterThanOrEqual(2);
    await shop.sweep();
    expect((await shop.now(order)).refunded).toBe(kopecks(6_500_00));
    expect((await shop.now(order)).lines.map(({ dropped }) => dropped)).toEqual([1, 0]);
    expect((await payment.refundsOfOrder(shop.ctx.db, order.id)).map(({ cause }) => cause).toSorted()).toEqual([
      "staff:key:key-1",
      "staff:key:key-2",
    ]);
  });

  test("is shown with what is left, the channel and the receipt before it is confirmed", async () => {
    const order = await aPaidOrder();
    const preview = await previewRefund(ivanova, order.id, { kind: "pieces", pieces: [{ coinId: 2, quantity: 1 }], isDeliveryToo: false });
    expect(preview).toMatchObject({
      ok: true,
      value: {
        left: order.total,
        amount: 9_000_00,
        leftAfter: order.total - 9_000_00,
        isDropped: true,
        approval: null,
        shares: [{ channel: "card", registrar: "provider", mode: "full_prepayment", lines: [{ quantity: 1, unitPrice: 9_000_00 }] }],
      },
    });
    expect(await previewRefund(ivanova, order.id, { kind: "sum", amount: kopecks(order.total + 1) })).toMatchObject({
      error: { code: "order.refund_too_much", left: order.total },
    });
    expect(await payment.refundsOfOrder(shop.ctx.db, order.id)).toEqual([]);
  });

  test("needs a second person above the limit of the order or of the clerk's day", async () => {
    const [sidorova, kuznetsova] = ["sidorova", "kuznetsova"].map((name): Ctx => ({ ...shop.ctx, actor: { kind: "staff", name } }));
    if (!sidorova || !kuznetsova) throw new Error("no clerks");
    const order = await aPaidOrder({ 3: 2 }, { ...atOffice, paymentId: paymentIds.card });
    expect(await approvalReason(sidorova, order.id, fromRoubles(100_000))).toBeNull();
    expect(await approvalReason(sidorova, order.id, kopecks(100_000_01))).toMatch(/по заказу больше 100/);
    const small = await aPaidOrder();
    await orders.apply(sidorova, order.id, "refund", { amount: fromRoubles(99_000) });
    expect(await approvalReason(sidorova, small.id, fromRoubles(2_000))).toMatch(/за день больше/);
    expect(await approvalReason(kuznetsova, small.id, fromRoubles(2_000))).toBeNull();
    expect(await approvalReason(kuznetsova, order.id, fromRoubles(2_000))).toMatch(/по заказу/);
    shop.clock.advance(days(1));
    expect(await approvalReason(sidorova, small.id, fromRoubles(2_000))).toBeNull();
    await shop.receiveRates();
  });
});

describe("a refused refund that is paid by transfer", () => {
  const aClerk = (name: string): Ctx => ({ ...shop.ctx, actor: { kind: "staff", name } });
  /** Cancelled by its buyer; the bank refuses to send the money back. */
  async function aRefused(content: Record<number, number> = { 1: 2, 2: 1 }): Promise<{ order: Order; refundId: string }> {
    const order = await aPaidOrder(content, { ...atOffice, paymentId: paymentIds.card });
    shop.provider.controls.refunds = "canceled";
    await orders.cancel(shop.ctx, { orderId: order.id, viewer: shop.guest(order) });
    await shop.work();
    shop.provider.controls.refunds = "succeeded";
    const [refund] = await payment.refundsOfOrder(shop.ctx.db, order.id);
    return { order: await shop.now(order), refundId: refund?.id ?? "" };
  }
  let numbers = 500;
  const transferOf = ({ order, refundId }: { order: Order; refundId: string }, number = String((numbers += 1))) => ({
    orderId: order.id,
    refundId,
    transfer: { number, date: "2026-11-20" },
    amount: order.total,
  });

  test("is in the history of the order, on its card, and in the letter; the sum is refunded", async () => {
    const refused = await aRefused();
    const shown = async () =>
      (await cards.card(shop.ctx, refused.order.id))?.refunds.map(({ state, owed, transfer }) => [state, owed, transfer]);
    expect(await shown()).toEqual([["canceled", refused.order.total, null]]);
    const transfer = transferOf(refused);
    expect(await orders.recordRefundTransfer(aClerk("sokolova"), transfer)).toMatchObject({ ok: true });
    expect(await shown()).toEqual([["succeeded", null, transfer.transfer]]);
    await shop.work();
    const { id, total } = refused.order;
    expect(await shop.now(refused.order)).toMatchObject({ refunded: total, payment: { status: "refunded" } });
    expect((await cards.card(shop.ctx, id))?.history.at(-1)).toMatchObject({ event: "refund", actor: "staff:sokolova" });
    const letters = await shop.ctx.db.select().from(outbox).where(eq(outbox.orderId, id));
    expect(letters.find(({ kind, channel }) => kind === "money_returned" && channel === "email")?.text).toContain("банковским переводом");
    expect(await waitingRefunds(refused.order)).toEqual([]);
    expect(await orders.retryRefund(shop.ctx, refused.refundId)).toMatchObject({ error: { code: "refund.not_waiting" } });
  });

  test("by two clerks at once is recorded once, and one payment order pays refunds of one order only", async () => {
    const [refused, another] = [await aRefused(), await aRefused()];
    const [other, morozov] = [await shop.another(), aClerk("morozov")];
    const results = await Promise.all([
      orders.recordRefundTransfer(aClerk("sokolova"), transferOf(refused, "700")),
      orders.recordRefundTransfer({ ...other, actor: morozov.actor }, transferOf(refused, "701")),
    ]);
    expect(results.map((each) => (each.ok ? "recorded" : each.error.code)).toSorted()).toEqual(["recorded", "refund.not_waiting"]);
    const number = results[0]?.ok ? "700" : "701";
    expect(await orders.recordRefundTransfer(morozov, transferOf(another, number))).toEqual({
      ok: false,
      error: { code: "order.transfer_known", orderNumber: refused.order.number },
    });
    const third = await aRefused();
    const both = await Promise.all([
      orders.recordRefundTransfer(morozov, transferOf(another, "702")),
      orders.recordRefundTransfer({ ...other, actor: morozov.actor }, transferOf(third, "702")),
    ]);
    expect(both.map((each) => (each.ok ? "recorded" : each.error.code)).toSorted()).toEqual(["order.transfer_known", "recorded"]);
    for (const { refundId } of [another, third]) await orders.retryRefund(shop.ctx, refundId);
    await shop.work();
  });

  test("counts towards the limits of the order and of the day of the clerk who records it", async () => {
    const [refused, next] = [await aRefused({ 3: 1 }), await aPaidOrder()];
    const { total } = refused.order; // about 94 000 of 100 000 ₽
    const [clerk, rest] = [aClerk("gromova"), fromRoubles(20_000)];
    expect([await approvalReason(clerk, refused.order.id, total), await approvalReason(clerk, next.id, rest)]).toEqual([null, null]);
    await orders.recordRefundTransfer(clerk, transferOf(refused));
    expect(await approvalReason(clerk, next.id, rest)).toMatch(/за день больше/);
    expect(await approvalReason(aClerk("zaytsev"), refused.order.id, rest)).toMatch(/по заказу больше/);
  });
});

describe("a refund that waits for the carrier", () => {
  const aClerk = (name: string): Ctx => ({ ...shop.ctx, actor: { kind: "staff", name } });
  /** What happens by itself, under the names of the jobs. */
  const carrierAnswers = async (): Promise<void> => {
    const { actor } = shop.ctx;
    shop.ctx.actor = { kind: "job", name: "delivery.recalled" };
    await shop.trackParcels();
    shop.ctx.actor = actor;
  };
  const refundsOf = ({ id }: Order) =>
    shop.ctx.db.select({ amount: refunds.amountKopecks, actor: refunds.actor }).from(refunds).where(eq(refunds.orderId, id));
  /** Whether the clerk may refund this sum of another order today without a second person. */
  const mayRefund = async (clerk: Ctx, sum: number): Promise<boolean> => {
    const other = await aPaidOrder();
    return (await approvalReason(clerk, other.id, kopecks(sum))) === null;
  };
  const limit = 100_000_00;

  test("by dropping pieces counts towards the clerk's day while it waits, and when it is made in the clerk's name", async () => {
    const order = await aPackedOrder();
    const orlova = aClerk("orlova");
    const details = { pieces: [{ coinId: 2, quantity: 1 }], refundKey: "key-of-orlova" };
    const asked = await carryOut(orlova, seen(order), "drop_pieces", details);
    expect(asked).toMatchObject({ ok: true, value: { refundAfterRecall: { by: "orlova" } } });
    expect([await mayRefund(orlova, limit - 9_000_00), await mayRefund(orlova, limit - 8_999_99)]).toEqual([true, false]);
    expect(await mayRefund(petrov, limit - 8_999_99)).toBe(true);
    await carrierAnswers();
    expect(await refundsOf(order)).toEqual([{ amount: 9_000_00, actor: "staff:orlova" }]);
    expect((await cards.card(shop.ctx, order.id))?.history.at(-1)).toMatchObject({ event: "drop_pieces", actor: "staff:orlova" });
    expect([await mayRefund(orlova, limit - 9_000_00), await mayRefund(orlova, limit - 8_999_99)]).toEqual([true, false]);
  });

  test("by dropping pieces that were paid by transfer is to be sent once the carrier has answered", async () => {
    const order = await anInvoiced(byPoint);
    await orders.apply(petrov, order.id, "assemble", { sealNumber: `TT${order.number}` });
    await shop.pass(minutes(1));
    const pieces = { kind: "pieces" as const, pieces: [{ coinId: 2, quantity: 1 }], isDeliveryToo: false };
    expect(await refund(ivanova, seen(await shop.now(order)), pieces, "key-of-a-recall")).toMatchObject({ ok: true });
    await carrierAnswers();
    expect(await shop.now(order)).toMatchObject({ state: "paid", refunded: 0 });
    expect(await waitingRefunds(order)).toMatchObject([{ why: "by_hand", amount: 9_000_00 }]);
  });

  test("by a cancellation counts in the same way, and not at all once the carrier has refused", async () => {
    const [order, kept] = [await aPackedOrder(), await aPackedOrder()];
    const belova = aClerk("belova");
    expect(await carryOut(belova, seen(order), "cancel")).toMatchObject({ value: { state: "cancellation_requested" } });
    const rest = limit - order.total;
    expect([await mayRefund(belova, rest), await mayRefund(belova, rest + 1)]).toEqual([true, false]);
    // Its own money is not counted twice when the clerk confirms the cancellation.
    expect(await approvalReason(belova, order.id, kopecks(limit))).toBeNull();
    await carrierAnswers();
    expect(await refundsOf(order)).toEqual([{ amount: order.total, actor: "staff:belova" }]);
    expect(await mayRefund(belova, rest + 1)).toBe(false);

    shop.carrier.controls.recall = "refuse";
    await carryOut(belova, seen(kept), "cancel");
    expect(await mayRefund(belova, rest)).toBe(false);
    await carrierAnswers();
    expect((await shop.now(kept)).state).toBe("assembled");
    expect(await mayRefund(belova, rest)).toBe(true);
  });

  test("by a cancellation whose parcel is turned back counts on the day of the cancellation and is made in the clerk's name", async () => {
    const order = await aPackedOrder();
    const gromova = aClerk("gromova");
    shop.carrier.controls.recall = "turn_back";
    await carryOut(gromova, seen(order), "cancel");
    await carrierAnswers();
    expect((await shop.now(order)).state).toBe("returning");
    const rest = limit - order.total;
    expect(await mayRefund(gromova, rest + 1)).toBe(false);
    shop.clock.advance(days(1));
    expect(await mayRefund(gromova, rest + 1)).toBe(true);
    await carryOut(petrov, seen(await shop.now(order)), "turn_back");
    expect(await refundsOf(order)).toEqual([{ amount: order.total, actor: "staff:gromova" }]);
    expect(await mayRefund(gromova, limit)).toBe(true);
    await shop.receiveRates();
  });

  test("that was decided on one day and is made on the next counts once, on the day of the decision", async () => {
    const [dropped, cancelled] = [await aPackedOrder(), await aPackedOrder()];
    const zorina = aClerk("zorina");
    shop.carrier.controls.recall = "undecided";
    await carryOut(zorina, seen(dropped), "drop_pieces", { pieces: [{ coinId: 2, quantity: 1 }], refundKey: "key-of-zorina" });
    await carryOut(zorina, seen(cancelled), "cancel");
    const rest = limit - 9_000_00 - cancelled.total;
    expect([await mayRefund(zorina, rest), await mayRefund(zorina, rest + 1)]).toEqual([true, false]);
    shop.clock.advance(days(1));
    expect(await mayRefund(zorina, limit)).toBe(true);

    shop.carrier.controls.recall = "as_it_is";
    await carrierAnswers();
    expect(await refundsOf(dropped)).toEqual([{ amount: 9_000_00, actor: "staff:zorina" }]);
    expect(await refundsOf(cancelled)).toEqual([{ amount: cancelled.total, actor: "staff:zorina" }]);
    expect(await mayRefund(zorina, limit)).toBe(true);
    // What the clerk decides on the new day counts on it.
    const today = await aPaidOrder();
    await orders.apply(zorina, today.id, "refund", { amount: fromRoubles(1_000) });
    expect([await mayRefund(zorina, limit - 1_000_00), await mayRefund(zorina, limit - 999_99)]).toEqual([true, false]);
  });
});

describe("the list", () => {
  test("goes through all orders page by page, in both directions, and each is there once", async () => {
    for (let more = 0; more < 60; more += 1) await anOrder({ 1: 1 }, { ...atOffice, paymentId: paymentIds.on_collection });
    const first = await listed({});
    expect([first.rows.length, first.older !== null, first.newer]).toEqual([50, true, null]);
    const second = await listed({}, { direction: "older", cursor: first.older });
    expect(second.newer).not.toBeNull();
    const all = [...first.rows, ...second.rows].map(({ number }) => number);
    expect(all).toEqual(all.toSorted((a, b) => b - a));
    expect(new Set(all).size).toBe(all.length);
    const back = await listed({}, { direction: "newer", cursor: second.newer });
    expect(back.rows.map(({ id }) => id)).toEqual(first.rows.map(({ id }) => id));
  });

  test("shows of unpaid orders those first whose reservation ends first, also page by page", async () => {
    const later = await anOrder({ 1: 1 }, { ...byPoint, paymentId: paymentIds.invoice });
    const sooner = await anOrder({ 1: 1 }, { ...byPoint, paymentId: paymentIds.card });
    // Without the sixty of before, which are paid on collection: one page.
    const filter = { view: "unpaid", paymentMethodIds: [paymentIds.invoice, paymentIds.card] } as const;
    const { rows } = await listed(filter);
    const ends = rows.map(({ reservedUntil }) => reservedUntil?.getTime() ?? 0);
    expect(ends).toEqual(ends.toSorted((a, b) => a - b));
    const numbersOf = (found: readonly { number: number }[]) => found.map(({ number }) => number);
    expect(numbersOf(rows).indexOf(sooner.number)).toBeLessThan(numbersOf(rows).indexOf(later.number));
    const [first, last] = [rows[0], rows.at(-1)];
    if (!first || !last) throw new Error("an empty page");
    const after = await listed(filter, { direction: "older", cursor: placeOf("unpaid", first) });
    expect(numbersOf(after.rows)).toEqual(numbersOf(rows).slice(1));
    const before = await listed(filter, { direction: "newer", cursor: placeOf("unpaid", last) });
    expect(numbersOf(before.rows)).toEqual(numbersOf(rows).slice(0, -1));
  });

  test("filters by view, state, ways, sum, time and assignee", async () => {
    const order = await aPaidOrder({ 1: 1 });
    const { createdAt, total } = order;
    const finds: Partial<ListFilter>[] = [
      { view: "to_pack" },
      { view: "today" },
      { states: ["paid"] },
      { deliveryIds: [deliveryIds.free_pickup_point] },
      { paymentMethodIds: [paymentIds.card] },
      { sumFrom: total, sumTo: total },
      { from: createdAt },
      { assignee: null },
      { view: "today", states: ["paid", "shipped"], sumFrom: total },
    ];
    for (const filter of finds) expect([filter, await numbers(filter)]).toEqual([filter, expect.arrayContaining([order.number])]);
    const misses: Partial<ListFilter>[] = [
      { view: "unpaid" },
      { view: "mine" },
      { view: "problem" },
      { states: ["shipped"] },
      { deliveryIds: [deliveryIds.office] },
      { paymentMethodIds: [paymentIds.sbp] },
      { sumFrom: kopecks(total + 1) },
      { before: createdAt },
      { assignee: "ivanova" },
    ];
    for (const filter of misses) expect([filter, await numbers(filter)]).toEqual([filter, expect.not.arrayContaining([order.number])]);
    await assign(ivanova, seen(order), "ivanova");
    expect(await numbers({ view: "mine" })).toContain(order.number);
  });

  test("finds by number, any part of the phone, first and last name in either order, and tracking number", async () => {
    const order = await aPackedOrder();
    const user = { ...order.user, name: "Артём", lastName: "Ёлкин", phone: "+79035551276" };
    const other = await aPaidOrder();
    await edit(ivanova, seen(other), { act: "change_recipient", user });
    const texts = [
      "+7 (903) 555-12-76",
      "89035551276",
      "5551276",
      "1276",
      "0355",
      "ёлкин",
      "Елк",
      "артем ёлк",
      "Ёлкин А",
      `№${other.number}`,
    ];
    for (const text of texts) expect([text, await numbers({ text })]).toEqual([text, [other.number]]);
    expect(await numbers({ text: order.delivery.trackingNumber ?? "?" })).toEqual([order.number]);
    for (const text of ["Ёлк%", "Елкин Петр", "99999", "555127600"]) expect([text, await numbers({ text })]).toEqual([text, []]);
  });

  test("shows the same problems as the list of what waits", async () => {
    const unsealed = await aPaidOrder();
    await orders.apply(shop.ctx, unsealed.id, "assemble");
    const returned = await aPackedOrder();
    for (const event of ["ship", "turn_back"] as const) await orders.apply(shop.ctx, returned.id, event);
    shop.carrier.controls.recall = "undecided";
    const recalled = await aPackedOrder();
    await orders.apply(shop.ctx, recalled.id, "cancel");
    const waiting = new Map((await orders.waiting(shop.ctx)).map(({ id, why }) => [id, why]));
    expect([unsealed, returned, recalled].map(({ id }) => waiting.get(id))).toEqual(["unsealed", "unsettled", "cancellation"]);
    const found = new Map((await listed({ view: "problem" })).rows.map(({ id, problem }) => [id, problem]));
    for (const [id, why] of waiting) expect(found.get(id)).toBe(why);
    for (const [id, problem] of found)
      expect([problem, waiting.get(id)]).toEqual([problem, problem === "parcel_refused" ? undefined : problem]);
    await orders.apply(shop.ctx, returned.id, "refund");
    expect((await listed({ view: "problem" })).rows.map(({ id }) => id)).not.toContain(returned.id);
  });

  test("counts each view", async () => {
    const counts = await orderList.countViews(shop.ctx, "ivanova");
    for (const view of ["to_pack", "unpaid", "problem", "mine"] as const)
      expect([view, Math.min(counts[view], 50)]).toEqual([view, (await listed({ view })).rows.length]);
    expect(counts.all).toBeGreaterThan(50);
  });
});

test("a bulk call does what it can: one refused order does not stop the others", async () => {
  const paid = [await aPaidOrder(), await aPaidOrder()];
  const unpaid = await anOrder();
  const ids = [paid[0], unpaid, paid[1]].flatMap((order) => order?.id ?? []);
  const results = await eachOrder(ivanova, ids, (ctx, each) => carryOut(ctx, each, "assemble"));
  expect(results.map(({ orderId, result }) => [orderId, result.ok])).toEqual(ids.map((id) => [id, id !== unpaid.id]));
  expect((await shop.now(unpaid)).state).toBe("awaiting_payment");
  const again = await Promise.all([
    eachOrder(ivanova, ids, (ctx, each) => assign(ctx, each, "ivanova")),
    eachOrder(petrov, ids.toReversed(), (ctx, each) => assign(ctx, each, "petrov")),
  ]);
  expect(again.flat().every(({ result }) => result.ok)).toBe(true);
});

test("a text is searched among the orders that match the other conditions, however many newer ones it finds", async () => {
  const old = await anOrder({ 1: 1 }, atOffice);
  const newest = await aPaidOrder();
  const copies = 205;
  const rollBack = new Error("rolled back");
  const looked = inTransaction(shop.ctx.db, async (tx) => {
    await tx.execute(sql`insert into orders select (jsonb_populate_record(o, jsonb_build_object(
        'id', 'copy-' || n, 'number', 900000 + n, 'quote_id', 'copy-' || n, 'created_at', o.created_at + n * interval '1 second'))).*
      from orders o, generate_series(1, ${copies}) n where o.id = ${newest.id}`);
    const ctx = { ...shop.ctx, db: tx };
    const filter: ListFilter = { view: "all", text: "Петров", deliveryIds: [old.delivery.id] };
    const found = await orderList.list(ctx, "ivanova", filter, older);
    expect(found.rows[0]?.number).toBe(old.number);

    // Page by page, all of them are reached.
    const seen = new Set<number>();
    let page: OrderListPage | null = older;
    while (page) {
      const { rows, older: next } = await orderList.list(ctx, "ivanova", { view: "all", text: "Петров" }, page);
      for (const { number } of rows) seen.add(number);
      page = next && { direction: "older", cursor: next };
    }
    expect([...seen].filter((number) => number > 900_000)).toHaveLength(copies);
    expect([seen.has(newest.number), seen.has(old.number)]).toEqual([true, true]);
    throw rollBack;
  });
  await expect(looked).rejects.toBe(rollBack);
});

describe("the card", () => {
  test("has money, messages, history with its authors, comments and the colleagues who have it open", async () => {
    const order = await aPackedOrder();
    await cards.comment(ivanova, order.id, "Позвонить после обеда");
    const found = await cards.card(shop.ctx, order.id);
    expect(found).toMatchObject({
      order: { id: order.id },
      payments: [{ state: "succeeded" }],
      comments: [{ author: "staff:ivanova", text: "Позвонить после обеда" }],
      facts: { left: order.total, pieces: 3 },
    });
    expect(found?.history.find(({ event }) => event === "assemble")?.actor).toBe("staff:ivanova");
    expect(found?.messages.map(({ kind }) => kind)).toContain("order_paid");

    const others = async (login: string, name: string) => (await cards.seePresent(shop.ctx, order.id, { login, name }))?.others;
    expect(await others("ivanova", "Иванова")).toEqual([]);
    expect(await others("petrov", "Петров")).toEqual([{ login: "ivanova", name: "Иванова" }]);
    shop.clock.advance(minutes(2));
    expect(await others("petrov", "Петров")).toEqual([]);
    expect(await cards.seePresent(shop.ctx, "no-such-order", { login: "petrov", name: "Петров" })).toBeNull();
  });

  test("sends a message again, to the address that the order has now", async () => {
    const order = await aPaidOrder();
    const user = { ...order.user, email: "new@example.ru" };
    await edit(ivanova, seen(order), { act: "change_recipient", user });
    const letter = (await cards.card(shop.ctx, order.id))?.messages.find(
      ({ kind, channel }) => kind === "order_paid" && channel === "email",
    );
    if (!letter) throw new Error("no letter");
    expect(await cards.resendMessage(ivanova, order.id, letter.id)).toMatchObject({
      error: { code: "staff.act_refused", reason: "Уже отправляется: ещё раз отправлять не нужно" },
    });
    await shop.ctx.db.update(outbox).set({ sentAt: shop.ctx.now(), nextTryAt: null });
    expect(await cards.resendMessage(ivanova, order.id, letter.id)).toMatchObject({
      ok: true,
      value: expect.arrayContaining([expect.objectContaining({ kind: "order_paid", recipient: "new@example.ru", state: "waiting" })]),
    });
    const other = await aPaidOrder();
    expect(await cards.resendMessage(ivanova, other.id, letter.id)).toMatchObject({ error: { code: "staff.not_found" } });
  });
});

test("saved views belong to one member of staff, have a name once and keep their order", async () => {
  const view = (name: string) => ({ name, filter: { view: "to_pack" }, columns: ["number", "state"] });
  await views.addView(ivanova, "ivanova", view("Крупные"));
  const two = await views.addView(ivanova, "ivanova", view("Самовывоз"));
  if (!two.ok) throw new Error(two.error.code);
  expect(await views.addView(ivanova, "ivanova", view("Крупные"))).toMatchObject({ error: { code: "staff.name_taken" } });
  const [first, second] = two.value;
  if (!first || !second) throw new Error("no views");
  expect((await views.orderViews(ivanova, "ivanova", [second.id, first.id])).map(({ name }) => name)).toEqual(["Самовывоз", "Крупные"]);
  expect(await views.changeView(ivanova, "ivanova", first.id, { name: "Самовывоз" })).toMatchObject({
    error: { code: "staff.name_taken" },
  });
  expect(await views.deleteView(petrov, "petrov", first.id)).toMatchObject({ error: { code: "staff.not_found" } });
  expect(await views.deleteView(ivanova, "ivanova", first.id)).toMatchObject({ ok: true, value: [{ name: "Самовывоз" }] });
  expect(await views.savedViews(petrov, "petrov")).toEqual([]);
});

const anAddress = { city: "Москва", street: "Тверская", house: "1", room: "", entrance: "", floor: "", message: "" };
