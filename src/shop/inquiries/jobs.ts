import type { Ctx } from "#shop/context.ts";
import { deleteOldAnswered } from "./service.ts";

export const sweeps = { "inquiries.forget": { everySeconds: 3600, run: (ctx: Ctx): Promise<void> => deleteOldAnswered(ctx) } };
