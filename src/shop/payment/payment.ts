import { fromRoubles, kopecks, type Kopecks } from "#kit/money.ts";
import { days, hours, minutes, plus, seconds } from "#kit/time.ts";
import { transitions } from "#kit/transitions.ts";
import { paymentIds } from "#shop/method-ids.ts";
import type { Receipt, ReceiptMode } from "./gateway.ts";
import type { PartLine } from "./receipts/receipt-part.ts";

/**
 * The payment methods, by their ids in the HTTP contract. `card` is the provider's own page, where the buyer chooses among everything
 * that the provider accepts. The limits are those of one payment.
 */
export const paymentMethods = [
  { id: paymentIds.card, name: "card", isOnline: true, limit: "cardLimitRoubles" },
  { id: paymentIds.sbp, name: "sbp", isOnline: true, limit: "sbpLimitRoubles" },
  { id: paymentIds.invoice, name: "invoice", isOnline: false, limit: null },
  { id: paymentIds.on_collection, name: "on_collection", isOnline: false, limit: "collectionLimitRoubles" },
] as const;
export type PaymentMethod = (typeof paymentMethods)[number];
export type PaymentMethodName = PaymentMethod["name"];
export type OnlineMethod = Extract<PaymentMethod, { isOnline: true }>;
export type OnlineMethodName = OnlineMethod["name"];
/** Methods whose money staff records. */
export type ByHandMethodName = Exclude<PaymentMethodName, OnlineMethodName>;

/** A payment method by its id in the HTTP contract; null: there is none. */
export const methodById = (id: number): PaymentMethod | null => paymentMethods.find((each) => each.id === id) ?? null;
/** A payment method by its name; throws for a name that is none. */
export const methodByName = (name: PaymentMethodName): PaymentMethod => {
  const method = paymentMethods.find((each) => each.name === name);
  if (!method) throw new RangeError(`unknown payment method ${name}`);
  return method;
};

/** Whether an order with this payment method is paid at the office when it is collected. */
export const isPaidOnCollection = (paymentMethodId: number): boolean => methodById(paymentMethodId)?.name === "on_collection";

export type MethodLimits = Record<NonNullable<PaymentMethod["limit"]>, number>;

/** The largest payment by this method, kopecks; null: no limit. */
export const limitOf = (method: PaymentMethod, limits: MethodLimits): Kopecks | null =>
  method.limit === null ? null : fromRoubles(limits[method.limit]);

/** Whether a payment of this amount exceeds the limit of its method. */
export function isOverLimit(method: PaymentMethod, amount: Kopecks, limits: MethodLimits): boolean {
  const limit = limitOf(method, limits);
  return limit !== null && amount > limit;
}

/**
 * Lines that one receipt of the provider's cash register can hold (YooKassa, "54-FZ parameters", 2025); longer orders are paid by invoice.
 */
export const receiptLinesMax = 80;
/** The number of receipt lines of an order: one for each coin, and one for delivery unless it is free. */
export const receiptLineCount = (coins: number, deliveryPrice: Kopecks): number => coins + (deliveryPrice > 0 ? 1 : 0);

/** The states of one payment attempt. `new`: stored, but the provider has not confirmed it yet. */
export const paymentStates = transitions({
  new: { create: "pending", hold: "waiting_for_capture", succeed: "succeeded", cancel: "canceled" },
  pending: { hold: "waiting_for_capture", succeed: "succeeded", cancel: "canceled" },
  waiting_for_capture: { succeed: "succeeded", cancel: "canceled" },
  succeeded: {},
  canceled: {},
});
export type PaymentState = keyof typeof paymentStates;

/**
 * The states of a refund. `new`: stored, but the provider has not confirmed it yet. A refund that staff pays waits as `pending`. One that
 * the provider refused is sent again (`retry`), or staff pays it by a bank transfer (`pay`).
 */
export const refundStates = transitions({
  new: { wait: "pending", succeed: "succeeded", cancel: "canceled" },
  pending: { succeed: "succeeded", cancel: "canceled" },
  succeeded: {},
  canceled: { retry: "new", pay: "succeeded" },
});
export type RefundState = keyof typeof refundStates;

/** Causes of refunds of a sum or of pieces that staff requested begin with it; every other cause refunds all that is left. */
export const partialCausePrefix = "staff:";
/** Why money is refunded. Unique per payment, so that a repeated cause refunds once. */
export type RefundCause =
  | "cancelled"
  | "returned"
  | "second_money"
  | "late_money"
  | "surplus"
  | "staff"
  | `${typeof partialCausePrefix}${string}`;

export type Payment = {
  id: string;
  orderId: string;
  attempt: number;
  method: PaymentMethodName;
  amount: Kopecks;
  refunded: Kopecks;
  state: PaymentState;
  /** Whether its money pays the order. */
  isKept: "undecided" | "kept" | "returned";
  /** `by_hand` for invoices and money at the desk. */
  provider: string;
  providerId: string | null;
  confirmationUrl: string | null;
  cancellationReason: string | null;
  createdAt: Date;
  /** When its link was last requested; the link can be paid for `linkLifetime` from then. */
  requestedAt: Date;
  settledAt: Date | null;
};

/** A payment order of the shop's bank account. */
export type PaymentOrder = { number: string; date: string };

export type Refund = {
  id: string;
  paymentId: string;
  orderId: string;
  cause: string;
  amount: Kopecks;
  /** The part of the payment's receipt that is refunded. */
  lines: PartLine[] | null;
  mode: ReceiptMode;
  /** Its pieces left the order before the hand-over, whose receipt does not cover them, whatever becomes of the refund. */
  isDropped: boolean;
  state: RefundState;
  createdAt: Date;
  settledAt: Date | null;
};

/** Whether staff requested a sum or pieces; any other refund is of all that is left. */
export const isPartial = ({ cause }: Pick<Refund, "cause">): boolean => cause.startsWith(partialCausePrefix);

/**
 * What of a refused refund is still to be made, when `left` of its payment is not refunded: a part as it is, a refund of everything with
 * what is left now. Null: nothing, because the money went back another way.
 */
export function amountStillOwed(refund: Pick<Refund, "cause" | "amount">, left: Kopecks): Kopecks | null {
  const owed = isPartial(refund) ? refund.amount : kopecks(Math.min(refund.amount, left));
  return owed > 0 && owed <= left ? owed : null;
}

/** A refund that waits for staff. `stuck`: the provider has not answered about it since `unansweredSince`. */
export type WaitingRefund = {
  why: "stuck" | "refused" | "by_hand";
  id: string;
  orderId: string;
  amount: Kopecks;
  cause: string;
  createdAt: Date;
  unansweredSince: Date | null;
};

/** `provider` of payments that staff records. */
export const byHand = "by_hand";

/** The link of a payment can be paid for an hour and cannot be revoked (YooKassa, "payment methods", 2025). */
const linkLifetime = hours(1);

/** Whether this attempt can still be paid; then no second attempt by the same method is made. */
export function canBePaid(payment: Pick<Payment, "state" | "provider" | "requestedAt">, now: Date): boolean {
  if (payment.state === "succeeded" || payment.state === "canceled") return false;
  return payment.provider === byHand || now < plus(payment.requestedAt, linkLifetime);
}

/** For how long a call may be repeated with its idempotence key. YooKassa stores keys for 24 hours ("basics"); one hour is a margin. */
export const idempotenceKeyLifetime = hours(23);

/** The shortest interval between two status requests about one payment, however many webhooks arrive. */
export const statusCheckInterval = seconds(2);

/**
 * When to fetch the status of an unsettled payment again, whose link was last requested at `requestedAt`: every 20 s at first, then every
 * 50 s while the link can be paid, so that a lost webhook is noticed within a minute, then hourly for two days and daily up to the eighth,
 * because staff may capture a hold for seven days (YooKassa, "payment methods", 2025); null after that.
 */
export function nextCheckAfter(requestedAt: Date, now: Date): Date | null {
  const age = now.getTime() - requestedAt.getTime();
  if (age < minutes(2)) return plus(now, seconds(20));
  if (age < linkLifetime + minutes(5)) return plus(now, seconds(50));
  if (age < days(2)) return plus(now, hours(1));
  return age < days(8) ? plus(now, days(1)) : null;
}

/** The same after a request without an answer, which may have been about a webhook: within ten minutes. */
export function nextCheckAfterFailure(requestedAt: Date, now: Date): Date | null {
  const scheduled = nextCheckAfter(requestedAt, now);
  const soon = plus(now, minutes(10));
  return scheduled !== null && scheduled > soon ? soon : scheduled;
}

/**
 * When to search again for a payment whose creation at `requestedAt` got no answer. Rarer than status requests, because it reads a list.
 */
export function nextSearchAfter(requestedAt: Date, now: Date): Date {
  const age = now.getTime() - requestedAt.getTime();
  if (age < minutes(5)) return plus(now, minutes(1));
  return plus(now, age < hours(1) ? minutes(10) : hours(1));
}

/** When to fetch the status of a refund again: SBP may take days, and a failed refund sends no webhook. There is no last check. */
export function nextRefundCheckAfter(createdAt: Date, now: Date): Date {
  const age = now.getTime() - createdAt.getTime();
  if (age < minutes(2)) return plus(now, seconds(20));
  if (age < hours(1)) return plus(now, minutes(1));
  return plus(now, age < days(2) ? minutes(15) : hours(1));
}

export type PaymentStatus = "pending" | "waiting_for_capture" | "succeeded" | "canceled" | "refunded";

/** The status shown to the buyer: `new` is pending, and a payment that was refunded in full is refunded. */
export function statusOf(payment: Pick<Payment, "state" | "amount" | "refunded">): PaymentStatus {
  if (payment.state === "new") return "pending";
  return payment.state === "succeeded" && payment.refunded === payment.amount ? "refunded" : payment.state;
}

/**
 * The attempt that decides the order's payment status: the kept one, else a succeeded one, else the newest not cancelled, else the newest.
 */
export function currentOf<P extends Pick<Payment, "attempt" | "state" | "isKept">>(attempts: readonly P[]): P | null {
  const newestFirst = attempts.toSorted((a, b) => b.attempt - a.attempt);
  return (
    newestFirst.find((each) => each.isKept === "kept") ??
    newestFirst.find((each) => each.state === "succeeded") ??
    newestFirst.find((each) => each.state !== "canceled") ??
    newestFirst[0] ??
    null
  );
}

/** The sum of a receipt's lines, kopecks. */
export const receiptTotal = (receipt: Receipt): Kopecks =>
  kopecks(receipt.lines.reduce((sum, line) => sum + line.unitPrice * line.quantity, 0));

/**
 * Refusals when a payment is started: the provider does not answer (the attempt stays and can be repeated), the sum is over the
 * method's limit, or the order is already paid.
 */
export type PaymentError = { code: "payment.unavailable" } | { code: "payment.over_limit" } | { code: "order.not_payable" };

/** Refusal of `refundPartially`; `left`: how many kopecks can still be refunded. */
export type RefundError = { code: "payment.refund_too_much"; left: Kopecks };

/**
 * Refusals when staff records a refused refund as paid by transfer: there is none with this id; it waits no longer; another sum of it is
 * still to be paid; the payment order was recorded for another order; or for another refund of this one.
 */
export type RefundTransferError =
  | { code: "refund.not_found" }
  | { code: "refund.not_waiting" }
  | { code: "refund.other_amount"; owed: Kopecks }
  | { code: "refund.transfer_known"; orderId: string }
  | { code: "refund.transfer_entered" };

/**
 * Jobs of this module: it handles `check` and `refund` itself; `settled` and `refunded` are events for other modules. Amounts are kopecks.
 */
export type PaymentJobs = {
  "payment.check": { paymentId: string };
  "payment.refund": { refundId: string };
  "payment.settled": { orderId: string; paymentId: string; amountKopecks: number };
  "payment.refunded": { orderId: string; paymentId: string; refundId: string; amountKopecks: number };
};
