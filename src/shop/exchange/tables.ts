import { sql } from "drizzle-orm";
import {
  bigint,
  bigserial,
  boolean,
  check,
  customType,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
  timestamp,
} from "drizzle-orm/pg-core";
import { coins } from "#shop/catalog/tables.ts";
import { orders } from "#shop/orders/tables.ts";

const bytes = customType<{ data: Buffer; driverData: Buffer | Uint8Array }>({
  dataType: () => "bytea",
  // PGlite returns plain byte arrays.
  fromDriver: (value) => Buffer.from(value),
});
const at = () => timestamp({ withTimezone: true });

/** Files that were checked against the shop, and their outcome. Kept permanently; their rows are not. */
export const exchangeImports = pgTable(
  "exchange_imports",
  {
    id: bigserial({ mode: "number" }).primaryKey(),
    kind: text().notNull(),
    source: text().notNull(),
    fileName: text().notNull(),
    format: text().notNull(),
    state: text().notNull().default("checked"),
    /** `ImportCounts`. */
    counts: jsonb().notNull(),
    /** What concerns the whole file, texts. */
    notes: jsonb().notNull(),
    /** Of the changes, SHA-256. */
    hash: text().notNull(),
    createdAt: at().notNull(),
    /** Who sent it (`shop/actor.ts`). */
    actor: text().notNull(),
    appliedAt: at(),
    /** Who applied or discarded it. */
    closedBy: text(),
    /** `ImportResult`. */
    result: jsonb(),
  },
  (t) => [
    check("exchange_imports_kind", sql`${t.kind} in ('coins','prices','stock')`),
    check("exchange_imports_source", sql`${t.source} in ('file','accounting')`),
    check("exchange_imports_state", sql`${t.state} in ('checked','applied','discarded')`),
    check("exchange_imports_applied", sql`(${t.state} = 'applied') = (${t.appliedAt} is not null)`),
    index("exchange_imports_waiting")
      .on(t.createdAt)
      .where(sql`${t.state} = 'checked'`),
  ],
);

/** Rows of an import that change something or are wrong. */
export const exchangeImportRows = pgTable(
  "exchange_import_rows",
  {
    importId: bigint({ mode: "number" })
      .notNull()
      .references(() => exchangeImports.id, { onDelete: "cascade" }),
    line: integer().notNull(),
    coinId: integer(),
    title: text().notNull(),
    outcome: text().notNull(),
    /** `[{column, before, after}]`. */
    changes: jsonb().notNull(),
    /** `[{column, message, isError}]`. */
    messages: jsonb().notNull(),
    /** What is written, by column. */
    values: jsonb().notNull(),
    revision: integer(),
  },
  (t) => [
    primaryKey({ columns: [t.importId, t.line] }),
    check("exchange_import_rows_outcome", sql`${t.outcome} in ('new','changed','unchanged','error')`),
    index("exchange_import_rows_by_outcome").on(t.importId, t.outcome, t.line),
  ],
);

/** Sessions of the accounting system (1C), by the hash of the cookie. */
export const accountingSessions = pgTable(
  "accounting_sessions",
  {
    tokenHash: text().primaryKey(),
    /** `catalog` or `sale`, as the session began. */
    type: text().notNull(),
    /** What `init` said of the scheme; null: nothing, and then files of orders are read as they arrive. */
    version: text(),
    startedAt: at().notNull(),
    seenAt: at().notNull(),
    /** The orders that `query` handed out, `[{id, revision}]`; `success` confirms them. */
    offered: jsonb(),
  },
  (t) => [index("accounting_sessions_by_age").on(t.seenAt)],
);

/** Files of a session in the parts in which they arrived. */
export const accountingFiles = pgTable(
  "accounting_files",
  {
    tokenHash: text()
      .notNull()
      .references(() => accountingSessions.tokenHash, { onDelete: "cascade" }),
    name: text().notNull(),
    part: integer().notNull(),
    bytes: bytes().notNull(),
    /** When the file was processed, on its first part. */
    doneAt: at(),
  },
  (t) => [primaryKey({ columns: [t.tokenHash, t.name, t.part] })],
);

/**
 * Goods of the accounting system and the coins that they are; a good without a coin waits for staff. Each keeps the pieces and the price
 * that were sent last, until a check with them is applied: what was sent once is not sent again.
 */
export const accountingGoods = pgTable(
  "accounting_goods",
  {
    guid: text().primaryKey(),
    article: text().notNull(),
    name: text().notNull(),
    coinId: integer().references(() => coins.id),
    /** Marked as deleted there. */
    isDeleted: boolean().notNull().default(false),
    /** Staff said that it is not a coin of the shop. */
    isIgnored: boolean().notNull().default(false),
    seenAt: at().notNull(),
    mappedAt: at(),
    /** Who said which coin it is; `exchange`: its article did. */
    mappedBy: text(),
    /** Pieces that were sent and not applied, and when they arrived; null: none. */
    quantity: integer(),
    quantityAt: at(),
    /** The waiting import that holds these pieces; null: none yet. */
    quantityCheck: bigint({ mode: "number" }),
    /** The same for the price. */
    priceKopecks: bigint({ mode: "number" }),
    priceAt: at(),
    priceCheck: bigint({ mode: "number" }),
  },
  (t) => [
    check(
      "accounting_goods_offers",
      sql`(${t.quantity} is null) = (${t.quantityAt} is null) and (${t.priceKopecks} is null) = (${t.priceAt} is null) and ${t.quantity} >= 0 and ${t.priceKopecks} >= 0`,
    ),
    index("accounting_goods_by_coin").on(t.coinId),
    index("accounting_goods_unknown")
      .on(t.name, t.guid)
      .where(sql`${t.coinId} is null and not ${t.isIgnored}`),
  ],
);

/** The revision of each order that the accounting system has confirmed. */
export const accountingOrders = pgTable("accounting_orders", {
  orderId: text()
    .primaryKey()
    .references(() => orders.id),
  revision: integer().notNull(),
  sentAt: at().notNull(),
});

/** What the accounting system says about orders. It is shown to staff and moves nothing. */
export const accountingDocuments = pgTable(
  "accounting_documents",
  {
    guid: text().primaryKey(),
    orderId: text().references(() => orders.id),
    number: text().notNull(),
    operation: text().notNull(),
    /** As written there: their times have no zone. */
    date: text().notNull(),
    amountKopecks: bigint({ mode: "number" }),
    isPosted: boolean(),
    isDeleted: boolean().notNull(),
    /** Requisites by name, at most a few. */
    details: jsonb().notNull(),
    receivedAt: at().notNull(),
  },
  (t) => [index("accounting_documents_by_order").on(t.orderId), index("accounting_documents_by_age").on(t.receivedAt)],
);

/** Calls of the accounting system, for the screen that shows its state. */
export const accountingCalls = pgTable(
  "accounting_calls",
  {
    id: bigserial({ mode: "number" }).primaryKey(),
    at: at().notNull(),
    type: text().notNull(),
    mode: text().notNull(),
    outcome: text().notNull(),
    detail: text().notNull(),
  },
  (t) => [
    check("accounting_calls_outcome", sql`${t.outcome} in ('success','progress','failure')`),
    index("accounting_calls_by_age").on(t.at),
  ],
);
