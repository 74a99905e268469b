import type * as z from "zod";
import * as contract from "#contract/staff/customers/reviews.ts";
import { maskEmail } from "#kit/text/mask.ts";
import { isoMoscow } from "#kit/moscow-time.ts";
import { done, fail } from "#kit/result.ts";
import type { AuditEvent } from "#shop/audit/audit.ts";
import * as catalog from "#shop/catalog/service.ts";
import type { StaffReview } from "#shop/inquiries/review.ts";
import * as reviews from "#shop/inquiries/staff/reviews.service.ts";
import { readNumberCursor } from "../cursor.ts";
import { staffChange, staffRead, type StaffEndpoint } from "../endpoint.ts";
import { isoOrNull, type May } from "../views.ts";

/** Moderation of reviews. A save names the revision that the editor saw, so the second of two editors gets a conflict. */
export const reviewEndpoints: readonly StaffEndpoint[] = [
  staffRead(contract.readReviews, async (ctx, { query: { state, cursor }, may }) => {
    const found = await reviews.list(ctx, state, readNumberCursor(cursor, 9));
    return done({
      items: found.items.map((each) => reviewView(each, may)),
      next: found.next === null ? null : String(found.next),
      pending: await reviews.countPending(ctx),
    });
  }),

  staffRead(contract.readCoinReviews, async (ctx, { params: { id }, query: { cursor }, may }) => {
    const [coin] = await catalog.coinsByIds(ctx.db, [id]);
    if (!coin) return fail({ code: "staff.not_found" });
    const found = await reviews.listOfCoin(ctx, coin.slug, readNumberCursor(cursor, 9));
    return done({ items: found.items.map((each) => reviewView(each, may)), next: found.next === null ? null : String(found.next) });
  }),

  staffChange(contract.decideReview, {
    change: async (ctx, { params: { id }, body: { revision, event, reason }, may, audit }) =>
      changed(await reviews.decide(ctx, { id, revision }, { event, reason }), may, audit),
  }),

  staffChange(contract.answerReview, {
    change: async (ctx, { params: { id }, body: { revision, answer }, may, audit }) =>
      changed(await reviews.answer(ctx, { id, revision }, answer), may, audit),
  }),
];

function changed(result: Awaited<ReturnType<typeof reviews.decide>>, may: May, audit: (event: AuditEvent) => void) {
  if (!result.ok) {
    const { error } = result;
    if (error.code !== "staff.stale") return fail({ code: error.code });
    return fail({ code: error.code, data: { current: reviewView(error.current, may), revision: error.current.revision } });
  }
  const { before, after } = result.value;
  const facts = ({ state, rejectReason, answer }: StaffReview) => ({ state, rejectReason, answer });
  audit({ subject: `review:${after.id}`, before: facts(before), after: facts(after) });
  return done(reviewView(after, may));
}

function reviewView(
  { email, coinSlug, coinTitle, purchase, answeredAt, decidedAt, ...review }: StaffReview,
  may: May,
): z.input<(typeof contract.decideReview)["answer"]> {
  return {
    ...review,
    coin: coinSlug === null ? null : { slug: coinSlug, title: coinTitle ?? coinSlug },
    maskedEmail: email === "" ? null : maskEmail(email),
    purchase: purchase && {
      at: isoMoscow(purchase.at),
      isConfirmed: purchase.isConfirmed,
      ...(may("orders.read") ? { order: { id: purchase.orderId, number: purchase.number } } : {}),
    },
    answeredAt: isoOrNull(answeredAt),
    decidedAt: isoOrNull(decidedAt),
  };
}
