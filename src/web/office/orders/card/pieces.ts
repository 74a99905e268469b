import type { OrderCardView } from "#contract/staff/orders/orders.ts";

type Line = Pick<OrderCardView["lines"][number], "count" | "dropped" | "returned">;

/** Pieces of a line that the buyer still has, or is to get. */
export const piecesLeft = ({ count, dropped, returned }: Line): number => count - dropped - returned;

/** Pieces of a line whose money may still be with the shop: also those that came back, because their money is refunded separately. */
export const piecesToRefund = ({ count, dropped }: Line): number => count - dropped;
