import * as contract from "#contract/alerts.ts";
import { fail } from "#kit/result.ts";
import * as alerts from "#shop/alerts/service.ts";
import * as limits from "#shop/auth/limits.service.ts";
import { endpoint } from "../endpoint.ts";

/** Anybody may name anybody's mailbox: it gets few letters a day, and one address makes few wishes an hour. */
export const postAlert = endpoint(contract.postAlert, async (ctx, { body, visitor }) => {
  const taken = await limits.takeInquiry(ctx, { kind: "alert", address: visitor.address, email: body.email });
  if (!taken.isAllowed) return fail({ code: "inquiry.too_many", retryAfterSeconds: taken.retryAfterSeconds });
  if (!taken.mayThank) return fail({ code: "alert.too_many" });
  return alerts.ask(ctx, { ...contract.alertOf(body), email: body.email, customerId: visitor.customerId });
});

export const endAlert = endpoint(contract.endAlert, (ctx, { body }) => alerts.end(ctx, body.token));
