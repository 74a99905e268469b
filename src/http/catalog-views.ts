import type { CardView, ListingView, ProductView, SearchView, SuggestView } from "#contract/public/catalog.ts";
import { isoMoscow } from "#kit/moscow-time.ts";
import { roublesOrNull, toRoubles } from "#kit/money.ts";
import type { Category } from "#shop/catalog/category.ts";
import { coinImage, imageWidths, type CoinSide } from "#shop/catalog/image.ts";
import type { Card, CoinDetails } from "#shop/search/card.ts";
import { facetNames, type Found, type Listing, type Suggestions } from "#shop/search/listing.ts";

/** Coins in the contract's format: roubles, grams, per cent. Unknown values are absent; a price that cannot be computed now is null. */

/** Optional fields are added to the object one by one: a spread of each makes a copy of it for each coin of a listing. */
export function cardView(card: Card): CardView {
  const view: CardView = {
    id: card.id,
    slug: card.slug,
    title: card.title,
    image: card.image,
    price: roublesOrNull(card.price),
    premium: card.premium && { rub: toRoubles(card.premium.amount), percent: card.premium.bp / 100 },
    perGram: roublesOrNull(card.perGram),
    priceListVersion: card.priceListVersion,
    metal: card.metal,
    kind: card.kind,
    pureMassG: card.pureMassMg / 1000,
    fineness: card.finenessTenths / 10,
    year: card.year,
    available: card.available,
    inStock: card.inStock,
    badges: card.badges,
  };
  if (card.oldPrice !== null) view.oldPrice = toRoubles(card.oldPrice);
  if (card.buyback !== null) view.buyback = toRoubles(card.buyback);
  if (card.spreadBp !== null) view.spread = card.spreadBp / 100;
  if (card.diameterMm !== null) view.diameterMm = card.diameterMm;
  if (card.issues !== null) {
    const { count, available, yearFrom, yearTo } = card.issues;
    view.issues = { count, available, yearFrom, yearTo };
  }
  return view;
}

export const productView = (product: CoinDetails): ProductView => ({
  ...cardView(product),
  images: { obverse: pictures(product.picture, "obverse"), reverse: pictures(product.picture, "reverse") },
  description: product.description,
  categories: product.categories,
  country: product.country,
  issuer: product.issuer,
  quality: product.quality,
  totalMassG: product.totalMassMg / 1000,
  ...withoutNull({
    mint: product.mint,
    series: product.series,
    catalogueNumber: product.catalogueNumber,
    thicknessMm: product.thicknessMm,
    lengthMm: product.lengthMm,
    widthMm: product.widthMm,
    shape: product.shape,
    mintage: product.mintage,
    edge: product.edge,
    artist: product.artist,
    purchaseLimit: product.purchaseLimit,
  }),
  ...(product.promoEndsAt ? { promoUntil: isoMoscow(product.promoEndsAt) } : {}),
  ...(product.priceSteps.length > 0
    ? { priceSteps: product.priceSteps.map(({ quantity, price }) => ({ quantity, price: toRoubles(price) })) }
    : {}),
  ...(product.denominationValue !== null && product.denominationCurrency !== null
    ? { denomination: { value: product.denominationValue, currency: product.denominationCurrency } }
    : {}),
});

const pictures = (picture: string, side: CoinSide): string[] => imageWidths.map((width) => coinImage(picture, side, width));

type WithoutNull<T> = { [K in keyof T]?: Exclude<T[K], null> };
const withoutNull = <T extends Record<string, unknown>>(values: T): WithoutNull<T> =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== null)) as WithoutNull<T>;

export const listingView = (listing: Listing): ListingView => ({
  items: listing.items.map(cardView),
  total: listing.total,
  page: listing.page,
  pages: listing.pages,
  facets: {
    ...Object.fromEntries(facetNames.map((name) => [name, listing.facets[name]])),
    price: { min: toRoubles(listing.facets.price.min), max: toRoubles(listing.facets.price.max) },
    year: listing.facets.year,
  } as ListingView["facets"], // zod's catchall also types the named members as lists
});

export const searchView = (found: Found): SearchView => ({
  ...listingView(found),
  ...(found.corrected ? { corrected: found.corrected } : {}),
  ...(found.intent ? { intent: { id: found.intent.id, heading: found.intent.heading, text: found.intent.text } } : {}),
});

const categoryView = ({ slug, title }: Category) => ({ slug, title, href: `/catalog/${slug}` });

export const suggestView = (suggestions: Suggestions): SuggestView => ({
  products: suggestions.products.map(cardView),
  categories: suggestions.categories.map(categoryView),
  articles: suggestions.articles,
});
