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
  id: number;
  name: string;
  city: string;
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

/** From how many gave 1, 2, 3, 4 and 5. */
export function summaryOf(counts: readonly number[]): RatingSummary {
  const all = ratings.map((rating) => counts[rating - 1] ?? 0);
  const count = all.reduce((total, n) => total + n, 0);
  const sum = all.reduce((total, n, index) => total + n * (index + 1), 0);
  return { count, average: count === 0 ? null : Math.round((sum * 10) / count) / 10, counts: all };
}

/** Reviews come this many a page. */
export const reviewsPageSize = 24;

/** Which text of consent the review's form shows; its words stand on the page `/consent/review`. */
export const reviewConsentVersion = "review-2026-11";
