/**
 * `npm run bench:orders`: what the distance to the database costs. With 0, 1 and 5 ms between the shop and PostgreSQL it measures changes of
 * the cart, and quotes with their orders, per second and as ratios to a bare `select 1` loop over the same connection in the same run.
 * Run it in two worktrees in turn to compare two commits. `BENCH_CLIENTS` (8), `BENCH_CALLS` per measurement (400), `BENCH_DELAYS` ("0,1,5").
 * Never part of the gate.
 */
import pg from "pg";
import { request } from "undici";
import { silentLog } from "#kit/log.ts";
import { openPostgres } from "#main/database.ts";
import { startFaultProxy } from "#tests/fault-proxy.ts";
import { startOwnPostgres } from "#tests/postgres.ts";
import { runShop, withoutRateLimits, withoutReserveLimits } from "#tests/running-shop.ts";
import { coinsInStock, moscow, orderBody } from "./bench/buyers.ts";
import { manyPieces } from "./bench/pieces.ts";

const clients = Number(process.env.BENCH_CLIENTS ?? 8);
const calls = Number(process.env.BENCH_CALLS ?? 400);
const delays = (process.env.BENCH_DELAYS ?? "0,1,5").split(",").map(Number);

type Measured = { perSecond: number; p50: number };

/** Does `work` for each number below `count`, `atOnce` at a time. */
async function measure(atOnce: number, count: number, work: (n: number, client: number) => Promise<unknown>): Promise<Measured> {
  const times: number[] = [];
  let next = 0;
  const started = performance.now();
  await Promise.all(
    Array.from({ length: atOnce }, async (_, client) => {
      while (next < count) {
        const n = next++;
        const from = performance.now();
        await work(n, client);
        times.push(performance.now() - from);
      }
    }),
  );
  times.sort((a, b) => a - b);
  return { perSecond: (count / (performance.now() - started)) * 1000, p50: times[Math.floor(times.length / 2)] ?? 0 };
}

type Browser = { cookie: string };
/** Calls that were answered with 503, and made again: an overloaded machine. */
let unavailable = 0;

async function call(browser: Browser, method: "GET" | "POST" | "PATCH", path: string, body?: object, key?: string): Promise<unknown> {
  const answer = await request(shop.url + path, {
    method,
    headers: { cookie: browser.cookie, "content-type": "application/json", ...(key ? { "idempotency-key": key } : {}) },
    body: JSON.stringify(body ?? {}),
  });
  for (const each of [answer.headers["set-cookie"] ?? []].flat()) browser.cookie += `; ${each.split(";", 1)[0]}`;
  const text = await answer.body.text();
  if (answer.statusCode === 503) {
    unavailable += 1;
    return call(browser, method, path, body, key);
  }
  if (answer.statusCode > 201) throw new Error(`${method} ${path}: ${answer.statusCode} ${text.slice(0, 200)}`);
  return (JSON.parse(text) as { data: unknown }).data;
}

const putInCart = (browser: Browser, coinId: number, quantity: number) => call(browser, "PATCH", `/api/cart/${coinId}`, { quantity });

async function buy(browser: Browser, key: string): Promise<void> {
  const quote = await call(browser, "POST", "/api/checkout/quote", { deliveryId: 35, city: moscow, paymentId: 6 });
  await call(browser, "POST", "/api/orders", orderBody((quote as { quoteId: string }).quoteId) as object, key);
}

const server = await startOwnPostgres({ durable: false });
const { hostname, port } = new URL(server.url);
const line = await startFaultProxy({ host: hostname, port: Number(port) });
const url = new URL(server.url);
url.port = String(line.port);
const shop = await runShop({
  DATABASE_URL: url.href,
  RATES_POLL_SECONDS: "60",
  ...withoutRateLimits,
  ...withoutReserveLimits,
  UNPAID_ORDERS: "100000000",
});
const database = openPostgres(server.url, { log: silentLog, max: 2 });
await manyPieces(database);
const coins = (await coinsInStock(shop.url)).slice(0, 40);
const bare = new pg.Pool({ connectionString: url.href, max: 10 });

async function visitors(count: number): Promise<Browser[]> {
  const made: Browser[] = Array.from({ length: count }, () => ({ cookie: "a=b" }));
  await measure(clients, count, async (n) => {
    const browser = made[n] as Browser;
    await call(browser, "PATCH", `/api/cart/${coins[n % coins.length]}`, { quantity: 1 });
  });
  return made;
}

for (const browser of await visitors(50)) await buy(browser, `warm-${Math.random()}`);
for (const ms of delays) {
  const [crowd, one] = [await visitors(calls), await visitors(30)];
  line.setFault(ms === 0 ? { kind: "none" } : { kind: "latency", ms });
  const select = await measure(clients, calls * 3, () => bare.query("select 1"));
  const results: [string, Measured][] = [
    ["add to cart", await measure(clients, calls * 2, (n, client) => putInCart(crowd[client] as Browser, coins[n % 20] ?? 0, 1 + (n % 3)))],
    ["quote + order", await measure(clients, calls - clients, (n) => buy(crowd[n + clients] as Browser, `order-${ms}-${n}`))],
    ["add to cart, one client", await measure(1, 60, (n) => putInCart(one[0] as Browser, coins[n % 20] ?? 0, 1 + (n % 3)))],
    ["quote + order, one client", await measure(1, 29, (n) => buy(one[n + 1] as Browser, `alone-${ms}-${n}`))],
  ];
  line.setFault({ kind: "none" });
  console.log(`${ms} ms: select 1 ${select.perSecond.toFixed(0)}/s, p50 ${select.p50.toFixed(1)} ms`);
  for (const [name, { perSecond, p50 }] of results)
    console.log(
      `${ms} ms: ${name.padEnd(26)} ${perSecond.toFixed(1).padStart(7)}/s  p50 ${p50.toFixed(1).padStart(6)} ms  ratio ${(perSecond / select.perSecond).toFixed(4)}`,
    );
}
console.log(`answered with 503 and made again: ${unavailable}`);

await shop.stop();
await bare.end();
await database.close();
await line.close();
await server.stop();
