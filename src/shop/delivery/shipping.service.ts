import { inTransaction, type Db } from "#kit/db.ts";
import { kopecks } from "#kit/money.ts";
import { done, fail, type Result } from "#kit/result.ts";
import { days, hours, minutes, plus, seconds } from "#kit/time.ts";
import { isFinal, step } from "#kit/transitions.ts";
import type { Ctx } from "#shop/context.ts";
import type { CarrierShipment, ShipmentRequest } from "./gateway.ts";
import type { ShipmentRow } from "./repository.ts";
import * as rows from "./repository.ts";
import type { DeliveryMoved, RegisterShipment, Shipment, ShipmentError, ShipmentState } from "./shipment.ts";
import { shipmentStates } from "./shipment.ts";

/** Notes a parcel to be registered with the carrier by the next sweep. May be repeated: an order has one parcel. */
export const order = (ctx: Ctx, request: RegisterShipment): Promise<void> => rows.insertShipment(ctx.db, request, ctx.now());

/**
 * Sends a refused parcel again, under a new number, by the next sweep; `to` when it goes elsewhere than before.
 * Refuses with `shipment.not_found`, and `shipment.not_refused` for a parcel that the carrier did not refuse.
 */
export async function retry(ctx: Ctx, orderId: string, to?: RegisterShipment["to"]): Promise<Result<ShipmentState, ShipmentError>> {
  return inTransaction(ctx.db, async (tx) => {
    const known = await rows.lockShipment(tx, orderId);
    if (!known) return fail({ code: "shipment.not_found" });
    const move = step(shipmentStates, known.state, "retry");
    if (move.kind !== "moved" || !known.request) return fail({ code: "shipment.not_refused", state: known.state });
    await rows.saveShipment(tx, orderId, {
      state: move.to, request: { ...known.request, ...(to && { to }) }, carrierId: null, trackingNumber: null, lastCode: null, attempts: 0,
      registration: known.registration + 1, steps: [], nextCheckAt: ctx.now(),
    });
    return done(move.to);
  });
}

/** The parcel's order was cancelled: the next sweep calls it off with the carrier. May be repeated; nothing happens to a parcel that is over. */
export async function callOff(ctx: Ctx, orderId: string): Promise<void> {
  await inTransaction(ctx.db, async (tx) => {
    const known = await rows.lockShipment(tx, orderId);
    if (!known || known.callOff || isFinal(shipmentStates, known.state)) return;
    await rows.saveShipment(tx, orderId, { callOff: "asked", attempts: 0, nextCheckAt: ctx.now() });
  });
}

/** The last part of the address at which the carrier may call us: he signs nothing, so the address is what he knows and others do not. */
const webhookSecret = (ctx: Ctx): string => ctx.secrets.sign("carrier-webhook", "cdek", 40);
export const isWebhookSecret = (ctx: Ctx, given: string): boolean => ctx.secrets.isSigned("carrier-webhook", "cdek", given, 40);

/** Asks the carrier to tell us of parcels, once a day; after a failure again in a minute. Until then parcels are asked about (`sweep`). */
export async function subscribe(ctx: Ctx): Promise<void> {
  const next = ctx.held("delivery.subscribing", () => ({ at: ctx.now() }));
  if (next.at > ctx.now()) return;
  next.at = plus(ctx.now(), minutes(1));
  await ctx.gateways.delivery.subscribe(`${ctx.settings.publicUrl}/api/delivery/cdek/webhook/${webhookSecret(ctx)}`);
  next.at = plus(ctx.now(), days(1));
}

/**
 * Takes a webhook: a hint that a parcel may have moved, nothing more. One about a parcel of ours is stored once, and the next sweep asks
 * the carrier himself; everything else is dropped.
 */
export async function receiveWebhook(ctx: Ctx, raw: string): Promise<"stored" | "dropped"> {
  const news = ctx.gateways.delivery.readNotification(raw);
  const known = news && (await rows.byCarrierId(ctx.db, news.carrierId));
  if (!known) return "dropped"; // also a parcel whose registration is still on its way to us: its own check is due anyway
  await inTransaction(ctx.db, async (tx) => {
    if (!(await rows.storeNews(tx, known.orderId, news, raw, ctx.now()))) return;
    const locked = await rows.lockShipment(tx, known.orderId);
    if (!locked) return;
    // Over is over; that the carrier takes the end back is for people to look into.
    if (isFinal(shipmentStates, locked.state)) {
      if (news.isTakenBack) ctx.alarm("delivery.failed", { orderId: known.orderId, reason: `${news.code} was taken back` });
    } else await rows.saveShipment(tx, known.orderId, { nextCheckAt: ctx.now() });
  });
  return "stored";
}

/**
 * Registers the parcels that are due, calls off those of cancelled orders, and asks where the others are; announces `delivery.moved`
 * once for each step that concerns the order. No lock is held while the carrier is asked. While he is out, parcels wait and are
 * tried again, at last hourly.
 */
export async function sweep(ctx: Ctx): Promise<void> {
  for (const shipment of await rows.claimDue(ctx.db, ctx.now(), plus(ctx.now(), minutes(1)), 10)) {
    try {
      if (shipment.callOff === "asked") await callOffNow(ctx, shipment);
      else await record(ctx, shipment.orderId, await ask(ctx, shipment));
    } catch (error) {
      await putOff(ctx, shipment, error);
    }
  }
}

async function ask(ctx: Ctx, { orderId, carrierId, request, registration }: ShipmentRow): Promise<CarrierShipment> {
  if (carrierId) return ctx.gateways.delivery.track(carrierId);
  if (!request) throw new Error(`shipment of ${orderId} has nothing to register`);
  return ctx.gateways.delivery.register(await toCarrier(ctx, request, registration));
}

const numberOf = (number: string, registration: number): string => (registration === 1 ? number : `${number}-${registration}`);

async function toCarrier(ctx: Ctx, request: RegisterShipment, registration: number): Promise<ShipmentRequest> {
  const { to, recipient } = request;
  const number = numberOf(request.number, registration);
  const lines = request.lines.map(({ unitPriceKopecks, ...line }) => ({ ...line, unitPrice: kopecks(unitPriceKopecks) }));
  if ("pointId" in to) return { number, to, recipient, lines };
  const city = await rows.city(ctx.db, to.cityCode);
  if (!city) throw new Error(`no city ${to.cityCode} to ship to`);
  return { number, to: { carrierCityCode: city.carrierCode, address: to.address }, recipient, lines };
}

/** Tells the carrier that nobody waits for this parcel. What has not left is struck out; what has comes back, and people hear of it. */
async function callOffNow(ctx: Ctx, { orderId, carrierId, request, registration, state }: ShipmentRow): Promise<void> {
  // The answer to an earlier registration may have been lost: he may have a parcel that we know nothing of.
  const known = carrierId ?? (request && state === "new" ? ((await ctx.gateways.delivery.find(numberOf(request.number, registration)))?.carrierId ?? null) : null);
  const outcome = known === null || state === "invalid" ? "struck_out" : await ctx.gateways.delivery.callOff(known);
  await inTransaction(ctx.db, async (tx) => {
    const locked = await rows.lockShipment(tx, orderId);
    if (!locked) return;
    if (outcome === "struck_out") return rows.saveShipment(tx, orderId, { state: "called_off", request: null, carrierId: known, nextCheckAt: null });
    ctx.alarm("delivery.failed", { orderId, reason: "the parcel had left before its order was cancelled" });
    return rows.saveShipment(tx, orderId, { callOff: "turned_back", carrierId: known, attempts: 0, nextCheckAt: ctx.now() });
  });
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
    // What a refused parcel needs to be sent again is kept; all others no longer need to name their recipient here.
    const isStillOurs = state === "new" || state === "accepted" || state === "invalid";
    const isOver = isFinal(shipmentStates, state) || state === "invalid" || isForgotten(ctx, known);
    await rows.saveShipment(tx, orderId, {
      state, request: isStillOurs ? known.request : null, carrierId: told.carrierId, trackingNumber: told.trackingNumber ?? known.trackingNumber,
      lastCode: told.rawCode, attempts: 0, steps: told.steps, heardAt: ctx.now(), nextCheckAt: isOver ? null : plus(ctx.now(), pause(state)),
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
    await rows.saveShipment(tx, orderId, { attempts, nextCheckAt: plus(ctx.now(), pauses[attempts - 1] ?? hours(1)) });
  });
}

/** What is known of the parcels of these orders; orders without a parcel are left out. `isBehind`: the carrier did not answer when he was last asked. */
export async function shipments(db: Db, orderIds: readonly string[]): Promise<Shipment[]> {
  return (await rows.shipmentsOf(db, orderIds)).map(({ orderId, state, trackingNumber, steps, heardAt, attempts, carrierId }) =>
    ({ orderId, state, trackingNumber, steps, heardAt, isBehind: attempts > 0 && carrierId !== null }));
}

/** For an order whose legal term is over: what was to be registered names the recipient. */
export const forgetRecipient = (tx: Db, orderId: string): Promise<void> => rows.forgetRecipient(tx, orderId);
