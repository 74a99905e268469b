import { sql } from "drizzle-orm";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { fromRoubles } from "#kit/money.ts";
import { inTransaction } from "#kit/db.ts";
import { days, hours, minutes, seconds } from "#kit/time.ts";
import { testClock } from "#tests/shop.ts";
import type { ProviderPayment } from "./gateway.ts";
import { byHand, statusOf } from "./payment.ts";
import * as payment from "./service.ts";
import { applyProviderState } from "./status.service.ts";
import { aNotification, aPurchase, aReceipt, found, openPaymentBench, type PaymentBench, start } from "./testing.ts";

let bench: PaymentBench;
const asksAboutMoney = (): number => bench.simulator.calls().filter((call) => !call.path.startsWith("/receipts")).length;
beforeEach(async () => {
  bench = await openPaymentBench(testClock());
});
afterEach(() => bench.close());

const paymentsAtProvider = () => bench.simulator.payments().map(({ status, refunded }) => [status, refunded]);
const callsOf = (method: string) => bench.simulator.calls().filter((each) => each.method === method).length;
const storedEvents = () =>
  found<{ event: string; verdict: string | null }>(bench.ctx, sql`select event, verdict from payment_events order by id`);

describe("beginning to pay", () => {
  test("twenty calls at once make one payment and return one page", async () => {
    const other = await bench.another();
    // Connections that are open already make the race closer.
    await Promise.all([bench.ctx, other].flatMap((ctx) => Array.from({ length: 10 }, () => ctx.db.execute(sql`select 1`))));
    const results = await Promise.all(Array.from({ length: 20 }, (_, n) => start(n % 2 ? bench.ctx : other, aPurchase())));
    const urls = new Set(results.map((each) => (each.ok ? each.value.confirmationUrl : each.error.code)));
    expect(urls.size).toBe(1);
    expect([...urls][0]).toMatch(/^http/);
    expect(await bench.attempts()).toHaveLength(1);
    expect(bench.simulator.payments()).toHaveLength(1);
  });

  test("paying again later returns the same page while it can be paid", async () => {
    const first = await bench.started();
    bench.clock.advance(minutes(29));
    expect((await bench.started()).confirmationUrl).toBe(first.confirmationUrl);
    expect(bench.simulator.payments()).toHaveLength(1);
  });

  test("after a decline without a webhook, paying again makes the next attempt", async () => {
    const first = await bench.started();
    bench.simulator.setNotificationUrl(null);
    bench.simulator.act(first.providerId, "decline");
    bench.clock.advance(seconds(5));
    const second = await bench.started();
    expect(second.attempt).toBe(2);
    expect((await bench.attempts()).map((each) => [each.state, each.cancellationReason])).toEqual([
      ["canceled", "general_decline"],
      ["pending", null],
    ]);
  });

  test("a decline right after a status request does not send the buyer to the closed payment page", async () => {
    const first = await bench.started();
    bench.simulator.setNotificationUrl(null);
    await payment.check(bench.ctx, first.id);
    bench.simulator.act(first.providerId, "decline");
    expect((await bench.started()).attempt).toBe(2);
  });

  test("an order already paid is not paid again, even when its state is fetched only now", async () => {
    const first = await bench.started();
    bench.simulator.act(first.providerId, "pay_without_webhook");
    bench.clock.advance(seconds(5));
    expect(await start(bench.ctx, aPurchase())).toEqual({ ok: false, error: { code: "order.not_payable" } });
    await bench.work();
    expect(bench.news.map((each) => each.name)).toEqual(["settled"]);
  });

  test("a payment above the limit of its method is refused", async () => {
    const over = fromRoubles(350_001);
    expect(await start(bench.ctx, aPurchase({ amount: over }))).toMatchObject({ ok: false, error: { code: "payment.over_limit" } });
    expect(await start(bench.ctx, aPurchase({ amount: over, methodId: 5 }))).toMatchObject({ ok: true });
    expect(await start(bench.ctx, aPurchase({ amount: fromRoubles(700_001), methodId: 5, orderId: "o2" }))).toMatchObject({
      error: { code: "payment.over_limit" },
    });
  });

  test("more lines than a receipt may have are not paid online", async () => {
    const lines = Array.from({ length: 81 }, (_, n) => ({
      title: `Монета ${n}`,
      quantity: 1,
      unitPrice: fromRoubles(100),
      vatCode: 1,
      subject: "commodity" as const,
    }));
    const long = aPurchase({ amount: fromRoubles(8_100), receipt: { email: "b@example.ru", phone: "", lines } });
    expect(await start(bench.ctx, long)).toMatchObject({ error: { code: "payment.over_limit" } });
  });

  test("a receipt whose sum is not the order's is a bug and is never sent", async () => {
    await expect(start(bench.ctx, { ...aPurchase(), amount: fromRoubles(45_124) })).rejects.toThrow(RangeError);
    expect(bench.simulator.calls()).toHaveLength(0);
  });
});

describe("when the provider does not answer", () => {
  test("the attempt stays, and the next call repeats it with the same key", async () => {
    bench.simulator.setFault("error");
    expect(await start(bench.ctx, aPurchase())).toEqual({ ok: false, error: { code: "payment.unavailable" } });
    expect((await bench.attempts()).map((each) => each.state)).toEqual(["new"]);
    bench.simulator.setFault("ok");
    expect((await bench.started()).attempt).toBe(1);
    expect(
      new Set(
        bench.simulator
          .calls()
          .filter((each) => each.method === "POST")
          .map((each) => each.key),
      ),
    ).toEqual(new Set(["order.o1.1.create"]));
  });

  test("an answer lost after the provider made the payment leads to one payment there", async () => {
    bench.simulator.loseAnswers(1);
    expect(await start(bench.ctx, aPurchase())).toMatchObject({ ok: false, error: { code: "payment.unavailable" } });
    const again = await bench.started();
    expect(bench.simulator.payments().map((each) => each.id)).toEqual([again.providerId]);
  });

  test("a payment whose answer was lost is found again by itself, with its page", async () => {
    bench.simulator.loseAnswers(1);
    await start(bench.ctx, aPurchase());
    await bench.pass(seconds(70));
    const [found] = await bench.attempts();
    expect(found).toMatchObject({ state: "pending", providerId: bench.simulator.payments()[0]?.id });
    expect(found?.confirmationUrl).toMatch(/^http/);
  });

  test("an attempt that never reached the provider is closed after a day, when its key is forgotten there", async () => {
    bench.simulator.setFault("reset");
    await start(bench.ctx, aPurchase());
    bench.simulator.setFault("ok");
    await bench.pass(hours(22), minutes(10));
    expect((await bench.attempts()).map((each) => each.state)).toEqual(["new"]);
    await bench.pass(hours(3), minutes(10));
    expect((await bench.attempts()).map((each) => [each.state, each.cancellationReason])).toEqual([["canceled", "never_created"]]);
  });

  test("a final refusal by the provider ends the attempt; the next call makes a new one", async () => {
    const bad = aPurchase();
    bad.receipt = { ...bad.receipt, email: "not an address" };
    expect(await start(bench.ctx, bad)).toMatchObject({ error: { code: "payment.unavailable" } });
    expect(bench.alarmed()).toEqual(["payment.refused"]);
    expect((await bench.started()).attempt).toBe(2);
  });
});

describe("webhooks are hints", () => {
  test("a paid order is settled by one webhook, and five of them settle it once", async () => {
    const { providerId, id } = await bench.started();
    bench.simulator.act(providerId, "pay_webhook_five_times");
    await bench.work();
    expect(bench.news).toEqual([{ name: "settled", orderId: "o1", paymentId: id, amountKopecks: 4_512_300 }]);
    expect((await bench.attempts())[0]).toMatchObject({ state: "succeeded", isKept: "kept" });
    expect(await storedEvents()).toEqual([{ event: "payment.succeeded", verdict: "confirmed" }]);
    expect(bench.alarmed()).toEqual([]);
  });

  test("a forged success changes nothing and raises one alarm, however often it comes", async () => {
    const { providerId } = await bench.started();
    const forged = aNotification("payment.succeeded", { id: providerId, status: "succeeded", amount: { value: "1.00", currency: "RUB" } });
    for (let n = 0; n < 5; n += 1) {
      expect(await payment.receiveWebhook(bench.ctx, "yookassa", forged)).toBe("stored");
      await bench.work();
      await bench.pass(seconds(3));
    }
    expect((await bench.attempts())[0]).toMatchObject({ state: "pending" });
    expect(bench.news).toEqual([]);
    expect(bench.alarmed()).toEqual(["payment.forged"]);
  });

  test("a true webhook still counts after a forged one", async () => {
    const { providerId } = await bench.started();
    await payment.receiveWebhook(bench.ctx, "yookassa", aNotification("payment.succeeded", { id: providerId, status: "succeeded" }));
    await bench.work();
    bench.simulator.act(providerId, "pay");
    await bench.pass(seconds(3));
    expect((await bench.attempts())[0]).toMatchObject({ state: "succeeded" });
  });

  test("a forged failure of a paid payment changes nothing, calls no provider and raises an alarm", async () => {
    const { providerId } = await bench.started();
    bench.simulator.act(providerId, "pay");
    await bench.work();
    const before = asksAboutMoney();
    await payment.receiveWebhook(bench.ctx, "yookassa", aNotification("payment.canceled", { id: providerId, status: "canceled" }));
    await bench.pass(minutes(1));
    expect((await bench.attempts())[0]).toMatchObject({ state: "succeeded", isKept: "kept" });
    expect(asksAboutMoney()).toBe(before);
    expect(bench.alarmed()).toEqual(["payment.forged"]);
  });

  test.each<[string, Partial<ProviderPayment>]>([
    ["of another shop's account", { shopAccount: "100501" }],
    ["of no account", { shopAccount: null }],
    ["in another currency", { currency: "USD" }],
    ["of the provider's test mode", { isTest: true }],
  ])("money %s is not ours to keep: no change, an alarm", async (_, change) => {
    const { id } = await bench.started();
    const { payment: gateway } = bench.ctx.gateways;
    const withAnswer = {
      ...bench.ctx,
      gateways: {
        ...bench.ctx.gateways,
        payment: {
          ...gateway,
          find: async (providerId: string) => {
            const found = await gateway.find(providerId);
            return found && { ...found, status: "succeeded" as const, ...change };
          },
        },
      },
    };
    bench.clock.advance(seconds(3));
    await payment.check(withAnswer, id);
    await bench.work();
    expect((await bench.attempts())[0]).toMatchObject({ state: "pending", isKept: "undecided" });
    expect(bench.news).toEqual([]);
    expect(bench.alarmed()).toEqual(["payment.mismatch"]);
  });

  test.each([
    ["another amount", { amountKopecks: 100 }],
    ["another order", { metadata: { order_id: "o2", attempt_id: "x" } }],
    ["no order at all", { metadata: {} }],
  ])("money with %s is not ours to keep: no change, an alarm", async (_, change) => {
    const { providerId } = await bench.started();
    bench.simulator.tamper(providerId, change);
    bench.simulator.act(providerId, "pay");
    await bench.work();
    expect((await bench.attempts())[0]).toMatchObject({ state: "pending" });
    expect(bench.news).toEqual([]);
    expect(bench.alarmed()).toEqual(["payment.mismatch"]);
  });

  test.each([
    ["canceled", "succeeded"],
    ["succeeded", "canceled"],
  ] as const)("a payment that is %s stays so when a later answer says %s, with an alarm", async (first, second) => {
    const { id, providerId } = await bench.started();
    const answer = await bench.ctx.gateways.payment.find(providerId);
    if (!answer) throw new Error("the provider does not know the payment");
    const says = (status: ProviderPayment["status"]) =>
      applyProviderState(bench.ctx, id, { ...answer, status }, { askedAt: bench.clock.now(), leaseEnd: null });
    await says(first);
    expect(bench.alarmed()).toEqual([]);
    await says(second);
    expect((await bench.attempts())[0]).toMatchObject({ state: first });
    expect(bench.alarmed()).toEqual(["payment.mismatch"]);
  });

  test("what is unknown, malformed or from another provider is dropped without a call out", async () => {
    await bench.started();
    const before = bench.simulator.calls().length;
    const unknown = aNotification("payment.succeeded", { id: "22e12f66-000f-5000-8000-18db351245c7", status: "succeeded" });
    for (const raw of [unknown, "", "{", "[]", '{"type":"notification"}', "\u0000", `{"a":"${"x".repeat(100_000)}"}`])
      expect(await payment.receiveWebhook(bench.ctx, "yookassa", raw)).toBe("dropped");
    expect(await payment.receiveWebhook(bench.ctx, "paypal", unknown)).toBe("dropped");
    await bench.pass(seconds(5));
    expect(bench.simulator.calls().length).toBe(before);
    expect(await storedEvents()).toEqual([]);
  });

  test("a body with signs that a database cannot store as JSON is stored all the same", async () => {
    const { providerId } = await bench.started();
    const object = `{"id":"${providerId}","status":"succeeded","x":"\\u0000\\ud800"}`;
    const nasty = `{"type":"notification","event":"payment.succeeded","object":${object}}`;
    expect(await payment.receiveWebhook(bench.ctx, "yookassa", nasty)).toBe("stored");
  });

  test("many webhooks about one payment cause at most one status request in two seconds", async () => {
    const { providerId } = await bench.started();
    const before = callsOf("GET");
    const other = await bench.another();
    for (let second = 0; second < 10; second += 1) {
      const storm = Array.from({ length: 100 }, (_, n) =>
        payment.receiveWebhook(
          n % 2 ? bench.ctx : other,
          "yookassa",
          aNotification("payment.succeeded", { id: providerId, status: "succeeded" }),
        ),
      );
      expect(new Set(await Promise.all(storm))).toEqual(new Set(["stored"]));
      await bench.work();
      await bench.pass(seconds(1), seconds(1));
    }
    expect(callsOf("GET") - before).toBeLessThanOrEqual(6);
  });

  test("two processes and many visitors that wait for one payment send one status request in two seconds", async () => {
    const { id } = await bench.started();
    const other = await bench.another();
    await Promise.all(Array.from({ length: 20 }, (_, n) => payment.check(n % 2 ? bench.ctx : other, id)));
    await payment.checkOrder(bench.ctx, "o1");
    expect(callsOf("GET")).toBe(1);
    bench.clock.advance(seconds(2));
    await payment.checkOrder(other, "o1");
    expect(callsOf("GET")).toBe(2);
  });

  test("a webhook that arrives during a status request is not missed", async () => {
    const { providerId, id } = await bench.started();
    await payment.check(bench.ctx, id); // says: pending
    bench.simulator.act(providerId, "pay"); // and now the webhook comes, within the same two seconds
    await bench.work();
    expect(bench.news).toEqual([]);
    await bench.pass(seconds(2), seconds(1));
    expect(bench.news).toHaveLength(1);
  });

  test("a webhook that overtakes the answer to our own request is not missed", async () => {
    const { id } = await bench.started();
    const { payment: real } = bench.ctx.gateways;
    bench.ctx.gateways.payment = {
      ...real,
      async find(providerId) {
        const answer = await real.find(providerId);
        bench.simulator.act(providerId, "pay"); // the buyer pays while the old answer is on its way
        await bench.simulator.quiet();
        return answer;
      },
    };
    bench.clock.advance(minutes(3));
    await payment.check(bench.ctx, id);
    bench.ctx.gateways.payment = real;
    await bench.pass(seconds(3), seconds(1));
    expect(bench.news).toHaveLength(1);
  });

  test("fifty webhooks during an outage of five minutes are all taken and settled within two minutes after it", async () => {
    const started = [];
    for (let n = 0; n < 50; n += 1) started.push(await bench.started({ orderId: `o${n}` }));
    bench.simulator.setFault("reset");
    for (const each of started) bench.simulator.act(each.providerId, "pay");
    await bench.work();
    expect(await storedEvents()).toHaveLength(50);
    await bench.pass(minutes(5), seconds(20));
    expect(bench.news).toEqual([]);
    bench.simulator.setFault("ok");
    await bench.pass(minutes(2), seconds(10));
    expect(new Set(bench.news.map((each) => each.orderId)).size).toBe(50);
    expect(bench.news).toHaveLength(50);
  });
});

describe("lost webhooks", () => {
  test.each([0, 8, 40])("money paid %i minutes later without a webhook is found within a minute by itself", async (waited) => {
    const { providerId } = await bench.started();
    await bench.pass(minutes(waited));
    bench.simulator.act(providerId, "pay_without_webhook");
    await bench.pass(seconds(60));
    expect(bench.news).toHaveLength(1);
  });

  test("it is found at once when the buyer returns", async () => {
    const { providerId } = await bench.started();
    bench.simulator.act(providerId, "pay_without_webhook");
    expect(await payment.checkOrder(bench.ctx, "o1")).toEqual({ isCertain: true });
    await bench.work();
    expect((await bench.attempts())[0]).toMatchObject({ state: "succeeded", isKept: "kept" });
  });

  test("while the provider is out, an order does not count as unpaid", async () => {
    const { providerId } = await bench.started();
    bench.simulator.act(providerId, "pay_without_webhook");
    bench.simulator.setFault("error");
    expect(await payment.checkOrder(bench.ctx, "o1")).toEqual({ isCertain: false });
    expect((await bench.attempts())[0]).toMatchObject({ state: "pending" });
  });

  test("a lost announcement is repeated until the orders have decided", async () => {
    const { providerId, id } = await bench.started();
    bench.simulator.act(providerId, "pay_without_webhook");
    await payment.check(bench.ctx, id);
    await bench.drain({ "payment.settled": async () => {} }); // received, without effect
    await bench.pass(minutes(5) + seconds(5));
    expect(bench.news).toHaveLength(1);
    await bench.pass(minutes(20), minutes(1));
    expect(bench.news).toHaveLength(1);
  });

  test("an unpaid link is closed when it has run out", async () => {
    await bench.started();
    await bench.pass(minutes(61), seconds(20));
    expect((await bench.attempts()).map((each) => [each.state, each.cancellationReason])).toEqual([
      ["canceled", "expired_on_confirmation"],
    ]);
    const before = bench.simulator.calls().length;
    await bench.pass(hours(2), minutes(5));
    expect(bench.simulator.calls().length).toBe(before);
  });
});

describe("a payment that stays open", () => {
  async function aHold(): Promise<string> {
    const { providerId } = await bench.started();
    bench.simulator.tamper(providerId, { status: "waiting_for_capture" });
    await bench.pass(minutes(70), minutes(1));
    return providerId;
  }
  const succeeded = (id: string) => aNotification("payment.succeeded", { id, status: "succeeded" });

  test("is checked hourly after its link has expired, then daily, and no more after the eighth day", async () => {
    await aHold();
    const asked = async (time: number) => {
      const before = callsOf("GET");
      await bench.pass(time, minutes(1));
      return callsOf("GET") - before;
    };
    expect(await asked(hours(10))).toBeLessThanOrEqual(11);
    expect(await asked(hours(37))).toBeGreaterThanOrEqual(35);
    expect(await asked(days(3))).toBeLessThanOrEqual(4);
    expect(await asked(days(4))).toBeGreaterThanOrEqual(2);
    expect(await asked(days(5))).toBe(0);
  });

  test("is checked at once when a webhook comes, also while the answer to an hourly request is on its way", async () => {
    const providerId = await aHold();
    const { payment: real } = bench.ctx.gateways;
    let requests = 0;
    bench.ctx.gateways.payment = {
      ...real,
      async find(id) {
        const answer = await real.find(id);
        requests += 1;
        if (requests > 1) return answer;
        bench.simulator.tamper(id, { status: "succeeded" });
        bench.clock.advance(seconds(1));
        await payment.receiveWebhook(bench.ctx, "yookassa", succeeded(id));
        return answer;
      },
    };
    bench.clock.advance(hours(1));
    await payment.reconcile(bench.ctx);
    expect(requests).toBe(1);
    await bench.pass(seconds(5), seconds(1));
    expect(bench.news).toHaveLength(1);
    expect((await bench.attempts()).map((each) => [each.providerId, each.state])).toEqual([[providerId, "succeeded"]]);
  });

  test("whose webhook came during an outage is checked again within ten minutes", async () => {
    const providerId = await aHold();
    bench.simulator.setFault("error");
    bench.simulator.tamper(providerId, { status: "succeeded" });
    await payment.receiveWebhook(bench.ctx, "yookassa", succeeded(providerId));
    await bench.work();
    bench.simulator.setFault("ok");
    expect(bench.news).toEqual([]);
    await bench.pass(minutes(10));
    expect(bench.news).toHaveLength(1);
  });

  test("is watched for the whole hour of a page that was requested again", async () => {
    bench.simulator.setFault("error");
    await start(bench.ctx, aPurchase());
    bench.simulator.setFault("ok");
    await bench.pass(minutes(50), minutes(1));
    const { attempt, providerId } = await bench.started();
    expect(attempt).toBe(1);
    await bench.pass(minutes(45));
    bench.simulator.act(providerId, "pay_without_webhook");
    await bench.pass(seconds(60));
    expect(bench.news).toHaveLength(1);
  });
});

test("money that the provider only blocks raises one alarm, and pays the order once it is captured in the provider's account", async () => {
  const { providerId } = await bench.started();
  bench.simulator.tamper(providerId, { status: "waiting_for_capture" });
  await bench.pass(minutes(10));
  expect((await bench.attempts()).map((each) => each.state)).toEqual(["waiting_for_capture"]);
  expect(bench.alarmed()).toEqual(["payment.mismatch"]);
  bench.simulator.tamper(providerId, { status: "succeeded" });
  await bench.pass(minutes(1));
  expect((await bench.attempts()).map((each) => [each.state, each.isKept])).toEqual([["succeeded", "kept"]]);
  expect(bench.alarmed()).toEqual(["payment.mismatch"]);
});

test("a receipt that the register prints after a failed one is the one that counts", async () => {
  bench.simulator.setReceipts("canceled");
  const { providerId } = await bench.started();
  bench.simulator.act(providerId, "pay");
  await bench.pass(minutes(1));
  const [failed] = await payment.receiptsWaiting(bench.ctx.db);
  expect([failed?.state, bench.alarmed()]).toEqual(["canceled", ["payment.receipt_failed"]]);
  bench.simulator.setReceipts("succeeded");
  bench.simulator.printReceiptAgain(providerId);
  await payment.applyReceiptEvent(bench.ctx, failed?.id ?? "", "retry");
  await bench.pass(minutes(1));
  expect(await payment.receiptsOfOrder(bench.ctx.db, "o1")).toMatchObject([{ kind: "payment", state: "succeeded" }]);
  expect(bench.alarmed()).toEqual(["payment.receipt_failed"]);
});

describe("two payments for one order", () => {
  test("another method makes another attempt; when both are paid, the first payment is kept and the second refunded", async () => {
    const card = await bench.started();
    const sbp = await bench.started({ methodId: 5 });
    expect([card.attempt, sbp.attempt]).toEqual([1, 2]);
    bench.simulator.act(sbp.providerId, "pay");
    await bench.work();
    bench.simulator.act(card.providerId, "pay");
    await bench.work();
    await bench.pass(seconds(10));
    expect((await bench.attempts()).map((each) => [each.method, each.isKept, each.refunded])).toEqual([
      ["card", "returned", 4_512_300],
      ["sbp", "kept", 0],
    ]);
    expect(paymentsAtProvider()).toEqual([
      ["succeeded", 45_123],
      ["succeeded", 0],
    ]);
    expect(bench.alarmed()).toEqual(["payment.second_money"]);
  });

  test("a late failure of the first attempt does not affect the success of the second", async () => {
    const card = await bench.started();
    const sbp = await bench.started({ methodId: 5 });
    bench.simulator.act(sbp.providerId, "pay");
    await bench.work();
    bench.simulator.act(card.providerId, "decline");
    await bench.work();
    await bench.pass(minutes(2));
    expect((await bench.attempts()).map((each) => [each.state, each.isKept])).toEqual([
      ["canceled", "undecided"],
      ["succeeded", "kept"],
    ]);
    expect(bench.news).toHaveLength(1);
  });
});

describe("money by transfer and at the desk", () => {
  const record = (orderId: string, roubles: number) =>
    inTransaction(bench.ctx.db, async (tx) => {
      const taken = await payment.recordManualPayment(tx, bench.ctx, {
        orderId,
        orderNumber: "17",
        methodName: "invoice",
        amount: fromRoubles(roubles),
        receipt: aReceipt(fromRoubles(roubles)),
        receiptMode: "full_prepayment",
      });
      await payment.markKept(tx, taken.id);
      return taken;
    });

  test("needs no provider: each sum that staff counted is a payment of its own, settled at once", async () => {
    expect(await record("o1", 1_200_000)).toMatchObject({ provider: byHand, state: "succeeded", confirmationUrl: null, attempt: 1 });
    expect(await record("o1", 5)).toMatchObject({ attempt: 2 });
    expect((await bench.attempts()).map((each) => [each.amount, each.isKept])).toEqual([
      [fromRoubles(1_200_000), "kept"],
      [fromRoubles(5), "kept"],
    ]);
    expect(bench.simulator.calls()).toHaveLength(0);
    await expect(start(bench.ctx, aPurchase({ methodId: 6 }))).rejects.toThrow("not paid online");
    // A part by transfer is paid up by transfer.
    expect(await start(bench.ctx, aPurchase())).toEqual({ ok: false, error: { code: "order.not_payable" } });
  });

  test("two staff members at once record two sums", async () => {
    await Promise.all(Array.from({ length: 8 }, () => record("o1", 100)));
    expect((await bench.attempts()).map((each) => each.attempt)).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
  });

  test("is refunded by hand: the refund waits until staff confirms it", async () => {
    await record("o1", 45_123);
    await inTransaction(bench.ctx.db, (tx) => payment.refundOrder(tx, bench.ctx, "o1", "returned"));
    await bench.pass(minutes(5));
    expect((await bench.attempts()).map(statusOf)).toEqual(["succeeded"]);
    expect(bench.alarmed()).toEqual(["payment.refund_by_hand"]);
    for (let n = 0; n < 2; n += 1) await inTransaction(bench.ctx.db, (tx) => payment.confirmRefundsByHand(tx, bench.ctx, "o1"));
    await bench.work();
    expect((await bench.attempts()).map(statusOf)).toEqual(["refunded"]);
    expect(bench.news.map((each) => each.name)).toEqual(["refunded"]);
  });
});
