import * as z from "zod";
import { coinKinds, metals } from "#shop/catalog/coin.ts";
import { factFields, identifyingFields, factMaxLengths } from "#shop/catalog/coin-rules.ts";
import { fieldMessages } from "../../fields.ts";
import { coinId, coinIdParam, instant, line, roubles, text } from "../../wire.ts";
import { staffCall } from "../call.ts";
import { coinPrice, cursor, jsonOf, page, revision, rowIdParam } from "../wire.ts";

/** Coins as staff edit them. Masses in milligrams, fineness in tenths, premiums in hundredths of a percent; sums are roubles. */

const orNull = (max: number) =>
  line(max)
    .transform((value) => (value === "" ? null : value))
    .nullable();
const whole = z.int(fieldMessages.wrong);
const number = z.number(fieldMessages.wrong);

/** Only the types: the values are validated by `factProblems`. */
const facts = z.strictObject({
  slug: line(factMaxLengths.slug),
  title: line(factMaxLengths.line),
  metal: z.enum(metals),
  kind: z.enum(coinKinds),
  country: line(factMaxLengths.line),
  issuer: line(factMaxLengths.line),
  mint: orNull(factMaxLengths.line),
  year: whole,
  denominationValue: number.nullable(),
  denominationCurrency: orNull(3),
  series: orNull(factMaxLengths.line),
  catalogueNumber: orNull(20),
  finenessTenths: whole,
  pureMassMg: whole,
  totalMassMg: whole,
  diameterMm: number.nullable(),
  thicknessMm: number.nullable(),
  shape: orNull(20),
  lengthMm: number.nullable(),
  widthMm: number.nullable(),
  mintage: whole.nullable(),
  quality: line(factMaxLengths.line),
  edge: orNull(factMaxLengths.line),
  artist: orNull(factMaxLengths.line),
  description: text(factMaxLengths.description),
  motif: line(factMaxLengths.line),
  vatCode: whole,
  purchaseLimit: whole.nullable(),
  featuredPosition: whole.nullable(),
  categories: z.array(z.string().max(150)).max(50),
});
/** Premiums in hundredths of a percent. */
const prices = z.strictObject({
  premiumBp: whole,
  buybackBp: whole.nullable(),
  fixedPrice: coinPrice.nullable(),
  fixedBuyback: coinPrice.nullable(),
});

/** The first prices of a new coin. A coin with a fixed price may leave its premium out. */
const firstPrices = prices.extend({ premiumBp: whole.nullable() });

const crop = z.strictObject({ left: z.int(), top: z.int(), size: z.int() });
const alt = z.string().max(200, fieldMessages.tooLong);
const sidePicture = z.strictObject({ pictureId: z.string().max(64), crop, alt });
const pictures = z.strictObject({ obverse: sidePicture.nullable(), reverse: sidePicture.nullable(), edge: sidePicture.nullable() });
const shownPicture = sidePicture.extend({ width: z.int(), height: z.int() });

const coin = z.object({
  id: coinId,
  revision,
  facts,
  prices,
  /** With today's rates; null: no rate yet. */
  price: roubles.nullable(),
  buyback: roubles.nullable(),
  isPublished: z.boolean(),
  /** Null: never shown, so its address may still change. */
  publishedAt: instant.nullable(),
  pictures: z.object({ obverse: shownPicture.nullable(), reverse: shownPicture.nullable(), edge: shownPicture.nullable() }),
  hasDrawing: z.boolean(),
  /** Addresses of what the shop shows of a side without a photograph: our drawing, else a neutral disc. 320 pixels wide. */
  drawings: z.object({ obverse: z.string(), reverse: z.string() }),
  available: z.int(),
  /** Its page in the shop; it answers while the coin is on sale. */
  url: z.url(),
});

const row = z.object({
  id: coinId,
  slug: z.string(),
  title: z.string(),
  metal: z.enum(metals),
  kind: z.enum(coinKinds),
  year: z.int(),
  mint: z.string().nullable(),
  finenessTenths: z.int(),
  pureMassMg: z.int(),
  image: z.string(),
  hasPhotos: z.boolean(),
  isPublished: z.boolean(),
  featuredPosition: z.int().nullable(),
  available: z.int(),
  price: roubles.nullable(),
});

const yesOrNo = z.enum(["yes", "no"]);

export const readCoins = staffCall({
  method: "GET",
  path: "/api/staff/coins",
  summary: "Coins on sale or not, the newest entries first. `low`: as few free pieces as the setting for low stock, or fewer",
  permission: "coins",
  audit: null,
  query: z.object({
    q: z.string().trim().max(100).optional(),
    metal: z.enum(metals).optional(),
    kind: z.enum(coinKinds).optional(),
    published: yesOrNo.optional(),
    photo: z.literal("no").optional(),
    stock: z.literal("low").optional(),
    featured: z.literal("yes").optional(),
    cursor,
  }),
  answer: page(row),
  problems: [],
});

const words = z.array(z.string());
export const readCoinForm = staffCall({
  method: "GET",
  path: "/api/staff/coins/form",
  summary: "What the editor of a coin chooses from: categories, series, words used by other coins, and today's rates",
  permission: "coins",
  audit: null,
  answer: z.object({
    categories: z.array(z.object({ slug: z.string(), title: z.string(), parent: z.string().nullable() })),
    series: words,
    countries: words,
    issuers: words,
    mints: words,
    qualities: words,
    artists: words,
    /** Pure masses that stored coins of a metal and a face value have, in milligrams. */
    masses: z.array(z.object({ metal: z.enum(metals), currency: z.string(), value: z.number(), pureMassMg: z.int() })),
    /** In 1/10 000 ₽ per gram; 0: not known yet. */
    rates: z.object({ goldE4: z.int(), silverE4: z.int() }),
    shopUrl: z.url(),
  }),
  problems: [],
});

export const readCoin = staffCall({
  method: "GET",
  path: "/api/staff/coins/{id}",
  summary: "A coin with everything the editor shows",
  permission: "coins",
  audit: null,
  params: z.object({ id: coinIdParam }),
  answer: coin,
  problems: [],
});

const fields = z.record(z.string(), z.unknown()).nullable();
export const readCoinVersions = staffCall({
  method: "GET",
  path: "/api/staff/coins/{id}/versions",
  summary: "The last 200 edits of a coin, newest first: who changed which fields, before and after",
  permission: "coins",
  audit: null,
  params: z.object({ id: coinIdParam }),
  answer: z.object({
    items: z.array(z.object({ id: z.int(), at: instant, actor: z.string(), action: z.string(), before: fields, after: fields })),
  }),
  problems: ["staff.not_found"],
});

export const readCoinVersion = staffCall({
  method: "GET",
  path: "/api/staff/coins/{id}/versions/{entry}",
  summary: "The facts of a coin before an edit, to be saved as a new edit. A shown coin keeps its address",
  permission: "coins",
  audit: null,
  params: z.object({ id: coinIdParam, entry: rowIdParam }),
  answer: z.object({ facts }),
  problems: ["staff.not_found"],
});

const pictureWrong = z.object({ side: z.enum(["obverse", "reverse", "edge"]) });
const duplicate = z.object({ why: z.enum(["number", "issue"]), id: coinId, slug: z.string(), title: z.string() });
const saving = {
  permission: "coins",
  answer: coin,
  problems: ["staff.not_found", "staff.stale", "coin.invalid", "coin.duplicate", "coin.picture_wrong", "coin.not_ready"],
  refusalData: {
    "staff.stale": z.object({ current: coin, revision, fields: z.array(z.enum(factFields)) }),
    "coin.duplicate": duplicate,
    "coin.picture_wrong": pictureWrong,
    "coin.not_ready": z.object({ reasons: z.array(z.enum(["pictures", "price"])) }),
  },
} as const;

const identity = facts.pick(
  Object.fromEntries(identifyingFields.map((field) => [field, true])) as Record<(typeof identifyingFields)[number], true>,
);

export const findCoinTwin = staffCall({
  method: "GET",
  path: "/api/staff/coins/twin",
  summary: "The stored coin that these facts seem to describe: the same number and mint, or the same issue. `coin` is JSON; `id`: itself",
  permission: "coins",
  audit: null,
  query: z.object({ coin: jsonOf(identity, 2_000), id: z.coerce.number().pipe(coinId).optional() }),
  answer: z.object({ twin: duplicate.nullable() }),
  problems: ["request.invalid"],
});

const allowsDuplicates = z.boolean().default(false);

export const addCoin = staffCall({
  ...saving,
  method: "POST",
  path: "/api/staff/coins",
  summary: "Adds a coin with its first prices and pictures, off sale unless `isPublished`",
  audit: "coin.add",
  body: z.strictObject({ facts, prices: firstPrices, pictures, isPublished: z.boolean(), allowsDuplicates }),
});

export const saveCoin = staffCall({
  ...saving,
  method: "PATCH",
  path: "/api/staff/coins/{id}",
  summary: "Saves facts and pictures of a coin; `isPublished` also puts it on sale or takes it off. Prices are changed by price calls",
  audit: "coin.save",
  params: z.object({ id: coinIdParam }),
  body: z.strictObject({ revision, facts, pictures, isPublished: z.boolean().optional(), allowsDuplicates }),
});

export const publishCoin = staffCall({
  ...saving,
  method: "POST",
  path: "/api/staff/coins/{id}/published",
  summary: "Puts a coin on sale or takes it off. Orders and carts keep it",
  audit: "coin.publish",
  params: z.object({ id: coinIdParam }),
  body: z.strictObject({ revision, isPublished: z.boolean() }),
});

export const previewCoin = staffCall({
  method: "POST",
  path: "/api/staff/coins/{id}/preview",
  summary: "A link, good for half an hour, to the shop's page of a coin as these facts and pictures would make it; its slug stays",
  permission: "coins",
  audit: "coin.preview",
  params: z.object({ id: coinIdParam }),
  body: z.strictObject({ facts, pictures }),
  answer: z.object({ url: z.url() }),
  problems: ["staff.not_found", "coin.invalid", "coin.picture_wrong"],
  refusalData: { "coin.picture_wrong": pictureWrong },
});

export const previewNewCoin = staffCall({
  method: "POST",
  path: "/api/staff/coins/preview",
  summary: "A link, good for half an hour, to the shop's page of a coin that is not stored yet",
  permission: "coins",
  audit: "coin.preview",
  body: z.strictObject({ facts, prices: firstPrices, pictures }),
  answer: z.object({ url: z.url() }),
  problems: ["coin.invalid", "coin.picture_wrong"],
  refusalData: { "coin.picture_wrong": pictureWrong },
});
