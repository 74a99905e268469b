import type { Kopecks } from "#kit/money.ts";

/** What the provider says about one payment: the only source of truth, a webhook is a hint. */
export type ProviderPayment = {
  id: string;
  status: "pending" | "waiting_for_capture" | "succeeded" | "canceled";
  amount: Kopecks;
  currency: string;
  refunded: Kopecks;
  /** Our own ids, as we sent them. */
  orderId: string | null;
  attemptId: string | null;
  shopAccount: string | null;
  confirmationUrl: string | null;
  cancellationReason: string | null;
};
export type ProviderRefund = {
  id: string;
  paymentId: string;
  status: "pending" | "succeeded" | "canceled";
  amount: Kopecks;
  /** The idempotence key that we sent, by which a refund whose answer was lost is found again; null: it was not made by this shop's calls. */
  key: string | null;
};

/** One line of a 54-FZ receipt; `unitPrice × quantity` of all lines equals the payment to the kopeck. */
export type ReceiptLine = { title: string; quantity: number; unitPrice: Kopecks; vatCode: number; subject: "commodity" | "service" };
export type Receipt = { email: string; phone: string; lines: ReceiptLine[] };

/** What a line of a receipt says about the sale: paid before it is handed over (whole or in part), or paid and handed over. */
export const receiptModes = ["full_prepayment", "partial_prepayment", "full_payment"] as const;
export type ReceiptMode = (typeof receiptModes)[number];

/** What the register and the tax office know a receipt by. */
export type Fiscal = { documentNumber: string; storageNumber: string; attribute: string; registeredAt: string };

/** `handover`: the set-off of a prepayment when the goods are handed over. */
export type ProviderReceipt = {
  id: string;
  kind: "payment" | "handover" | "refund";
  status: "pending" | "succeeded" | "canceled";
  fiscal: Fiscal | null;
};

export type CreatePayment = {
  /** Stored before the call; a timeout is repeated with the same key, never with a fresh one. */
  idempotenceKey: string;
  orderId: string;
  attemptId: string;
  orderNumber: string;
  amount: Kopecks;
  method: "card" | "sbp";
  returnUrl: string;
  receipt: Receipt;
};

/** A notification says which object to ask about, nothing more. */
export type Notification = { event: string; objectKind: "payment" | "refund"; objectId: string; paymentId: string; status: string };

/** Refusal by the provider itself (a 4xx): final, repeating the same call is useless. Anything else thrown means "ask again later". */
export class PaymentRefused extends Error {}

export type PaymentGateway = {
  provider: string;
  /** Our account there, as it stands in every payment: money of another shop is not ours. */
  shopAccount: string;
  /** Origin of the page where buyers pay, for the page's `form-action` policy. */
  confirmationOrigin: string;
  create(ask: CreatePayment): Promise<ProviderPayment>;
  find(providerPaymentId: string): Promise<ProviderPayment | null>;
  /** Payments created in a span, for reconciliation. */
  list(span: { from: Date; till: Date }): Promise<ProviderPayment[]>;
  refund(ask: {
    idempotenceKey: string;
    providerPaymentId: string;
    amount: Kopecks;
    receipt: Receipt;
    mode: ReceiptMode;
  }): Promise<ProviderRefund>;
  findRefund(providerRefundId: string): Promise<ProviderRefund | null>;
  /** All refunds of one payment, in whatever state. */
  refundsOf(providerPaymentId: string): Promise<ProviderRefund[]>;
  /** Refunds created in a span, for the daily comparison: of payments of any age. */
  listRefunds(span: { from: Date; till: Date }): Promise<ProviderRefund[]>;
  /** Registers the receipt of a hand-over: the whole of it was paid before by this payment (54-FZ). */
  registerHandover(ask: { idempotenceKey: string; providerPaymentId: string; receipt: Receipt }): Promise<ProviderReceipt>;
  findReceipt(providerReceiptId: string): Promise<ProviderReceipt | null>;
  /** Receipts of one payment, or of one refund. */
  receiptsOf(of: { providerPaymentId: string } | { providerRefundId: string }): Promise<ProviderReceipt[]>;
  /** Reads a webhook's raw body; `null` when it is not one of ours. Never throws. */
  readNotification(raw: string): Notification | null;
};
