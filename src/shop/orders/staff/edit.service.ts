import { inTransaction, type Tx } from "#kit/db.ts";
import { done, fail, type Result } from "#kit/result.ts";
import type { Ctx } from "#shop/context.ts";
import type { PickupPoint } from "#shop/delivery/delivery.ts";
import * as shipping from "#shop/delivery/shipping.service.ts";
import * as payment from "#shop/payment/service.ts";
import type { ChangeAfterRecall, Order } from "../order.ts";
import { recordChange, repack } from "../parcel/repack.service.ts";
import * as rows from "../repository.ts";
import type { StoredOrder } from "../stored-order.repository.ts";
import type { Address, Recipient } from "../snapshot.ts";
import { withPoint } from "../staff.service.ts";
import { isSentByCarrier } from "../transition.service.ts";
import { current, lockForAct, type Seen } from "./act.service.ts";
import { assignedAlready, type ActError } from "./acts.ts";

/** What staff changes before the shipment, one at a time; the point comes from `pointFor`. */
export type OrderEdit =
  | { act: "change_recipient"; user: Recipient }
  | { act: "change_point"; point: PickupPoint }
  | { act: "change_address"; address: Address };

/**
 * Changes the recipient, the pickup point or the address of an order that is not shipped. A packed parcel is recalled first: once the
 * carrier has struck it out, it is registered again with the change; until then the order is unchanged and is not shipped.
 * Refuses as `lockForAct`.
 */
export function edit(ctx: Ctx, seen: Seen, wanted: OrderEdit): Promise<Result<Order, ActError>> {
  return inTransaction(ctx.db, async (tx) => {
    const locked = await lockForAct(tx, seen, wanted.act);
    if (!locked.ok) return locked;
    await applyEdit(tx, ctx, locked.value, changeOf(ctx, locked.value, wanted));
    return done(await current(tx, seen.orderId));
  });
}

function changeOf(ctx: Ctx, order: StoredOrder, wanted: OrderEdit): ChangeAfterRecall {
  const by = ctx.actor.kind === "staff" ? { by: ctx.actor.name } : {};
  if (wanted.act === "change_recipient") return { user: wanted.user, ...by };
  if (wanted.act === "change_address") return { address: wanted.address, ...by };
  return { delivery: withPoint(order.deliverySnapshot, wanted.point), ...by };
}

async function applyEdit(tx: Tx, ctx: Ctx, order: StoredOrder, change: ChangeAfterRecall): Promise<void> {
  if (order.state !== "assembled" || !isSentByCarrier(order)) {
    await rows.saveChange(tx, order.id, change);
    await recordChange(tx, ctx, order, change);
    return;
  }
  await payment.lockAttempts(tx, order.id); // payments are locked before the parcel
  const recall = await shipping.recall(tx, ctx, order.id, { mayTurnBack: false });
  if (recall === "asked") return rows.save(tx, order.id, { changeAfterRecall: change });
  await repack(tx, ctx, order, change);
}

/** Sets the assignee of the order; null: none. Refuses as `lockForAct`. */
export function assign(ctx: Ctx, seen: Seen, assignee: string | null): Promise<Result<Order, ActError>> {
  return inTransaction(ctx.db, async (tx) => {
    const locked = await lockForAct(tx, seen, "assign");
    if (!locked.ok) return locked;
    await rows.save(tx, seen.orderId, { assignee });
    return done(await current(tx, seen.orderId));
  });
}

/**
 * The same for one of many orders. One that has this assignee already is refused with `staff.act_refused`, whichever revision was seen:
 * nothing is left to do with it.
 */
export function assignAmongMany(ctx: Ctx, seen: Seen, assignee: string | null): Promise<Result<Order, ActError>> {
  return inTransaction(ctx.db, async (tx) => {
    const order = await rows.lock(tx, seen.orderId);
    if (order?.assignee === assignee) return fail({ code: "staff.act_refused", reason: assignedAlready(assignee) });
    return assign({ ...ctx, db: tx }, seen, assignee);
  });
}

/** One row of a bulk call: its answer does not depend on the other rows. */
export type BulkResult = { orderId: string; result: Result<Order, ActError> };

/**
 * Does the same to several orders. Each runs in a savepoint of its own, in the order of their ids, so that two bulk calls cannot wait for
 * each other; a refused order changes nothing and does not stop the rest. The results have the order of `orderIds`.
 */
export async function eachOrder(
  ctx: Ctx,
  orderIds: readonly string[],
  work: (ctx: Ctx, seen: Seen) => Promise<Result<Order, ActError>>,
): Promise<BulkResult[]> {
  const results = new Map<string, Result<Order, ActError>>();
  for (const orderId of [...new Set(orderIds)].toSorted()) {
    results.set(
      orderId,
      await inTransaction(ctx.db, async (tx) => {
        const order = await rows.lock(tx, orderId);
        return order ? work({ ...ctx, db: tx }, { orderId, revision: order.revision }) : fail({ code: "order.not_found" as const });
      }),
    );
  }
  return [...results.keys()]
    .toSorted((a, b) => orderIds.indexOf(a) - orderIds.indexOf(b))
    .flatMap((orderId) => {
      const result = results.get(orderId);
      return result ? [{ orderId, result }] : [];
    });
}
