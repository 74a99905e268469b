import type { Ctx } from "#shop/context.ts";
import { eraseOld } from "./payout.service.ts";

export const sweeps = { "buyback.erase": { everySeconds: 3600, run: (ctx: Ctx): Promise<void> => eraseOld(ctx) } };
