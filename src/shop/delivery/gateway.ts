import type { Kopecks } from "#kit/money.ts";

export type CarrierCity = { carrierCode: number; name: string; region: string; lat: number; lon: number };
export type CarrierPoint = {
  id: string; carrierCityCode: number; type: "PVZ" | "POSTAMAT"; name: string; address: string; lat: number; lon: number;
  workTime: string; phone: string; note: string; hasCash: boolean; hasCard: boolean; nearestMetro: string; weightMaxGrams: number | null;
};
export type CarrierPrice = { price: Kopecks; minDays: number; maxDays: number };
export type Parcel = { weightGrams: number; declaredValue: Kopecks };

export type ShipmentRequest = {
  number: string; to: { pointId: string; isLocker: boolean } | { carrierCityCode: number; address: string };
  recipient: { name: string; phone: string; email: string };
  lines: { title: string; article: string; quantity: number; unitPrice: Kopecks; weightGrams: number }[];
};
/** Registration is asynchronous: `accepted` is not yet `registered`. Unknown carrier codes are `in_transit`. */
export type CarrierShipment = {
  carrierId: string; state: "accepted" | "registered" | "invalid" | "in_transit" | "at_point" | "delivered" | "not_delivered";
  trackingNumber: string | null; rawCode: string; reason: string | null;
};

/** The courier company, in the shop's words. Every method throws when it cannot be asked. */
export type DeliveryGateway = {
  findCities(query: string): Promise<CarrierCity[]>;
  /** All open points and lockers of a city. */
  points(carrierCityCode: number): Promise<CarrierPoint[]>;
  courierPrice(toCarrierCityCode: number, parcel: Parcel): Promise<CarrierPrice>;
  pointPrice(toCarrierCityCode: number, parcel: Parcel): Promise<CarrierPrice>;
  /** Safe to repeat with the same number: a shipment that the carrier already has comes back. */
  register(ask: ShipmentRequest): Promise<CarrierShipment>;
  track(carrierId: string): Promise<CarrierShipment>;
};
