import type { Kopecks } from "#kit/money.ts";
import { isFinal, step, transitions } from "#kit/transitions.ts";
import { currentOf, statusOf, type Payment, type PaymentStatus } from "#shop/payment/payment.ts";
import type { BankReference } from "#shop/payment/transfers/bank-transfer.ts";
import type { Shipment } from "#shop/delivery/shipment.ts";
import type { Address, Recipient, DeliverySnapshot } from "./snapshot.ts";

/** Number of orders on a page of a customer's orders. */
export const ordersPageSize = 20;

/** The state table of an order: state → event → next state. The back office derives its buttons from it. */
export const orderStates = transitions({
  placed: { assemble: "assembled", cancel: "cancelled", expire: "cancelled" }, // paid on collection
  awaiting_payment: { pay: "paid", cancel: "cancelled", expire: "cancelled" },
  paid: { assemble: "assembled", cancel: "cancelled" },
  // With a parcel at the carrier `cancel` becomes `request_cancel`, and `unpack` follows its recall: the carrier decides.
  assembled: { ship: "shipped", make_ready: "ready", cancel: "cancelled", request_cancel: "cancellation_requested", unpack: "paid" },
  // The shop requested the parcel back from the carrier: coins and money stay as they are until it answers.
  cancellation_requested: { confirm_cancel: "cancelled", refuse_cancel: "assembled", start_return: "returning" },
  shipped: { arrive: "ready", deliver: "delivered", start_return: "returning", turn_back: "returned" },
  ready: { deliver: "delivered", start_return: "returning", turn_back: "returned" },
  // On its way back to the shop: its coins count as sold until staff confirms the parcel.
  returning: { deliver: "delivered", turn_back: "returned" },
  delivered: { give_back: "returned" },
  cancelled: {},
  returned: {},
});
export type OrderState = keyof typeof orderStates;
export type OrderEvent =
  | "pay"
  | "assemble"
  | "unpack"
  | "ship"
  | "make_ready"
  | "arrive"
  | "deliver"
  | "start_return"
  | "turn_back"
  | "give_back"
  | "cancel"
  | "request_cancel"
  | "confirm_cancel"
  | "refuse_cancel"
  | "expire";

/**
 * What staff may do with an order. `pay` records the money of an invoice. `refund` refunds a closed order, or confirms a refund that was
 * paid by hand, and does not change the state. `turn_back` confirms that the parcel is back at the shop. `seal` enters or corrects the
 * number of the bag's seal. `confirm_cancel` confirms a cancellation that the carrier does not decide. `give_back` with pieces returns
 * those pieces of a delivered order to stock.
 */
export const staffEvents = [
  "pay",
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
  "refund",
] as const;
export type StaffEvent = (typeof staffEvents)[number];

/** The action, in the audit and among approvals, that records a transfer by which staff has paid a refused refund. */
export const refundTransferAction = "order.refund_transfer";

/**
 * Details of a staff event. With `pay` and `refund`: the sum, or the pieces to refund; without them the whole is meant.
 * A received sum needs its `reference` in the bank's statement, so that it counts once however often it is entered.
 */
export type StaffDetails = {
  amount?: Kopecks;
  reference?: BankReference;
  pieces?: { coinId: number; quantity: number }[];
  isDeliveryToo?: boolean;
  /** With `assemble` and `seal`: the number of the bag's seal (`readSealNumber`). */
  sealNumber?: string;
  /** With `refund` of a part: a repeated key refunds once. */
  refundKey?: string;
  /** With `refund` of a part: a transfer is yet to be sent, and waits until staff confirms it; without it, it counts as sent. */
  isToBeSent?: boolean;
};

/** Pieces to refund once the carrier has struck the packed parcel out; until then they are neither refunded nor on sale. */
export type RefundAfterRecall = {
  pieces: { coinId: number; quantity: number }[];
  isDeliveryToo: boolean;
  /** The refund is made once per key. */
  key?: string;
  /** Login of the member of staff who decided it, and when; absent in refunds decided before they were stored. */
  by?: string;
  at?: Date;
};

/** Recipient, address or point to write once the carrier has struck the packed parcel out; then the parcel is registered again. */
export type ChangeAfterRecall = {
  user?: Recipient;
  address?: Address;
  delivery?: DeliverySnapshot;
  /** Login of the member of staff who made the change; absent in changes made before it was stored. */
  by?: string;
};

/** States in which the coins are reserved in stock. */
export const reservingStates = [
  "placed",
  "awaiting_payment",
  "paid",
  "assembled",
  "cancellation_requested",
] as const satisfies readonly OrderState[];
/** Whether the coins of an order in this state are reserved in stock. */
export const isReserving = (state: OrderState): boolean => (reservingStates as readonly OrderState[]).includes(state);
/** States in which the coins have left the stock. */
export const soldStates = ["shipped", "ready", "delivered", "returning", "returned"] as const satisfies readonly OrderState[];
/** Whether the coins of an order in this state have left the stock. */
export const isSold = (state: OrderState): boolean => (soldStates as readonly OrderState[]).includes(state);
/** States in which an order waits for its payment; a buyer may have only a few such orders at once. */
export const unpaidStates = ["placed", "awaiting_payment"] as const satisfies readonly OrderState[];

/** Final states. Coins and money may still be returned. */
export const finalStates = ["delivered", "cancelled", "returned"] as const satisfies readonly OrderState[];

export type OrderError =
  | { code: "order.not_found" }
  | { code: "order.not_cancellable"; state: OrderState }
  | { code: "order.not_payable"; state: OrderState }
  | { code: "order.too_many_unpaid"; limit: number }
  /** Unpaid orders of this person or address reserve as much as the limits allow. */
  | { code: "order.reserve_limit" }
  /** An invoice above `limit` is issued to a signed-in customer's own phone only. */
  | { code: "order.phone_unconfirmed"; limit: Kopecks }
  | { code: "order.event_refused"; state: OrderState; event: StaffEvent }
  | { code: "order.refund_too_much"; left: Kopecks }
  | { code: "order.pieces_refused"; left: { coinId: number; quantity: number }[] }
  | { code: "order.reference_missing" }
  | { code: "order.transfer_known"; orderNumber: number }
  /** The carrier refused the parcel: it has to be sent again before it is handed over. */
  | { code: "order.parcel_refused" }
  | { code: "order.seal_missing" }
  /** The seal's number is on the bag of another order, which is named. */
  | { code: "order.seal_taken"; orderNumber: number }
  /** The seal's number is the code of a coin, which is named. */
  | { code: "order.seal_is_coin"; title: string };

/** Who requests an order: its customer, or a visitor with the key from its link. */
export type Viewer = { customerId: string } | { guestKey: string };

export type OrderLine = { coinId: number; slug: string; title: string; quantity: number; price: Kopecks; sum: Kopecks; vatCode: number };
/**
 * A line with its changes. `quantity` and `sum` stay those of the quote. `dropped`: pieces refunded before shipping and back on sale;
 * `returned`: pieces returned singly after the delivery. A return of the whole order is not counted here.
 */
export type StoredLine = OrderLine & { dropped: number; returned: number };
/** Pieces that the buyer gets or has received. */
export const piecesOf = (line: StoredLine): number => line.quantity - line.dropped;
/** The lines with pieces left, and their number. */
export const remainingLines = (lines: readonly StoredLine[]): { coinId: number; quantity: number; line: StoredLine }[] =>
  lines.flatMap((line) => (piecesOf(line) > 0 ? [{ coinId: line.coinId, quantity: piecesOf(line), line }] : []));

/** The payment statuses in the order in which a payment passes them. */
export const paymentStatuses = [
  "pending",
  "waiting_for_capture",
  "succeeded",
  "canceled",
  "refunded",
] as const satisfies readonly PaymentStatus[];

/** A promo code and how much it took off the prices of an order. */
export type OrderPromo = { code: string; discount: Kopecks };

export type Order = {
  id: string;
  /** Shown to people; gives no access. */
  number: number;
  customerId: string | null;
  state: OrderState;
  lines: StoredLine[];
  delivery: DeliverySnapshot & {
    id: number;
    price: Kopecks;
    trackingNumber: string | null;
    parcel: Shipment | null;
    insuredValue: Kopecks | null;
  };
  payment: { methodId: number; status: PaymentStatus; paidAt: Date | null };
  user: Recipient;
  address: Address | null;
  total: Kopecks;
  /** The promo code in the prices of the lines; null: none. */
  promo: OrderPromo | null;
  /** Money captured and kept for this order, and how much of it was refunded. */
  paid: Kopecks;
  refunded: Kopecks;
  priceListVersion: number;
  createdAt: Date;
  /** When an unpaid order releases its coins; null once paid, assembled or closed. */
  reservedUntil: Date | null;
  /** The events so far, oldest first. */
  history: HistoryEntry[];
  /** The seal of the bag in which the coins are packed; null: not packed, or not entered. */
  sealNumber: string | null;
  /** Claimed by the account by its phone only: the account sees the recipient masked. */
  isRecipientHidden?: true;
  /** Grows with every change by staff and every step. */
  revision: number;
  /** Login of the member of staff to whom the order is assigned. */
  assignee: string | null;
  /** The order to which this one adds coins. */
  linkedOrderId: string | null;
  refundAfterRecall: RefundAfterRecall | null;
  changeAfterRecall: ChangeAfterRecall | null;
};
/** Events of the history: steps of the state table, and payments, refunds and returns that do not change the state. */
export type HistoryEvent = OrderEvent | "place" | "pay_part" | "refund_part" | "refund" | "give_back_part" | StaffEditEvent;
/** Events of a parcel that the carrier refused and staff sends again, to another point if it names one. */
export const resendEvents = ["change_point", "resend_parcel"] as const;
/** Changes by staff before the shipment. They leave the state as it is. */
export const staffEditEvents = ["change_recipient", "change_address", "drop_pieces", "add_coins", ...resendEvents] as const;
export type StaffEditEvent = (typeof staffEditEvents)[number];
export type HistoryEntry = { event: HistoryEvent; state: OrderState; at: Date };

/** Why an order waits for staff: its seal is missing, the carrier decides about its parcel, it is returning, or its money is undecided. */
export const waitingReasons = ["unsealed", "cancellation", "repacking", "returning", "return_late", "unsettled"] as const;
/** An order that waits, since when, and the last tracking step of its parcel. */
export type WaitingOrder = {
  id: string;
  number: number;
  state: OrderState;
  why: (typeof waitingReasons)[number];
  since: Date;
  parcel: { recall: Shipment["recall"]; lastStep: Shipment["steps"][number] | null; trackingNumber: string | null } | null;
};

/** Whether the buyer may still cancel the order; used for the button and for the call. */
export const isCancellable = (state: OrderState): boolean => step(orderStates, state, "cancel").kind === "moved";

/** Whether nothing more can happen but a refund. */
export const isClosed = (state: OrderState): boolean => isFinal(orderStates, state);

/** Whether the parcel is returning because its order was cancelled; then everything paid is refunded once it is back. */
export const isReturnOfCancelled = ({ history }: { history: readonly HistoryEntry[] }): boolean =>
  history.some((entry, index) => entry.event === "start_return" && history[index - 1]?.state === "cancellation_requested");

/** Whether the order was returned and staff has not decided about its money yet. */
export function isReturnUnsettled(order: {
  state: OrderState;
  paid: Kopecks;
  refunded: Kopecks;
  history: readonly HistoryEntry[];
}): boolean {
  if (order.state !== "returned" || order.refunded >= order.paid || isReturnOfCancelled(order)) return false;
  return !order.history.some(
    ({ event, state }) => (event === "refund" || event === "refund_part") && (state === "returning" || state === "returned"),
  );
}

/**
 * The payment status shown to the buyer: by the money recorded on the order, else by its attempts.
 * A refused attempt leaves the order open for another one. A success that is not recorded on the order yet is still `pending`.
 */
export function paymentStatus(order: Pick<Order, "state" | "paid" | "refunded">, attempts: readonly Payment[]): PaymentStatus {
  if (order.state === "awaiting_payment" && order.paid > 0) return "pending"; // an invoice is paid in part
  if (order.paid > 0) return order.refunded === order.paid ? "refunded" : "succeeded";
  const current = currentOf(attempts);
  const status = current ? statusOf(current) : "pending";
  if (order.state === "cancelled") return status === "refunded" ? "refunded" : "canceled";
  return status === "succeeded" || status === "refunded" ? "pending" : status;
}
