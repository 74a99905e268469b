import { mkdtempSync, rmSync, appendFileSync } from "node:fs";
import { createServer, type Server, type ServerResponse } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { OutboundError } from "#kit/network/outbound.ts";
import { fromRoubles, kopecks } from "#kit/money.ts";
import { hours, minutes, plus } from "#kit/time.ts";
import { PaymentRefused, type CreatePayment } from "#shop/payment/gateway.ts";
import { createYookassaGateway } from "./adapter.ts";
import { startYookassaSimulator, type YookassaSimulator } from "./simulator.ts";

const credentials = { shopId: "100500", secretKey: "test_secret" };
const noon = new Date("2026-11-20T09:00:00Z");
let at = noon;
const clock = {
  now: () => at,
  advance: (milliseconds: number) => {
    at = plus(at, milliseconds);
  },
};
let simulator: YookassaSimulator;
let gateway: ReturnType<typeof createYookassaGateway>;

beforeEach(async () => {
  at = noon;
  simulator = await startYookassaSimulator({ now: clock.now, ...credentials });
  gateway = createYookassaGateway({ baseUrl: `${simulator.url}/v3`, now: clock.now, ...credentials });
});
afterEach(async () => {
  await gateway.close();
  await simulator.close();
});

const aPurchase = (change: Partial<CreatePayment> = {}): CreatePayment => ({
  idempotenceKey: "order:o1:1:create",
  orderId: "o1",
  attemptId: "p1",
  orderNumber: "17",
  amount: fromRoubles(45_123),
  method: "card",
  returnUrl: "http://localhost:3000/thanks?order=o1",
  receipt: {
    email: "buyer@example.ru",
    phone: "+79161234567",
    lines: [
      { title: "Георгий Победоносец, золото 7,78 г", quantity: 1, unitPrice: fromRoubles(44_723), vatCode: 1, subject: "commodity" },
      { title: "Доставка", quantity: 1, unitPrice: fromRoubles(400), vatCode: 1, subject: "service" },
    ],
  },
  ...change,
});
const press = (url: string | null, outcome: string) =>
  fetch(url ?? "", { method: "POST", body: new URLSearchParams({ outcome }), redirect: "manual" });

describe("paying", () => {
  test("a payment begins pending, leads to a page, and is succeeded once the buyer pays there", async () => {
    const made = await gateway.create(aPurchase());
    expect(made).toMatchObject({
      status: "pending",
      amount: fromRoubles(45_123),
      currency: "RUB",
      orderId: "o1",
      attemptId: "p1",
      shopAccount: "100500",
      refunded: 0,
    });
    expect(made.id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-5[0-9a-f]{3}-8[0-9a-f]{3}-[0-9a-f]{12}$/);

    const page = await fetch(made.confirmationUrl ?? "");
    const words = await page.text();
    expect(words).toContain("45\u00a0123\u00a0₽");
    expect(words).toContain("Заказ № 17");
    expect(words.match(/<button/g)).toHaveLength(5);

    const back = await press(made.confirmationUrl, "pay");
    expect([back.status, back.headers.get("location")]).toEqual([303, "http://localhost:3000/thanks?order=o1"]);
    expect(await gateway.find(made.id)).toMatchObject({ status: "succeeded", confirmationUrl: null });
    expect(simulator.payments()).toEqual([{ id: made.id, orderId: "o1", amount: 45_123, status: "succeeded", refunded: 0 }]);
  });

  test("a declined payment is canceled with a reason, and pressing again changes nothing", async () => {
    const made = await gateway.create(aPurchase());
    await press(made.confirmationUrl, "decline");
    expect((await press(made.confirmationUrl, "pay")).status).toBe(303);
    expect(await gateway.find(made.id)).toMatchObject({ status: "canceled", cancellationReason: "general_decline" });
  });

  test("an abandoned payment stays payable for an hour and then runs out", async () => {
    const made = await gateway.create(aPurchase());
    await press(made.confirmationUrl, "abandon");
    clock.advance(minutes(60) - 1);
    expect(await gateway.find(made.id)).toMatchObject({ status: "pending" });
    clock.advance(1);
    expect(await gateway.find(made.id)).toMatchObject({ status: "canceled", cancellationReason: "expired_on_confirmation" });
    expect((await press(made.confirmationUrl, "pay")).status).toBe(303);
    expect(await gateway.find(made.id)).toMatchObject({ status: "canceled" });
  });

  test("the page takes the choice as a form of either kind and refuses an unknown one", async () => {
    const made = await gateway.create(aPurchase());
    expect((await press(made.confirmationUrl, "steal")).status).toBe(422);
    const form = new FormData();
    form.set("outcome", "pay");
    const back = await fetch(made.confirmationUrl ?? "", { method: "POST", body: form, redirect: "manual" });
    expect(back.status).toBe(303);
    expect(await gateway.find(made.id)).toMatchObject({ status: "succeeded" });
    expect((await fetch(`${simulator.url}/checkout/payments/nothing`)).status).toBe(404);
  });

  test("an unknown payment is null, not a fault", async () => {
    expect(await gateway.find("22e12f66-000f-5000-8000-18db351245c7")).toBeNull();
    expect(await gateway.findRefund("22e12f66-000f-5000-8000-18db351245c7")).toBeNull();
  });
});

describe("what goes over the wire", () => {
  test.each([
    ["+7 495 123-45-67", undefined],
    ["+77001234567", undefined],
    ["+79161234567", "79161234567"],
    ["", undefined],
  ])("a receipt names a phone only if it gets an SMS, and the e-mail in ASCII: %s", async (phone, sent) => {
    const { lines } = aPurchase().receipt;
    const made = await gateway.create(aPurchase({ receipt: { email: "b@пример.рф", phone, lines } }));
    expect(made).toMatchObject({ status: "pending", confirmationUrl: expect.any(String) });
    const { receipt } = JSON.parse(simulator.calls().at(-1)?.body ?? "") as { receipt: { customer: object } };
    expect(receipt.customer).toEqual({ email: "b@xn--e1afmkfd.xn--p1ai", ...(sent ? { phone: sent } : {}) });
  });

  test("amounts are decimal strings, capture is requested, the receipt is a full prepayment, keys use the vendor's alphabet", async () => {
    await gateway.create(
      aPurchase({
        amount: kopecks(4_512_350),
        method: "sbp",
        receipt: {
          email: "b@example.ru",
          phone: "+7 (916) 123-45-67",
          lines: [{ title: "м".repeat(200), quantity: 2, unitPrice: kopecks(2_256_175), vatCode: 11, subject: "commodity" }],
        },
      }),
    );
    const [call] = simulator.calls();
    expect(call?.key).toBe("order.o1.1.create");
    expect(JSON.parse(call?.body ?? "")).toEqual({
      amount: { value: "45123.50", currency: "RUB" },
      capture: true,
      description: "Заказ № 17",
      metadata: { order_id: "o1", attempt_id: "p1" },
      confirmation: { type: "redirect", return_url: "http://localhost:3000/thanks?order=o1", locale: "ru_RU" },
      payment_method_data: { type: "sbp" },
      receipt: {
        customer: { email: "b@example.ru", phone: "79161234567" },
        items: [
          {
            description: "м".repeat(128),
            quantity: 2,
            amount: { value: "22561.75", currency: "RUB" },
            vat_code: 11,
            measure: "piece",
            payment_subject: "commodity",
            payment_mode: "full_prepayment",
          },
        ],
      },
    });
  });

  test("receipts carry the seller's tax system where its register wants it", async () => {
    const withSystem = createYookassaGateway({ baseUrl: `${simulator.url}/v3`, now: clock.now, ...credentials, taxSystemCode: 2 });
    await withSystem.create(aPurchase());
    expect(JSON.parse(simulator.calls().at(-1)?.body ?? "")).toMatchObject({ receipt: { tax_system_code: 2 } });
    await withSystem.close();
  });

  test("the simulator refuses what the vendor refuses", async () => {
    const refused = (change: Partial<CreatePayment>) =>
      expect(gateway.create(aPurchase({ idempotenceKey: crypto.randomUUID(), ...change }))).rejects.toThrow(PaymentRefused);
    await refused({ amount: fromRoubles(45_124) }); // receipt does not sum up
    await refused({ idempotenceKey: "k".repeat(65) });
    await refused({ returnUrl: "not an address" });
    const lines = aPurchase().receipt.lines;
    await refused({ receipt: { email: "", phone: "", lines } });
    await refused({ receipt: { email: "b@example.ru", phone: "", lines: lines.map((each) => ({ ...each, vatCode: 13 })) } });
    const dear = [{ title: "Монета", quantity: 1, unitPrice: fromRoubles(700_001), vatCode: 1, subject: "commodity" as const }];
    await refused({ amount: fromRoubles(700_001), method: "sbp", receipt: { email: "b@example.ru", phone: "", lines: dear } });
    expect(simulator.payments()).toEqual([]);
  });

  test("credentials, content type and method are checked", async () => {
    const stranger = createYookassaGateway({ baseUrl: simulator.url, shopId: "100500", secretKey: "wrong" });
    const thrown = await stranger.create(aPurchase()).catch((error: unknown) => error);
    expect(thrown).not.toBeInstanceOf(PaymentRefused); // a key being changed is not a reason to drop what is owed
    await stranger.close();
    const authorization = `Basic ${btoa("100500:test_secret")}`;
    expect(
      (await fetch(`${simulator.url}/v3/payments`, { method: "POST", headers: { authorization, "idempotence-key": "a" }, body: "{}" }))
        .status,
    ).toBe(415);
    expect((await fetch(`${simulator.url}/v3/payments`, { method: "DELETE", headers: { authorization } })).status).toBe(405);
    expect(
      await (
        await fetch(`${simulator.url}/v3/payments`, {
          method: "POST",
          headers: { authorization, "content-type": "application/json" },
          body: "{}",
        })
      ).json(),
    ).toMatchObject({ type: "error", code: "invalid_request", parameter: "Idempotence-Key" });
  });
});

describe("the same key", () => {
  test("with the same body gives the same payment, with another body a refusal, and is forgotten after a day", async () => {
    const first = await gateway.create(aPurchase());
    expect((await gateway.create(aPurchase())).id).toBe(first.id);
    await expect(gateway.create(aPurchase({ orderNumber: "18" }))).rejects.toThrow(/Idempotence key duplicated/);
    clock.advance(hours(24) + 1);
    expect((await gateway.create(aPurchase())).id).not.toBe(first.id);
  });

  test("makes one payment when the answer is cut off after the provider has acted", async () => {
    simulator.loseAnswers(1);
    await expect(gateway.create(aPurchase())).rejects.toThrow(OutboundError);
    const made = await gateway.create(aPurchase());
    expect(simulator.payments().map((each) => each.id)).toEqual([made.id]);
  });
});

describe("refunds", () => {
  const paid = async () => {
    const made = await gateway.create(aPurchase());
    simulator.act(made.id, "pay");
    return made.id;
  };
  const back = (providerPaymentId: string, idempotenceKey: string, roubles: number) =>
    gateway.refund({
      idempotenceKey,
      providerPaymentId,
      amount: fromRoubles(roubles),
      mode: "full_prepayment",
      receipt: {
        email: "buyer@example.ru",
        phone: "",
        lines: [{ title: "Монета", quantity: 1, unitPrice: fromRoubles(roubles), vatCode: 1, subject: "commodity" }],
      },
    });

  test("go back in parts, never above what was paid, once per key", async () => {
    const id = await paid();
    const part = await back(id, "r:1", 5_123);
    expect(part).toMatchObject({ paymentId: id, status: "succeeded", amount: fromRoubles(5_123) });
    expect((await back(id, "r:1", 5_123)).id).toBe(part.id);
    expect((await gateway.find(id))?.refunded).toBe(fromRoubles(5_123));
    await expect(back(id, "r:2", 40_000.01)).rejects.toThrow(PaymentRefused);
    await back(id, "r:3", 40_000);
    expect(await gateway.find(id)).toMatchObject({ status: "succeeded", refunded: fromRoubles(45_123) });
  });

  test("may wait for days and are found by their id", async () => {
    const id = await paid();
    simulator.setRefunds("pending");
    const waiting = await back(id, "r:1", 45_123);
    expect(waiting.status).toBe("pending");
    await expect(back(id, "r:2", 1)).rejects.toThrow(PaymentRefused); // promised already
    simulator.settleRefund(waiting.id, "succeeded");
    expect(await gateway.findRefund(waiting.id)).toMatchObject({ status: "succeeded" });
  });

  test("an unpaid payment has nothing to give back", async () => {
    const made = await gateway.create(aPurchase());
    await expect(back(made.id, "r:1", 100)).rejects.toThrow(PaymentRefused);
  });
});

describe("receipts (54-FZ)", () => {
  const paid = async () => {
    const made = await gateway.create(aPurchase());
    simulator.act(made.id, "pay");
    return made;
  };
  const handOver = (providerPaymentId: string, change: Partial<CreatePayment["receipt"]> = {}, idempotenceKey = "receipt:1") =>
    gateway.registerHandover({ idempotenceKey, providerPaymentId, receipt: { ...aPurchase().receipt, ...change } });

  test("the payment's own is printed with it and is known by its numbers", async () => {
    const { id } = await paid();
    expect(await gateway.receiptsOf({ providerPaymentId: id })).toEqual([
      {
        id: expect.stringMatching(/^rt-[0-9a-f-]{36}$/),
        kind: "payment",
        status: "succeeded",
        fiscal: {
          documentNumber: "1001",
          storageNumber: "9960440300000001",
          attribute: expect.stringMatching(/^\d{10}$/),
          registeredAt: noon.toISOString(),
        },
      },
    ]);
    expect(await gateway.receiptsOf({ providerPaymentId: "another" })).toEqual([]);
  });

  test("at hand-over a second one sets the prepayment off: full payment, settled by prepayment, sent to the buyer", async () => {
    const { id } = await paid();
    const made = await handOver(id);
    expect(made).toMatchObject({ kind: "handover", status: "succeeded", fiscal: { documentNumber: "1002" } });
    expect(await gateway.findReceipt(made.id)).toEqual(made);
    expect((await gateway.receiptsOf({ providerPaymentId: id })).map((each) => each.kind)).toEqual(["payment", "handover"]);
    const call = simulator.calls().find((each) => each.method === "POST" && each.path === "/receipts");
    expect(call?.key).toBe("receipt.1");
    expect(JSON.parse(call?.body ?? "")).toEqual({
      type: "payment",
      payment_id: id,
      send: true,
      customer: { email: "buyer@example.ru", phone: "79161234567" },
      settlements: [{ type: "prepayment", amount: { value: "45123.00", currency: "RUB" } }],
      items: [
        {
          description: "Георгий Победоносец, золото 7,78 г",
          quantity: 1,
          amount: { value: "44723.00", currency: "RUB" },
          vat_code: 1,
          measure: "piece",
          payment_subject: "commodity",
          payment_mode: "full_payment",
        },
        {
          description: "Доставка",
          quantity: 1,
          amount: { value: "400.00", currency: "RUB" },
          vat_code: 1,
          measure: "piece",
          payment_subject: "service",
          payment_mode: "full_payment",
        },
      ],
    });
  });

  test("the same key makes one, also when the answer was lost; another body under it is refused", async () => {
    const { id } = await paid();
    simulator.loseAnswers(1);
    await expect(handOver(id)).rejects.toThrow(OutboundError);
    const made = await handOver(id);
    expect(simulator.receipts(id).map((each) => each.id)).toEqual([expect.any(String), made.id]);
    await expect(handOver(id, { email: "other@example.ru" })).rejects.toThrow(/Idempotence key duplicated/);
  });

  test("what the vendor refuses is refused: an unpaid payment, more than is left of it, no e-mail", async () => {
    const unpaid = await gateway.create(aPurchase({ idempotenceKey: "k2", attemptId: "p2" }));
    await expect(handOver(unpaid.id)).rejects.toThrow(PaymentRefused);
    const { id } = await paid();
    await expect(handOver(id, { email: "" }, "r2")).rejects.toThrow(PaymentRefused);
    const [line] = aPurchase().receipt.lines;
    await expect(handOver(id, { lines: line ? [{ ...line, unitPrice: fromRoubles(45_124) }] : [] }, "r3")).rejects.toThrow(PaymentRefused);
    await gateway.refund({
      idempotenceKey: "back",
      providerPaymentId: id,
      amount: fromRoubles(400),
      receipt: { ...aPurchase().receipt, lines: aPurchase().receipt.lines.slice(1) },
      mode: "full_prepayment",
    });
    await expect(handOver(id, {}, "r4")).rejects.toThrow(PaymentRefused); // a part of it is not the shop's any more
  });

  test("a refund's names its mode and is found by the refund", async () => {
    const { id } = await paid();
    const back = await gateway.refund({
      idempotenceKey: "back",
      providerPaymentId: id,
      amount: fromRoubles(400),
      receipt: { ...aPurchase().receipt, lines: aPurchase().receipt.lines.slice(1) },
      mode: "full_payment",
    });
    expect(await gateway.receiptsOf({ providerRefundId: back.id })).toMatchObject([{ kind: "refund", status: "succeeded" }]);
    const call = simulator.calls().find((each) => each.path === "/refunds");
    expect(JSON.parse(call?.body ?? "")).toMatchObject({ receipt: { items: [{ payment_mode: "full_payment" }] } });
  });

  test("one may wait for the register, and may fail there", async () => {
    const { id } = await paid();
    simulator.setReceipts("pending");
    const waiting = await handOver(id);
    expect(waiting).toMatchObject({ status: "pending", fiscal: null });
    simulator.settleReceipt(waiting.id, "canceled");
    expect(await gateway.findReceipt(waiting.id)).toMatchObject({ status: "canceled", fiscal: null });
    expect(await gateway.findReceipt("rt-nothing")).toBeNull();
  });

  test.each(["error", "garbage", "reset", "timeout"] as const)(
    "in the mode %s the outcome is open, and the same key works afterwards",
    async (mode) => {
      const { id } = await paid();
      simulator.setFault(mode);
      const asking = handOver(id).catch((error: unknown) => error);
      if (mode === "timeout") setTimeout(() => simulator.setFault("ok"), 100); // the swallowed call is cut, as by a server that restarts
      const thrown = await asking;
      expect(thrown).toBeInstanceOf(Error);
      expect(thrown).not.toBeInstanceOf(PaymentRefused);
      simulator.setFault("ok");
      expect((await handOver(id)).status).toBe("succeeded");
      expect(simulator.receipts(id)).toHaveLength(2);
    },
  );
});

test("payments of a span are listed over all pages", async () => {
  const from = clock.now();
  for (let n = 0; n < 103; n += 1) await gateway.create(aPurchase({ idempotenceKey: `k${n}`, attemptId: `p${n}` }));
  clock.advance(hours(1));
  const till = clock.now();
  await gateway.create(aPurchase({ idempotenceKey: "later" }));
  const listed = await gateway.list({ from, till });
  expect(new Set(listed.map((each) => each.attemptId)).size).toBe(103);
  expect(await gateway.list({ from: plus(noon, -hours(2)), till: from })).toEqual([]);
});

test("a payment of a test shop is known as one, and counts only where the shop is on trial", async () => {
  const testShop = await startYookassaSimulator({ now: clock.now, ...credentials, isTest: true });
  const [real, onTrial] = [false, true].map((acceptsTestPayments) =>
    createYookassaGateway({ baseUrl: testShop.url, ...credentials, acceptsTestPayments }),
  );
  expect(await real?.create(aPurchase())).toMatchObject({ isTest: true });
  expect((await gateway.create(aPurchase())).isTest).toBe(false);
  expect([real?.acceptsTestPayments, onTrial?.acceptsTestPayments, gateway.acceptsTestPayments]).toEqual([false, true, false]);
  for (const each of [testShop, real, onTrial]) await each?.close();
});

test("a payment is read with the account and the currency that the provider names, not those of this shop", async () => {
  const payment = { id: "a", status: "succeeded", created_at: "2026-11-20T09:00:00.000Z", amount: { value: "45123.00", currency: "USD" } };
  const bodies = [{ ...payment, recipient: { account_id: "100501", gateway_id: "1" } }, payment].map((body) => JSON.stringify(body));
  const server = await serving((response) => response.writeHead(200, { "content-type": "application/json" }).end(bodies.shift()));
  const other = createYookassaGateway({ baseUrl: server.url, ...credentials });
  expect(await other.find("a")).toMatchObject({ shopAccount: "100501", currency: "USD" });
  expect(await other.find("a")).toMatchObject({ shopAccount: null });
  await other.close();
  server.close();
});

describe("when the provider is out", () => {
  test.each(["error", "garbage", "html", "empty", "shape", "too_many", "reset"] as const)(
    "%s leaves the outcome open: no refusal, and the same key works afterwards",
    async (mode) => {
      simulator.setFault(mode);
      const thrown = await gateway.create(aPurchase()).catch((error: unknown) => error);
      expect(thrown).toBeInstanceOf(Error);
      expect(thrown).not.toBeInstanceOf(PaymentRefused);
      simulator.setFault("ok");
      expect((await gateway.create(aPurchase())).status).toBe("pending");
      expect(simulator.payments()).toHaveLength(1);
    },
  );

  test.each([
    ["too many requests", 429, '{"type":"error","id":"1","code":"too_many_requests"}'],
    ["HTML instead of JSON", 200, "<html>502 Bad Gateway</html>"],
    ["a page of a proxy, 403", 403, "<html>Forbidden</html>"],
    ["a page of a proxy, 404", 404, "<html>Not Found</html>"],
    ["an empty body", 200, ""],
    ["JSON of another shape", 200, '{"id":5,"status":"great"}'],
    ["an amount in another notation", 200, '{"id":"a","status":"succeeded","created_at":"","amount":{"value":"1e5","currency":"RUB"}}'],
    [
      "a page that is none",
      200,
      '{"id":"a","status":"pending","created_at":"","amount":{"value":"45123.00","currency":"RUB"},' +
        '"confirmation":{"type":"redirect","confirmation_url":"javascript:alert(1)"}}',
    ],
    ["a redirect", 302, ""],
  ])("%s is not a refusal either", async (_, status, body) => {
    const server = await serving((response) =>
      response.writeHead(status, { "content-type": "application/json", location: "/elsewhere" }).end(body),
    );
    const other = createYookassaGateway({ baseUrl: server.url, ...credentials });
    const thrown = await other.create(aPurchase()).catch((error: unknown) => error);
    expect(thrown).toBeInstanceOf(Error);
    expect(thrown).not.toBeInstanceOf(PaymentRefused);
    await other.close();
    server.close();
  });
});

test("only the vendor's own word makes a payment, a refund or a receipt missing, a page of a proxy does not", async () => {
  const bodies = ["<html>Not Found</html>", "", '{"type":"error","id":"1","code":"not_found"}'];
  for (const body of bodies) {
    const server = await serving((response) => response.writeHead(404).end(body));
    const other = createYookassaGateway({ baseUrl: server.url, ...credentials });
    const found = await Promise.allSettled([other.find("a"), other.findRefund("a"), other.findReceipt("a")]);
    const expected = body.includes("not_found") ? { status: "fulfilled", value: null } : { status: "rejected" };
    expect(found).toMatchObject([expected, expected, expected]);
    await other.close();
    server.close();
  }
});

describe("notifications", () => {
  test("come as the vendor sends them and are read as a hint only", async () => {
    const bodies: string[] = [];
    const server = await serving((response, body) => {
      bodies.push(body);
      response.writeHead(200).end();
    });
    simulator.setNotificationUrl(server.url);
    const made = await gateway.create(aPurchase());
    simulator.act(made.id, "pay_webhook_five_times");
    await simulator.quiet();
    expect(bodies).toHaveLength(5);
    expect(gateway.readNotification(bodies[0] ?? "")).toEqual({
      event: "payment.succeeded",
      objectKind: "payment",
      objectId: made.id,
      paymentId: made.id,
      status: "succeeded",
    });

    await gateway.refund({
      idempotenceKey: "r",
      providerPaymentId: made.id,
      amount: made.amount,
      receipt: aPurchase().receipt,
      mode: "full_prepayment",
    });
    await simulator.quiet();
    expect(gateway.readNotification(bodies[5] ?? "")).toMatchObject({
      event: "refund.succeeded",
      objectKind: "refund",
      paymentId: made.id,
    });
    server.close();
  });

  test("are not sent when the buyer pays and the webhook gets lost", async () => {
    const bodies: string[] = [];
    const server = await serving((response, body) => {
      bodies.push(body);
      response.end();
    });
    simulator.setNotificationUrl(server.url);
    simulator.act((await gateway.create(aPurchase())).id, "pay_without_webhook");
    await simulator.quiet();
    expect(bodies).toEqual([]);
    server.close();
  });

  test.each([
    "",
    "null",
    "[]",
    "{",
    '{"type":"notification"}',
    '{"type":"notification","event":"payout.succeeded","object":{"id":"1","status":"x"}}',
    '{"type":"notification","event":"refund.succeeded","object":{"id":"1","status":"succeeded"}}',
    `{"type":"notification","event":"payment.succeeded","object":{"id":"${"9".repeat(65)}","status":"succeeded"}}`,
    '{"type":"notification","event":"payment.succeeded","object":{"id":5,"status":"succeeded"}}',
    String.raw`{"type":"notification","event":"payment.succeeded","object":{"id":"1\u0000","status":"succeeded"}}`,
    String.raw`{"type":"notification","event":"refund.succeeded","object":{"id":"1","payment_id":"\u0000","status":"succeeded"}}`,
    '{"type":"notification","event":"payment.succeeded","object":{"id":"1","status":"canceled"}}',
    '{"__proto__":{"type":"notification"}}',
  ])("what is not one of them is dropped without a fault: %s", (raw) => {
    expect(gateway.readNotification(raw)).toBeNull();
  });
});

test("the simulator's ledger and keys outlive its process, also when the last line was torn", async () => {
  const folder = mkdtempSync(join(tmpdir(), "yookassa-"));
  const statePath = join(folder, "payments.jsonl");
  const first = await startYookassaSimulator({ now: clock.now, statePath, ...credentials });
  const shop = createYookassaGateway({ baseUrl: first.url, ...credentials });
  const made = await shop.create(aPurchase());
  first.act(made.id, "pay");
  await first.close();
  appendFileSync(statePath, '{"payment":{"id":"torn');

  const second = await startYookassaSimulator({ now: clock.now, statePath, ...credentials });
  const again = createYookassaGateway({ baseUrl: second.url, ...credentials });
  expect(await again.find(made.id)).toMatchObject({ status: "succeeded", orderId: "o1" });
  expect((await again.create(aPurchase())).id).toBe(made.id);
  await Promise.all([shop.close(), again.close(), second.close()]);
  rmSync(folder, { recursive: true });
});

async function serving(answer: (response: ServerResponse, body: string) => void): Promise<{ url: string; close(): void }> {
  const server: Server = createServer((request, response) => {
    let body = "";
    request
      .on("data", (chunk: Buffer) => {
        body += chunk.toString();
      })
      .on("end", () => answer(response, body));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as { port: number };
  return {
    url: `http://127.0.0.1:${port}`,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
