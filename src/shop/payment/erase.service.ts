import { days, plus } from "#kit/time.ts";
import type { Ctx } from "#shop/context.ts";
import * as rows from "./repository.ts";

const limit = 500;
/** The provider remembers a call for so long: until then a repetition must send the same body, from the row. */
const idempotence = days(1);

/**
 * Empties the bodies of webhooks after `providerEventDays`, and takes order keys out of the payments that earlier releases wrote.
 * In short statements over pages, so that no other work waits for it; each process looks at every row once. Safe to repeat and to break off.
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
  const paymentsBefore = plus(ctx.now(), -idempotence);
  for (
    let last: rows.PaymentPlace | null = done.payment;
    last !== null;
    last = await rows.eraseOrderKeys(ctx.db, { after: done.payment, before: paymentsBefore, limit })
  )
    done.payment = last;
}
