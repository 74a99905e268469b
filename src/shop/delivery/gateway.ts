import type { Kopecks } from "#kit/money.ts";

export type CarrierCity = { carrierCode: number; name: string; region: string; lat: number; lon: number };
export type CarrierPoint = {
  id: string;
  carrierCityCode: number;
  type: "PVZ" | "POSTAMAT";
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
  weightMaxGrams: number | null;
  /** The cells of a locker, centimetres; null where anything goes. */
  cells: Size[] | null;
};
/** Length, width and height in centimetres, in any order. */
export type Size = [number, number, number];
/** A point together with the town it stands in, for towns that the shop has not met yet. */
export type CountryPoint = CarrierPoint & { cityName: string; region: string };
export type CarrierPrice = { price: Kopecks; minDays: number; maxDays: number };
export type Parcel = { weightGrams: number; declaredValue: Kopecks };

export type ShipmentRequest = {
  number: string;
  to: { pointId: string; isLocker: boolean } | { carrierCityCode: number; address: string };
  recipient: { name: string; phone: string; email: string };
  lines: { title: string; article: string; quantity: number; unitPrice: Kopecks; weightGrams: number }[];
};
/** Where a parcel was and when, in the carrier's own code and words. */
export type CarrierStep = { code: string; name: string; city: string; at: Date };
/** Registration is asynchronous: `accepted` is not yet `registered`. Unknown carrier codes are `in_transit`. */
export type CarrierShipment = {
  carrierId: string;
  state: "accepted" | "registered" | "invalid" | "in_transit" | "at_point" | "delivered" | "not_delivered";
  trackingNumber: string | null;
  rawCode: string;
  reason: string | null;
  /** The way so far without what the carrier took back, oldest first. */
  steps: CarrierStep[];
};
/**
 * What came of recalling a parcel. `struck_out`: it never left and never will; `turned_back`: it was on its way and comes back;
 * `refused`: it goes on as if nothing had been asked; `pending`: not decided, ask again. `reason` is the carrier's own code.
 */
export type CarrierRecall = { outcome: "struck_out" | "turned_back" | "refused" | "pending"; reason: string | null };
/** What a webhook claims: a hint to ask about this parcel. `isTakenBack`: an earlier word is withdrawn. */
export type CarrierNews = { carrierId: string; code: string; statusAt: Date; isTakenBack: boolean };

/** The courier company, in the shop's words. Every method throws when it cannot be asked. */
export type DeliveryGateway = {
  findCities(query: string): Promise<CarrierCity[]>;
  /** All open points and lockers of a city. */
  points(carrierCityCode: number): Promise<CarrierPoint[]>;
  /** All open points and lockers of the country, page by page; throws in the middle when a page cannot be had. */
  countryPoints(): AsyncIterable<CountryPoint[]>;
  courierPrice(toCarrierCityCode: number, parcel: Parcel): Promise<CarrierPrice>;
  pointPrice(toCarrierCityCode: number, parcel: Parcel): Promise<CarrierPrice>;
  /** Safe to repeat with the same number: a shipment that the carrier already has comes back. */
  register(ask: ShipmentRequest): Promise<CarrierShipment>;
  track(carrierId: string): Promise<CarrierShipment>;
  /** A parcel of that number, if the carrier has one that he did not refuse. */
  find(number: string): Promise<CarrierShipment | null>;
  /** Recalls a parcel, or asks how an earlier recall stands. Without `mayTurnBack` a parcel on its way is left alone and `refused`. Safe to repeat. */
  recall(carrierId: string, how: { mayTurnBack: boolean }): Promise<CarrierRecall>;
  /** Asks for webhooks about parcels at this address; may be repeated. */
  subscribe(url: string): Promise<void>;
  /** A webhook's body, or null when it is none about a parcel. */
  readNotification(raw: string): CarrierNews | null;
};
