import type { Coin } from "#shop/catalog/coin.ts";
import { sellingPrice } from "#shop/pricing/price.ts";
import { openingRatesE4 } from "#shop/rates/rate.ts";
import type { SeedCoin } from "./seed-coins.ts";

/**
 * `count` plausible coins: the real ones first, unchanged, then further issues of their designs with other years, mints, mintages, premiums
 * and stocks, about one in eight sold out. An issue's slug ends in `-vypusk-<n>`, by which it finds the pictures of its design.
 * Deterministic.
 */
export function manyCoins(real: readonly SeedCoin[], count: number): SeedCoin[] {
  const list = real.slice(0, count);
  for (let n = 0; list.length < count; n += 1) {
    const model = real[n % real.length];
    if (!model) return list;
    list.push(furtherIssue(model.coin, Math.floor(n / real.length) + 1, n));
  }
  return list;
}

const firstId = 1_000_000;
const mints = ["Московский монетный двор (ММД)", "Санкт-Петербургский монетный двор (СПМД)"] as const;

function furtherIssue(model: Coin, issue: number, n: number): SeedCoin {
  const year = 1990 + ((model.year - 1990 + issue * 7 + 370) % 37);
  const yearText = String(model.year);
  const premiumBp = model.premiumBp + Math.round(share(n, 1) * Math.abs(model.premiumBp) * 0.05) * 10;
  const pieces = share(n, 3) < 0.12 ? 0 : 1 + Math.floor(share(n, 4) ** 3 * (model.kind === "bullion" ? 600 : 40));
  const rate = openingRatesE4[model.metal === "gold" ? "XAU_RUB" : "XAG_RUB"];
  const coin: Coin = {
    ...model,
    id: firstId + n,
    slug: `${model.slug.slice(0, 105)}-vypusk-${issue}`,
    title: `${model.title.replaceAll(yearText, String(year))}, выпуск ${issue}`,
    description: model.description.replaceAll(yearText, String(year)),
    year,
    mint: model.mint === mints[0] || model.mint === mints[1] ? (mints[issue % 2] ?? null) : model.mint,
    catalogueNumber: model.catalogueNumber === null ? null : `${9000 + issue}-${String(n % 10_000).padStart(4, "0")}`,
    mintage: model.mintage === null ? null : Math.max(100, Math.round((model.mintage * (0.2 + share(n, 2))) / 100) * 100),
    premiumBp,
    fixedPriceKopecks: model.kind === "memorable" ? sellingPrice(model.pureMassMg, rate, premiumBp) : null,
    // Each further issue of a design ranks lower, as among the real ones.
    popularity: pieces === 0 ? 0 : Math.round(model.popularity / (1 + issue * 0.35)),
  };
  return { coin, pieces };
}

/** A fixed, evenly distributed number from 0 to 1 for each coin and purpose. */
const share = (n: number, purpose: number): number => {
  const x = Math.imul((n + 1) ^ (purpose * 0x9e3779b1), 0x85ebca6b);
  return ((Math.imul(x ^ (x >>> 13), 0xc2b2ae35) >>> 0) % 10_000) / 10_000;
};
