/**
 * `npm run bench:orders`: the cost of the distance to the database. With 0, 1 and 5 ms between the shop and PostgreSQL it measures changes
 * of the cart, and purchases (cart, quote, order) of new visitors, per second and as ratios to a bare `select 1` loop over the same
 * connection. Run it in two worktrees in turn to compare two commits. `BENCH_CLIENTS` (8), `BENCH_SECONDS` per measurement (3),
 * `BENCH_DELAYS` ("0,1,5"). Takes some fifteen seconds per delay. Never part of the gate.
 */
import pg from "pg";
import { request } from "undici";
import { silentLog } from "#kit/log.ts";
import { openPostgres } from "#main/database/postgres.ts";
import { startFaultProxy } from "#tests/fault-proxy.ts";
import { startOwnPostgres } from "#tests/postgres.ts";
import { runShop, withoutRateLimits, withoutReserveLimits } from "#tests/running-shop.ts";
import { coinsInStock, moscow, orderBody } from "./load/buyers.ts";
import { stockManyPieces } from "./load/pieces.ts";

const clients = Number(process.env.BENCH_CLIENTS ?? 8);
const secondsEach = Number(process.env.BENCH_SECONDS ?? 3);
const delays = (process.env.BENCH_DELAYS ?? "0,1,5").split(",").map(Number);

type Measured = { perSecond: number; p50: number };

/** Repeats `work` for one measurement, `atOnce` at a time. */
async function measure(atOnce: number, work: (n: number, client: number) => Promise<unknown>): Promise<Measured> {
  const times: number[] = [];
  let next = 0;
  const started = performance.now();
  await Promise.all(
    Array.from({ length: atOnce }, async (_, client) => {
      while (performance.now() - started < secondsEach * 1000) {
        const n = next++;
        const from = performance.now();
        await work(n, client);
        times.push(performance.now() - from);
      }
    }),
  );
  times.sort((a, b) => a - b);
  return { perSecond: (times.length / (performance.now() - started)) * 1000, p50: times[Math.floor(times.length / 2)] ?? 0 };
}

type Browser = { cookie: string };
/** Calls that were answered with 503 by an overloaded machine, and repeated. More than this many end the run. */
let unavailable = 0;
const maxUnavailable = 500;

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
    if (unavailable > maxUnavailable) throw new Error("the machine is too slow: the shop answers 503");
    return call(browser, method, path, body, key);
  }
  if (answer.statusCode > 201) throw new Error(`${method} ${path}: ${answer.statusCode} ${text.slice(0, 200)}`);
  return (JSON.parse(text) as { data: unknown }).data;
}

const putInCart = (browser: Browser, coinId: number, quantity: number) => call(browser, "PATCH", `/api/cart/${coinId}`, { quantity });

/** A new visitor fills a cart, locks the prices and orders: three calls. */
async function buy(n: number, key: string): Promise<void> {
  const browser = { cookie: "a=b" };
  await putInCart(browser, coins[n % coins.length] ?? 0, 1);
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
await stockManyPieces(database);
// No message is sent: sending would share counters and connections with the measured calls.
await database.db.execute(
  "create function keep_unsent() returns trigger language plpgsql as 'begin new.next_try_at := null; return new; end'",
);
await database.db.execute("create trigger keep_unsent before insert on outbox for each row execute function keep_unsent()");
const coins = (await coinsInStock(shop.url)).slice(0, 40);
const bare = new pg.Pool({ connectionString: url.href, max: 10 });

const browsers: Browser[] = Array.from({ length: clients }, () => ({ cookie: "a=b" }));
for (const browser of browsers) await putInCart(browser, coins[0] ?? 0, 1);
for (let n = 0; n < 50; n += 1) await buy(n, `warm-${n}`);
for (const ms of delays) {
  line.setFault(ms === 0 ? { kind: "none" } : { kind: "latency", ms });
  const change = (n: number, client: number) => putInCart(browsers[client] as Browser, coins[n % 20] ?? 0, 1 + (n % 3));
  const select = await measure(clients, () => bare.query("select 1"));
  const results: [string, Measured][] = [
    ["change of the cart", await measure(clients, change)],
    ["purchase", await measure(clients, (n) => buy(n, `order-${ms}-${n}`))],
    ["change of the cart, one client", await measure(1, (n) => change(n, 0))],
    ["purchase, one client", await measure(1, (n) => buy(n, `alone-${ms}-${n}`))],
  ];
  console.log(`${ms} ms: select 1 ${select.perSecond.toFixed(0)}/s, p50 ${select.p50.toFixed(1)} ms`);
  for (const [name, { perSecond, p50 }] of results)
    console.log(
      `${ms} ms: ${name.padEnd(30)} ${perSecond.toFixed(1).padStart(7)}/s  p50 ${p50.toFixed(1).padStart(6)} ms  ratio ` +
        (perSecond / select.perSecond).toFixed(4),
    );
}
line.setFault({ kind: "none" });
console.log(`answered with 503 and made again: ${unavailable}`);

await shop.stop();
await bare.end();
await database.close();
await line.close();
await server.stop();
