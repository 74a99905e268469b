import type { Ctx } from "#shop/context.ts";
import { sweepSpent } from "./service.ts";

export const sweeps = { "auth.forget": { everySeconds: 600, run: (ctx: Ctx): Promise<void> => sweepSpent(ctx) } };
