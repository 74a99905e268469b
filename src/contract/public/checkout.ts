import * as z from "zod";
import type { DeliveryType } from "#shop/delivery/delivery.ts";
import { methodById } from "#shop/payment/payment.ts";
import { call } from "../call.ts";
import { fieldMessages } from "../fields.ts";
import { cityCode, coinId, deliveryId, instant, limitData, pointId, roubles, shortData } from "../wire.ts";

const deliveryGroup = z.object({
  name: z.string(),
  type: z.enum(["sdek", "pickup", "specialcontact"]),
  items: z.array(
    z.object({
      id: z.int(),
      pvz: z.boolean(),
      name: z.string(),
      /** 0 with a `note` while the price is unknown: the manager names it. */
      price: roubles,
      minDays: z.int().nullable(),
      maxDays: z.int().nullable(),
      note: z.string(),
    }),
  ),
});
export type DeliveryGroupView = z.output<typeof deliveryGroup>;

/** The contract's word for each delivery type. */
export const deliveryTypeWords: Readonly<Record<DeliveryType, DeliveryGroupView["type"]>> = {
  carrier: "sdek",
  office: "pickup",
  special: "specialcontact",
};

/** A promo code, and what it took off the prices of the items. */
export const appliedPromo = z.object({ code: z.string(), discount: roubles });

export const quote = z.object({
  quoteId: z.string(),
  expiresAt: instant,
  items: z.array(z.object({ id: coinId, title: z.string(), count: z.int(), price: roubles, sum: roubles })),
  delivery: z.object({ id: z.int(), price: roubles }),
  promo: appliedPromo.optional(),
  total: roubles,
});
/** Prices locked for one visitor until `expiresAt`, in roubles. */
export type QuoteView = z.output<typeof quote>;

export const paymentId = z.int(fieldMessages.required).refine((id) => methodById(id) !== null, fieldMessages.wrong);

/** The `data` of refusals of a quote and of an order made from it. */
export const checkoutRefusalData = {
  "market.closed": z.object({ ids: z.array(coinId) }),
  "payment.over_limit": limitData.optional(),
  "payment.not_allowed": z.object({ allowed: z.array(z.int()) }),
} as const;

export const findDeliveries = call({
  method: "POST",
  path: "/api/checkout/deliveries",
  summary: "Ways of delivery to a city for the present cart, with prices and days",
  changes: true,
  asker: "visitor",
  rateLimit: "quote",
  body: z.strictObject({ code: cityCode }),
  answer: z.array(deliveryGroup),
  problems: ["city.not_found"],
});

export const makeQuote = call({
  method: "POST",
  path: "/api/checkout/quote",
  summary: "Locks the prices of the cart; a new quote ends the earlier unused one",
  changes: true,
  asker: "visitor",
  rateLimit: "quote",
  body: z.strictObject({ deliveryId, pvzId: pointId.nullish(), city: cityCode, paymentId }),
  answer: quote,
  problems: [
    "cart.empty",
    "cart.stock_short",
    "market.closed",
    "rates.stale",
    "payment.over_limit",
    "payment.not_allowed",
    "city.not_found",
  ],
  refusalData: { "cart.stock_short": shortData, ...checkoutRefusalData },
});
