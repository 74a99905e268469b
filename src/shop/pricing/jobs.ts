import type { Ctx } from "#shop/context.ts";
import * as rates from "#shop/rates/service.ts";
import * as pricing from "./service.ts";

/**
 * Asks the rate source and lets prices follow, every `everySeconds` (setting `RATES_POLL_SECONDS`). `prepare` makes ready what is
 * shown by the new list, so that no reader has to.
 */
export function pollSweep(everySeconds: number, prepare: (ctx: Ctx) => Promise<unknown>) {
  return {
    "rates.poll": {
      everySeconds,
      async run(ctx: Ctx): Promise<void> {
        await rates.poll(ctx);
        await pricing.refresh(ctx);
        await prepare(ctx);
      },
    },
  };
}
