import type { Ctx } from "#shop/context.ts";
import * as rates from "./service.ts";

export const sweeps = {
  "rates.thin": { everySeconds: 3600, run: (ctx: Ctx) => rates.deleteOld(ctx) },
};
