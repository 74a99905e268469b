import { and, asc, desc, eq, lte, max, notInArray, sql } from "drizzle-orm";
import { batch, type QueryBatch, type Db, type IdQuery, type Tx } from "#kit/db.ts";
import type { City, PickupPoint } from "./delivery.ts";
import { searchName } from "./delivery.ts";
import { z } from "zod";
import type { CarrierPoint, CountryPoint } from "./gateway.ts";
import { cities, pickupPoints, pointMirrors, pointReadings } from "./tables.ts";

const cityColumns = {
  code: cities.code,
  carrierCode: cities.carrierCode,
  name: cities.name,
  region: cities.region,
  lat: cities.lat,
  lon: cities.lon,
};

const selectCity = (db: Db, code: string | IdQuery) =>
  db
    .select(cityColumns)
    .from(cities)
    .where(eq(cities.code, typeof code === "string" ? code : sql`(${code})`));

export async function city(db: Db, code: string): Promise<City | null> {
  const [row] = await selectCity(db, code);
  return row ?? null;
}

/** `code`: of the city, or a query of it. */
export const cityBatch = (db: Db, code: string | IdQuery): QueryBatch<City | null> =>
  batch([selectCity(db, code)], ([[row]]) => row ?? null);

/** Cities whose name, or a word in it, starts with `beginning` (normalised by `searchName`); bigger ones first. */
export async function citiesStartingWith(db: Db, beginning: string, limit: number): Promise<City[]> {
  const escaped = beginning.replaceAll(/[\\%_]/g, (sign) => `\\${sign}`);
  return db
    .select(cityColumns)
    .from(cities)
    .where(
      sql`${cities.searchName} like ${`${escaped}%`} or ${cities.searchName} like ${`% ${escaped}%`}
        or ${cities.searchName} like ${`%-${escaped}%`}`,
    )
    .orderBy(sql`${cities.searchName} like ${`${escaped}%`} desc`, desc(cities.weight), asc(cities.searchName))
    .limit(limit);
}

/** Cities of this name (normalised by `searchName`), bigger ones first. */
export const citiesNamed = (db: Db, name: string): Promise<City[]> =>
  db.select(cityColumns).from(cities).where(eq(cities.searchName, name)).orderBy(desc(cities.weight), asc(cities.code));

/** Inserts or updates cities; a weight of 0 keeps the stored weight. */
export async function saveCities(db: Db, found: readonly (City & { weight: number })[]): Promise<void> {
  if (found.length === 0) return;
  await db
    .insert(cities)
    .values(found.map((each) => ({ ...each, searchName: searchName(each.name) })))
    .onConflictDoUpdate({
      target: cities.code,
      set: {
        name: sql`excluded.name`,
        searchName: sql`excluded.search_name`,
        region: sql`excluded.region`,
        lat: sql`excluded.lat`,
        lon: sql`excluded.lon`,
        weight: sql`greatest(excluded.weight, ${cities.weight})`,
      },
    });
}

/** The nearest cities to a place; degrees of longitude are scaled by the latitude. */
export async function citiesNear(db: Db, { lat, lon }: { lat: number; lon: number }, limit: number): Promise<City[]> {
  const shrink = Math.cos((lat * Math.PI) / 180) ** 2;
  return db
    .select(cityColumns)
    .from(cities)
    .orderBy(sql`power(${cities.lat} - ${lat}, 2) + power(${cities.lon} - ${lon}, 2) * ${shrink}`)
    .limit(limit);
}

const cellList = z.array(z.array(z.number())).nullable();
const pointColumns = {
  id: pickupPoints.id,
  type: pickupPoints.type,
  name: pickupPoints.name,
  address: pickupPoints.address,
  lat: pickupPoints.lat,
  lon: pickupPoints.lon,
  workTime: pickupPoints.workTime,
  phone: pickupPoints.phone,
  note: pickupPoints.note,
  hasCash: pickupPoints.hasCash,
  hasCard: pickupPoints.hasCard,
  nearestMetro: pickupPoints.nearestMetro,
  weightMaxGrams: pickupPoints.weightMaxGrams,
  cells: pickupPoints.cells,
};

/** A point with its limits for a parcel. */
type PointWithLimits = PickupPoint & { weightMaxGrams: number | null; cells: number[][] | null };

export async function points(db: Db, cityCode: string, type: "PVZ" | "POSTAMAT"): Promise<PointWithLimits[]> {
  const rows = await db
    .select(pointColumns)
    .from(pickupPoints)
    .where(and(eq(pickupPoints.cityCode, cityCode), eq(pickupPoints.type, type)))
    .orderBy(asc(pickupPoints.address));
  return rows.map(({ cells, ...row }) => ({ ...row, type, cells: cellList.parse(cells) }));
}

/** The distinct parcel limits of a city's points, with the number of points for each. */
export async function parcelLimits(
  db: Db,
  cityCode: string,
): Promise<{ type: "PVZ" | "POSTAMAT"; weightMaxGrams: number | null; cells: number[][] | null; count: number }[]> {
  const rows = await db
    .select({
      type: pickupPoints.type,
      weightMaxGrams: pickupPoints.weightMaxGrams,
      cells: pickupPoints.cells,
      count: sql<number>`count(*)`.mapWith(Number),
    })
    .from(pickupPoints)
    .where(eq(pickupPoints.cityCode, cityCode))
    .groupBy(pickupPoints.type, pickupPoints.weightMaxGrams, pickupPoints.cells);
  return rows.map((row) => ({ ...row, type: row.type === "PVZ" ? "PVZ" : "POSTAMAT", cells: cellList.parse(row.cells) }));
}

export async function mirroredAt(db: Db, cityCode: string): Promise<Date | null> {
  const [row] = await db.select({ at: pointMirrors.mirroredAt }).from(pointMirrors).where(eq(pointMirrors.cityCode, cityCode));
  return row?.at ?? null;
}

/** Cities that were mirrored on request (not by the country import) before `before`, oldest first. */
export async function oldMirrors(db: Db, before: Date, limit: number): Promise<City[]> {
  return db
    .select(cityColumns)
    .from(pointMirrors)
    .innerJoin(cities, eq(cities.code, pointMirrors.cityCode))
    .where(and(lte(pointMirrors.mirroredAt, before), eq(pointMirrors.isOwn, true)))
    .orderBy(asc(pointMirrors.mirroredAt))
    .limit(limit);
}

/** Replaces the city's mirrored points with the carrier's list. */
export async function replacePoints(tx: Tx, cityCode: string, list: readonly CarrierPoint[], at: Date): Promise<void> {
  // Two processes may mirror one city at once: the second waits at the upsert.
  const ids = list.map(({ id }) => id);
  await tx
    .insert(pointMirrors)
    .values({ cityCode, mirroredAt: at, isOwn: true })
    .onConflictDoUpdate({ target: pointMirrors.cityCode, set: { mirroredAt: at, isOwn: true } });
  await tx
    .delete(pickupPoints)
    .where(and(eq(pickupPoints.cityCode, cityCode), ids.length > 0 ? notInArray(pickupPoints.id, ids) : undefined));
  for (let from = 0; from < list.length; from += 500)
    await savePoints(
      tx,
      list.slice(from, from + 500).map((point) => ({ ...point, cityCode })),
    );
}

async function savePoints(db: Db, list: readonly (CarrierPoint & { cityCode: string; seenInReading?: number })[]): Promise<void> {
  if (list.length === 0) return;
  // Sorted by id: an import of the country and one of a city may write the same rows and must not deadlock.
  await db
    .insert(pickupPoints)
    .values(list.toSorted((a, b) => (a.id < b.id ? -1 : 1)))
    .onConflictDoUpdate({
      target: pickupPoints.id,
      set: {
        cityCode: sql`excluded.city_code`,
        type: sql`excluded.type`,
        name: sql`excluded.name`,
        address: sql`excluded.address`,
        lat: sql`excluded.lat`,
        lon: sql`excluded.lon`,
        workTime: sql`excluded.work_time`,
        phone: sql`excluded.phone`,
        note: sql`excluded.note`,
        hasCash: sql`excluded.has_cash`,
        hasCard: sql`excluded.has_card`,
        nearestMetro: sql`excluded.nearest_metro`,
        weightMaxGrams: sql`excluded.weight_max_grams`,
        cells: sql`excluded.cells`,
        seenInReading: sql`coalesce(excluded.seen_in_reading, ${pickupPoints.seenInReading})`,
      },
    });
}

/** Inserts new cities; existing ones stay unchanged. */
export async function addCities(db: Db, list: readonly City[]): Promise<void> {
  if (list.length === 0) return;
  await db
    .insert(cities)
    .values(list.map((each) => ({ ...each, searchName: searchName(each.name), weight: 0 })))
    .onConflictDoNothing();
}

/** When the newest finished import ended, and when the newest import of all started. */
export async function lastImports(db: Db): Promise<{ finished: Date | null; started: Date | null }> {
  const [row] = await db.select({ finished: max(pointReadings.finishedAt), started: max(pointReadings.startedAt) }).from(pointReadings);
  return { finished: row?.finished ?? null, started: row?.started ?? null };
}

/** Adds an import and returns its id. */
export async function startImport(db: Db, at: Date): Promise<number> {
  const [row] = await db.insert(pointReadings).values({ startedAt: at }).returning({ id: pointReadings.id });
  if (!row) throw new Error("the insert into point_readings returned no id");
  return row.id;
}

/** Saves one page of the import `importId`. `cityCodeOf` returns the city code of a point. */
export const saveImportedPage = (
  tx: Tx,
  importId: number,
  list: readonly CountryPoint[],
  cityCodeOf: (point: CountryPoint) => string,
): Promise<void> =>
  savePoints(
    tx,
    list.map((each) => ({ ...each, cityCode: cityCodeOf(each), seenInReading: importId })),
  );

export const countAllPoints = (db: Db): Promise<number> => db.$count(pickupPoints);

/**
 * Finishes a complete import: deletes the points that it did not see and dates every city's mirror to the start of the import.
 * Returns how many points were deleted.
 */
export async function finishImport(tx: Tx, run: { id: number; startedAt: Date; seen: number }, at: Date): Promise<number> {
  // A city that was mirrored on request during the import has newer data.
  const isOlder = sql`not exists (select 1 from ${pointMirrors}
    where ${pointMirrors.cityCode} = ${pickupPoints.cityCode} and ${pointMirrors.mirroredAt} > ${run.startedAt})`;
  const gone = await tx
    .delete(pickupPoints)
    .where(and(sql`${pickupPoints.seenInReading} is distinct from ${run.id}`, isOlder))
    .returning({ id: pickupPoints.id });
  await tx.execute(sql`
    insert into ${pointMirrors} (city_code, mirrored_at, is_own)
    select distinct city_code, ${run.startedAt}::timestamptz, false from ${pickupPoints}
    union select city_code, ${run.startedAt}::timestamptz, false from ${pointMirrors}
    on conflict (city_code) do update set mirrored_at = greatest(excluded.mirrored_at, ${pointMirrors}.mirrored_at), is_own = false`);
  await tx.update(pointReadings).set({ finishedAt: at, seen: run.seen, removed: gone.length }).where(eq(pointReadings.id, run.id));
  return gone.length;
}

/** Records why an import ended early; it has removed no points. */
export async function failImport(db: Db, id: number, seen: number, fault: string): Promise<void> {
  await db.update(pointReadings).set({ seen, fault }).where(eq(pointReadings.id, id));
}
