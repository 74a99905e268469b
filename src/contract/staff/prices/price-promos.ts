import * as z from "zod";
import { statesOf } from "#kit/transitions.ts";
import { promoStates } from "#shop/pricing/promos/promo.ts";
import { fieldMessages } from "../../fields.ts";
import { chosenInstant, coinId, instant, roubles } from "../../wire.ts";
import { staffCall } from "../call.ts";
import { coinPrices, maxCoins, promoAction } from "./prices.ts";
import { cursor, page, rowIdParam } from "../wire.ts";

/** Price promos: lower prices of coins from a moment till another. The preview is that of bulk changes, `previewPrices`. */

const promo = z.object({
  id: z.int(),
  state: z.enum(statesOf(promoStates)),
  action: promoAction,
  label: z.string(),
  startsAt: instant,
  endsAt: instant,
  startedAt: instant.nullable(),
  endedAt: instant.nullable(),
  coins: z.int(),
  /** Coins whose former price is shown crossed out. */
  crossedOut: z.int(),
  createdAt: instant,
  createdBy: z.string(),
  closedBy: z.string().nullable(),
  approvalReason: z.string().nullable(),
  refusal: z.string().nullable(),
});

export const readPricePromos = staffCall({
  method: "GET",
  path: "/api/staff/price-promos",
  summary: "Price promos, newest first",
  permission: "prices",
  audit: null,
  query: z.object({ cursor }),
  answer: page(promo),
  problems: [],
});

export const readPricePromo = staffCall({
  method: "GET",
  path: "/api/staff/price-promos/{id}",
  summary: "A price promo with a page of its coins",
  permission: "prices",
  audit: null,
  params: z.object({ id: rowIdParam }),
  query: z.object({ cursor }),
  answer: page(
    z.object({
      coinId: z.int(),
      title: z.string(),
      premiumBefore: z.int(),
      premiumBp: z.int().nullable(),
      fixedPriceBefore: roubles.nullable(),
      fixedPrice: roubles.nullable(),
      /** The price that may be shown crossed out at most; null: none. */
      settled: roubles.nullable(),
    }),
  ).extend({ promo }),
  problems: ["staff.not_found"],
});

const moment = chosenInstant("Укажите день и время");

export const createPricePromo = staffCall({
  method: "POST",
  path: "/api/staff/price-promos",
  summary: "Makes a promo; one that has begun starts at once. Coins with other prices than were seen, or not cheaper by it, are left out",
  permission: "prices",
  audit: "price_promo.create",
  body: z
    .strictObject({
      action: promoAction,
      coins: z
        .array(z.strictObject({ id: coinId, seen: coinPrices.strict() }))
        .min(1, "Отметьте хотя бы одну монету")
        .max(maxCoins, "Слишком много монет"),
      label: z.string(fieldMessages.required).trim().min(1, fieldMessages.required).max(200, fieldMessages.tooLong),
      startsAt: moment,
      endsAt: moment,
    })
    .refine(({ startsAt, endsAt }) => Date.parse(endsAt) > Date.parse(startsAt), {
      path: ["endsAt"],
      error: "Конец должен быть позже начала",
    }),
  maxBodyBytes: 2 * 1024 * 1024,
  answer: promo,
  problems: ["request.invalid", "price_promo.nothing", "price_promo.overlaps", "price_promo.too_many"],
});

export const stopPricePromo = staffCall({
  method: "POST",
  path: "/api/staff/price-promos/{id}/stop",
  summary: "Ends a running promo at once, or cancels one that waits: the coins' own prices hold again",
  permission: "prices",
  audit: "price_promo.stop",
  params: z.object({ id: rowIdParam }),
  answer: promo,
  problems: ["staff.not_found", "price_promo.closed"],
});
