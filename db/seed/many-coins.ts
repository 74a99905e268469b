import type { CoinRow } from "./coin-row.ts";

/**
 * `count` plausible coins made by varying real ones: another year, another stock, the year in the title moved along.
 * The real ones come first, unchanged; the same count gives the same coins.
 */
export function manyCoins(real: readonly CoinRow[], count: number): CoinRow[] {
  const rows = real.slice(0, count);
  for (let n = 0; rows.length < count; n += 1) {
    const model = real[n % real.length];
    if (!model) return rows;
    const round = Math.floor(n / real.length) + 1;
    const year = 1990 + ((model.year + round * 7) % 36);
    rows.push({
      ...model, id: 100_000 + n, slug: `${model.slug}-v${round}`, title: `${model.title.replace(String(model.year), String(year))}, выпуск ${round}`, year,
      catalogueNumber: null, stock: (model.stock * (round % 5)) >> 1, source: "general knowledge", verifiedFields: [],
    });
  }
  return rows;
}
