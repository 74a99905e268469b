import { transitions } from "#kit/transitions.ts";
import type { Kopecks } from "#kit/money.ts";
import type { Fiscal, Receipt, ReceiptMode } from "../gateway.ts";

/**
 * The life of a receipt that the law asks for (54-FZ). `new`: owed, but nobody has been asked yet, or the office's own register has to
 * print it; `canceled`: it will not come by itself, somebody must look.
 */
export const receiptStates = transitions({
  new: { wait: "pending", succeed: "succeeded", cancel: "canceled" },
  pending: { succeed: "succeeded", cancel: "canceled" },
  succeeded: {},
  canceled: { retry: "new" },
});
export type ReceiptState = keyof typeof receiptStates;

/** At the payment, at hand-over of what was paid before, at giving money back. */
export const receiptKinds = ["payment", "handover", "refund"] as const;
export type ReceiptKind = (typeof receiptKinds)[number];

/** `provider`: the aggregator's register, with its payments and refunds or asked for by us. `office`: the register on the desk. */
export type Registrar = "provider" | "office";

export type OwedReceipt = {
  id: string;
  orderId: string;
  /** The payment that it belongs to; of several transfers the last. */
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

/** What staff does about receipts: `print` says that the office's register has printed one, `retry` asks the aggregator again. */
export const receiptEvents = ["print", "retry"] as const;
export type ReceiptEvent = (typeof receiptEvents)[number];

/**
 * What a printed receipt is known by at the tax office, as staff copies it: the storage's number (ФН, 16 digits), the document's (ФД) and
 * its fiscal sign (ФПД), up to ten digits each (order ЕД-7-20/662@ of the tax service, tags 1041, 1040, 1077).
 */
export type PrintedSigns = Omit<Fiscal, "registeredAt">;
export const printedSigns = {
  storageNumber: /^\d{16}$/,
  documentNumber: /^[1-9]\d{0,9}$/,
  attribute: /^\d{1,10}$/,
} as const satisfies Record<keyof PrintedSigns, RegExp>;

export type ReceiptError = { code: "receipt.not_found" } | { code: "receipt.event_refused"; state: ReceiptState };
