import type { Ctx } from "#shop/context.ts";
import * as accounting from "./accounting/accounting.service.ts";
import * as imports from "./imports/import.service.ts";

export const sweeps = {
  "exchange.forget": {
    everySeconds: 3_600,
    async run(ctx: Ctx): Promise<void> {
      await imports.forgetOld(ctx);
      await accounting.forgetOld(ctx);
    },
  },
};
