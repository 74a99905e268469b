import { bigint, boolean, doublePrecision, index, integer, pgTable, primaryKey, text, timestamp } from "drizzle-orm/pg-core";

export const cities = pgTable("cities", {
  /** Ten digits, as on the wire. */
  code: text().primaryKey(),
  carrierCode: integer().notNull().unique(),
  name: text().notNull(),
  region: text().notNull(),
  lat: doublePrecision().notNull(),
  lon: doublePrecision().notNull(),
  /** Bigger first in suggestions. */
  weight: integer().notNull().default(0),
});

/** Mirror of the carrier's open points; served from here, never asked for per request. */
export const pickupPoints = pgTable("pickup_points", {
  id: text().primaryKey(),
  cityCode: text().notNull().references(() => cities.code),
  type: text().notNull(),
  name: text().notNull(),
  address: text().notNull(),
  lat: doublePrecision().notNull(),
  lon: doublePrecision().notNull(),
  workTime: text().notNull(),
  phone: text().notNull(),
  note: text().notNull(),
  hasCash: boolean().notNull(),
  hasCard: boolean().notNull(),
  nearestMetro: text().notNull(),
  weightMaxGrams: integer(),
}, (t) => [index("pickup_points_by_city").on(t.cityCode, t.type)]);

export const pointMirrors = pgTable("point_mirrors", {
  cityCode: text().primaryKey().references(() => cities.code),
  mirroredAt: timestamp({ withTimezone: true }).notNull(),
});

/** Carrier's prices by city and parcel class, usable for 24 h when the carrier is out. */
export const deliveryPrices = pgTable("delivery_prices", {
  cityCode: text().notNull(),
  kind: text().notNull(),
  parcelClass: text().notNull(),
  priceKopecks: bigint({ mode: "number" }).notNull(),
  minDays: integer().notNull(),
  maxDays: integer().notNull(),
  askedAt: timestamp({ withTimezone: true }).notNull(),
}, (t) => [primaryKey({ columns: [t.cityCode, t.kind, t.parcelClass] })]);

export const shipments = pgTable("shipments", {
  orderId: text().primaryKey(),
  state: text().notNull(),
  carrierId: text(),
  trackingNumber: text(),
  lastCode: text(),
  attempts: integer().notNull().default(0),
  nextCheckAt: timestamp({ withTimezone: true }),
  createdAt: timestamp({ withTimezone: true }).notNull(),
}, (t) => [index("shipments_due").on(t.nextCheckAt)]);
