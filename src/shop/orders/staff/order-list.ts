import type { Kopecks } from "#kit/money.ts";
import type { OrderState, waitingReasons } from "../order.ts";

/** The views that every member of staff has; further ones are saved filters. */
export const listViews = ["all", "to_pack", "unpaid", "problem", "today", "mine"] as const;
export type ListView = (typeof listViews)[number];

/** Orders per page at most. */
export const pageSize = 50;

export type ListFilter = {
  view: ListView;
  states?: readonly OrderState[];
  deliveryIds?: readonly number[];
  paymentMethodIds?: readonly number[];
  /** Totals from and to, both included. */
  sumFrom?: Kopecks;
  sumTo?: Kopecks;
  /** Made at or after the first moment and before the second. */
  from?: Date;
  before?: Date;
  /** Login; null: orders without an assignee. */
  assignee?: string | null;
  /** Number, part of the phone, name, tracking number. */
  text?: string;
  /** Only orders with this problem. */
  problem?: ListProblem;
};

/**
 * The place of an order in the list: a page begins after it, in the direction of older or of newer orders. `at` is when the order was
 * made. The view of unpaid orders is sorted by the end of the reservation, so there `at` is that end.
 */
export type ListCursor = { at: Date; id: string };
export type OrderListPage = { direction: "older" | "newer"; cursor: ListCursor | null };

/** Why an order itself needs a person: a reason of `waiting`, or a parcel that the carrier refused. */
export type OrderProblem = (typeof waitingReasons)[number] | "parcel_refused";
/** What a row of the list names: such a reason, or a message that did not reach the buyer of an order in any state. */
export type ListProblem = OrderProblem | "message_failed";

export type ListRow = {
  id: string;
  number: number;
  createdAt: Date;
  state: OrderState;
  buyer: { name: string; lastName: string; phone: string };
  /** Titles of the first coins, and how many coins and pieces there are. */
  titles: string[];
  coins: number;
  pieces: number;
  total: Kopecks;
  paid: Kopecks;
  refunded: Kopecks;
  deliveryId: number;
  cityName: string;
  paymentMethodId: number;
  /** When the reservation of an unpaid order ends. */
  reservedUntil: Date | null;
  /** When the parcel should be with the buyer at the latest. */
  promisedBy: Date | null;
  assignee: string | null;
  problem: ListProblem | null;
  trackingNumber: string | null;
  revision: number;
};
/** `older` and `newer` are where the neighbouring pages begin; null: there is none. */
export type ListResult = { rows: ListRow[]; older: ListCursor | null; newer: ListCursor | null };

/** The position of an order in a view. */
export const placeOf = (
  view: ListView,
  { id, createdAt, reservedUntil }: Pick<ListRow, "id" | "createdAt" | "reservedUntil">,
): ListCursor => ({
  at: view === "unpaid" ? (reservedUntil ?? createdAt) : createdAt,
  id,
});

/** A saved view of one member of staff. The filter is the list's query; `columns` are the shown columns in order. */
export type SavedView = { id: number; name: string; filter: Readonly<Record<string, string>>; columns: readonly string[] };
export const maxSavedViews = 30;
