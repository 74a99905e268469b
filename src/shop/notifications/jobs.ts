import type { Ctx } from "#shop/context.ts";
import { forgetOld, sendDue, type AttachmentMakers } from "./service.ts";

/** What goes along with letters is made by modules that this one does not know. */
export const sweepsWith = (makers: AttachmentMakers) => ({
  "notifications.send": { everySeconds: 1, run: async (ctx: Ctx): Promise<void> => { await sendDue(ctx, makers); } },
  "notifications.forget": { everySeconds: 3_600, run: forgetOld },
});
