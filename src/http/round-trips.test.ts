import { afterAll, beforeAll, expect, test } from "vitest";
import { silentLog } from "#kit/log.ts";
import { minutes, seconds } from "#kit/time.ts";
import type { Database } from "#main/database/database.ts";
import { openPostgres } from "#main/database/postgres.ts";
import { moscowCode } from "#shop/delivery/delivery.ts";
import { startRoundTripCounter, type RoundTripCounter } from "#tests/round-trip-counter.ts";
import { coins, openHttpBench, pointId, type Browser, type HttpBench } from "./testing.ts";

/*
 * How often a call waits for the database: a ceiling for each, so that a change that adds round trips is noticed. `begin` and `commit` are
 * round trips of their own (decision 0050), except in a pipelined transaction (decision 0097). The test counts and does not measure time;
 * `npm run bench:orders` measures.
 */
const ceilings = {
  read: 4,
  put: 2,
  cart: 3,
  lists: 6,
  code: 8,
  signIn: 7,
  quote: 6,
  deliveries: 11,
  order: 5,
  orderStatements: 22,
  repeatedOrder: 11,
  pay: 9,
  payAgain: 7,
};

let bench: HttpBench;
let line: RoundTripCounter;
let far: Database;
beforeAll(async () => {
  bench = await openHttpBench({ limits: { unpaidOrders: 100 } });
  const { hostname, port } = new URL(bench.url);
  line = await startRoundTripCounter({ host: hostname, port: Number(port) });
  const url = new URL(bench.url);
  url.port = String(line.port);
  far = openPostgres(url.href, { log: silentLog });
  bench.ctx.db = far.db;
  bench.ctx.isDemo = false; // tests of the code limits are elsewhere
  await Promise.all(Array.from({ length: 10 }, () => far.isReachable()));
});
afterAll(async () => {
  await far.close();
  await line.close();
  await bench.close();
});

let phones = 0;
const aPhone = () => `+7916${2_000_000 + (phones += 1)}`;
const codeOf = (phone: string) => /\b\d{4}\b/.exec(bench.sms.findLast((message) => message.to === phone)?.text ?? "")?.[0];

async function aMember(): Promise<Browser> {
  const who = bench.visitor();
  await who.signIn(bench, aPhone());
  return who;
}

/** Advances the clock so far that caches are empty and the session's last use is stored again. */
async function letCachesExpire(): Promise<void> {
  bench.clock.advance(minutes(3));
  await bench.fetchRates();
  bench.clock.advance(seconds(2));
}

/** How many round trips to the database a call waits for. */
async function waitsOf(who: Browser, ...call: Parameters<Browser["request"]>): Promise<number> {
  await letCachesExpire();
  return (await measured(who, ...call)).waits;
}

async function measured<T>(who: Browser, ...call: Parameters<Browser["request"]>): Promise<{ waits: number; statements: number; data: T }> {
  const { rounds, statements, result } = await line.roundsOf(() => who.request(...call));
  expect([result.statusCode, result.body]).toEqual([expect.toBeOneOf([200, 201]), expect.anything()]);
  return { waits: rounds, statements, data: result.json<{ data: T }>().data };
}

const quoteBody = (paymentId: number) => ({ deliveryId: 76, pvzId: pointId, city: moscowCode, paymentId });
const orderOf = (quoteId: string) => ({
  quoteId,
  user: { name: "Иван", lastName: "Иванов", secondName: "", email: "ivan@example.ru", phone: "+79161234567" },
  delivery: { id: 76, pvzId: pointId },
  paymentId: 4,
  consent: true,
  newsletter: true,
});

/** The calls that wait more often than allowed, by name. A call without a round trip was not counted and is an error. */
function within(most: number, waits: Record<string, number>): void {
  expect(Object.fromEntries(Object.entries(waits).filter(([, each]) => each > most || each === 0))).toEqual({});
}

test("reading and changing the cart and lists takes few round trips to the database", async () => {
  const member = await aMember();
  await member.request("GET", "/api/compare");
  within(ceilings.put, {
    put: await waitsOf(member, "PATCH", `/api/cart/${coins.memorable}`, { quantity: 1 }),
    "put another": await waitsOf(member, "PATCH", `/api/cart/${coins.bullion}`, { quantity: 2 }),
  });
  within(ceilings.cart, {
    "read the cart": await waitsOf(member, "GET", "/api/cart"),
    "take out": await waitsOf(member, "PATCH", `/api/cart/${coins.bullion}`, { quantity: 0 }),
    "take several out": await waitsOf(member, "DELETE", "/api/cart", { productIds: [coins.memorable] }),
    clear: await waitsOf(member, "POST", "/api/cart/clear"),
  });
  within(ceilings.lists, {
    addToWishlist: await waitsOf(member, "POST", `/api/wishlist/${coins.memorable}`),
    compare: await waitsOf(member, "POST", `/api/compare/${coins.memorable}`),
    removeFromWishlist: await waitsOf(member, "DELETE", `/api/wishlist/${coins.memorable}`),
    state: await waitsOf(member, "GET", "/api/state"),
  });
});

test("a guest's coin is put into the cart in one round trip and at most two statements", async () => {
  const guest = bench.visitor();
  const put = (id: number, quantity: number) => measured(guest, "PATCH", `/api/cart/${id}`, { quantity });
  await put(coins.memorable, 1);
  // The first one also reads the coin, which is not in the cache yet.
  expect([await put(coins.bullion, 1), await put(coins.bullion, 2), await put(coins.bullion, 2)]).toMatchObject([
    { waits: 1, statements: 2 },
    { waits: 1, statements: 1 },
    { waits: 1, statements: 1 },
  ]);
  bench.clock.advance(seconds(2)); // coins and the price list of this second are read beside the change
  expect(await put(coins.memorable, 2)).toMatchObject({ waits: 1 });
});

test("changes of several carts at once share statements", async () => {
  const guests = Array.from({ length: 16 }, () => bench.visitor());
  const put = (quantity: number) => guests.map((each) => each.request("PATCH", `/api/cart/${coins.memorable}`, { quantity }));
  await Promise.all(put(1));
  const { statements, result } = await line.roundsOf(() => Promise.all(put(2)));
  expect(result.map(({ statusCode }) => statusCode)).toEqual(guests.map(() => 200));
  expect(statements).toBeLessThanOrEqual(4);
});

test("a code and a sign-in take few round trips, for a new customer and for a known one with a cart", async () => {
  const phone = aPhone();
  const [newcomer, again] = [bench.visitor(), bench.visitor()];
  within(ceilings.code, { "get-code": await waitsOf(newcomer, "POST", "/api/auth/get-code", { phone }) });
  within(ceilings.signIn, {
    "check-code": await waitsOf(newcomer, "POST", "/api/auth/check-code", { phone, code: codeOf(phone) }),
  });
  await newcomer.request("PATCH", "/api/me", { email: "ivan@example.ru" });
  await again.request("PATCH", `/api/cart/${coins.memorable}`, { quantity: 1 });
  await again.request("PATCH", `/api/cart/${coins.bullion}`, { quantity: 1 });
  await again.request("POST", `/api/wishlist/${coins.memorable}`);
  await again.request("POST", `/api/compare/${coins.bullion}`);
  within(ceilings.code, { "get-code of a customer": await waitsOf(again, "POST", "/api/auth/get-code", { phone }) });
  within(ceilings.signIn, {
    "check-code of a customer": await waitsOf(again, "POST", "/api/auth/check-code", { phone, code: codeOf(phone) }),
  });
});

test("a code is sent in the same steps and with the same answer to a customer and to a stranger", async () => {
  const customer = aPhone();
  await bench.visitor().signIn(bench, customer);
  const ask = async (phone: string) => {
    await letCachesExpire();
    const { rounds, statements, result } = await line.roundsOf(() => bench.visitor().request("POST", "/api/auth/get-code", { phone }));
    return { rounds, statements, status: result.statusCode, body: result.json<unknown>() };
  };
  const asked = await ask(customer);
  expect(asked).toMatchObject({ status: 200, rounds: expect.any(Number) });
  expect(await ask(aPhone())).toEqual(asked);
});

test("a quote, an order with its payment and another way to pay take few round trips", async () => {
  const member = await aMember();
  await member.request("PATCH", `/api/cart/${coins.memorable}`, { quantity: 1 });
  const deliveries = await waitsOf(member, "POST", "/api/checkout/deliveries", { code: moscowCode });
  await letCachesExpire();
  const quote = await measured<{ quoteId: string }>(member, "POST", "/api/checkout/quote", quoteBody(4));
  const order = await measured<{ id: string; key: string; payment: { confirmationUrl: string } }>(
    member,
    "POST",
    "/api/orders",
    orderOf(quote.data.quoteId),
    { "idempotency-key": "key-1" },
  );
  expect(order.data.payment.confirmationUrl).toMatch(/^https:/);
  within(ceilings.deliveries, { deliveries });
  within(ceilings.quote, { quote: quote.waits });
  within(ceilings.order, { order: order.waits });
  within(ceilings.orderStatements, { "statements of an order with its payment": order.statements });
  within(ceilings.repeatedOrder, {
    "the same order again": await waitsOf(member, "POST", "/api/orders", orderOf(quote.data.quoteId), { "idempotency-key": "key-1" }),
  });
  const payPath = `/api/orders/${order.data.id}/pay`;
  within(ceilings.pay, { "another way to pay": await waitsOf(member, "POST", payPath, { paymentId: 5 }) });
  within(ceilings.payAgain, {
    "the same way again, by the link": await waitsOf(bench.visitor(), "POST", `${payPath}?key=${order.data.key}`, { paymentId: 5 }),
  });
  within(ceilings.read, {
    me: await waitsOf(member, "GET", "/api/me"),
    orders: await waitsOf(member, "GET", "/api/orders"),
    "one order": await waitsOf(member, "GET", `/api/orders/${order.data.id}`),
  });
});
