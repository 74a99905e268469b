import type { Ctx } from "#shop/context.ts";
import { cancelAbandoned, eraseOld } from "./payout.service.ts";

export const sweeps = {
  "buyback.cancel": { everySeconds: 3600, run: (ctx: Ctx): Promise<void> => cancelAbandoned(ctx) },
  "buyback.erase": { everySeconds: 3600, run: (ctx: Ctx): Promise<void> => eraseOld(ctx) },
};
