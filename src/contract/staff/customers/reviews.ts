import * as z from "zod";
import { reviewMaxLengths, reviewStates, staffReviewEvents } from "#shop/inquiries/review.ts";
import { statesOf } from "#kit/transitions.ts";
import { fieldMessages } from "../../fields.ts";
import { coinIdParam, instant } from "../../wire.ts";
import { staffCall } from "../call.ts";
import { cursor, page, revision, rowIdParam } from "../wire.ts";

const state = z.enum(statesOf(reviewStates));

const review = z.object({
  id: z.int(),
  state,
  name: z.string(),
  city: z.string(),
  writtenOn: z.string(),
  rating: z.int(),
  body: z.string(),
  coin: z.object({ slug: z.string(), title: z.string() }).nullable(),
  isDemo: z.boolean(),
  /** A robot may have sent it. */
  isSuspect: z.boolean(),
  /** Null: the author gave no e-mail address. */
  maskedEmail: z.string().nullable(),
  /** Whether the author bought the coin (or anything, for a review of the shop); null: no paid order was found. */
  purchase: z
    .object({
      at: instant,
      /** Written by the account that ordered; false: only the e-mail is the same. */
      isConfirmed: z.boolean(),
      /** Present with the permission to read orders. */
      order: z.object({ id: z.string(), number: z.int() }).optional(),
    })
    .nullable(),
  rejectReason: z.string(),
  answer: z.string(),
  answeredAt: instant.nullable(),
  decidedAt: instant.nullable(),
  revision,
});

const staleData = z.object({ current: review, revision });
const changes = {
  permission: "reviews",
  params: z.object({ id: rowIdParam }),
  answer: review,
  problems: ["review.not_found", "staff.stale", "staff.act_refused"],
  refusalData: { "staff.stale": staleData },
} as const;

export const readReviews = staffCall({
  method: "GET",
  path: "/api/staff/reviews",
  summary: "Reviews of one state: waiting ones oldest first, decided ones newest first",
  permission: "reviews",
  audit: null,
  query: z.object({ state: state.default("pending"), cursor }),
  /** `pending` stops at 1,001. */
  answer: page(review).extend({ pending: z.int() }),
  problems: [],
});

export const readCoinReviews = staffCall({
  method: "GET",
  path: "/api/staff/coins/{id}/reviews",
  summary: "Reviews of a coin in every state, newest first",
  permission: "reviews",
  audit: null,
  params: z.object({ id: coinIdParam }),
  query: z.object({ cursor }),
  answer: page(review),
  problems: ["staff.not_found"],
});

export const decideReview = staffCall({
  ...changes,
  method: "POST",
  path: "/api/staff/reviews/{id}/decision",
  summary: "Publishes a review, rejects it with a reason, or takes the decision back",
  audit: "review.decide",
  body: z
    .strictObject({
      revision,
      event: z.enum(staffReviewEvents),
      reason: z.string().trim().max(reviewMaxLengths.reason, fieldMessages.tooLong).default(""),
    })
    .refine(({ event, reason }) => event !== "reject" || reason !== "", { path: ["reason"], message: "Напишите, почему отклоняете" }),
});

export const answerReview = staffCall({
  ...changes,
  method: "POST",
  path: "/api/staff/reviews/{id}/answer",
  summary: "Stores the shop's public answer under a review; an empty text removes it",
  audit: "review.answer",
  body: z.strictObject({ revision, answer: z.string().trim().max(reviewMaxLengths.answer, fieldMessages.tooLong) }),
});
