import { z } from "zod";
import { transitions } from "#kit/transitions.ts";

/**
 * The life of a parcel at the carrier. A late or repeated status moves nothing backwards. A parcel that the carrier refused may be sent again,
 * one that was recalled may be packed again.
 */
export const shipmentStates = transitions({
  new: {
    accept: "accepted",
    register: "registered",
    leave: "in_transit",
    arrive: "at_point",
    deliver: "delivered",
    turn_back: "not_delivered",
    reject: "invalid",
    call_off: "called_off",
  },
  accepted: {
    register: "registered",
    leave: "in_transit",
    arrive: "at_point",
    deliver: "delivered",
    turn_back: "not_delivered",
    reject: "invalid",
    call_off: "called_off",
  },
  registered: {
    leave: "in_transit",
    arrive: "at_point",
    deliver: "delivered",
    turn_back: "not_delivered",
    reject: "invalid",
    call_off: "called_off",
  },
  in_transit: { arrive: "at_point", deliver: "delivered", turn_back: "not_delivered" },
  at_point: { deliver: "delivered", turn_back: "not_delivered" },
  delivered: {},
  not_delivered: {},
  invalid: { retry: "new", call_off: "called_off" },
  called_off: { pack: "new" },
});
export type ShipmentState = keyof typeof shipmentStates;

/** How the recall of a parcel stands: to be sent, sent and not decided, or what the carrier decided. */
export const recallStates = ["asked", "sent", "struck_out", "turned_back", "refused"] as const;
export type RecallState = (typeof recallStates)[number];

/** Payload of the job `delivery.register`: everything the carrier needs, so that this module asks nobody. Amounts in kopecks, masses in grams. */
export const registerShipment = z.object({
  orderId: z.string(),
  /** The order's number for people; the carrier keeps it unique, so a second registration adds its own (`10042-2`). */
  number: z.string(),
  to: z.union([z.object({ pointId: z.string(), isLocker: z.boolean() }), z.object({ cityCode: z.string(), address: z.string() })]),
  recipient: z.object({ name: z.string(), phone: z.string(), email: z.string() }),
  lines: z
    .array(
      z.object({
        title: z.string(),
        article: z.string(),
        quantity: z.number().int().positive(),
        unitPriceKopecks: z.number().int().positive(),
        weightGrams: z.number().int().nonnegative(),
      }),
    )
    .min(1),
});
export type RegisterShipment = z.infer<typeof registerShipment>;

/** The number under which a carrier knows the parcel: each registration after the first adds its own. */
export const carrierNumber = (number: string, registration: number): string => (registration === 1 ? number : `${number}-${registration}`);

/** Payload of the job `delivery.call_off`, which releases before 2026-11-22 enqueue: the order of a parcel was cancelled. */
export const callOffShipment = z.object({ orderId: z.string() });

/** Payload of the announcement `delivery.moved`: the parcel left, came to its point, was handed over, or comes back. */
export type DeliveryMoved = { orderId: string; state: Extract<ShipmentState, "in_transit" | "at_point" | "delivered" | "not_delivered"> };

/** Payload of the announcement `delivery.recalled`: the carrier has decided about a recall; how stands with the parcel. */
export type DeliveryRecalled = { orderId: string };

/** One stop of the parcel: the carrier's code and words, where and when. */
export type ParcelStep = { code: string; name: string; city: string; at: Date };

/** What the buyer may know of the parcel. */
export type Shipment = {
  orderId: string;
  state: ShipmentState;
  trackingNumber: string | null;
  recall: RecallState | null;
  /** Its way so far, oldest first. */
  steps: ParcelStep[];
  /** When the carrier last answered about it, and whether he has failed to since. */
  heardAt: Date | null;
  isBehind: boolean;
};

export type ShipmentError =
  | { code: "shipment.not_found" }
  | { code: "shipment.no_such_point" }
  | { code: "shipment.not_refused"; state: ShipmentState };
