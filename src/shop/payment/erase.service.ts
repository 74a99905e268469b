import { days, plus } from "#kit/time.ts";
import type { Ctx } from "#shop/context.ts";
import * as rows from "./repository.ts";

const limit = 500;
/** For this long the provider stores idempotence keys, and a repeated request must have the same body as the stored one. */
const idempotence = days(1);

/**
 * Empties the bodies of webhooks after `providerEventDays`, deletes their rows after `recordDays`, and removes order keys from payments
 * that earlier releases wrote. Works in short statements, page by page, so that other work does not wait; each process reads every row
 * once. Idempotent, may be interrupted.
 */
export async function eraseOld(ctx: Ctx): Promise<void> {
  const done = ctx.singleton("payment.erased", () => ({ event: 0, payment: { createdAt: new Date(0), id: "" } }));
  const eventsBefore = plus(ctx.now(), -days(ctx.settings.limits.providerEventDays));
  for (
    let last: number | null = done.event;
    last !== null;
    last = await rows.eraseEventBodies(ctx.db, { after: done.event, before: eventsBefore, limit })
  )
    done.event = last;
  await rows.deleteEvents(ctx.db, plus(ctx.now(), -days(ctx.settings.limits.recordDays)));
  const paymentsBefore = plus(ctx.now(), -idempotence);
  for (
    let last: rows.PaymentCursor | null = done.payment;
    last !== null;
    last = await rows.eraseOrderKeys(ctx.db, { after: done.payment, before: paymentsBefore, limit })
  )
    done.payment = last;
}
