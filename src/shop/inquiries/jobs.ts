import type { Ctx } from "#shop/context.ts";
import { forgetAnswered } from "./service.ts";

export const sweeps = { "inquiries.forget": { everySeconds: 3600, run: (ctx: Ctx): Promise<void> => forgetAnswered(ctx) } };
