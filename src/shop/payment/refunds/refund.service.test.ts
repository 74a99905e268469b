import { sql } from "drizzle-orm";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { fromRoubles, type Kopecks } from "#kit/money.ts";
import { inTransaction } from "#kit/db.ts";
import { days, hours, minutes, seconds } from "#kit/time.ts";
import type { Ctx } from "#shop/context.ts";
import { testClock } from "#tests/shop.ts";
import { statusOf, type RefundCause } from "../payment.ts";
import * as payment from "../service.ts";
import { aNotification, aPurchase, aReceipt, found, openPaymentBench, type PaymentBench, start } from "../testing.ts";

let bench: PaymentBench;
beforeEach(async () => {
  bench = await openPaymentBench(testClock());
});
afterEach(() => bench.close());

/** An order paid and kept. */
async function paid() {
  const started = await bench.started();
  bench.simulator.act(started.providerId, "pay");
  await bench.work();
  return started;
}
const refundAll = (cause: RefundCause) => inTransaction(bench.ctx.db, (tx) => payment.refundOrder(tx, bench.ctx, "o1", cause));
const refundPart = (paymentId: string, cause: RefundCause, roubles: number) =>
  inTransaction(bench.ctx.db, (tx) => payment.refundPayment(tx, bench.ctx, paymentId, cause, fromRoubles(roubles)));
const refundedAtProvider = () => bench.simulator.payments().map((each) => each.refunded);
/** Two days without the provider, which forgets keys after one. The checks of that time all fail alike, so some of them are enough. */
const longOutage = async () => {
  await bench.pass(hours(2), minutes(10));
  await bench.pass(hours(46), hours(2));
};
const states = async () => (await payment.refundsOfOrder(bench.ctx.db, "o1")).map((each) => each.state);

describe("giving money back", () => {
  test("a cancelled order gets all of its money back, once, however often the cause is repeated", async () => {
    const { id } = await paid();
    for (let n = 0; n < 3; n += 1) await refundAll("cancelled");
    await Promise.all([refundAll("cancelled"), refundAll("returned"), refundAll("staff")]);
    await bench.work();
    expect(refundedAtProvider()).toEqual([45_123]);
    expect((await bench.attempts()).map(statusOf)).toEqual(["refunded"]);
    expect(bench.news.filter((each) => each.name === "refunded")).toEqual([
      { name: "refunded", orderId: "o1", paymentId: id, refundId: expect.any(String), amountKopecks: 4_512_300 },
    ]);
  });

  test("parts go back one after another, never more than was paid", async () => {
    const { id } = await paid();
    await refundPart(id, "staff:1", 5_123);
    await refundPart(id, "staff:2", 30_000);
    await refundPart(id, "staff:3", 99_999);
    expect(await refundPart(id, "staff:4", 1)).toBeNull();
    await bench.work();
    expect(refundedAtProvider()).toEqual([45_123]);
    expect((await payment.refundsOfOrder(bench.ctx.db, "o1")).map((each) => each.amount as number).toSorted((a, b) => a - b)).toEqual([
      512_300, 1_000_000, 3_000_000,
    ]);
  });

  test("staff gives parts back: two at once never exceed what was kept", async () => {
    await paid();
    const part = (roubles: number) =>
      inTransaction(bench.ctx.db, (tx) => payment.refundPartially(tx, bench.ctx, "o1", { amount: fromRoubles(roubles) }));
    const both = await Promise.all(Array.from({ length: 6 }, () => part(10_000)));
    expect(both.filter((each) => each.ok)).toHaveLength(4);
    expect(both.find((each) => !each.ok)).toEqual({ ok: false, error: { code: "payment.refund_too_much", left: fromRoubles(5_123) } });
    expect(await part(0)).toMatchObject({ ok: false });
    await bench.work();
    expect(refundedAtProvider()).toEqual([40_000]);
    await refundAll("cancelled"); // what is left, whatever went before
    await bench.work();
    expect(refundedAtProvider()).toEqual([45_123]);
  });

  test("the receipts of partial refunds name the pieces, and the last one names the rest", async () => {
    const lines = [
      { title: "Монета", quantity: 3, unitPrice: fromRoubles(10_000), vatCode: 1, subject: "commodity" as const },
      { title: "Доставка", quantity: 1, unitPrice: fromRoubles(400), vatCode: 11, subject: "service" as const },
    ];
    const started = await bench.started({ amount: fromRoubles(30_400), receipt: { email: "b@example.ru", phone: "", lines } });
    bench.simulator.act(started.providerId, "pay");
    await bench.work();
    const pieces = (pieces: { line: number; quantity: number }[]) =>
      inTransaction(bench.ctx.db, (tx) => payment.refundPartially(tx, bench.ctx, "o1", { pieces, whole: lines }));
    expect(await pieces([{ line: 0, quantity: 1 }])).toMatchObject({ ok: true });
    for (const wrong of [
      [{ line: 0, quantity: 3 }],
      [{ line: 2, quantity: 1 }],
      [{ line: -1, quantity: 1 }],
      [
        { line: 1, quantity: 1 },
        { line: 1, quantity: 1 },
      ],
      [],
    ])
      expect(await pieces(wrong)).toMatchObject({ ok: false });
    await bench.work();
    await refundPart(started.id, "staff", 500.5); // some money off, not a piece
    await bench.work();
    await refundAll("cancelled");
    await bench.work();
    const bodies = bench.simulator
      .calls()
      .filter((call) => call.path === "/refunds")
      .map(
        (call) =>
          JSON.parse(call.body) as {
            amount: { value: string };
            receipt: { items: { description: string; quantity: number; amount: { value: string } }[] };
          },
      );
    expect(bodies.map(({ receipt }) => receipt.items.map((item) => `${item.description} ${item.quantity} × ${item.amount.value}`))).toEqual(
      [["Монета 1 × 10000.00"], ["Монета 1 × 490.69", "Доставка 1 × 9.81"], ["Монета 1 × 19509.31", "Доставка 1 × 390.19"]],
    );
    expect(refundedAtProvider()).toEqual([30_400]);
  });

  test("an order without money taken owes nothing", async () => {
    await bench.started();
    expect(await refundAll("cancelled")).toEqual([]);
  });

  test("a change that is rolled back sends no money", async () => {
    await paid();
    await inTransaction(bench.ctx.db, async (tx) => {
      await payment.refundOrder(tx, bench.ctx, "o1", "cancelled");
      throw new Error("rolled back");
    }).catch(() => {});
    await bench.pass(minutes(1));
    expect(refundedAtProvider()).toEqual([0]);
  });

  test("success that comes again after a full refund changes nothing", async () => {
    const { providerId } = await paid();
    await refundAll("cancelled");
    await bench.work();
    await payment.receiveWebhook(bench.ctx, "yookassa", aNotification("payment.succeeded", { id: providerId, status: "succeeded" }));
    await bench.pass(minutes(10));
    expect((await bench.attempts()).map(statusOf)).toEqual(["refunded"]);
    expect(bench.news.map((each) => each.name)).toEqual(["settled", "refunded"]);
    expect(bench.alarmed()).toEqual([]);
  });
});

describe("when the provider is in trouble", () => {
  test("an answer lost after the refund was made does not send it twice", async () => {
    await paid();
    bench.simulator.loseAnswers(1);
    await refundAll("cancelled");
    await bench.work();
    expect(await states()).toEqual(["new"]);
    await bench.pass(minutes(1));
    expect(await states()).toEqual(["succeeded"]);
    expect(refundedAtProvider()).toEqual([45_123]);
    expect(bench.simulator.refundIds()).toHaveLength(1);
  });

  test.each([
    [45_123, "all of it"],
    [10_000, "a part"],
  ])("an outage longer than the provider's memory for keys does not send it twice either: %i ₽, %s", async (roubles) => {
    const { id } = await paid();
    bench.simulator.loseAnswers(1);
    await refundPart(id, "staff:1", roubles);
    await bench.work();
    bench.simulator.setFault("reset");
    await longOutage();
    bench.simulator.setFault("ok");
    await bench.pass(hours(1), minutes(1));
    expect(await states()).toEqual(["succeeded"]);
    expect(refundedAtProvider()).toEqual([roubles]);
    expect(bench.news.map((each) => each.name)).toEqual(["settled", "refunded"]);
  });

  test.each([
    [30_000, "another sum"],
    [10_000, "the same sum"],
  ])("what went back by one refund is not taken for another of the same payment after such an outage: %i ₽, %s", async (other) => {
    const { id } = await paid();
    bench.simulator.setFault("error");
    await refundPart(id, "staff:1", 10_000); // never arrives
    await bench.work();
    bench.simulator.setFault("ok");
    bench.simulator.loseAnswers(1);
    await refundPart(id, "staff:2", other); // goes back, and the answer is lost
    await bench.work();
    expect([await states(), refundedAtProvider()]).toEqual([["new", "new"], [other]]);
    bench.simulator.setFault("reset");
    await longOutage();
    bench.simulator.setFault("ok");
    await bench.pass(hours(4), minutes(1));
    expect(await states()).toEqual(["succeeded", "succeeded"]);
    expect(refundedAtProvider()).toEqual([10_000 + other]);
  });

  test("a refund made during an outage goes out when it is over", async () => {
    await paid();
    bench.simulator.setFault("error");
    await refundAll("cancelled");
    await bench.pass(minutes(30));
    bench.simulator.setFault("ok");
    await bench.pass(minutes(2));
    expect(refundedAtProvider()).toEqual([45_123]);
  });

  test("a refund that is pending at the bank is checked for days, and its webhook advances the next check", async () => {
    await paid();
    bench.simulator.setRefunds("pending");
    await refundAll("cancelled");
    await bench.pass(days(1), minutes(15));
    expect(await states()).toEqual(["pending"]);
    bench.simulator.settleRefund(bench.simulator.refundIds()[0] ?? "", "succeeded");
    await bench.work();
    await bench.pass(seconds(5));
    expect(await states()).toEqual(["succeeded"]);
    expect((await bench.attempts()).map(statusOf)).toEqual(["refunded"]);
  });

  test("a webhook that arrives during a check of a refund is not missed", async () => {
    await paid();
    bench.simulator.setRefunds("pending");
    await refundAll("cancelled");
    await bench.pass(hours(3), minutes(15));
    const [refund] = await payment.refundsOfOrder(bench.ctx.db, "o1");
    const { payment: gateway } = bench.ctx.gateways;
    const whileSettling = {
      ...gateway,
      async findRefund(id: string) {
        const before = await gateway.findRefund(id);
        bench.clock.advance(seconds(1));
        bench.simulator.settleRefund(id, "succeeded");
        await bench.simulator.quiet();
        return before;
      },
    };
    bench.clock.advance(minutes(15));
    await payment.processRefund({ ...bench.ctx, gateways: { ...bench.ctx.gateways, payment: whileSettling } }, refund?.id ?? "");
    expect(await states()).toEqual(["pending"]);
    await bench.pass(seconds(5));
    expect(await states()).toEqual(["succeeded"]);
    expect(bench.alarmed()).toEqual([]);
  });

  test("a forged end of a refund changes nothing and is noticed", async () => {
    const { providerId } = await paid();
    bench.simulator.setRefunds("pending");
    await refundAll("cancelled");
    await bench.work();
    const [id = ""] = bench.simulator.refundIds();
    await payment.receiveWebhook(
      bench.ctx,
      "yookassa",
      aNotification("refund.succeeded", { id, payment_id: providerId, status: "succeeded" }),
    );
    await bench.pass(seconds(10));
    expect(await states()).toEqual(["pending"]);
    expect(bench.alarmed()).toEqual(["payment.forged"]);
  });

  test("a refund that the bank refuses raises an alarm, and staff can send it again under a new key", async () => {
    await paid();
    bench.simulator.setRefunds("canceled");
    await refundAll("cancelled");
    await bench.pass(minutes(1));
    expect(await states()).toEqual(["canceled"]);
    expect(bench.alarmed()).toEqual(["payment.refund_failed"]);
    bench.simulator.setRefunds("succeeded");
    const retry = () => inTransaction(bench.ctx.db, (tx) => payment.retryRefunds(tx, bench.ctx, "o1"));
    expect((await Promise.all([retry(), retry()])).toSorted((a, b) => a - b)).toEqual([0, 1]);
    await bench.work();
    expect(await states()).toEqual(["succeeded"]);
    expect(refundedAtProvider()).toEqual([45_123]);
  });

  test("a cancelled order whose refund was refused gets the rest when staff has refunded parts before sending it again", async () => {
    const { id } = await paid();
    bench.simulator.setRefunds("canceled");
    await refundAll("cancelled");
    await bench.work();
    bench.simulator.setRefunds("succeeded");
    for (const n of [1, 2]) {
      bench.clock.advance(seconds(1));
      await refundPart(id, `staff:${n}`, 10_000);
    }
    await bench.work();
    expect([await states(), refundedAtProvider()]).toEqual([["canceled", "succeeded", "succeeded"], [20_000]]);
    const retry = () => inTransaction(bench.ctx.db, (tx) => payment.retryRefunds(tx, bench.ctx, "o1"));
    expect([await retry(), await retry()]).toEqual([1, 0]);
    await bench.work();
    expect([await states(), refundedAtProvider()]).toEqual([["succeeded", "succeeded", "succeeded"], [45_123]]);
  });

  test("a refused refund that a colleague sends again, at once or hours later, counts for the clerk who decided it", async () => {
    await paid();
    const by = (name: string): Ctx => ({ ...bench.ctx, actor: { kind: "staff", name } });
    bench.simulator.setRefunds("canceled");
    await inTransaction(bench.ctx.db, (tx) => payment.refundPartially(tx, by("orlova"), "o1", { amount: fromRoubles(100) }));
    await bench.work();
    bench.simulator.setRefunds("succeeded");
    await inTransaction(bench.ctx.db, (tx) => payment.retryRefunds(tx, by("petrov"), "o1"));
    await bench.work();
    const sums = await Promise.all(["orlova", "petrov"].map((name) => payment.refundsBy(by(name), new Date(0))));
    expect(sums.map((found) => found.map(({ amount }) => amount))).toEqual([[10_000], []]);
  });

  test("a refund of pieces that was refused names the same pieces when it is sent again", async () => {
    const lines = ["Монета", "Жетон"].map((title) => ({
      title,
      quantity: 2,
      unitPrice: fromRoubles(10_000),
      vatCode: 1,
      subject: "commodity" as const,
    }));
    const started = await bench.started({ amount: fromRoubles(40_000), receipt: { email: "b@example.ru", phone: "", lines } });
    bench.simulator.act(started.providerId, "pay");
    await bench.work();
    const back = (line: number) =>
      inTransaction(bench.ctx.db, (tx) => payment.refundPartially(tx, bench.ctx, "o1", { pieces: [{ line, quantity: 1 }], whole: lines }));
    bench.simulator.setRefunds("canceled");
    await back(0);
    await bench.work();
    bench.simulator.setRefunds("succeeded");
    bench.clock.advance(seconds(1));
    await back(1);
    await bench.work();
    await inTransaction(bench.ctx.db, (tx) => payment.retryRefunds(tx, bench.ctx, "o1"));
    await bench.work();
    const printed = (await payment.receiptsOfOrder(bench.ctx.db, "o1")).filter(({ kind }) => kind === "refund");
    const titles = printed.map(({ receipt }) => receipt.lines.map(({ title, quantity }) => `${title} ${quantity}`).join());
    expect(titles.toSorted()).toEqual(["Жетон 1", "Монета 1"]);
    // What is left is whole pieces, which can be refunded one by one.
    expect(await back(0)).toMatchObject({ ok: true });
    await bench.work();
    expect(refundedAtProvider()).toEqual([30_000]);
  });

  test("a refused refund of pieces that staff repeats as a new one is over; a sum that is refunded besides leaves it waiting", async () => {
    const lines = ["Монета", "Жетон", "Слиток"].map((title) => ({
      title,
      quantity: 1,
      unitPrice: fromRoubles(10_000),
      vatCode: 1,
      subject: "commodity" as const,
    }));
    const started = await bench.started({ amount: fromRoubles(30_000), receipt: { email: "b@example.ru", phone: "", lines } });
    bench.simulator.act(started.providerId, "pay");
    await bench.work();
    const back = (part: payment.PartialRefund, key: string) =>
      inTransaction(bench.ctx.db, (tx) => payment.refundPartially(tx, bench.ctx, "o1", { ...part, key }));
    const coin = { pieces: [{ line: 0, quantity: 1 }], whole: lines };
    const waiting = async () => [
      (await payment.refundsWaiting(bench.ctx)).map(({ id }) => id),
      (await payment.listRefunds(bench.ctx, { after: null, limit: 10 })).map(({ id }) => id),
      (await payment.owedOfOrder(bench.ctx.db, "o1")).map(({ id }) => id),
      (await payment.countWaiting(bench.ctx)).refundsRefused,
      await payment.hasRefundForStaff(bench.ctx.db, "o1"),
    ];
    const refusedBack = async (part: payment.PartialRefund, key: string) => {
      bench.simulator.setRefunds("canceled");
      const made = await back(part, key);
      await bench.work();
      bench.simulator.setRefunds("succeeded");
      return made.ok ? (made.value[0]?.id ?? "") : "";
    };
    const id = await refusedBack(coin, "first-try");
    expect(await waiting()).toEqual([[id], [id], [id], 1, true]);
    await back(coin, "second-try");
    await bench.work();
    expect(refundedAtProvider()).toEqual([10_000]);
    expect(await waiting()).toEqual([[], [], [], 0, false]);
    expect(await inTransaction(bench.ctx.db, (tx) => payment.retryRefunds(tx, bench.ctx, "o1"))).toBe(0);
    const paidBack = { orderId: "o1", refundId: id, transfer: { number: "9", date: "2026-11-20" }, amount: fromRoubles(10_000) };
    const recorded = await inTransaction(bench.ctx.db, (tx) => payment.payRefusedByTransfer(tx, bench.ctx, paidBack));
    expect(recorded).toEqual({ ok: false, error: { code: "refund.not_waiting" } });

    const token = await refusedBack({ pieces: [{ line: 1, quantity: 1 }], whole: lines }, "token");
    expect(await waiting()).toEqual([[token], [token], [token], 1, true]);
    await back({ amount: fromRoubles(100) }, "apology");
    await bench.work();
    expect(await waiting()).toEqual([[token], [token], [token], 1, true]);
  });

  /** The provider answers the first request only after it refused a repetition of it and staff sent the refund again. */
  const answeredLate = (refuse: () => void, beforeAnswer: () => void) => {
    const { payment: gateway } = bench.ctx.gateways;
    return {
      ...gateway,
      async refund(request: Parameters<typeof gateway.refund>[0]) {
        bench.clock.advance(minutes(1));
        refuse();
        const [refund] = await payment.refundsOfOrder(bench.ctx.db, "o1");
        await payment.processRefund(bench.ctx, refund?.id ?? "");
        expect(await states()).toEqual(["canceled"]);
        await inTransaction(bench.ctx.db, (tx) => payment.retryRefunds(tx, bench.ctx, "o1"));
        beforeAnswer();
        return gateway.refund(request);
      },
    };
  };

  test.each([
    ["an outright refusal", () => bench.simulator.refuseRefunds(1), () => bench.simulator.refuseRefunds(1)],
    ["a refused refund", () => bench.simulator.setRefunds("canceled"), () => bench.simulator.setRefunds("succeeded")],
  ])("%s that is answered late says nothing about the refund that staff sent again since", async (_, refuse, beforeAnswer) => {
    await paid();
    const [made] = await refundAll("cancelled");
    const slow = { ...bench.ctx, gateways: { ...bench.ctx.gateways, payment: answeredLate(refuse, beforeAnswer) } };
    await payment.processRefund(slow, made?.id ?? "");
    expect(await states()).toEqual(["new"]);
    await bench.work();
    expect([await states(), refundedAtProvider(), bench.alarmed()]).toEqual([["succeeded"], [45_123], ["payment.refund_failed"]]);
  });

  test("a late success of a request whose refund staff sent again since is an alarm at once", async () => {
    await paid();
    const [made] = await refundAll("cancelled");
    const payments = answeredLate(
      () => bench.simulator.refuseRefunds(1),
      () => {},
    );
    await payment.processRefund({ ...bench.ctx, gateways: { ...bench.ctx.gateways, payment: payments } }, made?.id ?? "");
    expect([await states(), refundedAtProvider()]).toEqual([["new"], [45_123]]);
    expect(bench.alarmed()).toEqual(["payment.refund_failed", "payment.mismatch"]);
  });

  test("a webhook of the success of a refused refund, also of one paid by transfer, is an alarm once the provider confirms it", async () => {
    const { providerId } = await paid();
    bench.simulator.setRefunds("canceled");
    const [made] = await refundAll("cancelled");
    await bench.work();
    const [id = ""] = bench.simulator.refundIds();
    const webhook = async (status: "succeeded" | "canceled") => {
      await payment.receiveWebhook(bench.ctx, "yookassa", aNotification(`refund.${status}`, { id, payment_id: providerId, status }));
      await bench.work();
      return bench.alarmed();
    };
    const asked = () => bench.simulator.calls().filter(({ path }) => path === `/refunds/${id}`).length;
    expect([await webhook("canceled"), asked()]).toEqual([["payment.refund_failed"], 0]);
    bench.simulator.tamperRefund(id, { status: "succeeded" });
    for (let n = 0; n < 2; n += 1) expect(await webhook("succeeded")).toEqual(["payment.refund_failed", "payment.mismatch"]);
    expect([await states(), asked()]).toEqual([["canceled"], 1]);

    const transfer = { number: "311", date: "2026-11-20" };
    const paidBack = { orderId: "o1", refundId: made?.id ?? "", transfer, amount: fromRoubles(45_123) };
    await inTransaction(bench.ctx.db, (tx) => payment.payRefusedByTransfer(tx, bench.ctx, paidBack));
    await found(bench.ctx, sql`delete from payment_events where object_id = ${id}`);
    expect(await webhook("succeeded")).toEqual(["payment.refund_failed", "payment.mismatch", "payment.mismatch"]);
  });

  test("a forged success of a refused refund changes nothing, is logged, and causes one status request", async () => {
    const { providerId } = await paid();
    bench.simulator.setRefunds("canceled");
    await refundAll("cancelled");
    await bench.work();
    const [id = ""] = bench.simulator.refundIds();
    for (let n = 0; n < 2; n += 1) {
      const forged = aNotification("refund.succeeded", { id, payment_id: providerId, status: "succeeded" });
      await payment.receiveWebhook(bench.ctx, "yookassa", forged);
      await bench.work();
    }
    expect([await states(), bench.alarmed()]).toEqual([["canceled"], ["payment.refund_failed", "payment.forged"]]);
    expect(bench.simulator.calls().filter(({ path }) => path === `/refunds/${id}`)).toHaveLength(1);
  });

  test("a refund refused before the hand-over and sent again after it returns a sale; one refused later, a prepayment", async () => {
    const { id } = await paid();
    const part = (roubles: number) =>
      inTransaction(bench.ctx.db, (tx) => payment.refundPartially(tx, bench.ctx, "o1", { amount: fromRoubles(roubles) }));
    bench.simulator.setRefunds("canceled");
    await part(1_000);
    await bench.work();
    bench.clock.advance(seconds(1));
    bench.simulator.setRefunds("pending");
    await part(2_000);
    await bench.work();
    await inTransaction(bench.ctx.db, (tx) => payment.createHandoverReceipt(tx, bench.ctx, "o1", aReceipt(fromRoubles(45_123))));
    bench.clock.advance(seconds(1));
    for (const each of bench.simulator.refundIds()) bench.simulator.settleRefund(each, "canceled");
    await bench.pass(minutes(2));
    expect(await states()).toEqual(["canceled", "canceled"]);
    bench.simulator.setRefunds("succeeded");
    await inTransaction(bench.ctx.db, (tx) => payment.retryRefunds(tx, bench.ctx, "o1"));
    await bench.work();
    const receipts = await payment.receiptsOfOrder(bench.ctx.db, "o1");
    expect(receipts.map(({ kind, mode, amount }) => [kind, mode, amount])).toEqual(
      expect.arrayContaining([
        ["handover", "full_payment", fromRoubles(43_123)],
        ["refund", "full_payment", fromRoubles(1_000)],
        ["refund", "full_prepayment", fromRoubles(2_000)],
      ]),
    );
    expect((await bench.attempts()).find((each) => each.id === id)?.refunded).toBe(fromRoubles(3_000));
  });

  test("two processes that process the same refund send it once", async () => {
    await paid();
    const [refund] = await refundAll("cancelled");
    const other = await bench.another();
    await Promise.all([bench.ctx, other, bench.ctx, other].map((ctx) => payment.processRefund(ctx, refund?.id ?? "")));
    await bench.work();
    expect(bench.simulator.calls().filter((each) => each.path === "/refunds")).toHaveLength(1);
    expect(refundedAtProvider()).toEqual([45_123]);
  });
});

describe("a refund that the provider refuses or never answered", () => {
  const part = (paymentId: string, n: number, roubles: number) => {
    bench.clock.advance(seconds(1));
    return refundPart(paymentId, `staff:${n}`, roubles);
  };
  const refundedHere = async () => (await bench.attempts()).map((each) => each.refunded / 100);
  const reachableAgain = async (forHowLong: number) => {
    bench.simulator.setFault("ok");
    await bench.pass(forHowLong, minutes(1));
  };

  test("is not booked as paid when another refund of the same payment is pending and already in the provider's sum", async () => {
    const { id } = await paid();
    bench.simulator.setSumAhead(true);
    bench.simulator.setRefunds("pending");
    await part(id, 1, 10_000);
    await bench.work();
    bench.simulator.refuseRefunds(1);
    await part(id, 2, 10_000);
    await bench.work();
    expect([await states(), await refundedHere(), bench.alarmed()]).toEqual([["pending", "canceled"], [0], ["payment.refund_failed"]]);
    bench.simulator.settleRefund(bench.simulator.refundIds()[0] ?? "", "succeeded");
    await bench.pass(minutes(2));
    expect([await states(), await refundedHere(), refundedAtProvider()]).toEqual([["succeeded", "canceled"], [10_000], [10_000]]);
  });

  test("is sent after a long outage, and not confused with a pending one of the same sum", async () => {
    const { id } = await paid();
    bench.simulator.setSumAhead(true);
    bench.simulator.setRefunds("pending");
    await part(id, 1, 10_000);
    await bench.work();
    bench.simulator.setFault("reset");
    await part(id, 2, 10_000); // requested, and never arrives
    await bench.work();
    await longOutage();
    bench.simulator.setRefunds("succeeded");
    await reachableAgain(hours(2));
    expect([await states(), await refundedHere(), bench.simulator.refundIds().length]).toEqual([["pending", "succeeded"], [10_000], 2]);
  });

  test("is found in the provider's list by its key, in the state that it has there", async () => {
    const { id } = await paid();
    bench.simulator.setRefunds("pending");
    bench.simulator.loseAnswers(1);
    await part(id, 1, 10_000);
    await bench.work();
    bench.simulator.setFault("reset");
    await longOutage();
    await reachableAgain(hours(2));
    expect([await states(), bench.simulator.refundIds().length]).toEqual([["pending"], 1]);
    bench.simulator.settleRefund(bench.simulator.refundIds()[0] ?? "", "canceled");
    await bench.pass(hours(2), minutes(10));
    expect([await states(), await refundedHere()]).toEqual([["canceled"], [0]]);
    expect(bench.alarmed()).toContain("payment.refund_failed");
  });

  test("waits while the provider's sum is ahead of its list", async () => {
    const { id } = await paid();
    bench.simulator.loseAnswers(1);
    await part(id, 1, 10_000);
    await bench.work();
    const [lost = ""] = bench.simulator.refundIds();
    bench.simulator.hideRefund(lost, true);
    bench.simulator.setFault("reset");
    await longOutage();
    await reachableAgain(hours(3));
    expect([await states(), refundedAtProvider()]).toEqual([["new"], [10_000]]);
    bench.simulator.hideRefund(lost, false);
    await bench.pass(hours(3), minutes(1));
    expect([await states(), await refundedHere(), bench.simulator.refundIds()]).toEqual([["succeeded"], [10_000], [lost]]);
  });

  test("and that an earlier release sent without a key is found by its sum, once", async () => {
    const { id } = await paid();
    bench.simulator.setFault("error");
    await part(id, 1, 10_000); // never arrives
    await bench.work();
    bench.simulator.setFault("ok");
    bench.simulator.loseAnswers(1);
    await part(id, 2, 10_000);
    await bench.work();
    bench.simulator.tamperRefund(bench.simulator.refundIds()[0] ?? "", { metadata: {} });
    bench.simulator.setFault("reset");
    await longOutage();
    await reachableAgain(hours(4));
    expect([await states(), refundedAtProvider(), bench.simulator.refundIds().length]).toEqual([["succeeded", "succeeded"], [20_000], 2]);
  });

  test("was made before the database was restored to an earlier moment: it is taken over, not refused for good", async () => {
    const { providerId } = await paid();
    const made = bench.simulator.refundInCabinet(providerId, fromRoubles(45_123));
    bench.simulator.tamperRefund(made, { metadata: { refund_key: "refund:of-the-lost-minute" } });
    await refundAll("cancelled");
    await bench.work();
    expect([await states(), await refundedHere(), bench.simulator.refundIds()]).toEqual([["succeeded"], [45_123], [made]]);
    expect(bench.alarmed()).toEqual([]);
  });

  test("does not take over a refund of the same sum whose answer is still awaited", async () => {
    const { id } = await paid();
    bench.simulator.loseAnswers(1);
    await part(id, 1, 10_000);
    await bench.work();
    bench.simulator.refuseRefunds(1);
    await part(id, 2, 10_000);
    await bench.work();
    expect([await states(), await refundedHere()]).toEqual([["new", "canceled"], [0]]);
    await bench.pass(hours(1), minutes(1));
    expect([await states(), await refundedHere(), refundedAtProvider()]).toEqual([["succeeded", "canceled"], [10_000], [10_000]]);
  });

  test("an answer with another sum changes nothing, raises an alarm, and is checked again hourly", async () => {
    const { id } = await paid();
    bench.simulator.setRefunds("pending");
    await part(id, 1, 10_000);
    await bench.work();
    bench.simulator.tamperRefund(bench.simulator.refundIds()[0] ?? "", { status: "succeeded", amountKopecks: 1 });
    await bench.pass(minutes(50), minutes(1));
    expect([await states(), await refundedHere(), bench.alarmed()]).toEqual([["pending"], [0], ["payment.mismatch"]]);
  });
});

describe("a refund that cannot be sent", () => {
  const stuck = () => bench.alarms.filter(({ name }) => name === "payment.refund_stuck");
  /** The sweeps as they run in the shop, each at its own pace. */
  const pass = async (milliseconds: number, stepMs = minutes(5)) => {
    for (let left = milliseconds; left > 0; left -= stepMs) {
      await bench.pass(Math.min(stepMs, left), stepMs);
      await payment.alarmStuckRefunds(bench.ctx);
    }
  };
  const waiting = async () => (await payment.refundsWaiting(bench.ctx)).map(({ why, amount }) => [why, amount]);

  test("is an alarm after an hour and then once a day, is listed, and ends by itself when it is sent", async () => {
    await paid();
    bench.simulator.setFault("unauthorized");
    await refundAll("cancelled");
    await pass(minutes(55));
    expect([stuck(), await waiting()]).toEqual([[], []]);
    await pass(minutes(10));
    expect(stuck()).toEqual([
      {
        name: "payment.refund_stuck",
        fields: { orderId: "o1", refundId: expect.any(String), amountKopecks: 4_512_300, since: "2026-11-20T09:00:00.000Z" },
      },
    ]);
    expect(await waiting()).toEqual([["stuck", 4_512_300]]);
    await pass(hours(23), minutes(30));
    expect(stuck()).toHaveLength(1);
    await pass(hours(2));
    expect(stuck()).toHaveLength(2);
    bench.simulator.setFault("ok");
    await pass(hours(1));
    expect([await states(), await waiting(), refundedAtProvider()]).toEqual([["succeeded"], [], [45_123]]);
    await pass(days(2), hours(2));
    expect(stuck()).toHaveLength(2);
  });

  test("is an alarm also when nothing tried to send it", async () => {
    await paid();
    await refundAll("cancelled");
    bench.clock.advance(minutes(61));
    await payment.alarmStuckRefunds(bench.ctx);
    expect(stuck()).toHaveLength(1);
  });

  test("a refund pending at the bank for days is not stuck; an outage meanwhile makes it stuck", async () => {
    await paid();
    bench.simulator.setRefunds("pending");
    await refundAll("cancelled");
    await pass(days(1), minutes(30));
    expect(stuck()).toEqual([]);
    bench.simulator.setFault("error");
    await pass(hours(3));
    expect(stuck()).toHaveLength(1);
    bench.simulator.setFault("ok");
    await pass(hours(1));
    expect(await waiting()).toEqual([]);
  });

  test("one that was turned down for good is listed until staff sends it again", async () => {
    await paid();
    bench.simulator.setRefunds("canceled");
    await refundAll("cancelled");
    await bench.work();
    expect(await waiting()).toEqual([["refused", 4_512_300]]);
    bench.simulator.setRefunds("succeeded");
    await inTransaction(bench.ctx.db, (tx) => payment.retryRefunds(tx, bench.ctx, "o1"));
    await bench.work();
    expect([await waiting(), await states()]).toEqual([[], ["succeeded"]]);
  });

  test("one whose money went back another way waits no longer: it could not be sent again", async () => {
    const { id } = await paid();
    bench.simulator.setRefunds("canceled");
    await refundPart(id, "staff:1", 10_000);
    await bench.work();
    bench.simulator.setRefunds("succeeded");
    await refundPart(id, "staff:2", 35_123);
    await bench.work();
    const counted = async () => (await payment.countWaiting(bench.ctx)).refundsRefused;
    expect([await waiting(), await counted()]).toEqual([[["refused", 1_000_000]], 1]); // as much is left as it needs
    await refundPart(id, "staff:3", 1);
    await bench.work();
    expect([await waiting(), await counted()]).toEqual([[], 0]);
    expect(await payment.listRefunds(bench.ctx, { after: null, limit: 10 })).toEqual([]);
    expect(await payment.hasRefundForStaff(bench.ctx.db, "o1")).toBe(false);
  });
});

describe("a refused refund that staff has paid by transfer", () => {
  const transfer = { number: "311", date: "2026-11-20" };
  const clerk = (name: string): Ctx => ({ ...bench.ctx, actor: { kind: "staff", name } });
  /** The provider refuses a refund of this sum, which the system decided, or a clerk. */
  async function refused(roubles = 45_123, cause: RefundCause = "cancelled"): Promise<{ id: string; paymentId: string }> {
    const { id } = await paid();
    bench.simulator.setRefunds("canceled");
    const refund = await refundPart(id, cause, roubles);
    await bench.work();
    bench.simulator.setRefunds("succeeded");
    return { id: refund?.id ?? "", paymentId: id };
  }
  const pay = (ctx: Ctx, refundId: string, amount: Kopecks, by = transfer) =>
    inTransaction(ctx.db, (tx) => payment.payRefusedByTransfer(tx, ctx, { orderId: "o1", refundId, transfer: by, amount }));

  test("is settled once, waits no longer, and the office prints its receipt", async () => {
    const { id } = await refused();
    for (let n = 0; n < 2; n += 1)
      expect(await pay(clerk("orlova"), id, fromRoubles(45_123))).toMatchObject({ ok: true, value: { amount: 4_512_300 } });
    await bench.pass(minutes(2));
    expect([await states(), await payment.refundsWaiting(bench.ctx)]).toEqual([["succeeded"], []]);
    expect([refundedAtProvider(), (await bench.attempts()).map(statusOf)]).toEqual([[0], ["refunded"]]);
    const printed = (await payment.receiptsOfOrder(bench.ctx.db, "o1")).filter(({ kind }) => kind === "refund");
    expect(printed).toMatchObject([{ registrar: "office", state: "new", amount: 4_512_300, mode: "full_prepayment" }]);
    expect(bench.news.filter(({ name }) => name === "refunded")).toHaveLength(1);
    const retry = () => inTransaction(bench.ctx.db, (tx) => payment.retryRefunds(tx, bench.ctx, "o1"));
    expect(await retry()).toBe(0);
    expect(await pay(clerk("orlova"), id, fromRoubles(45_123), { ...transfer, number: "312" })).toEqual({
      ok: false,
      error: { code: "refund.not_waiting" },
    });
  });

  test("is recorded with what is left of it, and with no other sum", async () => {
    const { id, paymentId } = await refused();
    await refundPart(paymentId, "staff:1", 5_123);
    await bench.work();
    expect((await payment.refundsWaiting(bench.ctx)).map(({ amount }) => amount)).toEqual([4_000_000]);
    expect(await pay(bench.ctx, id, fromRoubles(45_123))).toEqual({
      ok: false,
      error: { code: "refund.other_amount", owed: fromRoubles(40_000) },
    });
    expect(await pay(bench.ctx, id, fromRoubles(40_000))).toMatchObject({ ok: true });
    expect((await bench.attempts()).map(({ refunded }) => refunded)).toEqual([4_512_300]);
  });

  test("by the payment order of another refund of the order only when staff says that one transfer paid both", async () => {
    const { id } = await paid();
    bench.simulator.setRefunds("canceled");
    const [first, second] = [await refundPart(id, "staff:1", 1_000), await refundPart(id, "staff:2", 500)];
    await bench.work();
    expect(await pay(bench.ctx, first?.id ?? "", fromRoubles(1_000))).toMatchObject({ ok: true });
    const entered = { ok: false, error: { code: "refund.transfer_entered" } };
    expect(await pay(bench.ctx, second?.id ?? "", fromRoubles(500))).toEqual(entered);
    const both = { orderId: "o1", refundId: second?.id ?? "", transfer, amount: fromRoubles(500), isForSeveral: true };
    expect(await inTransaction(bench.ctx.db, (tx) => payment.payRefusedByTransfer(tx, bench.ctx, both))).toMatchObject({ ok: true });
    expect(await states()).toEqual(["succeeded", "succeeded"]);
  });

  test("was refused: one that the provider makes, or has made, is not recorded, nor one of another order", async () => {
    const { id } = await paid();
    bench.simulator.setRefunds("pending");
    const refund = await refundPart(id, "staff:1", 1_000);
    await bench.work();
    expect(await pay(bench.ctx, refund?.id ?? "", fromRoubles(1_000))).toEqual({ ok: false, error: { code: "refund.not_waiting" } });
    bench.simulator.settleRefund(bench.simulator.refundIds()[0] ?? "", "succeeded");
    await bench.pass(minutes(2));
    expect(await pay(bench.ctx, refund?.id ?? "", fromRoubles(1_000))).toEqual({ ok: false, error: { code: "refund.not_waiting" } });
    const elsewhere = { orderId: "o2", refundId: refund?.id ?? "", transfer, amount: fromRoubles(1_000) };
    const other = await inTransaction(bench.ctx.db, (tx) => payment.payRefusedByTransfer(tx, bench.ctx, elsewhere));
    expect(other).toEqual({ ok: false, error: { code: "refund.not_found" } });
  });

  test("by two clerks at once with two payment orders, while a third one sends it again: the money goes back once", async () => {
    const { id } = await refused();
    const other = await bench.another();
    const [first, second, retried] = await Promise.all([
      pay(clerk("orlova"), id, fromRoubles(45_123)),
      pay({ ...other, actor: { kind: "staff", name: "petrov" } }, id, fromRoubles(45_123), { ...transfer, number: "312" }),
      inTransaction(other.db, (tx) => payment.retryRefunds(tx, other, "o1")),
    ]);
    expect([first.ok, second.ok, retried > 0].filter(Boolean)).toHaveLength(1);
    await bench.work();
    expect([await states(), (await bench.attempts()).map(({ refunded }) => refunded)]).toEqual([["succeeded"], [4_512_300]]);
    expect(refundedAtProvider()).toEqual([retried > 0 ? 45_123 : 0]);
  });

  test("counts towards the day of the clerk who decided it and of the one who recorded it, and towards the order's limit", async () => {
    await paid();
    bench.simulator.setRefunds("canceled");
    const made = await inTransaction(bench.ctx.db, (tx) =>
      payment.refundPartially(tx, clerk("orlova"), "o1", { amount: fromRoubles(100) }),
    );
    await bench.work();
    const sums = () =>
      Promise.all(
        ["orlova", "petrov"].map(async (name) => (await payment.refundsBy(clerk(name), new Date(0))).map(({ amount }) => amount)),
      );
    expect(await sums()).toEqual([[], []]);
    await pay(clerk("petrov"), made.ok ? (made.value[0]?.id ?? "") : "", fromRoubles(100));
    expect(await sums()).toEqual([[10_000], [10_000]]);

    const whole = await inTransaction(bench.ctx.db, (tx) => payment.refundOrder(tx, bench.ctx, "o1", "cancelled"));
    await bench.work();
    expect(await payment.refundedByStaff(bench.ctx.db, "o1")).toBe(10_000);
    await pay(clerk("petrov"), whole[0]?.id ?? "", fromRoubles(45_023), { ...transfer, number: "312" });
    expect(await payment.refundedByStaff(bench.ctx.db, "o1")).toBe(4_512_300);
  });

  test("agrees with the provider, which knows it as refused; one that the bank made after all is a difference", async () => {
    const { id } = await refused();
    const providerId = (await bench.attempts())[0]?.providerId ?? "";
    await pay(bench.ctx, id, fromRoubles(45_123));
    await bench.work();
    const compareAt = async (morning: string) => {
      bench.clock.set(new Date(morning));
      await payment.compareDaily(bench.ctx);
      return (await payment.differences(bench.ctx.db)).map((each) => [each.kind, each.ours, each.theirs]);
    };
    expect(await compareAt("2026-11-21T01:30:00Z")).toEqual([]);
    bench.simulator.tamperRefund(bench.simulator.refundIds()[0] ?? "", { status: "succeeded" });
    expect(await compareAt("2026-11-22T01:30:00Z")).toEqual([["refund_state", "canceled", "succeeded"]]);
    // The whole sum by transfer and by the provider: the money went back twice.
    bench.simulator.tamper(providerId, { refundedKopecks: 4_512_300 });
    expect(await compareAt("2026-11-23T01:30:00Z")).toEqual([
      ["refunded", "0", "4512300"],
      ["refund_state", "canceled", "succeeded"],
    ]);
  });

  test("agrees with a provider that refused it outright, too, and knows nothing of it", async () => {
    const { id } = await paid();
    bench.simulator.refuseRefunds(1);
    const refund = await refundPart(id, "staff:1", 10_000);
    await bench.work();
    await pay(bench.ctx, refund?.id ?? "", fromRoubles(10_000));
    await bench.work();
    bench.clock.set(new Date("2026-11-21T01:30:00Z"));
    await payment.compareDaily(bench.ctx);
    expect(await payment.differences(bench.ctx.db)).toEqual([]);
  });
});

describe("the daily comparison", () => {
  const compareNextMorning = async () => {
    bench.clock.set(new Date("2026-11-21T01:30:00Z")); // half past four in Moscow
    await payment.compareDaily(bench.ctx);
    await payment.compareDaily(bench.ctx);
    return (await payment.differences(bench.ctx.db)).map((each) => [each.kind, each.ours, each.theirs]);
  };

  test("finds nothing when both sides agree, and runs once a day", async () => {
    await paid();
    await refundAll("cancelled");
    await bench.work();
    expect(await compareNextMorning()).toEqual([]);
    expect(bench.simulator.calls().filter((each) => each.path.startsWith("/payments?"))).toHaveLength(1);
  });

  test("waits for the night to end", async () => {
    bench.clock.set(new Date("2026-11-21T00:59:00Z"));
    await payment.compareDaily(bench.ctx);
    expect(bench.simulator.calls()).toEqual([]);
  });

  test.each<[string, (id: string) => void | Promise<void>, [string, string, string]]>([
    ["another sum", (id) => bench.simulator.tamper(id, { amountKopecks: 100 }), ["amount", "4512300", "100"]],
    ["money sent back past us", (id) => bench.simulator.tamper(id, { refundedKopecks: 100 }), ["refunded", "0", "100"]],
    ["another state", (id) => bench.simulator.tamper(id, { status: "canceled" }), ["state", "succeeded", "canceled"]],
    ["a payment that the provider has lost", (id) => bench.simulator.forget(id), ["unknown_there", "succeeded 4512300", ""]],
  ])("writes %s down once, with one alarm", async (_, plant, expected) => {
    const { providerId } = await paid();
    await plant(providerId);
    expect(await compareNextMorning()).toEqual([expected]);
    expect(bench.alarmed()).toEqual(["payment.difference"]);
    bench.clock.advance(days(1));
    await payment.compareDaily(bench.ctx);
    expect(bench.alarmed()).toEqual(["payment.difference"]);
  });

  /** The payment is a month old when its refund is made; the morning after it the refund is compared. */
  async function aMonthOldPayment() {
    const started = await paid();
    bench.clock.set(new Date("2026-12-20T09:00:00Z"));
    return started;
  }
  const compareAt = async (morning: string) => {
    bench.clock.set(new Date(morning));
    await payment.compareDaily(bench.ctx);
    return (await payment.differences(bench.ctx.db)).map((each) => [each.kind, each.ours, each.theirs, each.orderId]);
  };

  test("covers refunds of payments of any age, and reports one made in the provider's back office once", async () => {
    const { providerId } = await aMonthOldPayment();
    bench.simulator.refundInCabinet(providerId, 100_00 as Kopecks);
    expect(await compareAt("2026-12-21T01:30:00Z")).toEqual([["refund_unknown_here", "", "succeeded 10000", "o1"]]);
    expect(await compareAt("2026-12-22T01:30:00Z")).toHaveLength(1);
    expect(bench.alarmed()).toEqual(["payment.difference"]);
  });

  test.each<[string, (refundId: string) => void | Promise<unknown>, unknown[]]>([
    ["nothing when both agree", () => {}, []],
    ["another state", (id) => bench.simulator.tamperRefund(id, { status: "canceled" }), [["refund_state", "succeeded", "canceled", "o1"]]],
    ["another sum", (id) => bench.simulator.tamperRefund(id, { amountKopecks: 100 }), [["refund_amount", "4512300", "100", "o1"]]],
    ["one that the provider has lost", (id) => bench.simulator.forget(id), [["refund_unknown_there", "succeeded 4512300", "", "o1"]]],
    [
      "one that was booked as paid and never made",
      (id) => {
        bench.simulator.forget(id);
        return bench.ctx.db.execute(sql`update refunds set provider_id = null`);
      },
      [["refund_unknown_there", "succeeded 4512300", "", "o1"]],
    ],
  ])("finds in the refunds of an old payment: %s", async (_, plant, expected) => {
    await aMonthOldPayment();
    await refundAll("cancelled");
    await bench.work();
    await plant(bench.simulator.refundIds()[0] ?? "");
    expect(await compareAt("2026-12-21T01:30:00Z")).toEqual(expected);
  });

  test("finds payments at the provider that are unknown here", async () => {
    const stray = await bench.gateway.create({
      idempotenceKey: "stray",
      orderId: "nobody",
      attemptId: "nothing",
      orderNumber: "1",
      amount: 100_00 as Kopecks,
      method: "card",
      returnUrl: "http://localhost/",
      receipt: {
        email: "b@example.ru",
        phone: "",
        lines: [{ title: "Монета", quantity: 1, unitPrice: 100_00 as Kopecks, vatCode: 1, subject: "commodity" }],
      },
    });
    bench.simulator.act(stray.id, "pay");
    expect(await compareNextMorning()).toEqual([["unknown_here", "", "succeeded 10000"]]);
  });

  test("recovers by itself from a lost answer and the payment behind it", async () => {
    bench.simulator.loseAnswers(1);
    const started = await start(bench.ctx, aPurchase());
    expect(started.ok).toBe(false);
    bench.simulator.act(bench.simulator.payments()[0]?.id ?? "", "pay_without_webhook");
    expect(await compareNextMorning()).toEqual([]);
    await bench.work();
    expect((await bench.attempts())[0]).toMatchObject({ state: "succeeded", isKept: "kept" });
  });
});
