import type { Ctx } from "#shop/context.ts";
import * as rates from "#shop/rates/service.ts";
import * as changes from "./changes/service.ts";
import * as promos from "./promos/service.ts";
import * as pricing from "./service.ts";

/**
 * Polls the rate sources and refreshes the price list every `everySeconds` (setting `RATES_POLL_SECONDS`).
 * `prepare` runs afterwards and rebuilds what depends on the list, so that no request has to wait for it.
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

export const sweeps = {
  "pricing.changes": {
    everySeconds: 1,
    due: changes.hasDue,
    run: (ctx: Ctx): Promise<void> => changes.applyDue({ ...ctx, actor: { kind: "job", name: "pricing.changes" } }),
  },
  "pricing.promos": {
    everySeconds: 1,
    due: promos.hasDue,
    run: (ctx: Ctx): Promise<void> => promos.applyDue({ ...ctx, actor: { kind: "job", name: "pricing.promos" } }),
  },
};
