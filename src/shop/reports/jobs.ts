import type { Ctx } from "#shop/context.ts";
import { countCheckouts } from "./service.ts";

export const sweeps = {
  "reports.count_checkouts": { everySeconds: 3600, run: (ctx: Ctx): Promise<void> => countCheckouts(ctx) },
};
