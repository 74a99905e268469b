import { countLimit } from "#kit/count-limit.ts";
import { inTransaction, type Db } from "#kit/db.ts";
import { done, fail, type Result } from "#kit/result.ts";
import { step } from "#kit/transitions.ts";
import * as catalog from "#shop/catalog/service.ts";
import type { Ctx } from "#shop/context.ts";
import { purchasesOf } from "#shop/orders/accounts/purchases.service.ts";
import type { StaffInquiryError } from "../inquiry.ts";
import { reviewStates, type ReviewState, type StaffReview, type StaffReviewEvent } from "../review.ts";
import * as rows from "./reviews.repository.ts";

/** Reviews per page. */
export const reviewQueueSize = 30;

type ReviewPage = { items: StaffReview[]; next: number | null };

/** One page of the reviews in a state: waiting ones oldest first, decided ones newest first. `next`: the cursor of the following page. */
export async function list(ctx: Ctx, state: ReviewState, after: number | null): Promise<ReviewPage> {
  return pageOf(ctx, await rows.ofState(ctx.db, state, after, reviewQueueSize + 1));
}

/** One page of the reviews of a coin in every state, newest first. */
export const listOfCoin = async (ctx: Ctx, coinSlug: string, after: number | null): Promise<ReviewPage> =>
  pageOf(ctx, await rows.ofCoin(ctx.db, coinSlug, after, reviewQueueSize + 1));

async function pageOf(ctx: Ctx, found: readonly rows.StoredStaffReview[]): Promise<ReviewPage> {
  const shown = found.slice(0, reviewQueueSize);
  return { items: await withFacts(ctx.db, shown), next: found.length > shown.length ? (shown.at(-1)?.id ?? null) : null };
}

/** How many reviews wait for moderation; counting stops at `countLimit`. */
export const countPending = (ctx: Ctx): Promise<number> => rows.countPending(ctx.db, countLimit);

/** Which review, and the revision that the member of staff saw. */
type Seen = { id: number; revision: number };
type Changed = Result<{ before: StaffReview; after: StaffReview }, StaffInquiryError<StaffReview>>;

/**
 * Publishes, rejects (with a reason for staff) or takes a decision back. Refuses with `review.not_found`, `staff.stale` (another revision
 * is stored: a second editor was faster) and `staff.act_refused` (the state does not allow it).
 */
export const decide = (ctx: Ctx, seen: Seen, { event, reason }: { event: StaffReviewEvent; reason: string }): Promise<Changed> =>
  change(ctx, seen, (before) => {
    const move = step(reviewStates, before.state, event);
    if (move.kind !== "moved") return null;
    return { state: move.to, decidedAt: move.to === "pending" ? null : ctx.now(), rejectReason: event === "reject" ? reason : "" };
  });

/** Stores the shop's public answer; an empty text removes it. Refuses like `decide`. */
export const answer = (ctx: Ctx, seen: Seen, text: string): Promise<Changed> =>
  change(ctx, seen, () => ({ answer: text, answeredAt: text === "" ? null : ctx.now() }));

function change(
  ctx: Ctx,
  { id, revision }: Seen,
  rule: (before: StaffReview) => Parameters<typeof rows.saveReview>[2] | null,
): Promise<Changed> {
  return inTransaction(ctx.db, async (tx) => {
    const row = await rows.lockForStaff(tx, id);
    const [before] = row ? await withFacts(tx, [row]) : [];
    if (!before) return fail({ code: "review.not_found" });
    if (before.revision !== revision) return fail({ code: "staff.stale", current: before });
    const patch = rule(before);
    if (!patch) return fail({ code: "staff.act_refused" });
    const { customerId: _, ...saved } = await rows.saveReview(tx, id, patch);
    return done({ before, after: { ...before, ...saved, state: saved.state as ReviewState } });
  });
}

/** Adds the coin's title and what the author bought; two statements for a whole page. */
async function withFacts(db: Db, stored: readonly rows.StoredStaffReview[]): Promise<StaffReview[]> {
  const [titles, purchases] = await Promise.all([
    catalog.titlesBySlugs(
      db,
      stored.flatMap(({ coinSlug }) => coinSlug ?? []),
    ),
    purchasesOf(db, stored),
  ]);
  return stored.map(({ customerId: _customerId, state, ...row }) => ({
    ...row,
    state: state as ReviewState,
    coinTitle: row.coinSlug === null ? null : (titles.get(row.coinSlug) ?? null),
    purchase: purchases.get(row.id) ?? null,
  }));
}
