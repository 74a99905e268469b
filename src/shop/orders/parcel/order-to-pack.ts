import type { Kopecks } from "#kit/money.ts";
import type { DeliveryType } from "#shop/delivery/delivery.ts";
import type { Shipment } from "#shop/delivery/shipment.ts";
import type { OrderState } from "../order.ts";

/** An order as the packing table needs it: no sums but the declared value, no phone. */
export type OrderToPack = {
  id: string;
  number: number;
  state: OrderState;
  createdAt: Date;
  /** Full name of the recipient. */
  recipient: string;
  deliveryType: DeliveryType;
  deliveryName: string;
  city: string;
  /** Null: to an address, or no delivery. */
  point: { name: string; address: string } | null;
  sealNumber: string | null;
  needsSeal: boolean;
  lines: { coinId: number; slug: string; title: string; quantity: number }[];
  /** Coins of which every piece was dropped: what was taken from the shelf for them goes back. */
  dropped: { coinId: number; slug: string; title: string }[];
  declaredValue: Kopecks | null;
  parcel: Shipment | null;
};

/** States in which an order waits to be packed: paid, or to be paid on collection. */
export const packableStates = ["paid", "placed"] as const satisfies readonly OrderState[];
/** Whether an order in this state waits to be packed. */
export const isPackable = (state: OrderState): boolean => (packableStates as readonly OrderState[]).includes(state);
