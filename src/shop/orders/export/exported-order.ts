import type { Kopecks } from "#kit/money.ts";
import type { OrderState, StoredLine } from "../order.ts";
import type { Address, DeliverySnapshot, Recipient } from "../snapshot.ts";

/** An order as tables and the accounting system get it. */
export type ExportedOrder = {
  id: string;
  number: number;
  customerId: string | null;
  state: OrderState;
  createdAt: Date;
  paidAt: Date | null;
  deliveryId: number;
  deliveryPrice: Kopecks;
  delivery: DeliverySnapshot;
  paymentMethodId: number;
  user: Recipient;
  address: Address | null;
  total: Kopecks;
  paid: Kopecks;
  refunded: Kopecks;
  /** Grows with every change by staff and every step. */
  revision: number;
  lines: StoredLine[];
};

/** `from` is included, `till` is not. An empty list of states or methods: all. */
export type ExportFilter = {
  from: Date;
  till: Date;
  states: readonly OrderState[];
  deliveries: readonly number[];
  payments: readonly number[];
};
