import type { Kopecks } from "#kit/money.ts";
import { isFinal, step, transitions } from "#kit/transitions.ts";
import { currentOf, statusOf, type Payment, type PaymentStatus } from "#shop/payment/payment.ts";
import type { BankReference } from "#shop/payment/transfers/bank-transfer.ts";
import type { Shipment } from "#shop/delivery/shipment.ts";
import type { Address, Recipient, ToldDelivery } from "./snapshot.ts";

/** The whole life of an order: state → event → next state. The office draws its buttons from this table too. */
export const orderStates = transitions({
  placed: { assemble: "assembled", cancel: "cancelled", expire: "cancelled" }, // paid on collection
  awaiting_payment: { pay: "paid", cancel: "cancelled", expire: "cancelled" },
  paid: { assemble: "assembled", cancel: "cancelled" },
  // With a parcel at the carrier `cancel` becomes `request_cancel`, and `unpack` follows a recalled parcel: the carrier decides.
  assembled: { ship: "shipped", make_ready: "ready", cancel: "cancelled", request_cancel: "cancellation_requested", unpack: "paid" },
  // The carrier was asked to give the parcel up: coins and money wait for its answer.
  cancellation_requested: { confirm_cancel: "cancelled", refuse_cancel: "assembled", start_return: "returning" },
  shipped: { arrive: "ready", deliver: "delivered", start_return: "returning", turn_back: "returned" },
  ready: { deliver: "delivered", start_return: "returning", turn_back: "returned" },
  // On its way back to the shop: sold until staff has it in hand.
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
 * What a clerk may do to an order. `pay` says that the money of an invoice has come; `refund` gives the money of a closed order back
 * (or says that it was given back, where it came by transfer or at the desk) and moves nothing. `turn_back` says that staff has the parcel
 * in hand again; `seal` enters or corrects the number of the bag's seal; `confirm_cancel` says so of an order whose cancellation the carrier does not decide. `give_back` with pieces puts those pieces of a delivered order back in stock.
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

/**
 * What a clerk adds to an event. To `pay` and `refund`: how much came or goes back, or which pieces go back. Without it all of it is meant.
 * A sum that came needs its `reference` on the bank's statement, so that it counts once however often it is entered.
 */
export type StaffDetails = {
  amount?: Kopecks;
  reference?: BankReference;
  pieces?: { coinId: number; quantity: number }[];
  isDeliveryToo?: boolean;
  /** With `assemble` and `seal`: the number of the bag's seal (`readSealNumber`). */
  sealNumber?: string;
};

/** Pieces to refund once the carrier has struck the packed parcel out: until then nothing is refunded and nothing goes back on sale. */
export type RefundAfterRecall = { pieces: { coinId: number; quantity: number }[]; isDeliveryToo: boolean };

/** States in which the coins still lie reserved on the shelf. */
export const reservingStates = [
  "placed",
  "awaiting_payment",
  "paid",
  "assembled",
  "cancellation_requested",
] as const satisfies readonly OrderState[];
export const isReserving = (state: OrderState): boolean => (reservingStates as readonly OrderState[]).includes(state);
/** States after the coins have left the shelf. */
export const soldStates = ["shipped", "ready", "delivered", "returning", "returned"] as const satisfies readonly OrderState[];
export const isSold = (state: OrderState): boolean => (soldStates as readonly OrderState[]).includes(state);
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
  | { code: "order.pieces_refused"; left: { coinId: number; quantity: number }[] }
  | { code: "order.reference_missing" }
  | { code: "order.transfer_known"; orderNumber: number }
  | { code: "order.seal_missing" }
  /** The seal's number is on the bag of another order, which is named. */
  | { code: "order.seal_taken"; orderNumber: number };

/** Who may see and change an order: its customer, or whoever holds the key from its link. */
export type Viewer = { customerId: string } | { guestKey: string };

export type OrderLine = { coinId: number; slug: string; title: string; quantity: number; price: Kopecks; sum: Kopecks; vatCode: number };
/**
 * A line as it stands now. `quantity` and `sum` stay those of the quote. `dropped`: refunded before the order was shipped, back on sale;
 * `returned`: given back one by one after the delivery. A return of the whole order is not counted here.
 */
export type StoredLine = OrderLine & { dropped: number; returned: number };
/** Pieces that the buyer still gets or has got. */
export const piecesOf = (line: StoredLine): number => line.quantity - line.dropped;
/** The lines of which something is left, with what is left of them. */
export const remainingLines = (lines: readonly StoredLine[]): { coinId: number; quantity: number; line: StoredLine }[] =>
  lines.flatMap((line) => (piecesOf(line) > 0 ? [{ coinId: line.coinId, quantity: piecesOf(line), line }] : []));

/** The words for the state of the money, in the order of their life. */
export const paymentStatuses = [
  "pending",
  "waiting_for_capture",
  "succeeded",
  "canceled",
  "refunded",
] as const satisfies readonly PaymentStatus[];

export type Order = {
  id: string;
  /** For people; opens nothing. */
  number: number;
  customerId: string | null;
  state: OrderState;
  lines: StoredLine[];
  delivery: ToldDelivery & {
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
  /** Money captured and kept for this order, and what of it went back. */
  paid: Kopecks;
  refunded: Kopecks;
  priceListVersion: number;
  createdAt: Date;
  /** When an unpaid order lets its coins go; null once paid, assembled or closed. */
  reservedUntil: Date | null;
  /** The path so far, oldest first. */
  history: HistoryEntry[];
  /** The seal of the bag in which the coins are packed; null: not packed, or not entered. */
  sealNumber: string | null;
  /** It came into its account by the phone alone; the account sees the recipient masked. */
  isRecipientHidden?: true;
};
/** Besides the steps: money that came or went in part, or went back, while the order stayed where it was. */
export type HistoryEvent = OrderEvent | "place" | "pay_part" | "refund_part" | "refund" | "give_back_part";
export type HistoryEntry = { event: HistoryEvent; state: OrderState; at: Date };

/** Why an order is listed for staff: it is packed and its seal is not entered, the carrier decides about its parcel, it comes back, or its money is undecided. */
export const waitingReasons = ["unsealed", "cancellation", "repacking", "returning", "return_late", "unsettled"] as const;
/** Since when it waits, and the carrier's last word about its parcel. */
export type WaitingOrder = {
  id: string;
  number: number;
  state: OrderState;
  why: (typeof waitingReasons)[number];
  since: Date;
  parcel: { recall: Shipment["recall"]; lastStep: Shipment["steps"][number] | null; trackingNumber: string | null } | null;
};

/** Whether the buyer may still call the order off; draws the button and decides the call alike. */
export const isCancellable = (state: OrderState): boolean => step(orderStates, state, "cancel").kind === "moved";

/** Whether nothing more can happen but a refund. */
export const isClosed = (state: OrderState): boolean => isFinal(orderStates, state);

/** Whether the parcel comes back because its order was cancelled: then everything paid is refunded once it is here. */
export const isReturnOfCancelled = ({ history }: { history: readonly HistoryEntry[] }): boolean =>
  history.some((entry, index) => entry.event === "start_return" && history[index - 1]?.state === "cancellation_requested");

/** Whether an order came back and staff has yet to decide about its money. */
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
