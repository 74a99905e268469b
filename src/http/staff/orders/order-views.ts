import type * as z from "zod";
import { deliveryTexts, orderStatusTexts } from "#contract/texts.ru.ts";
import { messageTexts, paymentTexts, problemTexts, staffEventText } from "#contract/staff/orders/order-texts.ru.ts";
import type { ChangedOrder, OrderCardView, OrderRow, previewRefund, quoteAddition, resendMessage } from "#contract/staff/orders/orders.ts";
import { maskEmail, maskPhone, maskText } from "#kit/text/mask.ts";
import { roublesOrNull, toRoubles } from "#kit/money.ts";
import { isoMoscow } from "#kit/moscow-time.ts";
import type { AdditionError, Quote } from "#shop/checkout/quote.ts";
import { coinImage, currentPicture } from "#shop/catalog/image.ts";
import { deliveryById } from "#shop/delivery/delivery.ts";
import type { ShipmentError } from "#shop/delivery/shipment.ts";
import type { SentMessage } from "#shop/notifications/message.ts";
import type { Order } from "#shop/orders/order.ts";
import type { PaidByTransferError } from "#shop/orders/service.ts";
import { actsOf, type ActError } from "#shop/orders/staff/acts.ts";
import type { OrderCard } from "#shop/orders/staff/card.service.ts";
import type { ListRow } from "#shop/orders/staff/order-list.ts";
import type { RefundPreview } from "#shop/orders/staff/refund.service.ts";
import type { Grant, Permission } from "#shop/staff/role.ts";
import type { StaffRefusal } from "../endpoint.ts";
import { promoView } from "../../views.ts";
import { isoOrNull } from "../views.ts";

type May = (permission: Permission) => Grant | null;

const deliveryName = (deliveryId: number): string => {
  const method = deliveryById(deliveryId);
  return method ? deliveryTexts[method.name] : "";
};

/** A row of the list; the sum only for roles that may see money. */
export const orderRow = (row: ListRow, may: May): OrderRow => ({
  id: row.id,
  number: row.number,
  createdAt: isoMoscow(row.createdAt),
  state: row.state,
  stateText: orderStatusTexts[row.state],
  buyer: [row.buyer.name, row.buyer.lastName].filter(Boolean).join(" "),
  phone: row.buyer.phone === "" ? "" : maskPhone(row.buyer.phone),
  what: [row.titles.join(", "), row.coins > row.titles.length ? `ещё ${row.coins - row.titles.length}` : ""].filter(Boolean).join(", "),
  pieces: row.pieces,
  ...(may("orders.money") ? { sum: toRoubles(row.total) } : {}),
  deliveryId: row.deliveryId,
  delivery: deliveryName(row.deliveryId),
  city: row.cityName,
  paymentId: row.paymentMethodId,
  payment: paymentTexts[row.paymentMethodId] ?? "",
  deadline: isoOrNull(row.reservedUntil ?? row.promisedBy),
  assignee: row.assignee,
  problem: row.problem,
  problemText: row.problem && problemTexts[row.problem],
  tracking: row.trackingNumber,
  revision: row.revision,
});

const maskedPerson = ({ user }: Pick<Order, "user">): Order["user"] => ({
  ...user,
  email: user.email === "" ? "" : maskEmail(user.email),
  phone: user.phone === "" ? "" : maskPhone(user.phone),
});

/** Where the order goes; the street only as hidden text, because it is personal. */
function placeOf({ delivery, address }: Order): string {
  if (delivery.point) return `${delivery.cityName}, ${delivery.point.address}`;
  return address ? [delivery.cityName, maskText(address.street)].filter(Boolean).join(", ") : delivery.cityName;
}

/** The card of an order for one member of staff: without money for roles that may not see it, contacts masked. */
export function orderCardView(
  { order, facts, payments, refunds, receipts, messages, history, comments, linked, isFreeAlone, expected }: OrderCard,
  may: May,
  people: OrderCardView["people"],
): OrderCardView {
  const seesMoney = may("orders.money") !== null;
  const { delivery } = order;
  return {
    id: order.id,
    number: order.number,
    revision: order.revision,
    state: order.state,
    stateText: orderStatusTexts[order.state],
    createdAt: isoMoscow(order.createdAt),
    assignee: order.assignee,
    lines: order.lines.map((line) => ({
      id: line.coinId,
      slug: line.slug,
      title: line.title,
      image: coinImage(currentPicture(line), "reverse", 160),
      count: line.quantity,
      dropped: line.dropped,
      returned: line.returned,
      ...(seesMoney ? { price: toRoubles(line.price), sum: toRoubles(line.sum) } : {}),
    })),
    ...(seesMoney
      ? {
          money: {
            total: toRoubles(order.total),
            ...promoView(order.promo),
            delivery: toRoubles(delivery.price),
            paid: toRoubles(order.paid),
            refunded: toRoubles(order.refunded),
            left: toRoubles(facts.left),
            payments: payments.map(({ id, method, amount, refunded, state, isKept, settledAt, createdAt }) => ({
              id,
              method,
              amount: toRoubles(amount),
              refunded: toRoubles(refunded),
              state,
              isKept,
              at: isoMoscow(settledAt ?? createdAt),
            })),
            refunds: refunds.map(({ id, amount, state, cause, settledAt, createdAt, owed, transfer }) => ({
              id,
              amount: toRoubles(amount),
              state,
              cause,
              at: isoMoscow(settledAt ?? createdAt),
              owed: roublesOrNull(owed),
              transfer,
            })),
            receipts: receipts.map(({ id, kind, state, registrar, amount, settledAt, createdAt }) => ({
              id,
              kind,
              state,
              registrar,
              amount: toRoubles(amount),
              at: isoMoscow(settledAt ?? createdAt),
            })),
          },
        }
      : {}),
    payment: {
      id: order.payment.methodId,
      name: paymentTexts[order.payment.methodId] ?? "",
      paidAt: isoOrNull(order.payment.paidAt),
      payUntil: order.state === "awaiting_payment" ? isoOrNull(order.reservedUntil) : null,
    },
    buyer: { ...maskedPerson(order), customerId: order.customerId },
    delivery: {
      id: delivery.id,
      name: deliveryName(delivery.id),
      city: delivery.cityName,
      place: placeOf(order),
      point: delivery.point && {
        id: delivery.point.id,
        name: delivery.point.name,
        address: delivery.point.address,
        workTime: delivery.point.workTime,
      },
      note: delivery.note === "price_by_manager" ? "Стоимость уточнит менеджер" : "",
      expected: expected && { first: isoMoscow(expected.first), last: isoMoscow(expected.last) },
    },
    parcel: delivery.parcel && {
      state: delivery.parcel.state,
      refusal: delivery.parcel.refusal,
      recall: delivery.parcel.recall,
      tracking: delivery.parcel.trackingNumber,
      steps: delivery.parcel.steps.map(({ name, city, at }) => ({ name, city, at: isoMoscow(at) })),
      isBehind: delivery.parcel.isBehind,
    },
    seal: order.sealNumber,
    ...(seesMoney && delivery.insuredValue !== null ? { insured: toRoubles(delivery.insuredValue) } : {}),
    pending: order.refundAfterRecall ? "pieces" : order.changeAfterRecall ? "change" : null,
    messages: messages.map(messageView),
    history: history.map(({ event, state, at, actor }) => ({
      event,
      text: staffEventText(event, order.payment.methodId),
      state,
      at: isoMoscow(at),
      actor,
    })),
    comments: comments.map((each) => ({ ...each, at: isoMoscow(each.at) })),
    people,
    linked,
    isFreeAlone,
    acts: actsOf(facts, may).map(({ act, grant, reason }) => ({ act, allowed: reason === null, grant, reason })),
  };
}

/** A message with its recipient masked. */
export const messageView = ({
  id,
  channel,
  kind,
  recipient,
  createdAt,
  sentAt,
  state,
}: SentMessage): z.input<(typeof resendMessage)["answer"]>[number] => ({
  id,
  channel,
  kind,
  title: messageTexts[kind] ?? kind,
  to: recipient === "" ? "" : channel === "sms" ? maskPhone(recipient) : maskEmail(recipient),
  at: isoMoscow(createdAt),
  sentAt: isoOrNull(sentAt),
  state,
});

export const changedOrder = ({ id, number, state, revision }: Order): ChangedOrder => ({
  id,
  number,
  state,
  stateText: orderStatusTexts[state],
  revision,
});

export const refundPreviewView = (preview: RefundPreview): z.input<(typeof previewRefund)["answer"]> => ({
  revision: preview.revision,
  left: toRoubles(preview.left),
  amount: toRoubles(preview.amount),
  leftAfter: toRoubles(preview.leftAfter),
  isDropped: preview.isDropped,
  shares: preview.shares.map(({ lines, amount, ...share }) => ({
    ...share,
    amount: toRoubles(amount),
    lines: lines.map(({ title, quantity, unitPrice, vatCode }) => ({ title, count: quantity, price: toRoubles(unitPrice), vatCode })),
  })),
  approval: preview.approval,
});

/** Why a transfer for a refused refund was not recorded, in the contract's format. */
export function refundTransferRefusal(error: PaidByTransferError): StaffRefusal {
  switch (error.code) {
    case "refund.not_found":
      return { code: "staff.not_found" };
    case "refund.not_waiting":
      return { code: "staff.refund_not_waiting" };
    case "refund.transfer_entered":
      return { code: error.code };
    case "refund.other_amount":
      return { code: "staff.refund_other_sum", data: { owed: toRoubles(error.owed) } };
    case "order.transfer_known":
      return { code: error.code, data: { orderNumber: error.orderNumber } };
  }
}

/** The message beside the seal's field when it has the code of a coin. */
export const coinAsSeal = (title: string): string => `Это код монеты, а не номер пломбы: ${title}`;

/** Who made the revision that a stale save met, and the name of the order's present assignee; null: not a member of staff, or not known. */
export type StaleNames = { changedBy: string | null; assignee: string | null };
const noNames: StaleNames = { changedBy: null, assignee: null };

/** A refusal of the services in the contract's format: with the present order for a stale save, with the reason of a refused act. */
export function orderRefusal(error: ActError | ShipmentError, names: StaleNames = noNames): StaffRefusal {
  switch (error.code) {
    case "staff.stale":
      return { code: error.code, data: staleView(error.current, names) };
    case "staff.act_refused":
      return { code: error.code, data: { reason: error.reason } };
    case "order.refund_too_much":
      return { code: error.code, data: { left: toRoubles(error.left) } };
    case "order.pieces_refused":
      return { code: error.code, data: { left: error.left.map(({ coinId, quantity }) => ({ id: coinId, count: quantity })) } };
    case "order.seal_taken":
    case "order.transfer_known":
      return { code: error.code, data: { orderNumber: error.orderNumber } };
    case "order.seal_is_coin":
      return { code: error.code, data: { title: error.title }, fields: { seal: coinAsSeal(error.title) } };
    default:
      return { code: error.code };
  }
}

export const additionView = (
  { id, cartVersion, lines, delivery, total, expiresAt }: Quote,
  now: Date,
): z.input<(typeof quoteAddition)["answer"]> => ({
  quoteId: id,
  revision: cartVersion,
  lines: lines.map(({ coinId, title, quantity, price, sum }) => ({
    id: coinId,
    title,
    count: quantity,
    price: toRoubles(price),
    sum: toRoubles(sum),
  })),
  delivery: { name: deliveryName(delivery.id), price: toRoubles(delivery.price), isTogether: delivery.price === 0 },
  total: toRoubles(total),
  secondsLeft: Math.floor((expiresAt.getTime() - now.getTime()) / 1000),
});

/** Why coins could not be added, in the contract's format. */
export function additionRefusal(error: AdditionError | ActError): StaffRefusal {
  switch (error.code) {
    case "cart.stock_short":
    case "order.stock_short":
      return { code: error.code, data: { short: error.short } };
    case "market.closed":
      return { code: error.code, data: { ids: error.ids } };
    case "request.invalid":
      return { code: "staff.act_refused", data: { reason: "Эту доставку сейчас не посчитать: оформите отдельный заказ" } };
    case "staff.stale":
    case "staff.act_refused":
      return orderRefusal(error);
    default:
      return { code: error.code };
  }
}

/** Why one row of a bulk call was refused, as a Russian sentence. */
export function reasonOf(error: ActError, message: string): string {
  return error.code === "staff.act_refused" ? error.reason : message;
}

function staleView(order: Order, names: StaleNames) {
  const last = order.history.at(-1);
  return {
    revision: order.revision,
    current: {
      state: order.state,
      stateText: orderStatusTexts[order.state],
      buyer: maskedPerson(order),
      place: placeOf(order),
      assignee: order.assignee,
      assigneeName: names.assignee ?? order.assignee,
      seal: order.sealNumber,
      changedAt: isoMoscow(last?.at ?? order.createdAt),
      changedBy: names.changedBy,
    },
  };
}
