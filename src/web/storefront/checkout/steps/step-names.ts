import { deliveryById } from "#shop/delivery/delivery.ts";

/** The steps in their order, by the last part of their address. */
export const stepNames = ["contacts", "city", "delivery", "point", "payment", "confirm"] as const;
export type StepName = (typeof stepNames)[number];

export const stepPath = (step: StepName): string => `/checkout/steps/${step}`;

/** For couriers the address is required, for special contact it is optional. */
export function hasAddress(deliveryId: number | undefined): boolean {
  const way = deliveryById(deliveryId ?? 0);
  return way !== null && (way.isCourier || way.type === "special");
}

/** Whether the way of delivery needs neither point nor address: the shop's own office. */
export const isWithoutPoint = (deliveryId: number | undefined): boolean =>
  deliveryById(deliveryId ?? 0)?.hasPoint === false && !hasAddress(deliveryId);
