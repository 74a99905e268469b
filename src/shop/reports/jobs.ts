import type { Ctx } from "#shop/context.ts";
import { deleteOldMisses } from "./searches/missed.service.ts";
import { countCheckouts } from "./service.ts";

export const sweeps = {
  "reports.count_checkouts": { everySeconds: 3600, run: (ctx: Ctx): Promise<void> => countCheckouts(ctx) },
  "reports.delete_misses": { everySeconds: 3600, run: (ctx: Ctx): Promise<void> => deleteOldMisses(ctx) },
};
