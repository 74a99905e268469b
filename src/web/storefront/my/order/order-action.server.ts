import { data, redirect } from "react-router";
import { problems } from "#contract/problems.ts";
import type { Viewer } from "#shop/orders/order.ts";
import * as orders from "#shop/orders/service.ts";
import type { PageContext } from "#web/context.server.ts";

/**
 * Answers the order's forms without scripts: redirects to the provider's page, or cancels the order; a refusal returns its message and is
 * marked in `page`, for the title.
 */
export async function orderAction(
  page: Pick<PageContext, "ctx" | "isRefused">,
  request: Request,
  access: { orderId: string; viewer: Viewer },
) {
  const { ctx } = page;
  const { pathname, search } = new URL(request.url);
  const isCancel = (await request.formData()).get("intent") === "cancel";
  const done = isCancel ? await orders.cancel(ctx, access) : await orders.pay(ctx, access);
  if (!done.ok) {
    const { message, status } = problems[done.error.code];
    page.isRefused = true;
    return data({ message }, status);
  }
  throw redirect("confirmationUrl" in done.value ? done.value.confirmationUrl : `${pathname}${search}`);
}
