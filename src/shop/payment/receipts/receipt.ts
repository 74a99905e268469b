import { transitions } from "#kit/transitions.ts";
import type { Kopecks } from "#kit/money.ts";
import type { Fiscal, Receipt, ReceiptMode } from "../gateway.ts";

/**
 * The states of a receipt that the law requires (54-FZ). `new`: to be requested from the provider or printed at the office;
 * `canceled`: it failed, and staff must act.
 */
export const receiptStates = transitions({
  new: { wait: "pending", succeed: "succeeded", cancel: "canceled" },
  pending: { succeed: "succeeded", cancel: "canceled" },
  succeeded: {},
  canceled: { retry: "new" },
});
export type ReceiptState = keyof typeof receiptStates;

/** The receipt of a payment, of the hand-over of prepaid goods, or of a refund. */
export const receiptKinds = ["payment", "handover", "refund"] as const;
export type ReceiptKind = (typeof receiptKinds)[number];

/**
 * `provider`: the payment provider's register, which prints with payments and refunds or at our request. `office`: the register at the
 * desk.
 */
export type Registrar = "provider" | "office";

export type FiscalReceipt = {
  id: string;
  orderId: string;
  /** The payment it belongs to; with several transfers the last one. */
  paymentId: string;
  refundId: string | null;
  kind: ReceiptKind;
  registrar: Registrar;
  mode: ReceiptMode;
  amount: Kopecks;
  receipt: Receipt;
  state: ReceiptState;
  providerId: string | null;
  fiscal: Fiscal | null;
  createdAt: Date;
  settledAt: Date | null;
};

/** What staff does with receipts: `print` records that the office has printed one, `retry` requests it from the provider again. */
export const receiptEvents = ["print", "retry"] as const;
export type ReceiptEvent = (typeof receiptEvents)[number];

/**
 * The numbers of a printed receipt as staff copies them: fiscal storage (ФН, 16 digits), document (ФД) and fiscal sign (ФПД), up to ten
 * digits each (order ЕД-7-20/662@ of the tax service, tags 1041, 1040, 1077).
 */
export type FiscalNumbers = Omit<Fiscal, "registeredAt">;
export const fiscalNumberFormats = {
  storageNumber: /^\d{16}$/,
  documentNumber: /^[1-9]\d{0,9}$/,
  attribute: /^\d{1,10}$/,
} as const satisfies Record<keyof FiscalNumbers, RegExp>;

export type ReceiptError = { code: "receipt.not_found" } | { code: "receipt.event_refused"; state: ReceiptState };
