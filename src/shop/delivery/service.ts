import { inTransaction, type Db } from "#kit/db.ts";
import type { Kopecks } from "#kit/money.ts";
import { kopecks, zero } from "#kit/money.ts";
import { hours, plus } from "#kit/time.ts";
import type { Ctx } from "#shop/context.ts";
import type { City, DeliveryOption, OptionGroup, OptionPrice, ParcelContents, PickupPoint, Way } from "./delivery.ts";
import { cityCodeOf, deliveryById, moscowCode, packedGrams, searchName, takesParcel, ways } from "./delivery.ts";
import type { CarrierPrice } from "./gateway.ts";
import * as rows from "./repository.ts";

/** Mirrored points and asked prices may serve so long while the carrier is out; they are renewed well before. */
const usableFor = hours(24);
const renewPointsAfter = hours(12);
const renewPricesAfter = hours(1);

/** Adds or updates cities, heavier ones are suggested first. May be repeated. */
export const addCities = (ctx: Pick<Ctx, "db">, list: readonly (City & { weight: number })[]): Promise<void> =>
  rows.saveCities(ctx.db, list);

/**
 * Cities of which the name or a word in it begins with `query`, at most ten; the biggest for an empty query.
 * Unknown beginnings of three letters and more are asked of the carrier and remembered; without him only known cities are found.
 */
export async function cities(ctx: Ctx, query: string): Promise<City[]> {
  const beginning = searchName(query);
  const known = await rows.citiesBeginning(ctx.db, beginning, 10);
  if (known.length > 0 || beginning.length < 3) return known;
  const found = await asked(ctx, "cities", () => ctx.gateways.delivery.findCities(beginning));
  if (!found || found.length === 0) return [];
  await addCities(
    ctx,
    found.map((each) => ({ ...each, code: cityCodeOf(each.carrierCode), weight: 0 })),
  );
  return rows.citiesBeginning(ctx.db, beginning, 10);
}

/** The three cities nearest to a place, the nearest first; by our own table, so nobody learns where the buyer is. */
export const citiesNear = (ctx: Ctx, place: { lat: number; lon: number }): Promise<City[]> => rows.citiesNear(ctx.db, place, 3);

/** A city by its ten digits. */
export const city = (ctx: Ctx, code: string): Promise<City | null> => rows.city(ctx.db, code);
/** For callers who have it at hand already, and for those who know its ten digits. */
const cityOf = (ctx: Ctx, at: City | string): Promise<City | null> | City => (typeof at === "string" ? city(ctx, at) : at);

/**
 * Points to choose from for a way of delivery: the carrier's points or lockers of the city, the shop's office for 35, none for couriers.
 * Comes from the mirror; a city that is asked for the first time is mirrored now (3 s at most). Points that cannot take the parcel are left out.
 */
export async function points(
  ctx: Ctx,
  at: City | string,
  deliveryId: number,
  { weightGrams }: Pick<ParcelContents, "weightGrams">,
): Promise<PickupPoint[]> {
  const way = deliveryById(deliveryId);
  if (way?.name === "office") return [office(ctx)];
  const where = way?.pointType ? await cityOf(ctx, at) : null;
  const type = way?.pointType;
  if (!type || !where) return [];
  const packed = packedGrams(weightGrams);
  const list = await mirrored(ctx, where, (db) => rows.points(db, where.code, type));
  return list?.filter((each) => takesParcel(each, packed)) ?? [];
}

/** One of those points; null for a point of another city or another kind, and for one that cannot take the parcel. */
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
 * Ways to deliver such a parcel to the city, grouped as the specification's; the first group is the one to suggest.
 * While the carrier is out, prices of the last 24 hours serve; without them a manager names the price, and the office stands first.
 */
export async function options(ctx: Ctx, at: City | string, contents: ParcelContents): Promise<OptionGroup[]> {
  const where = await cityOf(ctx, at);
  if (!where) return [];
  const special: OptionGroup = { name: "special", type: "specialcontact", items: [specialOption] };
  if (needsSpecial(ctx, contents)) return [special];

  const atOffice: OptionGroup = { name: "office", type: "pickup", items: [optionOf(ways.office, zero, { minDays: 0, maxDays: 0 })] };
  const carrier = await carrierAt(ctx, where, contents);
  const sdek = carrierGroup(ctx, carrier, contents);
  if (!carrier.isHeard) return [atOffice, sdek, special];
  return where.code === moscowCode ? [sdek, atOffice, special] : [sdek, special];
}

/**
 * Price and days of one way, for a quote. Null when this way is not to be had: unknown id, free twin that is not due,
 * no such points in the city, another city's office, or a parcel that the carrier does not take by anything but special contact.
 * The paid twin of a free way costs nothing while the free one is due.
 */
export async function optionPrice(ctx: Ctx, at: City | string, deliveryId: number, contents: ParcelContents): Promise<OptionPrice | null> {
  const way = deliveryById(deliveryId);
  const offered = (await options(ctx, at, contents)).flatMap(({ items }) => items);
  const option = way && (offered.find(({ id }) => id === way.id) ?? offered.find(({ id }) => id === freeTwin(way)?.id));
  return option ? { price: option.price ?? zero, minDays: option.minDays, maxDays: option.maxDays, note: option.note } : null;
}

/** Renews the oldest mirrors, a few at a time, and forgets prices that may no longer serve. */
export async function renewMirrors(ctx: Ctx): Promise<void> {
  for (const each of await rows.agedMirrors(ctx.db, plus(ctx.now(), -renewPointsAfter), 3))
    await asked(ctx, "points", () => mirror(ctx, each));
  await rows.dropPricesBefore(ctx.db, plus(ctx.now(), -usableFor));
}

function freeTwin(way: Way): Way | null {
  if (way.name === "pickup_point") return ways.free_pickup_point;
  if (way.name === "locker") return ways.free_locker;
  return way.name === "courier" ? ways.free_courier : null;
}

const roubles = (amount: number): Kopecks => kopecks(Math.round(amount * 100));
/** More than the carrier insures, or more gold than it takes: only special contact carries it. */
export const needsSpecial = ({ settings: { limits } }: Ctx, { total, gold = zero }: Pick<ParcelContents, "total" | "gold">): boolean =>
  total > roubles(limits.insuredLimitRoubles) || gold > roubles(limits.carrierGoldLimitRoubles);

const specialOption: DeliveryOption = {
  id: ways.special.id,
  name: "special",
  hasPoint: false,
  price: null,
  minDays: 3,
  maxDays: 8,
  note: "price_by_manager",
};

const optionOf = (way: Way, price: Kopecks | null, days: { minDays: number; maxDays: number } | null): DeliveryOption => ({
  id: way.id,
  name: way.name,
  hasPoint: way.hasPoint,
  price,
  minDays: days?.minDays ?? null,
  maxDays: days?.maxDays ?? null,
  note: price === null ? "price_by_manager" : "",
});

/** What the carrier offers in a city. `isHeard`: his points are known, from him or from a mirror that may still serve; counted are those that take the parcel. */
type CarrierOffer = {
  isHeard: boolean;
  counts: { PVZ: number; POSTAMAT: number };
  toPoint: CarrierPrice | null;
  toDoor: CarrierPrice | null;
};

async function carrierAt(ctx: Ctx, where: City, contents: ParcelContents): Promise<CarrierOffer> {
  const [rooms, toPoint, toDoor] = await Promise.all([
    mirrored(ctx, where, (db) => rows.rooms(db, where.code)),
    priceTo(ctx, where, "point", contents),
    priceTo(ctx, where, "courier", contents),
  ]);
  const packed = packedGrams(contents.weightGrams);
  const roomy = rooms?.filter((room) => takesParcel(room, packed)) ?? [];
  const of = (type: "PVZ" | "POSTAMAT"): number => roomy.filter((room) => room.type === type).reduce((sum, { count }) => sum + count, 0);
  return { isHeard: rooms !== null, toPoint, toDoor, counts: { PVZ: of("PVZ"), POSTAMAT: of("POSTAMAT") } };
}

function carrierGroup(ctx: Ctx, { counts, toPoint, toDoor }: CarrierOffer, { total }: ParcelContents): OptionGroup {
  const { freePickupFromRoubles, freeCourierFromRoubles, lockerLimitRoubles } = ctx.settings.limits;
  const [isPickupFree, isCourierFree] = [total >= roubles(freePickupFromRoubles), total >= roubles(freeCourierFromRoubles)];
  const priced = (way: Way, told: CarrierPrice | null): DeliveryOption => optionOf(way, way.isFree ? zero : (told?.price ?? null), told);
  const items: DeliveryOption[] = [];
  if (counts.PVZ > 0) items.push(priced(isPickupFree ? ways.free_pickup_point : ways.pickup_point, toPoint));
  if (counts.POSTAMAT > 0 && total <= roubles(lockerLimitRoubles))
    items.push(priced(isPickupFree ? ways.free_locker : ways.locker, toPoint));
  items.push(priced(isCourierFree ? ways.free_courier : ways.courier, toDoor));
  return { name: items[0]?.price === zero ? "sdek_free" : "sdek", type: "sdek", items };
}

/** The shop's own counter, from the settings. */
function office(ctx: Ctx): PickupPoint {
  const { name, address, hours: open, phones, coords } = ctx.settings.shop;
  return {
    id: "office",
    type: "OFFICE",
    name,
    address,
    lat: coords?.lat ?? moscowCentre.lat,
    lon: coords?.lon ?? moscowCentre.lon,
    workTime: open.join(", "),
    phone: phones[0]?.display ?? "",
    note: "",
    hasCash: true,
    hasCard: true,
    nearestMetro: "",
  };
}
const moscowCentre = { lat: 55.754047, lon: 37.620405 };

/** What is to be read of the city's points, if they are known and young enough to serve; mirrors them now if not. Null when they cannot be had. */
async function mirrored<T>(ctx: Ctx, where: City, read: (db: Db) => Promise<T>): Promise<T | null> {
  const at = await rows.mirroredAt(ctx.db, where.code);
  if (at && at > plus(ctx.now(), -usableFor)) return read(ctx.db);
  return (await asked(ctx, "points", () => mirror(ctx, where, { unlessYoung: true }))) === null ? null : read(ctx.db);
}

/**
 * Asks the carrier for a city's points and stores them; callers of one process at one time share one call. `unlessYoung`: the caller saw
 * an old mirror, which may have been made anew since then.
 */
function mirror(ctx: Ctx, where: City, { unlessYoung = false } = {}): Promise<true> {
  const running = ctx.held("delivery.mirroring", () => new Map<string, Promise<true>>());
  const shared = running.get(where.code);
  if (shared) return shared;
  const call = (async () => {
    const at = unlessYoung ? await rows.mirroredAt(ctx.db, where.code) : null;
    if (at && at > plus(ctx.now(), -usableFor)) return true as const;
    const list = await ctx.gateways.delivery.points(where.carrierCode);
    // A city does not lose all its points at once: an empty answer after a full one is a fault of the carrier's.
    if (list.length === 0 && (await rows.rooms(ctx.db, where.code)).length > 0)
      throw new Error(`the carrier knows no points of ${where.code} any more`);
    await inTransaction(ctx.db, (tx) => rows.replacePoints(tx, where.code, list, ctx.now()));
    return true as const;
  })().finally(() => running.delete(where.code));
  running.set(where.code, call);
  return call;
}

/**
 * The carrier's price for the parcel's class, whole roubles rounded up, with insurance of the full value. Asked at most once an hour
 * per class; while he is out an answer of the last 24 hours serves, then null.
 */
async function priceTo(ctx: Ctx, where: City, kind: "courier" | "point", contents: ParcelContents): Promise<CarrierPrice | null> {
  const parcel = parcelOf(contents);
  const key = { cityCode: where.code, kind, parcelClass: `${parcel.weightGrams}g ${parcel.declaredValue / 100}rub` };
  const known = await rows.price(ctx.db, key);
  const isYoungerThan = (age: number): boolean => known !== null && known.askedAt > plus(ctx.now(), -age);
  if (isYoungerThan(renewPricesAfter)) return known;
  const { delivery } = ctx.gateways;
  const told = await asked(ctx, "price", () =>
    kind === "courier" ? delivery.courierPrice(where.carrierCode, parcel) : delivery.pointPrice(where.carrierCode, parcel),
  );
  if (!told) return isYoungerThan(usableFor) ? known : null;
  const price: CarrierPrice = { ...told, price: kopecks(Math.ceil(told.price / 100) * 100) };
  await rows.savePrice(ctx.db, key, price, ctx.now());
  return price;
}

const weightStepGrams = 500;
const valueStep = 10_000_00;

/** Parcels are priced in classes, so that a price is asked for once and is the same in the list, the quote and the next minute. */
function parcelOf({ total, weightGrams }: ParcelContents) {
  const up = (value: number, step: number): number => Math.max(1, Math.ceil(value / step)) * step;
  return { weightGrams: up(packedGrams(weightGrams), weightStepGrams), declaredValue: kopecks(up(total, valueStep)) };
}

// The carrier's answer, or null with a line in the log when he cannot be asked: nothing here may fail because of him.
async function asked<T>(ctx: Ctx, op: string, ask: () => Promise<T>): Promise<T | null> {
  try {
    return await ask();
  } catch (error) {
    ctx.log.warn({ op, reason: error instanceof Error ? error.message : String(error) }, "the carrier gave no answer");
    return null;
  }
}
