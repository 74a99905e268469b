import { inTransaction } from "#kit/db.ts";
import { hours, plus } from "#kit/time.ts";
import type { Ctx } from "#shop/context.ts";
import * as rows from "../repository.ts";
import { remindToCollect } from "../messages/messages.service.ts";

/** Orders per run; more than one office hands over in a day. */
const batchSize = 200;

/**
 * Reminds buyers who pay on collection that their reservation ends soon (`collectionReminderHours`).
 * For the sweep. Idempotent: one reminder per order.
 */
export async function remindDue(ctx: Ctx): Promise<void> {
  const span = { from: ctx.now(), till: plus(ctx.now(), hours(ctx.settings.limits.collectionReminderHours)) };
  for (const orderId of await rows.endingBetween(ctx.db, "placed", span, batchSize)) {
    await inTransaction(ctx.db, async (tx) => {
      const order = await rows.lock(tx, orderId);
      if (order?.state === "placed") await remindToCollect(tx, ctx, order);
    });
  }
}
