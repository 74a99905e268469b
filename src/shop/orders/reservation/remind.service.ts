import { inTransaction } from "#kit/db.ts";
import { hours, plus } from "#kit/time.ts";
import type { Ctx } from "#shop/context.ts";
import * as rows from "../repository.ts";
import { remindToCollect } from "../messages/messages.service.ts";

/** More orders than come to one office in a day. */
const atOnce = 200;

/**
 * Reminds buyers who pay on collection that their coins are held only until tomorrow (setting `collectionReminderHours`).
 * For the sweep; may run as often as you like, each order is reminded once.
 */
export async function remindDue(ctx: Ctx): Promise<void> {
  const span = { from: ctx.now(), till: plus(ctx.now(), hours(ctx.settings.limits.collectionReminderHours)) };
  for (const orderId of await rows.endingBetween(ctx.db, "placed", span, atOnce)) {
    await inTransaction(ctx.db, async (tx) => {
      const order = await rows.lock(tx, orderId);
      if (order?.state === "placed") await remindToCollect(tx, ctx, order);
    });
  }
}
