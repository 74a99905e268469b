import type { Ctx } from "#shop/context.ts";
import * as country from "./country.service.ts";
import * as labels from "./labels/label.service.ts";
import * as delivery from "./service.ts";
import { callOffShipment, registerShipment } from "./shipment.ts";
import * as shipping from "./shipping.service.ts";

export const jobs = {
  "delivery.register": (ctx: Ctx, payload: unknown) => shipping.registerFromJob(ctx, registerShipment.parse(payload)),
  "delivery.call_off": (ctx: Ctx, payload: unknown) => shipping.callOffFromJob(ctx, callOffShipment.parse(payload).orderId),
};

export const sweeps = {
  "delivery.mirror": { everySeconds: 60, run: (ctx: Ctx) => delivery.renewMirrors(ctx) },
  "delivery.country": { everySeconds: 60, run: (ctx: Ctx) => country.importWhenDue(ctx) },
  "delivery.track": { everySeconds: 5, due: shipping.hasDue, run: (ctx: Ctx) => shipping.sweep(ctx) },
  "delivery.labels": { everySeconds: 2, due: labels.hasDue, run: (ctx: Ctx) => labels.sweep(ctx) },
  "delivery.erase": { everySeconds: 3_600, run: (ctx: Ctx) => shipping.eraseOldWebhooks(ctx) },
  "delivery.delete_records": { everySeconds: 3_600, run: (ctx: Ctx) => shipping.deleteOldRecords(ctx) },
  "delivery.subscribe": { everySeconds: 5, run: (ctx: Ctx) => shipping.subscribe(ctx) },
};
