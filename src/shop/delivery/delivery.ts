import type { Kopecks } from "#kit/money.ts";
import { deliveryIds, paymentIds } from "#shop/method-ids.ts";

export type DeliveryName = keyof typeof deliveryIds;
/** Who brings the coins: the parcel carrier, the buyer from the office, or armed transport. */
export type DeliveryType = "carrier" | "office" | "special";

/** A delivery method. `isFree` marks the free variant, which is offered instead of the paid one. */
export type DeliveryMethod = {
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

export const deliveryMethods: Readonly<Record<DeliveryName, DeliveryMethod>> = {
  pickup_point: { ...plain, id: deliveryIds.pickup_point, name: "pickup_point", type: "carrier", pointType: "PVZ", hasPoint: true },
  locker: { ...plain, id: deliveryIds.locker, name: "locker", type: "carrier", pointType: "POSTAMAT", hasPoint: true },
  free_pickup_point: {
    ...plain,
    id: deliveryIds.free_pickup_point,
    name: "free_pickup_point",
    type: "carrier",
    pointType: "PVZ",
    hasPoint: true,
    isFree: true,
  },
  free_locker: {
    ...plain,
    id: deliveryIds.free_locker,
    name: "free_locker",
    type: "carrier",
    pointType: "POSTAMAT",
    hasPoint: true,
    isFree: true,
  },
  courier: { ...plain, id: deliveryIds.courier, name: "courier", type: "carrier", isCourier: true },
  free_courier: { ...plain, id: deliveryIds.free_courier, name: "free_courier", type: "carrier", isCourier: true, isFree: true },
  office: { ...plain, id: deliveryIds.office, name: "office", type: "office" },
  special: { ...plain, id: deliveryIds.special, name: "special", type: "special" },
};

/** A delivery method by its id in the HTTP contract; null: there is none. */
export const deliveryById = (id: number): DeliveryMethod | null =>
  Object.values(deliveryMethods).find((method) => method.id === id) ?? null;

/** Ids of the payment methods that a delivery method allows; none for an unknown delivery. */
export function paymentsAllowed(deliveryId: number): readonly number[] {
  switch (deliveryById(deliveryId)?.type) {
    case "carrier":
      return [paymentIds.card, paymentIds.sbp, paymentIds.invoice];
    case "office":
      return Object.values(paymentIds);
    case "special":
      return [paymentIds.invoice];
    case undefined:
      return [];
  }
}

export const moscowCode = "0000073738";
export const petersburgCode = "0000103664";
const moscowCarrierCode = 44;
const petersburgCarrierCode = 137;

/** The ten-digit city code of the contract: two inherited codes, and 1 followed by the carrier's number for all other cities. */
export function cityCodeOf(carrierCode: number): string {
  if (carrierCode === moscowCarrierCode) return moscowCode;
  if (carrierCode === petersburgCarrierCode) return petersburgCode;
  return `1${String(carrierCode).padStart(9, "0")}`;
}

export type City = { code: string; carrierCode: number; name: string; region: string; lat: number; lon: number };

/** A city with its region: «Казань, Республика Татарстан», but «Москва», which is its own region. */
export const cityFullName = ({ name, region }: Pick<City, "name" | "region">): string =>
  region === "" || region === name ? name : `${name}, ${region}`;

/** `OFFICE` is the shop's own office. */
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

/** Contents of a parcel: the price of the coins (insured in full), the part of it that is gold, and their mass without packing. */
export type ParcelContents = { total: Kopecks; gold?: Kopecks; weightGrams: number };

/** Mass of the packing of a parcel. */
const packingGrams = 200;
/** The mass of a parcel with its packing, grams. */
export const packedGrams = (weightGrams: number): number => weightGrams + packingGrams;

/** The available boxes by the mass they hold; length, width and height in centimetres. */
const boxes: readonly { upToGrams: number; size: readonly [number, number, number] }[] = [
  { upToGrams: 2_000, size: [20, 15, 5] },
  { upToGrams: 6_000, size: [30, 20, 12] },
  { upToGrams: Infinity, size: [40, 30, 20] },
];
/** The box for a packed mass. */
export const boxFor = (packed: number): readonly [number, number, number] =>
  boxes.find(({ upToGrams }) => packed <= upToGrams)?.size ?? [40, 30, 20];

/**
 * Whether a point or a locker accepts a parcel of this packed mass: the weight limit holds, and the box fits one of its cells in any turn.
 */
export function acceptsParcel(
  { weightMaxGrams, cells }: { weightMaxGrams: number | null; cells: readonly (readonly number[])[] | null },
  packed: number,
): boolean {
  if (weightMaxGrams !== null && packed > weightMaxGrams) return false;
  const box = boxFor(packed).toSorted((a, b) => a - b);
  return cells === null || cells.some((cell) => cell.toSorted((a, b) => a - b).every((side, index) => side >= (box[index] ?? 0)));
}

/** `price_by_manager`: the price is unknown now and a manager will set it; empty: no note. */
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
export type OptionGroup = { name: "free_carrier" | "carrier" | "office" | "special"; type: DeliveryType; items: DeliveryOption[] };

/** The part of an option that a quote stores; an unknown price counts as 0 and is agreed upon later. */
export type OptionPrice = { price: Kopecks; minDays: number | null; maxDays: number | null; note: DeliveryNote };

/** A city name normalised for comparison: lower case, ё as е, one space between words. */
export const searchName = (name: string): string => name.toLowerCase().replaceAll("ё", "е").replaceAll(/\s+/g, " ").trim();

/** Distance in kilometres between two places (haversine formula). */
export function kilometresBetween(one: { lat: number; lon: number }, other: { lat: number; lon: number }): number {
  const radians = (degrees: number): number => (degrees * Math.PI) / 180;
  const [down, along] = [Math.sin(radians(other.lat - one.lat) / 2), Math.sin(radians(other.lon - one.lon) / 2)];
  return 12_742 * Math.asin(Math.sqrt(down ** 2 + Math.cos(radians(one.lat)) * Math.cos(radians(other.lat)) * along ** 2));
}
