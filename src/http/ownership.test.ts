import { afterAll, beforeAll, expect, test } from "vitest";
import * as z from "zod";
import { routes } from "./routes.ts";
import { coins, host, openHttpBench, placeOrder, type Browser, type HttpBench } from "./testing.ts";

let bench: HttpBench;
beforeAll(async () => {
  bench = await openHttpBench();
});
afterAll(() => bench.close());

type PlacedOrder = { id: string; key: string };

/** Calls about records with an owner, from the list of routes, so that a new one is tested automatically. */
const aboutOwned = routes("test")
  .map(({ call }) => call)
  .filter((call) => call.path.includes("{id}") && call.badParams === "order.not_found");

async function ownOrder(phone: string | null): Promise<{ who: Browser; order: PlacedOrder }> {
  const who = bench.visitor();
  if (phone) await who.signIn(bench, phone);
  return { who, order: (await placeOrder(who, coins.bullion)).json<{ data: PlacedOrder }>().data };
}

test("no visitor can read, pay or cancel another's order, or tell it from an unknown one", async () => {
  const anna = await ownOrder("+79162220001");
  const boris = await ownOrder("+79162220002");
  const guest = await ownOrder(null);
  const missing = "AAAAAAAAAAAAAAAAAAAAAA";
  expect(aboutOwned.map((call) => call.path).toSorted()).toEqual(["/api/orders/{id}", "/api/orders/{id}/cancel", "/api/orders/{id}/pay"]);
  const people = [anna, boris, guest];
  for (const call of aboutOwned) {
    for (const { who } of people) {
      const none = await who.request(call.method, call.path.replace("{id}", missing));
      for (const { who: owner, order } of people) {
        if (owner === who) continue;
        for (const key of [
          "",
          "?key=wrong",
          `?key=${"0".repeat(64)}`,
          ...people.filter((each) => each.order.id !== order.id).map((each) => `?key=${each.order.key}`),
        ]) {
          const response = await who.request(call.method, call.path.replace("{id}", order.id) + key);
          expect([call.path, key, response.statusCode, response.json()]).toEqual([call.path, key, 404, none.json()]);
        }
      }
    }
  }
  for (const { who, order } of people)
    expect((await who.request("GET", `/api/orders/${order.id}?key=${order.key}`)).json()).toMatchObject({
      data: { status: "awaiting_payment" },
    });
});

test("a key opens its order for 30 days", async () => {
  const { who, order } = await ownOrder(null);
  bench.clock.advance(30 * 86_400_000 - 60_000);
  expect((await who.request("GET", `/api/orders/${order.id}?key=${order.key}`)).statusCode).toBe(200);
  bench.clock.advance(120_000);
  expect((await who.request("GET", `/api/orders/${order.id}?key=${order.key}`)).statusCode).toBe(404);
  await bench.fetchRates();
});

test("orders made without sign-in are claimed only by the account of their phone, masked, and only with a code", async () => {
  const buyer = { name: "Пётр", lastName: "Сидоров", email: "petr@example.ru", phone: "+79162220011" };
  const guest = bench.visitor();
  const placed = (await placeOrder(guest, coins.bullion, "key-1", { user: buyer })).json<{ data: PlacedOrder & { number: number } }>().data;
  bench.clock.advance(1_000);
  const [owner, other, anonymous] = [bench.visitor(), bench.visitor(), bench.visitor()];
  await owner.signIn(bench, buyer.phone);
  await other.signIn(bench, "+79162220012");
  for (const [method, path] of [
    ["GET", "/api/orders/claimable"],
    ["POST", "/api/orders/claim"],
  ] as const) {
    expect((await anonymous.request(method, path)).json()).toMatchObject({ statusCode: 401, code: "auth.required" });
  }
  expect((await other.request("GET", "/api/orders/claimable")).json()).toEqual({ data: [] });
  expect((await other.request("POST", "/api/orders/claim")).json()).toEqual({ data: { claimed: [] } });
  const found = await owner.request("GET", "/api/orders/claimable");
  expect(found.json()).toMatchObject({ data: [{ number: placed.number, status: "awaiting_payment", count: 1 }] });
  expect(keysOf(found.json())).toEqual([
    ".data[].number",
    ".data[].createdAt",
    ".data[].status",
    ".data[].statusText",
    ".data[].count",
    ".data[].total",
  ]);
  expect((await owner.request("POST", "/api/orders/claim")).json()).toEqual({ data: { claimed: [placed.number] } });
  expect((await owner.request("POST", "/api/orders/claim")).json()).toEqual({ data: { claimed: [] } });
  expect((await other.request("GET", `/api/orders/${placed.id}`)).statusCode).toBe(404);
  for (const path of ["/api/orders", `/api/orders/${placed.id}`, "/api/me/export"])
    expect((await owner.request("GET", path)).body, path).not.toMatch(/Сидоров|Пётр|petr@/);
});

test("another visitor's quote is unknown", async () => {
  const [first, second] = [bench.visitor(), bench.visitor()];
  await first.request("PATCH", "/api/cart/2", { quantity: 1 });
  const quote = await first.request("POST", "/api/checkout/quote", { deliveryId: 35, city: "0000073738", paymentId: 4 });
  const { quoteId } = quote.json<{ data: { quoteId: string } }>().data;
  const form = {
    quoteId,
    user: { name: "А", lastName: "Б", email: "a@e.ru", phone: "+79160000009" },
    delivery: { id: 35 },
    paymentId: 4,
    consent: true,
  };
  expect((await second.request("POST", "/api/orders", form, { "idempotency-key": "k" })).json()).toMatchObject({
    statusCode: 404,
    code: "quote.not_found",
  });
});

test("unexpected request fields change nothing", async () => {
  const { who } = await ownOrder("+79162220003");
  const planted = {
    id: "x",
    phone: "+79990000000",
    role: "owner",
    is_staff: true,
    balance: 1,
    discount: 99,
    total: 1,
    price: 1,
    status: "paid",
  };
  const before = (await who.request("GET", "/api/me")).body;
  for (const [name, value] of Object.entries(planted)) {
    for (const { call } of routes("test")) {
      if (call.method === "GET" || !call.body || (call.body instanceof z.ZodObject && name in call.body.shape)) continue;
      const response = await who.request(
        call.method,
        call.path.replace("{id}", call.path.includes("orders") ? "abcdefghijkl" : "1"),
        { [name]: value },
        { "idempotency-key": "k" },
      );
      expect([call.path, name, response.statusCode]).toEqual([call.path, name, 422]);
    }
  }
  expect((await who.request("GET", "/api/me")).body).toBe(before);
});

/** The field names in an answer, at any depth; ids used as names count as one name. */
function keysOf(value: unknown, at = ""): string[] {
  if (Array.isArray(value)) return value.slice(0, 1).flatMap((each) => keysOf(each, `${at}[]`));
  if (typeof value !== "object" || value === null) return [at];
  return Object.entries(value).flatMap(([key, each]) => keysOf(each, `${at}.${key}`));
}

test("answers have only the fields of the contract", async () => {
  const who = bench.visitor();
  await who.signIn(bench, "+79162220004");
  await who.request("PATCH", "/api/me", { name: "Иван", buyprofile: { userinfo: { street: "Тверская" } } });
  await who.request("POST", "/api/compare/2");
  const { id } = (await placeOrder(who)).json<{ data: PlacedOrder }>().data;
  await who.request("PATCH", "/api/cart/1", { quantity: 1 });
  const keys: Record<string, string[]> = {};
  for (const url of [
    "/api/cart",
    "/api/me",
    "/api/compare",
    "/api/state",
    "/api/courses",
    "/api/work",
    `/api/orders/${id}`,
    "/api/products/seyatel",
    "/api/catalog",
  ]) {
    const response = await bench.app.inject({
      method: "GET",
      url,
      headers: { host, cookie: [...who.jar].map(([name, value]) => `${name}=${value}`).join("; ") },
    });
    keys[url.replace(id, "{id}")] = keysOf(response.json());
  }
  expect(keys).toMatchSnapshot();
});
