import type { Tx } from "#kit/db.ts";
import type { Ctx } from "#shop/context.ts";
import type { ChangeAfterRecall } from "../order.ts";
import * as rows from "../repository.ts";
import * as seals from "./seal.repository.ts";
import type { StoredOrder } from "../stored-order.repository.ts";
import { advance } from "../transition.service.ts";

/**
 * Writes a new recipient, address or point into the order of a struck-out parcel and registers the parcel again. The bag stays closed, so
 * its seal stays too. The caller has locked the order.
 */
export async function repack(tx: Tx, ctx: Ctx, order: StoredOrder, change: ChangeAfterRecall): Promise<void> {
  const unpacked = await advance(tx, ctx, order, "unpack");
  if (unpacked.kind !== "moved") {
    ctx.alarm("order.change_kept", { orderId: order.id, reason: `the order is ${order.state}` });
    return rows.save(tx, order.id, { changeAfterRecall: null });
  }
  await rows.saveChange(tx, order.id, change);
  if (order.sealNumber !== null) await seals.setSeal(tx, ctx, order.id, order.sealNumber, ctx.now());
  const changed: StoredOrder = {
    ...unpacked.order,
    user: change.user ?? order.user,
    address: change.address ?? order.address,
    deliverySnapshot: change.delivery ?? order.deliverySnapshot,
    sealNumber: order.sealNumber,
  };
  await advance(tx, ctx, await recordChange(tx, ctx, changed, change), "assemble");
}

/** Adds a change by staff to the history, under the member of staff who made it. The caller has locked the order and writes the change. */
export async function recordChange(tx: Tx, ctx: Ctx, order: StoredOrder, change: ChangeAfterRecall): Promise<StoredOrder> {
  const event = change.user ? "change_recipient" : change.address ? "change_address" : "change_point";
  const entry = { event, state: order.state, at: ctx.now() } as const;
  const actor = change.by === undefined ? ctx.actor : { kind: "staff" as const, name: change.by };
  await rows.addHistory(tx, { actor }, order, entry);
  return { ...order, history: [...order.history, entry] };
}
