import { inTransaction } from "#kit/db.ts";
import { done, fail, type Result } from "#kit/result.ts";
import { moscow } from "#kit/moscow-time.ts";
import { days, plus } from "#kit/time.ts";
import { step } from "#kit/transitions.ts";
import * as catalog from "#shop/catalog/service.ts";
import type { Ctx } from "#shop/context.ts";
import * as customers from "#shop/customers/service.ts";
import { priceOf, type PriceList } from "#shop/pricing/price.ts";
import * as pricing from "#shop/pricing/service.ts";
import { estimate, titleKey, type BuybackEstimate } from "./estimate.ts";
import type { InquiryFacts } from "#shop/notifications/inquiry-letter.ts";
import * as notifications from "#shop/notifications/service.ts";
import { dueAt } from "./due.ts";
import {
  inquiryConsentVersion,
  inquiryStates,
  type InquiryError,
  type InquiryEvent,
  type InquiryState,
  type NewInquiry,
  type WaitingInquiry,
} from "./inquiry.ts";
import * as rows from "./repository.ts";
import {
  reviewConsentVersion,
  reviewStates,
  reviewsPageSize,
  summaryOf,
  type NewReview,
  type RatingSummary,
  type Review,
  type ReviewEvent,
  type ReviewState,
} from "./review.ts";

/**
 * One page of approved reviews, newest first, with the rating by all reviews and by those of real buyers alone, which search engines may
 * use.
 */
export type ReviewsPage = { items: Review[]; rating: RatingSummary; realRating: RatingSummary; page: number; pages: number };

/** Approved reviews, page by page; past the last page there are none. Invented samples are returned in a demo only, here and below. */
export async function reviewsPage(ctx: Ctx, page: number): Promise<ReviewsPage> {
  const [items, counts, realCounts] = await Promise.all([
    rows.approvedReviews(ctx.db, { withDemo: ctx.isDemo }, { limit: reviewsPageSize, offset: (page - 1) * reviewsPageSize }),
    rows.countRatings(ctx.db, ctx.isDemo),
    rows.countRatings(ctx.db, false),
  ]);
  const rating = summaryOf(counts);
  return { items, rating, realRating: summaryOf(realCounts), page, pages: Math.ceil(rating.count / reviewsPageSize) };
}

/** Maximum number of reviews of one coin. */
const maxOfCoin = 100;

/** Approved reviews of one coin, newest first. */
export const reviews = (ctx: Ctx, coinSlug: string): Promise<Review[]> =>
  rows.approvedReviews(ctx.db, { withDemo: ctx.isDemo, coinSlug }, { limit: maxOfCoin, offset: 0 });

/**
 * Stores a review with the consent to publish it, and sends a letter to staff and author. Visitors see it after approval. The caller's
 * schema has checked that the consent was given. Refuses with `product.not_found` for an unknown coin.
 */
export async function writeReview(
  ctx: Ctx,
  { coinId, isSuspect, mayThank, ...review }: NewReview,
): Promise<Result<{ id: number }, { code: "product.not_found" }>> {
  const [coin] = coinId === null ? [null] : await catalog.coinsByIds(ctx.db, [coinId]);
  if (coin === undefined) return fail({ code: "product.not_found" });
  const at = ctx.now();
  return inTransaction(ctx.db, async (tx) => {
    const id = await rows.insertReview(tx, {
      ...review,
      coinSlug: coin?.slug ?? null,
      writtenOn: moscow(at).date,
      isDemo: false,
      isSuspect,
      customerId: ctx.actor.kind === "customer" ? ctx.actor.id : null,
    });
    const about = `review:${id}`;
    await customers.recordConsent(tx, { customerId: null, orderId: null, about, purpose: "review", textVersion: reviewConsentVersion, at });
    await notifications.addInquiryLetters(tx, ctx, {
      about,
      kind: "review",
      number: id,
      thanksTo: mayThank && !isSuspect ? review.email : "",
      isSuspect,
      estimate: null,
      facts: {
        name: review.name,
        city: review.city,
        email: review.email,
        rating: String(review.rating),
        coin: coin?.title ?? "",
        text: review.body,
      },
    });
    return done({ id });
  });
}

/**
 * Stores an inquiry with its consent and sends a letter to staff and sender. Coins for sale are estimated by the current price list; the
 * estimate is stored with the inquiry and returned.
 */
export async function submit(ctx: Ctx, inquiry: NewInquiry): Promise<{ id: number; estimate: BuybackEstimate | null }> {
  const { kind, name, phone, email, isSuspect, mayThank, ...rest } = inquiry;
  const offered = inquiry.kind === "buyback" ? await estimateBy(ctx, await pricing.current(ctx), inquiry) : null;
  const details = offered === null ? rest : { ...rest, estimate: offered };
  const at = ctx.now();
  return inTransaction(ctx.db, async (tx) => {
    const id = await rows.insertInquiry(
      tx,
      { kind, name, phone, email, isSuspect, details, dueAt: dueAt(ctx.settings, { kind, createdAt: at }) },
      at,
    );
    const about = `inquiry:${id}`;
    await customers.recordConsent(tx, {
      customerId: null,
      orderId: null,
      about,
      purpose: "inquiry",
      textVersion: inquiryConsentVersion,
      at,
    });
    await notifications.addInquiryLetters(tx, ctx, {
      about,
      kind,
      number: id,
      thanksTo: mayThank && !isSuspect ? email : "",
      isSuspect,
      facts: factsOf(inquiry),
      estimate: offered,
    });
    return { id, estimate: offered };
  });
}

/** Without current prices there is no estimate: every coin must be inspected first. */
async function estimateBy(
  ctx: Ctx,
  list: PriceList,
  { coins: lines, condition }: Extract<NewInquiry, { kind: "buyback" }>,
): Promise<BuybackEstimate & { priceListVersion: number }> {
  const wanted = new Set(lines.map(({ title }) => titleKey(title)));
  const named = (await catalog.titles(ctx.db)).filter(({ title }) => wanted.has(titleKey(title)));
  const coins = await catalog.coinsByIds(
    ctx.db,
    named.map(({ id }) => id),
  );
  const offers = coins.flatMap((coin) => {
    const { buyback } = coin.kind === "bullion" && list.isDead ? { buyback: null } : priceOf(coin, list);
    return buyback === null ? [] : [[titleKey(coin.title), { title: coin.title, buyback }] as const];
  });
  return { ...estimate(lines, condition, new Map(offers)), priceListVersion: list.version };
}

function factsOf(inquiry: NewInquiry): InquiryFacts {
  const asker = { name: inquiry.name, phone: inquiry.phone, email: inquiry.email, text: inquiry.note };
  switch (inquiry.kind) {
    case "buyback":
      return { ...asker, coins: inquiry.coins.map(({ title, count }) => `${title} × ${count}`).join("\n"), condition: inquiry.condition };
    case "partners":
      return { ...asker, company: inquiry.company, city: inquiry.city };
    case "callback":
      return { ...asker, convenientTime: inquiry.convenientTime };
  }
}

/** Stores staff's decision about a review. Idempotent. Refuses with `review.not_found`. */
export function decide(ctx: Ctx, id: number, event: ReviewEvent): Promise<Result<{ state: ReviewState }, InquiryError>> {
  return inTransaction(ctx.db, async (tx) => {
    const state = isId(id) ? await rows.lockReview(tx, id) : null;
    if (!state) return fail({ code: "review.not_found" });
    const move = step(reviewStates, state, event);
    if (move.kind !== "moved") return done({ state });
    await rows.saveReviewState(tx, id, move.to, ctx.now());
    return done({ state: move.to });
  });
}

/** Marks an inquiry as answered by staff. Idempotent. Refuses with `inquiry.not_found`. */
export function close(ctx: Ctx, id: number, event: InquiryEvent): Promise<Result<{ state: InquiryState }, InquiryError>> {
  return inTransaction(ctx.db, async (tx) => {
    const state = isId(id) ? await rows.lockInquiry(tx, id) : null;
    if (!state) return fail({ code: "inquiry.not_found" });
    const move = step(inquiryStates, state, event);
    if (move.kind !== "moved") return done({ state });
    await rows.saveInquiryState(tx, id, move.to, ctx.now());
    return done({ state: move.to });
  });
}

const isId = (id: number): boolean => Number.isSafeInteger(id) && id > 0 && id <= 2_147_483_647;

/** Reviews to be approved and inquiries to be answered, oldest first. */
export async function waiting(ctx: Ctx): Promise<{ reviews: (Review & { isSuspect: boolean })[]; inquiries: WaitingInquiry[] }> {
  const [pending, inquiries] = await Promise.all([rows.pendingReviews(ctx.db), rows.waitingInquiries(ctx.db)]);
  return { reviews: pending, inquiries };
}

/** Deletes inquiries a year after their answer, as the privacy policy promises. */
export const deleteOldAnswered = (ctx: Ctx): Promise<void> => rows.deleteAnsweredBefore(ctx.db, plus(ctx.now(), -days(365)));
