import { and, asc, count, desc, eq, inArray, lt, sql } from "drizzle-orm";
import type { Db, Tx } from "#kit/db.ts";
import type { InquiryKind, InquiryState, WaitingInquiry } from "./inquiry.ts";
import { ratings, type Review, type ReviewState } from "./review.ts";
import { inquiries, reviews } from "./tables.ts";

export type StoredReview = Omit<Review, "id" | "answer"> & { email: string; isSuspect: boolean; customerId: string | null };
export type NewInquiryRow = {
  dueAt: Date;
  kind: InquiryKind;
  name: string;
  phone: string;
  email: string;
  details: unknown;
  isSuspect: boolean;
};

export const shown = {
  id: reviews.id,
  name: reviews.name,
  city: reviews.city,
  writtenOn: reviews.writtenOn,
  rating: reviews.rating,
  coinSlug: reviews.coinSlug,
  body: reviews.body,
  isDemo: reviews.isDemo,
  answer: reviews.answer,
};

/** Which reviews are shown: approved ones, samples only in a demo; of the shop, or of one coin. */
type ReviewFilter = { withDemo: boolean; coinSlug?: string | undefined };
const visible = ({ withDemo, coinSlug }: ReviewFilter) =>
  and(
    eq(reviews.state, "approved"),
    withDemo ? undefined : eq(reviews.isDemo, false),
    coinSlug === undefined ? undefined : eq(reviews.coinSlug, coinSlug),
  );

/** Newest first. */
export function approvedReviews(db: Db, wanted: ReviewFilter, range: { limit: number; offset: number }): Promise<Review[]> {
  return db
    .select(shown)
    .from(reviews)
    .where(visible(wanted))
    .orderBy(desc(reviews.writtenOn), desc(reviews.id))
    .limit(range.limit)
    .offset(range.offset);
}

/** The numbers of ratings 1, 2, 3, 4 and 5. */
export async function countRatings(db: Db, withDemo: boolean): Promise<number[]> {
  const rows = await db.select({ rating: reviews.rating, n: count() }).from(reviews).where(visible({ withDemo })).groupBy(reviews.rating);
  return ratings.map((rating) => rows.find((row) => row.rating === rating)?.n ?? 0);
}

export function pendingReviews(db: Db): Promise<(Review & { isSuspect: boolean })[]> {
  return db
    .select({ ...shown, isSuspect: reviews.isSuspect })
    .from(reviews)
    .where(eq(reviews.state, "pending"))
    .orderBy(asc(reviews.id));
}

export async function insertReview(tx: Tx, review: StoredReview): Promise<number> {
  const [row] = await tx
    .insert(reviews)
    .values({ ...review, state: "pending" satisfies ReviewState })
    .returning({ id: reviews.id });
  if (!row) throw new Error("a review was not stored");
  return row.id;
}

/** The review's state, with its row locked until the transaction ends. */
export async function lockReview(tx: Tx, id: number): Promise<ReviewState | null> {
  const [row] = await tx.select({ state: reviews.state }).from(reviews).where(eq(reviews.id, id)).for("update");
  return row ? (row.state as ReviewState) : null;
}

export async function saveReviewState(tx: Tx, id: number, state: ReviewState, decidedAt: Date): Promise<void> {
  await tx
    .update(reviews)
    .set({ state, decidedAt, revision: sql`${reviews.revision} + 1` })
    .where(eq(reviews.id, id));
}

export async function insertInquiry(tx: Tx, inquiry: NewInquiryRow, createdAt: Date): Promise<number> {
  const [row] = await tx
    .insert(inquiries)
    .values({ ...inquiry, state: "received" satisfies InquiryState, createdAt })
    .returning({ id: inquiries.id });
  if (!row) throw new Error("a request was not stored");
  return row.id;
}

export async function waitingInquiries(db: Db): Promise<WaitingInquiry[]> {
  const { id, kind, name, phone, createdAt, dueAt, isSuspect, assignee } = inquiries;
  const rows = await db
    .select({ id, kind, name, phone, createdAt, dueAt, isSuspect, assignee })
    .from(inquiries)
    .where(inArray(inquiries.state, ["received", "in_work"]))
    .orderBy(asc(id));
  return rows.map((row) => ({ ...row, kind: row.kind as InquiryKind, dueAt: row.dueAt ?? row.createdAt }));
}

export async function lockInquiry(tx: Tx, id: number): Promise<InquiryState | null> {
  const [row] = await tx.select({ state: inquiries.state }).from(inquiries).where(eq(inquiries.id, id)).for("update");
  return row ? (row.state as InquiryState) : null;
}

export async function saveInquiryState(tx: Tx, id: number, state: InquiryState, answeredAt: Date): Promise<void> {
  await tx
    .update(inquiries)
    .set({ state, answeredAt, revision: sql`${inquiries.revision} + 1` })
    .where(eq(inquiries.id, id));
}

export async function deleteAnsweredBefore(db: Db, before: Date): Promise<void> {
  await db.delete(inquiries).where(and(inArray(inquiries.state, ["answered", "closed"]), lt(inquiries.answeredAt, before)));
}
