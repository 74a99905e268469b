import { afterEach, expect, test, vi } from "vitest";
import * as contract from "./calls.ts";
import { callApi } from "./client.ts";

/** Answers the next calls as a server would, and records the requests. */
function server(...answers: (Response | Error)[]): { sent: [string, RequestInit][] } {
  const requests: [string, RequestInit][] = [];
  vi.stubGlobal("fetch", async (path: string, init: RequestInit) => {
    requests.push([path, init]);
    const answer = answers.shift();
    if (answer instanceof Error || answer === undefined) throw answer ?? new Error("nothing left to answer");
    return answer;
  });
  return { sent: requests };
}
afterEach(() => {
  vi.unstubAllGlobals();
});

const json = (status: number, body: unknown, headers: Record<string, string> = {}) =>
  new Response(JSON.stringify(body), { status, headers });

test("a success is the value under data, or the whole body where it is bare", async () => {
  const { sent: requested } = server(json(200, { data: { totalCoins: 2 } }), json(200, { work: true }));
  expect(await callApi(contract.setQuantity, { params: { id: 5 }, body: { quantity: 2 } })).toEqual({
    ok: true,
    value: { totalCoins: 2 },
  });
  expect(await callApi(contract.readWork)).toEqual({ ok: true, value: { work: true } });
  expect(requested[0]).toMatchObject([
    "/api/cart/5",
    { method: "PATCH", body: '{"quantity":2}', headers: { "content-type": "application/json" } },
  ]);
  expect(requested[1]?.[1].headers).not.toHaveProperty("content-type");
});

test("a refusal has its code, message, fields, data and waiting time", async () => {
  server(
    json(
      429,
      { statusCode: 429, code: "auth.too_many_codes", message: "Слишком много", fields: { phone: "нет" }, data: { a: 1 } },
      { "retry-after": "30" },
    ),
  );
  expect(await callApi(contract.getCode, { body: { phone: "+79161234567" } })).toEqual({
    ok: false,
    error: { code: "auth.too_many_codes", status: 429, message: "Слишком много", fields: { phone: "нет" }, data: { a: 1 }, retryAfter: 30 },
  });
});

test("a lost connection, invalid JSON and an answer of another program give one refusal in Russian, never an exception", async () => {
  server(new Error("offline"), new Response("<html>gateway</html>", { status: 502 }), json(500, { error: "Internal" }));
  for (let i = 0; i < 3; i += 1)
    expect(await callApi(contract.readCart)).toMatchObject({
      ok: false,
      error: { code: "network.failed", message: expect.stringMatching(/[А-Яа-я]/), fields: {} },
    });
});

test("until the shop has answered a call, calls of a page go one at a time", async () => {
  vi.useFakeTimers();
  vi.resetModules();
  const { callApi: call, firstAnswer } = await import("./client.ts");
  const open: PromiseWithResolvers<Response>[] = [];
  vi.stubGlobal("fetch", () => {
    const answer = Promise.withResolvers<Response>();
    open.push(answer);
    return answer.promise;
  });
  const calls = [1, 2, 3, 4, 5].map(() => call(contract.readCart));
  let streams = 0;
  void firstAnswer().then(() => (streams += 1));
  const sent = async () => (await vi.advanceTimersByTimeAsync(0), open.length);
  expect(await sent()).toBe(1);
  open[0]?.reject(new Error("offline"));
  expect(await sent()).toBe(2);
  open[1]?.resolve(json(503, {}));
  expect(await sent()).toBe(3);
  expect(streams).toBe(0);
  // A call that never gets an answer lets the next one pass after ten seconds.
  await vi.advanceTimersByTimeAsync(10_000);
  expect(await sent()).toBe(4);
  open[3]?.resolve(json(200, { data: {} }));
  expect(await sent()).toBe(5);
  expect(streams).toBe(1);
  for (const { resolve } of open) resolve(json(200, { data: {} }));
  await Promise.all(calls);
  vi.useRealTimers();
});

test("path parameters and queries are encoded, absent inputs are omitted, and an order has its key", async () => {
  const { sent: requested } = server(json(200, { data: {} }), json(200, { data: {} }), json(200, { data: [] }), json(201, { data: {} }));
  await callApi(contract.readOrder, { params: { id: "a/b" }, query: { key: undefined } });
  await callApi(contract.cancelOrder, { params: { id: "abcdefgh" }, query: { key: "x&y" } });
  await callApi(contract.findCities);
  await callApi(contract.placeOrder, { body: anOrder, idempotencyKey: "k" });
  expect(requested.map(([path, { method }]) => `${method} ${path}`)).toEqual([
    "GET /api/orders/a%2Fb",
    "POST /api/orders/abcdefgh/cancel?key=x%26y",
    "GET /api/locations/cities",
    "POST /api/orders",
  ]);
  expect(requested[3]?.[1].headers).toMatchObject({ "idempotency-key": "k" });
});

const anOrder = {
  quoteId: "q",
  user: { name: "Анна", lastName: "Ким", email: "anna@example.ru", phone: "+79161234567" },
  delivery: { id: 79, pvzId: "MSK1" },
  paymentId: 4,
  consent: true,
} as const;

test("requests that the contract does not declare do not compile", () => {
  const neverCalled = async () => {
    // @ts-expect-error the wrong kind of value in a body
    await callApi(contract.setQuantity, { params: { id: 5 }, body: { quantity: "2" } });
    // @ts-expect-error a field that the body does not have
    await callApi(contract.setQuantity, { params: { id: 5 }, body: { quantity: 2, price: 1 } });
    // @ts-expect-error no body where one is needed
    await callApi(contract.setQuantity, { params: { id: 5 } });
    // @ts-expect-error a body where none is taken
    await callApi(contract.readCart, { body: {} });
    // @ts-expect-error a parameter of another name
    await callApi(contract.setQuantity, { params: { coin: 5 }, body: { quantity: 2 } });
    // @ts-expect-error no parameter where one is needed
    await callApi(contract.cancelOrder, {});
    // @ts-expect-error a query that the call does not know
    await callApi(contract.findCities, { query: { name: "Тверь" } });
    // @ts-expect-error an order without its key
    await callApi(contract.placeOrder, { body: anOrder });
    // @ts-expect-error a path in place of a call
    await callApi("GET /api/cart");

    const placed = await callApi(contract.placeOrder, { body: anOrder, idempotencyKey: "k" });
    if (placed.ok) return placed.value.payment.confirmationUrl;
    // @ts-expect-error an order is never refused with this code
    if (placed.error.code === "cart.limit") return null;
    if (placed.error.code === "order.prices_changed") return placed.error.data.quoteId;
    // @ts-expect-error this refusal brings no `quoteId`
    if (placed.error.code === "order.stock_short") return placed.error.data.quoteId;
    // @ts-expect-error this one brings no data at all
    if (placed.error.code === "cart.empty") return placed.error.data.limit;
    return null;
  };
  expect(neverCalled).toBeTypeOf("function");
});
