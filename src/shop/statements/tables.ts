import { sql } from "drizzle-orm";
import {
  bigint,
  bigserial,
  boolean,
  check,
  date,
  index,
  integer,
  jsonb,
  pgTable,
  text,
  timestamp,
  uniqueIndex,
  type AnyPgColumn,
} from "drizzle-orm/pg-core";
import { bankTransfers } from "../payment/tables.ts";

/** Imported bank statements, each file once. Sums are what the bank says; null: the file leaves it out. */
export const bankStatements = pgTable("bank_statements", {
  id: bigserial({ mode: "number" }).primaryKey(),
  /** SHA-256 of the file. */
  hash: text().notNull().unique(),
  fileName: text().notNull(),
  fromDay: date(),
  tillDay: date(),
  openingKopecks: bigint({ mode: "number" }),
  receivedKopecks: bigint({ mode: "number" }),
  spentKopecks: bigint({ mode: "number" }),
  closingKopecks: bigint({ mode: "number" }),
  /** `[{line, what}]`: documents that could not be read. */
  faults: jsonb().notNull(),
  entryCount: integer().notNull(),
  importedAt: timestamp({ withTimezone: true }).notNull(),
  actor: text().notNull(),
});

/** The documents of imported statements. Payer, account and purpose are emptied after the legal term. */
export const bankStatementEntries = pgTable(
  "bank_statement_entries",
  {
    id: bigserial({ mode: "number" }).primaryKey(),
    statementId: bigint({ mode: "number" })
      .notNull()
      .references(() => bankStatements.id),
    position: integer().notNull(),
    /** Hash of everything the bank says about the document: the same document in two files has the same one. */
    fingerprint: text().notNull(),
    number: text().notNull(),
    date: date().notNull(),
    arrivedOn: date(),
    amountKopecks: bigint({ mode: "number" }).notNull(),
    isOutgoing: boolean().notNull(),
    payer: text().notNull(),
    /** Empty: unknown. */
    payerAccount: text().notNull(),
    purpose: text().notNull(),
    state: text().notNull(),
    /** Why it was left to staff; stays after it is settled. */
    reason: text(),
    orderId: text(),
    orderNumber: bigint({ mode: "number" }),
    /** The stored transfer of this document. */
    transferId: bigint({ mode: "number" }).references(() => bankTransfers.id),
    /** The same document in an earlier statement, or earlier in this one. */
    repeatsId: bigint({ mode: "number" }).references((): AnyPgColumn => bankStatementEntries.id),
    settledAt: timestamp({ withTimezone: true }),
    settledBy: text(),
    note: text().notNull().default(""),
  },
  (t) => [
    check("bank_statement_entries_amount", sql`${t.amountKopecks} > 0`),
    check(
      "bank_statement_entries_state",
      sql`${t.state} in ('counted','known','foreign','repeated','left','settled','not_ours','to_return')`,
    ),
    check(
      "bank_statement_entries_transfer",
      sql`(${t.state} in ('counted','settled','known')) = (${t.transferId} is not null) and (${t.transferId} is null) = (${t.orderId} is null)`,
    ),
    check(
      "bank_statement_entries_settled",
      sql`(${t.state} in ('settled','not_ours','to_return')) <= (${t.settledAt} is not null and ${t.settledBy} is not null)`,
    ),
    check("bank_statement_entries_repeats", sql`(${t.state} = 'repeated') = (${t.repeatsId} is not null)`),
    uniqueIndex("bank_statement_entries_position").on(t.statementId, t.position),
    uniqueIndex("bank_statement_entries_once")
      .on(t.fingerprint)
      .where(sql`state <> 'repeated'`),
    uniqueIndex("bank_statement_entries_counted_once")
      .on(t.transferId)
      .where(sql`state in ('counted','settled')`),
    index("bank_statement_entries_by_state").on(t.statementId, t.state, t.position),
    index("bank_statement_entries_left")
      .on(t.id)
      .where(sql`state = 'left'`),
    index("bank_statement_entries_by_transfer").on(t.transferId),
    index("bank_statement_entries_by_day").on(t.date),
  ],
);
