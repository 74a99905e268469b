import type { OrderState } from "#shop/orders/order.ts";
import type { PaymentStatus } from "#shop/payment/payment.ts";

/** What the page after the payment tells: `checking` until it is certain. */
export type Outcome = "paid" | "checking" | "declined" | "invoice" | "on_collection" | "cancelled" | "refunded" | "returned";

/**
 * The truth about an order's money. A payment counts as declined only when the provider said so; while he is silent,
 * or the buyer came back without paying, the page goes on checking.
 */
export function outcomeOf({ state, methodId, status, isPaid, isRefunded }: { state: OrderState; methodId: number; status: PaymentStatus; isPaid: boolean; isRefunded: boolean }): Outcome {
  if (state === "cancelled") return isRefunded ? "refunded" : "cancelled";
  if (state === "returned") return "returned";
  if (isPaid || (state !== "awaiting_payment" && state !== "placed")) return "paid";
  if (state === "placed") return "on_collection";
  if (status === "canceled") return "declined";
  return methodId === invoice ? "invoice" : "checking";
}

const invoice = 6;
