import type { CoinRow } from "./coin-row.ts";

/**
 * `count` plausible coins: the real ones first, unchanged, then further issues of their designs with other years, mints, mintages, premiums
 * and stocks, about one in eight sold out. An issue's slug ends in `-vypusk-<n>`, by which it finds the pictures of its design.
 * Deterministic.
 */
export function manyCoins(real: readonly CoinRow[], count: number): CoinRow[] {
  const rows = real.slice(0, count);
  for (let n = 0; rows.length < count; n += 1) {
    const model = real[n % real.length];
    if (!model) return rows;
    rows.push(furtherIssue(model, Math.floor(n / real.length) + 1, n));
  }
  return rows;
}

const firstId = 1_000_000;
const mints = ["Московский монетный двор (ММД)", "Санкт-Петербургский монетный двор (СПМД)"] as const;

function furtherIssue(model: CoinRow, issue: number, n: number): CoinRow {
  const year = 1990 + ((model.year - 1990 + issue * 7 + 370) % 37);
  const yearText = String(model.year);
  const { typicalPct, minPct, maxPct, buybackPct } = model.premium;
  const shift = Math.round(share(n, 1) * (maxPct - typicalPct) * 5) / 10;
  return {
    ...model,
    id: firstId + n,
    slug: `${model.slug.slice(0, 105)}-vypusk-${issue}`,
    title: `${model.title.replaceAll(yearText, String(year))}, выпуск ${issue}`,
    description: model.description.replaceAll(yearText, String(year)),
    year,
    mint: model.mint === mints[0] || model.mint === mints[1] ? (mints[issue % 2] ?? null) : model.mint,
    catalogueNumber: model.catalogueNumber === null ? null : `${9000 + issue}-${String(n % 10_000).padStart(4, "0")}`,
    mintage: model.mintage === null ? null : Math.max(100, Math.round((model.mintage * (0.2 + share(n, 2))) / 100) * 100),
    premium: { ...model.premium, typicalPct: Math.max(minPct, Math.min(maxPct, typicalPct + shift)), buybackPct },
    stock: share(n, 3) < 0.12 ? 0 : 1 + Math.floor(share(n, 4) ** 3 * (model.kind === "bullion" ? 600 : 40)),
    source: "generated",
    verifiedFields: [],
  };
}

/** A fixed, evenly distributed number from 0 to 1 for each coin and purpose. */
const share = (n: number, purpose: number): number => {
  const x = Math.imul((n + 1) ^ (purpose * 0x9e3779b1), 0x85ebca6b);
  return ((Math.imul(x ^ (x >>> 13), 0xc2b2ae35) >>> 0) % 10_000) / 10_000;
};
