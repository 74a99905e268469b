import { createServer, type ServerResponse } from "node:http";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { kopecks } from "#kit/money.ts";
import { createCdekGateway } from "./cdek/adapter.ts";
import { createRateSourceGateway } from "./rate-source/adapter.ts";
import { createSmsRuGateway } from "./sms/adapter.ts";
import { createYookassaGateway } from "./yookassa/adapter.ts";

const now = () => new Date("2026-11-20T09:00:00Z");

type Answer = (response: ServerResponse) => void;
const saying =
  (status: number, type: string, body: string): Answer =>
  (response) =>
    response.writeHead(status, { "content-type": type }).end(body);
const json = (body: unknown): Answer => saying(200, "application/json", JSON.stringify(body));

/** What a provider, or a proxy before it, has been seen to answer instead of its own message. */
const hostile: Record<string, Answer> = {
  "an empty body": saying(200, "application/json", ""),
  "HTML with status 200": saying(200, "text/html", "<!doctype html><html><body><h1>Технические работы</h1></body></html>"),
  "HTML of a proxy, 502": saying(502, "text/html", "<html><body>502 Bad Gateway</body></html>"),
  "JSON broken off": saying(200, "application/json", '{"id":"22e12f66","status":"succ'),
  null: json(null),
  "a number": json(5),
  "an object without anything": json({}),
  "a list of nulls": json([null, null]),
  "fields of another type": json({
    id: 5,
    status: {},
    amount: [],
    items: "many",
    entity: 1,
    requests: "x",
    total_sum: "NaN",
    securities: [],
    marketdata: 1,
    status_code: "x",
    sms: [],
  }),
  "prototype tricks": saying(200, "application/json", '{"__proto__":{"status":"succeeded","id":"1"},"constructor":{"prototype":{}}}'),
  "a thousand levels deep": saying(200, "application/json", "[".repeat(1_000) + "]".repeat(1_000)),
  "too many requests": saying(429, "application/json", '{"type":"error","code":"too_many_requests"}'),
  "not allowed any more": saying(401, "application/json", '{"type":"error","code":"invalid_credentials"}'),
  "a redirect": (response) => response.writeHead(302, { location: "http://127.0.0.1:1/" }).end(),
  "more than it may send": (response) => {
    response.writeHead(200, { "content-type": "application/json" });
    response.end(`"${"x".repeat(21 * 1024 * 1024)}"`);
  },
};

let answer: Answer = json({});
const server = createServer((request, response) => {
  request.resume();
  // The carrier's token is given, so that the calls behind it are what is tried.
  if (request.url?.includes("/oauth/token"))
    return json({ access_token: "t", token_type: "bearer", expires_in: 3599, scope: "", jti: "1" })(response);
  answer(response);
});
let url = "";
beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  url = `http://127.0.0.1:${(server.address() as { port: number }).port}`;
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

const receipt = {
  email: "b@example.ru",
  phone: "",
  lines: [{ title: "Монета", quantity: 1, unitPrice: kopecks(100), vatCode: 1, subject: "commodity" as const }],
};
const parcel = { weightGrams: 100, declaredValue: kopecks(100) };

/** Every question of every port; each with an adapter of its own, so that no breaker spares it. */
const questions: Record<string, () => { sent: Promise<unknown>; close: () => Promise<void> }> = {
  ...on("payment", () => createYookassaGateway({ baseUrl: url, shopId: "1", secretKey: "2", now }), {
    create: (gateway) =>
      gateway.create({
        idempotenceKey: "k",
        orderId: "o",
        attemptId: "a",
        orderNumber: "1",
        amount: kopecks(100),
        method: "card",
        returnUrl: "http://localhost/",
        receipt,
      }),
    find: (gateway) => gateway.find("p"),
    list: (gateway) => gateway.list({ from: now(), till: now() }),
    refund: (gateway) =>
      gateway.refund({ idempotenceKey: "k", providerPaymentId: "p", amount: kopecks(100), receipt, mode: "full_prepayment" }),
    findRefund: (gateway) => gateway.findRefund("r"),
    refundsOf: (gateway) => gateway.refundsOf("p"),
    listRefunds: (gateway) => gateway.listRefunds({ from: now(), till: now() }),
    registerHandover: (gateway) => gateway.registerHandover({ idempotenceKey: "k", providerPaymentId: "p", receipt }),
    findReceipt: (gateway) => gateway.findReceipt("rt"),
    receiptsOf: (gateway) => gateway.receiptsOf({ providerPaymentId: "p" }),
  }),
  ...on("delivery", () => createCdekGateway({ baseUrl: url, clientId: "1", clientSecret: "2", now }), {
    findCities: (gateway) => gateway.findCities("мос"),
    requestLabels: (gateway) => gateway.requestLabels(["c1"]),
    fetchLabels: (gateway) => gateway.fetchLabels("t1"),
    points: (gateway) => gateway.points(44),
    courierPrice: (gateway) => gateway.courierPrice(44, parcel),
    pointPrice: (gateway) => gateway.pointPrice(44, parcel),
    register: (gateway) =>
      gateway.register({
        number: "1",
        to: { pointId: "p", isLocker: false },
        recipient: { name: "И", phone: "+79161234567", email: "b@example.ru" },
        lines: [{ title: "Монета", article: "1", quantity: 1, unitPrice: kopecks(100), weightGrams: 10 }],
      }),
    track: (gateway) => gateway.track("u"),
  }),
  ...on("sms", () => createSmsRuGateway({ baseUrl: url, apiId: "1", now }), {
    send: (gateway) => gateway.send({ to: "+79161234567", text: "1234" }),
  }),
  ...on("rates", () => createRateSourceGateway({ moexBaseUrl: url, cbrBaseUrl: url, now }), {
    readMarket: (gateway) => gateway.readMarket(),
    readDollar: (gateway) => gateway.readDollar("2026-11-20"),
    readOfficialMetals: (gateway) => gateway.readOfficialMetals("2026-11-19", "2026-11-20"),
  }),
};

function on<G extends { close(): Promise<void> }>(port: string, make: () => G, calls: Record<string, (gateway: G) => Promise<unknown>>) {
  return Object.fromEntries(
    Object.entries(calls).map(([name, call]) => [
      `${port}.${name}`,
      () => {
        const gateway = make();
        return { sent: call(gateway), close: () => gateway.close() };
      },
    ]),
  );
}

describe.each(Object.entries(hostile))("a provider that answers with %s", (_, spoken) => {
  test.each(Object.keys(questions))("tells %s nothing: it throws, and makes nothing up", async (question) => {
    answer = spoken;
    const { sent: requested, close } = questions[question]?.() ?? {};
    await expect(requested).rejects.toThrow(Error);
    await close?.();
  });
});
