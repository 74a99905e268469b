import { inTransaction, type Db, type Tx } from "#kit/db.ts";
import { kopecks } from "#kit/money.ts";
import { done, fail, type Result } from "#kit/result.ts";
import { days, hours, minutes, plus, seconds } from "#kit/time.ts";
import { isFinal, step } from "#kit/transitions.ts";
import type { Ctx } from "#shop/context.ts";
import type { CarrierShipment, ShipmentRequest } from "./gateway.ts";
import { pursueRecall, recall, sendingLease } from "./recall.service.ts";
import type { ShipmentRow } from "./repository.ts";
import * as rows from "./repository.ts";
import type { DeliveryMoved, RegisterShipment, Shipment, ShipmentError, ShipmentState } from "./shipment.ts";
import { carrierNumber, shipmentStates } from "./shipment.ts";

export { recall } from "./recall.service.ts";

/**
 * Notes a packed parcel in the caller's transaction; the next sweep registers it with the carrier. A parcel that was recalled starts anew,
 * under another number. The caller holds the order.
 */
export async function pack(tx: Tx, ctx: Ctx, request: RegisterShipment): Promise<void> {
  const now = ctx.now();
  await rows.insertShipment(tx, request, now);
  const known = await rows.lockShipment(tx, request.orderId);
  const move = known && step(shipmentStates, known.state, "pack");
  if (!known || move?.kind !== "moved") return;
  await rows.saveShipment(tx, request.orderId, {
    state: move.to,
    request,
    carrierId: null,
    trackingNumber: null,
    lastCode: null,
    attempts: 0,
    registration: known.registration + 1,
    recall: null,
    mayTurnBack: true,
    steps: [],
    heardAt: null,
    nextCheckAt: now,
  });
}

/** A parcel that an earlier release noted by a job. Repeated, late, or after its order was cancelled, it changes nothing. */
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
    if (move.kind !== "moved" || !known.request || isRecalled(known)) return fail({ code: "shipment.not_refused", state: known.state });
    await rows.saveShipment(tx, orderId, {
      state: move.to,
      request: { ...known.request, ...(to && { to }) },
      carrierId: null,
      trackingNumber: null,
      lastCode: null,
      attempts: 0,
      registration: known.registration + 1,
      steps: [],
      nextCheckAt: ctx.now(),
    });
    return done(move.to);
  });
}

/** An order that an earlier release cancelled by a job. Before its parcel was noted, this keeps the parcel from ever being registered. */
export async function callOff(ctx: Ctx, orderId: string): Promise<void> {
  await inTransaction(ctx.db, async (tx) => {
    const known = await rows.lockShipment(tx, orderId);
    if (!known?.recall && (!known || !isOver(known.state))) await recall(tx, ctx, orderId, { mayTurnBack: true });
  });
}

/** Staff has the parcel of an order in hand: the carrier is asked about it no more. */
export async function stopTracking(tx: Tx, orderId: string): Promise<void> {
  const known = await rows.lockShipment(tx, orderId);
  if (known && !isRecalled(known)) await rows.saveShipment(tx, orderId, { nextCheckAt: null });
}

const isRecalled = ({ recall: told }: ShipmentRow): boolean => told === "asked" || told === "sent";
/** Nothing more is expected of the parcel. */
const isOver = (state: ShipmentState): boolean => isFinal(shipmentStates, state) || state === "called_off";

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
    if (isOver(locked.state) && news.isTakenBack)
      ctx.alarm("delivery.failed", { orderId: known.orderId, reason: `${news.code} was taken back` });
    if (!isOver(locked.state) || (locked.state === "not_delivered" && locked.nextCheckAt))
      await rows.saveShipment(tx, known.orderId, { nextCheckAt: ctx.now() });
  });
  return "stored";
}

/**
 * Registers the parcels that are due, pursues recalls, and asks where the other parcels are; announces `delivery.moved` once for each step
 * that concerns the order, and `delivery.recalled` once a recall is decided. No lock is held while the carrier is asked. While it is out,
 * parcels wait and are tried again, at last hourly.
 */
export async function sweep(ctx: Ctx): Promise<void> {
  for (let turn = 0; turn < parcelsPerSweep; turn += 1) {
    // One at a time: the lease must outlast the calls, or a recall could overtake a registration that is under way.
    const [parcel] = await rows.claimDue(ctx.db, ctx.now(), plus(ctx.now(), sendingLease), 1);
    if (!parcel) return;
    try {
      const undecided = isRecalled(parcel) ? await pursueRecall(ctx, parcel) : await record(ctx, parcel, await ask(ctx, parcel));
      if (undecided) await putOff(ctx, parcel, undecided);
    } catch (error) {
      await putOff(ctx, parcel, error instanceof Error ? error.message : String(error));
    }
  }
}

const parcelsPerSweep = 10;

async function ask(ctx: Ctx, { orderId, carrierId, request, registration }: ShipmentRow): Promise<CarrierShipment> {
  if (carrierId) return ctx.gateways.delivery.track(carrierId);
  if (!request) throw new Error(`shipment of ${orderId} has nothing to register`);
  return ctx.gateways.delivery.register(await toCarrier(ctx, request, registration));
}

async function toCarrier(ctx: Ctx, request: RegisterShipment, registration: number): Promise<ShipmentRequest> {
  const { to, recipient } = request;
  const number = carrierNumber(request.number, registration);
  const lines = request.lines.map(({ unitPriceKopecks, ...line }) => ({ ...line, unitPrice: kopecks(unitPriceKopecks) }));
  if ("pointId" in to) return { number, to, recipient, lines };
  const city = await rows.city(ctx.db, to.cityCode);
  if (!city) throw new Error(`no city ${to.cityCode} to ship to`);
  return { number, to: { carrierCityCode: city.carrierCode, address: to.address }, recipient, lines };
}

const eventOf = {
  accepted: "accept",
  registered: "register",
  in_transit: "leave",
  at_point: "arrive",
  delivered: "deliver",
  not_delivered: "turn_back",
  invalid: "reject",
} as const satisfies Record<CarrierShipment["state"], string>;

/** Takes over what the carrier said; null, for nothing is left undecided. */
async function record(ctx: Ctx, { orderId, registration }: ShipmentRow, told: CarrierShipment): Promise<null> {
  return inTransaction(ctx.db, async (tx) => {
    const known = await rows.lockShipment(tx, orderId);
    if (!known) return null;
    if (known.registration !== registration) {
      ctx.alarm("delivery.failed", { orderId, reason: `the answer to an earlier registration came late: ${told.carrierId}` });
      return null;
    }
    if (known.state === "called_off") {
      await recallLate(tx, ctx, known, told);
      return null;
    }
    const move = step(shipmentStates, known.state, eventOf[told.state]);
    const state = move.kind === "moved" ? move.to : known.state;
    if (known.state === "not_delivered" && told.state === "delivered" && told.rawCode !== known.lastCode) {
      ctx.alarm("delivery.failed", { orderId, reason: `${told.rawCode} after the parcel was not delivered` });
    }
    // What a refused parcel needs to be sent again is kept; all others no longer need to name their recipient here.
    const isStillOurs = state === "new" || state === "accepted" || state === "invalid";
    const isDone = (isOver(state) && state !== "not_delivered") || state === "invalid" || isForgotten(ctx, known);
    const nextCheckAt = isRecalled(known) ? ctx.now() : isDone ? null : plus(ctx.now(), pause(state));
    await rows.saveShipment(tx, orderId, {
      state,
      request: isStillOurs ? known.request : null,
      carrierId: told.carrierId,
      trackingNumber: told.trackingNumber ?? known.trackingNumber,
      lastCode: told.rawCode,
      attempts: 0,
      steps: told.steps,
      heardAt: ctx.now(),
      nextCheckAt,
    });
    if (move.kind === "moved" && concernsOrder(state)) await ctx.enqueue(tx, "delivery.moved", { orderId, state } satisfies DeliveryMoved);
    if (move.kind === "moved" && state === "invalid") ctx.alarm("delivery.failed", { orderId, reason: told.reason ?? told.rawCode });
    return null;
  });
}

/** A registration got through after its parcel was struck out: what the carrier has now is recalled too. */
async function recallLate(tx: Tx, ctx: Ctx, { orderId, carrierId }: ShipmentRow, told: CarrierShipment): Promise<void> {
  const isDecided = told.state === "invalid" || carrierId !== null;
  if (isDecided) return rows.saveShipment(tx, orderId, { nextCheckAt: null });
  await rows.saveShipment(tx, orderId, {
    carrierId: told.carrierId,
    recall: "asked",
    mayTurnBack: true,
    attempts: 0,
    nextCheckAt: ctx.now(),
  });
}

const concernsOrder = (state: ShipmentState): state is DeliveryMoved["state"] =>
  state === "in_transit" || state === "at_point" || state === "delivered" || state === "not_delivered";

/** A parcel on its way back moves slowly, and its steps are for staff only. */
const pause = (state: ShipmentState): number => (state === "accepted" ? seconds(10) : state === "not_delivered" ? hours(6) : minutes(15));

/** A parcel that never arrived anywhere is not asked about for ever: its order was cancelled, or staff have long been on it. */
const isForgotten = (ctx: Ctx, { createdAt }: ShipmentRow): boolean => plus(createdAt, days(90)) <= ctx.now();

const pauses = [seconds(10), seconds(30), minutes(1), minutes(5), minutes(15)];
/** So many failures in a row are about twenty minutes: somebody should look. */
const alarmAfter = pauses.length;

async function putOff(ctx: Ctx, { orderId }: ShipmentRow, reason: string): Promise<void> {
  await inTransaction(ctx.db, async (tx) => {
    const known = await rows.lockShipment(tx, orderId);
    if (!known) return;
    const attempts = known.attempts + 1;
    ctx.log.warn({ orderId, attempt: attempts, reason }, "parcel is put off");
    if (attempts === alarmAfter) ctx.alarm("delivery.failed", { orderId, reason });
    await rows.saveShipment(tx, orderId, { attempts, nextCheckAt: plus(ctx.now(), pauses[attempts - 1] ?? hours(1)) });
  });
}

/** What is known of the parcels of these orders; orders without a parcel are left out. `isBehind`: the carrier did not answer when he was last asked. */
export async function shipments(db: Db, orderIds: readonly string[]): Promise<Shipment[]> {
  return (await rows.shipmentsOf(db, orderIds)).map(
    ({ orderId, state, trackingNumber, recall: told, steps, heardAt, attempts, carrierId }) => ({
      orderId,
      state,
      trackingNumber,
      recall: told,
      steps,
      heardAt,
      isBehind: attempts > 0 && carrierId !== null && told !== "sent",
    }),
  );
}

/** For an order whose legal term is over: what was to be registered names the recipient. */
export const forgetRecipient = (tx: Db, orderId: string): Promise<void> => rows.forgetRecipient(tx, orderId);

/** Empties the bodies of the carrier's webhooks after `providerEventDays`, in short statements over pages of ids. Safe to repeat. */
export async function eraseOldNews(ctx: Ctx): Promise<void> {
  const place = ctx.held("delivery.erased", () => ({ event: 0 }));
  const before = plus(ctx.now(), -days(ctx.settings.limits.providerEventDays));
  for (;;) {
    const last = await rows.eraseNewsBodies(ctx.db, { after: place.event, before, limit: 500 });
    if (last === null) return;
    place.event = last;
  }
}
