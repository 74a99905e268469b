import * as z from "zod";
import { isWholeKopecks } from "#kit/money.ts";
import { orderStates } from "#shop/orders/order.ts";
import { unmatchedReasons } from "#shop/orders/transfers/statement.ts";
import { statesOf } from "#kit/transitions.ts";
import { receiptParts } from "#shop/payment/lists/lists.ts";
import { paymentMethods, paymentStates } from "#shop/payment/payment.ts";
import { fiscalNumberFormats, receiptKinds, receiptStates } from "#shop/payment/receipts/receipt.ts";
import { isAccountNumber, referenceNumber, statementDay } from "#shop/payment/transfers/bank-transfer.ts";
import { entryStates } from "#shop/statements/statement.ts";
import { suggestionReasons } from "#shop/statements/suggestion.ts";
import { fieldMessages } from "../fields.ts";
import { chosenDay, instant, nothing, orderIdParam, requiredLine, roubles } from "../wire.ts";
import { staffCall } from "./call.ts";
import { cursor, page, refundSummary, rowId, rowIdParam } from "./wire.ts";

/** Money: bank statements, payments, receipts, transfers, differences with the provider, refunds by hand. Sums are roubles. */

const day = z.iso.date();
const orderState = z.enum(statesOf(orderStates));
const method = z.enum(paymentMethods.map(({ name }) => name));
/** A text filter by number. */
const searchedNumber = z.string().trim().max(64).optional();

/* The bank's statement */

/** The largest file, bytes. */
export const statementFileBytes = 5 * 1024 * 1024;
/** Base64 is a third longer than the file. */
const contentLength = Math.ceil(statementFileBytes / 3) * 4;

const entryState = z.enum(statesOf(entryStates));
const entry = z.object({
  id: z.int(),
  number: z.string(),
  date: day,
  amount: roubles,
  isOutgoing: z.boolean(),
  payer: z.string(),
  /** Null: the bank does not name it. */
  payerAccount: z.string().nullable(),
  purpose: z.string(),
  state: entryState,
  /** Why it was left to staff. */
  reason: z.enum([...unmatchedReasons, "failed"]).nullable(),
  order: z.object({ id: z.string(), number: z.int() }).nullable(),
  settledAt: instant.nullable(),
  settledBy: z.string().nullable(),
  note: z.string(),
});
const payableOrder = z.object({
  id: z.string(),
  number: z.int(),
  buyer: z.string(),
  state: orderState,
  total: roubles,
  paid: roubles,
  /** Until when its coins are reserved. */
  reservedUntil: instant.nullable(),
});
const suggestion = payableOrder.extend({ reasons: z.array(z.enum(suggestionReasons)), isStrong: z.boolean() });

const statement = z.object({
  id: z.int(),
  fileName: z.string(),
  importedAt: instant,
  importedBy: z.string(),
  from: day.nullable(),
  till: day.nullable(),
  opening: roubles.nullable(),
  received: roubles.nullable(),
  spent: roubles.nullable(),
  closing: roubles.nullable(),
  /** Whether the bank's own sums agree; null: the file leaves one out. */
  isBalanced: z.boolean().nullable(),
  entries: z.int(),
  counts: z.record(entryState, z.int()),
  faults: z.array(z.object({ line: z.int(), what: z.string() })),
});

export const importStatement = staffCall({
  method: "POST",
  path: "/api/staff/statements",
  summary: "Stores a bank statement (1CClientBankExchange) and records its transfers. The same file again changes nothing: `isRepeat`",
  permission: "money.enter",
  audit: "statement.import",
  body: z.strictObject({
    name: requiredLine(200),
    /** The file as base64. */
    content: z
      .string(fieldMessages.required)
      .min(1, "Файл пустой")
      .max(contentLength, "Файл больше 5 МБ")
      .regex(/^[A-Za-z0-9+/]+={0,2}$/, fieldMessages.wrong),
  }),
  maxBodyBytes: contentLength + 2_000,
  answer: z.object({ statement, isRepeat: z.boolean() }),
  problems: ["request.invalid"],
});

export const readStatements = staffCall({
  method: "GET",
  path: "/api/staff/statements",
  summary: "Imported statements, newest first",
  permission: "money.read",
  audit: null,
  query: z.object({ cursor }),
  answer: page(statement),
  problems: [],
});

export const readStatement = staffCall({
  method: "GET",
  path: "/api/staff/statements/{id}",
  summary: "A statement with the entries that wait for a decision and the orders they may belong to; `newest`: the last one imported",
  permission: "money.read",
  audit: null,
  params: z.object({ id: z.union([z.literal("newest"), rowIdParam]) }),
  answer: z.object({ statement, left: z.array(entry.extend({ suggestions: z.array(suggestion) })) }),
  problems: ["staff.not_found"],
});

export const readSettledEntries = staffCall({
  method: "GET",
  path: "/api/staff/statements/{id}/settled",
  summary: "The settled entries of a statement, in the order of the file",
  permission: "money.read",
  audit: null,
  params: z.object({ id: rowIdParam }),
  query: z.object({ cursor }),
  answer: page(entry),
  problems: [],
});

const settleProblems = [
  "staff.not_found",
  "staff.entry_settled",
  "staff.entered_before",
  "order.not_found",
  "order.event_refused",
  "order.transfer_known",
  "order.reference_missing",
] as const;
/** The order for which the same payment order was recorded before. */
const transferKnown = { "order.transfer_known": z.object({ orderNumber: z.int() }) } as const;

export const settleEntry = staffCall({
  method: "POST",
  path: "/api/staff/statement-entries/{id}/settle",
  summary: "Records an entry's money for an order. `evenIfEntered`: the order's money without a reference is another payment",
  permission: "money.enter",
  audit: "statement.settle",
  params: z.object({ id: rowIdParam }),
  body: z.strictObject({ orderId: orderIdParam, evenIfEntered: z.boolean().default(false) }),
  answer: entry,
  problems: settleProblems,
  refusalData: transferKnown,
});

export const settleEntries = staffCall({
  method: "POST",
  path: "/api/staff/statement-entries/settle",
  summary: "Records several entries for their orders, a result for each",
  permission: "money.enter",
  audit: "statement.settle",
  body: z.strictObject({
    entries: z
      .array(z.strictObject({ id: rowId, orderId: orderIdParam }))
      .min(1)
      .max(200),
  }),
  answer: z.object({
    results: z.array(z.object({ id: z.int(), isSettled: z.boolean(), orderNumber: z.int().nullable(), message: z.string() })),
  }),
  problems: [],
});

export const markEntry = staffCall({
  method: "POST",
  path: "/api/staff/statement-entries/{id}/mark",
  summary: "Says that an entry belongs to no order: not the shop's business, or to be sent back to its sender",
  permission: "money.enter",
  audit: "statement.mark",
  params: z.object({ id: rowIdParam }),
  body: z.strictObject({ mark: z.enum(["not_ours", "to_return"]), note: requiredLine(500) }),
  answer: entry,
  problems: ["staff.not_found", "staff.entry_settled"],
});

export const reopenEntry = staffCall({
  method: "POST",
  path: "/api/staff/statement-entries/{id}/reopen",
  summary: "Takes a mark back, so that the entry waits again",
  permission: "money.enter",
  audit: "statement.reopen",
  params: z.object({ id: rowIdParam }),
  answer: entry,
  problems: ["staff.not_found", "staff.entry_settled"],
});

export const readEntriesToReturn = staffCall({
  method: "GET",
  path: "/api/staff/statement-entries/to-return",
  summary: "Entries whose money is to be sent back to its sender, oldest first",
  permission: "money.read",
  audit: null,
  query: z.object({ cursor }),
  answer: page(entry.extend({ statementId: z.int() })),
  problems: [],
});

export const confirmEntryReturned = staffCall({
  method: "POST",
  path: "/api/staff/statement-entries/{id}/returned",
  summary: "Records that staff has sent the money of an entry back to its sender",
  permission: "money.enter",
  needsStepUp: true,
  audit: "statement.return",
  params: z.object({ id: rowIdParam }),
  body: z.strictObject({ note: requiredLine(500) }),
  answer: entry,
  problems: ["staff.not_found", "staff.entry_settled"],
});

export const findPayableOrder = staffCall({
  method: "GET",
  path: "/api/staff/payable-orders",
  summary: "The order with this number, for choosing where a transfer belongs",
  permission: "money.enter",
  audit: null,
  query: z.object({ number: z.string().regex(/^\d{1,12}$/, "Номер заказа из цифр") }),
  answer: z.object({ order: payableOrder.nullable() }),
  problems: [],
});

/* Payments */

const payment = z.object({
  id: z.string(),
  order: z.object({ id: z.string(), number: z.string() }),
  attempt: z.int(),
  method,
  amount: roubles,
  refunded: roubles,
  state: z.enum(statesOf(paymentStates)),
  /** `returned`: its money pays for nothing and is refunded. */
  isKept: z.enum(["undecided", "kept", "returned"]),
  provider: z.string(),
  providerId: z.string().nullable(),
  createdAt: instant,
  settledAt: instant.nullable(),
});

export const readPayments = staffCall({
  method: "GET",
  path: "/api/staff/payments",
  summary: "Attempts to pay, newest first",
  permission: "money.read",
  audit: null,
  query: z.object({
    /** Of the order, or of the payment as the provider names it. */
    number: searchedNumber,
    state: z.enum(statesOf(paymentStates)).optional(),
    method: method.optional(),
    /** Days in Moscow, both included. */
    from: chosenDay().optional(),
    till: chosenDay().optional(),
    cursor,
  }),
  answer: page(payment),
  problems: [],
});

export const readPayment = staffCall({
  method: "GET",
  path: "/api/staff/payments/{id}",
  summary: "A payment with its webhooks, refunds and receipts",
  permission: "money.read",
  audit: null,
  params: z.object({ id: orderIdParam }),
  answer: payment.extend({
    cancellationReason: z.string().nullable(),
    actor: z.string().nullable(),
    transfer: z.object({ number: z.string(), date: day }).nullable(),
    events: z.array(z.object({ event: z.string(), status: z.string(), receivedAt: instant, isConfirmed: z.boolean().nullable() })),
    refunds: z.array(
      refundSummary.extend({
        createdAt: instant,
        settledAt: instant.nullable(),
        /** The payment order by which staff paid a refund that the provider had refused. */
        transfer: z.object({ number: z.string(), date: day }).nullable(),
      }),
    ),
    receipts: z.array(z.object({ id: z.string(), kind: z.enum(receiptKinds), state: z.enum(statesOf(receiptStates)), createdAt: instant })),
  }),
  problems: ["staff.not_found"],
});

/* Receipts */

const fiscal = z.object({ storageNumber: z.string(), documentNumber: z.string(), attribute: z.string() });
const receipt = z.object({
  id: z.string(),
  order: z.object({ id: z.string(), number: z.string() }),
  kind: z.enum(receiptKinds),
  registrar: z.enum(["provider", "office"]),
  mode: z.enum(["full_prepayment", "partial_prepayment", "full_payment"]),
  amount: roubles,
  state: z.enum(statesOf(receiptStates)),
  createdAt: instant,
  settledAt: instant.nullable(),
  fiscal: fiscal.nullable(),
  /** Where the buyer gets it. */
  email: z.string(),
  lines: z.array(z.object({ title: z.string(), quantity: z.int(), price: roubles, vatCode: z.int() })),
});

export const readReceipts = staffCall({
  method: "GET",
  path: "/api/staff/receipts",
  summary: "Receipts: those that wait, oldest first; the others, and all of an order when no part is named, newest first",
  permission: "receipts",
  audit: null,
  query: z.object({
    part: z.enum(receiptParts).optional(),
    /** Of the order. */
    number: searchedNumber,
    cursor,
  }),
  answer: page(receipt),
  problems: [],
});

export const printReceipt = staffCall({
  method: "POST",
  path: "/api/staff/receipts/{id}/print",
  summary: "Records that the office's register has printed a receipt, with its fiscal numbers; repeated, it corrects them",
  permission: "receipts",
  audit: "receipt.print",
  params: z.object({ id: orderIdParam }),
  body: z.strictObject({
    storageNumber: z.string(fieldMessages.required).regex(fiscalNumberFormats.storageNumber, "ФН: 16 цифр"),
    documentNumber: z.string(fieldMessages.required).regex(fiscalNumberFormats.documentNumber, "ФД: до 10 цифр, не с нуля"),
    attribute: z.string(fieldMessages.required).regex(fiscalNumberFormats.attribute, "ФПД: до 10 цифр"),
    /** The numbers that the form was opened with, null for none; newer ones are not overwritten. Absent: not compared. */
    earlier: fiscal.nullable().optional(),
  }),
  answer: nothing,
  problems: ["receipt.not_found", "receipt.event_refused", "staff.stale"],
  refusalData: { "staff.stale": z.object({ current: fiscal.nullable() }) },
});

export const retryReceipt = staffCall({
  method: "POST",
  path: "/api/staff/receipts/{id}/retry",
  summary: "Sends a failed receipt to the provider's register again",
  permission: "receipts",
  audit: "receipt.retry",
  params: z.object({ id: orderIdParam }),
  answer: nothing,
  problems: ["receipt.not_found", "receipt.event_refused"],
});

/* Transfers */

export const readTransfers = staffCall({
  method: "GET",
  path: "/api/staff/transfers",
  summary: "Bank transfers that were recorded, newest first",
  permission: "money.read",
  audit: null,
  query: z.object({ number: z.string().max(20).optional(), cursor }),
  answer: page(
    z.object({
      id: z.int(),
      order: z.object({ id: z.string(), number: z.string() }),
      number: z.string(),
      date: day,
      amount: roubles,
      /** Null: not known. */
      payerAccount: z.string().nullable(),
      enteredAt: instant,
      enteredBy: z.string().nullable(),
    }),
  ),
  problems: [],
});

export const enterTransfer = staffCall({
  method: "POST",
  path: "/api/staff/transfers",
  summary: "Records a transfer for an order by hand, once for each payment order",
  permission: "money.enter",
  audit: "transfer.enter",
  body: z.strictObject({
    orderId: orderIdParam,
    number: z
      .string(fieldMessages.required)
      .refine((text) => referenceNumber(text) !== null, "Номер платёжного поручения, например 125")
      .transform((text) => referenceNumber(text) ?? text),
    date: z
      .string(fieldMessages.required)
      .refine((text) => statementDay(text) !== null, "Дата, например 20.11.2026")
      .transform((text) => statementDay(text) ?? text),
    payerAccount: z.string().refine((text) => text === "" || isAccountNumber(text), "Счёт: 20 цифр"),
    amount: z
      .number(fieldMessages.required)
      .positive("Сумма больше нуля")
      .max(1_000_000_000, "Слишком большая сумма")
      .refine(isWholeKopecks, "Не больше двух знаков после запятой"),
  }),
  answer: z.object({ order: z.object({ id: z.string(), number: z.int(), state: orderState }) }),
  problems: ["order.not_found", "order.event_refused", "order.transfer_known", "order.reference_missing"],
  refusalData: transferKnown,
});

/* Differences with the provider's ledger */

export const readDifferences = staffCall({
  method: "GET",
  path: "/api/staff/differences",
  summary: "Differences between the provider's ledger and ours, newest first",
  permission: "money.read",
  audit: null,
  query: z.object({ part: z.enum(["open", "settled"]).default("open"), cursor }),
  answer: page(
    z.object({
      id: z.int(),
      kind: z.string(),
      providerId: z.string(),
      orderId: z.string().nullable(),
      /** Null: the order is unknown, also when the provider named one that the shop does not have. */
      orderNumber: z.string().nullable(),
      paymentId: z.string().nullable(),
      ours: z.string(),
      theirs: z.string(),
      foundAt: instant,
      settledAt: instant.nullable(),
      settledBy: z.string().nullable(),
      note: z.string(),
    }),
  ),
  problems: [],
});

export const compareWithProvider = staffCall({
  method: "POST",
  path: "/api/staff/differences/compare",
  summary: "Compares the last three days up to now with the provider at once; answers how many differences are new",
  permission: "money.enter",
  audit: "difference.compare",
  answer: z.object({ found: z.int() }),
  problems: ["staff.provider_silent"],
});

export const settleDifference = staffCall({
  method: "POST",
  path: "/api/staff/differences/{id}/settle",
  summary: "Records what was found out about a difference, so that it waits no longer",
  permission: "money.enter",
  audit: "difference.settle",
  params: z.object({ id: rowIdParam }),
  body: z.strictObject({ note: requiredLine(500) }),
  answer: nothing,
  problems: ["staff.not_found", "staff.difference_settled"],
});

/* Refunds that wait */

export const readRefunds = staffCall({
  method: "GET",
  path: "/api/staff/refunds",
  summary: "Refunds that wait for staff, oldest first: to be sent by hand, refused for good, or without an answer",
  permission: "money.read",
  audit: null,
  query: z.object({ cursor }),
  answer: page(
    z.object({
      id: z.string(),
      order: z.object({ id: z.string(), number: z.string() }),
      why: z.enum(["stuck", "refused", "by_hand"]),
      amount: roubles,
      cause: z.string(),
      method,
      createdAt: instant,
      unansweredSince: instant.nullable(),
      /** Where the money came from. Parts are null where they are not known. */
      payer: z.object({ name: z.string(), account: z.string().nullable(), transfer: z.string().nullable() }),
    }),
  ),
  problems: [],
});

export const confirmRefundSent = staffCall({
  method: "POST",
  path: "/api/staff/refunds/{id}/sent",
  summary: "Records that staff has sent a refund by hand",
  permission: "money.enter",
  needsStepUp: true,
  audit: "refund.sent",
  params: z.object({ id: orderIdParam }),
  answer: nothing,
  problems: ["staff.not_found", "staff.refund_not_waiting"],
});

export const retryRefund = staffCall({
  method: "POST",
  path: "/api/staff/refunds/{id}/retry",
  summary: "Sends a refused refund again, or checks a stuck one at once",
  permission: "money.enter",
  needsStepUp: true,
  audit: "refund.retry",
  params: z.object({ id: orderIdParam }),
  answer: nothing,
  problems: ["staff.not_found", "staff.refund_not_waiting", "refund.transfer_waits"],
});

export const readMoneyCounts = staffCall({
  method: "GET",
  path: "/api/staff/money/counts",
  summary: "How much waits for staff in the money sections; 1,001 means more than a thousand",
  permission: "money.read",
  audit: null,
  answer: z.object({
    entries: z.int(),
    entriesToReturn: z.int(),
    receiptsToPrint: z.int(),
    receiptsFailed: z.int(),
    refundsByHand: z.int(),
    refundsRefused: z.int(),
    refundsStuck: z.int(),
    differences: z.int(),
  }),
  problems: [],
});
