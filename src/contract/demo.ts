import * as z from "zod";
import { inquiryEvents, inquiryStates } from "#shop/inquiries/inquiry.ts";
import { reviewEvents, reviewStates } from "#shop/inquiries/review.ts";
import { toRoubles } from "#kit/money.ts";
import { isoMoscow } from "#kit/moscow-time.ts";
import { statesOf } from "#kit/transitions.ts";
import { recallStates, shipmentStates } from "#shop/delivery/shipment.ts";
import { staffEvents, waitingReasons, type Order, type WaitingOrder } from "#shop/orders/order.ts";
import { unmatchedReasons } from "#shop/orders/transfers/statement.ts";
import { isAccountNumber, referenceNumber } from "#shop/payment/transfers/bank-transfer.ts";
import { isSealable, readSealNumber } from "#shop/orders/parcel/seal.ts";
import type { WaitingRefund } from "#shop/payment/payment.ts";
import { fiscalNumberFormats, receiptEvents, receiptKinds, receiptStates, type FiscalReceipt } from "#shop/payment/receipts/receipt.ts";
import { call } from "./call.ts";
import { orderStatus } from "./public/orders.ts";
import { coinId, instant, nothing, orderIdOrNumberParam, orderIdParam, pointId, roubles } from "./wire.ts";

/** The desk command sends its staff member's name (percent-encoded) in this header when it calls a running demo shop. */
export const deskUserHeader = "x-desk-user";

/** Calls of demo mode, from loopback only. */
const inDemo = { asker: "anybody", rateLimit: "request" } as const;

const message = z.object({ at: instant, channel: z.enum(["sms", "email"]), to: z.string(), text: z.string() });

/** An unencoded plus arrives as a space, which cleaning removed: it is restored. */
const recipient = z
  .string()
  .max(254)
  .transform((to) => to.replace(/^7(?=\d{10}$)/, "+7"));

export const readOutbox = call({
  method: "GET",
  path: "/_demo/outbox",
  summary: "SMS and mail that the shop sent, newest first: where to read a code",
  changes: false,
  ...inDemo,
  query: z.object({ to: recipient.optional() }),
  answer: z.array(message),
  problems: [],
});

const accountNumber = z.string().refine(isAccountNumber, "an account has twenty digits");

const rate = z.number().positive().max(10_000_000);
export const moveRates = call({
  method: "POST",
  path: "/_demo/rates",
  summary: "Moves the simulated market; moves that the sanity rules refuse are refused there too",
  changes: true,
  ...inDemo,
  body: z.strictObject({ XAU_RUB: rate.optional(), XAG_RUB: rate.optional(), USD_RUB: rate.optional() }),
  answer: nothing,
  problems: [],
});

export const moveMarket = call({
  method: "POST",
  path: "/_demo/market",
  summary: "Opens or closes the simulated market",
  changes: true,
  ...inDemo,
  body: z.strictObject({ open: z.boolean() }),
  answer: nothing,
  problems: [],
});

const faultProviders = ["sms", "payment", "delivery", "rates"] as const;
const faultModes = ["ok", "slow", "error", "garbage", "html", "empty", "shape", "unauthorized", "too_many", "reset", "timeout"] as const;
export const setFault = call({
  method: "POST",
  path: "/_demo/faults",
  summary: "Makes a simulator misbehave",
  changes: true,
  ...inDemo,
  body: z.union([
    z.strictObject({ provider: z.enum(faultProviders), mode: z.enum(faultModes) }),
    z.strictObject({ provider: z.literal("rates"), mode: z.literal("frozen") }),
  ]),
  answer: nothing,
  problems: [],
});

export const readPayments = call({
  method: "GET",
  path: "/_demo/payments",
  summary: "The payment simulator's own ledger, in roubles",
  changes: false,
  ...inDemo,
  answer: z.array(z.object({ id: z.string(), orderId: z.string().nullable(), amount: roubles, status: z.string(), refunded: roubles })),
  problems: [],
});

/** For `pay` and `refund`: the sum; for `refund` and `give_back`: the pieces. Without either: all. */
const sum = z
  .number()
  .positive()
  .max(1_000_000_000)
  .refine((roubles) => Math.abs(roubles * 100 - Math.round(roubles * 100)) < 1e-6, "at most two decimals");
const day = z.iso.date();
const transferNumber = z
  .string()
  .max(30)
  .transform(
    (text, refused) =>
      referenceNumber(text) ?? (refused.addIssue({ code: "custom", message: "not the number of a payment order" }), z.NEVER),
  );
/** How the bank's statement identifies a transfer. A received sum needs it, so that it is counted once. */
const reference = z.strictObject({ number: transferNumber, date: day, payerAccount: accountNumber.optional() });
const seal = z
  .string()
  .max(60)
  .transform(
    (text, refused) => readSealNumber(text) ?? (refused.addIssue({ code: "custom", message: "not the number of a seal" }), z.NEVER),
  );
const staffBody = z
  .strictObject({
    event: z.enum(staffEvents),
    amount: sum.optional(),
    reference: reference.optional(),
    items: z
      .array(z.strictObject({ id: coinId, count: z.int().min(1).max(999) }))
      .max(200)
      .optional(),
    delivery: z.boolean().optional(),
    seal: seal.optional(),
  })
  .refine(
    ({ event, seal: number }) => (event === "seal" ? number !== undefined : number === undefined || event === "assemble"),
    "the number of a seal goes with assemble and seal",
  )
  .refine(({ event, reference: named }) => named === undefined || event === "pay", "a reference goes with pay only")
  .refine(
    ({ event, amount, items, delivery }) =>
      (event === "refund" && !(amount !== undefined && (items || delivery))) ||
      (event === "give_back" && amount === undefined && !delivery) ||
      (!items && !delivery && (event === "pay" || amount === undefined)),
    "money goes with pay and refund only, pieces with refund and give_back",
  );

export const playStaff = call({
  method: "POST",
  path: "/_demo/orders/{id}",
  summary: "Plays the staff on an order until there is a back office",
  changes: true,
  ...inDemo,
  params: z.object({ id: orderIdOrNumberParam }),
  badParams: "order.not_found",
  body: staffBody,
  answer: z.object({
    id: z.string(),
    status: orderStatus,
    statusText: z.string(),
    /** For a packed order: the number of the seal on its bag, and the value declared to the carrier. */
    seal: z.string().optional(),
    insured: roubles.optional(),
  }),
  problems: [
    "order.not_found",
    "order.parcel_refused",
    "order.seal_missing",
    "order.seal_taken",
    "order.seal_is_coin",
    "order.event_refused",
    "order.refund_too_much",
    "order.pieces_refused",
    "order.reference_missing",
    "order.transfer_known",
    "refund.transfer_waits",
  ],
});

/** The staff's view of a packed order. */
export const packedView = ({ state, sealNumber, delivery }: Order): { seal?: string; insured?: number } => ({
  ...(sealNumber === null ? {} : { seal: sealNumber }),
  ...(delivery.insuredValue === null || !isSealable(state) ? {} : { insured: toRoubles(delivery.insuredValue) }),
});

export const takeStatementEntry = call({
  method: "POST",
  path: "/_demo/transfers",
  summary: "Plays the staff with the bank's statement: one entry, counted once for the order that its purpose names",
  changes: true,
  ...inDemo,
  body: z.strictObject({
    number: transferNumber,
    date: day,
    arrivedOn: day.nullable(),
    amount: sum,
    payer: z.string().max(300),
    payerAccount: accountNumber.nullable(),
    payeeAccounts: z.array(z.string().max(40)).max(2),
    purpose: z.string().max(1000),
  }),
  answer: z.union([
    z.object({ kind: z.literal("counted"), orderNumber: z.int(), state: orderStatus }),
    z.object({ kind: z.literal("known"), orderNumber: z.int() }),
    z.object({ kind: z.literal("foreign") }),
    z.object({ kind: z.literal("left"), why: z.enum(unmatchedReasons) }),
  ]),
  problems: [],
});

export const retryShipment = call({
  method: "POST",
  path: "/_demo/shipments/{id}",
  summary: "Sends the parcel of an order again after the carrier refused it, to another point if one is named",
  changes: true,
  ...inDemo,
  params: z.object({ id: orderIdOrNumberParam }),
  badParams: "order.not_found",
  body: z.strictObject({ event: z.literal("retry"), pointId: pointId.optional() }),
  answer: z.object({ id: z.string(), status: z.enum(statesOf(shipmentStates)) }),
  problems: ["order.not_found", "shipment.not_found", "shipment.not_refused", "shipment.no_such_point"],
});

export const moveParcel = call({
  method: "POST",
  path: "/_demo/parcels/{id}",
  summary: "Plays the courier: the parcel of an order comes to a place; `code` is the carrier's own",
  changes: true,
  ...inDemo,
  params: z.object({ id: orderIdParam }),
  badParams: "order.not_found",
  body: z.strictObject({ code: z.string().regex(/^[A-Z_]{1,60}$/), city: z.string().max(100).optional() }),
  answer: nothing,
  problems: ["order.not_found", "shipment.not_found"],
});

export const readWaiting = call({
  method: "GET",
  path: "/_demo/waiting",
  summary: "Orders that wait for the carrier or for staff: cancellations, parcels coming back, returned orders whose money is undecided",
  changes: false,
  ...inDemo,
  answer: z.array(
    z.object({
      id: z.string(),
      number: z.int(),
      status: orderStatus,
      why: z.enum(waitingReasons),
      since: instant,
      recall: z.enum(recallStates).nullable(),
      tracking: z.string().nullable(),
      lastStep: z.object({ code: z.string(), city: z.string(), at: instant }).nullable(),
    }),
  ),
  problems: [],
});
export type WaitingOrderView = z.infer<typeof readWaiting.answer>[number];
export const waitingOrderView = ({ id, number, state, why, since, parcel }: WaitingOrder): WaitingOrderView => ({
  id,
  number,
  status: state,
  why,
  since: isoMoscow(since),
  recall: parcel?.recall ?? null,
  tracking: parcel?.trackingNumber ?? null,
  lastStep: parcel?.lastStep ? { code: parcel.lastStep.code, city: parcel.lastStep.city, at: isoMoscow(parcel.lastStep.at) } : null,
});

const waitingReceiptView = z.object({
  id: z.string(),
  orderId: z.string(),
  kind: z.enum(receiptKinds),
  registrar: z.enum(["provider", "office"]),
  mode: z.string(),
  amount: roubles,
  email: z.string(),
  createdAt: instant,
  lines: z.array(z.object({ title: z.string(), quantity: z.int(), price: roubles, vatCode: z.int() })),
});
export type WaitingReceipt = z.infer<typeof waitingReceiptView>;
export const waitingReceipt = ({ id, orderId, kind, registrar, mode, amount, receipt, createdAt }: FiscalReceipt): WaitingReceipt => ({
  id,
  orderId,
  kind,
  registrar,
  mode,
  amount: toRoubles(amount),
  email: receipt.email,
  createdAt: isoMoscow(createdAt),
  lines: receipt.lines.map(({ title, quantity, unitPrice, vatCode }) => ({ title, quantity, price: toRoubles(unitPrice), vatCode })),
});

export const readReceipts = call({
  method: "GET",
  path: "/_demo/receipts",
  summary: "Receipts that wait for a person: to print at the office, or refused by the aggregator's register; oldest first",
  changes: false,
  ...inDemo,
  answer: z.array(waitingReceiptView),
  problems: [],
});

const waitingRefundView = z.object({
  id: z.string(),
  orderId: z.string(),
  why: z.enum(["stuck", "refused", "by_hand"]),
  amount: roubles,
  cause: z.string(),
  createdAt: instant,
  unansweredSince: instant.nullable(),
});
export type WaitingRefundView = z.infer<typeof waitingRefundView>;
export const waitingRefund = ({ id, orderId, why, amount, cause, createdAt, unansweredSince }: WaitingRefund): WaitingRefundView => ({
  id,
  orderId,
  why,
  amount: toRoubles(amount),
  cause,
  createdAt: isoMoscow(createdAt),
  unansweredSince: unansweredSince && isoMoscow(unansweredSince),
});

export const readRefunds = call({
  method: "GET",
  path: "/_demo/refunds",
  summary: "Refunds that wait for a person: not answered about for an hour, turned down for good, or to be sent by hand; oldest first",
  changes: false,
  ...inDemo,
  answer: z.array(waitingRefundView),
  problems: [],
});

export const readSubscribers = call({
  method: "GET",
  path: "/_demo/subscribers",
  summary: "Who agreed to the shop's letters and has not taken it back, with the link that does",
  changes: false,
  ...inDemo,
  answer: z.array(z.object({ email: z.string(), name: z.string(), since: instant, textVersion: z.string(), unsubscribe: z.string() })),
  problems: [],
});

const fiscalNumbers = z.strictObject({
  storageNumber: z.string().regex(fiscalNumberFormats.storageNumber),
  documentNumber: z.string().regex(fiscalNumberFormats.documentNumber),
  attribute: z.string().regex(fiscalNumberFormats.attribute),
});
export const workReceipt = call({
  method: "POST",
  path: "/_demo/receipts/{id}",
  summary: "Acts as staff on a receipt: printed at the office, or requested again",
  changes: true,
  ...inDemo,
  params: z.object({ id: orderIdParam }),
  badParams: "receipt.not_found",
  body: z
    .strictObject({ event: z.enum(receiptEvents), signs: fiscalNumbers.optional() })
    .refine(({ event, signs }) => signs === undefined || event === "print", "signs go with print only"),
  answer: z.object({ id: z.string(), status: z.enum(statesOf(receiptStates)) }),
  problems: ["receipt.not_found", "receipt.event_refused"],
});

const numberParam = z.object({
  id: z
    .string()
    .regex(/^[1-9]\d{0,8}$/)
    .transform(Number),
});

export const decideReview = call({
  method: "POST",
  path: "/_demo/reviews/{id}",
  summary: "Plays the staff on a review",
  changes: true,
  ...inDemo,
  params: numberParam,
  badParams: "review.not_found",
  body: z.strictObject({ event: z.enum(reviewEvents) }),
  answer: z.object({ id: z.int(), status: z.enum(statesOf(reviewStates)) }),
  problems: ["review.not_found"],
});

export const closeInquiry = call({
  method: "POST",
  path: "/_demo/inquiries/{id}",
  summary: "Plays the staff on a request by form",
  changes: true,
  ...inDemo,
  params: numberParam,
  badParams: "inquiry.not_found",
  body: z.strictObject({ event: z.enum(inquiryEvents) }),
  answer: z.object({ id: z.int(), status: z.enum(statesOf(inquiryStates)) }),
  problems: ["inquiry.not_found"],
});
