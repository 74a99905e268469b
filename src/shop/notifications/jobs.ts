import type { Ctx } from "#shop/context.ts";
import { eraseOld, hasDue, sendDue, type AttachmentMakers, type SendingLimit } from "./service.ts";

/** The makers of attachments and the limit are passed in, because they belong to modules that this one does not import. */
export const sweepsWith = (makers: AttachmentMakers, limit: SendingLimit) => ({
  "notifications.send": {
    everySeconds: 1,
    due: hasDue,
    // A letter costs as much processor time as several orders, most of all one with an invoice.
    waitSeconds: 5,
    run: async (ctx: Ctx): Promise<void> => {
      await sendDue(ctx, makers, limit);
    },
  },
  "notifications.forget": { everySeconds: 3_600, run: eraseOld },
});
