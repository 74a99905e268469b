import type { Kopecks } from "#kit/money.ts";
import { isFinal, step, transitions } from "#kit/transitions.ts";
import { currentOf, statusOf, type Payment, type PaymentStatus } from "#shop/payment/payment.ts";
import type { BankReference } from "#shop/payment/bank-transfer.ts";
import type { Shipment } from "#shop/delivery/shipment.ts";
import type { Address, Recipient, ToldDelivery } from "./told.ts";

/** The whole life of an order: state → event → next state. The office draws its buttons from this table too. */
export const orderStates = transitions({
  placed: { assemble: "assembled", cancel: "cancelled", expire: "cancelled" }, // paid on collection
  awaiting_payment: { pay: "paid", cancel: "cancelled", expire: "cancelled" },
  paid: { assemble: "assembled", cancel: "cancelled" },
  assembled: { ship: "shipped", make_ready: "ready", cancel: "cancelled" },
  shipped: { arrive: "ready", deliver: "delivered", turn_back: "returned" },
  ready: { deliver: "delivered", turn_back: "returned" },
  delivered: { give_back: "returned" },
  cancelled: {},
  returned: {},
});
export type OrderState = keyof typeof orderStates;
export type OrderEvent = "pay" | "assemble" | "ship" | "make_ready" | "arrive" | "deliver" | "turn_back" | "give_back" | "cancel" | "expire";

/**
 * What a clerk may do to an order. `pay` says that the money of an invoice has come; `refund` gives the money of a closed order back
 * (or says that it was given back, where it came by transfer or at the desk) and moves nothing.
 */
export const staffEvents = ["pay", "assemble", "ship", "make_ready", "arrive", "deliver", "turn_back", "give_back", "cancel", "refund"] as const;
export type StaffEvent = (typeof staffEvents)[number];

/**
 * What a clerk adds to `pay` and `refund`: how much came or goes back, or which pieces go back. Without it all of it is meant.
 * A sum that came needs its `reference` on the bank's statement, so that it counts once however often it is entered.
 */
export type StaffMoney = { amount?: Kopecks; reference?: BankReference; pieces?: { coinId: number; quantity: number }[]; isDeliveryToo?: boolean };

/** States in which the coins still lie reserved on the shelf. */
export const reservingStates = ["placed", "awaiting_payment", "paid", "assembled"] as const satisfies readonly OrderState[];
/** States in which an order waits for its money; a buyer may have only a few of these at once. */
export const unpaidStates = ["placed", "awaiting_payment"] as const satisfies readonly OrderState[];

/** Nothing more happens to an order here but, perhaps, its coins and its money going back. */
export const finalStates = ["delivered", "cancelled", "returned"] as const satisfies readonly OrderState[];

export type OrderError =
  | { code: "order.not_found" }
  | { code: "order.not_cancellable"; state: OrderState }
  | { code: "order.not_payable"; state: OrderState }
  | { code: "order.too_many_unpaid"; limit: number }
  /** Unpaid orders of this person or address hold as much as they may. */
  | { code: "order.reserve_limit" }
  /** An invoice above `limit` is issued to a signed-in customer's own phone only. */
  | { code: "order.phone_unconfirmed"; limit: Kopecks }
  | { code: "order.event_refused"; state: OrderState; event: StaffEvent }
  | { code: "order.refund_too_much"; left: Kopecks }
  | { code: "order.reference_missing" }
  | { code: "order.transfer_known"; orderNumber: number };

/** Who may see and change an order: its customer, or whoever holds the key from its link. */
export type Viewer = { customerId: string } | { guestKey: string };

export type OrderLine = { coinId: number; slug: string; title: string; quantity: number; price: Kopecks; sum: Kopecks; vatCode: number };

/** The words for the state of the money, in the order of their life. */
export const paymentStatuses = ["pending", "waiting_for_capture", "succeeded", "canceled", "refunded"] as const satisfies readonly PaymentStatus[];

export type Order = {
  id: string;
  /** For people; opens nothing. */
  number: number;
  customerId: string | null;
  state: OrderState;
  lines: OrderLine[];
  delivery: ToldDelivery & { id: number; price: Kopecks; trackingNumber: string | null; parcel: Shipment | null };
  payment: { methodId: number; status: PaymentStatus; paidAt: Date | null };
  user: Recipient;
  address: Address | null;
  total: Kopecks;
  /** Money captured and kept for this order, and what of it went back. */
  paid: Kopecks;
  refunded: Kopecks;
  priceListVersion: number;
  createdAt: Date;
  /** When an unpaid order lets its coins go; null once paid, assembled or closed. */
  reservedUntil: Date | null;
  /** The path so far, oldest first. */
  history: HistoryEntry[];
};
/** Besides the steps: money that came or went in part, or went back, while the order stayed where it was. */
export type HistoryEvent = OrderEvent | "place" | "pay_part" | "refund_part" | "refund";
export type HistoryEntry = { event: HistoryEvent; state: OrderState; at: Date };

/** Whether the buyer may still call the order off; draws the button and decides the call alike. */
export const isCancellable = (state: OrderState): boolean => step(orderStates, state, "cancel").kind === "moved";

/** Whether nothing more can happen but a refund. */
export const isClosed = (state: OrderState): boolean => isFinal(orderStates, state);

/**
 * What the buyer is told about the money: what the order has recorded, else how its attempts stand.
 * A refused attempt leaves the order open for the next one. A success that the order has not recorded yet is still `pending`.
 */
export function paymentStatus(order: Pick<Order, "state" | "paid" | "refunded">, attempts: readonly Payment[]): PaymentStatus {
  if (order.state === "awaiting_payment" && order.paid > 0) return "pending"; // a part of an invoice came
  if (order.paid > 0) return order.refunded === order.paid ? "refunded" : "succeeded";
  const current = currentOf(attempts);
  const status = current ? statusOf(current) : "pending";
  if (order.state === "cancelled") return status === "refunded" ? "refunded" : "canceled";
  return status === "succeeded" || status === "refunded" ? "pending" : status;
}
