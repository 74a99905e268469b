import { afterAll, beforeAll, expect, test } from "vitest";
import * as orders from "#shop/orders/service.ts";
import { coins, host, openHttpBench, placeOrder, type HttpBench } from "../testing.ts";

let bench: HttpBench;
beforeAll(async () => {
  bench = await openHttpBench({ demo: true });
});
afterAll(() => bench.close());

const get = (url: string, headers: Record<string, string> = {}, remoteAddress = "127.0.0.1") =>
  bench.app.inject({ method: "GET", url, headers: { host, ...headers }, remoteAddress });

test("the outbox shows the code as JSON and as a page", async () => {
  await bench.visitor().signIn(bench, "+79163330001");
  expect((await get(`/_demo/outbox?to=${encodeURIComponent("+79163330001")}`)).json()).toMatchObject({
    data: [{ channel: "sms", to: "+79163330001", text: expect.stringMatching(/\b\d{4}\b/) }],
  });
  expect((await get("/_demo/outbox?to=+79163330001")).json()).toMatchObject({ data: [{ to: "+79163330001" }] }); // as people type it
  expect((await get(`/_demo/outbox?to=${encodeURIComponent("+79160000000")}`)).json()).toEqual({ data: [] });
  const page = await get("/_demo/outbox", { accept: "text/html" });
  expect(page.headers["content-type"]).toBe("text/html; charset=utf-8");
  expect(page.body).toMatch(/<h2>\d{4} · \+79163330001<\/h2>/);
});

test("a rate that the shop would reject is refused by the demo call too", async () => {
  const post = (body: object) => bench.visitor().request("POST", "/_demo/rates", body);
  expect((await post({ XAU_RUB: 11_100 })).json()).toEqual({ data: true });
  expect((await post({ XAU_RUB: 20_000 })).json()).toMatchObject({ statusCode: 422, code: "demo.refused" });
  for (const body of [{ XAU_RUB: -1 }, { XAU_RUB: "1" }, { XAU_USD: 1 }]) expect((await post(body)).statusCode).toBe(422);
});

test("staff calls: a paid-on-collection order is assembled, made ready and delivered", async () => {
  const visitor = bench.visitor();
  await visitor.request("PATCH", `/api/cart/${coins.memorable}`, { quantity: 1 });
  const quote = await visitor.request("POST", "/api/checkout/quote", { deliveryId: 35, city: "0000073738", paymentId: 7 });
  const { quoteId } = quote.json<{ data: { quoteId: string } }>().data;
  const form = {
    quoteId,
    user: { name: "А", lastName: "Б", email: "a@e.ru", phone: "+79160000009" },
    delivery: { id: 35 },
    paymentId: 7,
    consent: true,
  };
  const { data: order } = (await visitor.request("POST", "/api/orders", form, { "idempotency-key": "k" })).json<{
    data: { id: string; number: number };
  }>();
  const play = async (event: string, more: object = {}) =>
    (await visitor.request("POST", `/_demo/orders/${order.id}`, { event, ...more })).json();
  expect(await play("ship")).toMatchObject({ statusCode: 409, code: "order.event_refused" });
  expect(await play("assemble")).toEqual({ data: { id: order.id, status: "assembled", statusText: "Собран" } });
  const ready = await visitor.request("POST", `/_demo/orders/${order.number}`, { event: "make_ready" });
  expect(ready.json()).toMatchObject({ data: { id: order.id, status: "ready" } }); // by the number, which staff sees
  for (const unknown of ["9999999", "unknown-order"])
    expect((await visitor.request("POST", `/_demo/orders/${unknown}`, { event: "make_ready" })).json()).toMatchObject({
      code: "order.not_found",
    });
  expect(await play("deliver")).toMatchObject({ data: { status: "delivered" } });
  expect(await play("refund", { items: [{ id: coins.memorable, count: 2 }] })).toMatchObject({
    statusCode: 409,
    code: "order.refund_too_much",
  });
  expect(await play("refund", { amount: 0.01 })).toMatchObject({ data: { status: "delivered" } });
  for (const wrong of [{ amount: 0 }, { amount: 1.001 }, { amount: 1, delivery: true }, { items: [{ id: coins.memorable, count: 0 }] }])
    expect(await play("refund", wrong)).toMatchObject({ statusCode: 422 });
  expect(await play("ship", { amount: 1 })).toMatchObject({ statusCode: 422 });
  expect(await play("dance")).toMatchObject({ statusCode: 422, fields: { event: expect.any(String) } });
});

test("a packed order is cancelled over HTTP when the carrier confirms; until then it is listed for staff", async () => {
  const visitor = bench.visitor();
  async function packed(key: string) {
    await visitor.request("PATCH", `/api/cart/${coins.memorable}`, { quantity: 2 });
    const quote = await visitor.request("POST", "/api/checkout/quote", { deliveryId: 45, city: "0000073738", paymentId: 6 });
    const { quoteId } = quote.json<{ data: { quoteId: string } }>().data;
    const address = { city: "Москва", street: "Арбат", house: "1" };
    const form = {
      quoteId,
      user: { name: "А", lastName: "Б", email: "a@e.ru", phone: "+79160000019" },
      delivery: { id: 45 },
      address,
      paymentId: 6,
      consent: true,
    };
    const { data } = (await visitor.request("POST", "/api/orders", form, { "idempotency-key": key })).json<{
      data: { id: string; key: string };
    }>();
    const play = async (event: string, more: object = {}) =>
      (await visitor.request("POST", `/_demo/orders/${data.id}`, { event, ...more })).json();
    await play("pay");
    expect(await play("assemble")).toMatchObject({ data: { status: "assembled" } });
    const read = async () => (await visitor.request("GET", `/api/orders/${data.id}?key=${data.key}`)).json();
    return { ...data, play, read, cancel: () => visitor.request("POST", `/api/orders/${data.id}/cancel?key=${data.key}`) };
  }
  const order = await packed("packed-1");
  for (let each = 0; each < 2; each += 1) {
    const answer = await order.cancel();
    expect([answer.statusCode, answer.json()]).toMatchObject([
      200,
      { data: { status: "cancellation_requested", statusText: "Отмена запрошена", payment: { status: "succeeded" } } },
    ]);
  }
  expect(await order.play("ship")).toMatchObject({ statusCode: 409, code: "order.event_refused" });
  expect((await visitor.request("GET", "/_demo/waiting")).json()).toMatchObject({
    data: [{ id: order.id, status: "cancellation_requested", why: "cancellation", recall: "asked" }],
  });
  expect(await order.play("confirm_cancel")).toMatchObject({ data: { status: "cancelled" } });

  const other = await packed("packed-2");
  expect(await other.play("refund", { items: [{ id: coins.memorable, count: 2 }] })).toMatchObject({
    statusCode: 409,
    code: "order.pieces_refused",
  });
  await other.play("ship");
  await orders.followParcel(bench.ctx, { orderId: other.id, state: "not_delivered" });
  expect(await other.read()).toMatchObject({ data: { status: "returning", statusText: "Возвращается в магазин" } });
  expect(await other.play("deliver")).toMatchObject({ data: { status: "delivered" } });
  expect(await other.play("give_back", { items: [{ id: coins.memorable, count: 1 }] })).toMatchObject({ data: { status: "delivered" } });
  expect(await other.read()).toMatchObject({ data: { items: [{ count: 2, returned: 1 }] } });
  expect(await other.play("give_back", { items: [{ id: coins.memorable, count: 2 }] })).toMatchObject({
    statusCode: 409,
    code: "order.pieces_refused",
  });
  await other.play("give_back");
  await other.play("refund");
  const { data } = await other.read();
  // Each state once, as it was reached: not again with the pieces that came back before, or with the refund.
  expect(data.history.map(({ status }: { status: string }) => status)).toEqual([
    "awaiting_payment",
    "paid",
    "assembled",
    "shipped",
    "returning",
    "delivered",
    "returned",
  ]);
});

test("staff enters a transfer once, reads a statement entry, and stores the fiscal numbers of a printed receipt", async () => {
  const visitor = bench.visitor();
  await visitor.request("PATCH", `/api/cart/${coins.memorable}`, { quantity: 1 });
  const quote = await visitor.request("POST", "/api/checkout/quote", { deliveryId: 35, city: "0000073738", paymentId: 6 });
  const { quoteId } = quote.json<{ data: { quoteId: string } }>().data;
  const form = {
    quoteId,
    user: { name: "А", lastName: "Б", email: "a@e.ru", phone: "+79160000009" },
    delivery: { id: 35 },
    paymentId: 6,
    consent: true,
  };
  const { data: order } = (await visitor.request("POST", "/api/orders", form, { "idempotency-key": "transfer" })).json<{
    data: { id: string; number: number; total: number };
  }>();
  const pay = async (more: object) => (await visitor.request("POST", `/_demo/orders/${order.id}`, { event: "pay", ...more })).json();
  const reference = { number: "000125", date: "2026-11-20" };
  expect(await pay({ amount: 1 })).toMatchObject({ statusCode: 422, code: "order.reference_missing" });
  for (const wrong of [
    { number: "", date: "2026-11-20" },
    { number: "1", date: "2026-02-31" },
    { ...reference, payerAccount: "1" },
  ])
    expect(await pay({ amount: 1, reference: wrong })).toMatchObject({ statusCode: 422, code: "request.invalid" });
  expect(await pay({ amount: 1, reference })).toMatchObject({ data: { status: "awaiting_payment" } });
  expect(await pay({ amount: 1, reference: { ...reference, number: "125" } })).toMatchObject({
    statusCode: 409,
    code: "order.transfer_known",
    data: { orderNumber: order.number },
  });

  const entry = {
    number: "126",
    date: "2026-11-20",
    arrivedOn: "2026-11-20",
    amount: order.total - 1,
    payer: "Б",
    payerAccount: null,
    payeeAccounts: [bench.ctx.settings.seller.account],
    purpose: `заказ ${order.number}`,
  };
  expect((await visitor.request("POST", "/_demo/transfers", entry)).json()).toEqual({
    data: { kind: "counted", orderNumber: order.number, state: "paid" },
  });
  expect((await visitor.request("POST", "/_demo/transfers", entry)).json()).toEqual({ data: { kind: "known", orderNumber: order.number } });

  const waiting = async () =>
    (await get("/_demo/receipts"))
      .json<{ data: { id: string; orderId: string; amount: number }[] }>()
      .data.filter(({ orderId }) => orderId === order.id);
  const [first] = await waiting();
  expect(first).toMatchObject({ amount: 1 });
  const print = async (signs: object) => (await visitor.request("POST", `/_demo/receipts/${first?.id}`, { event: "print", signs })).json();
  expect(await print({ storageNumber: "1", documentNumber: "1", attribute: "1" })).toMatchObject({ statusCode: 422 });
  expect(await print({ storageNumber: "9960440300000001", documentNumber: "12", attribute: "2700000001" })).toMatchObject({
    data: { status: "succeeded" },
  });
  expect(await waiting()).toHaveLength(1);
});

test("staff reads a review and answers a request", async () => {
  const visitor = bench.visitor();
  const review = (await visitor.request("POST", "/api/reviews", { name: "Анна", rating: 5, text: "Хорошо", consent: true })).json<{
    data: { id: number };
  }>().data;
  expect((await visitor.request("POST", `/_demo/reviews/${review.id}`, { event: "approve" })).json()).toEqual({
    data: { id: review.id, status: "approved" },
  });
  const request = (await visitor.request("POST", "/api/callback", { phone: "+79160000009", consent: true })).json<{
    data: { id: number };
  }>().data;
  expect((await visitor.request("POST", `/_demo/inquiries/${request.id}`, { event: "answer" })).json()).toEqual({
    data: { id: request.id, status: "answered" },
  });
  expect((await visitor.request("POST", "/_demo/reviews/999999", { event: "approve" })).json()).toMatchObject({
    statusCode: 404,
    code: "review.not_found",
  });
  expect((await visitor.request("POST", "/_demo/inquiries/none", { event: "answer" })).json()).toMatchObject({
    statusCode: 404,
    code: "inquiry.not_found",
  });
});

test("the demo calls are reachable from this machine only, and not through a proxy", async () => {
  for (const name of ["x-forwarded-for", "x-forwarded-proto", "forwarded", "x-real-ip"]) {
    expect((await get("/_demo/outbox", { [name]: "127.0.0.1" })).statusCode).toBe(404);
    expect((await get("/metrics", { [name]: "127.0.0.1" })).statusCode).toBe(404);
  }
  for (const address of ["10.0.0.5", "192.168.1.7", "2a00::1", "128.0.0.1"])
    expect((await get("/_demo/outbox", {}, address)).statusCode).toBe(404);
  for (const address of ["127.0.0.1", "127.5.6.7", "::1", "::ffff:127.0.0.1"])
    expect((await get("/_demo/outbox", {}, address)).statusCode).toBe(200);
});

test("another site cannot call the simulators through a browser on this machine", async () => {
  const response = await bench.app.inject({
    method: "POST",
    url: "/_demo/market",
    headers: { host, origin: "https://evil.example", "content-type": "application/json" },
    payload: '{"open":false}',
  });
  expect(response.statusCode).toBe(403);
});

test("without demo there is nothing under /_demo", async () => {
  const shop = await openHttpBench();
  for (const url of ["/_demo", "/_demo/outbox", "/_demo/payments"])
    expect((await shop.app.inject({ method: "GET", url, headers: { host } })).statusCode).toBe(404);
  expect(
    (
      await shop.app.inject({
        method: "POST",
        url: "/_demo/market",
        headers: { host, "content-type": "application/json" },
        payload: '{"open":true}',
      })
    ).statusCode,
  ).toBe(404);
  await shop.close();
});

test("metrics are readable from this machine or with the token", async () => {
  const guarded = await openHttpBench({ config: { metricsToken: "a-long-token" } });
  const request = (headers: Record<string, string>) =>
    guarded.app
      .inject({ method: "GET", url: "/metrics", headers: { host, ...headers }, remoteAddress: "10.0.0.1" })
      .then((response) => response.statusCode);
  expect([
    await request({}),
    await request({ authorization: "Bearer wrong" }),
    await request({ authorization: "Bearer a-long-token" }),
  ]).toEqual([404, 404, 200]);
  await placeOrder(guarded.visitor());
  const { body } = await guarded.app.inject({ method: "GET", url: "/metrics", headers: { host } });
  expect(body).toContain('http_request_duration_seconds_count{surface="shop",method="PATCH",route="/api/cart/:id",status="200"} 1');
  await guarded.close();
});

test("healthz does not query the database, readyz does", async () => {
  let ready = true;
  const shop = await openHttpBench({ deps: { isReady: async () => ready } });
  const status = async (url: string) => (await shop.app.inject({ method: "GET", url, headers: { host } })).statusCode;
  expect([await status("/healthz"), await status("/readyz")]).toEqual([200, 200]);
  ready = false;
  expect([await status("/healthz"), await status("/readyz")]).toEqual([200, 503]);
  await shop.close();
});
