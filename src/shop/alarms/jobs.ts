import type { Ctx } from "#shop/context.ts";
import * as alarms from "./service.ts";

export const sweeps = {
  "alarms.remove_old": { everySeconds: 86_400, run: (ctx: Ctx): Promise<void> => alarms.removeOld(ctx) },
};
