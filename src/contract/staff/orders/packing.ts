import * as z from "zod";
import { statesOf } from "#kit/transitions.ts";
import { labelStates } from "#shop/delivery/labels/label.ts";
import { outcomes, postponeReasons, wrongPieces } from "#shop/packing/packing.ts";
import { fieldMessages } from "../../fields.ts";
import { coinId, instant, nothing, orderIdParam, roubles } from "../../wire.ts";
import { file, staffCall } from "../call.ts";
import { rowIdParam } from "../wire.ts";
import { sealNumber } from "./orders.ts";

const batchParam = z.object({ id: rowIdParam });
const placeParams = z.object({ id: rowIdParam, orderId: orderIdParam });
const orderIds = z.array(orderIdParam).min(1).max(100);
const deliveryType = z.enum(["carrier", "office", "special"]);

/* Start */

const waiting = z.object({
  id: z.string(),
  number: z.int(),
  createdAt: instant,
  destination: z.string(),
  pieces: z.int(),
  /** Why it was taken out of its last batch. */
  postponed: z.enum(postponeReasons).nullable(),
});

export const readPacking = staffCall({
  method: "GET",
  path: "/api/staff/packing",
  summary:
    "Orders that wait to be packed and are in no batch, oldest first, at most 200; open batches; " +
    "how many packed orders wait for the carrier",
  permission: "orders.pack",
  audit: null,
  answer: z.object({
    waiting: z.array(waiting),
    batches: z.array(z.object({ id: z.int(), createdAt: instant, actor: z.string(), orders: z.int(), ended: z.int() })),
    toHandOver: z.int(),
    /** As many orders as a new batch takes. */
    batchSize: z.int(),
  }),
  problems: [],
});

export const openBatch = staffCall({
  method: "POST",
  path: "/api/staff/packing/batches",
  summary: "Makes a batch of these orders, or of the oldest that wait; orders of other open batches are left out",
  permission: "orders.pack",
  audit: "packing.open",
  body: z.strictObject({ orders: orderIds.optional() }),
  answer: z.object({ id: z.int() }),
  problems: ["packing.nothing"],
});

/* A batch */

const label = z.object({
  id: z.int(),
  state: z.enum(statesOf(labelStates)),
  fault: z.string().nullable(),
  expiresAt: instant.nullable(),
});
const batchOrder = z.object({
  id: z.string(),
  number: z.int(),
  place: z.int(),
  recipient: z.string(),
  destination: z.string(),
  deliveryType,
  needsSeal: z.boolean(),
  seal: z.string().nullable(),
  tracking: z.string().nullable(),
  outcome: z.enum(outcomes).nullable(),
  reason: z.enum(postponeReasons).nullable(),
  /** Cancelled, or packed elsewhere: its pieces go back to the shelf. */
  isGone: z.boolean(),
  /** Who packs it now. */
  packer: z.object({ name: z.string(), isMe: z.boolean() }).nullable(),
  lines: z.array(
    z.object({
      coin: coinId,
      title: z.string(),
      /** Year, metal, mint. */
      facts: z.string(),
      /** The catalogue number, or the article. */
      code: z.string(),
      image: z.string(),
      count: z.int(),
      checked: z.int(),
    }),
  ),
  label: label.nullable(),
});
export type PackingOrderView = z.output<typeof batchOrder>;

export const readBatch = staffCall({
  method: "GET",
  path: "/api/staff/packing/batches/{id}",
  summary: "A batch: its pick list, and its orders with checked pieces, packers and labels",
  permission: "orders.pack",
  audit: null,
  params: batchParam,
  answer: z.object({
    id: z.int(),
    createdAt: instant,
    closedAt: instant.nullable(),
    picks: z.array(
      z.object({
        coin: coinId,
        title: z.string(),
        facts: z.string(),
        image: z.string(),
        count: z.int(),
        checked: z.int(),
        places: z.array(z.object({ place: z.int(), count: z.int() })),
      }),
    ),
    orders: z.array(batchOrder),
  }),
  problems: [],
});
export const printPickList = staffCall({
  method: "GET",
  path: "/api/staff/packing/batches/{id}/pick-list",
  summary: "The pick list of a batch, PDF",
  permission: "orders.pack",
  audit: null,
  params: batchParam,
  answer: file,
  problems: [],
});
export const printSlips = staffCall({
  method: "GET",
  path: "/api/staff/packing/batches/{id}/slips",
  summary: "The packing slips of a batch, one order a page, PDF without sums",
  permission: "orders.pack",
  audit: null,
  params: batchParam,
  answer: file,
  problems: [],
});
export const printSlip = staffCall({
  method: "GET",
  path: "/api/staff/packing/orders/{orderId}/slip",
  summary: "The packing slip of one order, PDF without sums",
  permission: "orders.pack",
  audit: null,
  params: z.object({ orderId: orderIdParam }),
  answer: file,
  problems: [],
});

/* One order */

const wrongPiece = z.object({ why: z.enum(wrongPieces), title: z.string().nullable() });
const placeProblems = ["packing.ended", "packing.gone", "packing.taken"] as const;
const refusalData = { "packing.taken": z.object({ name: z.string() }) } as const;
const checked = z.object({ coin: coinId, title: z.string(), checked: z.int(), count: z.int() });

export const takeOverOrder = staffCall({
  method: "POST",
  path: "/api/staff/packing/batches/{id}/orders/{orderId}/take-over",
  summary: "Takes an order over from the packer who has it on the table",
  permission: "orders.pack",
  audit: "packing.take_over",
  params: placeParams,
  answer: nothing,
  problems: ["packing.ended", "packing.gone"],
});
export const scanPiece = staffCall({
  method: "POST",
  path: "/api/staff/packing/batches/{id}/orders/{orderId}/scan",
  summary: "Checks one piece by the code that the scanner read: the coin's catalogue number or article",
  permission: "orders.pack",
  audit: "packing.check",
  params: placeParams,
  body: z.strictObject({ code: z.string().min(1, fieldMessages.required).max(60, fieldMessages.tooLong) }),
  answer: checked,
  problems: [...placeProblems, "packing.wrong_piece"],
  refusalData: { ...refusalData, "packing.wrong_piece": wrongPiece },
});
export const tickPieces = staffCall({
  method: "POST",
  path: "/api/staff/packing/batches/{id}/orders/{orderId}/tick",
  summary: "Sets how many pieces of a coin were checked by hand",
  permission: "orders.pack",
  audit: "packing.check",
  params: placeParams,
  body: z.strictObject({ coin: coinId, checked: z.int().min(0).max(999) }),
  answer: checked,
  problems: [...placeProblems, "packing.wrong_piece"],
  refusalData: { ...refusalData, "packing.wrong_piece": wrongPiece },
});

export const finishOrder = staffCall({
  method: "POST",
  path: "/api/staff/packing/batches/{id}/orders/{orderId}/pack",
  summary: "Packs an order whose pieces are all checked, with the seal of its bag, and requests the label from the carrier",
  permission: "orders.pack",
  audit: "packing.pack",
  params: placeParams,
  body: z.strictObject({ seal: sealNumber.optional() }),
  answer: z.object({ number: z.int(), label: label.nullable() }),
  problems: [
    ...placeProblems,
    "packing.incomplete",
    "packing.seal_missing",
    "packing.seal_not_needed",
    "packing.wrong_piece",
    "order.seal_taken",
    "order.event_refused",
  ],
  refusalData: {
    ...refusalData,
    /** The seal is the code of a coin: one piece too many was scanned. */
    "packing.wrong_piece": wrongPiece,
    "packing.incomplete": z.object({ left: z.int() }),
    "order.seal_taken": z.object({ orderNumber: z.int() }),
  },
});
export const postponeOrder = staffCall({
  method: "POST",
  path: "/api/staff/packing/batches/{id}/orders/{orderId}/postpone",
  summary: "Takes an order out of its batch; it waits to be packed again",
  permission: "orders.pack",
  audit: "packing.postpone",
  params: placeParams,
  body: z.strictObject({ reason: z.enum(postponeReasons) }),
  answer: nothing,
  problems: [...placeProblems],
  refusalData,
});

/* Labels */

/** Orders that have no label, and why. */
const leftOut = z.array(z.object({ id: z.string(), number: z.int().nullable(), reason: z.string() }));

export const requestLabels = staffCall({
  method: "POST",
  path: "/api/staff/packing/labels",
  summary: "Asks the carrier for the labels of packed orders in one PDF, and names those that have none; a ready file is returned as it is",
  permission: "orders.pack",
  audit: "packing.labels",
  body: z.strictObject({ orders: orderIds }),
  answer: z.object({ ...label.shape, leftOut }),
  problems: ["label.no_parcel"],
  refusalData: { "label.no_parcel": z.object({ leftOut }) },
});
export const readLabel = staffCall({
  method: "GET",
  path: "/api/staff/packing/labels/{id}",
  summary: "The state of a file of labels",
  permission: "orders.pack",
  audit: null,
  params: batchParam,
  answer: label,
  problems: [],
});
export const printLabel = staffCall({
  method: "GET",
  path: "/api/staff/packing/labels/{id}/file",
  summary: "The labels, PDF; `staff.not_found` while they are not ready, and after their time is over",
  permission: "orders.pack",
  audit: null,
  params: batchParam,
  answer: file,
  problems: [],
});

/* Hand-over */

export const readHandOver = staffCall({
  method: "GET",
  path: "/api/staff/packing/hand-over",
  summary: "Packed orders that were not handed over yet, oldest first, at most 200",
  permission: "orders.pack",
  audit: null,
  answer: z.array(
    z.object({
      id: z.string(),
      number: z.int(),
      deliveryType,
      destination: z.string(),
      pieces: z.int(),
      seal: z.string().nullable(),
      needsSeal: z.boolean(),
      tracking: z.string().nullable(),
      /** The carrier refused the parcel: it cannot be handed over. */
      isRefused: z.boolean(),
      /** Only with `orders.money`. */
      declared: roubles.optional(),
    }),
  ),
  problems: [],
});
export const printHandOver = staffCall({
  method: "GET",
  path: "/api/staff/packing/hand-over/list",
  summary:
    "The list for the courier, PDF: the orders with these numbers, or all that wait; the declared value only for roles that may see sums",
  permission: "orders.pack",
  audit: null,
  query: z.object({
    type: deliveryType.default("carrier"),
    /** `100123,100124`: numbers, because 200 ids do not fit into an address. */
    numbers: z
      .string()
      .regex(/^[1-9]\d{0,8}(,[1-9]\d{0,8}){0,199}$/)
      .transform((words) => words.split(",").map(Number))
      .optional(),
  }),
  answer: file,
  problems: [],
});
export const handOver = staffCall({
  method: "POST",
  path: "/api/staff/packing/hand-over",
  summary: "Marks packed orders as handed over, or as ready at the office, with a result for each",
  permission: "orders.pack",
  audit: "packing.hand_over",
  body: z.strictObject({ orders: orderIds }),
  answer: z.array(z.object({ id: z.string(), number: z.int().nullable(), isDone: z.boolean(), reason: z.string().nullable() })),
  problems: [],
});
