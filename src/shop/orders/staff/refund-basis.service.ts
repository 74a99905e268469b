import { inTransaction, type Db, type Tx } from "#kit/db.ts";
import type { Kopecks } from "#kit/money.ts";
import type { Ctx } from "#shop/context.ts";
import * as payment from "#shop/payment/service.ts";
import type { OrderState } from "../order.ts";
import * as rows from "../repository.ts";
import type { StoredOrder } from "../stored-order.repository.ts";
import { previewRefund, type RefundRequest } from "./refund.service.ts";

/*
 * The facts to which the approval of a refund is bound. They leave out what a refund does not depend on, such as comments, assignee,
 * recipient, seal, and packing or sending the parcel.
 */

/** The parcel comes back, or came: the buyer gets all of the money then, with or without the refund that was asked for. */
const comingBack: readonly OrderState[] = ["returning", "returned"];

/**
 * What a refund would do now: the sum, where each part of it goes, what is left, and whether pieces leave the order; beside them the pieces
 * of the order, and whether the parcel is coming back. Locks the order.
 */
export const refundBasis = (ctx: Ctx, orderId: string, request: RefundRequest): Promise<unknown> =>
  ofLocked(ctx, orderId, async (tx, order) => {
    const preview = await previewRefund({ ...ctx, db: tx }, orderId, request);
    if (!preview.ok) return { refused: preview.error.code };
    const { left, amount, isDropped, shares } = preview.value;
    const ways = shares.map(({ channel, amount: part }) => ({ channel, part })); // the receipts follow the state of the order
    return { left, amount, isDropped, ways, pieces: piecesOf(order), isComingBack: comingBack.includes(order.state) };
  });

/** The state of an order to be cancelled, its pieces, and its money by payment. Locks the order. */
export const cancelBasis = (ctx: Ctx, orderId: string): Promise<unknown> =>
  ofLocked(ctx, orderId, async (tx, order) => ({
    state: order.state,
    pieces: piecesOf(order),
    payments: await leftByPayment(tx, orderId),
  }));

/** The refunds of an order with their states. Locks the order. */
export const refundsOf = (ctx: Ctx, orderId: string): Promise<unknown> =>
  ofLocked(ctx, orderId, async (tx) =>
    (await payment.refundsOfOrder(tx, orderId)).map(({ id, amount, state }) => ({ id, amount, state })).toSorted(byId),
  );

const ofLocked = (ctx: Ctx, orderId: string, read: (tx: Tx, order: StoredOrder) => Promise<unknown>): Promise<unknown> =>
  inTransaction(ctx.db, async (tx) => {
    const order = await rows.lock(tx, orderId);
    return order && read(tx, order);
  });

const piecesOf = ({ lines }: StoredOrder) =>
  lines.map(({ coinId, quantity, dropped, returned }) => ({ coinId, quantity, dropped, returned })).toSorted((a, b) => a.coinId - b.coinId);

async function leftByPayment(db: Db, orderId: string): Promise<{ method: string; amount: Kopecks }[]> {
  const plan = await payment.planRefund(db, orderId, { amount: await payment.leftToRefund(db, orderId) });
  return plan.ok ? plan.value.shares.map(({ payment: { method }, amount }) => ({ method, amount })) : [];
}

const byId = (a: { id: string }, b: { id: string }): number => (a.id < b.id ? -1 : 1);
