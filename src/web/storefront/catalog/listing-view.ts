import { type Listing, pageSize } from "#shop/search/listing.ts";
import { type CardView, cardView } from "./card-view.ts";
import { type FacetName, facetNames } from "./listing-query.ts";
import type { Facets } from "./filters.tsx";

/** Labels as the panel has room for: `Московский, ММД` and what a grade of striking means. */
function facetLabel(name: FacetName, label: string): string {
  if (name === "mint") return label.replace(/ монетны[йе] дво\S+ \(([^)]+)\)$/, ", $1");
  if (name === "quality") return qualityNames[label] ?? label;
  return label;
}
const qualityNames: Readonly<Record<string, string>> = { АЦ: "АЦ, обычная", БА: "БА, улучшенная", пруф: "Пруф, зеркальная", "пруф-лайк": "Пруф-лайк" };

/** A listing as its page needs it: small cards, filters in the panel's order, bounds in roubles, how many coins each section holds. */
export function listingView({ items, total, pages, facets }: Listing) {
  return {
    cards: items.map(cardView) satisfies CardView[],
    total, pages, pageSize,
    facets: Object.fromEntries(facetNames.map((name) => [name, name === "year" ? [] : facets[name].map((choice) => ({ ...choice, label: facetLabel(name, choice.label) }))])) as Facets,
    price: { min: Math.floor(facets.price.min / 100), max: Math.ceil(facets.price.max / 100), histogram: facets.price.histogram },
    years: facets.year,
    sizes: Object.fromEntries(facets.category.map(({ value, count }) => [value, count])) as Record<string, number>,
  };
}
