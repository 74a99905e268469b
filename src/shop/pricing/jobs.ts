import type { Ctx } from "#shop/context.ts";
import * as rates from "#shop/rates/service.ts";
import * as pricing from "./service.ts";

/** Asks the rate source and lets prices follow, every `everySeconds` (setting `RATES_POLL_SECONDS`). */
export function pollSweep(everySeconds: number) {
  return {
    "rates.poll": {
      everySeconds,
      async run(ctx: Ctx): Promise<void> {
        await rates.poll(ctx);
        await pricing.refresh(ctx);
      },
    },
  };
}
