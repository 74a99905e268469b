import * as contract from "#contract/public/inquiries.ts";
import { done, fail, type Result } from "#kit/result.ts";
import * as limits from "#shop/auth/limits.service.ts";
import type { Ctx, Visitor } from "#shop/context.ts";
import type { InquiryError, InquiryKind } from "#shop/inquiries/inquiry.ts";
import type { FormOrigin } from "#shop/inquiries/review.ts";
import * as inquiries from "#shop/inquiries/service.ts";
import { endpoint } from "../endpoint.ts";

export const postReview = endpoint(
  contract.postReview,
  async (ctx, { body: { consent: _consent, text: body, productId, ...review }, visitor }) => {
    const filling = await admit(ctx, "review", visitor, review.email);
    return filling.ok ? inquiries.writeReview(ctx, { ...review, ...filling.value, body, coinId: productId ?? null }) : filling;
  },
);

export const postBuyback = endpoint(contract.postBuyback, async (ctx, { body: { consent: _consent, ...body }, visitor }) => {
  const filling = await admit(ctx, "buyback", visitor, body.email);
  return filling.ok ? done(await inquiries.submit(ctx, { kind: "buyback", ...body, ...filling.value })) : filling;
});

export const postPartners = endpoint(contract.postPartners, async (ctx, { body: { consent: _consent, ...body }, visitor }) => {
  const filling = await admit(ctx, "partners", visitor, body.email);
  return filling.ok ? done(await inquiries.submit(ctx, { kind: "partners", ...body, ...filling.value })) : filling;
});

export const postCallback = endpoint(contract.postCallback, async (ctx, { body: { consent: _consent, ...body }, visitor }) => {
  const filling = await admit(ctx, "callback", visitor, "");
  return filling.ok ? done(await inquiries.submit(ctx, { kind: "callback", ...body, email: "", ...filling.value })) : filling;
});

/** A program is not judged by how fast it fills in a form; the rate limits of its address apply. */
async function admit(
  ctx: Ctx,
  kind: InquiryKind | "review",
  { address }: Visitor,
  email: string,
): Promise<Result<FormOrigin, InquiryError>> {
  const taken = await limits.consumeInquiry(ctx, { kind, address, email });
  return taken.isAllowed
    ? done({ isSuspect: false, mayThank: taken.mayThank })
    : fail({ code: "inquiry.too_many", retryAfterSeconds: taken.retryAfterSeconds });
}
