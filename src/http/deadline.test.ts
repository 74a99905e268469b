import { count, eq } from "drizzle-orm";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { inTransaction, type Db } from "#kit/db.ts";
import { DeadlineError, isDeadline, withDeadline } from "#kit/concurrency/deadline.ts";
import { silentLog } from "#kit/log.ts";
import { minutes, seconds } from "#kit/time.ts";
import type { Database } from "#main/database/database.ts";
import { openPostgres } from "#main/database/postgres.ts";
import { checkLedger } from "#main/ledger/ledger.ts";
import { moscowCode } from "#shop/delivery/delivery.ts";
import { deliveryIds, paymentIds } from "#shop/method-ids.ts";
import { orders } from "#shop/orders/tables.ts";
import { marketStatus } from "#shop/rates/tables.ts";
import { defaultLimits } from "#shop/settings.ts";
import { startFaultProxy, type FaultProxy } from "#tests/fault-proxy.ts";
import { coins, openHttpBench, placeOrder, pointId, type Browser, type HttpBench } from "./testing.ts";

/** The longest permitted answer while the database needs 500 ms for a statement. */
const maxAnswerMs = 3_000;
const slow = { kind: "latency", ms: 500 } as const;

let bench: HttpBench;
let line: FaultProxy;
let near: Db;
let far: Database;
beforeAll(async () => {
  bench = await openHttpBench({
    limits: { unpaidOrders: 100 },
    deps: {
      renderPage: (_, reply, visitor) =>
        withDeadline({ answerMs: 600, reserveMs: 200 }, async () => {
          await visitor();
          for (let n = 0; n < 10; n += 1) await bench.ctx.db.select().from(marketStatus);
          await reply.send("page");
        }),
    },
  });
  const { hostname, port } = new URL(bench.url);
  line = await startFaultProxy({ host: hostname, port: Number(port) });
  const url = new URL(bench.url);
  url.port = String(line.port);
  far = openPostgres(url.href, { log: silentLog });
  near = bench.ctx.db;
  bench.ctx.db = far.db;
  await Promise.all(Array.from({ length: 10 }, () => far.isReachable()));
});
afterAll(async () => {
  line.setFault({ kind: "none" });
  await far.close();
  await line.close();
  await bench.close();
});
beforeEach(() => speedUp());

let people = 0;
async function aMember(): Promise<Browser> {
  const who = bench.visitor();
  await who.signIn(bench, `+7916${3_000_000 + (people += 1)}`);
  return who;
}

/** Makes the database slow and the deadline the shop's own; `testShop` gives requests a minute, for busy machines. */
function slowDown(): void {
  bench.ctx.settings.limits.requestDeadlineMs = defaultLimits.requestDeadlineMs;
  line.setFault(slow);
}
function speedUp(): void {
  bench.ctx.settings.limits.requestDeadlineMs = minutes(1);
  line.setFault({ kind: "none" });
}

/** Runs `work` and says how long it took, without the time by which this process is late with its timers because the machine is busy. */
async function measured<T>(work: () => Promise<T>): Promise<{ value: T; took: number }> {
  const started = performance.now();
  let late = 0;
  const probe = setInterval(() => {
    late = Math.max(late, performance.now() - probed - 50);
    probed = performance.now();
  }, 50);
  let probed = performance.now();
  const value = await work();
  clearInterval(probe);
  return { value, took: performance.now() - started - late };
}

/** Afterwards nothing is cached of the calls before. */
async function rest(): Promise<void> {
  bench.clock.advance(minutes(3));
  await bench.fetchRates();
  bench.clock.advance(seconds(2));
}

/** One call with 500 ms before each answer of the database; it must be answered within the limit, with 200, 201 or an honest 503. */
async function slowly(...[who, ...call]: [Browser, ...Parameters<Browser["request"]>]): Promise<number> {
  await rest();
  slowDown();
  const { value: answer, took } = await measured(() => who.request(...call));
  speedUp();
  expect([call.slice(0, 2), took, took < maxAnswerMs]).toEqual([expect.anything(), expect.anything(), true]);
  expect([call.slice(0, 2), answer.statusCode]).toEqual([expect.anything(), expect.toBeOneOf([200, 201, 503])]);
  if (answer.statusCode === 503) {
    expect(answer.headers["retry-after"]).toMatch(/^\d+$/);
    expect(answer.json()).toMatchObject({ statusCode: 503, code: "service.unavailable", message: expect.stringMatching(/[а-я]/) });
  }
  return answer.statusCode;
}

const storedOrders = async (): Promise<number> => (await near.select({ n: count() }).from(orders))[0]?.n ?? 0;
const quoteRequest = { deliveryId: deliveryIds.free_pickup_point, pvzId: pointId, city: moscowCode, paymentId: paymentIds.card };

test("with 500 ms a statement each step of buying is answered within three seconds, and 503 leaves nothing half done", async () => {
  const [member, guest] = [await aMember(), bench.visitor()];
  for (const who of [member, guest]) {
    await who.request("PATCH", `/api/cart/${coins.memorable}`, { quantity: 1 });
    await slowly(who, "GET", "/api/cart");
    await slowly(who, "PATCH", `/api/cart/${coins.bullion}`, { quantity: 1 });
    await slowly(who, "POST", "/api/cart/clear");
    await slowly(who, "POST", "/api/checkout/deliveries", { code: moscowCode });
    await who.request("PATCH", `/api/cart/${coins.memorable}`, { quantity: 1 });
    await slowly(who, "POST", "/api/checkout/quote", quoteRequest);
  }
  const order = await placeOrder(member, coins.memorable, "paid-slowly");
  const { id, key } = order.json<{ data: { id: string; key: string } }>().data;
  await slowly(member, "GET", `/api/orders/${id}`);
  await slowly(member, "POST", `/api/orders/${id}/pay`, { paymentId: paymentIds.sbp });
  await slowly(guest, "POST", `/api/orders/${id}/cancel?key=${encodeURIComponent(key)}`);
  expect(await checkLedger(near)).toEqual([]);
}, 60_000);

test("an order that was answered with 503 is either not there or the one that the same key returns", async () => {
  const member = await aMember();
  await member.request("PATCH", `/api/cart/${coins.memorable}`, { quantity: 1 });
  const quote = await member.request("POST", "/api/checkout/quote", quoteRequest);
  const { quoteId } = quote.json<{ data: { quoteId: string } }>().data;
  const body = {
    quoteId,
    user: { name: "Иван", lastName: "Иванов", secondName: "", email: "ivan@example.ru", phone: "+79161234567" },
    delivery: { id: deliveryIds.free_pickup_point, pvzId: pointId },
    paymentId: paymentIds.card,
    consent: true,
  };
  const before = await storedOrders();
  slowDown();
  for (let n = 0; n < 2; n += 1) {
    const { value: answer, took } = await measured(() => member.request("POST", "/api/orders", body, { "idempotency-key": "slow" }));
    expect([answer.statusCode, took < maxAnswerMs]).toEqual([expect.toBeOneOf([200, 201, 503]), true]);
  }
  speedUp();
  const last = await member.request("POST", "/api/orders", body, { "idempotency-key": "slow" });
  expect([200, 201]).toContain(last.statusCode);
  expect(await storedOrders()).toBe(before + 1);
  expect(await checkLedger(near)).toEqual([]);
}, 60_000);

test("a page is answered with its 503 in the same way", async () => {
  line.setFault({ kind: "latency", ms: 200 });
  const answer = await bench.visitor().request("GET", "/catalog", undefined, { accept: "text/html" });
  expect([answer.statusCode, answer.headers["retry-after"]]).toEqual([503, "2"]);
  expect(answer.headers["content-type"]).toContain("text/html");
  expect(answer.body).toMatch(/<h1>503<\/h1><p>[А-Я]/);
});

const write = (tx: Db, isOpen: boolean) =>
  tx
    .insert(marketStatus)
    .values({ id: 1, isOpen, heardAt: bench.clock.now() })
    .onConflictDoUpdate({ target: marketStatus.id, set: { isOpen } });
const isOpen = async () => (await near.select().from(marketStatus).where(eq(marketStatus.id, 1)))[0]?.isOpen;

test("a transaction whose time is over before its commit is rolled back, and its connection is used again", async () => {
  await write(near, true);
  await Promise.all(Array.from({ length: 10 }, () => far.isReachable()));
  const before = line.open();
  line.setFault({ kind: "latency", ms: 150 });
  const late = withDeadline({ answerMs: 5_000, reserveMs: 4_700 }, () =>
    inTransaction(far.db, async (tx) => {
      await write(tx, false);
      await tx.select().from(marketStatus);
    }),
  );
  expect(isDeadline(await late.catch((error: unknown) => error))).toBe(true);
  expect([await isOpen(), line.open()]).toEqual([true, before]);
});

test("a commit that was sent is not taken back when the answer comes too late", async () => {
  await write(near, true);
  let abandoned: Promise<unknown> | undefined;
  const late = withDeadline({ answerMs: 200, reserveMs: 50 }, () => {
    abandoned = inTransaction(far.db, async (tx) => {
      await write(tx, false);
      line.setFault({ kind: "latency", ms: 400 });
    });
    return abandoned;
  });
  await expect(late).rejects.toBeInstanceOf(DeadlineError);
  await abandoned;
  expect(await isOpen()).toBe(false);
});

test("a request stops waiting for a lock when its time is over", async () => {
  const [locked, done] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const holder = inTransaction(near, async (tx) => {
    await write(tx, true);
    locked.resolve();
    await done.promise;
  });
  await locked.promise;
  let abandoned: Promise<unknown> | undefined;
  const late = withDeadline({ answerMs: 400, reserveMs: 100 }, () => (abandoned = inTransaction(far.db, (tx) => write(tx, false))));
  await expect(late).rejects.toMatchObject({ cause: { code: "57014" } });
  await expect(abandoned).rejects.toThrow();
  done.resolve();
  await holder;
  expect(await isOpen()).toBe(true);
});
