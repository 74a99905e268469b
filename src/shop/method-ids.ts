/** Numbers of the delivery and payment methods in the API, in stored orders and in the specification. No other file contains them. */
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

/**
 * `card`: the payment provider's page; `sbp`: the fast payment system; `invoice`: a bank transfer; `on_collection`: payment at the office.
 */
export const paymentIds = { card: 4, sbp: 5, invoice: 6, on_collection: 7 } as const;
