import { request, type ClientRequest } from "node:http";
import type { AddressInfo } from "node:net";
import { brotliCompressSync } from "node:zlib";
import { sql, type SQL } from "drizzle-orm";
import { PgDialect } from "drizzle-orm/pg-core";
import Fastify, { type FastifyInstance } from "fastify";
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { minutes } from "#kit/time.ts";
import type { Ctx } from "#shop/context.ts";
import * as pricing from "#shop/pricing/service.ts";
import { priceLists } from "#shop/pricing/tables.ts";
import * as processes from "#shop/processes/service.ts";
import * as processJobs from "#shop/processes/jobs.ts";
import { registerHttp } from "./http.ts";
import { createFastPath } from "./server/fast-path.ts";
import type { CachedAnswer } from "./server/answer-cache.ts";
import { serverOptions } from "./server/server-options.ts";
import { host, openHttpBench, uidCookie, type HttpBench } from "./testing.ts";

/** Two processes of one shop behind a balancer: two servers with caches and counters of their own on one database. */
let bench: HttpBench;
let second: { ctx: Ctx; app: FastifyInstance };
let apps: FastifyInstance[];

const config = { port: 3000, publicUrl: undefined, trustProxy: [], isDemo: true, metricsToken: undefined, version: "test" };
const limits = {
  requestsPerMinute: 200,
  addressRequestsPerMinute: 100_000,
  pagesPerMinute: 20,
  addressPagesPerMinute: 60,
  searchesPerMinute: 40,
  promoCodesPerMinute: 10,
  addressPromoCodesPerMinute: 60,
  streamsPerVisitor: 3,
};
const html = "<p>Монета</p>";
const cached: CachedAnswer = {
  etag: '"cached"',
  headers: { "content-type": "text/html" },
  body: null,
  br: brotliCompressSync(html),
};
const findPage = (url: string): CachedAnswer | null => (url === "/cached" ? cached : null);

beforeAll(async () => {
  const paths = [createFastPath(), createFastPath()] as const;
  const renderPage: Parameters<typeof registerHttp>[1]["renderPage"] = async (_, reply) => reply.type("text/html").send(html);
  bench = await openHttpBench({
    limits,
    config,
    fastPath: paths[0],
    deps: { renderPage, fastPath: { path: paths[0], findPage } },
  });
  const ctx = await bench.another();
  const app = Fastify(serverOptions(config, {}, paths[1]));
  registerHttp(app, { ctx, config, renderPage, fastPath: { path: paths[1], findPage } });
  second = { ctx, app };
  apps = [bench.app, app];
  for (const each of apps) await each.listen({ port: 0, host: "127.0.0.1" });
  await exchange();
});
afterAll(async () => {
  for (const each of open.splice(0)) each.destroy();
  await second.app.close();
  await bench.close();
});
// Everything that was used has refilled.
beforeEach(async () => {
  bench.clock.advance(minutes(3));
  await bench.fetchRates();
  await exchange();
});

/** Each process exchanges with the others, as it does every second; twice, since the first one knows the second after its second turn. */
async function exchange(): Promise<void> {
  for (const ctx of [bench.ctx, second.ctx, bench.ctx]) await processes.exchange(ctx);
}

let browsers = 0;
const aBrowser = () => ({ cookie: uidCookie(bench.ctx, `browser${(browsers += 1)}`) });

type Sent = { method?: "GET" | "POST"; headers?: Record<string, string>; address?: string; body?: object };
const send = (process: number, url: string, { method = "GET", headers = {}, address = "198.51.100.7", body }: Sent = {}) =>
  apps[process % 2]!.inject({
    method,
    url,
    remoteAddress: address,
    headers: { host, "sec-fetch-site": "same-origin", ...(body ? { "content-type": "application/json" } : {}), ...headers },
    ...(body ? { payload: JSON.stringify(body) } : {}),
  });

/** How many of so many requests, sent to both processes in turn, are answered and not refused with 429. */
async function answered(events: number, sent: (n: number) => ReturnType<typeof send>): Promise<number> {
  let count = 0;
  for (let n = 0; n < events; n += 1) if ((await sent(n)).statusCode !== 429) count += 1;
  return count;
}

/** A request over a socket, which the path before the router sees too. */
function get(process: number, path: string, headers: Record<string, string>): Promise<{ status: number; body: string }> {
  const { port } = apps[process % 2]!.server.address() as AddressInfo;
  return new Promise((resolve, reject) => {
    const sent = request({ port, host: "127.0.0.1", path, headers: { host, ...headers } }, (answer) => {
      let body = "";
      answer.setEncoding("utf8").on("data", (part: string) => (body += part));
      answer.on("end", () => resolve({ status: answer.statusCode ?? 0, body }));
    });
    sent.on("error", reject).end();
  });
}

const open: ClientRequest[] = [];
/** Opens an event stream and returns its status. */
function openStream(process: number, headers: Record<string, string>): Promise<number> {
  const { port } = apps[process % 2]!.server.address() as AddressInfo;
  return new Promise((resolve, reject) => {
    const sent = request(
      { port, host: "127.0.0.1", path: "/api/courses/stream", headers: { host, ...headers }, agent: false },
      (answer) => {
        answer.on("error", () => {}).resume();
        resolve(answer.statusCode ?? 0);
      },
    );
    sent.on("error", reject).end();
    open.push(sent);
  });
}

describe("a limit holds for both processes together", () => {
  test("reads and searches: at most a tenth more than the limit", async () => {
    const headers = aBrowser();
    const searches = await answered(120, (n) => send(n, "/api/search?q=sey", { headers }));
    expect(searches).toBeGreaterThanOrEqual(40);
    expect(searches).toBeLessThanOrEqual(44);
    const reader = aBrowser();
    const reads = await answered(500, (n) => send(n, "/api/work", { headers: reader }));
    expect(reads).toBeGreaterThanOrEqual(200);
    expect(reads).toBeLessThanOrEqual(220);
  });

  test("promo codes, which could be guessed: exactly the limit, also at once", async () => {
    const headers = aBrowser();
    const answers = await Promise.all(
      Array.from({ length: 40 }, (_, n) => send(n, "/api/cart/promo", { method: "POST", headers, body: { code: `GUESS${n}` } })),
    );
    expect(answers.filter(({ statusCode }) => statusCode !== 429).length).toBe(10);
    const refused = answers.find(({ statusCode }) => statusCode === 429);
    expect(Number(refused?.headers["retry-after"])).toBeGreaterThan(0);
  });

  test("another visitor has a limit of its own, and nothing that names a visitor or an address is stored", async () => {
    const one = aBrowser();
    await answered(60, (n) => send(n, "/api/search?q=sey", { headers: one }));
    expect((await send(0, "/api/search?q=sey", { headers: aBrowser() })).statusCode).toBe(200);
    await exchange();
    const stored = JSON.stringify((await bench.ctx.db.execute(sql`select key from rate_buckets`)) as unknown);
    expect(stored).toMatch(/shop\.search [0-9a-f]{32}/);
    expect(stored).not.toMatch(/198\.51\.100\.7|visitor:/);
  });
});

test("an idle process costs one statement a second", async () => {
  let statements = 0;
  const db = new Proxy(second.ctx.db, {
    get(target, name) {
      if (["execute", "select", "insert", "update", "delete", "transaction"].includes(String(name))) statements += 1;
      return Reflect.get(target, name) as unknown;
    },
  });
  await processes.exchange({ ...second.ctx, db });
  expect(statements).toBe(1);
});

describe("addresses and cookies", () => {
  /** Search requests without a cookie of the shop, each from another address. */
  const searchesFrom = (addressOf: (n: number) => string) => answered(60, (n) => send(n, "/api/search?q=sey", { address: addressOf(n) }));

  test("all addresses of an IPv6 network (/64) share one limit, another network has its own", async () => {
    expect(await searchesFrom((n) => `2001:db8:1:2::${(n + 1).toString(16)}`)).toBeLessThanOrEqual(44);
    expect((await send(0, "/api/search?q=sey", { address: "2001:db8:1:3::1" })).statusCode).toBe(200);
  });

  test("an IPv4 address is one client, however it is written", async () => {
    const spellings = ["203.0.113.9", "::ffff:203.0.113.9", "::ffff:cb00:7109"];
    expect(await searchesFrom((n) => spellings[n % 3]!)).toBeLessThanOrEqual(44);
    expect((await send(0, "/api/search?q=sey", { address: "203.0.113.10" })).statusCode).toBe(200);
  });

  test("an invented cookie has no limit of its own, and signed ones do not exceed the limit of their address", async () => {
    const invented = (n: number) => ({ cookie: `uid=${`invented${n}`.padEnd(22, "x")}${"0".repeat(32)}` });
    expect(await answered(60, (n) => send(n, "/api/search?q=sey", { headers: invented(n), address: "203.0.113.20" }))).toBeLessThanOrEqual(
      44,
    );
    const codes = await answered(90, (n) =>
      send(n, "/api/cart/promo", { method: "POST", headers: aBrowser(), body: { code: `G${n}` }, address: "203.0.113.21" }),
    );
    expect(codes).toBe(60);
  });
});

describe("pages", () => {
  test("have a limit, at both processes, and its refusal is a page in plain Russian that says when to come back", async () => {
    const headers = { ...aBrowser(), accept: "text/html" };
    const count = await answered(40, (n) => send(n, "/catalog", { headers }));
    expect(count).toBeGreaterThanOrEqual(20);
    expect(count).toBeLessThanOrEqual(22);
    const refused = await send(1, "/catalog", { headers });
    expect([refused.statusCode, refused.headers["content-type"]]).toEqual([429, "text/html; charset=utf-8"]);
    expect(refused.body).toContain("Слишком много запросов");
    expect(Number(refused.headers["retry-after"])).toBeGreaterThan(0);
    // From the cache a page costs little and counts as a request only.
    expect((await get(0, "/cached", { ...headers, "accept-encoding": "br" })).status).toBe(200);
  });

  test("of many visitors at one address stop at the limit of the address", async () => {
    const count = await answered(120, (n) => send(n, "/catalog", { headers: aBrowser(), address: "203.0.113.30" }));
    expect(count).toBeGreaterThanOrEqual(60);
    expect(count).toBeLessThanOrEqual(66);
  });
});

// Before any stream is open: a process with streams looks for new prices every second.
describe("prices do not step back", () => {
  const path = "/api/products/georgij-pobedonosec";
  const versionAt = (ctx: Ctx) => pricing.current(ctx).then(({ version }) => version);
  const priceAt = async (process: number, headers: Record<string, string>) => {
    const { status, body } = await get(process, path, headers);
    expect(status).toBe(200);
    return (JSON.parse(body) as { data: { price: number } }).data.price;
  };
  /** Both processes answer with the list of this second; then there is a new one, which the first process has read. */
  async function aNewList(): Promise<{ before: number; after: number }> {
    for (const n of [0, 1]) await priceAt(n, aBrowser());
    const before = await versionAt(second.ctx);
    const { goldE4, silverE4, ratesAt, madeAt } = await pricing.current(bench.ctx);
    await bench.ctx.db.insert(priceLists).values({ goldE4: goldE4 * 2, silverE4, ratesAt, madeAt });
    pricing.invalidateCache(bench.ctx);
    return { before, after: await versionAt(bench.ctx) };
  }

  test("a page that has seen the new price at one process gets it at the other, which reads the list again", async () => {
    const { before, after } = await aNewList();
    expect(after).toBeGreaterThan(before);
    const [newer, older] = [await priceAt(0, aBrowser()), await priceAt(1, aBrowser())];
    expect(newer).toBeGreaterThan(older * 1.5);
    expect(await versionAt(second.ctx)).toBe(before); // no client has seen more at the second process
    expect(await priceAt(1, { ...aBrowser(), "x-price-list": String(after) })).toBe(newer);
    expect(await priceAt(1, aBrowser())).toBe(newer);
  });

  test("an answer that was cached before the router is not given to a page that has seen newer prices", async () => {
    const headers = aBrowser();
    const { after } = await aNewList();
    const [older, cached] = [await priceAt(1, headers), await priceAt(1, headers)];
    expect(cached).toBe(older);
    const newer = await priceAt(1, { ...headers, "x-price-list": String(after) });
    expect(newer).toBeGreaterThan(older * 1.5);
  });

  test("an invented version waits a moment, is answered with the newest list, and does not read it at every request", async () => {
    const before = await versionAt(second.ctx);
    const from = performance.now();
    const answers = await Promise.all(
      Array.from({ length: 50 }, () => send(1, path, { headers: { ...aBrowser(), "x-price-list": "999999999" } })),
    );
    expect(answers.map(({ statusCode }) => statusCode)).toEqual(answers.map(() => 200));
    expect(await versionAt(second.ctx)).toBe(before);
    expect(performance.now() - from).toBeLessThan(5_000);
    for (const strange of ["-1", "1e9", "abc", "1".repeat(40)])
      expect((await send(1, path, { headers: { ...aBrowser(), "x-price-list": strange } })).statusCode).toBe(200);
  });

  test("a stream that comes from a process with newer prices does not get the older ones", async () => {
    const first = await get(0, "/api/courses", aBrowser());
    expect(first.status).toBe(200);
    expect(await openStream(1, aBrowser())).toBe(200);
    const { after } = await aNewList();
    expect(await openStream(1, { ...aBrowser(), "last-event-id": `1.${after}` })).toBe(200);
    expect(await versionAt(second.ctx)).toBe(after);
  });
});

test("a visitor's streams are counted over both processes; closed ones, and those of a process that ended, make room", async () => {
  const headers = aBrowser();
  const [before, statuses] = [open.length, [] as number[]];
  for (let n = 0; n < 5; n += 1) statuses.push(await openStream(n, headers));
  expect(statuses).toEqual([200, 200, 200, 429, 429]);
  expect(await openStream(0, aBrowser())).toBe(200);
  open[before]?.destroy();
  await expect.poll(async () => (await exchange(), openStream(1, headers)), { interval: 50 }).toBe(200);

  const ended = aBrowser();
  for (let n = 0; n < 3; n += 1) expect(await openStream(1, ended)).toBe(200);
  expect(await openStream(0, ended)).toBe(429);
  await processes.leave(second.ctx);
  await processes.exchange(bench.ctx);
  expect(await openStream(0, ended)).toBe(200);
});

test("streams that open at once are counted with those of other processes in one statement", async () => {
  await exchange();
  const { server } = apps[1]!;
  const arrived = new Promise<void>((resolve) => {
    let requests = 0;
    const count = () => ((requests += 1) === 30 ? (server.off("request", count), setImmediate(resolve)) : undefined);
    server.on("request", count);
  });
  const send = second.ctx.db.execute.bind(second.ctx.db);
  const sent = vi.spyOn(second.ctx.db, "execute").mockImplementation(((query: SQL) => arrived.then(() => send(query))) as never);
  const statuses = await Promise.all(Array.from({ length: 30 }, () => openStream(1, aBrowser())));
  const statements = sent.mock.calls.filter(([query]) => new PgDialect().sqlToQuery(query as SQL).sql.includes("open_streams")).length;
  sent.mockRestore();
  expect(statuses).toEqual(statuses.map(() => 200));
  expect(statements).toBeLessThanOrEqual(2);
});

test("limits that are whole again and ended processes are removed", async () => {
  await answered(60, (n) => send(n, "/api/search?q=sey", { headers: aBrowser() }));
  bench.clock.advance(minutes(10));
  await processJobs.sweeps["processes.forget"].run(bench.ctx);
  const left = await bench.ctx.db.execute(
    sql`select (select count(*) from rate_buckets)::int as buckets, (select count(*) from processes)::int as processes,
      (select count(*) from open_streams)::int as streams`,
  );
  expect((left as unknown as { rows: object[] }).rows).toEqual([{ buckets: 0, processes: 0, streams: 0 }]);
});
