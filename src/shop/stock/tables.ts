import { sql } from "drizzle-orm";
import { bigint, bigserial, check, date, index, integer, pgTable, primaryKey, text, timestamp, uniqueIndex } from "drizzle-orm/pg-core";
import { coins } from "#shop/catalog/tables.ts";

export const stockItems = pgTable(
  "stock_items",
  {
    coinId: integer()
      .primaryKey()
      .references(() => coins.id),
    onHand: integer().notNull(),
    reserved: integer().notNull().default(0),
    /** How many of the pieces on hand have a known cost, and what those cost together (docs/decisions/0063). */
    costedPieces: integer().notNull().default(0),
    costKopecks: bigint({ mode: "number" }).notNull().default(0),
    /** The coin counts as low at this number of available pieces and below; null: the setting `lowStockPieces`. */
    lowAt: integer(),
  },
  (t) => [
    check("stock_cost", sql`${t.costedPieces} >= 0 and ${t.costKopecks} >= 0`),
    check("stock_low_at", sql`${t.lowAt} >= 0`),
    check("stock_on_hand", sql`${t.onHand} >= 0`),
    check("stock_reserved", sql`${t.reserved} >= 0 and ${t.reserved} <= ${t.onHand}`),
  ],
);

/**
 * Append-only. The sum of `quantity` per coin is the number of pieces on hand; `costedPieces` and `costKopecks` sum to those of its row.
 */
export const stockEntries = pgTable(
  "stock_entries",
  {
    id: bigserial({ mode: "number" }).primaryKey(),
    coinId: integer()
      .notNull()
      .references(() => coins.id),
    kind: text().notNull(),
    quantity: integer().notNull(),
    /** Pieces of known cost that came (or left, negative), and their cost. */
    costedPieces: integer().notNull().default(0),
    costKopecks: bigint({ mode: "number" }).notNull().default(0),
    orderId: text(),
    documentId: bigint({ mode: "number" }).references(() => stockDocuments.id),
    at: timestamp({ withTimezone: true }).notNull(),
    /** Who caused it (`shop/actor.ts`); null in entries made before it was stored. */
    actor: text(),
  },
  (t) => [
    check("stock_entries_kind", sql`${t.kind} in ('opening','receipt','sold','returned','correction','written_off','reversed','cost')`),
    // Pieces of an order may be returned in several parts; they are sold all at once.
    uniqueIndex("stock_entries_sold_once")
      .on(t.orderId, t.coinId)
      .where(sql`${t.kind} = 'sold'`),
    index("stock_entries_by_order")
      .on(t.orderId)
      .where(sql`${t.orderId} is not null`),
    index("stock_entries_of_coin").on(t.coinId, t.id),
    index("stock_entries_by_document")
      .on(t.documentId)
      .where(sql`${t.documentId} is not null`),
  ],
);

/** Documents that change the stock: receipts of goods, write-offs, corrections, costs of pieces whose cost was unknown. Never deleted. */
export const stockDocuments = pgTable(
  "stock_documents",
  {
    id: bigserial({ mode: "number" }).primaryKey(),
    kind: text().notNull(),
    state: text().notNull().default("draft"),
    supplier: text().notNull().default(""),
    /** Number and day of the supplier's document. */
    number: text().notNull().default(""),
    date: date({ mode: "string" }),
    note: text().notNull().default(""),
    /** Sums of the lines, so that lists need not read them. `costKopecks`: null where no line has a cost. */
    lineCount: integer().notNull().default(0),
    pieces: integer().notNull().default(0),
    costKopecks: bigint({ mode: "number" }),
    /** Names the import that made it, so that the same import makes it once. */
    sourceKey: text().unique(),
    stocktakeId: bigint({ mode: "number" }).references(() => stocktakes.id),
    revision: integer().notNull().default(0),
    createdAt: timestamp({ withTimezone: true }).notNull(),
    createdBy: text().notNull(),
    postedAt: timestamp({ withTimezone: true }),
    postedBy: text(),
    reversedAt: timestamp({ withTimezone: true }),
    reversedBy: text(),
    reversalReason: text(),
  },
  (t) => [
    check("stock_documents_kind", sql`${t.kind} in ('receipt','write_off','correction','opening_cost')`),
    check("stock_documents_state", sql`${t.state} in ('draft','posted','reversed','discarded')`),
    check(
      "stock_documents_steps",
      sql`(${t.postedAt} is not null) = (${t.state} in ('posted','reversed')) and (${t.reversedAt} is not null) = (${t.state} = 'reversed')`,
    ),
    index("stock_documents_by_kind").on(t.kind, t.id),
    index("stock_documents_by_state").on(t.state, t.id),
  ],
);

/** `quantity` is signed for corrections; for opening costs it is set when the document is posted. */
export const stockDocumentLines = pgTable(
  "stock_document_lines",
  {
    documentId: bigint({ mode: "number" })
      .notNull()
      .references(() => stockDocuments.id),
    coinId: integer()
      .notNull()
      .references(() => coins.id),
    position: integer().notNull(),
    quantity: integer().notNull(),
    unitCostKopecks: bigint({ mode: "number" }),
  },
  (t) => [
    primaryKey({ columns: [t.documentId, t.coinId] }),
    check("stock_document_lines_cost", sql`${t.unitCostKopecks} >= 0`),
    index("stock_document_lines_by_coin").on(t.coinId, t.documentId),
  ],
);

/** Counts of the shelves. Their differences become a correction document. */
export const stocktakes = pgTable(
  "stocktakes",
  {
    id: bigserial({ mode: "number" }).primaryKey(),
    title: text().notNull(),
    state: text().notNull().default("counting"),
    createdAt: timestamp({ withTimezone: true }).notNull(),
    createdBy: text().notNull(),
    endedAt: timestamp({ withTimezone: true }),
    endedBy: text(),
  },
  (t) => [
    check("stocktakes_state", sql`${t.state} in ('counting','finished','cancelled')`),
    check("stocktakes_ended", sql`(${t.endedAt} is null) = (${t.state} = 'counting')`),
  ],
);

/** The coins of a stocktake. `expected`: pieces that the ledger had on the shelf at the time of the last count. */
export const stocktakeLines = pgTable(
  "stocktake_lines",
  {
    stocktakeId: bigint({ mode: "number" })
      .notNull()
      .references(() => stocktakes.id),
    coinId: integer()
      .notNull()
      .references(() => coins.id),
    position: integer().notNull(),
    counted: integer(),
    expected: integer(),
    /** The same at the first piece of this count; another number says that pieces moved while they were counted. */
    firstExpected: integer(),
    countedAt: timestamp({ withTimezone: true }),
    countedBy: text(),
  },
  (t) => [
    primaryKey({ columns: [t.stocktakeId, t.coinId] }),
    check("stocktake_lines_counted", sql`${t.counted} >= 0 and (${t.counted} is null) = (${t.expected} is null)`),
  ],
);
