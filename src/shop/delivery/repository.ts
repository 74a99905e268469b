import { and, asc, desc, eq, inArray, lte, notInArray, sql } from "drizzle-orm";
import type { Db, Tx } from "#kit/db.ts";
import { kopecks } from "#kit/money.ts";
import type { City, PickupPoint } from "./delivery.ts";
import { searchName } from "./delivery.ts";
import type { CarrierPoint, CarrierPrice } from "./gateway.ts";
import type { RegisterShipment, Shipment, ShipmentState } from "./shipment.ts";
import { registerShipment } from "./shipment.ts";
import { cities, deliveryPrices, pickupPoints, pointMirrors, shipments } from "./tables.ts";

const cityColumns = { code: cities.code, carrierCode: cities.carrierCode, name: cities.name, region: cities.region, lat: cities.lat, lon: cities.lon };

export async function city(db: Db, code: string): Promise<City | null> {
  const [row] = await db.select(cityColumns).from(cities).where(eq(cities.code, code));
  return row ?? null;
}

/** Cities of which the name, or a word in it, begins so; bigger ones first. `beginning` as `searchName` makes it. */
export async function citiesBeginning(db: Db, beginning: string, limit: number): Promise<City[]> {
  const escaped = beginning.replaceAll(/[\\%_]/g, (sign) => `\\${sign}`);
  return db.select(cityColumns).from(cities)
    .where(sql`${cities.searchName} like ${`${escaped}%`} or ${cities.searchName} like ${`% ${escaped}%`} or ${cities.searchName} like ${`%-${escaped}%`}`)
    .orderBy(sql`${cities.searchName} like ${`${escaped}%`} desc`, desc(cities.weight), asc(cities.searchName)).limit(limit);
}

/** Adds cities and brings known ones up to date; a weight of 0 leaves the known one. */
export async function saveCities(db: Db, found: readonly (City & { weight: number })[]): Promise<void> {
  if (found.length === 0) return;
  await db.insert(cities).values(found.map((each) => ({ ...each, searchName: searchName(each.name) }))).onConflictDoUpdate({
    target: cities.code,
    set: {
      name: sql`excluded.name`, searchName: sql`excluded.search_name`, region: sql`excluded.region`, lat: sql`excluded.lat`, lon: sql`excluded.lon`,
      weight: sql`greatest(excluded.weight, ${cities.weight})`,
    },
  });
}

const pointColumns = {
  id: pickupPoints.id, type: pickupPoints.type, name: pickupPoints.name, address: pickupPoints.address, lat: pickupPoints.lat, lon: pickupPoints.lon,
  workTime: pickupPoints.workTime, phone: pickupPoints.phone, note: pickupPoints.note, hasCash: pickupPoints.hasCash, hasCard: pickupPoints.hasCard,
  nearestMetro: pickupPoints.nearestMetro,
};

export async function points(db: Db, cityCode: string, type: "PVZ" | "POSTAMAT"): Promise<PickupPoint[]> {
  const rows = await db.select(pointColumns).from(pickupPoints).where(and(eq(pickupPoints.cityCode, cityCode), eq(pickupPoints.type, type))).orderBy(asc(pickupPoints.address));
  return rows.map((row) => ({ ...row, type }));
}

export async function countPoints(db: Db, cityCode: string): Promise<Record<"PVZ" | "POSTAMAT", number>> {
  const rows = await db.select({ type: pickupPoints.type, count: sql<number>`count(*)`.mapWith(Number) }).from(pickupPoints).where(eq(pickupPoints.cityCode, cityCode)).groupBy(pickupPoints.type);
  const of = (type: string): number => rows.find((row) => row.type === type)?.count ?? 0;
  return { PVZ: of("PVZ"), POSTAMAT: of("POSTAMAT") };
}

export async function mirroredAt(db: Db, cityCode: string): Promise<Date | null> {
  const [row] = await db.select({ at: pointMirrors.mirroredAt }).from(pointMirrors).where(eq(pointMirrors.cityCode, cityCode));
  return row?.at ?? null;
}

/** Cities whose mirror is older than `before`, oldest first. */
export async function agedMirrors(db: Db, before: Date, limit: number): Promise<City[]> {
  return db.select(cityColumns).from(pointMirrors).innerJoin(cities, eq(cities.code, pointMirrors.cityCode))
    .where(lte(pointMirrors.mirroredAt, before)).orderBy(asc(pointMirrors.mirroredAt)).limit(limit);
}

/** Puts the carrier's list in place of the city's mirror. */
export async function replacePoints(tx: Tx, cityCode: string, list: readonly CarrierPoint[], at: Date): Promise<void> {
  // Two processes may mirror one city at once: the second waits here.
  await tx.insert(pointMirrors).values({ cityCode, mirroredAt: at }).onConflictDoUpdate({ target: pointMirrors.cityCode, set: { mirroredAt: at } });
  const ids = list.map(({ id }) => id);
  await tx.delete(pickupPoints).where(and(eq(pickupPoints.cityCode, cityCode), ids.length > 0 ? notInArray(pickupPoints.id, ids) : undefined));
  for (let from = 0; from < list.length; from += 500) {
    const rows = list.slice(from, from + 500).map((point) => ({ ...point, cityCode })); // the carrier's own number of the city has no column
    await tx.insert(pickupPoints).values(rows).onConflictDoUpdate({
      target: pickupPoints.id,
      set: {
        cityCode: sql`excluded.city_code`, type: sql`excluded.type`, name: sql`excluded.name`, address: sql`excluded.address`, lat: sql`excluded.lat`, lon: sql`excluded.lon`,
        workTime: sql`excluded.work_time`, phone: sql`excluded.phone`, note: sql`excluded.note`, hasCash: sql`excluded.has_cash`, hasCard: sql`excluded.has_card`,
        nearestMetro: sql`excluded.nearest_metro`, weightMaxGrams: sql`excluded.weight_max_grams`,
      },
    });
  }
}

export type PriceKey = { cityCode: string; kind: "courier" | "point"; parcelClass: string };

export async function price(db: Db, key: PriceKey): Promise<(CarrierPrice & { askedAt: Date }) | null> {
  const [row] = await db.select().from(deliveryPrices)
    .where(and(eq(deliveryPrices.cityCode, key.cityCode), eq(deliveryPrices.kind, key.kind), eq(deliveryPrices.parcelClass, key.parcelClass)));
  return row ? { price: kopecks(row.priceKopecks), minDays: row.minDays, maxDays: row.maxDays, askedAt: row.askedAt } : null;
}

export async function savePrice(db: Db, key: PriceKey, told: CarrierPrice, at: Date): Promise<void> {
  const values = { priceKopecks: told.price, minDays: told.minDays, maxDays: told.maxDays, askedAt: at };
  await db.insert(deliveryPrices).values({ ...key, ...values })
    .onConflictDoUpdate({ target: [deliveryPrices.cityCode, deliveryPrices.kind, deliveryPrices.parcelClass], set: values });
}

export async function dropPricesBefore(db: Db, before: Date): Promise<void> {
  await db.delete(deliveryPrices).where(lte(deliveryPrices.askedAt, before));
}

export type ShipmentRow = Shipment & { request: RegisterShipment | null; carrierId: string | null; lastCode: string | null; attempts: number; createdAt: Date };

const toShipment = (row: typeof shipments.$inferSelect): ShipmentRow => ({
  orderId: row.orderId, state: row.state as ShipmentState, request: row.request === null ? null : registerShipment.parse(row.request),
  carrierId: row.carrierId, trackingNumber: row.trackingNumber, lastCode: row.lastCode, attempts: row.attempts, createdAt: row.createdAt,
});

/** An order has one parcel: a repeated job adds nothing. */
export async function insertShipment(db: Db, request: RegisterShipment, at: Date): Promise<void> {
  await db.insert(shipments).values({ orderId: request.orderId, state: "new", request, createdAt: at, nextCheckAt: at }).onConflictDoNothing();
}

/** Takes the parcels that are due and puts their next turn off to `until`, so that no other process asks about them meanwhile. */
export async function claimDue(db: Db, at: Date, until: Date, limit: number): Promise<ShipmentRow[]> {
  const due = db.select({ orderId: shipments.orderId }).from(shipments).where(lte(shipments.nextCheckAt, at)).orderBy(asc(shipments.nextCheckAt)).limit(limit).for("update", { skipLocked: true });
  const rows = await db.update(shipments).set({ nextCheckAt: until }).where(inArray(shipments.orderId, due)).returning();
  return rows.map(toShipment);
}

export async function lockShipment(tx: Tx, orderId: string): Promise<ShipmentRow | null> {
  const [row] = await tx.select().from(shipments).where(eq(shipments.orderId, orderId)).for("update");
  return row ? toShipment(row) : null;
}

export async function saveShipment(tx: Tx, orderId: string, change: {
  state: ShipmentState; request: RegisterShipment | null; carrierId: string | null; trackingNumber: string | null; lastCode: string | null; attempts: number; nextCheckAt: Date | null;
}): Promise<void> {
  await tx.update(shipments).set(change).where(eq(shipments.orderId, orderId));
}

export async function shipmentsOf(db: Db, orderIds: readonly string[]): Promise<Shipment[]> {
  if (orderIds.length === 0) return [];
  return (await db.select().from(shipments).where(inArray(shipments.orderId, [...orderIds]))).map(toShipment)
    .map(({ orderId, state, trackingNumber }) => ({ orderId, state, trackingNumber }));
}
