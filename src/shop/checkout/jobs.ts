import type { Ctx } from "#shop/context.ts";
import { forgetOld } from "./service.ts";

export const sweeps = { "checkout.forget": { everySeconds: 3600, run: (ctx: Ctx): Promise<void> => forgetOld(ctx) } };
