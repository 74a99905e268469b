import { sql } from "drizzle-orm";
import {
  bigint,
  bigserial,
  boolean,
  check,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
  timestamp,
  type AnyPgColumn,
} from "drizzle-orm/pg-core";
import { coins } from "#shop/catalog/tables.ts";

/** A price list stores the two metal rates that every price is computed from. One row per change of a rate. */
export const priceLists = pgTable(
  "price_lists",
  {
    version: bigserial({ mode: "number" }).primaryKey(),
    goldE4: bigint({ mode: "number" }).notNull(),
    silverE4: bigint({ mode: "number" }).notNull(),
    /** When the older of the two metal rates was received. */
    ratesAt: timestamp({ withTimezone: true }).notNull(),
    madeAt: timestamp({ withTimezone: true }).notNull(),
  },
  (t) => [index("price_lists_by_time").on(t.madeAt)],
);

/** Prices by quantity: those of a metal, or a coin's own in place of them. */
export const priceSteps = pgTable(
  "price_steps",
  {
    id: bigserial({ mode: "number" }).primaryKey(),
    metal: text().unique(),
    coinId: integer()
      .unique()
      .references(() => coins.id),
    /** `[{quantity, discountBp}]`, ascending. */
    steps: jsonb().notNull(),
    revision: integer().notNull().default(0),
    updatedAt: timestamp({ withTimezone: true }).notNull(),
    updatedBy: text().notNull(),
  },
  (t) => [
    check("price_steps_scope", sql`(${t.metal} is null) <> (${t.coinId} is null)`),
    check("price_steps_metal", sql`${t.metal} in ('gold','silver')`),
    check("price_steps_list", sql`jsonb_typeof(${t.steps}) = 'array'`),
  ],
);

/** Codes for lower prices. Never changed or deleted, only stopped. */
export const promoCodes = pgTable(
  "promo_codes",
  {
    id: bigserial({ mode: "number" }).primaryKey(),
    code: text().notNull().unique(),
    /** Hundredths of a percent of the price, or a sum; one of them. */
    percentBp: integer(),
    sumKopecks: bigint({ mode: "number" }),
    startsAt: timestamp({ withTimezone: true }).notNull(),
    endsAt: timestamp({ withTimezone: true }),
    maxUses: integer(),
    maxUsesPerPerson: integer(),
    minSumKopecks: bigint({ mode: "number" }).notNull().default(0),
    /** The coins that it is for, by id and by category; both null: all coins. */
    coinIds: integer().array(),
    categories: text().array(),
    /** Also for coins whose price a promo has lowered. */
    isWithPromos: boolean().notNull().default(false),
    isStopped: boolean().notNull().default(false),
    /** Uses that count: those that were not returned. */
    used: integer().notNull().default(0),
    createdAt: timestamp({ withTimezone: true }).notNull(),
    createdBy: text().notNull(),
  },
  (t) => [
    check("promo_codes_discount", sql`(${t.percentBp} is null) <> (${t.sumKopecks} is null)`),
    check("promo_codes_percent", sql`${t.percentBp} between 1 and 10000`),
    check("promo_codes_sum", sql`${t.sumKopecks} > 0`),
    check("promo_codes_used", sql`${t.used} >= 0 and (${t.maxUses} is null or ${t.used} <= ${t.maxUses})`),
  ],
);

/** The use of a code by an order, one at most. Returned when the order is cancelled unpaid. */
export const promoCodeUses = pgTable(
  "promo_code_uses",
  {
    orderId: text().primaryKey(),
    codeId: bigint({ mode: "number" })
      .notNull()
      .references(() => promoCodes.id),
    /** A keyed hash: the number itself stays with the order. */
    phoneHash: text().notNull(),
    customerId: text(),
    discountKopecks: bigint({ mode: "number" }).notNull(),
    usedAt: timestamp({ withTimezone: true }).notNull(),
    returnedAt: timestamp({ withTimezone: true }),
  },
  (t) => [
    check("promo_code_uses_discount", sql`${t.discountKopecks} > 0`),
    index("promo_code_uses_by_time").on(t.codeId, t.usedAt.desc(), t.orderId),
    index("promo_code_uses_by_phone").on(t.codeId, t.phoneHash),
    index("promo_code_uses_by_customer")
      .on(t.codeId, t.customerId)
      .where(sql`${t.customerId} is not null`),
  ],
);

/** Lower prices of coins for a time. Nothing is deleted. */
export const pricePromos = pgTable(
  "price_promos",
  {
    id: bigserial({ mode: "number" }).primaryKey(),
    state: text().notNull(),
    /** A `PromoAction`. */
    action: jsonb().notNull(),
    label: text().notNull(),
    startsAt: timestamp({ withTimezone: true }).notNull(),
    endsAt: timestamp({ withTimezone: true }).notNull(),
    startedAt: timestamp({ withTimezone: true }),
    endedAt: timestamp({ withTimezone: true }),
    coins: integer().notNull(),
    crossedOut: integer().notNull().default(0),
    createdAt: timestamp({ withTimezone: true }).notNull(),
    createdBy: text().notNull(),
    closedBy: text(),
    approvalReason: text(),
    refusal: text(),
  },
  (t) => [
    check("price_promos_state", sql`${t.state} in ('scheduled','running','ended','refused','cancelled','missed')`),
    check("price_promos_span", sql`${t.endsAt} > ${t.startsAt}`),
    check("price_promos_started", sql`(${t.state} in ('running','ended')) = (${t.startedAt} is not null)`),
    check("price_promos_ended", sql`(${t.state} = 'ended') = (${t.endedAt} is not null)`),
    index("price_promos_to_start")
      .on(t.startsAt)
      .where(sql`${t.state} = 'scheduled'`),
    index("price_promos_to_end")
      .on(t.endsAt)
      .where(sql`${t.state} = 'running'`),
  ],
);

/** The coins of a promo: a premium in hundredths of a percent, or a fixed price. */
export const pricePromoItems = pgTable(
  "price_promo_items",
  {
    promoId: bigint({ mode: "number" })
      .notNull()
      .references(() => pricePromos.id),
    coinId: integer()
      .notNull()
      .references(() => coins.id),
    premiumBefore: integer().notNull(),
    fixedPriceBefore: bigint({ mode: "number" }),
    premiumBp: integer(),
    fixedPriceKopecks: bigint({ mode: "number" }),
    /** The lowest price of the settled period before the start; null: none that may be shown crossed out. */
    settledKopecks: bigint({ mode: "number" }),
  },
  (t) => [
    primaryKey({ columns: [t.promoId, t.coinId] }),
    check("price_promo_items_price", sql`(${t.premiumBp} is null) <> (${t.fixedPriceKopecks} is null)`),
    index("price_promo_items_by_coin").on(t.coinId),
  ],
);

/** Documents that change prices. Nothing is deleted: an applied change is undone by another one. */
export const priceChanges = pgTable(
  "price_changes",
  {
    id: bigserial({ mode: "number" }).primaryKey(),
    kind: text().notNull(),
    state: text().notNull(),
    /** A `PriceAction`; null where the prices were given coin by coin. */
    action: jsonb(),
    label: text().notNull(),
    undoes: bigint({ mode: "number" }).references((): AnyPgColumn => priceChanges.id),
    coins: integer().notNull(),
    changed: integer().notNull().default(0),
    stale: integer().notNull().default(0),
    createdAt: timestamp({ withTimezone: true }).notNull(),
    createdBy: text().notNull(),
    /** When it is to be applied; null: at once. */
    dueAt: timestamp({ withTimezone: true }),
    appliedAt: timestamp({ withTimezone: true }),
    /** Who cancelled it. */
    closedBy: text(),
    approvalReason: text(),
    refusal: text(),
    /** The version of the price list that shows it. */
    priceListVersion: bigint({ mode: "number" }),
  },
  (t) => [
    check("price_changes_kind", sql`${t.kind} in ('bulk','values','undo')`),
    check("price_changes_state", sql`${t.state} in ('scheduled','applied','refused','cancelled')`),
    check("price_changes_applied", sql`(${t.state} = 'applied') = (${t.appliedAt} is not null)`),
    check("price_changes_due", sql`${t.state} <> 'scheduled' or ${t.dueAt} is not null`),
    index("price_changes_due_at")
      .on(t.dueAt)
      .where(sql`${t.state} = 'scheduled'`),
    index("price_changes_undoes")
      .on(t.undoes)
      .where(sql`${t.undoes} is not null`),
  ],
);

/** The coins of a price change. Premiums and discounts in hundredths of a percent. */
export const priceChangeItems = pgTable(
  "price_change_items",
  {
    changeId: bigint({ mode: "number" })
      .notNull()
      .references(() => priceChanges.id),
    coinId: integer()
      .notNull()
      .references(() => coins.id),
    premiumBefore: integer().notNull(),
    premiumAfter: integer().notNull(),
    buybackBefore: integer(),
    buybackAfter: integer(),
    fixedPriceBefore: bigint({ mode: "number" }),
    fixedPriceAfter: bigint({ mode: "number" }),
    fixedBuybackBefore: bigint({ mode: "number" }),
    fixedBuybackAfter: bigint({ mode: "number" }),
    outcome: text().notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.changeId, t.coinId] }),
    check("price_change_items_outcome", sql`${t.outcome} in ('waiting','changed','same','stale','out_of_range')`),
    index("price_change_items_by_coin").on(t.coinId, t.changeId),
  ],
);
