import type { Kopecks } from "#kit/money.ts";
import { deliveryIds, paymentIds } from "#shop/method-ids.ts";

export type DeliveryName = keyof typeof deliveryIds;
export type DeliveryType = "sdek" | "pickup" | "specialcontact";

/** A way of delivery. `isFree` marks the twin that is offered instead of its paid neighbour and costs the buyer nothing. */
export type Way = {
  id: number;
  name: DeliveryName;
  type: DeliveryType;
  /** Which of the carrier's points the buyer chooses from; null where there is nothing to choose. */
  pointType: "PVZ" | "POSTAMAT" | null;
  hasPoint: boolean;
  isCourier: boolean;
  isFree: boolean;
};

const plain = { pointType: null, hasPoint: false, isCourier: false, isFree: false } as const;

export const ways: Readonly<Record<DeliveryName, Way>> = {
  pickup_point: { ...plain, id: deliveryIds.pickup_point, name: "pickup_point", type: "sdek", pointType: "PVZ", hasPoint: true },
  locker: { ...plain, id: deliveryIds.locker, name: "locker", type: "sdek", pointType: "POSTAMAT", hasPoint: true },
  free_pickup_point: {
    ...plain,
    id: deliveryIds.free_pickup_point,
    name: "free_pickup_point",
    type: "sdek",
    pointType: "PVZ",
    hasPoint: true,
    isFree: true,
  },
  free_locker: {
    ...plain,
    id: deliveryIds.free_locker,
    name: "free_locker",
    type: "sdek",
    pointType: "POSTAMAT",
    hasPoint: true,
    isFree: true,
  },
  courier: { ...plain, id: deliveryIds.courier, name: "courier", type: "sdek", isCourier: true },
  free_courier: { ...plain, id: deliveryIds.free_courier, name: "free_courier", type: "sdek", isCourier: true, isFree: true },
  office: { ...plain, id: deliveryIds.office, name: "office", type: "pickup" },
  special: { ...plain, id: deliveryIds.special, name: "special", type: "specialcontact" },
};

export const deliveryById = (id: number): Way | null => Object.values(ways).find((way) => way.id === id) ?? null;

/** Ids of the payment methods that a way of delivery allows; none for an unknown delivery. */
export function paymentsAllowed(deliveryId: number): readonly number[] {
  switch (deliveryById(deliveryId)?.type) {
    case "sdek":
      return [paymentIds.card, paymentIds.sbp, paymentIds.invoice];
    case "pickup":
      return Object.values(paymentIds);
    case "specialcontact":
      return [paymentIds.invoice];
    case undefined:
      return [];
  }
}

export const moscowCode = "0000073738";
export const petersburgCode = "0000103664";
const moscowCarrierCode = 44;
const petersburgCarrierCode = 137;

/** The ten digits of a city on the wire: two inherited ones, and the carrier's number after a 1 for all others. */
export function cityCodeOf(carrierCode: number): string {
  if (carrierCode === moscowCarrierCode) return moscowCode;
  if (carrierCode === petersburgCarrierCode) return petersburgCode;
  return `1${String(carrierCode).padStart(9, "0")}`;
}

export type City = { code: string; carrierCode: number; name: string; region: string; lat: number; lon: number };

/** `OFFICE` is the shop's own. */
export type PickupPoint = {
  id: string;
  type: "PVZ" | "POSTAMAT" | "OFFICE";
  name: string;
  address: string;
  lat: number;
  lon: number;
  workTime: string;
  phone: string;
  note: string;
  hasCash: boolean;
  hasCard: boolean;
  nearestMetro: string;
};

/** What is in the parcel: the coins' price (insured in full), what of it is gold, and their mass without packing. */
export type ParcelContents = { total: Kopecks; gold?: Kopecks; weightGrams: number };

/** What the packing of a parcel weighs. */
const packingGrams = 200;
/** The mass of a parcel with its packing, grams. */
export const packedGrams = (weightGrams: number): number => weightGrams + packingGrams;

/** The boxes of the packing room by what they hold, length, width and height in centimetres; a coin is small whatever it costs. */
const boxes: readonly { upToGrams: number; size: readonly [number, number, number] }[] = [
  { upToGrams: 2_000, size: [20, 15, 5] },
  { upToGrams: 6_000, size: [30, 20, 12] },
  { upToGrams: Infinity, size: [40, 30, 20] },
];
/** The box for a packed mass. */
export const boxFor = (packed: number): readonly [number, number, number] =>
  boxes.find(({ upToGrams }) => packed <= upToGrams)?.size ?? [40, 30, 20];

/** Whether a point or a locker takes a parcel of this packed mass: not too heavy, and one of its cells holds the box, turned any way. */
export function takesParcel(
  { weightMaxGrams, cells }: { weightMaxGrams: number | null; cells: readonly (readonly number[])[] | null },
  packed: number,
): boolean {
  if (weightMaxGrams !== null && packed > weightMaxGrams) return false;
  const box = boxFor(packed).toSorted((a, b) => a - b);
  return cells === null || cells.some((cell) => cell.toSorted((a, b) => a - b).every((side, index) => side >= (box[index] ?? 0)));
}

/** `price_by_manager`: nobody can name the price now, a manager will; empty when there is nothing to say. */
export type DeliveryNote = "" | "price_by_manager";

export type DeliveryOption = {
  id: number;
  name: DeliveryName;
  hasPoint: boolean;
  /** Whole roubles; null with the note `price_by_manager`. */
  price: Kopecks | null;
  /** Working days; null while the carrier cannot say. */
  minDays: number | null;
  maxDays: number | null;
  note: DeliveryNote;
};
export type OptionGroup = { name: "sdek_free" | "sdek" | "office" | "special"; type: DeliveryType; items: DeliveryOption[] };

/** What a quote takes from an option: an unnamed price counts as 0 and is agreed upon later. */
export type OptionPrice = { price: Kopecks; minDays: number | null; maxDays: number | null; note: DeliveryNote };

/** A city's name as it is compared: lower case, ё as е, one space between words. */
export const searchName = (name: string): string => name.toLowerCase().replaceAll("ё", "е").replaceAll(/\s+/g, " ").trim();

/** Kilometres between two places on the globe, near enough to say which is nearer. */
export function kilometresBetween(one: { lat: number; lon: number }, other: { lat: number; lon: number }): number {
  const radians = (degrees: number): number => (degrees * Math.PI) / 180;
  const [down, along] = [Math.sin(radians(other.lat - one.lat) / 2), Math.sin(radians(other.lon - one.lon) / 2)];
  return 12_742 * Math.asin(Math.sqrt(down ** 2 + Math.cos(radians(one.lat)) * Math.cos(radians(other.lat)) * along ** 2));
}
