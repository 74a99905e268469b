import type { Ctx } from "#shop/context.ts";
import { forgetOld, sendDue, type AttachmentMakers, type SendingLimit } from "./service.ts";

/** What goes along with letters is made by modules that this one does not know, and so are the limits of messages. */
export const sweepsWith = (makers: AttachmentMakers, limit: SendingLimit) => ({
  "notifications.send": {
    everySeconds: 1,
    run: async (ctx: Ctx): Promise<void> => {
      await sendDue(ctx, makers, limit);
    },
  },
  "notifications.forget": { everySeconds: 3_600, run: forgetOld },
});
