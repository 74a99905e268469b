import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { kopecks } from "#kit/money.ts";
import { hours, minutes, seconds } from "#kit/time.ts";
import { checkLedger } from "#main/ledger/ledger.ts";
import { atOffice, aVisitor, byPoint, openShopToBuy, type ShopToBuy } from "#shop/checkout/testing.ts";
import type { Ctx } from "#shop/context.ts";
import { PaymentRefused } from "#shop/payment/gateway.ts";
import * as payment from "#shop/payment/service.ts";
import { testClock } from "#tests/shop.ts";
import type { Order, StaffEvent } from "../order.ts";
import * as orders from "../service.ts";

let shop: ShopToBuy;
beforeAll(async () => {
  shop = await openShopToBuy({ clock: testClock(), stock: 1000 });
});
afterAll(async () => {
  expect(await checkLedger(shop.ctx.db)).toEqual([]);
  await shop.close();
});

let visitors = 0;
const ordered = (request = byPoint) => shop.ordered(aVisitor(`r${(visitors += 1)}`), { 1: 2, 2: 1 }, request);
async function aPaidOrder(): Promise<Order> {
  const order = await ordered();
  return shop.paid(order);
}
async function played(order: Order, ...events: StaffEvent[]): Promise<void> {
  for (const event of events) {
    const result = await orders.apply(shop.ctx, order.id, event);
    if (!result.ok) throw new Error(`${event}: ${result.error.code}`);
  }
}
/** Half a minute in which whatever is due is done. */
const later = () => shop.pass(seconds(60), seconds(20));
const receipts = async (order: Order) =>
  (await payment.receiptsOfOrder(shop.ctx.db, order.id)).map(
    ({ kind, registrar, mode, amount, state }) => `${kind} by ${registrar}, ${mode}, ${amount}: ${state}`,
  );

describe("an order that is paid online", () => {
  test("has a receipt of the prepayment, one of the hand-over and one of the refund, each once", async () => {
    const order = await aPaidOrder();
    await played(order, "assemble", "ship", "arrive", "deliver");
    await orders.followParcel(shop.ctx, { orderId: order.id, state: "delivered" }); // the carrier says it too
    await later();
    expect(await receipts(order)).toEqual([
      `payment by provider, full_prepayment, ${order.total}: succeeded`,
      `handover by provider, full_payment, ${order.total}: succeeded`,
    ]);
    await played(order, "give_back", "refund");
    await later();
    expect((await receipts(order)).slice(2)).toEqual([`refund by provider, full_payment, ${order.total}: succeeded`]);
    expect([...shop.provider.receipts.values()].filter(({ sum }) => sum === order.total).length).toBeGreaterThan(0);
  });

  test("and refunded in part before the hand-over has a hand-over receipt of the pieces that are left", async () => {
    const order = await aPaidOrder();
    await orders.apply(shop.ctx, order.id, "refund", { pieces: [{ coinId: 1, quantity: 1 }] });
    await played(order, "assemble", "ship", "deliver");
    await later();
    expect(await receipts(order)).toEqual([
      `payment by provider, full_prepayment, ${order.total}: succeeded`,
      expect.stringMatching(/^refund by provider, full_prepayment, 600000: succeeded|^handover/),
      expect.any(String),
    ]);
    const handover = (await payment.receiptsOfOrder(shop.ctx.db, order.id)).find(({ kind }) => kind === "handover");
    expect(handover?.amount).toBe(order.total - 600_000);
    expect(handover?.receipt.lines.map(({ quantity, unitPrice }) => [quantity, unitPrice])).toEqual([
      [1, 600_000],
      [1, 900_000],
    ]);
  });

  describe("and whose dropped coin the bank refuses to refund", () => {
    /** Paid 2 × 6 000 + 9 000; one coin of 9 000 was dropped, and its refund was refused. */
    async function withRefusedRefund(): Promise<Order> {
      const order = await aPaidOrder();
      shop.provider.controls.refunds = "canceled";
      await orders.apply(shop.ctx, order.id, "refund", { pieces: [{ coinId: 2, quantity: 1 }] });
      await shop.work();
      shop.provider.controls.refunds = "succeeded";
      return order;
    }
    const modes = async (order: Order) =>
      (await payment.receiptsOfOrder(shop.ctx.db, order.id)).map(({ kind, mode, registrar, amount }) => [kind, mode, registrar, amount]);

    test("has a hand-over receipt without it; sent again afterwards, the refund returns a prepayment", async () => {
      const order = await withRefusedRefund();
      await played(order, "assemble", "ship", "deliver");
      await later();
      const handover = (await payment.receiptsOfOrder(shop.ctx.db, order.id)).find(({ kind }) => kind === "handover");
      expect(handover?.receipt.lines.map(({ quantity, unitPrice }) => [quantity, unitPrice])).toEqual([[2, 600_000]]);
      expect(await checkLedger(shop.ctx.db)).toEqual([]);
      const [refund] = await payment.refundsOfOrder(shop.ctx.db, order.id);
      expect(await orders.retryRefund(shop.ctx, refund?.id ?? "")).toMatchObject({ ok: true });
      await later();
      expect((await modes(order)).slice(1)).toEqual([
        ["handover", "full_payment", "provider", 1_200_000],
        ["refund", "full_prepayment", "provider", 900_000],
      ]);
      expect(shop.provider.heldFor(order.id)).toBe(1_200_000);
    });

    test("has a receipt of the office over the prepayment once staff has paid it by transfer", async () => {
      const order = await withRefusedRefund();
      await played(order, "assemble", "ship", "deliver");
      const [refund] = await payment.refundsOfOrder(shop.ctx.db, order.id);
      const transfer = { number: String(order.number), date: "2026-11-20" };
      const ctx: Ctx = { ...shop.ctx, actor: { kind: "staff", name: "orlova" } };
      const paid = { orderId: order.id, refundId: refund?.id ?? "", transfer, amount: kopecks(900_000) };
      expect(await orders.recordRefundTransfer(ctx, paid)).toMatchObject({ ok: true });
      await later();
      expect((await modes(order)).slice(1)).toEqual([
        ["handover", "full_payment", "provider", 1_200_000],
        ["refund", "full_prepayment", "office", 900_000],
      ]);
      expect(await shop.now(order)).toMatchObject({ refunded: 900_000 });
      expect(shop.provider.heldFor(order.id)).toBe(order.total);
    });

    test("needs no hand-over receipt when the money of the rest was refunded, too", async () => {
      const order = await withRefusedRefund();
      await orders.apply(shop.ctx, order.id, "refund", { amount: kopecks(1_200_000) });
      await played(order, "assemble", "ship", "deliver");
      await later();
      expect((await modes(order)).map(([kind]) => kind)).toEqual(["payment", "refund"]);
      expect(await checkLedger(shop.ctx.db)).toEqual([]);
    });

    test("has the hand-over receipt of all that is left when its money went back another way before", async () => {
      const order = await withRefusedRefund();
      await orders.apply(shop.ctx, order.id, "refund", { amount: kopecks(1_300_000) });
      await played(order, "assemble", "ship", "deliver");
      await later();
      expect((await modes(order)).filter(([kind]) => kind === "handover")).toEqual([["handover", "full_payment", "provider", 800_000]]);
    });
  });

  describe("and returned before the receipt of its hand-over was sent", () => {
    const kinds = async (order: Order) =>
      (await payment.receiptsOfOrder(shop.ctx.db, order.id)).map(({ kind, mode, amount, state }) => [kind, mode, amount, state]);
    const bothAfter = ({ total }: Order) => [
      ["handover", "full_payment", total, "succeeded"],
      ["refund", "full_payment", total, "succeeded"],
    ];
    const failed = (order: Order) =>
      shop.alarms.filter(({ name, fields }) => name === "payment.receipt_failed" && fields?.["orderId"] === order.id);

    test("has that receipt first, then the refund", async () => {
      const order = await aPaidOrder();
      await played(order, "assemble", "ship", "deliver", "give_back", "refund");
      await shop.work();
      expect(shop.provider.heldFor(order.id)).toBe(0);
      await later();
      expect((await kinds(order)).slice(1)).toEqual(bothAfter(order));
      expect(failed(order)).toEqual([]);
    });

    test("has it first in part, too", async () => {
      const order = await aPaidOrder();
      await played(order, "assemble", "ship", "deliver");
      await orders.apply(shop.ctx, order.id, "refund", { pieces: [{ coinId: 1, quantity: 1 }] });
      await later();
      expect((await kinds(order)).slice(1)).toEqual([
        ["handover", "full_payment", order.total, "succeeded"],
        ["refund", "full_payment", 600_000, "succeeded"],
      ]);
    });

    test("while the provider was out for hours: the refund is sent with the first check after it, behind the receipt", async () => {
      const order = await aPaidOrder();
      shop.provider.controls.isOut = true;
      await played(order, "assemble", "ship", "deliver", "give_back", "refund");
      await shop.pass(hours(5), minutes(5));
      shop.provider.controls.isOut = false;
      await shop.pass(minutes(16), minutes(1));
      expect((await kinds(order)).slice(1)).toEqual(bothAfter(order));
      expect(shop.provider.heldFor(order.id)).toBe(0);
      expect(failed(order)).toEqual([]);
      await shop.receiveRates();
    });

    test("whose register is out: the refund waits for the receipt, and is sent with it or once the receipt has failed", async () => {
      const { gateway } = shop.provider;
      const { registerHandover } = gateway;
      const [soon, never] = [await aPaidOrder(), await aPaidOrder()];
      gateway.registerHandover = () => Promise.reject(new Error("the register is out"));
      for (const order of [soon, never]) await played(order, "assemble", "ship", "deliver", "give_back", "refund");
      await shop.pass(hours(2), minutes(15));
      expect([soon, never].map(({ id }) => shop.provider.heldFor(id))).toEqual([soon.total, never.total]);
      gateway.registerHandover = async (request) => {
        if (request.providerPaymentId !== [...shop.provider.payments.values()].find(({ orderId }) => orderId === soon.id)?.id)
          throw new Error("the register is out");
        return registerHandover(request);
      };
      await shop.pass(minutes(16), minutes(1));
      expect((await kinds(soon)).slice(1)).toEqual(bothAfter(soon));
      await shop.pass(hours(23), hours(1));
      gateway.registerHandover = registerHandover;
      expect(shop.provider.heldFor(never.id)).toBe(0);
      expect([failed(soon).length, failed(never).length]).toEqual([0, 1]);
      await shop.receiveRates();
    });

    test("whose receipt the provider refuses has its money at once", async () => {
      const { gateway } = shop.provider;
      const { registerHandover } = gateway;
      const order = await aPaidOrder();
      gateway.registerHandover = () => Promise.reject(new PaymentRefused("no register"));
      await played(order, "assemble", "ship", "deliver", "give_back", "refund");
      await shop.work();
      gateway.registerHandover = registerHandover;
      expect(shop.provider.heldFor(order.id)).toBe(0);
      expect(failed(order)).toHaveLength(1);
      const [waiting] = (await payment.receiptsWaiting(shop.ctx.db)).filter(({ orderId }) => orderId === order.id);
      expect(await payment.applyReceiptEvent(shop.ctx, waiting?.id ?? "", "print")).toMatchObject({ ok: true });
    });
  });

  test("is handed over while the provider is out: the receipt waits and is registered after the outage", async () => {
    const order = await aPaidOrder();
    await later();
    shop.provider.controls.isOut = true;
    await played(order, "assemble", "ship", "deliver");
    await shop.pass(minutes(5), minutes(1));
    expect((await receipts(order))[1]).toMatch(/^handover .*: new$/);
    shop.provider.controls.isOut = false;
    await shop.pass(minutes(3), minutes(1));
    expect((await receipts(order))[1]).toMatch(/: succeeded$/);
    expect([...shop.provider.receipts.keys()].length).toBe(
      new Set([...shop.provider.receipts.values()].map(({ paymentId }) => paymentId)).size,
    );
  });

  test("whose receipt is not registered for a day raises an alarm; staff requests it again or prints it at the office", async () => {
    const order = await aPaidOrder();
    await later();
    shop.provider.controls.isOut = true;
    await played(order, "assemble", "ship", "deliver");
    await shop.pass(hours(26), hours(1));
    const failed = () => shop.alarms.filter(({ name, fields }) => name === "payment.receipt_failed" && fields?.orderId === order.id);
    expect(failed()).toHaveLength(1);
    shop.provider.controls.isOut = false;
    const [waiting] = (await payment.receiptsWaiting(shop.ctx.db)).filter(({ orderId }) => orderId === order.id);
    expect(waiting).toMatchObject({ kind: "handover", state: "canceled" });
    expect(await payment.applyReceiptEvent(shop.ctx, waiting?.id ?? "", "retry")).toMatchObject({ ok: true, value: { state: "new" } });
    expect(await payment.applyReceiptEvent(shop.ctx, waiting?.id ?? "", "retry")).toMatchObject({
      ok: false,
      error: { code: "receipt.event_refused" },
    });
    await later();
    expect((await receipts(order))[1]).toMatch(/: succeeded$/);
    expect(failed()).toHaveLength(1);
    expect(await payment.applyReceiptEvent(shop.ctx, "none", "print")).toEqual({ ok: false, error: { code: "receipt.not_found" } });
    await shop.receiveRates();
  });

  test("a failed receipt that is sent again has a day to be registered, however old it is", async () => {
    const order = await aPaidOrder();
    await later();
    shop.provider.controls.isOut = true;
    await played(order, "assemble", "ship", "deliver");
    await shop.pass(hours(26), hours(1));
    shop.provider.controls.isOut = false;
    const { gateway } = shop.provider;
    const real = { ...gateway };
    // The register takes its time, as a real one does.
    gateway.registerHandover = async (request) => ({ ...(await real.registerHandover(request)), status: "pending" });
    gateway.findReceipt = async (id) => {
      const found = await real.findReceipt(id);
      return found && { ...found, status: "pending" };
    };
    const [failed] = (await payment.receiptsWaiting(shop.ctx.db)).filter(({ orderId }) => orderId === order.id);
    await payment.applyReceiptEvent(shop.ctx, failed?.id ?? "", "retry");
    await later();
    expect((await receipts(order))[1]).toMatch(/^handover .*: pending$/);
    Object.assign(gateway, real);
    await later();
    expect((await receipts(order))[1]).toMatch(/: succeeded$/);
    await shop.receiveRates();
  });

  test("and cancelled before the hand-over has no receipt of one", async () => {
    const order = await aPaidOrder();
    await orders.cancel(shop.ctx, { orderId: order.id, viewer: shop.guest(order) });
    await later();
    expect(await receipts(order)).toEqual([
      `payment by provider, full_prepayment, ${order.total}: succeeded`,
      `refund by provider, full_prepayment, ${order.total}: succeeded`,
    ]);
  });
});

describe("an order whose money staff records", () => {
  test("at the desk has one receipt, of sale and payment together, which the office prints", async () => {
    const order = await ordered({ ...atOffice, paymentId: 7 });
    await played(order, "assemble", "make_ready", "deliver");
    await later();
    expect(await receipts(order)).toEqual([`payment by office, full_payment, ${order.total}: new`]);
    const [owed] = (await payment.receiptsWaiting(shop.ctx.db)).filter(({ orderId }) => orderId === order.id);
    for (let n = 0; n < 2; n += 1)
      expect(await payment.applyReceiptEvent(shop.ctx, owed?.id ?? "", "print")).toMatchObject({ ok: true, value: { state: "succeeded" } });
    const signs = { storageNumber: "9960440300000001", documentNumber: "1234", attribute: "2700000001" };
    // Entered later
    expect(await payment.applyReceiptEvent(shop.ctx, owed?.id ?? "", "print", signs)).toMatchObject({ ok: true, value: { fiscal: signs } });
    // And not forgotten
    expect(await payment.applyReceiptEvent(shop.ctx, owed?.id ?? "", "print")).toMatchObject({ ok: true, value: { fiscal: signs } });
    expect((await payment.receiptsOfOrder(shop.ctx.db, order.id))[0]).toMatchObject({ fiscal: signs });
    await played(order, "give_back", "refund");
    await later();
    expect((await receipts(order))[1]).toBe(`refund by office, full_payment, ${order.total}: new`);
  });

  test("by transfer in two parts has a receipt of each part and one of the hand-over; the surplus has none", async () => {
    const order = await ordered({ ...atOffice, paymentId: 6 });
    for (const amount of [500_000, order.total]) {
      await orders.apply(shop.ctx, order.id, "pay", {
        amount: kopecks(amount),
        reference: { number: "1", date: "2026-11-20", payerAccount: null },
      });
      shop.clock.advance(seconds(1));
    }
    await played(order, "refund", "assemble", "make_ready", "deliver");
    await later();
    expect(await receipts(order)).toEqual([
      "payment by office, partial_prepayment, 500000: new",
      `payment by office, partial_prepayment, ${order.total - 500_000}: new`,
      `handover by office, full_payment, ${order.total}: new`,
    ]);
    const [first, second, handover] = await payment.receiptsOfOrder(shop.ctx.db, order.id);
    const sums = (each: typeof first) => each?.receipt.lines.map(({ quantity, unitPrice }) => quantity * unitPrice) ?? [];
    expect(sums(first).map((sum, index) => sum + (sums(second)[index] ?? 0))).toEqual(sums(handover)); // line by line to the kopeck
  });
});
