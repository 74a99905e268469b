import { fromRoubles, kopecks, type Kopecks } from "#kit/money.ts";
import { days, hours, minutes, plus, seconds } from "#kit/time.ts";
import { transitions } from "#kit/transitions.ts";
import { paymentIds } from "#shop/method-ids.ts";
import type { Receipt, ReceiptMode } from "./gateway.ts";
import type { PartLine } from "./receipts/receipt-part.ts";

/**
 * The ways to pay, by their numbers on the wire. `card` is the aggregator's own page, where the buyer chooses among everything
 * that the aggregator accepts; the limits are those of one payment there.
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
/** Ways to pay whose money staff counts. */
export type ByHandMethodName = Exclude<PaymentMethodName, OnlineMethodName>;

export const methodById = (id: number): PaymentMethod | null => paymentMethods.find((each) => each.id === id) ?? null;
export const methodByName = (name: PaymentMethodName): PaymentMethod => {
  const method = paymentMethods.find((each) => each.name === name);
  if (!method) throw new RangeError(`unknown payment method ${name}`);
  return method;
};

export type MethodLimits = Record<NonNullable<PaymentMethod["limit"]>, number>;

/** The most that one payment of this method may be, kopecks; null: as much as you like. */
export const limitOf = (method: PaymentMethod, limits: MethodLimits): Kopecks | null =>
  method.limit === null ? null : fromRoubles(limits[method.limit]);

export function isOverLimit(method: PaymentMethod, amount: Kopecks, limits: MethodLimits): boolean {
  const limit = limitOf(method, limits);
  return limit !== null && amount > limit;
}

/** Lines of one receipt that the aggregator's cash register prints (YooKassa, "54-FZ parameters", 2025): longer orders go by invoice. */
export const receiptLinesMax = 80;
/** Lines of the receipt of an order: one for each coin, and one for delivery that costs something. */
export const receiptLineCount = (coins: number, deliveryPrice: Kopecks): number => coins + (deliveryPrice > 0 ? 1 : 0);

/** The life of one attempt to pay. `new`: asked for, but the provider has not answered yet. */
export const paymentStates = transitions({
  new: { create: "pending", hold: "waiting_for_capture", succeed: "succeeded", cancel: "canceled" },
  pending: { hold: "waiting_for_capture", succeed: "succeeded", cancel: "canceled" },
  waiting_for_capture: { succeed: "succeeded", cancel: "canceled" },
  succeeded: {},
  canceled: {},
});
export type PaymentState = keyof typeof paymentStates;

/** The life of a refund. `new`: owed, but the provider has not answered yet. Money back by hand waits as `pending`. */
export const refundStates = transitions({
  new: { wait: "pending", succeed: "succeeded", cancel: "canceled" },
  pending: { succeed: "succeeded", cancel: "canceled" },
  succeeded: {},
  canceled: { retry: "new" },
});
export type RefundState = keyof typeof refundStates;

/** Why money goes back; with the payment it names the refund, so that a repeated cause pays once. */
export type RefundCause = "cancelled" | "returned" | "second_money" | "late_money" | "surplus" | "staff" | `staff:${string}`;

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
  /** When its link was last asked for; it may be payable for `linkLife` from here. */
  requestedAt: Date;
  settledAt: Date | null;
};

export type Refund = {
  id: string;
  paymentId: string;
  orderId: string;
  cause: string;
  amount: Kopecks;
  /** Which part of the payment's receipt goes back. */
  lines: PartLine[] | null;
  mode: ReceiptMode;
  state: RefundState;
  createdAt: Date;
  settledAt: Date | null;
};

/** A refund that waits for a person. `stuck`: the provider has not answered about it since `unansweredSince`. */
export type WaitingRefund = {
  why: "stuck" | "refused" | "by_hand";
  id: string;
  orderId: string;
  amount: Kopecks;
  cause: string;
  createdAt: Date;
  unansweredSince: Date | null;
};

/** `provider` of payments whose money staff counts themselves. */
export const byHand = "by_hand";

/** The link of a payment stays payable for an hour and cannot be made void (YooKassa, "payment methods", 2025). */
const linkLife = hours(1);

/** Whether this attempt can still be paid, so that a second one beside it would be one too many. */
export function isLiving(payment: Pick<Payment, "state" | "provider" | "requestedAt">, now: Date): boolean {
  if (payment.state === "succeeded" || payment.state === "canceled") return false;
  return payment.provider === byHand || now < plus(payment.requestedAt, linkLife);
}

/** When the provider has forgotten an idempotence key: a call with it would be a new one (YooKassa, "basics": 24 hours; one is kept in hand). */
export const keyLife = hours(23);

/** Nobody asks about one payment more often than this, however many webhooks come. */
export const askPause = seconds(2);

/**
 * When to ask again about an unsettled payment made at `createdAt`: every 20 s at first, then often enough that a lost webhook
 * is noticed within a minute while the link can be paid, then hourly; null after two days.
 */
export function nextCheckAfter(createdAt: Date, now: Date): Date | null {
  const age = now.getTime() - createdAt.getTime();
  if (age < minutes(2)) return plus(now, seconds(20));
  if (age < linkLife + minutes(5)) return plus(now, seconds(50));
  return age < days(2) ? plus(now, hours(1)) : null;
}

/** When to look again for a payment whose making got no answer at `requestedAt`; the search reads a list, so it is rarer. */
export function nextSearchAfter(requestedAt: Date, now: Date): Date {
  const age = now.getTime() - requestedAt.getTime();
  if (age < minutes(5)) return plus(now, minutes(1));
  return plus(now, age < hours(1) ? minutes(10) : hours(1));
}

/** When to ask again about a refund: SBP may take days, and refunds have no webhook for bad news. Never gives up by itself. */
export function nextRefundCheckAfter(createdAt: Date, now: Date): Date {
  const age = now.getTime() - createdAt.getTime();
  if (age < minutes(2)) return plus(now, seconds(20));
  if (age < hours(1)) return plus(now, minutes(1));
  return plus(now, age < days(2) ? minutes(15) : hours(1));
}

export type PaymentStatus = "pending" | "waiting_for_capture" | "succeeded" | "canceled" | "refunded";

/** The word for the buyer: `new` is pending, and money that went back in full is refunded. */
export function statusOf(payment: Pick<Payment, "state" | "amount" | "refunded">): PaymentStatus {
  if (payment.state === "new") return "pending";
  return payment.state === "succeeded" && payment.refunded === payment.amount ? "refunded" : payment.state;
}

/** The attempt that tells how the order stands: the one that pays it, else money taken, else the newest that is not refused, else the newest. */
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

export const receiptTotal = (receipt: Receipt): Kopecks =>
  kopecks(receipt.lines.reduce((sum, line) => sum + line.unitPrice * line.quantity, 0));

/**
 * Refusals of `start`: the provider does not answer now (the attempt stands and may be repeated),
 * the sum is over the method's limit, or the order is already paid.
 */
export type PaymentError = { code: "payment.unavailable" } | { code: "payment.over_limit" } | { code: "order.not_payable" };

/** Refusal of `refundPart`: so much cannot go back; `left` kopecks can. */
export type RefundError = { code: "payment.refund_too_much"; left: Kopecks };

/** Jobs of this module: `check` and `refund` are its own work, `settled` and `refunded` its news. Amounts are kopecks. */
export type PaymentJobs = {
  "payment.check": { paymentId: string };
  "payment.refund": { refundId: string };
  "payment.settled": { orderId: string; paymentId: string; amountKopecks: number };
  "payment.refunded": { orderId: string; paymentId: string; amountKopecks: number };
};
