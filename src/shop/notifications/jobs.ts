import type { Ctx } from "#shop/context.ts";
import { sendDue } from "./service.ts";

export const sweeps = {
  "notifications.send": { everySeconds: 1, run: async (ctx: Ctx): Promise<void> => { await sendDue(ctx); } },
};
