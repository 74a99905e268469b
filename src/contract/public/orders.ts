import * as z from "zod";
import { statesOf } from "#kit/transitions.ts";
import { hasLetter } from "#shop/customers/customer.ts";
import { deliveryById } from "#shop/delivery/delivery.ts";
import { orderStates, paymentStatuses } from "#shop/orders/order.ts";
import { maxArrivalTextLength } from "#shop/orders/traffic-source.ts";
import { call } from "../call.ts";
import { appliedPromo, checkoutRefusalData, paymentId, quote } from "./checkout.ts";
import { fieldMessages, maxLengths } from "../fields.ts";
import {
  coinId,
  deliveryId,
  email,
  instant,
  limitData,
  line,
  orderIdParam,
  phone,
  pointId,
  requiredLine,
  roubles,
  shortData,
  text,
} from "../wire.ts";

/**
 * `cancellation_requested`: the packed parcel is being recalled; refund and stock wait for the carrier's answer. `returning`: the parcel is
 * on its way back to the shop.
 */
export const orderStatus = z.enum(statesOf(orderStates));

const addressView = z.object({
  city: z.string(),
  street: z.string(),
  house: z.string(),
  room: z.string(),
  entrance: z.string(),
  floor: z.string(),
  message: z.string(),
});

export const order = z.object({
  id: z.string(),
  number: z.int(),
  createdAt: instant,
  status: orderStatus,
  statusText: z.string(),
  items: z.array(
    z.object({
      id: coinId,
      slug: z.string(),
      title: z.string(),
      image: z.string(),
      count: z.int(),
      price: roubles,
      sum: roubles,
      /** Pieces refunded before shipping, and pieces returned after the delivery; absent: none. */
      dropped: z.int().optional(),
      returned: z.int().optional(),
    }),
  ),
  delivery: z.object({
    id: z.int(),
    name: z.string(),
    price: roubles,
    city: z.string(),
    point: z.object({ id: z.string(), name: z.string(), address: z.string() }).optional(),
    tracking: z.string().optional(),
    /** Number of the seal on the bag of a packed order. */
    seal: z.string().optional(),
    /** The value declared to the carrier, for which the parcel is insured; absent without insurance. */
    insured: roubles.optional(),
    /** A note about the delivery: that a manager names its price. */
    note: z.string().optional(),
  }),
  payment: z.object({
    id: z.int(),
    status: z.enum(paymentStatuses),
    paidAt: instant.optional(),
    /** Where the buyer pays; only in the answer that created the payment. */
    confirmationUrl: z.string().optional(),
    /** Until when the coins of an unpaid order are reserved. */
    payUntil: instant.optional(),
  }),
  user: z.object({ name: z.string(), lastName: z.string(), secondName: z.string(), email: z.string(), phone: z.string() }),
  address: addressView.nullable(),
  promo: appliedPromo.optional(),
  total: roubles,
  /** Opens the order without sign-in for 30 days; only in the answer that created the order. */
  key: z.string().optional(),
  history: z.array(z.object({ at: instant, status: orderStatus })),
});
/** An order in roubles. For a guest with the link's key, phone, e-mail and address are masked. */
export type OrderView = z.output<typeof order>;

const user = z.strictObject(
  {
    name: requiredLine(maxLengths.name).refine(hasLetter, fieldMessages.name),
    lastName: requiredLine(maxLengths.name).refine(hasLetter, fieldMessages.name),
    secondName: line(maxLengths.name)
      .refine((name) => name === "" || hasLetter(name), fieldMessages.name)
      .default(""),
    email,
    phone,
  },
  fieldMessages.required,
);

const address = z.strictObject({
  city: line(maxLengths.address).default(""),
  street: line(maxLengths.address).default(""),
  house: line(maxLengths.short).default(""),
  room: line(maxLengths.short).default(""),
  entrance: line(maxLengths.short).default(""),
  floor: line(maxLengths.short).default(""),
  message: text(maxLengths.message).default(""),
});

const arrivalText = z.string().max(maxArrivalTextLength);

/** What the buyer enters; courier delivery needs a street and a house. */
const orderForm = z
  .strictObject({
    quoteId: requiredLine(64),
    user,
    delivery: z.strictObject({ id: deliveryId, pvzId: pointId.nullish() }, fieldMessages.required),
    address: address.nullish(),
    paymentId,
    consent: z.literal(true, fieldMessages.consent),
    /** Consent to the newsletter: separate, and never required for an order. */
    newsletter: z.boolean().optional(),
    /** How the visitor came to the site: the host of the page with the link, and the marks of the address. For reports only. */
    source: z
      .strictObject({
        referrer: arrivalText,
        utmSource: arrivalText,
        utmMedium: arrivalText,
        utmCampaign: arrivalText,
        isPaidClick: z.boolean(),
      })
      .optional(),
  })
  .superRefine((form, context) => {
    if (!deliveryById(form.delivery.id)?.isCourier) return;
    for (const field of ["street", "house"] as const) {
      if (!form.address?.[field]) context.addIssue({ code: "custom", path: ["address", field], message: fieldMessages.required });
    }
  });

const oneOrder = {
  params: z.object({ id: orderIdParam }),
  badParams: "order.not_found",
  query: z.object({ key: z.string().max(200).optional() }),
} as const;

export const placeOrder = call({
  method: "POST",
  path: "/api/orders",
  summary: "Makes an order from a live quote; the same key and body answer the same order with 200",
  changes: true,
  asker: "visitor",
  rateLimit: "order",
  needsKey: true,
  body: orderForm,
  answer: order,
  statuses: [201, 200],
  problems: [
    "order.key_missing",
    "order.key_reused",
    "order.in_progress",
    "quote.not_found",
    "quote.used",
    "order.prices_changed",
    "order.stock_short",
    "order.too_many_unpaid",
    "order.reserve_limit",
    "order.phone_unconfirmed",
    "market.closed",
    "rates.stale",
    "cart.empty",
    "payment.over_limit",
    "payment.not_allowed",
    "city.not_found",
  ],
  refusalData: {
    ...checkoutRefusalData,
    "quote.used": z.object({ id: z.string(), orderId: z.string() }),
    /** The same order at current prices, with a new quote. */
    "order.prices_changed": quote,
    "order.stock_short": shortData,
    "order.too_many_unpaid": limitData,
    "order.phone_unconfirmed": limitData,
  },
});

export const readOrders = call({
  method: "GET",
  path: "/api/orders",
  summary: "The customer's own orders, newest first",
  changes: false,
  asker: "customer",
  rateLimit: "request",
  answer: z.array(order),
  problems: [],
});

const claimableOrder = z.object({
  number: z.int(),
  createdAt: instant,
  status: orderStatus,
  statusText: z.string(),
  count: z.int(),
  total: roubles,
});
export type ClaimableView = z.output<typeof claimableOrder>;

export const readClaimable = call({
  method: "GET",
  path: "/api/orders/claimable",
  summary:
    "Orders made without sign-in with the customer's phone, of the last 30 days and before the last code: facts without the recipient",
  changes: false,
  asker: "customer",
  rateLimit: "request",
  problems: [],
  answer: z.array(claimableOrder),
});

export const claimOrders = call({
  method: "POST",
  path: "/api/orders/claim",
  summary: "Takes these orders into the account and answers their numbers; again, it answers none",
  changes: true,
  asker: "customer",
  rateLimit: "write",
  answer: z.object({ claimed: z.array(z.int()) }),
  problems: [],
});

export const readOrder = call({
  method: "GET",
  path: "/api/orders/{id}",
  summary: "One order: the customer's own, or by the key of its link",
  changes: false,
  asker: "visitor",
  rateLimit: "request",
  ...oneOrder,
  answer: order,
  problems: ["order.not_found"],
});

export const payOrder = call({
  method: "POST",
  path: "/api/orders/{id}/pay",
  summary: "Where to pay the order: the living attempt, or a new one",
  changes: true,
  asker: "visitor",
  rateLimit: "order",
  ...oneOrder,
  body: z.strictObject({ paymentId: paymentId.optional() }),
  isBodyOptional: true,
  answer: z.object({ confirmationUrl: z.string() }),
  problems: ["order.not_found", "order.not_payable", "payment.unavailable", "payment.not_allowed", "payment.over_limit"],
  refusalData: {
    "order.not_payable": z.object({ status: orderStatus }).optional(),
    "payment.not_allowed": checkoutRefusalData["payment.not_allowed"],
    "payment.over_limit": checkoutRefusalData["payment.over_limit"],
  },
});

export const cancelOrder = call({
  method: "POST",
  path: "/api/orders/{id}/cancel",
  summary:
    "Cancels an order that is not shipped and refunds everything paid; a packed one when the carrier gives the parcel back " +
    "(`cancellation_requested` until then)",
  changes: true,
  asker: "visitor",
  rateLimit: "write",
  ...oneOrder,
  answer: order,
  problems: ["order.not_found", "order.not_cancellable"],
});
