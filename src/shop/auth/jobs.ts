import type { Ctx } from "#shop/context.ts";
import { deleteExpired } from "./service.ts";

export const sweeps = { "auth.forget": { everySeconds: 600, run: (ctx: Ctx): Promise<void> => deleteExpired(ctx) } };
