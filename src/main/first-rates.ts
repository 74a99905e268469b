import { plus, seconds } from "#kit/time.ts";
import * as pricing from "#shop/pricing/service.ts";
import * as rates from "#shop/rates/service.ts";
import type { Ctx } from "#shop/context.ts";

/**
 * Polls the rates, then opens the process for visitors with `open`. If the stored prices are from the last two polls (of another process, or
 * of this one before a restart), it opens with these and polls afterwards, so that a restart does not wait for the exchange; `polled` resolves
 * after that.
 */
export async function openWithRates<T>(
  ctx: Ctx,
  ratesPollSeconds: number,
  open: () => Promise<T>,
): Promise<{ opened: T; polled: Promise<void> }> {
  const { isStale, ratesAt } = await pricing.current(ctx);
  const areFresh = !isStale && ratesAt >= plus(ctx.now(), -seconds(2 * ratesPollSeconds));
  if (!areFresh) await pollOnce(ctx);
  const opened = await open();
  return { opened, polled: areFresh ? pollOnce(ctx) : Promise.resolve() };
}

/** A shop starts even if the exchange does not answer: memorable coins have fixed prices, bullion waits for a rate. */
async function pollOnce(ctx: Ctx): Promise<void> {
  try {
    await rates.poll(ctx);
    await pricing.refresh(ctx);
  } catch (error) {
    ctx.log.warn({ err: error }, "no rates at the start");
  }
}
