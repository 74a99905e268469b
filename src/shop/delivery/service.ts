import { inTransaction, type QueryBatch, type Db, type IdQuery } from "#kit/db.ts";
import { shareWait, isDeadline, shareRun } from "#kit/concurrency/deadline.ts";
import { hoursLine } from "#kit/format.ts";
import type { Kopecks } from "#kit/money.ts";
import { kopecks, zero } from "#kit/money.ts";
import { hours, plus } from "#kit/time.ts";
import type { Ctx } from "#shop/context.ts";
import type { City, DeliveryOption, OptionGroup, OptionPrice, ParcelContents, PickupPoint, DeliveryMethod } from "./delivery.ts";
import { cityCodeOf, deliveryById, moscowCode, packedGrams, searchName, acceptsParcel, deliveryMethods } from "./delivery.ts";
import type { CarrierPrice } from "./gateway.ts";
import * as rows from "./repository.ts";
import * as priceRows from "./prices.repository.ts";

/** How long mirrored points and fetched prices may be used while the carrier is unavailable; they are renewed much earlier. */
const usableFor = hours(24);
const renewPointsAfter = hours(12);
const renewPricesAfter = hours(1);

/** Adds or updates cities; those with a higher weight are suggested first. Idempotent. */
export const addCities = (ctx: Pick<Ctx, "db">, list: readonly (City & { weight: number })[]): Promise<void> =>
  rows.saveCities(ctx.db, list);

/**
 * Cities whose name, or a word in it, starts with `query`, at most ten; the biggest for an empty query.
 * An unknown query of three letters or more is looked up at the carrier and stored; without the carrier only stored cities are found.
 */
export async function cities(ctx: Ctx, query: string): Promise<City[]> {
  const beginning = searchName(query);
  const stored = await rows.citiesStartingWith(ctx.db, beginning, 10);
  if (stored.length > 0 || beginning.length < 3) return stored;
  const found = await fetchFromCarrier(ctx, "cities", () => ctx.gateways.delivery.findCities(beginning));
  if (!found || found.length === 0) return [];
  await addCities(
    ctx,
    found.map((each) => ({ ...each, code: cityCodeOf(each.carrierCode), weight: 0 })),
  );
  return rows.citiesStartingWith(ctx.db, beginning, 10);
}

/**
 * The three cities nearest to a place, the nearest first. Uses the shop's own table only, so the buyer's location is sent to no provider.
 */
export const citiesNear = (ctx: Ctx, place: { lat: number; lon: number }): Promise<City[]> => rows.citiesNear(ctx.db, place, 3);

/** A city by its ten-digit code. */
export const city = (ctx: Ctx, code: string): Promise<City | null> => rows.city(ctx.db, code);
/** The city with this code as a part of another module's round trip; null: there is none. */
export const cityBatch = (db: Db, code: string | IdQuery): QueryBatch<City | null> => rows.cityBatch(db, code);
/**
 * The city that a written address names («Казань», «г. Казань») when it is another one than `of`; the biggest of that name. Null: the same
 * city, none, or a name that the shop does not know.
 */
export async function otherCityNamed(db: Db, written: string, of: Pick<City, "code" | "name">): Promise<City | null> {
  const name = searchName(written).replace(/^(г\.|г |гор\.|город )\s*/, "");
  if (name === "" || name === searchName(of.name)) return null;
  const named = await rows.citiesNamed(db, name);
  return named.some(({ code }) => code === of.code) ? null : (named[0] ?? null);
}

/** Accepts a city or its ten-digit code. */
const cityOf = (ctx: Ctx, at: City | string): Promise<City | null> | City => (typeof at === "string" ? city(ctx, at) : at);

/**
 * Points to choose from for a delivery method: the carrier's points or lockers of the city, the shop's office for office collection,
 * none for couriers. Read from the mirror; a city is mirrored on first use (3 s at most). Points that cannot accept the parcel are left
 * out.
 */
export async function points(
  ctx: Ctx,
  at: City | string,
  deliveryId: number,
  { weightGrams }: Pick<ParcelContents, "weightGrams">,
): Promise<PickupPoint[]> {
  const method = deliveryById(deliveryId);
  if (method?.name === "office") return [office(ctx)];
  const where = method?.pointType ? await cityOf(ctx, at) : null;
  const type = method?.pointType;
  if (!type || !where) return [];
  const packed = packedGrams(weightGrams);
  const list = await withMirror(ctx, where, (db) => rows.points(db, where.code, type));
  return list?.filter((each) => acceptsParcel(each, packed)) ?? [];
}

/** One of these points; null for a point of another city or type, and for one that cannot accept the parcel. */
export async function point(
  ctx: Ctx,
  at: City | string,
  deliveryId: number,
  pointId: string,
  contents: Pick<ParcelContents, "weightGrams">,
): Promise<PickupPoint | null> {
  return (await points(ctx, at, deliveryId, contents)).find(({ id }) => id === pointId) ?? null;
}

/**
 * Delivery options for a parcel to the city, in groups; the first group is the suggested one.
 * While the carrier is unavailable, prices of the last 24 hours are used; without them a manager sets the price, and the office comes
 * first.
 */
export async function options(ctx: Ctx, at: City | string, contents: ParcelContents): Promise<OptionGroup[]> {
  const where = await cityOf(ctx, at);
  if (!where) return [];
  const special: OptionGroup = { name: "special", type: "special", items: [specialOption] };
  if (needsSpecial(ctx, contents)) return [special];

  const atOffice: OptionGroup = {
    name: "office",
    type: "office",
    items: [optionOf(deliveryMethods.office, zero, { minDays: 0, maxDays: 0 })],
  };
  const carrier = await carrierAt(ctx, where, contents);
  const byCarrier = carrierGroup(ctx, carrier, contents);
  if (!carrier.arePointsKnown) return [atOffice, byCarrier, special];
  return where.code === moscowCode ? [byCarrier, atOffice, special] : [byCarrier, special];
}

/**
 * Price and days of one delivery method, for a quote. Null when the method is not available: unknown id, a free variant below its limit,
 * no such points in the city, the office of another city, or a parcel that only special contact accepts.
 * The paid variant of a method costs nothing while the free variant applies.
 */
export async function optionPrice(ctx: Ctx, at: City | string, deliveryId: number, contents: ParcelContents): Promise<OptionPrice | null> {
  const method = deliveryById(deliveryId);
  const offered = (await options(ctx, at, contents)).flatMap(({ items }) => items);
  const option = method && (offered.find(({ id }) => id === method.id) ?? offered.find(({ id }) => id === freeVariantOf(method)?.id));
  return option ? { price: option.price ?? zero, minDays: option.minDays, maxDays: option.maxDays, note: option.note } : null;
}

/** Renews the oldest mirrors, a few at a time, and deletes prices that are too old to use. */
export async function renewMirrors(ctx: Ctx): Promise<void> {
  for (const each of await rows.oldMirrors(ctx.db, plus(ctx.now(), -renewPointsAfter), 3))
    await fetchFromCarrier(ctx, "points", () => mirrorPoints(ctx, each));
  await priceRows.deletePricesBefore(ctx.db, plus(ctx.now(), -usableFor));
}

function freeVariantOf(method: DeliveryMethod): DeliveryMethod | null {
  if (method.name === "pickup_point") return deliveryMethods.free_pickup_point;
  if (method.name === "locker") return deliveryMethods.free_locker;
  return method.name === "courier" ? deliveryMethods.free_courier : null;
}

const fromRoubles = (amount: number): Kopecks => kopecks(Math.round(amount * 100));
/** Whether only special contact may carry the parcel: its value exceeds the insurance limit, or its gold the carrier's limit. */
export const needsSpecial = ({ settings: { limits } }: Ctx, { total, gold = zero }: Pick<ParcelContents, "total" | "gold">): boolean =>
  total > fromRoubles(limits.insuredLimitRoubles) || gold > fromRoubles(limits.carrierGoldLimitRoubles);

const specialOption: DeliveryOption = {
  id: deliveryMethods.special.id,
  name: "special",
  hasPoint: false,
  price: null,
  minDays: 3,
  maxDays: 8,
  note: "price_by_manager",
};

const optionOf = (method: DeliveryMethod, price: Kopecks | null, days: { minDays: number; maxDays: number } | null): DeliveryOption => ({
  id: method.id,
  name: method.name,
  hasPoint: method.hasPoint,
  price,
  minDays: days?.minDays ?? null,
  maxDays: days?.maxDays ?? null,
  note: price === null ? "price_by_manager" : "",
});

/**
 * What the carrier offers in a city. `arePointsKnown`: from the carrier or from a mirror that is young enough.
 * `counts`: points that accept the parcel.
 */
type CarrierOffer = {
  arePointsKnown: boolean;
  counts: { PVZ: number; POSTAMAT: number };
  toPoint: CarrierPrice | null;
  toDoor: CarrierPrice | null;
};

async function carrierAt(ctx: Ctx, where: City, contents: ParcelContents): Promise<CarrierOffer> {
  const [limits, toPoint, toDoor] = await Promise.all([
    withMirror(ctx, where, (db) => rows.parcelLimits(db, where.code)),
    priceTo(ctx, where, "point", contents),
    priceTo(ctx, where, "courier", contents),
  ]);
  const packed = packedGrams(contents.weightGrams);
  const accepting = limits?.filter((each) => acceptsParcel(each, packed)) ?? [];
  const of = (type: "PVZ" | "POSTAMAT"): number =>
    accepting.filter((each) => each.type === type).reduce((sum, { count }) => sum + count, 0);
  return { arePointsKnown: limits !== null, toPoint, toDoor, counts: { PVZ: of("PVZ"), POSTAMAT: of("POSTAMAT") } };
}

function carrierGroup(ctx: Ctx, { counts, toPoint, toDoor }: CarrierOffer, { total }: ParcelContents): OptionGroup {
  const { freePickupFromRoubles, freeCourierFromRoubles, lockerLimitRoubles } = ctx.settings.limits;
  const [isPickupFree, isCourierFree] = [total >= fromRoubles(freePickupFromRoubles), total >= fromRoubles(freeCourierFromRoubles)];
  const priced = (method: DeliveryMethod, fetched: CarrierPrice | null): DeliveryOption =>
    optionOf(method, method.isFree ? zero : (fetched?.price ?? null), fetched);
  const items: DeliveryOption[] = [];
  if (counts.PVZ > 0) items.push(priced(isPickupFree ? deliveryMethods.free_pickup_point : deliveryMethods.pickup_point, toPoint));
  if (counts.POSTAMAT > 0 && total <= fromRoubles(lockerLimitRoubles))
    items.push(priced(isPickupFree ? deliveryMethods.free_locker : deliveryMethods.locker, toPoint));
  items.push(priced(isCourierFree ? deliveryMethods.free_courier : deliveryMethods.courier, toDoor));
  return { name: items[0]?.price === zero ? "free_carrier" : "carrier", type: "carrier", items };
}

/** The shop's own office, from the settings. */
function office(ctx: Ctx): PickupPoint {
  const { name, address, hours: open, phones, coords } = ctx.settings.shop;
  return {
    id: "office",
    type: "OFFICE",
    name,
    address,
    lat: coords?.lat ?? moscowCentre.lat,
    lon: coords?.lon ?? moscowCentre.lon,
    workTime: hoursLine(open),
    phone: phones[0]?.display ?? "",
    note: "",
    hasCash: true,
    hasCard: true,
    nearestMetro: "",
  };
}
const moscowCentre = { lat: 55.754047, lon: 37.620405 };

/** Runs `read` on the city's mirror, which is renewed first when it is older than `usableFor`. Null when the carrier is unavailable. */
async function withMirror<T>(ctx: Ctx, where: City, read: (db: Db) => Promise<T>): Promise<T | null> {
  const at = await rows.mirroredAt(ctx.db, where.code);
  if (at && at > plus(ctx.now(), -usableFor)) return read(ctx.db);
  return (await fetchFromCarrier(ctx, "points", () => mirrorPoints(ctx, where, { unlessYoung: true }))) === null ? null : read(ctx.db);
}

/**
 * Fetches a city's points from the carrier and stores them. Concurrent callers in one process share one call.
 * `unlessYoung`: does nothing when the mirror was renewed since the caller read it.
 */
function mirrorPoints(ctx: Ctx, where: City, { unlessYoung = false } = {}): Promise<true> {
  const running = ctx.singleton("delivery.mirroring", () => new Map<string, Promise<true>>());
  const shared = running.get(where.code);
  if (shared) return shareWait(shared);
  const mirror = async () => {
    const at = unlessYoung ? await rows.mirroredAt(ctx.db, where.code) : null;
    if (at && at > plus(ctx.now(), -usableFor)) return true as const;
    const list = await ctx.gateways.delivery.points(where.carrierCode);
    // A city does not lose all its points at once: an empty list after a full one is a fault of the carrier.
    if (list.length === 0 && (await rows.parcelLimits(ctx.db, where.code)).length > 0)
      throw new Error(`the carrier returned no points for ${where.code}, which had some`);
    await inTransaction(ctx.db, (tx) => rows.replacePoints(tx, where.code, list, ctx.now()));
    return true as const;
  };
  const call = shareRun(() => mirror().finally(() => running.delete(where.code)));
  running.set(where.code, call);
  return shareWait(call);
}

/**
 * The carrier's price for the parcel's class, rounded up to whole roubles, with insurance of the full value. Fetched at most once an hour
 * per class; while the carrier is unavailable a price of the last 24 hours is used, else null.
 */
async function priceTo(ctx: Ctx, where: City, kind: "courier" | "point", contents: ParcelContents): Promise<CarrierPrice | null> {
  const parcel = parcelOf(contents);
  const key = { cityCode: where.code, kind, parcelClass: `${parcel.weightGrams}g ${parcel.declaredValue / 100}rub` };
  const stored = await priceRows.price(ctx.db, key);
  const isYoungerThan = (age: number): boolean => stored !== null && stored.askedAt > plus(ctx.now(), -age);
  if (isYoungerThan(renewPricesAfter)) return stored;
  const { delivery } = ctx.gateways;
  const fetched = await fetchFromCarrier(ctx, "price", () =>
    kind === "courier" ? delivery.courierPrice(where.carrierCode, parcel) : delivery.pointPrice(where.carrierCode, parcel),
  );
  if (!fetched) return isYoungerThan(usableFor) ? stored : null;
  const price: CarrierPrice = { ...fetched, price: kopecks(Math.ceil(fetched.price / 100) * 100) };
  await priceRows.savePrice(ctx.db, key, price, ctx.now());
  return price;
}

const weightStepGrams = 500;
const valueStep = 10_000_00;

/** Parcels are priced in classes of mass and value, so that the list, the quote and the next minute show one price from one call. */
function parcelOf({ total, weightGrams }: ParcelContents) {
  const up = (value: number, step: number): number => Math.max(1, Math.ceil(value / step)) * step;
  return { weightGrams: up(packedGrams(weightGrams), weightStepGrams), declaredValue: kopecks(up(total, valueStep)) };
}

// The carrier's answer, or null with a log entry when the call fails: an outage of the carrier must not fail the caller.
async function fetchFromCarrier<T>(ctx: Ctx, op: string, request: () => Promise<T>): Promise<T | null> {
  try {
    return await request();
  } catch (error) {
    if (isDeadline(error)) throw error;
    ctx.log.warn({ op, reason: error instanceof Error ? error.message : String(error) }, "the carrier is unavailable");
    return null;
  }
}
