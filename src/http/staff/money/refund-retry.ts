import { priceText } from "#kit/format.ts";
import { add } from "#kit/money.ts";
import type { Ctx } from "#shop/context.ts";
import * as payment from "#shop/payment/service.ts";
import type { ShownChange } from "#shop/staff/approvals/approval.ts";

/** What a second person sees of refused refunds that are to be sent again. */
export async function shownRetry(ctx: Ctx, orderId: string, only?: string): Promise<ShownChange> {
  const owed = (await payment.owedOfOrder(ctx.db, orderId)).filter(({ id }) => only === undefined || id === only);
  return { before: {}, after: { refund: priceText(add(...owed.map(({ amount }) => amount))) } };
}
