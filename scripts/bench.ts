/**
 * `npm run bench`: the shop against a bare Fastify + pg on the same PostgreSQL in the same run, as ratios. Never part of the gate: machines
 * differ, ratios are comparable.
 */
import { fork, type ChildProcess } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import pg from "pg";
import { startPostgres } from "#tests/postgres.ts";
import { runShop, withoutRateLimits, withoutReserveLimits } from "#tests/running-shop.ts";
import { aBuyerWithQuote, coinsInStock, orderBody, type Buyer } from "./bench/buyers.ts";
import { line, load, type Outcome } from "./bench/load.ts";

const orders = Number(process.env.BENCH_ORDERS ?? 2_000);
const server = await startPostgres({ durable: true });

async function aDatabase(name: string): Promise<string> {
  const client = new pg.Client({ connectionString: server.url });
  await client.connect();
  await client.query(`create database ${name}`);
  await client.end();
  return server.url.replace(/\/postgres$/, `/${name}`);
}

async function bareServer(): Promise<{ url: string; child: ChildProcess }> {
  const child = fork(join(import.meta.dirname, "bench/bare.ts"), [], { env: { ...process.env, DATABASE_URL: await aDatabase("bare") } });
  const { url } = await new Promise<{ url: string }>((resolve) => child.once("message", (message) => resolve(message as { url: string })));
  return { url, child };
}

/** Buyers are prepared before the measurement: only the order itself counts. */
async function buyersFor(url: string, count: number, coinOf: (n: number) => number): Promise<Buyer[]> {
  const buyers: Buyer[] = [];
  let n = 0;
  await Promise.all(
    Array.from({ length: 20 }, async () => {
      while (n < count) buyers.push(await aBuyerWithQuote(url, coinOf(n++)));
    }),
  );
  return buyers;
}

async function measureOrders(url: string, buyers: Buyer[], round: string): Promise<Outcome> {
  return load(url, 50, buyers.length, (n) => ({
    method: "POST",
    path: "/api/orders",
    headers: { cookie: buyers[n]?.cookie ?? "", "idempotency-key": `${round}-${n}` },
    body: orderBody(buyers[n]?.quoteId ?? ""),
  }));
}

const bare = await bareServer();
const open = { ...withoutRateLimits, ...withoutReserveLimits, UNPAID_ORDERS: "100000000" };
const shopDatabase = await aDatabase("shop");
const shop = await runShop({ DATABASE_URL: shopDatabase, RATES_POLL_SECONDS: "60", ...open });

const stock = new pg.Client({ connectionString: shopDatabase });
await stock.connect();
// Enough pieces that no order is refused, with their stock entries.
await stock.query(
  "insert into stock_entries (coin_id, kind, quantity, at, actor) select coin_id, 'receipt', 100000, now(), 'job:bench' from stock_items",
);
await stock.query("update stock_items set on_hand = on_hand + 100000");
await stock.end();

const results: [name: string, shop: Outcome, bare: Outcome, target: number][] = [];
await load(shop.url, 20, 500, () => ({ method: "GET", path: "/api/courses" })); // warm-up
await load(bare.url, 20, 500, () => ({ method: "GET", path: "/json" }));
results.push([
  "GET /api/courses",
  await load(shop.url, 50, 20_000, () => ({ method: "GET", path: "/api/courses" })),
  await load(bare.url, 50, 20_000, () => ({ method: "GET", path: "/json" })),
  0.4,
]);

const ids = await coinsInStock(shop.url);
const many = await buyersFor(shop.url, orders, (n) => ids[n % ids.length] ?? 0);
const bareMany = await load(bare.url, 50, orders, (n) => ({ method: "POST", path: `/order/${(n % 500) + 1}` }));
results.push(["orders over many products", await measureOrders(shop.url, many, "many"), bareMany, 0.07]);

const one = await buyersFor(shop.url, orders, () => ids[0] ?? 0);
const bareOne = await load(bare.url, 50, orders, () => ({ method: "POST", path: "/order/1" }));
results.push(["orders on one product", await measureOrders(shop.url, one, "one"), bareOne, 0.09]);

for (const path of ["/catalog", "/"]) {
  const headers = { "accept-encoding": "br" };
  const page = await fetch(shop.url + path, { headers });
  const bytes = page.headers.get("content-length") ?? "0"; // compressed size
  await page.body?.cancel();
  const mine = await load(shop.url, 50, 5_000, () => ({ method: "GET", path, headers }));
  results.push([`page ${path} from cache`, mine, await load(bare.url, 50, 5_000, () => ({ method: "GET", path: `/page/${bytes}` })), 0.35]);
}

console.log();
for (const [name, mine, baseline, target] of results) {
  const ratio = mine.perSecond / baseline.perSecond;
  console.log(line(name, mine));
  console.log(
    `${"  bare".padEnd(34)} ${baseline.perSecond.toFixed(0).padStart(7)}/s  ratio ${ratio.toFixed(2)} (target ` +
      `${target})${ratio < target ? "  BELOW" : ""}`,
  );
}
const rss = Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${shop.pid}/status`, "utf8"))?.[1] ?? 0) / 1024;
console.log(`memory of the shop after the load: ${rss.toFixed(0)} MB`);

await shop.stop();
bare.child.kill();
await server.stop();
