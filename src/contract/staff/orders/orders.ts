import * as z from "zod";
import { isWholeKopecks } from "#kit/money.ts";
import { appliedPromo } from "../../public/checkout.ts";
import { statesOf } from "#kit/transitions.ts";
import { recallStates, shipmentStates } from "#shop/delivery/shipment.ts";
import { orderStates, refundTransferAction, waitingReasons } from "#shop/orders/order.ts";
import { acts } from "#shop/orders/staff/acts.ts";
import { listViews } from "#shop/orders/staff/order-list.ts";
import { readSealNumber } from "#shop/orders/parcel/seal.ts";
import { receiptModes } from "#shop/payment/gateway.ts";
import { paymentMethods, paymentStates } from "#shop/payment/payment.ts";
import { receiptKinds, receiptStates } from "#shop/payment/receipts/receipt.ts";
import { referenceNumber } from "#shop/payment/transfers/bank-transfer.ts";
import { fieldMessages, maxLengths } from "../../fields.ts";
import { chosenDay, coinId, email, instant, line, nothing, orderIdParam, phone, pointId, requiredLine, roubles, text } from "../../wire.ts";
import { file, staffCall } from "../call.ts";
import { refundSummary, revision, rowId, rowIdParam } from "../wire.ts";

const state = z.enum(statesOf(orderStates));
const params = z.object({ id: orderIdParam });
const problem = z.enum([...waitingReasons, "parcel_refused", "message_failed"]);

/** A sum in roubles that people enter: above zero, whole kopecks. */
const sum = z
  .number(fieldMessages.wrong)
  .positive("Введите сумму больше нуля")
  .max(999_999_999, fieldMessages.wrong)
  .refine(isWholeKopecks, "Копеек не больше двух знаков");
const pieces = z
  .array(z.strictObject({ id: coinId, count: z.int().min(1).max(999) }))
  .min(1)
  .max(200);

/* List */

/** Values joined by comma: `paid,shipped`. */
const listOf = <T extends string>(values: readonly T[]) =>
  z
    .string()
    .max(300)
    .transform((words) => words.split(",").filter((word): word is T => (values as readonly string[]).includes(word)));
const numbers = z
  .string()
  .regex(/^\d{1,3}(,\d{1,3}){0,20}$/)
  .transform((words) => words.split(",").map(Number));
const roublesText = z
  .string()
  .regex(/^\d{1,9}([.,]\d{1,2})?$/, "Введите сумму")
  .transform((words) => Number(words.replace(",", ".")));
const day = chosenDay("Введите дату");

/** The filters of the list as its query and a saved view have them. */
const listFilter = {
  view: z.enum(listViews).default("all"),
  state: listOf(statesOf(orderStates)).optional(),
  delivery: numbers.optional(),
  payment: numbers.optional(),
  sumFrom: roublesText.optional(),
  sumTo: roublesText.optional(),
  /** Days in Moscow, both included. */
  from: day.optional(),
  till: day.optional(),
  /** A login, or the value `nobody` for orders without an assignee. */
  assignee: z.string().max(40).optional(),
  text: z.string().max(100).optional(),
  problem: problem.optional(),
};

export const row = z.object({
  id: z.string(),
  number: z.int(),
  createdAt: instant,
  state,
  stateText: z.string(),
  buyer: z.string(),
  phone: z.string(),
  what: z.string(),
  pieces: z.int(),
  /** Only with `orders.money`. */
  sum: roubles.optional(),
  deliveryId: z.int(),
  delivery: z.string(),
  city: z.string(),
  paymentId: z.int(),
  payment: z.string(),
  /** When the reservation of an unpaid order ends, or when the parcel should be with the buyer. */
  deadline: instant.nullable(),
  assignee: z.string().nullable(),
  problem: problem.nullable(),
  problemText: z.string().nullable(),
  tracking: z.string().nullable(),
  revision,
});
export type OrderRow = z.output<typeof row>;
/** A row of the list also names the assignee, who may have left; null: no one. */
const listRow = row.extend({ assigneeName: z.string().nullable() });
export type OrderListRow = z.output<typeof listRow>;

export const readOrderList = staffCall({
  method: "GET",
  path: "/api/staff/orders",
  summary:
    "Orders, newest first, at most 50; unpaid ones by the end of their reservation, the first to end on top. " +
    "`older` and `newer` begin the neighbouring pages",
  permission: "orders.read",
  audit: null,
  query: z.object({
    ...listFilter,
    /** `older.<cursor>` or `newer.<cursor>`. */
    page: z
      .string()
      .regex(/^(older|newer)\.\d{1,16}_[A-Za-z0-9_-]{8,64}$/)
      .optional(),
  }),
  answer: z.object({ rows: z.array(listRow), older: z.string().nullable(), newer: z.string().nullable() }),
  problems: [],
});

export const countOrders = staffCall({
  method: "GET",
  path: "/api/staff/orders/counts",
  summary: "How many orders each view has; counting stops at 1,001",
  permission: "orders.read",
  audit: null,
  answer: z.record(z.enum(listViews), z.int()),
  problems: [],
});

/* Saved views */

const savedView = z.object({ id: z.int(), name: z.string(), filter: z.record(z.string(), z.string()), columns: z.array(z.string()) });
const savedViews = z.array(savedView);
const viewName = requiredLine(60);
const viewFilter = z.record(z.string().regex(/^[a-zA-Z]{1,20}$/), z.string().max(300)).refine((filter) => Object.keys(filter).length <= 20);
const viewColumns = z.array(z.string().regex(/^[a-zA-Z]{1,20}$/)).max(30);

export const readViews = staffCall({
  method: "GET",
  path: "/api/staff/views",
  summary: "The saved views of the caller, in their order",
  permission: "orders.read",
  audit: null,
  answer: savedViews,
  problems: [],
});
export const addView = staffCall({
  method: "POST",
  path: "/api/staff/views",
  summary: "Saves a view of the order list",
  permission: "orders.read",
  audit: "view.add",
  body: z.strictObject({ name: viewName, filter: viewFilter, columns: viewColumns }),
  answer: savedViews,
  problems: ["staff.name_taken", "staff.too_many"],
});
export const changeView = staffCall({
  method: "PATCH",
  path: "/api/staff/views/{id}",
  summary: "Renames a saved view, or changes its filter or columns",
  permission: "orders.read",
  audit: "view.change",
  params: z.object({ id: rowIdParam }),
  body: z
    .strictObject({ name: viewName.optional(), filter: viewFilter.optional(), columns: viewColumns.optional() })
    .refine((change) => Object.keys(change).length > 0, fieldMessages.wrong),
  answer: savedViews,
  problems: ["staff.name_taken"],
});
export const deleteView = staffCall({
  method: "DELETE",
  path: "/api/staff/views/{id}",
  summary: "Deletes a saved view",
  permission: "orders.read",
  audit: "view.delete",
  params: z.object({ id: rowIdParam }),
  answer: savedViews,
  problems: [],
});
export const orderViews = staffCall({
  method: "POST",
  path: "/api/staff/views/order",
  summary: "Puts the saved views into another order",
  permission: "orders.read",
  audit: "view.order",
  body: z.strictObject({ ids: z.array(rowId).max(100) }),
  answer: savedViews,
  problems: [],
});

/* Card */

const person = z.object({ name: z.string(), lastName: z.string(), secondName: z.string(), email: z.string(), phone: z.string() });
const address = z.object({
  city: z.string(),
  street: z.string(),
  house: z.string(),
  room: z.string(),
  entrance: z.string(),
  floor: z.string(),
  message: z.string(),
});
const point = z.object({ id: z.string(), name: z.string(), address: z.string(), workTime: z.string() });
const message = z.object({
  id: z.int(),
  channel: z.enum(["sms", "email"]),
  kind: z.string(),
  title: z.string(),
  to: z.string(),
  at: instant,
  sentAt: instant.nullable(),
  state: z.enum(["sent", "waiting", "failed", "suppressed"]),
});
const comment = z.object({ id: z.int(), at: instant, author: z.string(), text: z.string() });
const colleague = z.object({ login: z.string(), name: z.string() });

/** The payment order by which staff paid a refund that the provider had refused. */
const paymentOrder = z.object({ number: z.string(), date: z.iso.date() });
const money = z.object({
  total: roubles,
  /** The promo code in the prices of the lines, and what it took off them. */
  promo: appliedPromo.optional(),
  delivery: roubles,
  paid: roubles,
  refunded: roubles,
  left: roubles,
  payments: z.array(
    z.object({
      id: z.string(),
      method: z.enum(paymentMethods.map(({ name }) => name)),
      amount: roubles,
      refunded: roubles,
      state: z.enum(statesOf(paymentStates)),
      isKept: z.enum(["undecided", "kept", "returned"]),
      at: instant,
    }),
  ),
  refunds: z.array(
    refundSummary.extend({
      at: instant,
      /** Of a refund that the provider refused finally: what is still to be made of it; null: nothing, or it was not refused. */
      owed: roubles.nullable(),
      transfer: paymentOrder.nullable(),
    }),
  ),
  receipts: z.array(
    z.object({
      id: z.string(),
      kind: z.enum(receiptKinds),
      state: z.enum(statesOf(receiptStates)),
      registrar: z.enum(["provider", "office"]),
      amount: roubles,
      at: instant,
    }),
  ),
});

const card = z.object({
  id: z.string(),
  number: z.int(),
  revision,
  state,
  stateText: z.string(),
  createdAt: instant,
  assignee: z.string().nullable(),
  lines: z.array(
    z.object({
      id: coinId,
      slug: z.string(),
      title: z.string(),
      image: z.string(),
      count: z.int(),
      dropped: z.int(),
      returned: z.int(),
      price: roubles.optional(),
      sum: roubles.optional(),
    }),
  ),
  /** Only with `orders.money`. */
  money: money.optional(),
  payment: z.object({ id: z.int(), name: z.string(), paidAt: instant.nullable(), payUntil: instant.nullable() }),
  /** Name; contacts are masked until they are opened. */
  buyer: z.object({ ...person.shape, customerId: z.string().nullable() }),
  delivery: z.object({
    id: z.int(),
    name: z.string(),
    city: z.string(),
    place: z.string(),
    point: point.nullable(),
    note: z.string(),
    expected: z.object({ first: instant, last: instant }).nullable(),
  }),
  parcel: z
    .object({
      state: z.enum(statesOf(shipmentStates)),
      /** Of a parcel that the carrier refused: its codes that say why. */
      refusal: z.string().nullable(),
      recall: z.enum(recallStates).nullable(),
      tracking: z.string().nullable(),
      steps: z.array(z.object({ name: z.string(), city: z.string(), at: instant })),
      isBehind: z.boolean(),
    })
    .nullable(),
  seal: z.string().nullable(),
  /** Only with `orders.money`. */
  insured: roubles.optional(),
  /** What waits for the carrier's answer to a recall. */
  pending: z.enum(["pieces", "change"]).nullable(),
  messages: z.array(message),
  history: z.array(z.object({ event: z.string(), text: z.string(), state, at: instant, actor: z.string().nullable() })),
  comments: z.array(comment),
  /** The names of the members of staff in `history`, `comments` and `assignee`, also of those who left. */
  people: z.array(colleague),
  linked: z.array(z.object({ id: z.string(), number: z.int() })),
  /** The order that this one adds coins to was cancelled; the delivery of this one stayed free. */
  isFreeAlone: z.boolean(),
  acts: z.array(
    z.object({
      act: z.enum(acts),
      allowed: z.boolean(),
      /** `again`: requires the second factor · `asks`: a second person approves. */
      grant: z.enum(["yes", "again", "asks"]).nullable(),
      reason: z.string().nullable(),
    }),
  ),
});
export type OrderCardView = z.output<typeof card>;

export const readOrderCard = staffCall({
  method: "GET",
  path: "/api/staff/orders/{id}",
  summary: "Everything about one order, and what can be done with it",
  permission: "orders.read",
  audit: null,
  params,
  answer: card,
  problems: ["order.not_found"],
});

export const seeWhoLooks = staffCall({
  method: "GET",
  path: "/api/staff/orders/{id}/presence",
  summary: "Who else has the order open, and whether it changed; the question counts as having it open for a minute",
  permission: "orders.read",
  audit: null,
  params,
  answer: z.object({
    others: z.array(colleague),
    revision,
    /** How many comments the order has: they make no new revision. */
    comments: z.int(),
  }),
  problems: ["order.not_found"],
});

export const readOrderColleagues = staffCall({
  method: "GET",
  path: "/api/staff/orders/colleagues",
  summary: "The members of staff to whom orders can be assigned",
  permission: "orders.edit",
  audit: null,
  answer: z.array(colleague),
  problems: [],
});

export const openContacts = staffCall({
  method: "POST",
  path: "/api/staff/orders/{id}/contacts",
  summary: "Opens the contacts and the address of the recipient; recorded in the audit",
  permission: "customers.open",
  audit: "order.open_contacts",
  params,
  answer: z.object({ user: person, address: address.nullable() }),
  problems: ["order.not_found"],
});

/* Changes. Each names the revision that it saw. */

/** The order as it is now, beside what the stale save contained. */
const staleData = z.object({
  revision,
  current: z.object({
    state,
    stateText: z.string(),
    buyer: person,
    place: z.string(),
    /** Login; null: no one. */
    assignee: z.string().nullable(),
    assigneeName: z.string().nullable(),
    seal: z.string().nullable(),
    changedAt: instant,
    changedBy: z.string().nullable(),
  }),
});
const refusalData = { "staff.stale": staleData, "staff.act_refused": z.object({ reason: z.string() }) } as const;
const changeProblems = ["order.not_found", "staff.stale", "staff.act_refused"] as const;
export const sealNumber = z
  .string()
  .max(60)
  .transform((words, context) => {
    const number = readSealNumber(words);
    const message = "Номер пломбы: от 5 до 20 букв и цифр, цифр не меньше четырёх";
    if (number === null) context.addIssue({ code: "custom", message, continue: false });
    return number ?? "";
  });

/** What a change answers: the state and the new revision; the screen reads the card again. */
const changed = z.object({ id: z.string(), number: z.int(), state, stateText: z.string(), revision });
export type ChangedOrder = z.output<typeof changed>;

export const packOrder = staffCall({
  method: "POST",
  path: "/api/staff/orders/{id}/pack",
  summary: "Packs an order with its seal, corrects the seal, or hands the order over to the carrier or the office",
  permission: "orders.pack",
  audit: "order.pack",
  params,
  body: z
    .strictObject({ event: z.enum(["assemble", "seal", "ship", "make_ready"]), revision, seal: sealNumber.optional() })
    .refine(({ event, seal }) => event !== "seal" || seal !== undefined, { path: ["seal"], message: fieldMessages.required })
    .refine(({ event, seal }) => seal === undefined || event === "seal" || event === "assemble", fieldMessages.wrong),
  answer: changed,
  problems: [
    ...changeProblems,
    "order.event_refused",
    "order.parcel_refused",
    "order.seal_missing",
    "order.seal_taken",
    "order.seal_is_coin",
  ],
  refusalData: {
    ...refusalData,
    "order.seal_taken": z.object({ orderNumber: z.int() }),
    "order.seal_is_coin": z.object({ title: z.string() }),
  },
});

export const moveOrder = staffCall({
  method: "POST",
  path: "/api/staff/orders/{id}/move",
  summary: "Every other step of an order: arrival, hand-over, return, cancellation",
  permission: "orders.move",
  audit: "order.move",
  params,
  body: z
    .strictObject({
      event: z.enum(["arrive", "deliver", "turn_back", "give_back", "cancel", "confirm_cancel"]),
      revision,
      /** With `give_back`: only these pieces came back. */
      pieces: pieces.optional(),
    })
    .refine(({ event, pieces: some }) => some === undefined || event === "give_back", fieldMessages.wrong),
  answer: changed,
  problems: [...changeProblems, "order.event_refused", "order.pieces_refused", "refund.transfer_waits"],
  refusalData: {
    ...refusalData,
    "order.pieces_refused": z.object({ left: z.array(z.object({ id: coinId, count: z.int() })) }),
  },
});

const transferNumber = z
  .string()
  .max(30)
  .transform((words, context) => {
    const number = referenceNumber(words);
    if (number === null) context.addIssue({ code: "custom", message: "Номер платёжного поручения указан неверно", continue: false });
    return number ?? "";
  });

export const enterPayment = staffCall({
  method: "POST",
  path: "/api/staff/orders/{id}/payment",
  summary: "Records a transfer for the order by its payment order in the bank's statement; the same one counts once",
  permission: "money.enter",
  audit: "order.pay",
  params,
  body: z.strictObject({
    revision,
    amount: sum,
    number: transferNumber,
    date: day,
    payerAccount: z
      .string()
      .regex(/^\d{20}$/, "Счёт плательщика: 20 цифр")
      .optional(),
  }),
  answer: changed,
  problems: [...changeProblems, "order.event_refused", "order.reference_missing", "order.transfer_known"],
  refusalData: { ...refusalData, "order.transfer_known": z.object({ orderNumber: z.int() }) },
});

const refundParts = {
  sum: roublesText.optional(),
  pieces: z
    .string()
    .regex(/^[1-9]\d{0,8}:\d{1,3}(,[1-9]\d{0,8}:\d{1,3}){0,199}$/)
    .optional(),
};

export const previewRefund = staffCall({
  method: "GET",
  path: "/api/staff/orders/{id}/refund",
  summary: "What a refund would do: what is left, the channel and the receipt; without a sum or pieces the whole rest",
  permission: "orders.refund",
  audit: null,
  params,
  /** `pieces`: `1001:2,1002:1`, coins and counts. */
  query: z.object({ ...refundParts, delivery: z.enum(["1"]).optional() }),
  answer: z.object({
    revision,
    left: roubles,
    amount: roubles,
    leftAfter: roubles,
    isDropped: z.boolean(),
    shares: z.array(
      z.object({
        channel: z.enum(["card", "sbp", "transfer", "desk"]),
        amount: roubles,
        registrar: z.enum(["provider", "office"]),
        mode: z.enum(receiptModes),
        lines: z.array(z.object({ title: z.string(), count: z.int(), price: roubles, vatCode: z.int() })),
      }),
    ),
    approval: z.string().nullable(),
  }),
  problems: ["order.not_found", "staff.act_refused", "order.refund_too_much", "order.pieces_refused"],
  refusalData: {
    "staff.act_refused": refusalData["staff.act_refused"],
    "order.refund_too_much": z.object({ left: roubles }),
    "order.pieces_refused": z.object({ left: z.array(z.object({ id: coinId, count: z.int() })) }),
  },
});

export const refundOrder = staffCall({
  method: "POST",
  path: "/api/staff/orders/{id}/refund",
  summary: "Refunds a sum, pieces with or without the delivery, or the rest; once per `key`. Pieces of an order not shipped leave it",
  permission: "orders.refund",
  audit: "order.refund",
  params,
  body: z
    .strictObject({
      revision,
      /** Made by the browser when the form opens: a repeated form refunds the money once. */
      key: z.string().regex(/^[A-Za-z0-9-]{8,64}$/),
      sum: sum.optional(),
      pieces: pieces.optional(),
      delivery: z.boolean().optional(),
      /** For colleagues; goes into the audit. */
      reason: requiredLine(300),
    })
    .refine((body) => body.sum === undefined || (body.pieces === undefined && body.delivery !== true), fieldMessages.wrong),
  answer: changed,
  problems: [...changeProblems, "order.event_refused", "order.refund_too_much", "order.pieces_refused", "refund.transfer_waits"],
  refusalData: {
    ...refusalData,
    "order.refund_too_much": z.object({ left: roubles }),
    "order.pieces_refused": z.object({ left: z.array(z.object({ id: coinId, count: z.int() })) }),
  },
});

export const settleRefund = staffCall({
  method: "POST",
  path: "/api/staff/orders/{id}/refund/settle",
  summary: "Confirms that a refund by hand was paid, and sends a refund again that the provider refused",
  permission: "orders.refund",
  audit: "order.settle_refund",
  params,
  body: z.strictObject({ revision }),
  answer: changed,
  problems: [...changeProblems, "order.event_refused", "refund.transfer_waits"],
  refusalData,
});

export const payRefundByTransfer = staffCall({
  method: "POST",
  path: "/api/staff/orders/{id}/refunds/{refundId}/transfer",
  summary: "Records the bank transfer by which staff has paid a refund that the provider had refused for good; counts once",
  permission: "orders.refund",
  audit: refundTransferAction,
  params: z.object({ id: orderIdParam, refundId: orderIdParam }),
  body: z.strictObject({
    /** What was paid: all that is still to be made of the refund. */
    amount: sum,
    number: transferNumber,
    date: day,
    /** The transfer paid other refunds of the order, too, for which it is recorded. */
    isForSeveral: z.boolean().default(false),
  }),
  answer: nothing,
  problems: ["staff.not_found", "staff.refund_not_waiting", "staff.refund_other_sum", "order.transfer_known", "refund.transfer_entered"],
  refusalData: { "staff.refund_other_sum": z.object({ owed: roubles }), "order.transfer_known": z.object({ orderNumber: z.int() }) },
});

export const changeRecipient = staffCall({
  method: "POST",
  path: "/api/staff/orders/{id}/recipient",
  summary: "Changes who receives the order; a packed parcel is recalled and sent again",
  permission: "orders.edit",
  audit: "order.change_recipient",
  params,
  body: z.strictObject({
    revision,
    name: requiredLine(maxLengths.name),
    lastName: requiredLine(maxLengths.name),
    secondName: line(maxLengths.name).default(""),
    email,
    phone,
  }),
  answer: changed,
  problems: changeProblems,
  refusalData,
});

export const readPoints = staffCall({
  method: "GET",
  path: "/api/staff/orders/{id}/points",
  summary: "The points of the order's city that accept its parcel; `text` narrows by name and address, at most 50",
  permission: "orders.edit",
  audit: null,
  params,
  query: z.object({ text: z.string().max(100).optional() }),
  answer: z.array(point),
  problems: [],
});

export const changePoint = staffCall({
  method: "POST",
  path: "/api/staff/orders/{id}/point",
  summary: "Changes the pickup point to another one of the same city; a packed parcel is recalled and sent again",
  permission: "orders.edit",
  audit: "order.change_point",
  params,
  body: z.strictObject({ revision, pointId }),
  answer: changed,
  problems: [...changeProblems, "shipment.no_such_point"],
  refusalData,
});

export const changeAddress = staffCall({
  method: "POST",
  path: "/api/staff/orders/{id}/address",
  summary: "Changes the address in the same city; a packed parcel is recalled and sent again",
  permission: "orders.edit",
  audit: "order.change_address",
  params,
  body: z.strictObject({
    revision,
    street: requiredLine(maxLengths.address),
    house: requiredLine(maxLengths.short),
    room: line(maxLengths.short).default(""),
    entrance: line(maxLengths.short).default(""),
    floor: line(maxLengths.short).default(""),
    message: text(maxLengths.message).default(""),
  }),
  answer: changed,
  problems: changeProblems,
  refusalData,
});

export const resendParcel = staffCall({
  method: "POST",
  path: "/api/staff/orders/{id}/parcel/resend",
  summary: "Sends a parcel again that the carrier refused, to another point if one is named",
  permission: "orders.move",
  audit: "order.resend_parcel",
  params,
  body: z.strictObject({ revision, pointId: pointId.optional() }),
  answer: changed,
  problems: [...changeProblems, "shipment.no_such_point", "shipment.not_found", "shipment.not_refused"],
  refusalData,
});

/* More coins: a new order beside this one */

const addedPieces = z
  .array(z.strictObject({ id: coinId, count: z.int().min(1).max(999) }))
  .min(1, "Выберите монеты")
  .max(50)
  .refine((lines) => new Set(lines.map(({ id }) => id)).size === lines.length, fieldMessages.wrong);

export const findCoinsToAdd = staffCall({
  method: "GET",
  path: "/api/staff/orders/{id}/additions/coins",
  summary: "Coins on sale by number or title, with today's price and the pieces that can be ordered; at most 8",
  permission: "orders.edit",
  audit: null,
  params,
  query: z.object({ text: z.string().max(100) }),
  answer: z.array(
    z.object({ id: coinId, title: z.string(), available: z.int(), /** Null: there is no rate. */ price: roubles.nullable() }),
  ),
  problems: [],
});

export const quoteAddition = staffCall({
  method: "POST",
  path: "/api/staff/orders/{id}/additions/quote",
  summary: "Locks today's prices of coins to be added to the order by a new one; replaces the earlier quote and reserves nothing",
  permission: "orders.edit",
  audit: "order.quote_addition",
  params,
  body: z.strictObject({ pieces: addedPieces, paymentId: z.int().min(1).max(99) }),
  answer: z.object({
    quoteId: z.string(),
    revision,
    lines: z.array(z.object({ id: coinId, title: z.string(), count: z.int(), price: roubles, sum: roubles })),
    delivery: z.object({ name: z.string(), price: roubles, /** Delivered with this order at no further cost. */ isTogether: z.boolean() }),
    total: roubles,
    /** Seconds for which the prices stay locked; independent of the browser's clock. */
    secondsLeft: z.int(),
  }),
  problems: [
    ...changeProblems,
    "cart.stock_short",
    "market.closed",
    "rates.stale",
    "payment.not_allowed",
    "payment.over_limit",
    "delivery.needs_special",
    "city.not_found",
    "cart.empty",
  ],
  refusalData: {
    ...refusalData,
    "cart.stock_short": z.object({ short: z.array(z.object({ id: coinId, available: z.int() })) }),
    "market.closed": z.object({ ids: z.array(coinId) }),
  },
});

export const placeAddition = staffCall({
  method: "POST",
  path: "/api/staff/orders/{id}/additions",
  summary: "Makes the new order at the quoted prices, reserves its coins and sends the buyer the link to pay",
  permission: "orders.edit",
  audit: "order.add_coins",
  params,
  body: z.strictObject({ revision, quoteId: z.string().min(8).max(64) }),
  answer: changed,
  problems: [
    ...changeProblems,
    "staff.quote_gone",
    "quote.not_found",
    "quote.used",
    "order.stock_short",
    "order.too_many_unpaid",
    "order.reserve_limit",
    "order.phone_unconfirmed",
  ],
  refusalData: {
    ...refusalData,
    "order.stock_short": z.object({ short: z.array(z.object({ id: coinId, available: z.int() })) }),
  },
});

/** The login of a colleague; null: no one. */
const assignee = z.string().min(1).max(40).nullable();

export const assignOrder = staffCall({
  method: "POST",
  path: "/api/staff/orders/{id}/assignee",
  summary: "Assigns the order to a member of staff; null: to no one",
  permission: "orders.edit",
  audit: "order.assign",
  params,
  body: z.strictObject({ revision, assignee }),
  answer: changed,
  problems: changeProblems,
  refusalData,
});

export const commentOrder = staffCall({
  method: "POST",
  path: "/api/staff/orders/{id}/comments",
  summary: "Adds an internal comment",
  permission: "orders.edit",
  audit: "order.comment",
  params,
  body: z.strictObject({ text: z.string(fieldMessages.required).min(1, fieldMessages.required).max(2000, fieldMessages.tooLong) }),
  answer: z.array(comment),
  problems: ["order.not_found"],
});

export const resendMessage = staffCall({
  method: "POST",
  path: "/api/staff/orders/{id}/messages/{messageId}/resend",
  summary: "Sends a message of the order again, to the recipient that the order has now",
  permission: "orders.edit",
  audit: "order.resend_message",
  params: z.object({ id: orderIdParam, messageId: rowIdParam }),
  answer: z.array(message),
  problems: ["order.not_found", "staff.act_refused"],
  refusalData: { "staff.act_refused": refusalData["staff.act_refused"] },
});

/* Many at once */

const ids = z.array(orderIdParam).min(1).max(50);
const seenOrders = z
  .array(z.strictObject({ id: orderIdParam, revision }))
  .min(1)
  .max(50)
  .refine((orders) => new Set(orders.map(({ id }) => id)).size === orders.length, fieldMessages.wrong);
const bulkAnswer = z.array(
  z.object({
    id: z.string(),
    number: z.int().nullable(),
    isDone: z.boolean(),
    stateText: z.string().nullable(),
    reason: z.string().nullable(),
  }),
);

export const packOrders = staffCall({
  method: "POST",
  path: "/api/staff/orders/bulk/pack",
  summary:
    "Packs up to 50 orders, with a result for each; the seals are entered at the packing table. Each order names the revision that the " +
    "caller saw; `ids` alone takes the present ones",
  permission: "orders.pack",
  audit: "order.pack",
  body: z.union([z.strictObject({ orders: seenOrders }), z.strictObject({ ids })]),
  answer: bulkAnswer,
  problems: [],
});

export const printOrders = staffCall({
  method: "POST",
  path: "/api/staff/orders/bulk/print",
  summary:
    "Prepares the packing slips or the labels of up to 50 orders in one PDF, with a result for each; orders without one are left out",
  permission: "orders.pack",
  audit: "order.print",
  body: z.strictObject({ ids, paper: z.enum(["slips", "labels"]) }),
  answer: z.object({
    rows: bulkAnswer,
    /** The window that shows the file; null: none of the orders has this document. */
    path: z.string().nullable(),
  }),
  problems: [],
});

export const printOrderSlips = staffCall({
  method: "GET",
  path: "/api/staff/orders/slips",
  summary: "The packing slips of these orders in one PDF, one order a page, without sums; cancelled and returned orders have none",
  permission: "orders.pack",
  audit: null,
  query: z.object({
    ids: z
      .string()
      .max(4_000)
      .transform((words) => words.split(","))
      .pipe(ids),
  }),
  answer: file,
  problems: [],
});

export const assignOrders = staffCall({
  method: "POST",
  path: "/api/staff/orders/bulk/assign",
  summary:
    "Assigns up to 50 orders to a member of staff, with a result for each; null: no one. Each order names the revision that the caller saw",
  permission: "orders.edit",
  audit: "order.assign",
  body: z.strictObject({ orders: seenOrders, assignee }),
  answer: bulkAnswer,
  problems: [],
});
