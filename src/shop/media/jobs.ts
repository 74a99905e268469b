import type { Ctx } from "#shop/context.ts";
import * as media from "./service.ts";

export const sweeps = {
  "media.unused": {
    everySeconds: 3_600,
    async run(ctx: Ctx): Promise<void> {
      await media.deleteUnused(ctx);
    },
  },
};
