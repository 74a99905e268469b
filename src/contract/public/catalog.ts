import * as z from "zod";
import { coinKinds, metals } from "#shop/catalog/coin.ts";
import { sortKeys } from "#shop/search/listing.ts";
import { call } from "../call.ts";
import { fieldMessages, maxLengths } from "../fields.ts";
import { coinId, instant, roubles, slugParam } from "../wire.ts";

const card = z.object({
  id: coinId,
  slug: z.string(),
  title: z.string(),
  image: z.string(),
  price: roubles.nullable(),
  oldPrice: roubles.optional(),
  premium: z.object({ rub: roubles, percent: z.number() }).nullable(),
  perGram: roubles.nullable(),
  /** The shop's buyback price of today. */
  buyback: roubles.optional(),
  /**
   * The loss on buying the coin and selling it back today, in percent of the price. Absent if the coin is not bought back or has no price
   * now.
   */
  spread: z.number().optional(),
  priceListVersion: z.int(),
  metal: z.enum(metals),
  kind: z.enum(coinKinds),
  pureMassG: z.number(),
  diameterMm: z.number().optional(),
  fineness: z.number(),
  year: z.int(),
  available: z.int(),
  inStock: z.boolean(),
  badges: z.array(z.string()),
  /**
   * With `group=product`: the number of issues that the card represents, their total stock and their years. The card itself is one of them.
   * Absent if there is only one.
   */
  issues: z.object({ count: z.int(), available: z.int(), yearFrom: z.int(), yearTo: z.int() }).optional(),
});
/** A product card. Amounts in roubles; `price`, `premium` and `perGram` are null while the rates are too old. */
export type CardView = z.output<typeof card>;
export { card as cardSchema };

const product = card.extend({
  images: z.object({ obverse: z.array(z.string()), reverse: z.array(z.string()) }),
  description: z.string(),
  categories: z.array(z.string()),
  country: z.string(),
  issuer: z.string(),
  mint: z.string().optional(),
  series: z.string().optional(),
  catalogueNumber: z.string().optional(),
  denomination: z.object({ value: z.number(), currency: z.string() }).optional(),
  /** The price of one piece from each quantity at which it is lower, beginning with 1. Absent: one price for any quantity. */
  /** The end of the promo that lowers the price. */
  promoUntil: instant.optional(),
  priceSteps: z.array(z.object({ quantity: z.int(), price: roubles })).optional(),
  totalMassG: z.number(),
  thicknessMm: z.number().optional(),
  lengthMm: z.number().optional(),
  widthMm: z.number().optional(),
  shape: z.string().optional(),
  mintage: z.int().optional(),
  quality: z.string(),
  edge: z.string().optional(),
  artist: z.string().optional(),
  purchaseLimit: z.int().optional(),
});
/** Everything the product page shows: the card and the coin's data. */
export type ProductView = z.output<typeof product>;

const choice = z.object({ value: z.string(), label: z.string(), count: z.int() });
const span = z.object({ min: z.number(), max: z.number() });
const listing = z.object({
  items: z.array(card),
  total: z.int(),
  page: z.int(),
  pages: z.int(),
  facets: z.object({ price: span, year: span }).catchall(z.array(choice)),
});
export type ListingView = z.output<typeof listing>;

const found = listing.extend({
  corrected: z.object({ from: z.string(), to: z.string() }).optional(),
  /** The reason for a prepared list of `items`, when the query names a purpose (a gift, a sum to invest). */
  intent: z.object({ id: z.string(), heading: z.string(), text: z.string() }).optional(),
});
export type SearchView = z.output<typeof found>;

const suggestions = z.object({
  products: z.array(card),
  categories: z.array(z.object({ slug: z.string(), title: z.string(), href: z.string() })),
  articles: z.array(z.object({ id: z.string(), title: z.string(), href: z.string() })),
});
export type SuggestView = z.output<typeof suggestions>;

/** Several values separated by commas; empty ones are ignored. */
const several = z
  .string()
  .max(500, fieldMessages.wrong)
  .transform((text) =>
    text
      .split(",")
      .map((each) => each.trim())
      .filter((each) => each !== ""),
  );
const severalOf = <const T extends readonly string[]>(values: T) => several.pipe(z.array(z.enum(values, fieldMessages.wrong)));
const wholeNumber = z
  .string()
  .regex(/^\d{1,9}$/, fieldMessages.wrong)
  .transform(Number);
const amount = z
  .string()
  .regex(/^\d{1,9}(\.\d{1,2})?$/, fieldMessages.wrong)
  .transform(Number);
const percent = z
  .string()
  .regex(/^\d{1,3}(\.\d{1,2})?$/, fieldMessages.wrong)
  .transform(Number);
const decimals = several.pipe(
  z.array(
    z
      .string()
      .regex(/^\d{1,6}(\.\d{1,3})?$/, fieldMessages.wrong)
      .transform(Number),
  ),
);
const pageNumber = z
  .string()
  .regex(/^[1-9]\d{0,8}$/, fieldMessages.wrong)
  .transform(Number);
const flag = z.enum(["1", "true", "0", "false"], fieldMessages.wrong).transform((value) => value === "1" || value === "true");
const words = z.string().max(maxLengths.query, fieldMessages.tooLong);

/** The filters of a listing, as in its address. */
const listingQuery = z.object({
  category: several.optional(),
  metal: severalOf(metals).optional(),
  kind: severalOf(coinKinds).optional(),
  series: several.optional(),
  country: several.optional(),
  mint: several.optional(),
  quality: several.optional(),
  year: several.pipe(z.array(wholeNumber)).optional(),
  weight: decimals.optional(),
  priceFrom: amount.optional(),
  priceTo: amount.optional(),
  spreadTo: percent.optional(),
  inStock: flag.optional(),
  group: z.enum(["product"], fieldMessages.wrong).optional(),
  sort: z.enum(sortKeys, fieldMessages.wrong).optional(),
  page: pageNumber.optional(),
});
export type ListingQuery = z.output<typeof listingQuery>;

export const readCatalog = call({
  method: "GET",
  path: "/api/catalog",
  summary: "Coins of a listing, 24 a page, with counts for every filter",
  changes: false,
  asker: "anybody",
  rateLimit: "search",
  query: listingQuery,
  answer: listing,
  problems: [],
});

export const readProduct = call({
  method: "GET",
  path: "/api/products/{slug}",
  summary: "One coin with everything its page shows",
  changes: false,
  asker: "anybody",
  rateLimit: "request",
  params: z.object({ slug: slugParam }),
  badParams: "product.not_found",
  answer: product,
  problems: ["product.not_found"],
});

export const readCards = call({
  method: "GET",
  path: "/api/products",
  summary: "Cards of the requested coins, in that order; unknown ids are left out",
  changes: false,
  asker: "anybody",
  rateLimit: "request",
  query: z.object({
    ids: z
      .string(fieldMessages.required)
      .regex(/^[1-9]\d{0,8}(,[1-9]\d{0,8}){0,199}$/, fieldMessages.wrong)
      .transform((ids) => ids.split(",").map(Number)),
  }),
  answer: z.array(card),
  problems: [],
});

export const searchCoins = call({
  method: "GET",
  path: "/api/search",
  summary: "Coins found by words, narrowed and ordered like a listing; `exact=1` takes the words as they are",
  changes: false,
  asker: "anybody",
  rateLimit: "search",
  query: listingQuery.extend({ q: words.default(""), exact: flag.optional() }),
  answer: found,
  problems: [],
});

export const suggest = call({
  method: "GET",
  path: "/api/search/suggest",
  summary: "Suggestions while typing",
  changes: false,
  asker: "anybody",
  rateLimit: "search",
  query: z.object({ q: words.default("") }),
  answer: suggestions,
  problems: [],
});
