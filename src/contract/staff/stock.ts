import * as z from "zod";
import { isWholeKopecks } from "#kit/money.ts";
import { statesOf } from "#kit/transitions.ts";
import { orderStates } from "#shop/orders/order.ts";
import { documentKinds, documentStates, lineFaults } from "#shop/stock/documents/document.ts";
import { levelParts } from "#shop/stock/overview/overview.ts";
import { entryKinds } from "#shop/stock/stock.ts";
import { stocktakeStates } from "#shop/stock/stocktakes/stocktake.ts";
import { fieldMessages } from "../fields.ts";
import { chosenDay, coinId, coinIdParam, instant, line, nothing, requiredLine, roubles } from "../wire.ts";
import { staffCall } from "./call.ts";
import { cursor, page, revision, rowIdParam } from "./wire.ts";

/** The stock: levels, the ledger of a coin, documents, stocktakes. Costs are roubles, and absent for roles that may not see them. */

const day = z.iso.date();
const metal = z.enum(["gold", "silver"]);
const coin = z.object({
  id: coinId,
  title: z.string(),
  /** What a scanner reads: the number of the central bank, else the shop's article. */
  code: z.string(),
  metal,
});

/* Levels */

const level = coin.extend({
  isPublished: z.boolean(),
  onHand: z.int(),
  reserved: z.int(),
  available: z.int(),
  isLow: z.boolean(),
  /** The coin's own threshold; null: that of the settings. */
  lowAt: z.int().nullable(),
  /** Milligrams of pure metal on hand, and their value at today's rate; null: the rate is not known. */
  pureMassMg: z.int(),
  metalValue: roubles.nullable(),
  /** Pieces of unknown cost; the others cost `cost` together. */
  uncosted: z.int().optional(),
  cost: roubles.optional(),
  /** The moving average of a piece; null: no piece has a known cost. */
  averageCost: roubles.nullable().optional(),
});

export const readStock = staffCall({
  method: "GET",
  path: "/api/staff/stock",
  summary: "Pieces of every coin by title: on hand, reserved, available, cost and metal value",
  permission: "stock.read",
  audit: null,
  query: z.object({
    part: z.enum(levelParts).default("in_stock"),
    metal: metal.optional(),
    text: z.string().max(100).default(""),
    cursor,
  }),
  answer: page(level),
  problems: [],
});

export const readStockSummary = staffCall({
  method: "GET",
  path: "/api/staff/stock/summary",
  summary: "The whole stock by metal, and how many coins are low, out, or have pieces of unknown cost",
  permission: "stock.read",
  audit: null,
  answer: z.object({
    metals: z.array(
      z.object({
        metal,
        pieces: z.int(),
        reserved: z.int(),
        pureMassMg: z.int(),
        metalValue: roubles.nullable(),
        uncosted: z.int().optional(),
        cost: roubles.optional(),
      }),
    ),
    low: z.int(),
    out: z.int(),
    withoutCost: z.int(),
    /** The threshold of coins without one of their own. */
    lowAt: z.int(),
  }),
  problems: [],
});

export const findStockCoins = staffCall({
  method: "GET",
  path: "/api/staff/stock/find",
  summary: "Coins by code or by words of the title, for a line of a document or a count; without their pieces",
  permission: "stock.read",
  audit: null,
  query: z.object({ text: z.string().min(1).max(100) }),
  answer: z.array(coin),
  problems: [],
});

export const readStockCoin = staffCall({
  method: "GET",
  path: "/api/staff/stock/coins/{id}",
  summary: "A coin in the stock, and the orders that reserve its pieces",
  permission: "stock.read",
  audit: null,
  params: z.object({ id: coinIdParam }),
  answer: level.extend({
    defaultLowAt: z.int(),
    orders: z.array(
      z.object({
        id: z.string(),
        number: z.int(),
        state: z.enum(statesOf(orderStates)),
        pieces: z.int(),
        createdAt: instant,
        reservedUntil: instant.nullable(),
      }),
    ),
  }),
  problems: ["staff.not_found"],
});

export const readStockEntries = staffCall({
  method: "GET",
  path: "/api/staff/stock/coins/{id}/entries",
  summary: "The whole ledger of a coin, newest first",
  permission: "stock.read",
  audit: null,
  params: z.object({ id: coinIdParam }),
  query: z.object({ cursor }),
  answer: page(
    z.object({
      id: z.int(),
      kind: z.enum(entryKinds),
      quantity: z.int(),
      balance: z.int(),
      /** What the pieces cost; null: not known. */
      cost: roubles.nullable().optional(),
      orderId: z.string().nullable(),
      documentId: z.int().nullable(),
      at: instant,
      by: z.string().nullable(),
    }),
  ),
  problems: [],
});

export const setStockThreshold = staffCall({
  method: "POST",
  path: "/api/staff/stock/coins/{id}/threshold",
  summary: "Sets from how many available pieces a coin counts as low; null: the number of the settings",
  permission: "stock.post",
  audit: "stock.threshold",
  params: z.object({ id: coinIdParam }),
  body: z.strictObject({
    lowAt: z.int("Целое число").min(0, "Не меньше нуля").max(100_000, "Слишком много").nullable(),
    /** The number that the clerk saw. */
    before: z.int32().nullable(),
  }),
  answer: nothing,
  problems: ["staff.not_found", "staff.stale"],
  refusalData: { "staff.stale": z.object({ current: z.int().nullable() }) },
});

/* Documents */

const head = z.object({
  id: z.int(),
  kind: z.enum(documentKinds),
  state: z.enum(statesOf(documentStates)),
  supplier: z.string(),
  number: z.string(),
  date: day.nullable(),
  note: z.string(),
  lineCount: z.int(),
  pieces: z.int(),
  cost: roubles.nullable().optional(),
  stocktakeId: z.int().nullable(),
  revision,
  createdAt: instant,
  createdBy: z.string(),
  postedAt: instant.nullable(),
  postedBy: z.string().nullable(),
  reversedAt: instant.nullable(),
  reversedBy: z.string().nullable(),
  reversalReason: z.string().nullable(),
});
const document = head.extend({
  lines: z.array(z.object({ coin, quantity: z.int(), unitCost: roubles.nullable().optional() })),
});

const unitCost = z
  .number(fieldMessages.required)
  .min(0, "Не меньше нуля")
  .max(1_000_000_000, "Слишком большая сумма")
  .refine(isWholeKopecks, "Не больше двух знаков после запятой");
/** The most lines of a document that is typed; imports make larger ones. */
const maxLines = 500;
const pieces = z.int("Целое число").min(-100_000, "Слишком много").max(100_000, "Слишком много");
const draftShape = z.strictObject({
  kind: z.enum(documentKinds),
  supplier: line(200).default(""),
  number: line(60).default(""),
  date: chosenDay().nullable().default(null),
  note: line(500).default(""),
  lines: z
    .array(z.strictObject({ coin: coinId, quantity: pieces.default(0), unitCost: unitCost.nullable().default(null) }))
    .max(maxLines, `Не больше ${maxLines} строк`)
    .default([]),
});

type Draft = z.output<typeof draftShape>;
/** Fields of lines are named `0.quantity`, so that the message is shown beside the line. */
function checkDraft({ kind, supplier, note, lines }: Draft, context: z.core.$RefinementCtx): void {
  const wrong = (path: (string | number)[], message: string) => context.addIssue({ code: "custom", path, message });
  if (kind === "receipt" && supplier === "") wrong(["supplier"], "Назовите поставщика");
  if ((kind === "write_off" || kind === "correction") && note === "") wrong(["note"], "Напишите причину");
  const seen = new Set<number>();
  for (const [index, { coin, quantity, unitCost }] of lines.entries()) {
    if (seen.has(coin)) wrong(["lines", `${index}.coin`], "Эта монета уже есть в документе");
    seen.add(coin);
    if ((kind === "receipt" || kind === "write_off") && quantity < 1) wrong(["lines", `${index}.quantity`], "Хотя бы одна монета");
    if (kind === "correction" && quantity === 0) wrong(["lines", `${index}.quantity`], "На сколько исправить: больше или меньше нуля");
    if ((kind === "receipt" || kind === "opening_cost") && unitCost === null)
      wrong(["lines", `${index}.unitCost`], "Сколько стоила одна монета");
  }
}
const draft = draftShape.superRefine(checkDraft);

export const readDocuments = staffCall({
  method: "GET",
  path: "/api/staff/stock/documents",
  summary: "Documents of the stock, newest first",
  permission: "stock.read",
  audit: null,
  query: z.object({ kind: z.enum(documentKinds).optional(), state: z.enum(statesOf(documentStates)).optional(), cursor }),
  answer: page(head),
  problems: [],
});

export const readDocument = staffCall({
  method: "GET",
  path: "/api/staff/stock/documents/{id}",
  summary: "A document with its lines",
  permission: "stock.read",
  audit: null,
  params: z.object({ id: rowIdParam }),
  answer: document,
  problems: ["staff.not_found"],
});

export const createDocument = staffCall({
  method: "POST",
  path: "/api/staff/stock/documents",
  summary: "Stores a draft; nothing moves before it is posted",
  permission: "stock.post",
  audit: "stock.draft",
  body: draft,
  answer: document,
  problems: ["request.invalid"],
});

const staleData = z.object({ current: document, revision });
const changeProblems = ["staff.not_found", "staff.stale", "stock.wrong_state"] as const;

export const saveDocument = staffCall({
  method: "PATCH",
  path: "/api/staff/stock/documents/{id}",
  summary: "Replaces what a draft says",
  permission: "stock.post",
  audit: "stock.draft",
  params: z.object({ id: rowIdParam }),
  body: z.strictObject({ revision, draft }),
  answer: document,
  problems: [...changeProblems, "request.invalid"],
  refusalData: { "staff.stale": staleData },
});

export const discardDocument = staffCall({
  method: "POST",
  path: "/api/staff/stock/documents/{id}/discard",
  summary: "Puts a draft aside for good",
  permission: "stock.post",
  audit: "stock.discard",
  params: z.object({ id: rowIdParam }),
  body: z.strictObject({ revision }),
  answer: document,
  problems: changeProblems,
  refusalData: { "staff.stale": staleData },
});

const lineRefusals = z.object({
  lines: z.array(z.object({ coin, why: z.enum(lineFaults), needed: z.int(), onHand: z.int(), reserved: z.int() })),
});
const stepProblems = [...changeProblems, "stock.empty", "stock.line_refused"] as const;
const stepData = { "staff.stale": staleData, "stock.line_refused": lineRefusals };

export const postDocument = staffCall({
  method: "POST",
  path: "/api/staff/stock/documents/{id}/post",
  summary: "Posts a receipt of goods or opening costs: pieces and costs move",
  permission: "stock.post",
  audit: "stock.post",
  params: z.object({ id: rowIdParam }),
  body: z.strictObject({ revision }),
  answer: document,
  problems: stepProblems,
  refusalData: stepData,
});

export const postCorrection = staffCall({
  method: "POST",
  path: "/api/staff/stock/documents/{id}/correct",
  summary: "Posts a correction or a write-off; those of gold always need a second person",
  permission: "stock.correct",
  audit: "stock.correct",
  params: z.object({ id: rowIdParam }),
  body: z.strictObject({ revision }),
  answer: document,
  problems: stepProblems,
  refusalData: stepData,
});

export const reverseDocument = staffCall({
  method: "POST",
  path: "/api/staff/stock/documents/{id}/reverse",
  summary: "Takes a posted document back, when its pieces are still there; those of gold always need a second person",
  permission: "stock.correct",
  audit: "stock.reverse",
  params: z.object({ id: rowIdParam }),
  body: z.strictObject({ revision, reason: requiredLine(500) }),
  answer: document,
  problems: stepProblems,
  refusalData: stepData,
});

/* Stocktakes */

const stocktakeHead = z.object({
  id: z.int(),
  title: z.string(),
  state: z.enum(statesOf(stocktakeStates)),
  createdAt: instant,
  createdBy: z.string(),
  endedAt: instant.nullable(),
  endedBy: z.string().nullable(),
  lineCount: z.int(),
  countedLines: z.int(),
  documentId: z.int().nullable(),
});

export const readStocktakes = staffCall({
  method: "GET",
  path: "/api/staff/stock/stocktakes",
  summary: "Stocktakes, newest first",
  permission: "stock.read",
  audit: null,
  query: z.object({ cursor }),
  answer: page(stocktakeHead),
  problems: [],
});

export const readStocktake = staffCall({
  method: "GET",
  path: "/api/staff/stock/stocktakes/{id}",
  summary: "A stocktake. While it is counted, it says what was counted and never what is expected",
  permission: "stock.read",
  audit: null,
  params: z.object({ id: rowIdParam }),
  answer: stocktakeHead.extend({
    lines: z.array(
      z.object({
        coin,
        counted: z.int().nullable(),
        /** Absent while the count goes on. */
        expected: z.int().nullable().optional(),
        /** Pieces moved while the coin was being counted: it must be counted again. */
        hasMoved: z.boolean(),
        countedAt: instant.nullable(),
        countedBy: z.string().nullable(),
      }),
    ),
  }),
  problems: ["staff.not_found"],
});

export const startStocktake = staffCall({
  method: "POST",
  path: "/api/staff/stock/stocktakes",
  summary: "Starts a blind count of coins: those of a metal, those that are in stock, or chosen ones",
  permission: "stock.post",
  audit: "stocktake.start",
  body: z.strictObject({
    title: requiredLine(100),
    metal: metal.nullable().default(null),
    /** Only coins of which the ledger has pieces. */
    isInStockOnly: z.boolean().default(true),
    /** These coins; empty: all of the choice above. */
    coins: z.array(coinId).max(2_000).default([]),
  }),
  answer: z.object({ id: z.int() }),
  problems: ["request.invalid"],
});

export const countPieces = staffCall({
  method: "POST",
  path: "/api/staff/stock/stocktakes/{id}/count",
  summary: "Stores counted pieces of a coin by its code or id: more pieces (`add`), or all that are there (`all`)",
  permission: "stock.post",
  audit: "stocktake.count",
  params: z.object({ id: rowIdParam }),
  body: z.strictObject({
    code: line(40).optional(),
    coin: coinId.optional(),
    quantity: z.int("Целое число").min(0, "Не меньше нуля").max(100_000, "Слишком много"),
    mode: z.enum(["add", "all"]),
  }),
  answer: z.object({ coin, counted: z.int() }),
  problems: ["staff.not_found", "stock.stocktake_ended", "stock.not_on_sheet", "stock.code_unknown", "stock.code_shared"],
});

export const finishStocktake = staffCall({
  method: "POST",
  path: "/api/staff/stock/stocktakes/{id}/finish",
  summary: "Ends a count; its differences become the draft of a correction",
  permission: "stock.post",
  audit: "stocktake.finish",
  params: z.object({ id: rowIdParam }),
  answer: z.object({ documentId: z.int().nullable() }),
  problems: ["staff.not_found", "stock.stocktake_ended", "stock.nothing_counted", "stock.count_again"],
  refusalData: { "stock.count_again": z.object({ coins: z.array(coin) }) },
});

export const cancelStocktake = staffCall({
  method: "POST",
  path: "/api/staff/stock/stocktakes/{id}/cancel",
  summary: "Ends a count without a result",
  permission: "stock.post",
  audit: "stocktake.cancel",
  params: z.object({ id: rowIdParam }),
  answer: nothing,
  problems: ["staff.not_found", "stock.stocktake_ended"],
});
