import { inTransaction } from "#kit/db.ts";
import { kopecks } from "#kit/money.ts";
import { days, hours, minutes, plus, seconds } from "#kit/time.ts";
import { isFinal, step } from "#kit/transitions.ts";
import type { Ctx } from "#shop/context.ts";
import type { CarrierShipment, ShipmentRequest } from "./gateway.ts";
import type { ShipmentRow } from "./repository.ts";
import * as rows from "./repository.ts";
import type { DeliveryMoved, RegisterShipment, ShipmentState } from "./shipment.ts";
import { shipmentStates } from "./shipment.ts";

/** Notes a parcel to be registered with the carrier by the next sweep. May be repeated: an order has one parcel. */
export const order = (ctx: Ctx, request: RegisterShipment): Promise<void> => rows.insertShipment(ctx.db, request, ctx.now());

/**
 * Registers the parcels that are due and asks where the others are; announces `delivery.moved` once for each step that concerns the order.
 * No lock is held while the carrier is asked. While he is out, parcels wait and are tried again, at last hourly.
 */
export async function sweep(ctx: Ctx): Promise<void> {
  for (const shipment of await rows.claimDue(ctx.db, ctx.now(), plus(ctx.now(), minutes(1)), 10)) {
    try {
      await record(ctx, shipment.orderId, await ask(ctx, shipment));
    } catch (error) {
      await putOff(ctx, shipment, error);
    }
  }
}

async function ask(ctx: Ctx, { orderId, carrierId, request }: ShipmentRow): Promise<CarrierShipment> {
  if (carrierId) return ctx.gateways.delivery.track(carrierId);
  if (!request) throw new Error(`shipment of ${orderId} has nothing to register`);
  return ctx.gateways.delivery.register(await toCarrier(ctx, request));
}

async function toCarrier(ctx: Ctx, { number, to, recipient, lines }: RegisterShipment): Promise<ShipmentRequest> {
  const priced = lines.map(({ unitPriceKopecks, ...line }) => ({ ...line, unitPrice: kopecks(unitPriceKopecks) }));
  if ("pointId" in to) return { number, to, recipient, lines: priced };
  const city = await rows.city(ctx.db, to.cityCode);
  if (!city) throw new Error(`no city ${to.cityCode} to ship to`);
  return { number, to: { carrierCityCode: city.carrierCode, address: to.address }, recipient, lines: priced };
}

const eventOf = {
  accepted: "accept", registered: "register", in_transit: "leave", at_point: "arrive", delivered: "deliver", not_delivered: "turn_back", invalid: "reject",
} as const satisfies Record<CarrierShipment["state"], string>;

async function record(ctx: Ctx, orderId: string, told: CarrierShipment): Promise<void> {
  await inTransaction(ctx.db, async (tx) => {
    const known = await rows.lockShipment(tx, orderId);
    if (!known) return;
    const move = step(shipmentStates, known.state, eventOf[told.state]);
    const state = move.kind === "moved" ? (move.to) : known.state;
    const hasLeftUs = state !== "new" && state !== "accepted";
    await rows.saveShipment(tx, orderId, {
      state, request: hasLeftUs ? null : known.request, carrierId: told.carrierId, trackingNumber: told.trackingNumber ?? known.trackingNumber,
      lastCode: told.rawCode, attempts: 0, nextCheckAt: isFinal(shipmentStates, state) || isForgotten(ctx, known) ? null : plus(ctx.now(), pause(state)),
    });
    if (move.kind === "moved" && concernsOrder(state)) await ctx.enqueue(tx, "delivery.moved", { orderId, state } satisfies DeliveryMoved);
    if (move.kind === "moved" && state === "invalid") ctx.alarm("delivery.failed", { orderId, reason: told.reason ?? told.rawCode });
  });
}

const concernsOrder = (state: ShipmentState): state is DeliveryMoved["state"] =>
  state === "in_transit" || state === "at_point" || state === "delivered" || state === "not_delivered";

const pause = (state: ShipmentState): number => (state === "accepted" ? seconds(10) : minutes(15));

/** A parcel that never arrived anywhere is not asked about for ever: its order was cancelled, or staff have long been on it. */
const isForgotten = (ctx: Ctx, { createdAt }: ShipmentRow): boolean => plus(createdAt, days(90)) <= ctx.now();

const pauses = [seconds(10), seconds(30), minutes(1), minutes(5), minutes(15)];
/** So many failures in a row are about twenty minutes: somebody should look. */
const alarmAfter = pauses.length;

async function putOff(ctx: Ctx, { orderId }: ShipmentRow, error: unknown): Promise<void> {
  await inTransaction(ctx.db, async (tx) => {
    const known = await rows.lockShipment(tx, orderId);
    if (!known) return;
    const attempts = known.attempts + 1;
    const reason = error instanceof Error ? error.message : String(error);
    ctx.log.warn({ orderId, attempt: attempts, reason }, "parcel is put off");
    if (attempts === alarmAfter) ctx.alarm("delivery.failed", { orderId, reason });
    const { state, request, carrierId, trackingNumber, lastCode } = known;
    await rows.saveShipment(tx, orderId, { state, request, carrierId, trackingNumber, lastCode, attempts, nextCheckAt: plus(ctx.now(), pauses[attempts - 1] ?? hours(1)) });
  });
}
