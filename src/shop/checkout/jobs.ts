import type { Ctx } from "#shop/context.ts";
import { deleteExpiredEntries } from "./entries/entries.service.ts";
import { deleteOld } from "./service.ts";

export const sweeps = {
  "checkout.forget": { everySeconds: 3600, run: (ctx: Ctx): Promise<void> => deleteOld(ctx) },
  "checkout.delete_drafts": { everySeconds: 600, run: (ctx: Ctx): Promise<void> => deleteExpiredEntries(ctx) },
};
