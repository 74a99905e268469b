import type { Ctx } from "#shop/context.ts";
import * as alarms from "./service.ts";

export const sweeps = {
  // A day would never pass in a process that is restarted daily.
  "alarms.remove_old": { everySeconds: 3_600, run: (ctx: Ctx): Promise<void> => alarms.removeOld(ctx) },
};
