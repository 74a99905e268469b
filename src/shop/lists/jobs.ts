import type { Ctx } from "#shop/context.ts";
import { deleteUnusedGuestLists } from "./service.ts";

export const sweeps = { "lists.forget": { everySeconds: 3600, run: (ctx: Ctx): Promise<void> => deleteUnusedGuestLists(ctx) } };
