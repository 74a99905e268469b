import { sql } from "drizzle-orm";
import {
  bigint,
  boolean,
  check,
  doublePrecision,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  serial,
  text,
  timestamp,
  uniqueIndex,
} from "drizzle-orm/pg-core";
import { mediaPictures } from "../media/tables.ts";
import type { CoinPictures } from "./image.ts";

export const categories = pgTable("categories", {
  slug: text().primaryKey(),
  title: text().notNull(),
  heading: text().notNull(),
  intro: text().notNull(),
  parent: text(),
  position: integer().notNull(),
  revision: integer().notNull().default(0),
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
    /** The place before all others in the order of popularity. */
    featuredPosition: integer(),
    isPublished: boolean().notNull().default(true),
    /** When it was first shown; null: never, or before this column existed and then it is shown. */
    publishedAt: timestamp({ withTimezone: true }),
    /** The uploaded pictures as pages need them; the rows of `coin_pictures` say which files they are. */
    pictures: jsonb().$type<CoinPictures>().notNull().default({ revision: 0, alts: {} }),
    hasDrawing: boolean().notNull().default(true),
    revision: integer().notNull().default(0),
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

/**
 * When coins were on sale. A coin on sale has one period without an end. An edit of what its price follows (kind; metal and pure mass of
 * bullion) deletes the earlier periods and begins the present one anew.
 */
export const coinSalePeriods = pgTable(
  "coin_sale_periods",
  {
    id: serial().primaryKey(),
    coinId: integer()
      .notNull()
      .references(() => coins.id, { onDelete: "cascade" }),
    startedAt: timestamp({ withTimezone: true }).notNull(),
    /** Null: still on sale. */
    endedAt: timestamp({ withTimezone: true }),
  },
  (t) => [
    index("coin_sale_periods_by_coin").on(t.coinId, t.startedAt),
    uniqueIndex("coin_sale_periods_current")
      .on(t.coinId)
      .where(sql`${t.endedAt} is null`),
    check("coin_sale_periods_order", sql`${t.endedAt} >= ${t.startedAt}`),
  ],
);

/** A series of coins by its name, which the coins carry; the order is that of the filter, the text stands above its listing. */
export const coinSeries = pgTable("coin_series", {
  id: serial().primaryKey(),
  name: text().notNull().unique(),
  body: text().notNull().default(""),
  position: integer().notNull(),
  revision: integer().notNull().default(0),
  updatedAt: timestamp({ withTimezone: true }).notNull().defaultNow(),
});

/**
 * Which uploaded picture shows a side of a coin from one revision of its pictures up to another. Replaced pictures stay, so that addresses
 * in sent letters and cached pages keep showing what they showed.
 */
export const coinPictures = pgTable(
  "coin_pictures",
  {
    coinId: integer()
      .notNull()
      .references(() => coins.id, { onDelete: "cascade" }),
    side: text().notNull(),
    since: integer().notNull(),
    /** The first revision without it; null: current. */
    until: integer(),
    pictureId: text()
      .notNull()
      .references(() => mediaPictures.id),
    /** The square of the picture that is shown, in its pixels. */
    cropLeft: integer().notNull(),
    cropTop: integer().notNull(),
    cropSize: integer().notNull(),
    alt: text().notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.coinId, t.side, t.since] }),
    index("coin_pictures_by_picture").on(t.pictureId),
    check("coin_pictures_side", sql`${t.side} in ('obverse','reverse','edge')`),
    check("coin_pictures_crop", sql`${t.cropLeft} >= 0 and ${t.cropTop} >= 0 and ${t.cropSize} > 0`),
    check("coin_pictures_order", sql`${t.until} > ${t.since}`),
  ],
);

/** Drafts that staff preview as a page of the shop, as long as the link with their number works. */
export const coinPreviews = pgTable(
  "coin_previews",
  {
    id: serial().primaryKey(),
    draft: jsonb().notNull(),
    expiresAt: timestamp({ withTimezone: true }).notNull(),
  },
  (t) => [index("coin_previews_by_end").on(t.expiresAt)],
);
