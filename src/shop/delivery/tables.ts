import { sql } from "drizzle-orm";
import {
  bigint,
  bigserial,
  boolean,
  check,
  customType,
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

const bytes = customType<{ data: Buffer; driverData: Buffer | Uint8Array }>({
  dataType: () => "bytea",
  // PGlite returns plain byte arrays.
  fromDriver: (value) => Buffer.from(value),
});

export const cities = pgTable(
  "cities",
  {
    /** The ten-digit code of the contract. */
    code: text().primaryKey(),
    carrierCode: integer().notNull().unique(),
    name: text().notNull(),
    /** The name normalised for search: lower case, ё as е. */
    searchName: text().notNull(),
    region: text().notNull(),
    lat: doublePrecision().notNull(),
    lon: doublePrecision().notNull(),
    /** Cities with a higher weight are suggested first. */
    weight: integer().notNull().default(0),
  },
  (t) => [index("cities_by_weight").on(t.weight.desc())],
);

/** Mirror of the carrier's open points, so that no request has to wait for the carrier. */
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
    /** The cells of a locker, `[[width, height, depth], …]` in centimetres; null when the size is not limited. */
    cells: jsonb(),
    /** The import of the whole country that saw the point last; null: only its city was mirrored. */
    seenInReading: integer(),
  },
  (t) => [index("pickup_points_by_city").on(t.cityCode, t.type)],
);

export const pointMirrors = pgTable("point_mirrors", {
  cityCode: text()
    .primaryKey()
    .references(() => cities.code),
  mirroredAt: timestamp({ withTimezone: true }).notNull(),
  /** True: mirrored because a buyer needed the city, and renewed separately; false: came with the import of the country. */
  isOwn: boolean().notNull().default(true),
});

/** Imports of the whole country's points. A failed import has no `finishedAt` and removed no points. */
export const pointReadings = pgTable(
  "point_readings",
  {
    id: integer().primaryKey().generatedAlwaysAsIdentity(),
    startedAt: timestamp({ withTimezone: true }).notNull(),
    finishedAt: timestamp({ withTimezone: true }),
    seen: integer().notNull().default(0),
    removed: integer().notNull().default(0),
    /** Why the import failed. */
    fault: text(),
  },
  (t) => [index("point_readings_by_age").on(t.startedAt.desc())],
);

/** The carrier's prices by city and parcel class, used for 24 hours while the carrier is unavailable. */
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

/** One parcel per order. `nextCheckAt`: when the carrier is called next; null once the parcel needs no more calls. */
export const shipments = pgTable(
  "shipments",
  {
    orderId: text().primaryKey(),
    state: text().notNull(),
    /** The registration request; emptied once the carrier has it, because it contains the recipient's personal data. */
    request: jsonb(),
    carrierId: text(),
    trackingNumber: text(),
    /** The carrier's code of the last state; of a refused parcel, the codes that say why. */
    lastCode: text(),
    attempts: integer().notNull().default(0),
    nextCheckAt: timestamp({ withTimezone: true }),
    createdAt: timestamp({ withTimezone: true }).notNull(),
    /** Number of registrations: the carrier requires another number after each refusal. */
    registration: integer().notNull().default(1),
    /** State of the recall: to be sent (`asked`), sent and not decided (`sent`), or the carrier's decision; null: never recalled. */
    callOff: text(),
    /** Whether the recall also applies to a parcel on its way, which the carrier then returns. */
    mayTurnBack: boolean().notNull().default(true),
    /** Tracking events by the carrier's last answer, `[{code, name, city, at}, …]`, oldest first. */
    steps: jsonb(),
    /** When the carrier last answered about the parcel. */
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
    index("shipments_by_tracking_number").on(t.trackingNumber),
    index("shipments_refused")
      .on(t.orderId)
      .where(sql`${t.state} = 'invalid'`),
  ],
);

/** Webhooks of the carrier as received, each status once. They are hints only: the state is always fetched from the carrier. */
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
    /** The raw body; emptied after `providerEventDays`. */
    body: text().notNull(),
    receivedAt: timestamp({ withTimezone: true }).notNull(),
  },
  (t) => [
    uniqueIndex("carrier_events_once").on(t.carrierId, t.code, t.statusAt, t.isTakenBack),
    index("carrier_events_by_order").on(t.orderId),
  ],
);

/**
 * Labels of parcels, printed by the carrier: one file for one parcel or for a batch. The file has the recipient's personal data, so its
 * bytes are deleted after `labelMinutes`; after that a new one is requested from the carrier.
 */
export const labelFiles = pgTable(
  "label_files",
  {
    id: bigserial({ mode: "number" }).primaryKey(),
    /** The parcels in their order, each with its registration, so that a parcel that was packed again gets a new label. */
    key: text().notNull(),
    /** Ids of the orders, in the order of the pages. */
    orderIds: jsonb().notNull(),
    state: text().notNull(),
    /** The print task at the carrier; null: not requested yet. */
    taskId: text(),
    pdf: bytes(),
    /** Why there is no label: the state of a parcel, or the carrier's code. */
    fault: text(),
    attempts: integer().notNull().default(0),
    createdAt: timestamp({ withTimezone: true }).notNull(),
    /** When the carrier accepted the print task. */
    askedAt: timestamp({ withTimezone: true }),
    readyAt: timestamp({ withTimezone: true }),
    /** When the file is worked on next: requested, fetched or, once it is ready, deleted. */
    nextCheckAt: timestamp({ withTimezone: true }),
  },
  (t) => [
    check("label_files_state", sql`${t.state} in ('waiting','asked','ready','failed','expired')`),
    check("label_files_pdf", sql`(${t.state} = 'ready') = (${t.pdf} is not null)`),
    uniqueIndex("label_files_current")
      .on(t.key)
      .where(sql`${t.state} in ('waiting','asked','ready')`),
    index("label_files_due").on(t.nextCheckAt),
    index("label_files_by_key").on(t.key, t.id),
  ],
);
