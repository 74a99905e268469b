import { and, asc, count, desc, eq, gt, lt, sql } from "drizzle-orm";
import type { Db, Tx } from "#kit/db.ts";
import { shown } from "../repository.ts";
import type { ReviewState } from "../review.ts";
import { reviews } from "../tables.ts";

const forStaff = {
  ...shown,
  state: reviews.state,
  email: reviews.email,
  isSuspect: reviews.isSuspect,
  customerId: reviews.customerId,
  rejectReason: reviews.rejectReason,
  answeredAt: reviews.answeredAt,
  decidedAt: reviews.decidedAt,
  revision: reviews.revision,
};

const select = (db: Db) => db.select(forStaff).from(reviews);
export type StoredStaffReview = Awaited<ReturnType<typeof select>>[number];

/** Waiting reviews oldest first, decided ones newest first, behind the cursor. */
export const ofState = (db: Db, state: ReviewState, after: number | null, limit: number): Promise<StoredStaffReview[]> => {
  const isQueue = state === "pending";
  return select(db)
    .where(and(eq(reviews.state, state), after === null ? undefined : isQueue ? gt(reviews.id, after) : lt(reviews.id, after)))
    .orderBy(isQueue ? asc(reviews.id) : desc(reviews.id))
    .limit(limit);
};

/** Of a coin in every state, newest first, behind the cursor. */
export const ofCoin = (db: Db, coinSlug: string, after: number | null, limit: number): Promise<StoredStaffReview[]> =>
  select(db)
    .where(and(eq(reviews.coinSlug, coinSlug), after === null ? undefined : lt(reviews.id, after)))
    .orderBy(desc(reviews.id))
    .limit(limit);

export async function countPending(db: Db, limit: number): Promise<number> {
  const found = db
    .select({ id: reviews.id })
    .from(reviews)
    .where(eq(reviews.state, "pending" satisfies ReviewState))
    .limit(limit)
    .as("found");
  const [row] = await db.select({ n: count() }).from(found);
  return row?.n ?? 0;
}

export async function lockForStaff(tx: Tx, id: number): Promise<StoredStaffReview | null> {
  const [row] = await select(tx).where(eq(reviews.id, id)).for("update");
  return row ?? null;
}

type Change = Partial<{ state: ReviewState; decidedAt: Date | null; rejectReason: string; answer: string; answeredAt: Date | null }>;

/** Stores the change and counts the revision; the row is locked. */
export async function saveReview(tx: Tx, id: number, change: Change): Promise<StoredStaffReview> {
  const [row] = await tx
    .update(reviews)
    .set({ ...change, revision: sql`${reviews.revision} + 1` })
    .where(eq(reviews.id, id))
    .returning(forStaff);
  if (!row) throw new Error(`review ${id} is gone`);
  return row;
}
