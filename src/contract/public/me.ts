import * as z from "zod";
import { splitFullName } from "#shop/customers/customer.ts";
import { storedProfileSchema } from "#shop/customers/stored-profile.ts";
import { call } from "../call.ts";
import { fieldMessages, maxLengths } from "../fields.ts";
import { order } from "./orders.ts";
import { coinId, email, instant, line, nothing, requiredLine } from "../wire.ts";

const profile = z.object({
  name: z.string(),
  last_name: z.string(),
  second_name: z.string(),
  email: z.string(),
  phone: z.string(),
  buyprofile: z.optional(storedProfileSchema),
  /** Present while the customer is subscribed to the newsletter. */
  newsletter: z.literal(true).optional(),
});
export type ProfileView = z.output<typeof profile>;

export const readMe = call({
  method: "GET",
  path: "/api/me",
  summary: "The customer's profile, or null without sign-in",
  changes: false,
  asker: "visitor",
  rateLimit: "request",
  answer: profile.nullable(),
  problems: [],
});

const fullName = requiredLine(maxLengths.fullName).refine(
  (text) => Object.values(splitFullName(text)).every((part) => part.length <= maxLengths.name),
  fieldMessages.tooLong,
);

export const completeMe = call({
  method: "POST",
  path: "/api/me",
  summary: "Finishes a registration: `name` is a full name (last, first, second)",
  changes: true,
  asker: "customer",
  rateLimit: "write",
  body: z.strictObject({ name: fullName, email }),
  answer: profile,
  problems: ["account.code_needed"],
});

export const changeMe = call({
  method: "PATCH",
  path: "/api/me",
  summary: "Changes parts of the profile; the phone stays. `newsletter` gives or takes back the consent to the shop's letters",
  changes: true,
  asker: "customer",
  rateLimit: "write",
  body: z.strictObject({
    name: requiredLine(maxLengths.name).optional(),
    last_name: line(maxLengths.name).optional(),
    second_name: line(maxLengths.name).optional(),
    email: email.optional(),
    buyprofile: z.optional(storedProfileSchema),
    newsletter: z.boolean().optional(),
  }),
  answer: profile,
  problems: ["account.code_needed"],
});

const alert = z.object({
  productId: coinId.nullable(),
  course: z.string().nullable(),
  rule: z.enum(["below", "above", "in_stock", "market_open"]),
  value: z.number().nullable(),
  email: z.string(),
  state: z.string(),
  createdAt: instant,
});

/** Sums in roubles; thresholds of alerts in roubles of a coin or the unit of a rate. */
export const exportMe = call({
  method: "GET",
  path: "/api/me/export",
  summary: "Everything the shop keeps about the customer, as a file",
  changes: false,
  asker: "customer",
  rateLimit: "write",
  isBare: true,
  isDownload: true,
  answer: z.object({
    exportedAt: instant,
    profile,
    registeredAt: instant,
    consents: z.array(z.object({ purpose: z.string(), textVersion: z.string(), at: instant, withdrawnAt: instant.optional() })),
    orders: z.array(order),
    cart: z.array(z.object({ id: coinId, count: z.int() })),
    wishlist: z.array(coinId),
    compare: z.array(coinId),
    alerts: z.array(alert),
    devices: z.array(z.object({ userAgent: z.string(), signedInAt: instant, lastSeenAt: instant })),
    /** What was entered in a checkout without scripts that is not finished. */
    checkout: z
      .object({
        user: z.object({ name: z.string(), lastName: z.string(), secondName: z.string(), phone: z.string(), email: z.string() }).optional(),
        cityCode: z.string().optional(),
        dlvId: z.int().optional(),
        pointId: z.string().optional(),
        address: z
          .object({
            street: z.string(),
            house: z.string(),
            room: z.string(),
            entrance: z.string(),
            floor: z.string(),
            message: z.string(),
          })
          .optional(),
        paymentId: z.int().optional(),
      })
      .optional(),
  }),
  problems: [],
});

export type MyDataView = z.output<typeof exportMe.answer>;

export const eraseMe = call({
  method: "DELETE",
  path: "/api/me",
  summary:
    "Deletes the account for good; needs a code entered within the last ten minutes. Orders are kept and anonymised after their legal term",
  changes: true,
  asker: "customer",
  rateLimit: "write",
  answer: nothing,
  problems: ["account.code_needed", "account.orders_open"],
});
