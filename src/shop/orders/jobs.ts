import { z } from "zod";
import { kopecks } from "#kit/money.ts";
import type { Ctx } from "#shop/context.ts";
import type { DeliveryMoved, DeliveryRecalled } from "#shop/delivery/shipment.ts";
import * as orders from "./service.ts";
import { forgetPresence } from "./staff/card.service.ts";
import { deleteOldKeys } from "./unpaid-limits/unpaid-limits.service.ts";

const settled = z.object({ orderId: z.string(), paymentId: z.string() });
/** Releases before 2026-11-23 name no refund. */
const refunded = settled.extend({ refundId: z.string().optional(), amountKopecks: z.number().int().positive().transform(kopecks) });
const moved = z.object({
  orderId: z.string(),
  state: z.enum(["in_transit", "at_point", "delivered", "not_delivered"]),
}) satisfies z.ZodType<DeliveryMoved>;
const recalled = z.object({ orderId: z.string() }) satisfies z.ZodType<DeliveryRecalled>;

/** Jobs of payment and delivery; each may be delivered twice, late, or after the order is closed. */
export const jobs = {
  "payment.settled": (ctx: Ctx, payload: Record<string, unknown>): Promise<void> => orders.markPaid(ctx, settled.parse(payload)),
  "payment.refunded": (ctx: Ctx, payload: Record<string, unknown>): Promise<void> => {
    const { amountKopecks, ...refund } = refunded.parse(payload);
    return orders.recordRefund(ctx, { ...refund, amount: amountKopecks });
  },
  "delivery.moved": (ctx: Ctx, payload: Record<string, unknown>): Promise<void> => orders.followParcel(ctx, moved.parse(payload)),
  "delivery.recalled": (ctx: Ctx, payload: Record<string, unknown>): Promise<void> => orders.followRecall(ctx, recalled.parse(payload)),
};

export const sweeps = {
  "orders.expire": { everySeconds: 5, due: orders.hasDueForExpiry, run: (ctx: Ctx): Promise<void> => orders.expireDue(ctx) },
  "orders.remind": { everySeconds: 600, run: (ctx: Ctx): Promise<void> => orders.remindDue(ctx) },
  "orders.returns": { everySeconds: 21_600, run: (ctx: Ctx): Promise<void> => orders.alarmOverdueReturns(ctx) },
  "orders.forget": { everySeconds: 3_600, run: (ctx: Ctx): Promise<void> => orders.anonymiseDue(ctx) },
  "orders.forget_presence": { everySeconds: 3_600, run: (ctx: Ctx): Promise<void> => forgetPresence(ctx) },
  "orders.forget_keys": { everySeconds: 3_600, run: (ctx: Ctx): Promise<void> => deleteOldKeys(ctx) },
};
