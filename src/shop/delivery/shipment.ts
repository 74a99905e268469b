import { z } from "zod";
import { transitions } from "#kit/transitions.ts";

/** The life of a parcel at the carrier. A late or repeated word of his moves nothing backwards; one that he refused may be sent again. */
export const shipmentStates = transitions({
  new: { accept: "accepted", register: "registered", leave: "in_transit", arrive: "at_point", deliver: "delivered", turn_back: "not_delivered", reject: "invalid", call_off: "called_off" },
  accepted: { register: "registered", leave: "in_transit", arrive: "at_point", deliver: "delivered", turn_back: "not_delivered", reject: "invalid", call_off: "called_off" },
  registered: { leave: "in_transit", arrive: "at_point", deliver: "delivered", turn_back: "not_delivered", reject: "invalid", call_off: "called_off" },
  in_transit: { arrive: "at_point", deliver: "delivered", turn_back: "not_delivered" },
  at_point: { deliver: "delivered", turn_back: "not_delivered" },
  delivered: {},
  not_delivered: {},
  invalid: { retry: "new", call_off: "called_off" },
  called_off: {},
});
export type ShipmentState = keyof typeof shipmentStates;

/** Payload of the job `delivery.register`: everything the carrier needs, so that this module asks nobody. Amounts in kopecks, masses in grams. */
export const registerShipment = z.object({
  orderId: z.string(),
  /** The order's number for people; the carrier keeps it unique, so a second registration adds its own (`10042-2`). */
  number: z.string(),
  to: z.union([z.object({ pointId: z.string(), isLocker: z.boolean() }), z.object({ cityCode: z.string(), address: z.string() })]),
  recipient: z.object({ name: z.string(), phone: z.string(), email: z.string() }),
  lines: z.array(z.object({ title: z.string(), article: z.string(), quantity: z.number().int().positive(), unitPriceKopecks: z.number().int().positive(), weightGrams: z.number().int().nonnegative() })).min(1),
});
export type RegisterShipment = z.infer<typeof registerShipment>;

/** Payload of the job `delivery.call_off`: the order of a parcel was cancelled. */
export const callOffShipment = z.object({ orderId: z.string() });
export type CallOffShipment = z.infer<typeof callOffShipment>;

/** Payload of the announcement `delivery.moved`: the parcel left, came to its point, was handed over, or comes back. */
export type DeliveryMoved = { orderId: string; state: Extract<ShipmentState, "in_transit" | "at_point" | "delivered" | "not_delivered"> };

/** One stop of the parcel: the carrier's code and words, where and when. */
export type ParcelStep = { code: string; name: string; city: string; at: Date };

/** What the buyer may know of the parcel. */
export type Shipment = {
  orderId: string; state: ShipmentState; trackingNumber: string | null;
  /** Its way so far, oldest first. */
  steps: ParcelStep[];
  /** When the carrier last answered about it, and whether he has failed to since. */
  heardAt: Date | null; isBehind: boolean;
};

export type ShipmentError =
  | { code: "shipment.not_found" }
  | { code: "shipment.no_such_point" }
  | { code: "shipment.not_refused"; state: ShipmentState };
