import { transitions } from "#kit/transitions.ts";

/** States of a review: visitors see it only after staff has approved it. A decision may be changed. */
export const reviewStates = transitions({
  pending: { approve: "approved", reject: "rejected" },
  approved: { reject: "rejected", withdraw: "pending" },
  rejected: { approve: "approved", withdraw: "pending" },
});
export type ReviewState = keyof typeof reviewStates;
/** What the command line may do. */
export const reviewEvents = ["approve", "reject"] as const;
export type ReviewEvent = (typeof reviewEvents)[number];
/** `withdraw` takes a decision back: the review waits again, and visitors do not see it. */
export const staffReviewEvents = ["approve", "reject", "withdraw"] as const;
export type StaffReviewEvent = (typeof staffReviewEvents)[number];

/** A review as visitors see it. */
export type Review = {
  id: number;
  name: string;
  city: string;
  /** A day, `2026-11-21`. */
  writtenOn: string;
  /** 1…5. */
  rating: number;
  coinSlug: string | null;
  body: string;
  /** A sample, shown in demo mode only. */
  isDemo: boolean;
  /** The shop's public answer; empty: none. */
  answer: string;
};

/** The newest paid order of a review's author with the coin, or with any coin for a review of the shop. */
export type Purchase = {
  orderId: string;
  number: number;
  at: Date;
  /** The author was signed in; otherwise the order only has the same e-mail, which the form does not confirm. */
  isConfirmed: boolean;
};

/** A review as staff moderates it. */
export type StaffReview = Review & {
  state: ReviewState;
  coinTitle: string | null;
  email: string;
  isSuspect: boolean;
  rejectReason: string;
  answeredAt: Date | null;
  decidedAt: Date | null;
  revision: number;
  purchase: Purchase | null;
};

export type NewReview = { name: string; city: string; email: string; rating: number; coinId: number | null; body: string } & FormOrigin;

/**
 * How a form was filled in. `isSuspect`: faster than a person types, or without the page; the form is stored, but no letter is sent to its
 * address. `mayThank` is false when that address has received its daily number of letters.
 */
export type FormOrigin = { isSuspect: boolean; mayThank: boolean };

/** Maximum lengths of texts, in characters. */
export const reviewMaxLengths = { name: 100, city: 100, body: 3000, answer: 2000, reason: 300 } as const;
export const ratings = [1, 2, 3, 4, 5] as const;

/** Summary of all ratings; `average` has one decimal and is null without reviews. `counts` are the numbers of ratings 1…5. */
export type RatingSummary = { count: number; average: number | null; counts: number[] };

/** From the numbers of ratings 1, 2, 3, 4 and 5. */
export function summaryOf(counts: readonly number[]): RatingSummary {
  const all = ratings.map((rating) => counts[rating - 1] ?? 0);
  const count = all.reduce((total, n) => total + n, 0);
  const sum = all.reduce((total, n, index) => total + n * (index + 1), 0);
  return { count, average: count === 0 ? null : Math.round((sum * 10) / count) / 10, counts: all };
}

/** The rating by these reviews, without the samples. */
export const realRatingOf = (reviews: readonly Pick<Review, "rating" | "isDemo">[]): RatingSummary =>
  summaryOf(ratings.map((each) => reviews.filter(({ rating, isDemo }) => !isDemo && rating === each).length));

/** Reviews per page. */
export const reviewsPageSize = 24;

/** Version of the consent text that the review form shows; the text is the page `/consent/review`. */
export const reviewConsentVersion = "review-2026-11";
