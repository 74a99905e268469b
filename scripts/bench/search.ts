/**
 * `npm run bench:search`: quality and speed of search, with the real catalogue and with 10,000 coins. First in one process without HTTP and
 * database, with the judged queries of src/shop/search; then the running shop on PostgreSQL with 20 clients, its pictures, and the embedded
 * database. `BENCH_CALLS` is the number of calls of a round (600).
 */
import { fork } from "node:child_process";
import { availableParallelism, loadavg } from "node:os";
import { join } from "node:path";
import { manyCoins } from "../../db/seed/many-coins.ts";
import { seedCategories, seedSynonyms } from "../../db/seed/seed.ts";
import { coinsOf, seedCoins } from "../../db/seed/seed-coins.ts";
import { openingRatesE4 } from "#shop/rates/rate.ts";
import { createCatalogueIndex, createPriceIndex } from "#shop/search/index/catalogue-index.ts";
import { filterAndCount } from "#shop/search/facets/filter-and-count.ts";
import { allOf } from "#shop/search/index/ordered.ts";
import { find } from "#shop/search/finding/find.ts";
import { resolveQuery } from "#shop/search/service.ts";
import { judge, judgedQueries, realModel } from "#shop/search/testing.ts";
import { createDatabase, startPostgres } from "#tests/postgres.ts";
import { runShop } from "#tests/running-shop.ts";
import { kinds, longestPause, measureKinds, measureNewVariants, measurePictures, shopWith, unlimited } from "./load/finding.ts";
import { line } from "./load/load.ts";

const at = new Date("2026-11-20T09:00:00Z");
const list = {
  version: 1,
  goldE4: openingRatesE4.XAU_RUB,
  silverE4: openingRatesE4.XAG_RUB,
  ratesAt: at,
  madeAt: at,
  isStale: false,
  isDead: false,
};
const queries = judgedQueries();

async function build(size: number) {
  const coins = coinsOf(manyCoins(await seedCoins(at), size));
  const started = performance.now();
  const catalogue = await createCatalogueIndex({ coins, categories: seedCategories(), articles: [], synonyms: seedSynonyms() });
  const built = performance.now();
  const prices = await createPriceIndex(catalogue.coins, list);
  console.log(
    `${size} coins: words and filters built in ${(built - started).toFixed(0)} ms, prices in ${(performance.now() - built).toFixed(1)} ms`,
  );
  return { catalogue, prices, moving: { price: prices.price, spread: prices.spread, available: new Int32Array(size).fill(5) } };
}

function measure(name: string, work: (n: number) => void): void {
  for (let n = 0; n < 200; n += 1) work(n);
  const times = Array.from({ length: 1_000 }, (_, n) => {
    const started = performance.now();
    work(n);
    return performance.now() - started;
  }).sort((a, b) => a - b);
  const part = (share: number): string => `${(times[Math.floor(times.length * share)] ?? 0).toFixed(2)} ms`;
  console.log(`  ${name.padEnd(34)} half within ${part(0.5)}, 99 % within ${part(0.99)}, longest ${(times.at(-1) ?? 0).toFixed(2)} ms`);
}

for (const size of [379, 10_000]) {
  const { catalogue, prices, moving } = await build(size);
  const query = (n: number): string => queries[n % queries.length]?.query ?? "";
  measure("listing with all counts", () => filterAndCount(catalogue, moving, catalogue.orders.popular, {}));
  measure("listing by products", () => filterAndCount(catalogue, moving, catalogue.orders.popular, { group: "product" }));
  measure("listing narrowed by four filters", () =>
    filterAndCount(catalogue, moving, prices.orders["-price"], {
      category: "silver",
      kind: ["memorable"],
      year: [2023, 2024],
      inStock: true,
    }),
  );
  measure("search (judged queries)", (n) => find(catalogue.coinFinder, query(n)));
  measure("suggestions (first four letters)", (n) => find(catalogue.coinFinder, query(n).slice(0, 4), { isTyping: true }));
}

const model = await realModel();
const wrong = queries.flatMap((judged) => {
  const { documents, corrected, list: prepared } = resolveQuery(model, judged.query, false, at.getUTCFullYear());
  return judge(
    judged,
    allOf(documents).map((place) => model.catalogue.coins[place]?.slug ?? ""),
    corrected,
    prepared?.id,
  ).map((what) => `${judged.query}: ${what}`);
});
for (const line of wrong) console.log(`  ${line}`);
console.log(
  `${queries.length - new Set(wrong.map((line) => line.split(":")[0])).size} of ${queries.length} judged queries answered as meant`,
);

const calls = Number(process.env.BENCH_CALLS ?? 600);
const words = queries.map(({ query }) => query);
const slugs = (await seedCoins(at)).map(({ coin }) => coin.slug);
/** Targets are for an otherwise idle machine. */
const verdict = (isKept: boolean): string => (isKept ? "" : "  MISSED");

const embedded = await runShop(unlimited);
const pause = await longestPause(embedded.url, words, 400);
console.log(
  `\nembedded database, 379 coins: no search stopped the process for more than ${pause.toFixed(0)} ms (target 50)${verdict(pause <= 50)}`,
);
await embedded.stop();

const server = await startPostgres({ durable: true });
const [few, many] = [await shopWith(379, await createDatabase(server.url)), await shopWith(10_000, await createDatabase(server.url))];
console.log(
  `\nPostgreSQL over HTTP, 20 clients; ${availableParallelism()} processors with a load of ${loadavg()[0]?.toFixed(1)} before it began`,
);
const measuredKinds = kinds(words, slugs);
const outcomes = await measureKinds(
  new Map([
    [379, few],
    [10_000, many],
  ]),
  measuredKinds,
  calls,
);
for (const { name, target } of measuredKinds) {
  const [small, large] = [outcomes.get(name)?.get(379), outcomes.get(name)?.get(10_000)];
  if (!small || !large) continue;
  console.log(line(`${name}, 379 coins`, small));
  // An overloaded shop answers 503 fast, which would look like speed.
  const isWhole = [small, large].every(({ statuses }) => Object.keys(statuses).join() === "200");
  console.log(
    `${line(`${name}, 10,000 coins`, large)}  p99 target ${target}${verdict(large.p99 <= target)}` +
      (isWhole ? "" : "  NOT ALL ANSWERED: no measure"),
  );
  console.log(
    `${"  grows by".padEnd(34)} ${(large.p99 / small.p99).toFixed(2)} in p99, ` +
      `${(large.p50 / small.p50).toFixed(2)} in p50 (target 2.5); ` +
      `processor ${small.cpuMs.toFixed(2)} → ${large.cpuMs.toFixed(2)} ms a call${verdict(large.p99 / small.p99 <= 2.5)}`,
  );
}

const bare = fork(join(import.meta.dirname, "load/bare.ts"), [], {
  env: { ...process.env, DATABASE_URL: await createDatabase(server.url) },
});
const bareUrl = await new Promise<string>((resolve) => bare.once("message", (message) => resolve((message as { url: string }).url)));
const { mine, baseline, bytes } = await measurePictures(few.url, bareUrl, slugs[0] ?? "", calls * 10);
console.log(line(`cached picture of ${bytes} bytes`, mine));
console.log(line("  the same bytes from a bare server", baseline));
console.log(
  `${"  ratio".padEnd(34)} ${(mine.perSecond / baseline.perSecond).toFixed(2)} (target ` +
    `0.4)${verdict(mine.perSecond / baseline.perSecond >= 0.4)}`,
);
bare.kill();

const { alone, beside, perSecond } = await measureNewVariants(few.url, slugs, calls);
console.log(line("pages alone", alone));
console.log(line("pages while variants are made", beside));
console.log(
  `${"  p99 grows by".padEnd(34)} ${(beside.p99 / alone.p99).toFixed(2)} (target ` +
    `1.5)${verdict(beside.p99 / alone.p99 <= 1.5)}; ${perSecond.toFixed(1)} new variants a second (at least ` +
    `5)${verdict(perSecond >= 5)}`,
);

await Promise.all([few.stop(), many.stop()]);
await server.stop();
