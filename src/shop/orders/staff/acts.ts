import type { Kopecks } from "#kit/money.ts";
import { step } from "#kit/transitions.ts";
import { deliveryById } from "#shop/delivery/delivery.ts";
import { isRefusedByCarrier, type Shipment } from "#shop/delivery/shipment.ts";
import { isPaidOnCollection } from "#shop/payment/payment.ts";
import type { Grant, Permission } from "#shop/staff/role.ts";
import { isClosed, isReserving, orderStates, type Order, type OrderError, type OrderEvent, type OrderState } from "../order.ts";
import { isSealable, isSealed } from "../parcel/seal.ts";

/** Everything that staff can do with an order. The back office draws its buttons from this list, and the server refuses by it. */
export const acts = [
  "assemble",
  "seal",
  "ship",
  "make_ready",
  "arrive",
  "deliver",
  "turn_back",
  "give_back",
  "cancel",
  "confirm_cancel",
  "pay",
  "refund",
  "drop_pieces",
  "settle_refund",
  "resend_parcel",
  "change_recipient",
  "change_point",
  "change_address",
  "add_coins",
  "assign",
  "comment",
] as const;
export type Act = (typeof acts)[number];

const actPermissions: Readonly<Record<Act, Permission>> = {
  assemble: "orders.pack",
  seal: "orders.pack",
  ship: "orders.pack",
  make_ready: "orders.pack",
  arrive: "orders.move",
  deliver: "orders.move",
  turn_back: "orders.move",
  give_back: "orders.move",
  cancel: "orders.move",
  confirm_cancel: "orders.move",
  pay: "money.enter",
  refund: "orders.refund",
  drop_pieces: "orders.refund",
  settle_refund: "orders.refund",
  resend_parcel: "orders.move",
  change_recipient: "orders.edit",
  change_point: "orders.edit",
  change_address: "orders.edit",
  add_coins: "orders.edit",
  assign: "orders.edit",
  comment: "orders.edit",
};

/** Refusals of the back office. */
export type ActError =
  | OrderError
  /** The order has another revision than the one seen. */
  | { code: "staff.stale"; current: Order }
  /** Not possible with the order as it is; `reason` is a Russian sentence. */
  | { code: "staff.act_refused"; reason: string };

/** The facts that the rules depend on. */
export type ActFacts = {
  state: OrderState;
  deliveryId: number;
  paymentMethodId: number;
  /** Money of the order that can still be refunded. */
  left: Kopecks;
  /** Pieces that the buyer gets. */
  pieces: number;
  parcel: Pick<Shipment, "state" | "recall"> | null;
  /** Pieces to be refunded, or a new recipient or place, wait for the carrier's answer to a recall. */
  isRepacking: boolean;
  /** Refunds to be confirmed by hand, or refused by the provider. */
  hasOpenRefund: boolean;
  /** Personal data was erased after the legal term. */
  isAnonymous: boolean;
};

/** An act with the grant of the viewer; `reason`: why it is not possible now, as a Russian sentence. */
export type PossibleAct = { act: Act; grant: Grant | null; reason: string | null };

const noRight = "Вашей роли это действие недоступно";

/** Each act of an order, possible or with the reason why not: first by the role, then by the order. */
export const actsOf = (order: ActFacts, may: (permission: Permission) => Grant | null): PossibleAct[] =>
  acts.map((act) => {
    const grant = may(actPermissions[act]);
    return { act, grant, reason: grant === null ? noRight : refusalOf(act, order) };
  });

const moved = (state: OrderState, event: OrderEvent): boolean => step(orderStates, state, event).kind === "moved";
const repacking = "Посылку отзываем у перевозчика, чтобы собрать заново: дождитесь ответа";
const unpaid = "Заказ ещё не оплачен";
export const noRefundWaits = "Нет возвратов, которые ждут вас";
export const packedAlready = "Заказ уже собран";

const notNow: Record<OrderState, string> = {
  placed: "Заказ ещё не собран",
  awaiting_payment: unpaid,
  paid: "Заказ ещё не собран",
  assembled: "Заказ собран и ждёт отправки",
  cancellation_requested: "Отмена запрошена: решает перевозчик",
  shipped: "Заказ уже в пути",
  ready: "Заказ уже ждёт покупателя",
  delivered: "Заказ уже у покупателя",
  returning: "Посылка возвращается в магазин",
  cancelled: "Заказ отменён",
  returned: "Заказ вернулся",
};

/** A step of the state table is possible in the states that have it. */
const byState =
  (event: OrderEvent) =>
  ({ state }: ActFacts): string | null =>
    moved(state, event) ? null : notNow[state];

/** In the other states the coins are with the buyer, on the shelf again, or about to be. */
const resendableStates: readonly OrderState[] = ["assembled", "shipped", "ready"];

/** Recipient and place can change until the coins are handed over. */
function beforeShipment({ state, isRepacking, isAnonymous }: ActFacts): string | null {
  if (isAnonymous) return "Личные данные заказа стёрты по закону";
  if (isRepacking) return repacking;
  if (state === "cancellation_requested") return notNow[state];
  return isReserving(state) ? null : notNow[state];
}

const refusals: Record<Act, (order: ActFacts) => string | null> = {
  assemble: (order) => (order.state === "assembled" ? packedAlready : byState("assemble")(order)),
  seal: ({ state, deliveryId }) => (!isSealed(deliveryId) ? "Заказ выдают в офисе без пломбы" : isSealable(state) ? null : notNow[state]),
  ship: (order) => {
    if (deliveryById(order.deliveryId)?.type === "office") return "Заказ забирают в офисе";
    if (order.isRepacking) return repacking;
    return byState("ship")(order) ?? (isRefusedByCarrier(order.parcel) ? "Перевозчик отклонил посылку: сначала отправьте её снова" : null);
  },
  make_ready: (order) => {
    if (deliveryById(order.deliveryId)?.type !== "office") return "Заказ не забирают в офисе";
    return order.isRepacking ? repacking : byState("make_ready")(order);
  },
  arrive: byState("arrive"),
  deliver: byState("deliver"),
  turn_back: (order) => (order.state === "assembled" ? "Посылка ещё у нас" : byState("turn_back")(order)),
  give_back: (order) => (order.state === "delivered" ? null : isClosed(order.state) ? notNow[order.state] : "Заказ ещё не у покупателя"),
  cancel: byState("cancel"),
  confirm_cancel: (order) => (order.state === "cancellation_requested" ? null : "Отмену у перевозчика не запрашивали"),
  pay: ({ state, paymentMethodId }) => (isPaidOnCollection(paymentMethodId) && !isClosed(state) ? "Деньги запишутся при выдаче" : null),
  refund: refundRefusal,
  drop_pieces: (order) => {
    if (!isReserving(order.state)) return isClosed(order.state) ? notNow[order.state] : "Посылка уже ушла: можно вернуть деньги";
    if (order.pieces < 2) return "Это последняя монета: отмените заказ";
    return refundRefusal(order);
  },
  settle_refund: ({ hasOpenRefund }) => (hasOpenRefund ? null : noRefundWaits),
  resend_parcel: ({ state, parcel }) => {
    if (!parcel) return "Посылки ещё нет";
    if (!isRefusedByCarrier(parcel)) return "Перевозчик посылку не отклонял";
    if (!resendableStates.includes(state)) return notNow[state];
    return parcel.recall === "asked" || parcel.recall === "sent" ? repacking : null;
  },
  change_recipient: beforeShipment,
  change_point: (order) => (deliveryById(order.deliveryId)?.hasPoint ? beforeShipment(order) : "У этой доставки нет пункта выдачи"),
  change_address: (order) =>
    deliveryById(order.deliveryId)?.isCourier || deliveryById(order.deliveryId)?.type === "special"
      ? beforeShipment(order)
      : "Этот заказ не везут по адресу",
  add_coins: beforeShipment,
  assign: () => null,
  comment: () => null,
};

/** Why assigning an order again is refused: it has this assignee already. Null: no assignee. A Russian sentence. */
export const assignedAlready = (assignee: string | null): string =>
  assignee === null ? "Заказ и так никто не ведёт" : "Этот сотрудник уже ведёт заказ";

function refundRefusal({ state, left, isRepacking }: ActFacts): string | null {
  if (state === "awaiting_payment") return unpaid;
  if (state === "cancellation_requested") return "Деньги вернутся сами, когда перевозчик подтвердит отмену";
  if (isRepacking) return repacking;
  return left > 0 ? null : "Возвращать нечего: денег по заказу у нас нет";
}

/** Why the act is not possible with this order, whatever the role; null: it is possible. */
export const refusalOf = (act: Act, order: ActFacts): string | null => refusals[act](order);
