import { deliveryIds, paymentIds } from "#shop/method-ids.ts";

/** Choices of a filter of orders by method; a value is one id or several with commas. */
export const paymentOptions: readonly (readonly [string, string])[] = [
  ["", "любая"],
  [`${paymentIds.card}`, "карта"],
  [`${paymentIds.sbp}`, "СБП"],
  [`${paymentIds.invoice}`, "счёт"],
  [`${paymentIds.on_collection}`, "при получении"],
];
export const deliveryOptions: readonly (readonly [string, string])[] = [
  ["", "любая"],
  [`${deliveryIds.pickup_point},${deliveryIds.free_pickup_point}`, "пункт"],
  [`${deliveryIds.locker},${deliveryIds.free_locker}`, "постамат"],
  [`${deliveryIds.courier},${deliveryIds.free_courier}`, "курьер"],
  [`${deliveryIds.office}`, "офис"],
  [`${deliveryIds.special}`, "спецсвязь"],
];
