import type { Ctx } from "#shop/context.ts";
import type { Card, CoinDetails } from "#shop/search/card.ts";
import * as search from "#shop/search/service.ts";
import { massText } from "./data-table.ts";
import { cardView, type ShownCard, distinctFirst } from "../catalog/cards/card-view.ts";

/** A row of related coins, with the address of the listing that shows all of them. */
export type RelatedCoins = { title: string; all: string; count: number; cards: ShownCard[] };

/**
 * Products in stock of the same series, and of the same mass of the same metal. Each is shown once, empty rows are left out. `issues` are
 * those of the coin's own product, which is not shown.
 */
export async function relatedCoins(
  ctx: Ctx,
  { metal, kind, series, pureMassMg }: CoinDetails,
  issues: readonly Pick<Card, "id">[],
): Promise<RelatedCoins[]> {
  const grams = Math.round(pureMassMg / 10) / 100;
  const [ofSeries, ofMass] = await Promise.all([
    series === null ? null : search.list(ctx, { series: [series], inStock: true, group: "product" }),
    search.list(ctx, { metal: [metal], weight: [grams], inStock: true, group: "product" }),
  ]);
  const shown = new Set(issues.map(({ id }) => id));
  const rows: RelatedCoins[] = [];
  const add = (title: string, all: string, listing: Awaited<ReturnType<typeof search.list>> | null) => {
    const others = listing?.items.filter((each) => !shown.has(each.id)) ?? [];
    if (!listing || others.length === 0) return;
    // Coins of the same kind come first.
    const cards = distinctFirst(others.toSorted((a, b) => Number(b.kind === kind) - Number(a.kind === kind)).map(cardView), 4);
    for (const card of cards) shown.add(card.id);
    rows.push({ title, all, count: listing.total, cards });
  };
  const seriesValue = ofSeries?.facets.series.find(({ label }) => label === series)?.value;
  if (seriesValue !== undefined)
    add(`Серия «${series?.replaceAll(/[«»]/g, "")}»`, `/catalog?series=${encodeURIComponent(seriesValue)}&inStock=1`, ofSeries);
  add(`Той же массы: ${massText(metal, pureMassMg)}`, `/catalog?metal=${metal}&weight=${grams}&inStock=1`, ofMass);
  return rows;
}
