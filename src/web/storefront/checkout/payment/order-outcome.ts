import type { OrderState } from "#shop/orders/order.ts";
import type { PaymentStatus } from "#shop/payment/payment.ts";

/**
 * What the page after the payment says: `checking` while it is not certain, `waiting` when the provider reports that the buyer has not
 * paid yet.
 */
export type OrderOutcome =
  | "paid"
  | "checking"
  | "waiting"
  | "declined"
  | "invoice"
  | "on_collection"
  | "cancelled"
  | "refunding"
  | "refunded"
  | "returned"
  | "cancelling"
  | "coming_back";

type PaymentFacts = {
  state: OrderState;
  methodId: number;
  status: PaymentStatus;
  isPaid: boolean;
  isRefunded: boolean;
  /** Money is on its way back, also money that came after the order was cancelled. */
  isRefunding: boolean;
  /** The provider has answered just now. */
  isCertain: boolean;
};

/**
 * The outcome of an order's payment. A payment counts as declined only when the provider said so, and as not made only when the provider
 * answered that it is pending. While the provider does not answer, the page keeps checking.
 */
export function outcomeOf({ state, methodId, status, isPaid, isRefunded, isRefunding, isCertain }: PaymentFacts): OrderOutcome {
  if (state === "cancelled") return isRefunded ? "refunded" : isRefunding ? "refunding" : "cancelled";
  if (state === "cancellation_requested") return "cancelling";
  if (state === "returning") return "coming_back";
  if (state === "returned") return "returned";
  if (isPaid || (state !== "awaiting_payment" && state !== "placed")) return "paid";
  if (state === "placed") return "on_collection";
  if (status === "canceled") return "declined";
  if (methodId === invoice) return "invoice";
  return isCertain && status === "pending" ? "waiting" : "checking";
}

const invoice = 6;
