import { sql } from "drizzle-orm";
import { bigint, boolean, check, doublePrecision, index, integer, jsonb, pgTable, primaryKey, text, timestamp } from "drizzle-orm/pg-core";

export const cities = pgTable("cities", {
  /** Ten digits, as on the wire. */
  code: text().primaryKey(),
  carrierCode: integer().notNull().unique(),
  name: text().notNull(),
  /** The name as it is searched: lower case, ё as е. */
  searchName: text().notNull(),
  region: text().notNull(),
  lat: doublePrecision().notNull(),
  lon: doublePrecision().notNull(),
  /** Bigger first in suggestions. */
  weight: integer().notNull().default(0),
}, (t) => [index("cities_by_weight").on(t.weight.desc())]);

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

/** One parcel per order. `nextCheckAt` is when the carrier is asked (or told) next; null once nothing can change. */
export const shipments = pgTable("shipments", {
  orderId: text().primaryKey(),
  state: text().notNull(),
  /** What to register; emptied when the carrier has it, since it names the recipient. */
  request: jsonb(),
  carrierId: text(),
  trackingNumber: text(),
  lastCode: text(),
  attempts: integer().notNull().default(0),
  nextCheckAt: timestamp({ withTimezone: true }),
  createdAt: timestamp({ withTimezone: true }).notNull(),
}, (t) => [
  check("shipments_state", sql`${t.state} in ('new','accepted','registered','in_transit','at_point','delivered','not_delivered','invalid')`),
  index("shipments_due").on(t.nextCheckAt),
]);
