import type { Ctx } from "#shop/context.ts";
import * as delivery from "./service.ts";
import { registerShipment } from "./shipment.ts";
import * as shipping from "./shipping.service.ts";

export const jobs = {
  "delivery.register": (ctx: Ctx, payload: unknown) => shipping.order(ctx, registerShipment.parse(payload)),
};

export const sweeps = {
  "delivery.mirror": { everySeconds: 60, run: (ctx: Ctx) => delivery.renewMirrors(ctx) },
  "delivery.track": { everySeconds: 5, run: (ctx: Ctx) => shipping.sweep(ctx) },
};
