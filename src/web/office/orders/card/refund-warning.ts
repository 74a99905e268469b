import type { OrderState } from "#shop/orders/order.ts";

/** The states in which an order is paid and still here. */
const beforeShipment: readonly OrderState[] = ["paid", "assembled"];

/** Whether all money goes back and the coins go out all the same: the order is not cancelled by it, and is packed and shipped. */
export const shipsUnpaid = (state: OrderState, { leftAfter, isDropped }: { leftAfter: number; isDropped: boolean }): boolean =>
  beforeShipment.includes(state) && leftAfter === 0 && !isDropped;
