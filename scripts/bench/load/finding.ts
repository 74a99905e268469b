/** How fast the running shop answers searches over HTTP, with the real catalogue and with 10,000 coins. */
import { execFile } from "node:child_process";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import { request } from "undici";
import { runShop, withoutRateLimits, type RunningShop } from "#tests/running-shop.ts";
import { cpuOf, load, type Call, type Outcome } from "./load.ts";

/** One machine plays all visitors. */
export const unlimited: Record<string, string> = { ...withoutRateLimits, UNPAID_ORDERS: "100000000" };

/** Fills a database with this many coins by the public command. */
export async function fillWith(coins: number, database: string): Promise<void> {
  await promisify(execFile)(process.execPath, [join(import.meta.dirname, "../../../db/seed/many.ts"), "--coins", String(coins)], {
    env: { ...process.env, DATABASE_URL: database },
  });
}

/** A shop with this many coins. */
export async function shopWith(coins: number, database: string): Promise<RunningShop> {
  await fillWith(coins, database);
  return runShop({ DATABASE_URL: database, RATES_POLL_SECONDS: "60", ...unlimited });
}

const get = (path: string): Call => ({
  method: "GET",
  path,
  headers: { "accept-encoding": "br", accept: "text/html,application/json,image/avif,image/webp" },
});
const pick = <T>(list: readonly T[], n: number, step: number): T => list[(n * step) % list.length] as T;

/** Realistic combinations of filters, sixty different ones. */
function listingPath(n: number): string {
  const query = new URLSearchParams();
  const category = pick(["", "gold", "silver", "memorable-coins"], n, 1);
  if (category) query.set("category", category);
  if (n % 2) query.set("inStock", "1");
  if (n % 3 === 0) query.set("kind", pick(["bullion", "memorable"], n, 1));
  query.set("sort", pick(["popular", "price", "-price", "gram", "-year"], n, 7));
  if (n % 5 < 3) query.set("year", pick(["2023,2024", "2020,2021,2022", "1995,2003"], n, 1));
  query.set("priceFrom", String(1_000 + (n % 20) * 700));
  query.set("page", "1");
  return String(query);
}

export type Kind = { name: string; target: number; path: (n: number) => string };

/** What is measured, with its p99 target in milliseconds at 10,000 coins and 20 clients. */
export function kinds(queries: readonly string[], slugs: readonly string[]): Kind[] {
  // Every other visitor adds a unique word, so that half of the queries are new.
  const typed = (n: number) =>
    n % 2 ? pick(queries, n, 7) : `${pick(queries, n, 7)} ${pick(["серебро", "золото", "пруф", "ммд"], n, 1)} ${1992 + (n % 34)}`;
  return [
    { name: "listing with facets", target: 60, path: (n) => `/api/catalog?${listingPath(n)}` },
    { name: "search", target: 60, path: (n) => `/api/search?q=${encodeURIComponent(typed(n))}` },
    { name: "suggestions", target: 30, path: (n) => `/api/search/suggest?q=${encodeURIComponent(typed(n).slice(0, 2 + (n % 9)))}` },
    { name: "product", target: 60, path: (n) => `/api/products/${pick(slugs, n, 13)}` },
    { name: "product page", target: 400, path: (n) => `/products/${pick(slugs, n, 13)}` },
    {
      name: "listing page",
      target: 400,
      path: (n) =>
        `/catalog?${new URLSearchParams(
          [...new URLSearchParams(listingPath(n))].filter(([name]) => name !== "page" && name !== "category"),
        )}`,
    },
  ];
}

const clients = 20;

/** With the shop's own processor time per call in milliseconds, which is comparable on a busy machine too. */
export type Measured = Outcome & { cpuMs: number };

/** Every kind in turns at each shop, three short rounds each, of which the middle one counts: machines are noisy. */
export async function measureKinds(
  shops: ReadonlyMap<number, RunningShop>,
  list: readonly Kind[],
  calls: number,
): Promise<Map<string, Map<number, Measured>>> {
  const found = new Map<string, Map<number, Measured>>();
  for (const { name, path } of list) {
    const rounds = new Map<number, Measured[]>([...shops.keys()].map((size) => [size, []]));
    for (const { url } of shops.values()) await load(url, clients, 200, (n) => get(path(n + 7_000)));
    for (let round = 0; round < 3; round += 1) {
      for (const [size, { url, pid }] of shops) {
        const before = cpuOf(pid);
        const outcome = await load(url, clients, calls, (n) => get(path(n + round * calls)));
        rounds.get(size)?.push({ ...outcome, cpuMs: (cpuOf(pid) - before) / calls });
      }
    }
    found.set(name, new Map([...rounds].map(([size, outcomes]) => [size, middle(outcomes)])));
  }
  return found;
}

const middle = (outcomes: readonly Measured[]): Measured =>
  outcomes.toSorted((a, b) => a.p99 - b.p99)[Math.floor(outcomes.length / 2)] as Measured;

/** A picture from the cache against the same bytes from a bare server. */
export async function measurePictures(
  shop: string,
  bare: string,
  slug: string,
  calls: number,
): Promise<{ mine: Outcome; baseline: Outcome; bytes: number }> {
  const picture = get(`/media/coins/${slug}-reverse-320.webp`);
  const first = await request(shop + picture.path, { headers: picture.headers ?? {} });
  const bytes = (await first.body.arrayBuffer()).byteLength;
  const same = get(`/bytes/${bytes}`);
  for (const [url, call] of [
    [shop, picture],
    [bare, same],
  ] as const)
    await load(url, 50, 1_000, () => call);
  const rounds: [Outcome, Outcome][] = [];
  for (let round = 0; round < 3; round += 1)
    rounds.push([await load(shop, 50, calls, () => picture), await load(bare, 50, calls, () => same)]);
  const [mine, baseline] = rounds.toSorted(([a, x], [b, y]) => a.perSecond / x.perSecond - b.perSecond / y.perSecond)[1] as [
    Outcome,
    Outcome,
  ];
  return { mine, baseline, bytes };
}

/** A new variant is requested this often: twice as often as a shop with an emptied cache must handle. */
const variantEveryMs = 100;
/** A round lasts some seconds and dozens of variants: in half a second p99 would be the third longest pause, which is chance. */
const pagesPerCall = 50;

/** Pages while new variants are encoded, and while none is: five rounds in turns, the middle ratio counts. */
export async function measureNewVariants(
  shop: string,
  slugs: readonly string[],
  calls: number,
): Promise<{ alone: Outcome; beside: Outcome; perSecond: number }> {
  const page = get("/catalog");
  const pages = () => load(shop, clients, calls * pagesPerCall, () => page);
  await load(shop, clients, calls, () => page);
  const rounds: [Outcome, Outcome][] = [];
  let made = 0;
  let milliseconds = 0;
  for (let round = 0; round < 5; round += 1) {
    const alone = await pages();
    const stop = new AbortController();
    const from = performance.now();
    const making = (async () => {
      for (; !stop.signal.aborted; made += 1) {
        const startedAt = performance.now();
        const answer = await request(
          `${shop}/_image?url=/media/coins/${slugs[made % slugs.length]}-obverse.webp&width=${pick([240, 320, 480], made, 1)}` +
            `&format=${pick(["avif", "webp"], made, 1)}&quality=${pick([45, 60, 85], made, 1)}`,
        );
        await answer.body.dump();
        if (answer.statusCode !== 200) throw new Error(`a variant was answered ${answer.statusCode}`);
        await sleep(Math.max(0, variantEveryMs - (performance.now() - startedAt)));
      }
    })();
    const beside = await pages();
    stop.abort();
    await making;
    milliseconds += performance.now() - from;
    rounds.push([alone, beside]);
  }
  const [alone, beside] = rounds.toSorted(([a, x], [b, y]) => x.p99 / a.p99 - y.p99 / b.p99)[2] as [Outcome, Outcome];
  return { alone, beside, perSecond: made / (milliseconds / 1000) };
}

/**
 * The longest pause of the shop's process during `calls` sequential searches, in milliseconds. Its embedded database runs in the same
 * process.
 */
export async function longestPause(url: string, queries: readonly string[], calls: number): Promise<number> {
  const pause = async (): Promise<number> => {
    const answer = await request(`${url}/metrics`);
    return Number(/^nodejs_eventloop_lag_max_seconds (\S+)$/m.exec(await answer.body.text())?.[1] ?? Number.NaN) * 1000;
  };
  for (const query of queries) await (await request(`${url}/api/search?q=${encodeURIComponent(query)}`)).body.dump();
  await pause(); // restarts with each reading
  await load(url, 1, calls, (n) => get(`/api/search?q=${encodeURIComponent(pick(queries, n, 7))}`));
  return pause();
}
