import type { Kopecks } from "#kit/money.ts";

/** The provider's state of one payment. It is the only source of truth; a webhook is a hint. */
export type ProviderPayment = {
  id: string;
  status: "pending" | "waiting_for_capture" | "succeeded" | "canceled";
  amount: Kopecks;
  currency: string;
  refunded: Kopecks;
  /** Our own ids, as sent when the payment was created. */
  orderId: string | null;
  attemptId: string | null;
  shopAccount: string | null;
  /** Made in the provider's test mode: it is paid with published card numbers and moves no money. */
  isTest: boolean;
  confirmationUrl: string | null;
  cancellationReason: string | null;
};
export type ProviderRefund = {
  id: string;
  paymentId: string;
  status: "pending" | "succeeded" | "canceled";
  amount: Kopecks;
  /** The idempotence key that we sent; it finds a refund whose answer was lost. Null: the refund was not made by this shop's calls. */
  key: string | null;
};

/** One line of a 54-FZ receipt; `unitPrice × quantity` of all lines equals the payment to the kopeck. */
export type ReceiptLine = { title: string; quantity: number; unitPrice: Kopecks; vatCode: number; subject: "commodity" | "service" };
export type Receipt = { email: string; phone: string; lines: ReceiptLine[] };

/** What a receipt line says about the sale: prepaid in full, prepaid in part, or paid and handed over. */
export const receiptModes = ["full_prepayment", "partial_prepayment", "full_payment"] as const;
export type ReceiptMode = (typeof receiptModes)[number];

/** The numbers that identify a receipt at the cash register and the tax office. */
export type Fiscal = { documentNumber: string; storageNumber: string; attribute: string; registeredAt: string };

/** `handover`: the receipt that offsets a prepayment when the goods are handed over. */
export type ProviderReceipt = {
  id: string;
  kind: "payment" | "handover" | "refund";
  status: "pending" | "succeeded" | "canceled";
  fiscal: Fiscal | null;
};

export type CreatePayment = {
  /** Stored before the call; after a timeout the call is repeated with the same key, never with a new one. */
  idempotenceKey: string;
  orderId: string;
  attemptId: string;
  orderNumber: string;
  amount: Kopecks;
  method: "card" | "sbp";
  returnUrl: string;
  receipt: Receipt;
};

/** A webhook's content: it names the object whose state is to be fetched, nothing more. */
export type Notification = { event: string; objectKind: "payment" | "refund"; objectId: string; paymentId: string; status: string };

/** A final refusal by the provider (a 4xx): repeating the same call is useless. Any other error thrown means "try again later". */
export class PaymentRefused extends Error {}

export type PaymentGateway = {
  provider: string;
  /** Our account at the provider, as named in every payment; payments to another account are not ours. */
  shopAccount: string;
  /** Whether payments of the test mode pay orders: in a trial of the shop only. */
  acceptsTestPayments: boolean;
  /** Origin of the page where buyers pay, for the page's `form-action` policy. */
  confirmationOrigin: string;
  create(request: CreatePayment): Promise<ProviderPayment>;
  find(providerPaymentId: string): Promise<ProviderPayment | null>;
  /** Payments created in a span, for reconciliation. */
  list(span: { from: Date; till: Date }): Promise<ProviderPayment[]>;
  refund(request: {
    idempotenceKey: string;
    providerPaymentId: string;
    amount: Kopecks;
    receipt: Receipt;
    mode: ReceiptMode;
  }): Promise<ProviderRefund>;
  findRefund(providerRefundId: string): Promise<ProviderRefund | null>;
  /** All refunds of one payment, in any state. */
  refundsOf(providerPaymentId: string): Promise<ProviderRefund[]>;
  /** Refunds created in a span, of payments of any age, for the daily comparison. */
  listRefunds(span: { from: Date; till: Date }): Promise<ProviderRefund[]>;
  /** Registers the receipt of a hand-over of goods that were prepaid by this payment (54-FZ). */
  registerHandover(request: { idempotenceKey: string; providerPaymentId: string; receipt: Receipt }): Promise<ProviderReceipt>;
  findReceipt(providerReceiptId: string): Promise<ProviderReceipt | null>;
  /** Receipts of one payment, or of one refund. */
  receiptsOf(of: { providerPaymentId: string } | { providerRefundId: string }): Promise<ProviderReceipt[]>;
  /** Reads a webhook's raw body; null when it is not a notification of this provider. Never throws. */
  readNotification(raw: string): Notification | null;
};
