import { inTransaction, type Tx } from "#kit/db.ts";
import { done, fail, type Result } from "#kit/result.ts";
import type { Ctx } from "#shop/context.ts";
import type { PickupPoint } from "#shop/delivery/delivery.ts";
import type { ShipmentError } from "#shop/delivery/shipment.ts";
import type { Order, StaffDetails, StaffEvent } from "../order.ts";
import { settleWaitingRefunds } from "../payments/waiting-refund.service.ts";
import { loadFullOrder } from "../read.service.ts";
import * as rows from "../repository.ts";
import { recordEvent } from "../returns/pieces.service.ts";
import type { StoredOrder } from "../stored-order.repository.ts";
import * as staff from "../staff.service.ts";
import { noRefundWaits, packedAlready, refusalOf, type Act, type ActError, type ActFacts } from "./acts.ts";
import { loadActFacts } from "./facts.service.ts";

/** An order as a member of staff saw it: a change that was made since then refuses the save. */
export type Seen = { orderId: string; revision: number };

/**
 * Locks the order for an act of staff. Refuses with `order.not_found`; `staff.stale` with the present order when it has another revision
 * than the one seen; `staff.act_refused` with the reason when the act is not possible.
 */
export async function lockForAct(tx: Tx, seen: Seen, act: Act): Promise<Result<StoredOrder, ActError>> {
  const order = await rows.lock(tx, seen.orderId);
  if (!order) return fail({ code: "order.not_found" });
  if (order.revision !== seen.revision) return fail({ code: "staff.stale", current: await loadFullOrder(tx, order) });
  const reason = refusalOf(act, await loadActFacts(tx, order));
  return reason === null ? done(order) : fail({ code: "staff.act_refused", reason });
}

/**
 * Refuses as `lockForAct` does, for an act that is carried out later: when a second person has approved it. Locks the order for the rest of
 * the transaction of `ctx.db`.
 */
export function checkAct(ctx: Ctx, seen: Seen, act: Act): Promise<Result<null, ActError>> {
  return inTransaction(ctx.db, async (tx) => {
    const locked = await lockForAct(tx, seen, act);
    return locked.ok ? done(null) : locked;
  });
}

/** What decides which acts are possible with an order now; null: there is none. */
export async function actFacts({ db }: Pick<Ctx, "db">, orderId: string): Promise<ActFacts | null> {
  const order = await rows.byId(db, orderId);
  return order && loadActFacts(db, order);
}

/** The order before a change, locked for the rest of the transaction of `ctx.db`; null: there is none. */
export function lockOrder(ctx: Ctx, orderId: string): Promise<Order | null> {
  return inTransaction(ctx.db, async (tx) => {
    const order = await rows.lock(tx, orderId);
    return order && loadFullOrder(tx, order);
  });
}

/** The event of each act that is one. */
const eventOf = {
  assemble: "assemble",
  seal: "seal",
  ship: "ship",
  make_ready: "make_ready",
  arrive: "arrive",
  deliver: "deliver",
  turn_back: "turn_back",
  give_back: "give_back",
  cancel: "cancel",
  confirm_cancel: "confirm_cancel",
  pay: "pay",
  refund: "refund",
  drop_pieces: "refund",
} as const satisfies Partial<Record<Act, StaffEvent>>;
export type EventAct = keyof typeof eventOf;

/**
 * Carries out an act that changes state or money, once: a second clerk who saw the same revision is refused. Refuses as `lockForAct` and
 * `apply`.
 */
export function carryOut(ctx: Ctx, seen: Seen, act: EventAct, details: StaffDetails = {}): Promise<Result<Order, ActError>> {
  return inTransaction(ctx.db, async (tx) => {
    const locked = await lockForAct(tx, seen, act);
    if (!locked.ok) return locked;
    const inside = { ...ctx, db: tx };
    const after = await staff.apply(inside, seen.orderId, eventOf[act], details);
    return after.ok ? done(await current(tx, seen.orderId)) : after;
  });
}

/**
 * Settles the order's refunds by hand, which staff has sent, and sends refused ones again; refunds nothing else. Refuses as `lockForAct`.
 */
export function settleRefunds(ctx: Ctx, seen: Seen): Promise<Result<Order, ActError>> {
  return inTransaction(ctx.db, async (tx) => {
    const locked = await lockForAct(tx, seen, "settle_refund");
    if (!locked.ok) return locked;
    const isSettled = await settleWaitingRefunds(tx, ctx, locked.value);
    return isSettled ? done(await current(tx, seen.orderId)) : fail({ code: "staff.act_refused", reason: noRefundWaits });
  });
}

/** Packs one of many orders. One that is packed is refused with `staff.act_refused`, whichever revision was seen: nothing is left to do. */
export function packAmongMany(ctx: Ctx, seen: Seen): Promise<Result<Order, ActError>> {
  return inTransaction(ctx.db, async (tx) => {
    const order = await rows.lock(tx, seen.orderId);
    if (order?.state === "assembled") return fail({ code: "staff.act_refused", reason: packedAlready });
    return carryOut({ ...ctx, db: tx }, seen, "assemble");
  });
}

/** Sends a refused parcel again, to this point of `pointFor` if one is given. Refuses as `lockForAct`, and as `resendParcel` does. */
export function resend(ctx: Ctx, seen: Seen, point: PickupPoint | null): Promise<Result<Order, ActError | ShipmentError>> {
  return inTransaction(ctx.db, async (tx) => {
    const locked = await lockForAct(tx, seen, "resend_parcel");
    if (!locked.ok) return locked;
    const sent = await staff.resendLocked(tx, ctx, locked.value, point);
    return sent.ok ? done(await current(tx, seen.orderId)) : sent;
  });
}

/** Records in a locked order that another one adds coins to it; makes a new revision. */
export async function linkAddition(tx: Tx, ctx: Ctx, order: StoredOrder): Promise<void> {
  await recordEvent(tx, ctx, order, "add_coins");
}

/** The order as it is now, for the answer to a change. */
export async function current(tx: Tx, orderId: string): Promise<Order> {
  const order = await rows.byId(tx, orderId);
  if (!order) throw new Error(`order ${orderId} is gone`);
  return loadFullOrder(tx, order);
}
