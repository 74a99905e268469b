/**
 * `npm run bench:stream`: stream clients beside page requests: how long a rate takes to reach all clients, memory per client, and how much
 * slower pages become. `BENCH_LISTENERS` (5000), `BENCH_TICKS` (6). Never part of the gate.
 */
import { readFileSync } from "node:fs";
import { connect, type Socket } from "node:net";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { setTimeout as sleep } from "node:timers/promises";
import { openingRatesE4 } from "#shop/rates/rate.ts";
import { createPriceIndex } from "#shop/search/index/catalogue-index.ts";
import { runShop, withoutRateLimits } from "#tests/running-shop.ts";
import { manyCoins } from "../../db/seed/many-coins.ts";
import { coinsOf, seedCoins } from "../../db/seed/seed-coins.ts";

const listeners = Number(process.env.BENCH_LISTENERS ?? 5_000);
const ticks = Number(process.env.BENCH_TICKS ?? 6);

const shop = await runShop({ ...withoutRateLimits, RATES_POLL_SECONDS: "1" });
const port = Number(new URL(shop.url).port);
const residentKb = (): number => Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${shop.pid}/status`, "utf8"))?.[1] ?? 0);
const percentile = (times: readonly number[], share: number): number =>
  times.toSorted((a, b) => a - b)[Math.min(times.length - 1, Math.floor(times.length * share))] ?? NaN;

/** When each client got the awaited event. A client is a bare socket, so that this process can hold thousands. */
const arrivals = new Map<number, number>();
let awaited = "";
function listen(n: number): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, "127.0.0.1", () =>
      socket.write(`GET /api/courses/stream HTTP/1.1\r\nHost: localhost:${port}\r\nCookie: uid=${`bench${n}`.padEnd(32, "x")}\r\n\r\n`),
    );
    socket.on("error", reject).once("data", () => resolve(socket));
    socket.on("data", (bytes: Buffer) => {
      if (awaited !== "" && !arrivals.has(n) && bytes.includes(awaited)) arrivals.set(n, performance.now());
    });
  });
}

async function pageTimes(forMs: number): Promise<number[]> {
  const times: number[] = [];
  for (const until = performance.now() + forMs; performance.now() < until;) {
    const from = performance.now();
    await (await fetch(`${shop.url}/catalog`, { headers: { "accept-encoding": "br" } })).arrayBuffer();
    times.push(performance.now() - from);
    await sleep(10);
  }
  return times;
}

const setGold = (value: number): Promise<Response> =>
  fetch(`${shop.url}/_demo/rates`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ XAU_RUB: value, XAG_RUB: 131.48 }),
  });

await pageTimes(2_000); // warm-up
await setGold(11_042.6); // from here the market moves only by hand
await sleep(2_500);
const alone: number[] = [];
for (let tick = 0; tick < 3; tick += 1) {
  await setGold(11_040 + tick);
  alone.push(...(await pageTimes(2_500)));
}

async function listenAll(count: number): Promise<Socket[]> {
  const open: Socket[] = [];
  for (let from = 0; from < count; from += 250)
    open.push(...(await Promise.all(Array.from({ length: Math.min(250, count - from) }, (_, n) => listen(from + n)))));
  await sleep(2_000);
  return open;
}
// Memory that the garbage collector has not freed after opening is not a cost of a client: the heap grows once before it is measured.
for (const socket of await listenAll(listeners / 5)) socket.destroy();
await sleep(1_000);
const before = residentKb();
const sockets = await listenAll(listeners);
const each = (residentKb() - before) / listeners;

const spreads: number[] = [];
const beside: number[] = [];
for (let tick = 0; tick < ticks; tick += 1) {
  const gold = 11_050 + tick;
  arrivals.clear();
  awaited = `"course":${gold},`;
  const [, times] = await Promise.all([setGold(gold), pageTimes(3_500)]);
  beside.push(...times);
  const first = Math.min(...arrivals.values());
  spreads.push(...[...arrivals.values()].map((at) => at - first));
  console.log(`tick ${tick + 1}: reached ${arrivals.size} of ${listeners}`);
}

console.log(
  `tick reaches all: p50 ${percentile(spreads, 0.5).toFixed(0)} ms, p99 ${percentile(spreads, 0.99).toFixed(0)} ms (target 1000)`,
);
console.log(`memory a listener: ${each.toFixed(1)} KB (target 10)`);
console.log(
  `pages p99: ${percentile(alone, 0.99).toFixed(1)} ms alone, ${percentile(beside, 0.99).toFixed(1)} ms beside listeners (target 1.5 ×)`,
);
for (const socket of sockets) socket.destroy();

const pastTimes: number[] = [];
for (let n = 0; n < 300; n += 1) {
  const from = performance.now();
  await (await fetch(`${shop.url}/api/courses/history?code=${n % 2 ? "XAU_RUB" : "XAG_RUB"}&range=5y`)).json();
  pastTimes.push(performance.now() - from);
}
console.log(
  `history of five years: p50 ${percentile(pastTimes, 0.5).toFixed(1)} ms, p99 ${percentile(pastTimes, 0.99).toFixed(1)} ms (target 30)`,
);
await shop.stop();

const heardAt = new Date();
const coins = coinsOf(manyCoins(await seedCoins(heardAt), 10_000));
const lag = monitorEventLoopDelay({ resolution: 1 });
const repriced: number[] = [];
for (let version = 1; version <= 40; version += 1) {
  if (version === 10) lag.enable(); // compiled by then
  const from = performance.now();
  await createPriceIndex(coins, {
    version,
    goldE4: openingRatesE4.XAU_RUB + version * 1_000,
    silverE4: openingRatesE4.XAG_RUB,
    ratesAt: heardAt,
    madeAt: heardAt,
    isStale: false,
    isDead: false,
  });
  if (version >= 10) repriced.push(performance.now() - from);
}
lag.disable();
console.log(
  `price list of 10,000 coins recomputed by the sweep: p50 ${percentile(repriced, 0.5).toFixed(1)} ms, ` +
    `p99 ${percentile(repriced, 0.99).toFixed(1)} ms (target 50); ` +
    `other requests wait ${(lag.percentile(99) / 1e6).toFixed(1)} ms at most (p99)`,
);
