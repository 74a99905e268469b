import { z } from "zod";
import { kopecks, times, type Kopecks } from "#kit/money.ts";
import type { OwnerKey } from "#shop/context.ts";
import type { ChangeAfterRecall, HistoryEntry, OrderPromo, OrderState, RefundAfterRecall, StoredLine } from "./order.ts";
import { orderHistory, orderLines, orders } from "./tables.ts";
import { addressSchema, recipientSchema, deliverySnapshotSchema, type Address, type Recipient, type DeliverySnapshot } from "./snapshot.ts";

/** An order from this module's tables; the service adds payment attempts and parcel. */
export type StoredOrder = {
  id: string;
  number: number;
  owner: OwnerKey;
  customerId: string | null;
  state: OrderState;
  lines: StoredLine[];
  deliveryId: number;
  deliveryPrice: Kopecks;
  deliverySnapshot: DeliverySnapshot;
  paymentMethodId: number;
  user: Recipient;
  address: Address | null;
  total: Kopecks;
  promo: OrderPromo | null;
  paid: Kopecks;
  refunded: Kopecks;
  paidAt: Date | null;
  priceListVersion: number;
  createdAt: Date;
  reservedUntil: Date | null;
  history: HistoryEntry[];
  refundAfterRecall: RefundAfterRecall | null;
  sealNumber: string | null;
  /** The account sees the recipient masked. */
  isRecipientHidden?: true;
  /** Grows with every change by staff and every step. */
  revision: number;
  /** Login of the member of staff to whom the order is assigned. */
  assignee: string | null;
  linkedOrderId: string | null;
  changeAfterRecall: ChangeAfterRecall | null;
};

const refundAfterRecall = z.object({
  pieces: z.array(z.object({ coinId: z.number().int(), quantity: z.number().int().positive() })),
  isDeliveryToo: z.boolean(),
  key: z.string().optional(),
  by: z.string().optional(),
  at: z.coerce.date().optional(),
}) satisfies z.ZodType<RefundAfterRecall>;

const changeAfterRecall = z.object({
  user: recipientSchema.optional(),
  address: addressSchema.optional(),
  delivery: deliverySnapshotSchema.optional(),
  by: z.string().optional(),
}) satisfies z.ZodType<ChangeAfterRecall>;

type OrderRow = typeof orders.$inferSelect;

export type LineRow = Omit<typeof orderLines.$inferSelect, "orderId" | "position">;

type HistoryRow = Pick<typeof orderHistory.$inferSelect, "event" | "state" | "at">;

/** An order of its row, lines, history and seal; JSON columns are parsed. */
export function toOrder(
  row: OrderRow,
  lineRows: readonly LineRow[],
  historyRows: readonly HistoryRow[],
  sealNumber: string | null,
): StoredOrder {
  return {
    id: row.id,
    number: row.number,
    owner: row.owner as OwnerKey,
    customerId: row.customerId,
    state: row.state as OrderState,
    lines: lineRows.map(toLine),
    deliveryId: row.deliveryId,
    deliveryPrice: kopecks(row.deliveryKopecks),
    deliverySnapshot: deliverySnapshotSchema.parse(row.delivery),
    paymentMethodId: row.paymentMethodId,
    user: recipientSchema.parse(row.user),
    address: addressSchema.nullable().parse(row.address),
    total: kopecks(row.totalKopecks),
    promo: row.promoCode === null ? null : { code: row.promoCode, discount: kopecks(row.discountKopecks) },
    paid: kopecks(row.paidKopecks),
    refunded: kopecks(row.refundedKopecks),
    paidAt: row.paidAt,
    priceListVersion: row.priceListVersion,
    createdAt: row.createdAt,
    reservedUntil: row.reservedUntil,
    refundAfterRecall: refundAfterRecall.nullable().parse(row.refundAfterRecall),
    sealNumber,
    revision: row.revision,
    assignee: row.assignee,
    linkedOrderId: row.linkedOrderId,
    changeAfterRecall: changeAfterRecall.nullable().parse(row.changeAfterRecall),
    ...(row.recipientHidden ? { isRecipientHidden: true as const } : {}),
    history: historyRows.map(({ event, state, at }) => ({ event, state, at }) as HistoryEntry),
  };
}

function toLine(row: LineRow): StoredLine {
  const price = kopecks(row.priceKopecks);
  return {
    coinId: row.coinId,
    slug: row.slug,
    title: row.title,
    quantity: row.quantity,
    price,
    sum: times(price, row.quantity),
    vatCode: row.vatCode,
    dropped: row.dropped,
    returned: row.returned,
  };
}
