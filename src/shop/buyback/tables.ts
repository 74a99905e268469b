import { sql } from "drizzle-orm";
import {
  bigint,
  bigserial,
  boolean,
  check,
  date,
  index,
  integer,
  pgTable,
  primaryKey,
  text,
  timestamp,
  uniqueIndex,
} from "drizzle-orm/pg-core";
import { coins } from "#shop/catalog/tables.ts";
import { inquiries } from "#shop/inquiries/tables.ts";
import { stockDocuments } from "#shop/stock/tables.ts";

/** Purchases of coins from persons. The id is the number of the deal. */
export const buybackDeals = pgTable(
  "buyback_deals",
  {
    id: integer().primaryKey().generatedByDefaultAsIdentity({ startWith: 1001 }),
    state: text().notNull(),
    /** The seller; emptied with the identity document. */
    name: text().notNull(),
    phone: text().notNull(),
    email: text().notNull().default(""),
    note: text().notNull().default(""),
    requestId: integer().references(() => inquiries.id, { onDelete: "set null" }),
    /** Login of the member of staff; null: free. */
    assignee: text(),
    offerKopecks: bigint({ mode: "number" }).notNull(),
    checkedKopecks: bigint({ mode: "number" }),
    pieces: integer().notNull(),
    /** The price list at which the offer was locked. */
    priceListVersion: bigint({ mode: "number" }),
    lockedUntil: timestamp({ withTimezone: true }),
    receivedAt: timestamp({ withTimezone: true }),
    checkedAt: timestamp({ withTimezone: true }),
    checkReason: text().notNull().default(""),
    /** The identity document, encrypted (docs/decisions/0096). */
    identity: text(),
    identityEnteredAt: timestamp({ withTimezone: true }),
    /** When the identity document, the account and the contacts are erased; set by the payout. */
    identityEraseAt: timestamp({ withTimezone: true }),
    /** Keyed hash of the number of the identity document, for the sums of a person. */
    personHash: text(),
    /** Keyed hash of name and day of birth, for the sums of a person who shows another document. */
    nameHash: text(),
    payoutKopecks: bigint({ mode: "number" }),
    /** Encrypted. */
    payoutAccount: text(),
    payoutAccountEnd: text(),
    payoutBik: text(),
    /** Number and day of the payment order. */
    payoutNumber: text(),
    payoutDate: date({ mode: "string" }),
    paidAt: timestamp({ withTimezone: true }),
    /** The payout brought the person's sum of 12 months to the sum of mandatory control. */
    isFlagged: boolean().notNull().default(false),
    /** Fiscal numbers of the receipt of expense. */
    receiptStorage: text(),
    receiptDocument: text(),
    receiptAttribute: text(),
    shelvedAt: timestamp({ withTimezone: true }),
    stockDocumentId: bigint({ mode: "number" })
      .unique()
      .references(() => stockDocuments.id),
    /** When it was returned or cancelled. */
    closedAt: timestamp({ withTimezone: true }),
    /** Grows with each change, which names the revision that it saw. */
    revision: integer().notNull().default(0),
    createdAt: timestamp({ withTimezone: true }).notNull(),
    changedAt: timestamp({ withTimezone: true }).notNull(),
  },
  (t) => [
    check("buyback_deals_state", sql`${t.state} in ('offered','locked','received','checked','paid','shelved','returned','cancelled')`),
    check(
      "buyback_deals_locked",
      sql`(${t.lockedUntil} is null) = (${t.priceListVersion} is null) and (${t.lockedUntil} is not null or ${t.state} in ('offered','cancelled'))
        and (${t.lockedUntil} is null or ${t.state} <> 'offered')`,
    ),
    check(
      "buyback_deals_received",
      sql`(${t.receivedAt} is not null) = (${t.state} in ('received','checked','paid','shelved','returned'))`,
    ),
    check(
      "buyback_deals_checked",
      sql`(${t.checkedAt} is null) = (${t.checkedKopecks} is null) and (${t.checkedAt} is not null or ${t.state} not in ('checked','paid','shelved'))
        and (${t.checkedAt} is null or ${t.state} in ('checked','paid','shelved','returned'))`,
    ),
    check(
      "buyback_deals_paid",
      sql`(${t.paidAt} is not null) = (${t.state} in ('paid','shelved')) and (${t.payoutKopecks} is not null) = (${t.paidAt} is not null)
        and (${t.payoutNumber} is not null) = (${t.paidAt} is not null) and (${t.payoutDate} is not null) = (${t.paidAt} is not null)
        and (${t.identityEraseAt} is null or ${t.paidAt} is not null)`,
    ),
    check("buyback_deals_payout", sql`${t.payoutKopecks} = ${t.checkedKopecks}`),
    check(
      "buyback_deals_shelved",
      sql`(${t.shelvedAt} is not null) = (${t.state} = 'shelved') and (${t.stockDocumentId} is not null) = (${t.state} = 'shelved')`,
    ),
    check("buyback_deals_closed", sql`(${t.closedAt} is not null) = (${t.state} in ('returned','cancelled'))`),
    check(
      "buyback_deals_receipt",
      sql`(${t.receiptStorage} is null) = (${t.receiptDocument} is null) and (${t.receiptStorage} is null) = (${t.receiptAttribute} is null)
        and (${t.receiptStorage} is null or ${t.paidAt} is not null)`,
    ),
    check("buyback_deals_identity", sql`(${t.identity} is null) = (${t.identityEnteredAt} is null)`),
    index("buyback_deals_by_state").on(t.state, t.id),
    index("buyback_deals_by_request")
      .on(t.requestId)
      .where(sql`${t.requestId} is not null`),
    index("buyback_deals_by_person")
      .on(t.personHash, t.paidAt)
      .where(sql`${t.personHash} is not null`),
    index("buyback_deals_by_name")
      .on(t.nameHash, t.paidAt)
      .concurrently()
      .where(sql`${t.nameHash} is not null`),
    uniqueIndex("buyback_deals_receipt_number")
      .on(t.receiptStorage, t.receiptDocument)
      .concurrently()
      .where(sql`${t.receiptStorage} is not null`),
    index("buyback_deals_to_erase")
      .on(t.identityEraseAt)
      .where(sql`${t.identityEraseAt} is not null`),
    uniqueIndex("buyback_deals_payment_order")
      .on(t.payoutNumber, t.payoutDate)
      .where(sql`${t.payoutNumber} is not null`),
  ],
);

/** The coins of a deal: what was offered, and what the check found. One line per coin, because a document of the stock has one. */
export const buybackLines = pgTable(
  "buyback_lines",
  {
    dealId: integer()
      .notNull()
      .references(() => buybackDeals.id),
    coinId: integer()
      .notNull()
      .references(() => coins.id),
    position: integer().notNull(),
    offeredQuantity: integer(),
    offeredCondition: text(),
    offeredKopecks: bigint({ mode: "number" }),
    /** The offered price is not that of the price list. */
    isTyped: boolean().notNull().default(false),
    checkedQuantity: integer(),
    checkedCondition: text(),
    checkedKopecks: bigint({ mode: "number" }),
  },
  (t) => [
    primaryKey({ columns: [t.dealId, t.coinId] }),
    check(
      "buyback_lines_offered",
      sql`(${t.offeredQuantity} is null) = (${t.offeredCondition} is null) and (${t.offeredQuantity} is null) = (${t.offeredKopecks} is null)
        and ${t.offeredQuantity} > 0 and ${t.offeredCondition} in ('perfect','good','fair','damaged')`,
    ),
    check(
      "buyback_lines_checked",
      sql`(${t.checkedQuantity} is null) = (${t.checkedCondition} is null) and (${t.checkedQuantity} is null) = (${t.checkedKopecks} is null)
        and ${t.checkedQuantity} >= 0 and ${t.checkedCondition} in ('perfect','good','fair','damaged')`,
    ),
    check("buyback_lines_any", sql`${t.offeredQuantity} is not null or ${t.checkedQuantity} is not null`),
    check(
      "buyback_lines_roubles",
      sql`(${t.offeredKopecks} is null or ${t.offeredKopecks} > 0 and ${t.offeredKopecks} % 100 = 0)
        and (${t.checkedKopecks} is null or ${t.checkedKopecks} > 0 and ${t.checkedKopecks} % 100 = 0)`,
    ),
    index("buyback_lines_by_coin").on(t.coinId),
  ],
);

/** Append-only history of a deal; the erasure empties what staff wrote in it. */
export const buybackEvents = pgTable(
  "buyback_events",
  {
    id: bigserial({ mode: "number" }).primaryKey(),
    dealId: integer()
      .notNull()
      .references(() => buybackDeals.id),
    at: timestamp({ withTimezone: true }).notNull(),
    /** Who caused it (`shop/actor.ts`). */
    actor: text().notNull(),
    kind: text().notNull(),
    state: text().notNull(),
    sumKopecks: bigint({ mode: "number" }).notNull(),
    note: text().notNull().default(""),
  },
  (t) => [index("buyback_events_of_deal").on(t.dealId, t.id)],
);
