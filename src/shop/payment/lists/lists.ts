import type { Kopecks } from "#kit/money.ts";
import type { FiscalReceipt } from "../receipts/receipt.ts";
import type { Payment, PaymentMethodName, PaymentOrder, PaymentState, Refund, WaitingRefund } from "../payment.ts";

/** Place of a row in a list that is ordered by time and id. */
export type ListPlace = { at: Date; id: string };
/** A page of a list; `limit` rows behind a place. */
export type MoneyListPage = { after: ListPlace | null; limit: number };

export type PaymentFilter = {
  state?: PaymentState | undefined;
  method?: PaymentMethodName | undefined;
  from?: Date;
  till?: Date;
  /** Payments of this order, and the one that the provider names so. */
  named?: { orderId: string; providerId: string };
};
/** A payment with the number of its order. */
export type PaymentRow = Payment & { orderNumber: string };
/** A webhook of the provider. `confirmed`: the provider's own answer says the same; null: not checked yet. */
export type PaymentEvent = { event: string; status: string; receivedAt: Date; isConfirmed: boolean | null };
export type PaymentCard = PaymentRow & {
  /** Who started the attempt or recorded the money; null: not stored. */
  actor: string | null;
  transfer: { number: string; date: string } | null;
  events: PaymentEvent[];
  /** `transfer`: the payment order by which staff paid a refund that the provider had refused. */
  refunds: (Refund & { transfer: PaymentOrder | null })[];
  receipts: { id: string; kind: string; state: string; createdAt: Date }[];
};

/** Parts of the list of receipts. `registering`: the register has not answered yet. */
export const receiptParts = ["to_print", "failed", "registering", "printed"] as const;
export type ReceiptPart = (typeof receiptParts)[number];
/** `part` null: receipts in every state. */
export type ReceiptFilter = { part: ReceiptPart | null; orderId?: string };
export type ReceiptRow = FiscalReceipt & { orderNumber: string };

export type TransferRow = {
  id: number;
  orderId: string;
  orderNumber: string;
  number: string;
  date: string;
  amount: Kopecks;
  /** Empty: not known. */
  payerAccount: string;
  enteredAt: Date;
  actor: string | null;
};

/** A difference with the provider's ledger; `settledAt` null: it waits for staff. */
export type DifferenceRow = {
  id: number;
  kind: string;
  providerId: string;
  orderId: string | null;
  paymentId: string | null;
  ours: string;
  theirs: string;
  foundAt: Date;
  settledAt: Date | null;
  settledBy: string | null;
  note: string;
};

/** A refund that waits for staff, with the transfer whose payer gets the money. */
export type RefundRow = WaitingRefund & {
  orderNumber: string;
  method: PaymentMethodName;
  transfer: { id: number; number: string; date: string; payerAccount: string } | null;
};

/** What waits for staff in this module; numbers stop at `countLimit`. */
export type WaitingCounts = {
  receiptsToPrint: number;
  receiptsFailed: number;
  refundsByHand: number;
  refundsRefused: number;
  refundsStuck: number;
  differences: number;
};
