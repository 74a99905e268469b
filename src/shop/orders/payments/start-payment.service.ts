import { setTimeout as sleep } from "node:timers/promises";
import { seconds } from "#kit/time.ts";
import type { Ctx } from "#shop/context.ts";
import { methodById } from "#shop/payment/payment.ts";
import type { Order } from "../order.ts";
import { linkOfAttempt, pay, type FirstAttempt } from "./pay.service.ts";
import { keyOf } from "../read.service.ts";

/** How long the order call waits for the provider's page; after that the page gets it from `pay`. */
const maxWait = seconds(5);

/** A new order, and its first attempt when it is paid online. */
export type Placed = { order: Order; opened: FirstAttempt | null };

/**
 * Returns the provider's page of a new order: of the attempt that was opened with it, or for a repeated call (`opened` is null) of the one
 * that `pay` finds or makes. Null when the order is not paid online or the provider is slow or out.
 */
export async function startPayment(ctx: Ctx, { order, opened }: Placed): Promise<string | null> {
  if (order.state !== "awaiting_payment" || !methodById(order.payment.methodId)?.isOnline) return null;
  const link = opened ? linkOfAttempt(ctx, opened) : pay(ctx, { orderId: order.id, viewer: { guestKey: keyOf(ctx, order.id) } });
  const payment = link.catch((error: unknown) => {
    ctx.log.error({ err: error, orderId: order.id }, "the order stands, its payment could not be begun");
    return null;
  });
  const started = await Promise.race([payment, sleep(maxWait, null, { ref: false })]);
  return started?.ok ? started.value.confirmationUrl : null;
}
