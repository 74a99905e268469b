import { transitions } from "#kit/transitions.ts";

/** A review from the desk's point of view: nobody reads it before staff has. A decision may be taken back. */
export const reviewStates = transitions({
  pending: { approve: "approved", reject: "rejected" },
  approved: { reject: "rejected" },
  rejected: { approve: "approved" },
});
export type ReviewState = keyof typeof reviewStates;
export const reviewEvents = ["approve", "reject"] as const;
export type ReviewEvent = (typeof reviewEvents)[number];

/** A review as visitors see it. */
export type Review = {
  id: number; name: string; city: string;
  /** A day, `2026-11-21`. */
  writtenOn: string;
  /** 1…5. */
  rating: number;
  coinSlug: string | null;
  body: string;
  /** An invented sample, shown in a demo only. */
  isDemo: boolean;
};

export type NewReview = { name: string; city: string; email: string; rating: number; coinId: number | null; body: string } & Filling;

/**
 * How a form came. A suspect one came faster than people type, or without the page: it is kept and looked at, but no letter goes to the
 * address it names; neither to one that has had its letters of the day (`mayThank`).
 */
export type Filling = { isSuspect: boolean; mayThank: boolean };

/** Longest texts, in characters. */
export const longestReview = { name: 100, city: 100, body: 3000 } as const;
export const ratings = [1, 2, 3, 4, 5] as const;

/** What all reviews say together; `average` has one decimal and is null while there is none. `counts` are those of ratings 1…5. */
export type RatingSummary = { count: number; average: number | null; counts: number[] };

export function summaryOf(reviews: readonly Pick<Review, "rating">[]): RatingSummary {
  const sum = reviews.reduce((total, { rating }) => total + rating, 0);
  return {
    count: reviews.length, average: reviews.length === 0 ? null : Math.round((sum * 10) / reviews.length) / 10,
    counts: ratings.map((rating) => reviews.filter((review) => review.rating === rating).length),
  };
}

/** Which text of consent the review's form shows; its words stand on the page `/consent/review`. */
export const reviewConsentVersion = "review-2026-11";
