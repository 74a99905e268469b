import { data, redirect } from "react-router";
import { problems } from "#contract/problems.ts";
import type { Ctx } from "#shop/context.ts";
import type { Viewer } from "#shop/orders/order.ts";
import * as orders from "#shop/orders/service.ts";

/** Answers the order's forms without scripts: redirects to the provider's page, or cancels the order; a refusal returns its message. */
export async function orderAction(ctx: Ctx, request: Request, access: { orderId: string; viewer: Viewer }) {
  const { pathname, search } = new URL(request.url);
  const isCancel = (await request.formData()).get("intent") === "cancel";
  const done = isCancel ? await orders.cancel(ctx, access) : await orders.pay(ctx, access);
  if (!done.ok) return data({ message: problems[done.error.code].message }, problems[done.error.code].status);
  throw redirect("confirmationUrl" in done.value ? done.value.confirmationUrl : `${pathname}${search}`);
}
