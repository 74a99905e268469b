import { inTransaction, type Db, type Expression, type IdQuery, type Tx } from "#kit/db.ts";
import { kopecks } from "#kit/money.ts";
import { done, fail, type Result } from "#kit/result.ts";
import { days, hours, minutes, plus, seconds } from "#kit/time.ts";
import { isFinal, step } from "#kit/transitions.ts";
import type { Ctx } from "#shop/context.ts";
import { ShipmentRefused, type CarrierShipment, type ShipmentRequest } from "./gateway.ts";
import { advanceRecall, alarmAfter, checkLease, recall, settleUnanswered } from "./recall.service.ts";
import type { ShipmentRow } from "./shipments.repository.ts";
import * as labels from "./labels/repository.ts";
import * as rows from "./repository.ts";
import * as shipmentRows from "./shipments.repository.ts";
import type { DeliveryMoved, RegisterShipment, Shipment, ShipmentError, ShipmentState } from "./shipment.ts";
import { carrierNumber, shipmentStates } from "./shipment.ts";

export { recall } from "./recall.service.ts";

/**
 * Stores a packed parcel in the caller's transaction; the next sweep registers it with the carrier. A recalled parcel starts again under
 * another number. The caller has locked the order. Idempotent.
 */
export async function pack(tx: Tx, ctx: Ctx, request: RegisterShipment): Promise<void> {
  const now = ctx.now();
  await shipmentRows.insertShipment(tx, request, now);
  const stored = await shipmentRows.lockShipment(tx, request.orderId);
  const move = stored && step(shipmentStates, stored.state, "pack");
  if (!stored || move?.kind !== "moved") return;
  await shipmentRows.saveShipment(tx, request.orderId, {
    state: move.to,
    request,
    carrierId: null,
    trackingNumber: null,
    lastCode: null,
    attempts: 0,
    registration: stored.registration + 1,
    recall: null,
    mayTurnBack: true,
    steps: [],
    heardAt: null,
    nextCheckAt: now,
  });
}

/** Handles the job with which earlier releases stored a parcel. Changes nothing when the parcel exists or its order was cancelled. */
export const registerFromJob = (ctx: Ctx, request: RegisterShipment): Promise<void> =>
  shipmentRows.insertShipment(ctx.db, request, ctx.now());

/**
 * Schedules a refused parcel to be sent again under a new number, with this request of the order as it is now.
 * Refuses with `shipment.not_found`, and `shipment.not_refused` for a parcel that the carrier did not refuse.
 */
export async function retry(ctx: Ctx, orderId: string, request: RegisterShipment): Promise<Result<ShipmentState, ShipmentError>> {
  return inTransaction(ctx.db, async (tx) => {
    const stored = await shipmentRows.lockShipment(tx, orderId);
    if (!stored) return fail({ code: "shipment.not_found" });
    const move = step(shipmentStates, stored.state, "retry");
    if (move.kind !== "moved" || isRecalled(stored)) return fail({ code: "shipment.not_refused", state: stored.state });
    await shipmentRows.saveShipment(tx, orderId, {
      state: move.to,
      request,
      carrierId: null,
      trackingNumber: null,
      lastCode: null,
      attempts: 0,
      registration: stored.registration + 1,
      steps: [],
      nextCheckAt: ctx.now(),
    });
    return done(move.to);
  });
}

/** Handles the job with which earlier releases cancelled a parcel. A parcel that is not stored yet will never be registered. */
export async function callOffFromJob(ctx: Ctx, orderId: string): Promise<void> {
  await inTransaction(ctx.db, async (tx) => {
    const stored = await shipmentRows.lockShipment(tx, orderId);
    if (!stored?.recall && (!stored || !isFinished(stored.state))) await recall(tx, ctx, orderId, { mayTurnBack: true });
  });
}

/** Stops the tracking of an order's parcel, because staff has received it. A recall that is not decided yet continues. */
export async function stopTracking(tx: Tx, ctx: Ctx, orderId: string): Promise<void> {
  const stored = await shipmentRows.lockShipment(tx, orderId);
  if (!stored || isRecalled(stored)) return;
  await shipmentRows.saveShipment(tx, orderId, { nextCheckAt: null });
  await settleUnanswered(tx, ctx, stored);
}

const isRecalled = ({ recall: recallState }: ShipmentRow): boolean => recallState === "asked" || recallState === "sent";
/** Whether the parcel has reached a final state. */
const isFinished = (state: ShipmentState): boolean => isFinal(shipmentStates, state) || state === "called_off";

/** The secret last part of the webhook URL: the carrier does not sign its webhooks, so the URL authenticates it. */
const webhookSecret = (ctx: Ctx): string => ctx.secrets.sign("carrier-webhook", "cdek", 40);
/** Whether the last part of a webhook's address is the secret one. Takes the same time for any wrong one. */
export const isWebhookSecret = (ctx: Ctx, given: string): boolean => ctx.secrets.isSigned("carrier-webhook", "cdek", given, 40);

/** Subscribes to the carrier's webhooks once a day; after a failure again in a minute. Without webhooks `sweep` fetches every parcel. */
export async function subscribe(ctx: Ctx): Promise<void> {
  const next = ctx.singleton("delivery.subscribing", () => ({ at: ctx.now() }));
  if (next.at > ctx.now()) return;
  next.at = plus(ctx.now(), minutes(1));
  await ctx.gateways.delivery.subscribe(`${ctx.settings.publicUrl}/api/delivery/cdek/webhook/${webhookSecret(ctx)}`);
  next.at = plus(ctx.now(), days(1));
}

/**
 * Receives a webhook, which is only a hint that a parcel may have moved. A webhook about a known parcel is stored once, and the next
 * sweep fetches the state from the carrier; others are dropped.
 */
export async function receiveWebhook(ctx: Ctx, raw: string): Promise<"stored" | "dropped"> {
  const webhook = ctx.gateways.delivery.readNotification(raw);
  const stored = webhook && (await shipmentRows.byCarrierId(ctx.db, webhook.carrierId));
  if (!stored) return "dropped"; // also for a parcel whose registration has not been answered yet: its own check is due anyway
  await inTransaction(ctx.db, async (tx) => {
    if (!(await shipmentRows.storeWebhook(tx, stored.orderId, webhook, raw, ctx.now()))) return;
    const locked = await shipmentRows.lockShipment(tx, stored.orderId);
    if (!locked) return;
    // A final state does not change; staff has to look into a final state that the carrier withdraws.
    if (isFinished(locked.state) && webhook.isTakenBack)
      ctx.alarm("delivery.failed", { orderId: stored.orderId, reason: `${webhook.code} was taken back` });
    if (!isFinished(locked.state) || (locked.state === "not_delivered" && locked.nextCheckAt))
      await shipmentRows.saveShipment(tx, stored.orderId, { nextCheckAt: ctx.now() });
  });
  return "stored";
}

/**
 * Registers the parcels that are due, advances recalls and fetches the state of the other parcels. Enqueues `delivery.moved` once for each
 * state that concerns the order, and `delivery.recalled` when a recall is decided. No lock is held during a call to the carrier. While the
 * carrier is unavailable, parcels are retried with growing pauses up to an hour.
 */
export async function sweep(ctx: Ctx): Promise<void> {
  for (let turn = 0; turn < parcelsPerSweep; turn += 1) {
    // One at a time: the lease must be longer than the calls, or a recall could overtake a registration in flight.
    const [parcel] = await shipmentRows.claimDue(ctx.db, ctx.now(), plus(ctx.now(), checkLease), 1);
    if (!parcel) return;
    try {
      const reason = isRecalled(parcel)
        ? await advanceRecall(ctx, parcel)
        : await applyCarrierState(ctx, parcel, await fetchState(ctx, parcel));
      if (reason) await postpone(ctx, parcel, reason);
    } catch (error) {
      await postpone(ctx, parcel, error instanceof Error ? error.message : String(error));
    }
  }
}

/** Whether `sweep` has something to do. */
export const hasDue = (ctx: Ctx): Expression => shipmentRows.hasDue(ctx.now());

const parcelsPerSweep = 10;

/** The carrier's answer about a parcel; without `carrierId` the carrier refused to take it and has none. */
type CarrierAnswer = Omit<CarrierShipment, "carrierId"> & { carrierId: string | null };

async function fetchState(ctx: Ctx, { orderId, carrierId, request, registration }: ShipmentRow): Promise<CarrierAnswer> {
  if (carrierId) return ctx.gateways.delivery.track(carrierId);
  if (!request) throw new Error(`shipment of ${orderId} has nothing to register`);
  try {
    return await ctx.gateways.delivery.register(await toCarrier(ctx, request, registration));
  } catch (error) {
    if (!(error instanceof ShipmentRefused)) throw error;
    return { carrierId: null, state: "invalid", trackingNumber: null, rawCode: "INVALID", reason: error.message, steps: [] };
  }
}

async function toCarrier(ctx: Ctx, request: RegisterShipment, registration: number): Promise<ShipmentRequest> {
  const { to, recipient } = request;
  const number = carrierNumber(request.number, registration);
  const lines = request.lines.map(({ unitPriceKopecks, ...line }) => ({ ...line, unitPrice: kopecks(unitPriceKopecks) }));
  if ("pointId" in to) return { number, to, recipient, lines };
  const city = await rows.city(ctx.db, to.cityCode);
  if (!city) throw new Error(`no city ${to.cityCode} to ship to`);
  return { number, to: { carrierCityCode: city.carrierCode, address: to.address, comment: to.comment }, recipient, lines };
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

/** Applies the carrier's state to the parcel. Returns null: nothing is left undecided. */
async function applyCarrierState(ctx: Ctx, { orderId, registration }: ShipmentRow, answer: CarrierAnswer): Promise<null> {
  return inTransaction(ctx.db, async (tx) => {
    const stored = await shipmentRows.lockShipment(tx, orderId);
    if (!stored) return null;
    if (stored.registration !== registration) {
      const late = answer.carrierId ?? answer.state;
      ctx.alarm("delivery.failed", { orderId, reason: `the answer to an earlier registration came late: ${late}` });
      return null;
    }
    await settleUnanswered(tx, ctx, stored);
    if (stored.state === "called_off") {
      await recallLate(tx, ctx, stored, answer);
      return null;
    }
    const move = step(shipmentStates, stored.state, eventOf[answer.state]);
    const state = move.kind === "moved" ? move.to : stored.state;
    if (stored.state === "not_delivered" && answer.state === "delivered" && answer.rawCode !== stored.lastCode) {
      ctx.alarm("delivery.failed", { orderId, reason: `${answer.rawCode} after the parcel was not delivered` });
    }
    // A refused parcel keeps its request, so that it can be sent again; other parcels drop it with the recipient's personal data.
    const keepsRequest = state === "new" || state === "accepted" || state === "invalid";
    const isDone = (isFinished(state) && state !== "not_delivered") || state === "invalid" || isTooOld(ctx, stored);
    const nextCheckAt = isRecalled(stored) ? ctx.now() : isDone ? null : plus(ctx.now(), checkInterval(state));
    await shipmentRows.saveShipment(tx, orderId, {
      state,
      request: keepsRequest ? stored.request : null,
      carrierId: answer.carrierId,
      trackingNumber: answer.trackingNumber ?? stored.trackingNumber,
      lastCode: answer.reason ?? answer.rawCode,
      attempts: 0,
      steps: answer.steps,
      heardAt: ctx.now(),
      nextCheckAt,
    });
    if (move.kind === "moved" && concernsOrder(state)) await ctx.enqueue(tx, "delivery.moved", { orderId, state } satisfies DeliveryMoved);
    if (move.kind === "moved" && state === "invalid") ctx.alarm("delivery.refused", { orderId, reason: answer.reason ?? answer.rawCode });
    return null;
  });
}

/** Handles a registration that succeeded after its parcel was struck out: the new shipment is recalled too. */
async function recallLate(tx: Tx, ctx: Ctx, { orderId, carrierId }: ShipmentRow, answer: CarrierAnswer): Promise<void> {
  const isDecided = answer.state === "invalid" || carrierId !== null;
  if (isDecided) return shipmentRows.saveShipment(tx, orderId, { nextCheckAt: null });
  await shipmentRows.saveShipment(tx, orderId, {
    carrierId: answer.carrierId,
    recall: "asked",
    mayTurnBack: true,
    attempts: 0,
    nextCheckAt: ctx.now(),
  });
}

const concernsOrder = (state: ShipmentState): state is DeliveryMoved["state"] =>
  state === "in_transit" || state === "at_point" || state === "delivered" || state === "not_delivered";

/** Pause before the next check. A parcel on its way back moves slowly, and only staff sees its events. */
const checkInterval = (state: ShipmentState): number =>
  state === "accepted" ? seconds(10) : state === "not_delivered" ? hours(6) : minutes(15);

/** Tracking ends after 90 days: by then the order was cancelled, or staff has handled the parcel. */
const isTooOld = (ctx: Ctx, { createdAt }: ShipmentRow): boolean => plus(createdAt, days(90)) <= ctx.now();

/** As many as failures before the alarm. */
const retryDelays = [seconds(10), seconds(30), minutes(1), minutes(5), minutes(15)];

async function postpone(ctx: Ctx, { orderId }: ShipmentRow, reason: string): Promise<void> {
  await inTransaction(ctx.db, async (tx) => {
    const stored = await shipmentRows.lockShipment(tx, orderId);
    if (!stored) return;
    const attempts = stored.attempts + 1;
    ctx.log.warn({ orderId, attempt: attempts, reason }, "parcel postponed");
    if (attempts === alarmAfter) ctx.alarm("delivery.unanswered", { orderId, reason });
    await shipmentRows.saveShipment(tx, orderId, { attempts, nextCheckAt: plus(ctx.now(), retryDelays[attempts - 1] ?? hours(1)) });
  });
}

/** The parcels of these orders; orders without a parcel are left out. `isBehind`: the last request to the carrier failed. */
export async function shipments(db: Db, orderIds: readonly string[]): Promise<Shipment[]> {
  return (await shipmentRows.shipmentsOf(db, orderIds)).map(
    ({ orderId, state, trackingNumber, recall: recallState, steps, heardAt, attempts, carrierId, lastCode }) => ({
      orderId,
      state,
      refusal: state === "invalid" ? lastCode : null,
      trackingNumber,
      recall: recallState,
      steps,
      heardAt,
      isBehind: attempts > 0 && carrierId !== null && recallState !== "sent",
    }),
  );
}

/** The orders whose parcel the carrier refused, for the condition of another module's query. */
export const refusedParcelIds = (): IdQuery => shipmentRows.refusedParcelIds();

/** The orders with this tracking number; more than one only when the carrier reuses numbers. */
export const orderIdsByTrackingNumber = (db: Db, trackingNumber: string): Promise<string[]> =>
  shipmentRows.orderIdsByTrackingNumber(db, trackingNumber);

/** Erases the recipient's personal data from the parcel of an order whose legal retention period is over. */
export const eraseRecipient = (tx: Db, orderId: string): Promise<void> => shipmentRows.eraseRecipient(tx, orderId);

/** Deletes webhooks of the carrier, old prints of labels and records of imports after `recordDays`. */
export async function deleteOldRecords(ctx: Ctx): Promise<void> {
  const before = plus(ctx.now(), -days(ctx.settings.limits.recordDays));
  await shipmentRows.deleteRecords(ctx.db, before);
  await labels.deleteOld(ctx.db, before);
}

/** Empties the bodies of the carrier's webhooks after `providerEventDays`, page by page. Idempotent. */
export async function eraseOldWebhooks(ctx: Ctx): Promise<void> {
  const cursor = ctx.singleton("delivery.erased", () => ({ event: 0 }));
  const before = plus(ctx.now(), -days(ctx.settings.limits.providerEventDays));
  for (;;) {
    const last = await shipmentRows.eraseWebhookBodies(ctx.db, { after: cursor.event, before, limit: 500 });
    if (last === null) return;
    cursor.event = last;
  }
}
