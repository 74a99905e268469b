import * as contract from "#contract/public/alerts.ts";
import { fail } from "#kit/result.ts";
import * as alerts from "#shop/alerts/service.ts";
import * as limits from "#shop/auth/limits.service.ts";
import { endpoint } from "../endpoint.ts";

/** Few alerts an hour for one address; the limits of a mailbox are the service's. */
export const postAlert = endpoint(contract.postAlert, async (ctx, { body, visitor }) => {
  const taken = await limits.consumeInquiry(ctx, { kind: "alert", address: visitor.address, email: "" });
  if (!taken.isAllowed) return fail({ code: "inquiry.too_many", retryAfterSeconds: taken.retryAfterSeconds });
  return alerts.create(ctx, { ...contract.alertOf(body), email: body.email, customerId: visitor.customerId });
});

export const endAlert = endpoint(contract.endAlert, (ctx, { body }) => alerts.end(ctx, body.token));
