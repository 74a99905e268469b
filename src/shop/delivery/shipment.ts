import { z } from "zod";
import { transitions } from "#kit/transitions.ts";

/**
 * States of a parcel at the carrier. A late or repeated status moves nothing backwards. A parcel that the carrier refused may be sent
 * again; one that was recalled may be packed again.
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

/** State of a recall: to be sent (`asked`), sent and not decided (`sent`), or the carrier's decision. */
export const recallStates = ["asked", "sent", "struck_out", "turned_back", "refused"] as const;
export type RecallState = (typeof recallStates)[number];

/** Payload of the job `delivery.register`: everything the carrier needs. Amounts in kopecks, masses in grams. */
export const registerShipment = z.object({
  orderId: z.string(),
  /** The order number shown to people. It must be unique at the carrier, so a second registration adds a suffix (`10042-2`). */
  number: z.string(),
  to: z.union([
    z.object({ pointId: z.string(), isLocker: z.boolean() }),
    // Parcels stored before 2026-11-29 have no comment for the courier.
    z.object({ cityCode: z.string(), address: z.string(), comment: z.string().default("") }),
  ]),
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

/** The parcel's number at the carrier: registrations after the first add a suffix. */
export const carrierNumber = (number: string, registration: number): string => (registration === 1 ? number : `${number}-${registration}`);

/** Payload of the job `delivery.call_off`, which releases before 2026-11-22 enqueue: the order of a parcel was cancelled. */
export const callOffShipment = z.object({ orderId: z.string() });

/** Payload of the job `delivery.moved`: the parcel left, arrived at its point, was handed over, or is returned. */
export type DeliveryMoved = { orderId: string; state: Extract<ShipmentState, "in_transit" | "at_point" | "delivered" | "not_delivered"> };

/** Payload of the job `delivery.recalled`: a recall was decided; the outcome is stored with the parcel. */
export type DeliveryRecalled = { orderId: string };

/** One tracking event: the carrier's code and text, the city and the time. */
export type ParcelEvent = { code: string; name: string; city: string; at: Date };

/** The parcel as its buyer sees it. */
export type Shipment = {
  orderId: string;
  state: ShipmentState;
  /** Of a refused parcel: the carrier's codes that say why. */
  refusal: string | null;
  trackingNumber: string | null;
  recall: RecallState | null;
  /** Tracking events so far, oldest first. */
  steps: ParcelEvent[];
  /** `heardAt`: when the carrier last answered about the parcel; `isBehind`: a later request failed. */
  heardAt: Date | null;
  isBehind: boolean;
};

/** Whether the carrier refused the parcel: it is handed over only after it was sent again. */
export const isRefusedByCarrier = (parcel: Pick<Shipment, "state"> | null | undefined): boolean => parcel?.state === "invalid";

export type ShipmentError =
  | { code: "shipment.not_found" }
  | { code: "shipment.no_such_point" }
  | { code: "shipment.not_refused"; state: ShipmentState };
