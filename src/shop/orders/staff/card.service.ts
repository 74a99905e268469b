import { inTransaction } from "#kit/db.ts";
import type { Kopecks } from "#kit/money.ts";
import { done, fail, type Result } from "#kit/result.ts";
import { plus, seconds } from "#kit/time.ts";
import { actorText } from "#shop/actor.ts";
import type { Ctx } from "#shop/context.ts";
import { arrivalSpan, type ArrivalSpan } from "#shop/delivery/arrival.ts";
import { deliveryIds } from "#shop/method-ids.ts";
import * as notifications from "#shop/notifications/service.ts";
import type { SentMessage } from "#shop/notifications/message.ts";
import type { Payment, PaymentOrder, Refund } from "#shop/payment/payment.ts";
import type { FiscalReceipt } from "#shop/payment/receipts/receipt.ts";
import * as payment from "#shop/payment/service.ts";
import type { HistoryEntry, Order, OrderState } from "../order.ts";
import { loadFullOrder } from "../read.service.ts";
import * as orderRows from "../repository.ts";
import type { ActError, ActFacts } from "./acts.ts";
import { loadActFacts } from "./facts.service.ts";
import * as rows from "./notes.repository.ts";

/** Everything that the card of an order shows. */
export type OrderCard = {
  order: Order;
  facts: ActFacts;
  payments: Payment[];
  /** `owed`: what of a refused refund is still to be made; `transfer`: by what staff has paid it. */
  refunds: (Refund & { owed: Kopecks | null; transfer: PaymentOrder | null })[];
  receipts: FiscalReceipt[];
  messages: SentMessage[];
  history: (HistoryEntry & { actor: string | null })[];
  comments: rows.Comment[];
  /** The order to which this one adds coins, and those that add to it. */
  linked: { id: string; number: number }[];
  /** The order is an unpacked addition with free delivery whose first order was cancelled: its parcel would be sent alone. */
  isFreeAlone: boolean;
  expected: ArrivalSpan | null;
};

/** States in which an addition is not packed yet, so that staff can still agree on its delivery with the buyer. */
const beforePacking: readonly OrderState[] = ["awaiting_payment", "paid"];

/** The card of an order; null: there is none. A fixed number of statements, whatever the number of lines. Checks no rights. */
export async function card(ctx: Ctx, orderId: string): Promise<OrderCard | null> {
  const stored = await orderRows.byId(ctx.db, orderId);
  if (!stored) return null;
  const [order, facts, payments, refunds, owedRefunds, receipts, messages, history, comments, linked, parent] = await Promise.all([
    loadFullOrder(ctx.db, stored),
    loadActFacts(ctx.db, stored),
    payment.ofOrder(ctx.db, orderId),
    payment.refundsOfOrder(ctx.db, orderId),
    payment.owedOfOrder(ctx.db, orderId),
    payment.receiptsOfOrder(ctx.db, orderId),
    notifications.messagesOfOrder(ctx.db, orderId),
    rows.historyWithActors(ctx.db, orderId),
    rows.comments(ctx.db, orderId),
    rows.linkedTo(ctx.db, orderId),
    stored.linkedOrderId === null ? null : orderRows.numberAndState(ctx.db, stored.linkedOrderId),
  ]);
  const transfers = await payment.transfersOfRefunds(
    ctx.db,
    refunds.map(({ id }) => id),
  );
  return {
    order,
    facts,
    payments,
    refunds: refunds.map((each) => ({
      ...each,
      owed: owedRefunds.find(({ id }) => id === each.id)?.amount ?? null,
      transfer: transfers.get(each.id) ?? null,
    })),
    receipts,
    messages,
    history,
    comments,
    linked: [...(stored.linkedOrderId !== null && parent !== null ? [{ id: stored.linkedOrderId, number: parent.number }] : []), ...linked],
    isFreeAlone:
      parent?.state === "cancelled" &&
      beforePacking.includes(order.state) &&
      order.delivery.price === 0 &&
      stored.deliveryId !== deliveryIds.office,
    expected: order.delivery.point || order.address ? arrivalSpan(stored.paidAt ?? stored.createdAt, stored.deliverySnapshot) : null,
  };
}

/** Adds an internal comment. Refuses with `order.not_found`. */
export function comment(ctx: Ctx, orderId: string, text: string): Promise<Result<rows.Comment[], ActError>> {
  return inTransaction(ctx.db, async (tx) => {
    if (!(await rows.orderExists(tx, orderId))) return fail({ code: "order.not_found" });
    await rows.addComment(tx, orderId, { at: ctx.now(), author: actorText(ctx.actor), text });
    return done(await rows.comments(tx, orderId));
  });
}

/**
 * Records that a member of staff has the card open. Returns the others who have, and by what an open card recognises that it is outdated.
 * Null: no such order.
 */
export async function seePresent(
  ctx: Ctx,
  orderId: string,
  who: { login: string; name: string },
): Promise<{ others: { login: string; name: string }[]; revision: number; comments: number } | null> {
  const version = await rows.versionOf(ctx.db, orderId);
  if (!version) return null;
  const now = ctx.now();
  await rows.savePresence(ctx.db, orderId, who, now);
  return { others: await rows.present(ctx.db, orderId, { login: who.login, after: plus(now, -presenceLife(ctx)) }), ...version };
}

/** Deletes what the heartbeats of closed cards have left behind. For the sweep. */
export const forgetPresence = (ctx: Ctx): Promise<void> => rows.deletePresence(ctx.db, plus(ctx.now(), -presenceLife(ctx)));

const presenceLife = (ctx: Ctx): number => seconds(ctx.settings.limits.staffPresenceSeconds);

/**
 * Sends a message of the order again, to the recipient that the order has now. Refuses with `order.not_found`, `staff.not_found` and, also
 * while it or a copy of it is being sent, with `staff.act_refused`.
 */
export function resendMessage(
  ctx: Ctx,
  orderId: string,
  messageId: number,
): Promise<
  Result<SentMessage[], { code: "order.not_found" } | { code: "staff.not_found" } | { code: "staff.act_refused"; reason: string }>
> {
  return inTransaction(ctx.db, async (tx) => {
    const order = await orderRows.lock(tx, orderId);
    if (!order) return fail({ code: "order.not_found" });
    const again = await notifications.sendAgain(tx, ctx, { orderId, messageId, email: order.user.email, phone: order.user.phone });
    if (again === "unknown") return fail({ code: "staff.not_found" });
    if (again === "erased") return fail({ code: "staff.act_refused", reason: "Текст сообщения стёрт: срок хранения вышел" });
    if (again === "waiting") return fail({ code: "staff.act_refused", reason: "Уже отправляется: ещё раз отправлять не нужно" });
    if (again === "no_recipient") return fail({ code: "staff.act_refused", reason: "У заказа нет такого адреса или телефона" });
    return done(await notifications.messagesOfOrder(tx, orderId));
  });
}
