import type { Ctx } from "#shop/context.ts";
import * as alerts from "./service.ts";

export const sweeps = {
  "alerts.watch": { everySeconds: 5, run: (ctx: Ctx) => alerts.watch(ctx) },
  "alerts.forget": { everySeconds: 3600, run: (ctx: Ctx) => alerts.deleteUnconfirmed(ctx) },
};
