import type { Tx } from "#kit/db.ts";
import { done, fail, type Result } from "#kit/result.ts";
import type { Ctx } from "#shop/context.ts";
import * as shipping from "#shop/delivery/shipping.service.ts";
import * as payment from "#shop/payment/service.ts";
import * as stock from "#shop/stock/service.ts";
import { receiptLinesOf } from "../receipts/receipt.ts";
import { piecesOf, type OrderError, type RefundAfterRecall, type StaffEditEvent, type StoredLine } from "../order.ts";
import * as rows from "../repository.ts";
import type { StoredOrder } from "../stored-order.repository.ts";
import { advance, isSentByCarrier } from "../transition.service.ts";

type Pieces = readonly { coinId: number; quantity: number }[];

/** Whether the order has these pieces: each coin is named once, with no more pieces than are left. */
function areAvailable(lines: readonly StoredLine[], pieces: Pieces, leftOf: (line: StoredLine) => number): boolean {
  if (new Set(pieces.map(({ coinId }) => coinId)).size !== pieces.length) return false;
  return pieces.every(({ coinId, quantity }) => lines.some((line) => line.coinId === coinId && quantity > 0 && quantity <= leftOf(line)));
}

const count = (pieces: readonly { quantity: number }[]): number => pieces.reduce((sum, { quantity }) => sum + quantity, 0);
const notReturned = (line: StoredLine): number => piecesOf(line) - line.returned;

function refused(
  order: StoredOrder,
  leftOf: (line: StoredLine) => number,
): Result<never, Extract<OrderError, { code: "order.pieces_refused" }>> {
  return fail({ code: "order.pieces_refused", left: order.lines.map((line) => ({ coinId: line.coinId, quantity: leftOf(line) })) });
}

/** Whether these pieces can be dropped: refuses with `order.pieces_refused` as `refundPieces` does. */
export function checkPieces(order: StoredOrder, pieces: Pieces): Result<null, Extract<OrderError, { code: "order.pieces_refused" }>> {
  const isLast = count(pieces) === order.lines.reduce((sum, line) => sum + piecesOf(line), 0);
  return isLast || !areAvailable(order.lines, pieces, piecesOf) ? refused(order, piecesOf) : done(null);
}

/** `isToBeSent`: a refund by transfer waits until staff has sent it. */
type Sending = { isToBeSent: boolean };

/**
 * Refunds pieces of an order that is not shipped and removes them from it: they are available again, and the parcel goes without them.
 * A packed order is `paid` again, so that its bag is opened and packed without them. A packed parcel is recalled first: once the carrier
 * has struck it out, the pieces are dropped and refunded; until then nothing changes. The caller has locked the order.
 *
 * Refuses with `order.pieces_refused` for pieces that the order does not have, and for all of its pieces: that is a cancellation; with
 * `order.refund_too_much` when their price cannot be refunded.
 */
export async function refundPieces(
  tx: Tx,
  ctx: Ctx,
  order: StoredOrder,
  wanted: RefundAfterRecall,
  sending: Sending,
): Promise<Result<StoredOrder, OrderError>> {
  const droppable = checkPieces(order, wanted.pieces);
  if (!droppable.ok) return droppable;
  if (order.state !== "assembled") return dropPieces(tx, ctx, order, wanted, sending);

  // Before the parcel is recalled and the bag is opened.
  const plan = await payment.planRefund(tx, order.id, receiptPieces(order, wanted.pieces, wanted.isDeliveryToo));
  if (!plan.ok) return fail({ code: "order.refund_too_much", left: plan.error.left });
  if (!isSentByCarrier(order)) return dropFromPacked(tx, ctx, order, wanted, sending);

  if (order.changeAfterRecall) return fail({ code: "order.event_refused", state: order.state, event: "refund" });
  if (order.refundAfterRecall)
    return isSame(order.refundAfterRecall, wanted)
      ? done(order)
      : fail({ code: "order.event_refused", state: order.state, event: "refund" });
  await payment.lockAttempts(tx, order.id);
  const recall = await shipping.recall(tx, ctx, order.id, { mayTurnBack: false });
  if (recall === "asked") {
    const refundAfterRecall = { ...wanted, ...(ctx.actor.kind === "staff" ? { by: ctx.actor.name } : {}), at: ctx.now() };
    await rows.save(tx, order.id, { refundAfterRecall });
    return done({ ...order, refundAfterRecall });
  }
  return dropFromPacked(tx, ctx, order, wanted, sending);
}

/** Returns a packed order to `paid`, without its seal, and drops the pieces. */
async function dropFromPacked(
  tx: Tx,
  ctx: Ctx,
  order: StoredOrder,
  wanted: RefundAfterRecall,
  sending: Sending,
): Promise<Result<StoredOrder, OrderError>> {
  const unpacked = await advance(tx, ctx, order, "unpack");
  return dropPieces(tx, ctx, unpacked.kind === "moved" ? unpacked.order : order, wanted, sending);
}

/** Whether the same is to be refunded, regardless of who decided it, and when. */
const isSame = (a: RefundAfterRecall, b: RefundAfterRecall): boolean =>
  JSON.stringify({ ...a, by: undefined, at: undefined }) === JSON.stringify({ ...b, by: undefined, at: undefined });

/**
 * Refunds the pieces, removes them from the order and releases their reservation. Refuses with `order.refund_too_much`, writing nothing.
 */
export async function dropPieces(
  tx: Tx,
  ctx: Ctx,
  order: StoredOrder,
  { pieces, isDeliveryToo, key, at }: RefundAfterRecall,
  { isToBeSent }: Sending,
): Promise<Result<StoredOrder, OrderError>> {
  const refunded = await payment.refundPartially(tx, ctx, order.id, {
    ...receiptPieces(order, pieces, isDeliveryToo),
    isToBeSent,
    isDropped: true,
    ...(key === undefined ? {} : { key }),
    ...(at === undefined ? {} : { decidedAt: at }),
  });
  if (!refunded.ok) return fail({ code: "order.refund_too_much", left: refunded.error.left });
  await rows.addPieces(tx, order.id, "dropped", pieces);
  await stock.release(tx, pieces);
  const lines = order.lines.map((line) => ({ ...line, dropped: line.dropped + quantityOf(pieces, line) }));
  return done(await recordEvent(tx, ctx, { ...order, lines }, "drop_pieces"));
}

/** Translates pieces of the order to lines of its receipt, whose last line is the delivery. */
export const receiptPieces = (order: StoredOrder, pieces: Pieces, isDeliveryToo: boolean): payment.PartialRefund => ({
  pieces: [
    ...pieces.map(({ coinId, quantity }) => ({ line: order.lines.findIndex((each) => each.coinId === coinId), quantity })),
    ...(isDeliveryToo ? [{ line: order.lines.length, quantity: 1 }] : []),
  ],
  whole: receiptLinesOf(order),
});

/**
 * Returns pieces of a delivered order to stock; their money is refunded separately. Returning all that is left moves the order to
 * `returned`. The caller has locked the order. Refuses with `order.event_refused` and `order.pieces_refused`.
 */
export async function returnPieces(tx: Tx, ctx: Ctx, order: StoredOrder, pieces: Pieces): Promise<Result<StoredOrder, OrderError>> {
  if (order.state !== "delivered") return fail({ code: "order.event_refused", state: order.state, event: "give_back" });
  if (pieces.length === 0 || !areAvailable(order.lines, pieces, notReturned)) return refused(order, notReturned);
  if (count(pieces) === order.lines.reduce((sum, line) => sum + notReturned(line), 0)) {
    const stepped = await advance(tx, ctx, order, "give_back");
    return done(stepped.kind === "moved" ? stepped.order : order);
  }
  await rows.addPieces(tx, order.id, "returned", pieces);
  await stock.returnToStock(tx, ctx, order.id, pieces);
  const lines = order.lines.map((line) => ({ ...line, returned: line.returned + quantityOf(pieces, line) }));
  return done(await recordEvent(tx, ctx, { ...order, lines }, "give_back_part"));
}

const quantityOf = (pieces: Pieces, { coinId }: StoredLine): number => pieces.find((each) => each.coinId === coinId)?.quantity ?? 0;

/** Adds an event to the history of an order that stays in its state. */
export async function recordEvent(
  tx: Tx,
  ctx: Ctx,
  order: StoredOrder,
  event: "refund" | "refund_part" | "give_back_part" | StaffEditEvent,
): Promise<StoredOrder> {
  const entry = { event, state: order.state, at: ctx.now() };
  await rows.addHistory(tx, ctx, order, entry);
  await rows.touch(tx, order.id);
  return { ...order, history: [...order.history, entry] };
}
