import type { QueryBatch, Tx } from "#kit/db.ts";
import { hoursLine } from "#kit/format.ts";
import { subtract, times, type Kopecks } from "#kit/money.ts";
import type { Ctx } from "#shop/context.ts";
import * as customers from "#shop/customers/service.ts";
import { arrivalSpan } from "#shop/delivery/arrival.ts";
import { deliveryMethods } from "#shop/delivery/delivery.ts";
import * as shipping from "#shop/delivery/shipping.service.ts";
import { isSuppressible, type CancelReason, type OrderMessageKind, type MessageOrder } from "#shop/notifications/message.ts";
import * as notifications from "#shop/notifications/service.ts";
import { isPaidOnCollection, methodById } from "#shop/payment/payment.ts";
import { isReturnOfCancelled, remainingLines, type OrderEvent } from "../order.ts";
import { keyOf } from "../read.service.ts";
import type { StoredOrder } from "../stored-order.repository.ts";
import { insuredValue } from "../parcel/seal.ts";

/** The message kind of each event about which the buyer is notified. */
const messageKindOf: Partial<Record<OrderEvent, OrderMessageKind>> = {
  pay: "order_paid",
  cancel: "order_cancelled",
  expire: "order_cancelled",
  confirm_cancel: "order_cancelled",
  request_cancel: "cancel_requested",
  refuse_cancel: "cancel_refused",
  start_return: "order_returning",
  ship: "order_shipped",
  make_ready: "order_ready",
  arrive: "order_ready",
  deliver: "order_delivered",
  turn_back: "order_returned",
};

/** The buyer of a new order: whether the phone is the signed-in customer's own, and the hashed network address. */
type NewOrderBuyer = { isPhoneConfirmed: boolean; origin: string | null };

/** The message that an order was placed, written in one batch with it. SMS go to a confirmed phone only: a visitor may enter any phone. */
export function placedBatch(tx: Tx, ctx: Ctx, order: StoredOrder, { isPhoneConfirmed, origin }: NewOrderBuyer): QueryBatch<void> {
  return notifications.notifyBatch(tx, ctx, {
    kind: "order_placed",
    about: `order:${order.id}`,
    email: order.user.email,
    phone: isPhoneConfirmed ? order.user.phone : "",
    order: toMessageOrder(ctx, order, null),
    ...(origin ? { origin } : {}),
    ...(isByInvoice(order) ? { attachment: `invoice:${order.id}` as const } : {}),
  });
}

/**
 * Writes the message about an order's event to the outbox, in the transaction of the event; each event has its message once.
 * An unpaid order sends SMS to a confirmed phone only, because a visitor may enter any phone.
 */
export async function notifyBuyer(tx: Tx, ctx: Ctx, event: OrderEvent, order: StoredOrder): Promise<void> {
  const kind = messageKindOf[event];
  if (!kind) return;
  const isFree = isSuppressible(kind) && order.paid === 0;
  const hasSms = !isFree || (await isPhoneConfirmed(tx, ctx, order));
  const parcels = event === "ship" ? await shipping.shipments(tx, [order.id]) : [];
  const messageOrder = toMessageOrder(ctx, order, parcels[0]?.trackingNumber ?? null);
  // A cancellation may be requested again after the carrier refused it.
  const about =
    kind === "cancel_requested" || kind === "cancel_refused" ? `recall:${order.id}:${order.history.length}` : `order:${order.id}`;
  await notifications.notify(tx, ctx, {
    kind,
    about,
    email: order.user.email,
    phone: hasSms ? order.user.phone : "",
    order: messageOrder,
    ...(kind === "order_cancelled" ? { reason: cancelReason(ctx, event, order) } : {}),
  });
}

async function isPhoneConfirmed(tx: Tx, ctx: Ctx, order: StoredOrder): Promise<boolean> {
  const customer = order.customerId === null ? null : await customers.byId({ ...ctx, db: tx }, order.customerId);
  return customer?.phone === order.user.phone;
}

function cancelReason(ctx: Ctx, event: OrderEvent, order: StoredOrder): CancelReason {
  if (event === "expire") return isPaidOnCollection(order.paymentMethodId) ? "not_collected_in_time" : "not_paid_in_time";
  if (ctx.actor.kind === "staff") return "by_shop";
  return ctx.actor.kind === "customer" || ctx.actor.kind === "visitor" ? "by_buyer" : "on_request";
}

/** Reminds the buyer of an order paid on collection that its reservation ends soon. Idempotent: one message per order. */
export async function remindToCollect(tx: Tx, ctx: Ctx, order: StoredOrder): Promise<void> {
  const { email, phone } = order.user;
  await notifications.notify(tx, ctx, {
    kind: "order_reminder",
    about: `order:${order.id}`,
    email,
    phone,
    order: toMessageOrder(ctx, order, null),
  });
}

const isByInvoice = (order: StoredOrder): boolean => methodById(order.paymentMethodId)?.name === "invoice";

/**
 * Notifies the buyer of a refund, once per `about`, which names the payment and the refund.
 * `isSurplus`: the money did not pay for the order, which is unchanged. `isByTransfer`: it was paid online and went back by a transfer.
 */
export async function notifyMoneyReturned(
  tx: Tx,
  ctx: Ctx,
  order: StoredOrder,
  { about, amount, isSurplus, isByTransfer }: { about: string; amount: Kopecks; isSurplus: boolean; isByTransfer: boolean },
): Promise<void> {
  await notifications.notify(tx, ctx, {
    kind: isSurplus ? "surplus_returned" : "money_returned",
    about,
    email: order.user.email,
    phone: order.user.phone,
    order: toMessageOrder(ctx, order, null),
    amount,
    isByTransfer,
  });
}

/** Notifies the buyer of a part payment: how much is missing and until when it can be paid. */
export async function notifyPartPayment(
  tx: Tx,
  ctx: Ctx,
  order: StoredOrder,
  { paymentId, came }: { paymentId: string; came: Kopecks },
): Promise<void> {
  await notifications.notify(tx, ctx, {
    kind: "order_part_paid",
    about: `payment:${paymentId}`,
    email: order.user.email,
    phone: order.user.phone,
    order: toMessageOrder(ctx, order, null),
    amount: came,
    missing: subtract(order.total, order.paid),
    attachment: `invoice:${order.id}`,
  });
}

/** Notifies the buyer that the surplus of a transfer will be refunded. */
export async function notifySurplus(
  tx: Tx,
  ctx: Ctx,
  order: StoredOrder,
  { paymentId, amount }: { paymentId: string; amount: Kopecks },
): Promise<void> {
  await notifications.notify(tx, ctx, {
    kind: "money_surplus",
    about: `payment:${paymentId}`,
    email: order.user.email,
    phone: order.user.phone,
    order: toMessageOrder(ctx, order, null),
    amount,
  });
}

function toMessageOrder(ctx: Ctx, order: StoredOrder, trackingNumber: string | null): MessageOrder {
  const { deliverySnapshot: snapshot, address } = order;
  const { shop } = ctx.settings;
  const isOffice = order.deliveryId === deliveryMethods.office.id;
  const street = address ? [address.street, address.house].filter((part) => part !== "").join(", ") : "";
  const place = isOffice ? shop.address : [snapshot.cityName, snapshot.point?.address ?? street].filter((part) => part !== "").join(", ");
  return {
    id: order.id,
    number: order.number,
    guestKey: order.customerId === null ? keyOf(ctx, order.id) : null,
    lines: remainingLines(order.lines).map(({ quantity, line }) => ({ title: line.title, quantity, sum: times(line.price, quantity) })),
    delivery: {
      name: snapshot.name,
      price: snapshot.note === "price_by_manager" ? null : order.deliveryPrice,
      place,
      workTime: isOffice ? hoursLine(shop.hours) : (snapshot.point?.workTime ?? ""),
      trackingNumber,
      sealNumber: order.sealNumber,
      insuredValue: insuredValue(order),
      arrival: isOffice || order.state === "ready" ? null : arrivalSpan(order.paidAt ?? order.createdAt, snapshot),
    },
    total: order.total,
    payUntil: order.state === "awaiting_payment" ? order.reservedUntil : null,
    collectUntil: order.state === "placed" ? order.reservedUntil : null,
    dueOnCollection: isPaidOnCollection(order.paymentMethodId) && order.paid === 0 ? order.total : null,
    moneyOfReturn: order.paid === order.refunded ? "none" : isReturnOfCancelled(order) ? "refunded_in_full" : "refunded_by_staff",
  };
}
