/**
 * `npm run bench:search`: how well and how fast coins are found, at the size of the catalogue and at 10 000 coins.
 * Times are of one process without HTTP and database; the judged queries are those of src/shop/search.
 */
import { coinsOf } from "../db/seed/import-coins.ts";
import { manyCoins } from "../db/seed/many-coins.ts";
import { seedCategories, seedCoinRows, seedSynonyms } from "../db/seed/seed.ts";
import { openingRatesE4 } from "#shop/rates/rate.ts";
import { createCatalogueIndex, createPriceIndex } from "#shop/search/catalogue-index.ts";
import { walk } from "#shop/search/facets.ts";
import { find } from "#shop/search/finder.ts";
import { judge, judgedQueries } from "#shop/search/testing.ts";

const at = new Date("2026-11-20T09:00:00Z");
const list = { version: 1, goldE4: openingRatesE4.XAU_RUB, silverE4: openingRatesE4.XAG_RUB, ratesAt: at, madeAt: at, isStale: false, isDead: false };
const queries = judgedQueries();

async function build(size: number) {
  const coins = coinsOf(manyCoins(seedCoinRows(), size), at);
  const started = performance.now();
  const catalogue = await createCatalogueIndex({ coins, categories: seedCategories(), articles: [], synonyms: seedSynonyms() });
  const built = performance.now();
  const prices = createPriceIndex(catalogue.coins, list);
  console.log(`${size} coins: words and filters built in ${(built - started).toFixed(0)} ms, prices in ${(performance.now() - built).toFixed(1)} ms`);
  return { catalogue, prices, moving: { price: prices.price, available: new Int32Array(size).fill(5) } };
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
  measure("listing with all counts", () => walk(catalogue.coins, catalogue.columns, moving, catalogue.orders.popular, {}));
  measure("listing narrowed by four filters", () => walk(catalogue.coins, catalogue.columns, moving, prices.orders["-price"], { category: "silver", kind: ["memorable"], year: [2023, 2024], inStock: true }));
  measure("search (judged queries)", (n) => find(catalogue.coinFinder, query(n)));
  measure("suggestions (first four letters)", (n) => find(catalogue.coinFinder, query(n).slice(0, 4), { isTyping: true }));
}

const { catalogue } = await build(379);
const wrong = queries.flatMap((judged) => {
  const { documents, corrected } = find(catalogue.coinFinder, judged.query);
  return judge(judged, documents.map((place) => catalogue.coins[place]?.slug ?? ""), corrected).map((what) => `${judged.query}: ${what}`);
});
for (const line of wrong) console.log(`  ${line}`);
console.log(`${queries.length - new Set(wrong.map((line) => line.split(":")[0])).size} of ${queries.length} judged queries answered as meant`);
