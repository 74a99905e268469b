import type { Ctx } from "#shop/context.ts";
import { deleteUnusedGuestCarts } from "./service.ts";

export const sweeps = { "cart.forget": { everySeconds: 3600, run: (ctx: Ctx): Promise<void> => deleteUnusedGuestCarts(ctx) } };
