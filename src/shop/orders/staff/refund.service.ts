import { priceText } from "#kit/format.ts";
import { inTransaction, type Db } from "#kit/db.ts";
import { add, fromRoubles, kopecks, zero, type Kopecks } from "#kit/money.ts";
import { fromMoscow, moscow } from "#kit/moscow-time.ts";
import { done, fail, type Result } from "#kit/result.ts";
import { days, plus } from "#kit/time.ts";
import { staffLoginOf } from "#shop/actor.ts";
import type { Ctx } from "#shop/context.ts";
import type { ReceiptLine, ReceiptMode } from "#shop/payment/gateway.ts";
import { byHand, type PaymentMethodName } from "#shop/payment/payment.ts";
import * as payment from "#shop/payment/service.ts";
import { isReserving, isReturnOfCancelled, type Order } from "../order.ts";
import * as rows from "../repository.ts";
import * as pending from "./pending.repository.ts";
import type { StoredOrder } from "../stored-order.repository.ts";
import { checkPieces, receiptPieces } from "../returns/pieces.service.ts";
import { carryOut, checkAct, current, lockForAct, type Seen } from "./act.service.ts";
import { refusalOf, type ActError } from "./acts.ts";
import { loadActFacts } from "./facts.service.ts";

/** What is to be refunded: a sum, pieces and the delivery, or everything that is left. */
export type RefundRequest =
  | { kind: "sum"; amount: Kopecks }
  | { kind: "pieces"; pieces: { coinId: number; quantity: number }[]; isDeliveryToo: boolean }
  | { kind: "rest" };

/** How the money goes back: through the provider, by a transfer that staff makes, or in cash at the desk. */
export type RefundChannel = "card" | "sbp" | "transfer" | "desk";

/** What a refund would do. `shares`: one for each payment, with the receipt that will be printed for it and who prints it. */
export type RefundPreview = {
  revision: number;
  left: Kopecks;
  amount: Kopecks;
  leftAfter: Kopecks;
  /** The pieces leave the order and are on sale again, because it is not shipped. */
  isDropped: boolean;
  shares: {
    channel: RefundChannel;
    amount: Kopecks;
    registrar: "provider" | "office";
    mode: ReceiptMode;
    lines: Pick<ReceiptLine, "title" | "quantity" | "unitPrice" | "vatCode">[];
  }[];
  /** Why a second person must approve it, as a Russian sentence; null: not needed. */
  approval: string | null;
};

/**
 * Shows a refund before it is confirmed: what is left, the channel and the lines of the receipt. Changes nothing.
 * Refuses with `order.not_found`, `staff.act_refused`, `order.refund_too_much` and `order.pieces_refused`.
 */
export async function previewRefund(ctx: Ctx, orderId: string, request: RefundRequest): Promise<Result<RefundPreview, ActError>> {
  const order = await rows.byId(ctx.db, orderId);
  if (!order) return fail({ code: "order.not_found" });
  const facts = await loadActFacts(ctx.db, order);
  const isDropped = request.kind === "pieces" && request.pieces.length > 0 && isReserving(order.state);
  const reason = refusalOf(isDropped ? "drop_pieces" : "refund", facts);
  if (reason !== null) return fail({ code: "staff.act_refused", reason });
  const droppable = isDropped ? checkPieces(order, request.pieces) : done(null);
  if (!droppable.ok) return droppable;
  const plan = await payment.planRefund(ctx.db, orderId, partOf(order, request, facts.left));
  if (!plan.ok) return fail({ code: "order.refund_too_much", left: plan.error.left });
  const { left, amount, shares } = plan.value;
  return done({
    revision: order.revision,
    left,
    amount,
    leftAfter: kopecks(left - amount),
    isDropped,
    shares: shares.map((share) => ({
      channel: channelOf(share.payment.method),
      amount: share.amount,
      registrar: share.payment.provider === byHand ? "office" : "provider",
      mode: share.mode,
      lines: share.lines.map(({ title, quantity, unitPrice, vatCode }) => ({ title, quantity, unitPrice, vatCode })),
    })),
    approval: await approvalReason(ctx, orderId, amount),
  });
}

function partOf(order: StoredOrder, request: RefundRequest, left: Kopecks): payment.PartialRefund {
  if (request.kind === "sum") return { amount: request.amount };
  if (request.kind === "rest") return { amount: left };
  return receiptPieces(order, request.pieces, request.isDeliveryToo);
}

const channels: Record<PaymentMethodName, RefundChannel> = { card: "card", sbp: "sbp", invoice: "transfer", on_collection: "desk" };
const channelOf = (method: PaymentMethodName): RefundChannel => channels[method];

/**
 * Why a refund of this sum needs a second person: with it the refunds of the order, or those that the clerk decided today, exceed a limit.
 * Sums that wait for the carrier's answer to a recall count, too. Null: it does not. The actor of the context is the clerk.
 */
export async function approvalReason(ctx: Ctx, orderId: string, amount: Kopecks): Promise<string | null> {
  const ofOrder = await orderReason(ctx, orderId, amount);
  if (ofOrder !== null || !(await isOverDay(ctx, orderId, amount, dayOf(ctx.now())))) return ofOrder;
  return `Возвраты сотрудника за день больше ${priceText(fromRoubles(ctx.settings.limits.refundApprovalDayRoubles))}: нужен второй человек`;
}

/**
 * Why a second person must approve that the order's refused refunds are sent again; `only`: this one. They count for the clerk who decided
 * them, on that day: a refused refund counts for nothing, so that a clerk could otherwise decide any sum in a day and have it sent later.
 * Null: not needed, as for refunds that no member of staff decided.
 */
export async function retryReason(ctx: Ctx, orderId: string, only?: string): Promise<string | null> {
  const owed = (await payment.owedOfOrder(ctx.db, orderId)).filter(({ id }) => only === undefined || id === only);
  const decided = owed.flatMap(({ actor, ...refund }) => {
    const login = staffLoginOf(actor ?? "");
    return login === null ? [] : [{ ...refund, login, day: moscow(refund.decidedAt).date }];
  });
  if (decided.length === 0) return null;
  const ofOrder = await orderReason(ctx, orderId, add(...decided.map(({ amount }) => amount)));
  if (ofOrder !== null) return ofOrder;
  for (const { login, day, decidedAt } of decided) {
    const ofDay = decided.filter((each) => each.login === login && each.day === day).map(({ amount }) => amount);
    const clerk: Ctx = { ...ctx, actor: { kind: "staff", name: login } };
    if (await isOverDay(clerk, orderId, add(...ofDay), dayOf(decidedAt)))
      return `Возвраты сотрудника за день больше ${priceText(fromRoubles(ctx.settings.limits.refundApprovalDayRoubles))}: нужен второй человек`;
  }
  return null;
}

async function orderReason({ db, settings }: Ctx, orderId: string, amount: Kopecks): Promise<string | null> {
  const limit = fromRoubles(settings.limits.refundApprovalOrderRoubles);
  const isOver = add(await payment.refundedByStaff(db, orderId), amount) > limit;
  return isOver ? `Возвраты по заказу больше ${priceText(limit)}: нужен второй человек` : null;
}

/** A day in Moscow. */
type Day = { from: Date; till: Date };
function dayOf(at: Date): Day {
  const from = fromMoscow(moscow(at).date);
  return { from, till: plus(from, days(1)) };
}

async function isOverDay(ctx: Ctx, orderId: string, amount: Kopecks, day: Day): Promise<boolean> {
  // In this order: a sum whose refund is made meanwhile is counted twice rather than not at all.
  const waiting = await waitingForCarrier(ctx, day, orderId);
  return add(waiting, await madeOn(ctx, day), amount) > fromRoubles(ctx.settings.limits.refundApprovalDayRoubles);
}

/**
 * The clerk's refunds of a day, without those of orders cancelled earlier, whose money waited for the carrier: they counted on that day.
 * One that was paid by transfer counts on the day of the transfer, too.
 */
async function madeOn(ctx: Ctx, { from, till }: Day): Promise<Kopecks> {
  if (ctx.actor.kind !== "staff") return zero;
  const made = await payment.refundsBy(ctx, from, till);
  const whole = made.filter(({ cause }) => cause === "cancelled" || cause === "returned");
  const requested = await pending.cancelRequestedBy(
    ctx.db,
    ctx.actor.name,
    whole.map(({ orderId }) => orderId),
  );
  const earlier = new Set(requested.filter((order) => (cancelRequestedAt(order) ?? from) < from).map(({ id }) => id));
  const ofDay = made.filter((refund) => !(whole.includes(refund) && !refund.isByTransfer && earlier.has(refund.orderId)));
  return add(...ofDay.map(({ amount }) => amount));
}

/** When the cancellation was requested from the carrier; null: never, or the carrier refused it. */
function cancelRequestedAt({ history }: StoredOrder): Date | null {
  const at = history.findLastIndex(({ event }) => event === "request_cancel");
  return history[at + 1]?.event === "refuse_cancel" ? null : (history[at]?.at ?? null);
}

/**
 * The sum of the clerk's refunds of a day that are not made yet, because the carrier has to answer a recall or return the parcel first:
 * pieces to be dropped and cancelled orders, without those of `orderId`.
 */
async function waitingForCarrier({ db, actor }: Ctx, day: Day, orderId: string): Promise<Kopecks> {
  if (actor.kind !== "staff") return zero;
  const sums: Kopecks[] = [];
  for (const order of await pending.decidedByStaff(db, actor.name)) {
    if (order.id !== orderId) sums.push(await sumWaiting(db, order, day));
  }
  return add(...sums);
}

async function sumWaiting(db: Db, order: StoredOrder, { from, till }: Day): Promise<Kopecks> {
  if (order.refundAfterRecall) {
    const { pieces, isDeliveryToo, at } = order.refundAfterRecall;
    if (at !== undefined && (at < from || at >= till)) return zero;
    const plan = await payment.planRefund(db, order.id, receiptPieces(order, pieces, isDeliveryToo));
    return plan.ok ? plan.value.amount : zero;
  }
  const isWaiting = order.state === "cancellation_requested" || isReturnOfCancelled(order);
  const requestedAt = isWaiting ? cancelRequestedAt(order) : null;
  return requestedAt !== null && requestedAt >= from && requestedAt < till ? payment.leftToRefund(db, order.id) : zero;
}

/**
 * The sum that a cancellation by staff sends back: all that is left of the order's money. Zero when the act would be refused. Locks the
 * order, so that no payment is recorded between this answer and the cancellation in the same transaction.
 */
export function refundOfCancel(ctx: Ctx, seen: Seen, act: "cancel" | "confirm_cancel"): Promise<Kopecks> {
  return inTransaction(ctx.db, async (tx) => {
    const locked = await lockForAct(tx, seen, act);
    return locked.ok ? payment.leftToRefund(tx, seen.orderId) : zero;
  });
}

/**
 * Refuses what `refund` would refuse now, for a refund that is made later: when a second person has approved it. Locks the order for the
 * rest of the transaction of `ctx.db`.
 */
export function checkRefund(ctx: Ctx, seen: Seen, request: RefundRequest, key: string): Promise<Result<null, ActError>> {
  return inTransaction(ctx.db, async (tx) => {
    const inside = { ...ctx, db: tx };
    if (await isMade(tx, await rows.lock(tx, seen.orderId), key)) return done(null);
    const preview = await previewRefund(inside, seen.orderId, request);
    return preview.ok ? checkAct(inside, seen, actOf(preview.value)) : preview;
  });
}

const actOf = ({ isDropped }: RefundPreview) => (isDropped ? "drop_pieces" : "refund");

/** Whether a refund with this key was made, or waits for the carrier. */
const isMade = async (db: Db, order: StoredOrder | null, key: string): Promise<boolean> =>
  order !== null && (order.refundAfterRecall?.key === key || (await payment.isRefundedWithKey(db, order.id, key)));

/**
 * Refunds once per `key`: a repeated call returns the order as it is. Pieces of an order that is not shipped leave it.
 * A transfer waits among the refunds by hand until staff has sent it.
 * Refuses as `previewRefund` and `carryOut` do. `amount` is the sum that goes back; zero for a repeated call.
 */
export async function refund(
  ctx: Ctx,
  seen: Seen,
  request: RefundRequest,
  key: string,
): Promise<Result<{ order: Order; amount: Kopecks }, ActError>> {
  return inTransaction(ctx.db, async (tx) => {
    const locked = await rows.lock(tx, seen.orderId);
    if (await isMade(tx, locked, key)) return done({ order: await current(tx, seen.orderId), amount: zero });
    const inside = { ...ctx, db: tx };
    const preview = await previewRefund(inside, seen.orderId, request);
    if (!preview.ok) return preview;
    const { amount } = preview.value;
    const part = request.kind === "pieces" ? { pieces: request.pieces, isDeliveryToo: request.isDeliveryToo } : { amount };
    const after = await carryOut(inside, seen, actOf(preview.value), { ...part, refundKey: key, isToBeSent: true });
    return after.ok ? done({ order: after.value, amount }) : after;
  });
}
