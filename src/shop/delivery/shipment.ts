import { z } from "zod";
import { transitions } from "#kit/transitions.ts";

/** The life of a parcel at the carrier. A late or repeated word of his moves nothing backwards. */
export const shipmentStates = transitions({
  new: { accept: "accepted", register: "registered", leave: "in_transit", arrive: "at_point", deliver: "delivered", turn_back: "not_delivered", reject: "invalid" },
  accepted: { register: "registered", leave: "in_transit", arrive: "at_point", deliver: "delivered", turn_back: "not_delivered", reject: "invalid" },
  registered: { leave: "in_transit", arrive: "at_point", deliver: "delivered", turn_back: "not_delivered", reject: "invalid" },
  in_transit: { arrive: "at_point", deliver: "delivered", turn_back: "not_delivered" },
  at_point: { deliver: "delivered", turn_back: "not_delivered" },
  delivered: {},
  not_delivered: {},
  invalid: {},
});
export type ShipmentState = keyof typeof shipmentStates;

/** Payload of the job `delivery.register`: everything the carrier needs, so that this module asks nobody. Amounts in kopecks, masses in grams. */
export const registerShipment = z.object({
  orderId: z.string(),
  /** The order's number for people; the carrier keeps it unique. */
  number: z.string(),
  to: z.union([z.object({ pointId: z.string(), isLocker: z.boolean() }), z.object({ cityCode: z.string(), address: z.string() })]),
  recipient: z.object({ name: z.string(), phone: z.string(), email: z.string() }),
  lines: z.array(z.object({ title: z.string(), article: z.string(), quantity: z.number().int().positive(), unitPriceKopecks: z.number().int().positive(), weightGrams: z.number().int().nonnegative() })).min(1),
});
export type RegisterShipment = z.infer<typeof registerShipment>;

/** Payload of the announcement `delivery.moved`: the parcel left, came to its point, was handed over, or comes back. */
export type DeliveryMoved = { orderId: string; state: Extract<ShipmentState, "in_transit" | "at_point" | "delivered" | "not_delivered"> };

/** What the buyer may know of the parcel. */
export type Shipment = { orderId: string; state: ShipmentState; trackingNumber: string | null };
