import { z } from "zod";
import type { Ctx } from "#shop/context.ts";
import { eraseOld } from "./erase.service.ts";
import * as payment from "./service.ts";

const checkAsked = z.object({ paymentId: z.string() });
const refundOwed = z.object({ refundId: z.string() });

/** Jobs enqueued by this module; each may be delivered twice. Other modules handle `payment.settled` and `payment.refunded`. */
export const jobs = {
  "payment.check": async (ctx: Ctx, payload: Record<string, unknown>) => {
    await payment.check(ctx, checkAsked.parse(payload).paymentId);
  },
  "payment.refund": (ctx: Ctx, payload: Record<string, unknown>) => payment.processRefund(ctx, refundOwed.parse(payload).refundId),
};

/** Work repeated at an interval. */
export const sweeps = {
  "payment.reconcile": { everySeconds: 1, due: payment.hasDue, run: (ctx: Ctx) => payment.reconcile(ctx) },
  "payment.refunds": { everySeconds: 5, due: payment.hasDueRefund, run: (ctx: Ctx) => payment.processDueRefunds(ctx) },
  "payment.refunds_stuck": { everySeconds: 60, run: (ctx: Ctx) => payment.alarmStuckRefunds(ctx) },
  "payment.receipts": { everySeconds: 5, due: payment.hasDueReceipt, run: (ctx: Ctx) => payment.processDueReceipts(ctx) },
  "payment.erase": { everySeconds: 3_600, run: eraseOld },
  "payment.compare": { everySeconds: 600, run: (ctx: Ctx) => payment.compareDaily(ctx) },
};
