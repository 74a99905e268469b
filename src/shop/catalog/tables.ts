import { sql } from "drizzle-orm";
import { bigint, boolean, check, doublePrecision, index, integer, pgTable, primaryKey, text, timestamp } from "drizzle-orm/pg-core";

export const categories = pgTable("categories", {
  slug: text().primaryKey(),
  title: text().notNull(),
  heading: text().notNull(),
  intro: text().notNull(),
  parent: text(),
  position: integer().notNull(),
  /** Set by every visible change; the newest of all rows is the catalogue's version. */
  updatedAt: timestamp({ withTimezone: true }).notNull().defaultNow(),
});

export const coins = pgTable(
  "coins",
  {
    id: integer().primaryKey(),
    slug: text().notNull().unique(),
    title: text().notNull(),
    metal: text().notNull(),
    kind: text().notNull(),
    country: text().notNull(),
    issuer: text().notNull(),
    mint: text(),
    year: integer().notNull(),
    denominationValue: doublePrecision(),
    denominationCurrency: text(),
    series: text(),
    catalogueNumber: text(),
    /** Tenths of a part per thousand: 999.9 → 9999. */
    finenessTenths: integer().notNull(),
    pureMassMg: integer().notNull(),
    totalMassMg: integer().notNull(),
    diameterMm: doublePrecision(),
    thicknessMm: doublePrecision(),
    shape: text(),
    lengthMm: doublePrecision(),
    widthMm: doublePrecision(),
    mintage: integer(),
    quality: text().notNull(),
    edge: text(),
    artist: text(),
    description: text().notNull(),
    motif: text().notNull(),
    /** Hundredths of a percent above the metal's value. */
    premiumBp: integer().notNull(),
    /** The buyback price in hundredths of a percent below (negative) or above the metal's value; null: not bought back. */
    buybackBp: integer(),
    /** Memorable coins have a fixed price; bullion follows the metal. */
    fixedPriceKopecks: bigint({ mode: "number" }),
    fixedBuybackKopecks: bigint({ mode: "number" }),
    vatCode: integer().notNull().default(1),
    /** Maximum pieces in one order; null: no limit. */
    purchaseLimit: integer(),
    popularity: integer().notNull(),
    isPublished: boolean().notNull().default(true),
    createdAt: timestamp({ withTimezone: true }).notNull(),
    updatedAt: timestamp({ withTimezone: true }).notNull().defaultNow(),
  },
  (t) => [
    index("coins_by_change").on(t.updatedAt),
    check("coins_metal", sql`${t.metal} in ('gold','silver')`),
    check("coins_kind", sql`${t.kind} in ('bullion','memorable')`),
    check("coins_mass", sql`${t.pureMassMg} > 0 and ${t.totalMassMg} >= ${t.pureMassMg} * 0.99`),
    check("coins_price", sql`${t.fixedPriceKopecks} > 0`),
  ],
);

export const coinCategories = pgTable(
  "coin_categories",
  {
    coinId: integer()
      .notNull()
      .references(() => coins.id, { onDelete: "cascade" }),
    categorySlug: text()
      .notNull()
      .references(() => categories.slug),
  },
  (t) => [primaryKey({ columns: [t.coinId, t.categorySlug] }), index("coin_categories_by_category").on(t.categorySlug)],
);
