import { eq } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { kopecks, type Kopecks } from "#kit/money.ts";
import { days, hours, plus } from "#kit/time.ts";
import { checkLedger } from "#main/ledger/ledger.ts";
import { atOffice, aVisitor, byPoint, openShopToBuy, type ShopToBuy } from "#shop/checkout/testing.ts";
import { outbox } from "#shop/notifications/tables.ts";
import type { BankReference } from "#shop/payment/transfers/bank-transfer.ts";
import * as payment from "#shop/payment/service.ts";
import { testClock } from "#tests/shop.ts";
import type { Order, StaffEvent, StaffDetails } from "../order.ts";
import * as orders from "../service.ts";

let shop: ShopToBuy;
beforeAll(async () => {
  shop = await openShopToBuy({ clock: testClock(), stock: 1000 });
});
afterAll(async () => {
  await shop.sweep();
  expect(
    await checkLedger(
      shop.ctx.db,
      [...shop.provider.payments.values()].map((each) => ({ ...each, isTaken: each.status === "succeeded" })),
    ),
  ).toEqual([]);
  await shop.close();
});

let visitors = 0;
const invoiced = (content: Record<number, number> = { 1: 2 }) =>
  shop.ordered(aVisitor(`t${(visitors += 1)}`), content, { ...atOffice, paymentId: 6 });
const staff = (order: Order, event: StaffEvent, money?: StaffDetails) => orders.apply(shop.ctx, order.id, event, money);
let references = 0;
/** A payment order of its own. */
const aReference = (): BankReference => ({ number: String((references += 1)), date: "2026-11-20", payerAccount: null });
const comes = (order: Order, amount: number, reference = aReference()) => staff(order, "pay", { amount: kopecks(amount), reference });
async function after(order: Order): Promise<Order> {
  await shop.work();
  return shop.now(order);
}
const owedBack = async (order: Order) =>
  (await payment.refundsOfOrder(shop.ctx.db, order.id)).map(({ cause, amount, state }) => [cause, amount, state]);
const letters = async (order: Order): Promise<string[]> => {
  const ids = [order.id, ...(await payment.ofOrder(shop.ctx.db, order.id)).map((each) => each.id)];
  return (await shop.ctx.db.select().from(outbox).where(eq(outbox.channel, "email")).orderBy(outbox.id))
    .filter(({ about }) => ids.some((id) => about.includes(id)))
    .map(({ kind }) => kind);
};

describe("an invoice", () => {
  test("paid in two parts waits for the rest longer, says what is missing, and is paid by the last part", async () => {
    const order = await invoiced();
    shop.clock.advance(hours(20));
    await comes(order, 500_000);
    const between = await after(order);
    expect(between).toMatchObject({
      state: "awaiting_payment",
      paid: 500_000,
      payment: { status: "pending" },
      reservedUntil: new Date("2026-11-23T21:00:00Z"),
    }); // a Saturday's part: the whole Monday is left
    await comes(order, 1);
    expect((await after(order)).reservedUntil).toEqual(between.reservedUntil); // a kopeck a day does not hold coins permanently
    expect(await shop.pay(order, 4)).toMatchObject({ ok: false, error: { code: "order.not_payable" } });
    await staff(order, "pay"); // all that is missing
    expect(await after(order)).toMatchObject({
      state: "paid",
      paid: order.total,
      refunded: 0,
      reservedUntil: null,
      payment: { status: "succeeded" },
    });
    expect((await shop.now(order)).history.map((each) => each.event)).toEqual(["place", "pay_part", "pay_part", "pay"]);
    expect(await letters(order)).toEqual(["order_placed", "order_part_paid", "order_part_paid", "order_paid"]);
    const [letter] = (await shop.ctx.db.select().from(outbox).where(eq(outbox.kind, "order_part_paid"))).filter(
      ({ channel, text }) => channel === "email" && text.includes(`№${order.number}`),
    );
    expect(letter).toMatchObject({ attachment: `invoice:${order.id}` });
    expect(letter?.text.replaceAll("\u00A0", " ")).toContain("поступило 5 000 ₽ за заказ");
    expect(letter?.text.replaceAll("\u00A0", " ")).toContain("Осталось оплатить 7 000 ₽");
    expect(await staff(order, "pay")).toMatchObject({ ok: true }); // said again, nothing new came
    expect(await payment.ofOrder(shop.ctx.db, order.id)).toHaveLength(3);
  });

  test("made on a Friday evening waits until Monday evening", async () => {
    shop.clock.set(new Date("2026-11-27T15:30:00Z"));
    await shop.receiveRates();
    const order = await invoiced();
    expect(order.reservedUntil).toEqual(plus(order.createdAt, days(3)));
    shop.clock.set(plus(order.createdAt, days(3) - 1));
    await shop.sweep();
    expect((await shop.now(order)).state).toBe("awaiting_payment");
    shop.clock.advance(1);
    await shop.sweep();
    expect((await shop.now(order)).state).toBe("cancelled");
    await shop.receiveRates();
  });

  test("paid below the share is not extended; the part that reaches the share extends it, once", async () => {
    const order = await invoiced();
    shop.clock.advance(hours(20));
    await comes(order, 359_999); // of 12 000 ₽ thirty percent are 3 600 ₽
    expect((await after(order)).reservedUntil).toEqual(order.reservedUntil);
    await comes(order, 1);
    const longer = plus(shop.clock.now(), hours(24));
    expect((await after(order)).reservedUntil).toEqual(longer);
    shop.clock.advance(hours(1));
    await comes(order, 400_000);
    expect((await after(order)).reservedUntil).toEqual(longer);
    await staff(order, "pay");
    await after(order);
    await shop.receiveRates();
  });

  test("paid in part expires: the part is refunded and the coins are released", async () => {
    const [order, free] = [await invoiced(), await shop.free(1)];
    await comes(order, 300_000);
    shop.clock.advance(hours(24) - 1);
    await shop.sweep();
    expect((await shop.now(order)).state).toBe("awaiting_payment");
    shop.clock.advance(1);
    await shop.sweep();
    expect(await shop.now(order)).toMatchObject({ state: "cancelled", paid: 300_000, refunded: 0 });
    expect(await shop.free(1)).toBe(free + 2 - 2 + 2 - 2 + 2); // taken by this order, and back
    expect(await owedBack(order)).toEqual([["cancelled", 300_000, "pending"]]);
    await staff(order, "refund");
    expect(await after(order)).toMatchObject({ refunded: 300_000, payment: { status: "refunded" } });
    await shop.receiveRates();
  });

  test("overpaid pays the order; the surplus is refunded when staff confirms it, and the buyer is notified of both", async () => {
    const order = await invoiced();
    await comes(order, order.total + 12_345);
    expect(await after(order)).toMatchObject({ state: "paid", paid: order.total, refunded: 0 });
    expect(await owedBack(order)).toEqual([["surplus", 12_345, "pending"]]);
    expect(await staff(order, "refund")).toMatchObject({ ok: true });
    expect(await after(order)).toMatchObject({ state: "paid", refunded: 0, payment: { status: "succeeded" } });
    expect(await owedBack(order)).toEqual([["surplus", 12_345, "succeeded"]]);
    expect(await letters(order)).toEqual(["order_placed", "order_paid", "money_surplus", "surplus_returned"]);
    expect(await staff(order, "refund")).toMatchObject({ ok: false });
  });

  test("paid twice, or paid after its cancellation, is refunded in full", async () => {
    const [twice, late] = [await invoiced(), await invoiced()];
    await staff(twice, "pay");
    await comes(twice, twice.total);
    expect(await after(twice)).toMatchObject({ state: "paid", paid: twice.total });
    expect(await owedBack(twice)).toEqual([["second_money", twice.total, "pending"]]);
    await orders.cancel(shop.ctx, { orderId: late.id, viewer: shop.guest(late) });
    await comes(late, late.total);
    expect(await after(late)).toMatchObject({ state: "cancelled", paid: 0 });
    expect(await owedBack(late)).toEqual([["late_money", late.total, "pending"]]);
    expect(await staff(late, "refund")).toMatchObject({ ok: true });
    expect(await after(late)).toMatchObject({ state: "cancelled", paid: 0, refunded: 0 });
  });

  test("paid by a card link right after a part payment refunds the card payment", async () => {
    const order = await invoiced();
    await shop.pay(order, 4);
    await comes(order, 100_000);
    shop.provider.pay(order.id);
    shop.clock.advance(3_000);
    await payment.checkOrder(shop.ctx, order.id);
    expect(await after(order)).toMatchObject({ state: "awaiting_payment", paid: 100_000 });
    expect(shop.provider.heldFor(order.id)).toBe(0);
    await comes(order, order.total - 100_000);
    expect(await after(order)).toMatchObject({ state: "paid", paid: order.total });
  });

  test("whose parts are recorded at once is paid once", async () => {
    const order = await invoiced();
    const results = await Promise.all(Array.from({ length: 7 }, () => comes(order, 200_000)));
    expect(results.every((each) => each.ok)).toBe(true);
    expect(await after(order)).toMatchObject({ state: "paid", paid: order.total });
    expect(await owedBack(order)).toEqual([["second_money", 200_000, "pending"]]);
  });
});

describe("a payment order of the bank's statement", () => {
  const known = (order: Order) => ({ ok: false, error: { code: "order.transfer_known", orderNumber: order.number } });

  test("entered twice counts once, also by another staff member and for another order", async () => {
    const [order, other, reference] = [await invoiced(), await invoiced(), aReference()];
    expect(await comes(order, 500_000, reference)).toMatchObject({ ok: true, value: { paid: 500_000 } });
    expect(await comes(order, 500_000, reference)).toEqual(known(order));
    // It cannot be known that it is another payer's
    expect(await comes(order, 500_000, { ...reference, payerAccount: "40817810099910004312" })).toEqual(known(order));
    expect(await comes(other, 500_000, reference)).toEqual(known(order));
    expect(await comes(order, 500_001, reference)).toMatchObject({ ok: true, value: { paid: 1_000_001 } }); // another sum: another transfer
    expect(await after(other)).toMatchObject({ paid: 0, state: "awaiting_payment" });
    expect(await owedBack(order)).toEqual([]);
  });

  test("of the same number, day and sum from two known payers counts for both", async () => {
    const [one, two, reference] = [await invoiced(), await invoiced(), aReference()];
    const from = (payer: number) => ({ ...reference, payerAccount: `4081781009991000${payer}` });
    expect(await comes(one, one.total, from(1001))).toMatchObject({ ok: true, value: { state: "paid" } });
    expect(await comes(two, two.total, from(1001))).toEqual(known(one));
    expect(await comes(two, two.total, from(1002))).toMatchObject({ ok: true, value: { state: "paid" } });
  });

  test("entered by two staff members at once counts once", async () => {
    const [order, reference] = [await invoiced(), aReference()];
    const results = await Promise.all(Array.from({ length: 5 }, () => comes(order, 300_000, reference)));
    expect(results.filter((each) => each.ok)).toHaveLength(1);
    expect(await after(order)).toMatchObject({ paid: 300_000 });
  });

  test("entered for two orders at once counts for one of them", async () => {
    const [one, two, reference] = [await invoiced(), await invoiced(), aReference()];
    const results = await Promise.all([comes(one, 300_000, reference), comes(two, 300_000, reference)]);
    expect(results.filter((each) => each.ok)).toHaveLength(1);
  });

  test("is required for every sum, and optional when all that is missing was paid", async () => {
    const [order, reference] = [await invoiced(), aReference()];
    expect(await staff(order, "pay", { amount: kopecks(100) })).toEqual({ ok: false, error: { code: "order.reference_missing" } });
    expect(await staff(order, "pay", { reference })).toMatchObject({ ok: true, value: { state: "paid" } });
    expect(await comes(order, order.total, reference)).toEqual(known(order));
  });
});

test("an order paid on collection cannot be paid earlier, and staff cannot record an online payment", async () => {
  const atDesk = await shop.ordered(aVisitor("td"), { 1: 1 }, { ...atOffice, paymentId: 7 });
  expect(await comes(atDesk, 100)).toMatchObject({ ok: false, error: { code: "order.event_refused" } });
  const byCard = await shop.ordered(aVisitor("tc"), { 1: 1 }, byPoint);
  expect(await staff(byCard, "pay")).toMatchObject({ ok: false, error: { code: "order.event_refused" } });
});

describe("a partial refund", () => {
  async function aPaidOrder(): Promise<Order> {
    const order = await shop.ordered(aVisitor(`t${(visitors += 1)}`), { 1: 2, 2: 1 }, byPoint);
    await shop.pay(order);
    shop.provider.pay(order.id);
    shop.clock.advance(3_000);
    await payment.checkOrder(shop.ctx, order.id);
    return after(order);
  }
  const back = (order: Order, money: StaffDetails) => staff(order, "refund", money);

  test("by a sum and by pieces, never more than was paid, and the rest with the cancellation", async () => {
    const order = await aPaidOrder(); // 2 × 6 000 + 9 000
    expect(await back(order, { amount: kopecks(50_050) })).toMatchObject({ ok: true });
    expect(await back(order, { pieces: [{ coinId: 2, quantity: 1 }] })).toMatchObject({ ok: false }); // a part of its price is gone already
    expect(await back(order, { amount: kopecks(order.total) })).toEqual({
      ok: false,
      error: { code: "order.refund_too_much", left: order.total - 50_050 },
    });
    expect(await after(order)).toMatchObject({ state: "paid", refunded: 50_050, payment: { status: "succeeded" } });
    expect(shop.provider.heldFor(order.id)).toBe(order.total - 50_050);
    await orders.cancel(shop.ctx, { orderId: order.id, viewer: shop.guest(order) });
    expect(await after(order)).toMatchObject({ refunded: order.total, payment: { status: "refunded" } });
    expect(shop.provider.heldFor(order.id)).toBe(0);
    expect((await letters(order)).filter((kind) => kind === "money_returned")).toHaveLength(2);
  });

  test("by pieces, at their price; a coin that is not in the order is refused", async () => {
    const order = await aPaidOrder();
    expect(await back(order, { pieces: [{ coinId: 1, quantity: 1 }] })).toMatchObject({ ok: true });
    expect(await back(order, { pieces: [{ coinId: 3, quantity: 1 }] })).toMatchObject({ ok: false });
    expect(await back(order, { isDeliveryToo: true })).toMatchObject({ ok: false }); // it was free
    expect(await after(order)).toMatchObject({ refunded: 600_000 });
    expect((await shop.now(order)).history.map((each) => each.event)).toEqual(["place", "pay", "drop_pieces"]);
  });

  test("requested by many staff members at once never exceeds what was paid", async () => {
    const order = await aPaidOrder();
    const results = await Promise.all(Array.from({ length: 10 }, () => back(order, { amount: kopecks(400_000) })));
    expect(results.filter((each) => each.ok)).toHaveLength(5); // of 21 000
    expect(await after(order)).toMatchObject({ refunded: 2_000_000 });
    expect(shop.provider.heldFor(order.id)).toBe(100_000);
  });

  test("twice, both settled before the order is notified of either, is reported twice, each once with its own sum", async () => {
    const order = await aPaidOrder();
    await back(order, { amount: kopecks(100_000) });
    await back(order, { amount: kopecks(250_000) });
    expect(await after(order)).toMatchObject({ refunded: 350_000 });
    for (const { id, paymentId, amount } of await payment.refundsOfOrder(shop.ctx.db, order.id))
      await orders.recordRefund(shop.ctx, { orderId: order.id, paymentId, refundId: id, amount }); // the jobs came again
    const written = await shop.ctx.db.select().from(outbox).where(eq(outbox.orderId, order.id)).orderBy(outbox.id);
    const told = written.filter(({ kind, channel }) => kind === "money_returned" && channel === "email");
    const sums = told.map(({ text }) => Number(/вернули ([\d\s]+)₽/.exec(text)?.[1]?.replaceAll(/\s/g, "")));
    expect(sums.toSorted((a, b) => a - b)).toEqual([1000, 2500]);
  });

  test("of a transfer counts as sent, from the newest part back", async () => {
    const order = await invoiced();
    await comes(order, 500_000);
    await staff(order, "pay");
    expect(await back(order, { amount: 800_000 as Kopecks })).toMatchObject({ ok: true });
    expect(await after(order)).toMatchObject({ state: "paid", refunded: 800_000 });
    expect((await payment.ofOrder(shop.ctx.db, order.id)).map((each) => each.refunded)).toEqual([100_000, 700_000]);
  });

  describe("by pieces, of money that came by several transfers", () => {
    /** 2 × 6 000 + 9 000, paid by three transfers. */
    async function paidInParts(): Promise<Order> {
      const order = await invoiced({ 1: 2, 2: 1 });
      for (const amount of [500_000, 333_333, order.total - 833_333]) await comes(order, amount);
      return after(order);
    }
    const refundedOf = async (order: Order) => (await payment.ofOrder(shop.ctx.db, order.id)).map(({ refunded }) => refunded as number);
    const linesOf = async (order: Order, kind: string) =>
      (await payment.receiptsOfOrder(shop.ctx.db, order.id)).filter((each) => each.kind === kind).flatMap(({ receipt }) => receipt.lines);
    const sumsByTitle = (lines: Awaited<ReturnType<typeof linesOf>>) =>
      Object.fromEntries(
        [...Map.groupBy(lines, ({ title }) => title)].map(([title, same]) => [
          title,
          same.reduce((sum, { quantity, unitPrice }) => sum + quantity * unitPrice, 0),
        ]),
      );

    test("comes to the price of the pieces, the newest transfer first, and the receipts name these coins only", async () => {
      const order = await paidInParts();
      expect(await back(order, { pieces: [{ coinId: 2, quantity: 1 }] })).toMatchObject({ ok: true });
      expect(await after(order)).toMatchObject({ state: "paid", refunded: 900_000 });
      // Of the 9 000 the transfers brought 5 428.57, then 1 428.57 and 2 142.86.
      expect(await refundedOf(order)).toEqual([214_286, 142_857, 542_857]);
      const [coin, token] = order.lines;
      expect(sumsByTitle(await linesOf(order, "refund"))).toEqual({ [token?.title ?? ""]: 900_000 });
      expect(new Set((await payment.refundsOfOrder(shop.ctx.db, order.id)).map(({ cause }) => cause)).size).toBe(1);

      expect(await back(order, { pieces: [{ coinId: 1, quantity: 1 }] })).toMatchObject({ ok: true });
      expect(await after(order)).toMatchObject({ refunded: 1_500_000 });
      expect((await refundedOf(order)).reduce((sum, each) => sum + each, 0)).toBe(1_500_000);
      for (const event of ["assemble", "make_ready", "deliver"] as const) await staff(order, event);
      expect(await linesOf(order, "handover")).toMatchObject([{ title: coin?.title, quantity: 1, unitPrice: 600_000 }]);
      const paid = sumsByTitle(await linesOf(order, "payment"));
      const gone = sumsByTitle([...(await linesOf(order, "refund")), ...(await linesOf(order, "handover"))]);
      expect(gone).toEqual(paid); // line by line to the kopeck
    });

    test("is refused where a part of the price went back as a sum, and the rest goes back with the cancellation", async () => {
      const order = await paidInParts();
      await back(order, { amount: kopecks(100) });
      expect(await back(order, { pieces: [{ coinId: 2, quantity: 1 }] })).toMatchObject({ ok: false });
      await orders.cancel(shop.ctx, { orderId: order.id, viewer: shop.guest(order) });
      await staff(order, "refund");
      expect(await after(order)).toMatchObject({ state: "cancelled", refunded: order.total });
    });

    test("by two clerks at once, of the same piece, is made once; a repeated key makes nothing more", async () => {
      const order = await paidInParts();
      const other = await shop.another();
      const details = (refundKey: string): StaffDetails => ({ pieces: [{ coinId: 2, quantity: 1 }], refundKey });
      const results = await Promise.all([
        orders.apply(shop.ctx, order.id, "refund", details("clerk-1")),
        orders.apply(other, order.id, "refund", details("clerk-2")),
      ]);
      expect(results.filter(({ ok }) => ok)).toHaveLength(1);
      const made = results[0]?.ok ? "clerk-1" : "clerk-2";
      expect(await orders.apply(shop.ctx, order.id, "refund", details(made))).toMatchObject({ ok: true });
      expect(await after(order)).toMatchObject({ refunded: 900_000 });
      expect((await refundedOf(order)).reduce((sum, each) => sum + each, 0)).toBe(900_000);
    });
  });

  test("not from an order that is not paid", async () => {
    const order = await invoiced();
    await comes(order, 100);
    expect(await back(order, { amount: kopecks(100) })).toMatchObject({ ok: false, error: { code: "order.event_refused" } });
  });
});
