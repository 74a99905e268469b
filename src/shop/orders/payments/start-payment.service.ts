import { setTimeout as sleep } from "node:timers/promises";
import { seconds } from "#kit/time.ts";
import type { Ctx } from "#shop/context.ts";
import { methodById } from "#shop/payment/payment.ts";
import type { Order } from "../order.ts";
import { pay } from "./pay.service.ts";
import { keyOf } from "../read.service.ts";

/** How long the order call waits for the provider's page; after that the page gets it from `pay`. */
const maxWait = seconds(5);

/** Starts the payment of a new order and returns the provider's page; null when it is not paid online or the provider is slow or out. */
export async function startPayment(ctx: Ctx, order: Order): Promise<string | null> {
  if (order.state !== "awaiting_payment" || !methodById(order.payment.methodId)?.isOnline) return null;
  const payment = pay(ctx, { orderId: order.id, viewer: { guestKey: keyOf(ctx, order.id) } }).catch((error: unknown) => {
    ctx.log.error({ err: error, orderId: order.id }, "the order stands, its payment could not be begun");
    return null;
  });
  const started = await Promise.race([payment, sleep(maxWait, null, { ref: false })]);
  return started?.ok ? started.value.confirmationUrl : null;
}
