/**
 * `npm run bench`: the shop against a bare server in the same run, as ratios: answers that are ready in memory against `node:http` that
 * gets the same requests and sends the same headers and as many bytes, and against one that sends only type and length; orders against
 * Fastify + pg on the same PostgreSQL; then changes of the cart per second, and the processor time of pages that are not cached yet. The
 * shop is started as an installation starts it (`npm run serve`). Never part of the gate: machines differ, ratios are comparable.
 * `BENCH_ORDERS` (2000), `BENCH_ONLY` (a part of a name, `orders`, `cart`, `kept`, `uncached`).
 */
import { fork, type ChildProcess } from "node:child_process";
import { readFileSync } from "node:fs";
import { loadavg } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { request } from "undici";
import { createDatabase, startPostgres } from "#tests/postgres.ts";
import { withoutRateLimits, withoutReserveLimits } from "#tests/running-shop.ts";
import type { AnswerToCopy } from "./bench/load/bare.ts";
import { aBuyerWithQuote, coinsInStock, orderBody, type Buyer } from "./bench/load/buyers.ts";
import { runBuiltShop } from "./bench/load/built-shop.ts";
import { cpuOf, cpuOfServer, line, load, type Call, type Outcome } from "./bench/load/load.ts";

const orders = Number(process.env.BENCH_ORDERS ?? 2_000);
const server = await startPostgres({ durable: true });

async function bareServer(): Promise<{ url: string; plainUrl: string; child: ChildProcess }> {
  const child = fork(join(import.meta.dirname, "bench/load/bare.ts"), [], {
    env: { ...process.env, DATABASE_URL: await createDatabase(server.url) },
  });
  const urls = await new Promise<{ url: string; plainUrl: string }>((resolve) =>
    child.once("message", (message) => resolve(message as { url: string; plainUrl: string })),
  );
  return { ...urls, child };
}

const orderRounds = 5;
/** Orders before any is counted: V8 goes on compiling the code of an order for more than a thousand. */
const warmUp = 1_500;

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
const shopDatabase = await createDatabase(server.url);
const shop = await runBuiltShop({ DATABASE_URL: shopDatabase, RATES_POLL_SECONDS: "60", ...open });

const stock = new pg.Client({ connectionString: shopDatabase });
await stock.connect();
// Enough pieces that no order is refused, with their stock entries.
await stock.query(
  "insert into stock_entries (coin_id, kind, quantity, at, actor) select coin_id, 'receipt', 100000, now(), 'job:bench' from stock_items",
);
await stock.query("update stock_items set on_hand = on_hand + 100000");
const dataDirectory = String((await stock.query("show data_directory")).rows[0].data_directory);
await stock.end();

const only = process.env.BENCH_ONLY;
const isWanted = (part: string): boolean => !only || part.includes(only);
const connections = 16;
const number = (value: number, digits = 2): string => value.toFixed(digits);
const fact = (name: string, value: string, isKept: boolean): void => console.log(`${name.padEnd(34)} ${value}${isKept ? "" : "  MISSED"}`);
const middle = (values: readonly number[]): number => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
const get = (path: string): Call => ({ method: "GET", path, headers: { "accept-encoding": "br", cookie } });

console.log(`load ${number(loadavg()[0] ?? 0, 1)} on this machine`);
const { cookie } = await aBuyerWithQuote(shop.url, (await coinsInStock(shop.url))[0] ?? 0);
const ids = await coinsInStock(shop.url);

if (isWanted("kept")) {
  const { slug } = (await (await fetch(`${shop.url}/api/catalog`)).json()).data.items[0] as { slug: string };
  const kept: [path: string, target: number][] = [
    ["/", 0.85],
    ["/catalog", 0.85],
    [`/products/${slug}`, 0.85],
    ["/api/courses", 0.7],
    ["/api/catalog", 0.6],
  ];
  const ofNode = new Set(["date", "connection", "keep-alive"]);
  /** Lets the bare server imitate the answer of the shop; resolves to the length of its body. */
  const copy = async (path: string): Promise<number> => {
    const answer = await request(shop.url + path, { headers: get(path).headers ?? {} });
    const bytes = (await answer.body.arrayBuffer()).byteLength;
    const headers = Object.entries(answer.headers).flatMap(([name, value]) => (ofNode.has(name) ? [] : [name, String(value)]));
    const copied = new Promise((resolve) => bare.child.once("message", resolve));
    bare.child.send({ headers, bytes } satisfies AnswerToCopy);
    await copied;
    return bytes;
  };
  const measure = (url: string, pid: number, call: Call): Promise<[Outcome, number]> => {
    const before = cpuOf(pid);
    return load(url, connections, 3_000, () => call).then((outcome) => [outcome, cpuOf(pid) - before]);
  };
  // All three get the same request: reading its headers is the work of `node:http`.
  const measured = {
    shop: (path: string) => measure(shop.url, shop.pid, get(path)),
    same: (path: string) => measure(bare.plainUrl, bare.child.pid ?? 0, get(`/same${path}`)),
    typed: (path: string) => measure(bare.plainUrl, bare.child.pid ?? 0, get(`/typed${path}`)),
  };
  type Measured = keyof typeof measured;
  const sequences: Measured[][] = [
    ["shop", "same", "typed"],
    ["typed", "shop", "same"],
    ["same", "typed", "shop"],
  ];
  // Both servers compile their code before anything is measured; otherwise the first paths are compared with a slow `node:http`.
  for (let round = 0; round < 4; round += 1) {
    for (const [path] of kept) {
      await copy(path);
      for (const each of sequences[round % sequences.length] ?? []) await measured[each](path);
    }
  }
  for (const [path, target] of kept) {
    const rates: Record<Measured, number[]> = { shop: [], same: [], typed: [] };
    // Shares of the processor time say the same on a machine that is busy with other work. The kernel counts it in steps of 10 ms, so all
    // rounds are added.
    const cpu: Record<Measured, number> = { shop: 0, same: 0, typed: 0 };
    let bytes = 0;
    for (let round = 0; round < 9; round += 1) {
      bytes = await copy(path); // it changes when the page is rendered again
      // In turns, so that none of them always runs on what another has left behind.
      for (const each of sequences[round % sequences.length] ?? []) {
        const [outcome, used] = await measured[each](path);
        if (outcome.statuses[200] !== 3_000) throw new Error(`${each} ${path}: ${JSON.stringify(outcome.statuses)}`);
        rates[each].push(outcome.perSecond);
        cpu[each] += used;
      }
    }
    const share = (of: "same" | "typed"): number => middle(rates.shop.map((rate, at) => rate / (rates[of][at] ?? Number.NaN)));
    const both = (of: "same" | "typed"): string => `${number(share(of))} (${number(cpu[of] / cpu.shop)} by processor time)`;
    const text = `${both("same")} of node:http, ${both("typed")} if that sends type and length only; ${bytes} bytes; goal ${target}`;
    fact(`kept: ${path}`, text, share("same") >= target);
  }
}

if (isWanted("uncached")) {
  // Addresses that were not requested yet: each is rendered and compressed.
  const unknown: [name: string, path: (n: number) => string][] = [
    ["filtered listing", (n) => `/catalog?priceFrom=${1_000 + n}&inStock=1&sort=${["popular", "price", "-price"][n % 3]}`],
    ["search", (n) => `/search?q=${encodeURIComponent(`${["георгий", "соболь", "серебро", "золото"][n % 4]} ${2000 + (n % 26)} ${n}`)}`],
  ];
  for (const [name, path] of unknown) {
    let n = 0;
    const rounds: number[] = [];
    for (let round = 0; round < 4; round += 1) {
      const before = cpuOf(shop.pid);
      const { statuses } = await load(shop.url, 4, 150, () => get(path(n++)));
      if (statuses[200] !== 150) throw new Error(`${name}: ${JSON.stringify(statuses)}`);
      if (round > 0) rounds.push((cpuOf(shop.pid) - before) / 150);
    }
    fact(`uncached: ${name}`, `${number(middle(rounds), 1)} ms of processor time a request (goal 6)`, middle(rounds) <= 6);
  }
}

if (isWanted("cart")) {
  const buyers = await buyersFor(shop.url, connections, (n) => ids[n % ids.length] ?? 0);
  const change = (n: number): Call => ({
    method: "PATCH",
    path: `/api/cart/${ids[Math.floor(n / connections) % 20]}`,
    headers: { cookie: buyers[n % connections]?.cookie ?? "" },
    body: { quantity: 1 + (Math.floor(n / connections / 20) % 3) },
  });
  await load(shop.url, connections, 1_000, change);
  const before = cpuOf(shop.pid);
  const outcome = await load(shop.url, connections, 5_000, change);
  console.log(line("cart: a piece is put into it", outcome));
  fact("", `${number((cpuOf(shop.pid) - before) / 5_000)} ms of processor time each (goal 2500/s)`, outcome.perSecond >= 2_500);
}

if (isWanted("orders")) {
  for (const [name, coinOf, pathOf, target] of [
    ["orders over many products", (n: number) => ids[n % ids.length] ?? 0, (n: number) => `/order/${(n % 500) + 1}`, 0.25],
    ["orders on one product", () => ids[0] ?? 0, () => "/order/1", 0.09],
  ] as const) {
    const buyers = await buyersFor(shop.url, orders, coinOf);
    // As for the other figures, code is compiled and connections are open before anything is measured.
    await load(bare.url, 50, warmUp, (n) => ({ method: "POST", path: pathOf(n) }));
    await measureOrders(shop.url, await buyersFor(shop.url, warmUp, coinOf), `before-${name}`.replaceAll(" ", "-"));
    const cpuDuring = async (pid: number, work: () => Promise<Outcome>): Promise<[Outcome, process: number, server: number]> => {
      const before = [cpuOf(pid), cpuOfServer(dataDirectory)] as const;
      const outcome = await work();
      return [outcome, cpuOf(pid) - before[0], cpuOfServer(dataDirectory) - before[1]];
    };
    // In turns, because the machine's speed changes within a minute.
    const size = Math.ceil(orders / orderRounds);
    const ratios: number[] = [];
    const bareRates: number[] = [];
    const used = { bare: [0, 0], shop: [0, 0] };
    const outcomes: Outcome[] = [];
    for (let round = 0; round < orderRounds; round += 1) {
      const [transactions, ...bareCpu] = await cpuDuring(bare.child.pid ?? 0, () =>
        load(bare.url, 50, size, (n) => ({ method: "POST", path: pathOf(n) })),
      );
      const of = buyers.slice(round * size, (round + 1) * size);
      const [placed, ...cpu] = await cpuDuring(shop.pid, () => measureOrders(shop.url, of, `${name}-${round}`.replaceAll(" ", "-")));
      used.bare = used.bare.map((sum, at) => sum + (bareCpu[at] ?? 0) / size / orderRounds);
      used.shop = used.shop.map((sum, at) => sum + (cpu[at] ?? 0) / of.length / orderRounds);
      bareRates.push(transactions.perSecond);
      ratios.push(placed.perSecond / transactions.perSecond);
      outcomes.push(placed);
    }
    const ratio = middle(ratios);
    const both = ([shopCpu, serverCpu]: readonly number[]): string => `${number(shopCpu ?? 0)} + ${number(serverCpu ?? 0)}`;
    for (const placed of outcomes) console.log(line(name, placed));
    fact(
      "",
      `${number(ratio)} of ${number(middle(bareRates), 0)} bare transactions/s, median of ${orderRounds} turns (goal ${target})`,
      ratio >= target,
    );
    fact("", `${both(used.shop)} ms of processor time each (shop + PostgreSQL), a bare transaction ${both(used.bare)} ms`, true);
  }
}

const rss = Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${shop.pid}/status`, "utf8"))?.[1] ?? 0) / 1024;
console.log(`memory of the shop after the load: ${rss.toFixed(0)} MB; load ${number(loadavg()[0] ?? 0, 1)}`);

await shop.stop();
bare.child.kill();
await server.stop();
