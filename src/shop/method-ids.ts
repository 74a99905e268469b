/** Ways of delivery and of payment by their numbers in the API, in stored orders and in the specification. The numbers stand nowhere else. */
export const deliveryIds = {
  pickup_point: 79,
  locker: 80,
  free_pickup_point: 76,
  free_locker: 77,
  courier: 45,
  free_courier: 75,
  office: 35,
  special: 43,
} as const;

/** `card` is the payment provider's own page, `sbp` the fast payment system, `invoice` a bank transfer, `on_collection` money at the office. */
export const paymentIds = { card: 4, sbp: 5, invoice: 6, on_collection: 7 } as const;
