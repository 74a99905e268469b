import type { Kopecks } from "#kit/money.ts";
import type { PickupPoint } from "./delivery.ts";

export type CarrierCity = { carrierCode: number; name: string; region: string; lat: number; lon: number };
export type CarrierPoint = Omit<PickupPoint, "type"> & {
  type: Exclude<PickupPoint["type"], "OFFICE">;
  carrierCityCode: number;
  weightMaxGrams: number | null;
  /** The cells of a locker, centimetres; null when the size is not limited. */
  cells: Size[] | null;
};
/** Length, width and height in centimetres, in any order. */
export type Size = [number, number, number];
/** A point together with its city, which may be new to the shop. */
export type CountryPoint = CarrierPoint & { cityName: string; region: string };
export type CarrierPrice = { price: Kopecks; minDays: number; maxDays: number };
export type Parcel = { weightGrams: number; declaredValue: Kopecks };

export type ShipmentRequest = {
  number: string;
  /** `comment` is for the courier; empty: none. */
  to: { pointId: string; isLocker: boolean } | { carrierCityCode: number; address: string; comment: string };
  recipient: { name: string; phone: string; email: string };
  lines: { title: string; article: string; quantity: number; unitPrice: Kopecks; weightGrams: number }[];
};
/** One tracking event of a parcel: the carrier's code and text, the city and the time. */
export type CarrierEvent = { code: string; name: string; city: string; at: Date };
/** Registration is asynchronous: `accepted` is not yet `registered`. Unknown carrier codes are `in_transit`. */
export type CarrierShipment = {
  carrierId: string;
  state: "accepted" | "registered" | "invalid" | "in_transit" | "at_point" | "delivered" | "not_delivered";
  trackingNumber: string | null;
  rawCode: string;
  reason: string | null;
  /** Tracking events so far, oldest first, without those that the carrier withdrew. */
  steps: CarrierEvent[];
};
/**
 * Outcome of a recall. `struck_out`: the parcel was deleted before it left; `turned_back`: it was on its way and is returned;
 * `refused`: the delivery continues; `pending`: not decided yet, request it again. `reason` is the carrier's own code.
 */
export type CarrierRecall = { outcome: "struck_out" | "turned_back" | "refused" | "pending"; reason: string | null };
/** Content of a webhook: only a hint to fetch the state of this parcel. `isTakenBack`: the carrier withdraws an earlier status. */
export type CarrierWebhook = { carrierId: string; code: string; statusAt: Date; isTakenBack: boolean };
/** The result of a request for labels. `refused`: the carrier's own code, when one of the parcels has no label. */
export type CarrierLabelTask = { taskId: string } | { refused: string };
/** A print task of the carrier. `gone`: the carrier no longer has the file, so it must be requested again. */
export type CarrierLabels =
  | { state: "pending" }
  | { state: "ready"; pdf: Buffer }
  | { state: "gone" }
  | { state: "refused"; reason: string };
/** The largest number of parcels whose labels the carrier prints in one task. */
export const maxLabelsPerTask = 100;

/** The carrier refused a registration finally, and has no parcel; the message is the carrier's own code. */
export class ShipmentRefused extends Error {}

/** The carrier. Every method throws when the carrier is unavailable. */
export type DeliveryGateway = {
  findCities(query: string): Promise<CarrierCity[]>;
  /** All open points and lockers of a city. */
  points(carrierCityCode: number): Promise<CarrierPoint[]>;
  /** All open points and lockers of the country, page by page; throws when a page fails to load. */
  countryPoints(): AsyncIterable<CountryPoint[]>;
  courierPrice(toCarrierCityCode: number, parcel: Parcel): Promise<CarrierPrice>;
  pointPrice(toCarrierCityCode: number, parcel: Parcel): Promise<CarrierPrice>;
  /**
   * Registers a shipment. Idempotent by `number`: a shipment that the carrier already has is returned. Throws `ShipmentRefused` for data
   * that the carrier will never take; a registration that it accepts may still turn `invalid`.
   */
  register(request: ShipmentRequest): Promise<CarrierShipment>;
  track(carrierId: string): Promise<CarrierShipment>;
  /** The shipment with that number; null if the carrier has none, or only one that it refused. */
  find(number: string): Promise<CarrierShipment | null>;
  /** Recalls a parcel or fetches the outcome of an earlier recall. Without `mayTurnBack` a parcel on its way is `refused`. Idempotent. */
  recall(carrierId: string, how: { mayTurnBack: boolean }): Promise<CarrierRecall>;
  /** Requests the labels of registered parcels in one PDF, in this order; at most `maxLabelsPerTask`. Each call makes a task of its own. */
  requestLabels(carrierIds: readonly string[]): Promise<CarrierLabelTask>;
  /** The state of a print task; the file itself once it is ready. */
  fetchLabels(taskId: string): Promise<CarrierLabels>;
  /** Subscribes this URL to webhooks about parcels. Idempotent. */
  subscribe(url: string): Promise<void>;
  /** Parses a webhook body; null when it is not about a parcel. */
  readNotification(raw: string): CarrierWebhook | null;
};
