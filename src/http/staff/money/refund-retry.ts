import { payRefundByTransfer } from "#contract/staff/orders/orders.ts";
import { priceText } from "#kit/format.ts";
import { add } from "#kit/money.ts";
import type { Ctx } from "#shop/context.ts";
import * as payment from "#shop/payment/service.ts";
import type { ShownChange } from "#shop/staff/approvals/approval.ts";
import * as approvals from "#shop/staff/approvals/service.ts";

const owedOf = async (ctx: Ctx, orderId: string, only?: string) =>
  (await payment.owedOfOrder(ctx.db, orderId)).filter(({ id }) => only === undefined || id === only);

/**
 * Whether the record of a transfer by which staff has paid a refused refund of the order (`only`: this one) waits for a second person: sent
 * again meanwhile, its money would go back twice. Lock the order first.
 */
export async function isTransferWaiting(ctx: Ctx, orderId: string, only?: string): Promise<boolean> {
  const ids = (await owedOf(ctx, orderId, only)).map(({ id }) => id);
  return approvals.hasWaiting(ctx, { action: payRefundByTransfer.audit, param: "refundId", ids });
}

/** What a second person sees of refused refunds that are to be sent again. */
export async function shownRetry(ctx: Ctx, orderId: string, only?: string): Promise<ShownChange> {
  const owed = await owedOf(ctx, orderId, only);
  return { before: {}, after: { refund: priceText(add(...owed.map(({ amount }) => amount))) } };
}
