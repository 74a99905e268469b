import type { Ctx } from "#shop/context.ts";
import * as statements from "./service.ts";

export const sweeps = {
  "statements.erase": { everySeconds: 3_600, run: (ctx: Ctx) => statements.erasePayers(ctx) },
};
