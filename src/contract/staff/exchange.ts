import * as z from "zod";
import { importAppliers, importKinds, importSources, importStates, rowOutcomes } from "#shop/exchange/imports/import.ts";
import { statesOf } from "#kit/transitions.ts";
import { deliveryIds, paymentIds } from "#shop/method-ids.ts";
import { orderStates } from "#shop/orders/order.ts";
import { fieldMessages } from "../fields.ts";
import { chosenDay, coinId, instant, nothing, requiredLine } from "../wire.ts";
import { file, staffCall } from "./call.ts";
import { cursor, page, rowIdParam } from "./wire.ts";

/** Imports with a dry run, exports, price lists, and the exchange with the accounting system (1C). */

const importKind = z.enum(importKinds);
const tableFormat = z.enum(["csv", "xlsx"]);

/* Imports */

/** The largest file, bytes. */
export const importFileBytes = 16 * 1024 * 1024;
const contentLength = Math.ceil(importFileBytes / 3) * 4;

const importView = z.object({
  id: z.int(),
  kind: importKind,
  source: z.enum(importSources),
  fileName: z.string(),
  format: z.enum(["csv", "xlsx", "xml"]),
  state: z.enum(statesOf(importStates)),
  counts: z.object({ rows: z.int(), new: z.int(), changed: z.int(), unchanged: z.int(), errors: z.int(), warnings: z.int() }),
  notes: z.array(z.string()),
  /** Sent when the import is applied, so that exactly the checked version is applied. */
  hash: z.string(),
  createdAt: instant,
  createdBy: z.string(),
  appliedAt: instant.nullable(),
  appliedBy: z.string().nullable(),
  result: z
    .object({
      added: z.int().optional(),
      /** Of an import of coins: the new ones. */
      addedIds: z.array(z.int()).optional(),
      changed: z.int().optional(),
      documents: z.array(z.int()).optional(),
      priceChange: z.int().optional(),
    })
    .nullable(),
  /** Why a second person has to approve it; null: not needed. Only where it can be applied. */
  approvalReason: z.string().nullable(),
  /** Which call applies it; null: it cannot be applied, or the caller lacks the permission of what it changes. */
  applyBy: z.enum(importAppliers).nullable(),
});

export const checkImport = staffCall({
  method: "POST",
  path: "/api/staff/exchange/imports",
  summary: "Reads a CSV or XLSX file and stores what it would change. Changes nothing else. Needs the permission of what it changes",
  permission: "exchange",
  audit: "import.check",
  body: z.strictObject({
    kind: importKind,
    name: requiredLine(200),
    /** The file as base64. */
    content: z
      .string(fieldMessages.required)
      .min(1, "Файл пустой")
      .max(contentLength, "Файл больше 16 МБ")
      .regex(/^[A-Za-z0-9+/]+={0,2}$/, fieldMessages.wrong),
  }),
  maxBodyBytes: contentLength + 2_000,
  answer: importView,
  problems: ["request.invalid"],
});

export const readImports = staffCall({
  method: "GET",
  path: "/api/staff/exchange/imports",
  summary: "Imports, newest first",
  permission: "exchange",
  audit: null,
  query: z.object({ cursor }),
  answer: page(importView),
  problems: [],
});

export const readImport = staffCall({
  method: "GET",
  path: "/api/staff/exchange/imports/{id}",
  summary: "An import with a page of its rows, in the order of the file",
  permission: "exchange",
  audit: null,
  params: z.object({ id: rowIdParam }),
  query: z.object({ show: z.enum(["all", "new", "changed", "error", "warning"]).default("all"), cursor }),
  answer: z.object({
    import: importView,
    /** The heads of the columns by their keys. */
    heads: z.record(z.string(), z.string()),
    items: z.array(
      z.object({
        line: z.int(),
        coinId: z.int().nullable(),
        title: z.string(),
        outcome: z.enum(rowOutcomes),
        changes: z.array(z.object({ column: z.string(), before: z.string(), after: z.string() })),
        messages: z.array(z.object({ column: z.string().nullable(), message: z.string(), isError: z.boolean() })),
      }),
    ),
    next: z.string().nullable(),
  }),
  problems: ["staff.not_found"],
});

const staleRows = z.object({ rows: z.array(z.object({ line: z.int(), title: z.string(), what: z.string() })) });

const apply = <const P extends "coins" | "prices" | "stock.post" | "stock.correct", const W extends string>(permission: P, what: W) =>
  staffCall({
    method: "POST",
    path: `/api/staff/exchange/imports/{id}/apply-${what}`,
    summary: "Applies a checked import: all rows or none. Stale rows are named, and nothing is changed. Needs `exchange` too",
    permission,
    needsStepUp: true,
    audit: "import.apply",
    params: z.object({ id: rowIdParam }),
    body: z.strictObject({ hash: z.string().regex(/^[0-9a-f]{64}$/) }),
    answer: importView,
    problems: ["staff.not_found", "exchange.closed", "exchange.has_errors", "exchange.stale", "exchange.refused"],
    refusalData: { "exchange.stale": staleRows, "exchange.refused": z.object({ why: z.string() }) },
  });
/* One call for each permission, so that the person who approves it needs that permission too. */
export const applyCoinImport = apply("coins", "coins");
export const applyPriceImport = apply("prices", "prices");
/** Receipts only. */
export const applyStockImport = apply("stock.post", "stock");
/** With counted pieces. */
export const applyStocktakeImport = apply("stock.correct", "stocktake");

export const publishImported = staffCall({
  method: "POST",
  path: "/api/staff/exchange/imports/{id}/publish-new",
  summary: "Puts the new coins of an applied import on sale, those that lack nothing, with a result for each. Needs `exchange` too",
  permission: "coins",
  audit: "import.publish",
  params: z.object({ id: rowIdParam }),
  answer: z.object({
    items: z.array(
      z.object({
        id: z.int(),
        title: z.string(),
        outcome: z.enum(["published", "already", "not_ready", "missing"]),
        reasons: z.array(z.enum(["pictures", "price"])),
      }),
    ),
  }),
  problems: ["staff.not_found"],
});

export const discardImport = staffCall({
  method: "POST",
  path: "/api/staff/exchange/imports/{id}/discard",
  summary: "Puts a checked import aside for good",
  permission: "exchange",
  audit: "import.discard",
  params: z.object({ id: rowIdParam }),
  answer: importView,
  problems: ["staff.not_found", "exchange.closed"],
});

/* Exports */

export const exportGoods = staffCall({
  method: "POST",
  path: "/api/staff/exchange/exports/goods",
  summary: "All coins with their facts, prices or stock, as a table that can be imported again",
  permission: "exchange",
  audit: "export.goods",
  body: z.strictObject({ kind: importKind, format: tableFormat }),
  answer: file,
  problems: [],
});

const orderFilter = {
  /** Days in Moscow, both included. */
  from: chosenDay(),
  till: chosenDay(),
  states: z.array(z.enum(statesOf(orderStates))).max(20),
  /** Ids of methods; none: all of them. */
  deliveries: z.array(z.enum(deliveryIds)).max(20).default([]),
  payments: z.array(z.enum(paymentIds)).max(20).default([]),
  format: tableFormat,
};
const tooMany = { "exchange.too_many": z.object({ limit: z.int() }) } as const;

export const exportOrders = staffCall({
  method: "POST",
  path: "/api/staff/exchange/exports/orders",
  summary: "Orders of a period without names, phones and addresses, one row a coin",
  permission: "exchange",
  audit: "export.orders",
  body: z.strictObject(orderFilter),
  answer: file,
  problems: ["request.invalid", "exchange.too_many"],
  refusalData: tooMany,
});

export const exportOrdersWithBuyers = staffCall({
  method: "POST",
  path: "/api/staff/exchange/exports/orders-with-buyers",
  summary: "The same with the buyers' personal data",
  permission: "customers.export",
  audit: "export.orders_with_buyers",
  body: z.strictObject(orderFilter),
  answer: file,
  problems: ["request.invalid", "exchange.too_many"],
  refusalData: tooMany,
});

export const printPriceList = staffCall({
  method: "GET",
  path: "/api/staff/exchange/price-list",
  summary: "Coins in stock with price, buyback and mass, at the rates printed on it, for partners",
  permission: "exchange",
  audit: null,
  query: z.object({ format: z.enum(["pdf", "xlsx"]) }),
  answer: file,
  problems: [],
});

/* The accounting system */

const good = z.object({
  guid: z.string(),
  article: z.string(),
  name: z.string(),
  coin: z.object({ id: z.int(), title: z.string() }).nullable(),
  isIgnored: z.boolean(),
  isDeleted: z.boolean(),
  seenAt: instant,
});

export const readAccounting = staffCall({
  method: "GET",
  path: "/api/staff/exchange/accounting",
  summary: "The exchange with the accounting system: its last calls, what waits, documents about orders",
  permission: "exchange",
  audit: null,
  answer: z.object({
    /** Whether login and password are configured; null: it is off. */
    address: z.string().nullable(),
    lastCallAt: instant.nullable(),
    calls: z.array(
      z.object({
        id: z.int(),
        at: instant,
        type: z.string(),
        mode: z.string(),
        outcome: z.enum(["success", "progress", "failure"]),
        detail: z.string(),
      }),
    ),
    importsWaiting: z.int(),
    /** Goods whose pieces or price no waiting import shows. */
    offersWaiting: z.int(),
    ordersWaiting: z.int(),
    unknownGoods: z.int(),
    documents: z.array(
      z.object({
        guid: z.string(),
        order: z.object({ id: z.string(), number: z.string() }).nullable(),
        operation: z.string(),
        number: z.string(),
        date: z.string(),
        isPosted: z.boolean().nullable(),
        details: z.record(z.string(), z.string()),
        receivedAt: instant,
      }),
    ),
  }),
  problems: [],
});

export const recheckAccounting = staffCall({
  method: "POST",
  path: "/api/staff/exchange/accounting/check",
  summary: "Compares what the accounting system sent and is not applied yet with the shop again. Answers the imports that wait afterwards",
  permission: "exchange",
  audit: "import.check",
  answer: z.object({ imports: z.array(importView) }),
  problems: [],
});

export const readGoods = staffCall({
  method: "GET",
  path: "/api/staff/exchange/goods",
  summary: "Goods of the accounting system: those without a coin, or all",
  permission: "exchange",
  audit: null,
  query: z.object({ show: z.enum(["unknown", "known", "ignored"]).default("unknown"), cursor }),
  answer: page(good),
  problems: [],
});

export const mapGood = staffCall({
  method: "POST",
  path: "/api/staff/exchange/goods/map",
  summary: "Says which coin a good of the accounting system is, or that it is none of the shop's",
  permission: "exchange",
  audit: "goods.map",
  body: z.strictObject({ guid: z.string().min(1).max(100), coinId: coinId.nullable(), isIgnored: z.boolean() }),
  answer: nothing,
  problems: ["staff.not_found", "request.invalid"],
});
