import * as z from "zod";
import { statesOf } from "#kit/transitions.ts";
import { coinKinds, metals } from "#shop/catalog/coin.ts";
import { itemOutcomes, priceChangeKinds, priceChangeStates } from "#shop/pricing/changes/price-change.ts";
import { maxSteps } from "#shop/pricing/steps/steps.ts";
import { fieldMessages } from "../../fields.ts";
import { chosenInstant, coinId, instant, roubles } from "../../wire.ts";
import { staffCall } from "../call.ts";
import { coinPrice, cursor, jsonOf, page, revision, rowIdParam } from "../wire.ts";

/** Prices: bulk changes with preview, schedule and undo. Premiums, discounts and spreads are hundredths of a percent, money is roubles. */

const metal = z.enum(metals);
const kind = z.enum(coinKinds);

/* What coins are selected */

const listOf = <T>(item: z.ZodType<T, string>) =>
  z
    .string()
    .max(8_000)
    .transform((text) => text.split(",").filter((part) => part !== ""))
    .pipe(z.array(item).max(500))
    .optional();
const wholeNumber = z
  .string()
  .regex(/^-?\d{1,9}$/, "Введите целое число")
  .transform(Number);

const filter = {
  ids: listOf(
    z
      .string()
      .regex(/^\d{1,9}$/)
      .transform(Number),
  ),
  metals: listOf(metal),
  kinds: listOf(kind),
  categories: listOf(z.string().max(200)),
  /** Names may contain commas: each is percent-encoded. */
  series: listOf(z.string().max(600).transform(decodeURIComponent)),
  countries: listOf(z.string().max(600).transform(decodeURIComponent)),
  yearFrom: wholeNumber.optional(),
  yearTill: wholeNumber.optional(),
  massFromMg: wholeNumber.optional(),
  massTillMg: wholeNumber.optional(),
  premiumFromBp: wholeNumber.optional(),
  premiumTillBp: wholeNumber.optional(),
  inStock: z.literal("1").optional(),
  text: z.string().trim().max(100).optional(),
};

export const readPriceFilters = staffCall({
  method: "GET",
  path: "/api/staff/prices/filters",
  summary: "What coins can be filtered by, with the number of coins of each",
  permission: "prices",
  audit: null,
  answer: z.object({
    metals: z.record(metal, z.int()),
    kinds: z.record(kind, z.int()),
    series: z.array(z.object({ name: z.string(), coins: z.int() })),
    countries: z.array(z.object({ name: z.string(), coins: z.int() })),
    categories: z.array(z.object({ slug: z.string(), title: z.string(), coins: z.int() })),
    limits: z.object({ premiumBp: z.int(), coins: z.int() }),
  }),
  problems: [],
});

/* What is done to their prices */

const points = z.int(fieldMessages.required).min(-10_000, "Не больше 100 %").max(100_000, "Не больше 1000 %");
const wholeRoubles = z.int(fieldMessages.required).min(1, "Не меньше 1 ₽").max(100_000_000, "Слишком большая сумма");
const roundTo = z.int().refine((step) => [1, 10, 50, 100].includes(step), fieldMessages.wrong);
export const priceAction = z.union([
  z.strictObject({ field: z.enum(["premium", "buyback"]), mode: z.enum(["set", "add", "spread"]), bp: points }),
  z.strictObject({
    field: z.enum(["price", "price_buyback"]),
    mode: z.literal("set"),
    roubles: wholeRoubles,
  }),
  z.strictObject({
    field: z.enum(["price", "price_buyback"]),
    mode: z.literal("percent"),
    bp: points,
    roundTo,
  }),
]);

/** What a promo may do: lower a premium or a fixed price. */
export const promoAction = z.union([
  z.strictObject({ field: z.literal("premium"), mode: z.enum(["set", "add"]), bp: points }),
  z.strictObject({ field: z.literal("price"), mode: z.literal("set"), roubles: wholeRoubles }),
  z.strictObject({ field: z.literal("price"), mode: z.literal("percent"), bp: points, roundTo }),
]);

export const coinPrices = z.object({
  premiumBp: z.int32(),
  buybackBp: z.int32().nullable(),
  fixedPrice: coinPrice.nullable(),
  fixedBuyback: coinPrice.nullable(),
});

const priceRow = z.object({
  id: z.int(),
  title: z.string(),
  metal,
  kind,
  isPublished: z.boolean(),
  available: z.int(),
  before: coinPrices,
  after: coinPrices,
  priceBefore: roubles.nullable(),
  priceAfter: roubles.nullable(),
  buybackAfter: roubles.nullable(),
  premiumBpBefore: z.int().nullable(),
  premiumBpAfter: z.int().nullable(),
  margin: roubles.nullable(),
  perGram: roubles.nullable(),
  spreadBp: z.int().nullable(),
  isChanged: z.boolean(),
  isBelowMetal: z.boolean(),
  isOutOfRange: z.boolean(),
});

export const previewPrices = staffCall({
  method: "GET",
  path: "/api/staff/prices/preview",
  summary: "The coins of a filter with their prices; with an action before and after, at today's rates. `action` is JSON",
  permission: "prices",
  audit: null,
  query: z.object({
    ...filter,
    action: jsonOf(priceAction, 300).optional(),
  }),
  answer: z.object({
    rows: z.array(priceRow),
    rates: z.object({ version: z.int(), gold: z.number(), silver: z.number(), isDead: z.boolean() }),
    summary: z.object({
      coins: z.int(),
      changed: z.int(),
      outOfRange: z.int(),
      belowMetal: z.int(),
      premiumBpBefore: z.int().nullable(),
      premiumBpAfter: z.int().nullable(),
      shelf: roubles,
      /** Why a second person is needed for all of them. */
      reason: z.string().nullable(),
    }),
  }),
  problems: ["request.invalid"],
});

const change = z.object({
  id: z.int(),
  kind: z.enum(priceChangeKinds),
  state: z.enum(statesOf(priceChangeStates)),
  action: priceAction.nullable(),
  label: z.string(),
  undoes: z.int().nullable(),
  undoneBy: z.int().nullable(),
  coins: z.int(),
  changed: z.int(),
  stale: z.int(),
  createdAt: instant,
  createdBy: z.string(),
  dueAt: instant.nullable(),
  appliedAt: instant.nullable(),
  approvalReason: z.string().nullable(),
  refusal: z.string().nullable(),
});

/** The most coins of one call. */
export const maxCoins = 10_000;

export const changePrices = staffCall({
  method: "POST",
  path: "/api/staff/price-changes",
  summary: "Changes prices at once or at `dueAt`. A coin whose prices are no longer those that were seen keeps them (`stale`)",
  permission: "prices",
  audit: "price.change",
  body: z.strictObject({
    action: priceAction,
    coins: z
      .array(z.strictObject({ id: coinId, seen: coinPrices.strict() }))
      .min(1, "Отметьте хотя бы одну монету")
      .max(maxCoins, "Слишком много монет"),
    label: z.string().trim().max(300),
    dueAt: chosenInstant("Укажите день и время").nullable(),
  }),
  maxBodyBytes: 2 * 1024 * 1024,
  answer: change,
  problems: ["request.invalid", "price_change.nothing", "price_change.past", "price_change.too_many"],
});

export const readPriceChanges = staffCall({
  method: "GET",
  path: "/api/staff/price-changes",
  summary: "Price changes, newest first; `scheduled`: those that wait for their time, soonest first",
  permission: "prices",
  audit: null,
  query: z.object({ cursor, part: z.enum(["all", "scheduled"]).default("all") }),
  answer: page(change),
  problems: [],
});

export const readPriceChange = staffCall({
  method: "GET",
  path: "/api/staff/price-changes/{id}",
  summary: "A price change with a page of its coins",
  permission: "prices",
  audit: null,
  params: z.object({ id: rowIdParam }),
  query: z.object({ cursor }),
  answer: page(
    z.object({ coinId: z.int(), title: z.string(), before: coinPrices, after: coinPrices, outcome: z.enum(itemOutcomes) }),
  ).extend({ change }),
  problems: ["staff.not_found"],
});

export const cancelPriceChange = staffCall({
  method: "POST",
  path: "/api/staff/price-changes/{id}/cancel",
  summary: "Cancels a scheduled change",
  permission: "prices",
  audit: "price.cancel",
  params: z.object({ id: rowIdParam }),
  answer: change,
  problems: ["staff.not_found", "price_change.not_scheduled"],
});

export const undoPriceChange = staffCall({
  method: "POST",
  path: "/api/staff/price-changes/{id}/undo",
  summary: "Gives the coins of a change their former prices again, as a change of its own",
  permission: "prices",
  audit: "price.undo",
  params: z.object({ id: rowIdParam }),
  answer: change,
  problems: ["staff.not_found", "price_change.nothing", "price_change.not_applied"],
});

/* Prices by quantity */

const storedStep = z.object({ quantity: z.int(), discountBp: z.int() });
const stepSet = z.object({
  metal: metal.nullable(),
  coinId: z.int().nullable(),
  title: z.string().nullable(),
  steps: z.array(storedStep),
  revision,
  updatedAt: instant,
  updatedBy: z.string(),
});

export const readPriceSteps = staffCall({
  method: "GET",
  path: "/api/staff/price-steps",
  summary: "Prices by quantity: the steps of both metals, and of the coins that have own ones",
  permission: "prices",
  audit: null,
  answer: z.array(stepSet),
  problems: [],
});

export const readFormerPriceSteps = staffCall({
  method: "GET",
  path: "/api/staff/price-steps/former",
  summary: "What stood before the last 50 changes of the steps of a metal or of a coin, newest first; null: the coin had none of its own",
  permission: "prices",
  audit: null,
  query: z
    .object({ metal: metal.optional(), coinId: z.coerce.number().pipe(coinId).optional() })
    .refine((query) => (query.metal === undefined) !== (query.coinId === undefined), "Металл или монета"),
  answer: z.object({
    items: z.array(z.object({ entry: z.int(), replacedAt: instant, replacedBy: z.string(), steps: z.array(storedStep).nullable() })),
  }),
  problems: ["request.invalid"],
});

export const savePriceSteps = staffCall({
  method: "POST",
  path: "/api/staff/price-steps",
  summary: "Saves the steps of a metal or of a bullion coin; `steps` null: the coin takes those of its metal again",
  permission: "prices",
  audit: "price.steps",
  body: z.strictObject({
    scope: z.union([z.strictObject({ metal }), z.strictObject({ coinId })]),
    /** 0: these are the first ones. */
    revision,
    steps: z
      .array(
        z.strictObject({
          quantity: z.int("Целое число штук").min(2, "Не меньше 2 штук").max(999, "Не больше 999 штук"),
          discountBp: z.int(fieldMessages.required).min(1, "Больше нуля").max(5_000, "Не больше 50 п. п."),
        }),
      )
      .max(maxSteps, `Не больше ${maxSteps} ступеней`)
      .nullable(),
  }),
  answer: z.array(stepSet),
  problems: ["request.invalid", "staff.stale"],
});
