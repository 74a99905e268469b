import * as z from "zod";
import { coinConditions, inquiryLimits } from "#shop/inquiries/inquiry.ts";
import { reviewMaxLengths } from "#shop/inquiries/review.ts";
import { call, type Call } from "../call.ts";
import { fieldMessages } from "../fields.ts";
import { coinId, email, line, phone, requiredLine, text } from "../wire.ts";

const consent = z.literal(true, fieldMessages.consent);
const optionalEmail = z.union([z.literal(""), email]).default("");
const optionalLine = (max: number) => line(max).default("");
const note = text(inquiryLimits.note).default("");
const name = requiredLine(inquiryLimits.name);
const pieces = `Число от 1 до ${inquiryLimits.count}`;

/** A review as its form sends it; the coin is given by its id. */
export const reviewForm = z.strictObject({
  name: requiredLine(reviewMaxLengths.name),
  city: optionalLine(reviewMaxLengths.city),
  email: optionalEmail,
  rating: z.int(fieldMessages.rating).min(1, fieldMessages.rating).max(5, fieldMessages.rating),
  text: z.string(fieldMessages.required).min(1, fieldMessages.required).max(reviewMaxLengths.body, fieldMessages.tooLong),
  productId: coinId.nullish(),
  consent,
});

export const buybackForm = z.strictObject({
  name,
  phone,
  email: optionalEmail,
  coins: z
    .array(
      z.strictObject({
        title: requiredLine(inquiryLimits.coinTitle),
        count: z.int(pieces).min(1, pieces).max(inquiryLimits.count, pieces),
      }),
      fieldMessages.coins,
    )
    .min(1, fieldMessages.coins)
    .max(inquiryLimits.coins, fieldMessages.tooLong),
  condition: z.enum(coinConditions, fieldMessages.required).default("good"),
  note,
  consent,
});

export const partnersForm = z.strictObject({
  company: requiredLine(inquiryLimits.company),
  name,
  phone,
  email,
  city: optionalLine(inquiryLimits.city),
  note,
  consent,
});

export const callbackForm = z.strictObject({
  name: optionalLine(inquiryLimits.name),
  phone,
  convenientTime: optionalLine(inquiryLimits.convenientTime),
  note,
  consent,
});

const posted = {
  method: "POST",
  changes: true,
  asker: "visitor",
  rateLimit: "write",
  answer: z.object({ id: z.int() }),
  statuses: [201],
} as const satisfies Partial<Call>;

export const postReview = call({
  ...posted,
  path: "/api/reviews",
  summary: "A review of the shop or of a coin; shown after moderation",
  body: reviewForm,
  problems: ["inquiry.too_many", "product.not_found"],
});
export const postBuyback = call({
  ...posted,
  path: "/api/buyback",
  summary: "Offers coins for sale to the shop",
  body: buybackForm,
  problems: ["inquiry.too_many"],
});
export const postPartners = call({
  ...posted,
  path: "/api/partners",
  summary: "A request to work together",
  body: partnersForm,
  problems: ["inquiry.too_many"],
});
export const postCallback = call({
  ...posted,
  path: "/api/callback",
  summary: "A request to be called",
  body: callbackForm,
  problems: ["inquiry.too_many"],
});
