import { sql } from "drizzle-orm";
import {
  bigint,
  bigserial,
  boolean,
  check,
  doublePrecision,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
  timestamp,
  uniqueIndex,
} from "drizzle-orm/pg-core";

export const cities = pgTable(
  "cities",
  {
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
  },
  (t) => [index("cities_by_weight").on(t.weight.desc())],
);

/** Mirror of the carrier's open points; served from here, never asked for per request. */
export const pickupPoints = pgTable(
  "pickup_points",
  {
    id: text().primaryKey(),
    cityCode: text()
      .notNull()
      .references(() => cities.code),
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
    /** The cells of a locker, `[[width, height, depth], …]` in centimetres; null where anything goes. */
    cells: jsonb(),
    /** Which reading of the whole country saw it last; null: only its city was read. */
    seenInReading: integer(),
  },
  (t) => [index("pickup_points_by_city").on(t.cityCode, t.type)],
);

export const pointMirrors = pgTable("point_mirrors", {
  cityCode: text()
    .primaryKey()
    .references(() => cities.code),
  mirroredAt: timestamp({ withTimezone: true }).notNull(),
  /** Read by itself because somebody asked, and renewed by itself; false: came with the whole country. */
  isOwn: boolean().notNull().default(true),
});

/** Readings of the whole country's points. One that broke off has no end and changed nothing but the points it saw. */
export const pointReadings = pgTable(
  "point_readings",
  {
    id: integer().primaryKey().generatedAlwaysAsIdentity(),
    startedAt: timestamp({ withTimezone: true }).notNull(),
    finishedAt: timestamp({ withTimezone: true }),
    seen: integer().notNull().default(0),
    removed: integer().notNull().default(0),
    /** Why it broke off. */
    fault: text(),
  },
  (t) => [index("point_readings_by_age").on(t.startedAt.desc())],
);

/** Carrier's prices by city and parcel class, usable for 24 h when the carrier is out. */
export const deliveryPrices = pgTable(
  "delivery_prices",
  {
    cityCode: text().notNull(),
    kind: text().notNull(),
    parcelClass: text().notNull(),
    priceKopecks: bigint({ mode: "number" }).notNull(),
    minDays: integer().notNull(),
    maxDays: integer().notNull(),
    askedAt: timestamp({ withTimezone: true }).notNull(),
  },
  (t) => [primaryKey({ columns: [t.cityCode, t.kind, t.parcelClass] })],
);

/** One parcel per order. `nextCheckAt` is when the carrier is asked (or told) next; null once nothing can change. */
export const shipments = pgTable(
  "shipments",
  {
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
    /** How often it was registered: the carrier wants another number after each refusal. */
    registration: integer().notNull().default(1),
    /** Recall of the parcel: to be sent (`asked`), sent and not decided (`sent`), or what the carrier decided; null: never recalled. */
    callOff: text(),
    /** Whether the recall also holds for a parcel on its way: the carrier then brings it back. */
    mayTurnBack: boolean().notNull().default(true),
    /** The way so far as the carrier told it last, `[{code, name, city, at}, …]`, oldest first. */
    steps: jsonb(),
    /** When the carrier last answered about it. */
    heardAt: timestamp({ withTimezone: true }),
  },
  (t) => [
    check(
      "shipments_state",
      sql`${t.state} in ('new','accepted','registered','in_transit','at_point','delivered','not_delivered','invalid','called_off')`,
    ),
    check("shipments_call_off", sql`${t.callOff} in ('asked','sent','struck_out','turned_back','refused')`),
    index("shipments_due").on(t.nextCheckAt),
    index("shipments_by_carrier_id").on(t.carrierId),
  ],
);

/** Webhooks of the carrier as they came, each word once: stored first, believed never. */
export const carrierEvents = pgTable(
  "carrier_events",
  {
    id: bigserial({ mode: "number" }).primaryKey(),
    orderId: text()
      .notNull()
      .references(() => shipments.orderId),
    carrierId: text().notNull(),
    code: text().notNull(),
    statusAt: timestamp({ withTimezone: true }).notNull(),
    isTakenBack: boolean().notNull(),
    /** The body to the letter; emptied after `providerEventDays`. */
    body: text().notNull(),
    receivedAt: timestamp({ withTimezone: true }).notNull(),
  },
  (t) => [
    uniqueIndex("carrier_events_once").on(t.carrierId, t.code, t.statusAt, t.isTakenBack),
    index("carrier_events_by_order").on(t.orderId),
  ],
);
