import { inTransaction } from "#kit/db.ts";
import { fail, type Result } from "#kit/result.ts";
import type { Ctx } from "#shop/context.ts";
import * as payment from "#shop/payment/service.ts";
import * as approvals from "#shop/staff/approvals/service.ts";
import { refundTransferAction, type Order, type OrderError, type StaffDetails, type StaffEvent } from "../order.ts";
import { apply } from "../staff.service.ts";
import { lockOrder } from "./act.service.ts";

/** The steps that send all of the money back. */
export const isCancel = (event: string): event is "cancel" | "confirm_cancel" => event === "cancel" || event === "confirm_cancel";

export type EventError = OrderError | { code: "refund.transfer_waits" };

/**
 * Applies a staff event to an order for the desk and the demo. Refuses as `apply` does, and as the back office with
 * `refund.transfer_waits` for what returns money while the record of a transfer waits for a second person.
 */
export function applyEvent(ctx: Ctx, orderId: string, event: StaffEvent, details: StaffDetails = {}): Promise<Result<Order, EventError>> {
  return inTransaction(ctx.db, async (tx) => {
    const inside = { ...ctx, db: tx };
    await lockOrder(inside, orderId);
    const returnsMoney = event === "refund" || isCancel(event);
    if (returnsMoney && (await isTransferWaiting(inside, orderId))) return fail({ code: "refund.transfer_waits" });
    return apply(inside, orderId, event, details);
  });
}

/**
 * Whether the record of a transfer by which staff has paid a refused refund of the order (`only`: this one) waits for a second person: sent
 * again meanwhile, its money would go back twice. Lock the order first: the record is requested under its lock, too.
 */
export async function isTransferWaiting(ctx: Ctx, orderId: string, only?: string): Promise<boolean> {
  const owed = await payment.owedOfOrder(ctx.db, orderId);
  const ids = owed.map(({ id }) => id).filter((id) => only === undefined || id === only);
  return approvals.hasWaiting(ctx, { action: refundTransferAction, param: "refundId", ids });
}
