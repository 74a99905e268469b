/**
 * `npm run bench:growth`: how the shop grows with its catalogue: listing with facets, search, suggestions, a product, the site map and the
 * feed with 379, 10,000 and 100,000 coins, one built shop after the other, with the processor time and the memory of its process. Goal: p99
 * of a listing and of a search at most 2.5 times that of the smallest: of 3,000 calls in one piece, four at a time, so the thirtieth
 * slowest, which neither one pause of V8 nor a few calls decide. Every size gets the same calls after the same 300 before them. Client,
 * database and shop share the processors, so what the database does once a second counts too.
 * `379=postgres://… 10000=postgres://…` as arguments measures databases that are filled already. `BENCH_CALLS` (3000); `BENCH_ONLY`: only
 * what has this in its name (`suggestions`, `feed`). Never part of the gate.
 */
import { readFileSync } from "node:fs";
import { loadavg } from "node:os";
import pg from "pg";
import { request } from "undici";
import { seedCoins } from "../../db/seed/seed-coins.ts";
import { judgedQueries } from "#shop/search/testing.ts";
import { createDatabase, startPostgres } from "#tests/postgres.ts";
import { build, runBuiltShop, type BuiltShop } from "./load/built-shop.ts";
import { fillWith, kinds, unlimited } from "./load/finding.ts";
import { cpuOf, line, load, type Outcome } from "./load/load.ts";

const calls = Number(process.env.BENCH_CALLS ?? 3_000);
const clients = 4;
const only = process.env.BENCH_ONLY ?? "";
const wanted = ["listing with facets", "search", "suggestions", "product"].filter((name) => name.includes(only));
const files = Object.entries({ "site map": "/sitemap.xml", feed: "/yml.xml" }).filter(([name]) => name.includes(only));
const given = process.argv.slice(2).map((each) => {
  const at = each.indexOf("=");
  return { coins: Number(each.slice(0, at)), url: each.slice(at + 1) };
});
const sizes = given.length > 0 ? given : [379, 10_000, 100_000].map((coins) => ({ coins, url: null }));
const server = given.length > 0 ? null : await startPostgres({ durable: false });

const memoryOf = (pid: number, field: "VmRSS" | "VmHWM"): number =>
  Number(new RegExp(`${field}:\\s+(\\d+)`).exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1] ?? 0) / 1024;

async function databaseWith({ coins, url }: { coins: number; url: string | null }): Promise<string> {
  if (url !== null) return url;
  const database = await createDatabase(server?.url ?? "");
  await fillWith(coins, database);
  // Else the server does this beside the first calls, the longer the more coins were added.
  const client = new pg.Client({ connectionString: database });
  await client.connect();
  await client.query("vacuum (analyze)");
  await client.end();
  return database;
}

const seconds = (from: number): string => ((performance.now() - from) / 1_000).toFixed(1);

/** The site map's or the feed's address: how long the first answer takes, and its length. */
async function whole(shop: BuiltShop, path: string): Promise<string> {
  const [from, cpu] = [performance.now(), cpuOf(shop.pid)];
  const answer = await request(shop.url + path, { headersTimeout: 120_000, bodyTimeout: 120_000 });
  const { byteLength } = await answer.body.arrayBuffer();
  return (
    `${path}: ${answer.statusCode} in ${(performance.now() - from).toFixed(0)} ms, ${cpuOf(shop.pid) - cpu} ms of processor time, ` +
    `${(byteLength / 1024 ** 2).toFixed(1)} MB`
  );
}

const [queries, slugs] = [judgedQueries().map(({ query }) => query), (await seedCoins(new Date())).map(({ coin }) => coin.slug)];
const smallest = new Map<string, Outcome>();
for (const size of sizes) {
  const fillingFrom = performance.now();
  const database = await databaseWith(size);
  const filled = size.url === null ? `filled in ${seconds(fillingFrom)} s, ` : "";
  build();
  const from = performance.now();
  const shop = await runBuiltShop({ DATABASE_URL: database, RATES_POLL_SECONDS: "60", ...unlimited });
  // 503 until the index is made: such answers would be measured as fast ones.
  for (let status = 503; status === 503;) {
    const answer = await request(`${shop.url}/api/catalog`, { headersTimeout: 120_000 });
    await answer.body.dump();
    status = answer.statusCode;
  }
  console.log(
    `\n${size.coins} coins: ${filled}first answer ${seconds(from)} s after the start, ${cpuOf(shop.pid)} ms of processor time; ` +
      `load ${loadavg()[0]?.toFixed(1)}`,
  );
  for (const { name, path } of kinds(queries, slugs).filter((kind) => wanted.includes(kind.name))) {
    await load(shop.url, clients, 300, (n) => ({ method: "GET", path: path(n + 7_000) }));
    const before = cpuOf(shop.pid);
    const outcome = await load(shop.url, clients, calls, (n) => ({ method: "GET", path: path(n) }));
    const cpu = (cpuOf(shop.pid) - before) / calls;
    const base = smallest.get(name) ?? outcome;
    smallest.set(name, base);
    console.log(`${line(name, outcome)}  ${cpu.toFixed(2)} ms cpu  p99 × ${(outcome.p99 / base.p99).toFixed(2)}`);
  }
  for (const [, path] of files) console.log(await whole(shop, path));
  console.log(`memory ${memoryOf(shop.pid, "VmRSS").toFixed(0)} MB, at most ${memoryOf(shop.pid, "VmHWM").toFixed(0)} MB`);
  await shop.stop();
}
await server?.stop();
