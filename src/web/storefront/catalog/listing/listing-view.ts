import { nbsp, number } from "#kit/format.ts";
import { type Listing, pageSize, priceBands } from "#shop/search/listing.ts";
import { shownCards } from "../cards/shown-cards.server.ts";
import { type FilterName, filterNames, type Sort } from "./listing-query.ts";
import type { FilterFacets } from "../filters/filters.tsx";

const facetTitles: Readonly<Record<FilterName, string>> = {
  metal: "Металл",
  kind: "Вид",
  weight: "Масса металла, унции",
  spreadTo: "Спред: потеря при обратной продаже",
  country: "Страна",
  mint: "Монетный двор",
  quality: "Качество чеканки",
  series: "Серия",
  year: "Год",
};

const sortTitles: Readonly<Record<Sort, string>> = {
  popular: "Сначала популярные",
  price: "Сначала дешевле",
  "-price": "Сначала дороже",
  gram: "Дешевле за грамм",
  premium: "Меньше премия",
  spread: "Меньше спред",
  mass: "Сначала легче",
  "-mass": "Сначала тяжелее",
  "-year": "Сначала новые годы",
  year: "Сначала старые годы",
  new: "Новинки каталога",
};

/** Short labels for the panel: `Московский, ММД`, and a word of explanation for the quality. */
function facetLabel(name: FilterName, label: string): string {
  if (name === "mint") return label.replace(/ монетны[йе] дво\S+ \(([^)]+)\)$/, ", $1");
  if (name === "quality") return qualityNames[label] ?? label;
  return label;
}
const qualityNames: Readonly<Record<string, string>> = {
  АЦ: "АЦ, обычная",
  БА: "БА, улучшенная",
  пруф: "Пруф, зеркальная",
  "пруф-лайк": "Пруф-лайк",
};

/** A filter above the list, set in one click: a price range in roubles, or a mass with the value of its facet. */
export type Preset = { text: string; count: number; from?: string; to?: string; weight?: string };

const masses: Readonly<Record<string, string>> = {
  "3.11": "1/10 унции",
  "7.78": "1/4 унции",
  "15.55": "1/2 унции",
  "31.1": "1 унция",
  "1000": "1 кг",
};

/** Prices first, then masses; `count` is the number of products it would show. Presets that show nothing are left out. */
export function presetsOf({ facets }: Pick<Listing, "facets">): Preset[] {
  const thousands = (roubles: number): string => number(roubles / 1000);
  const prices = priceBands.map(({ from, to }, band): Preset => ({
    text:
      from === undefined
        ? `до ${thousands(to ?? 0)} тыс.${nbsp}₽`
        : to === undefined
          ? `от ${thousands(from)} тыс.${nbsp}₽`
          : `${thousands(from)}–${thousands(to)} тыс.${nbsp}₽`,
    count: facets.price.bands[band] ?? 0,
    from: String(from ?? ""),
    to: String(to ?? ""),
  }));
  const weights = facets.weight.flatMap(({ value, count }): Preset[] =>
    masses[value] === undefined ? [] : [{ text: masses[value], count, weight: value }],
  );
  return [...prices, ...weights].filter(({ count }) => count > 0);
}

/**
 * The data of a listing page: small cards, filters in the panel's order, bounds in roubles.
 * `usual` is the title of the default order.
 */
export function listingView(listing: Listing, usual: string = sortTitles.popular) {
  const { items, total, pages, facets } = listing;
  return {
    cards: shownCards(items),
    total,
    pages,
    pageSize,
    presets: presetsOf(listing),
    sorts: Object.entries({ ...sortTitles, popular: usual }),
    facets: Object.fromEntries(
      filterNames.map((name) => [
        name,
        {
          title: facetTitles[name],
          choices: name === "year" ? [] : facets[name].map((choice) => ({ ...choice, label: facetLabel(name, choice.label) })),
        },
      ]),
    ) as FilterFacets,
    price: { min: Math.floor(facets.price.min / 100), max: Math.ceil(facets.price.max / 100), histogram: facets.price.histogram },
    years: facets.year,
  };
}
export type ShownListing = ReturnType<typeof listingView>;

/** The number of products in each section of a listing. */
export const sectionSizes = ({ facets }: Pick<Listing, "facets">): Record<string, number> =>
  Object.fromEntries(facets.category.map(({ value, count }) => [value, count]));
