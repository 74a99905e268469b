import { and, asc, eq, inArray, isNull, notInArray, sql } from "drizzle-orm";
import type { Db, Tx } from "#kit/db.ts";
import { kopecks } from "#kit/money.ts";
import type { OrderState, StoredLine } from "../order.ts";
import { deliverySnapshotSchema, recipientSchema, type DeliverySnapshot, type Recipient } from "../snapshot.ts";
import { orderLines, orders, orderSeals } from "../tables.ts";

export type PackingRow = {
  id: string;
  number: number;
  state: OrderState;
  createdAt: Date;
  user: Recipient;
  deliveryId: number;
  delivery: DeliverySnapshot;
  sealNumber: string | null;
  lines: StoredLine[];
};

type LineRow = Omit<StoredLine, "price" | "sum"> & { priceKopecks: number };
const lines = sql<LineRow[]>`(select coalesce(json_agg(json_build_object(
  'coinId', coin_id, 'slug', slug, 'title', title, 'quantity', quantity, 'priceKopecks', price_kopecks, 'vatCode', vat_code,
  'dropped', dropped, 'returned', returned) order by position), '[]') from ${orderLines} where order_id = ${orders}.id)`;
const sealNumber = sql<string | null>`(select number from ${orderSeals} where order_id = ${orders}.id and removed_at is null)`;

const select = (db: Db) =>
  db
    .select({
      id: orders.id,
      number: orders.number,
      state: orders.state,
      createdAt: orders.createdAt,
      user: orders.user,
      deliveryId: orders.deliveryId,
      delivery: orders.delivery,
      sealNumber,
      lines,
    })
    .from(orders);

const toRow = (row: Awaited<ReturnType<typeof select>>[number]): PackingRow => ({
  ...row,
  state: row.state as OrderState,
  user: recipientSchema.parse(row.user),
  delivery: deliverySnapshotSchema.parse(row.delivery),
  lines: row.lines.map(({ priceKopecks, ...line }) => ({
    ...line,
    price: kopecks(priceKopecks),
    sum: kopecks(priceKopecks * line.quantity),
  })),
});

/** Orders in these states, oldest first, without those of `except`. */
export async function oldest(db: Db, states: readonly OrderState[], except: readonly string[], limit: number): Promise<PackingRow[]> {
  const rows = await select(db)
    .where(
      and(
        inArray(orders.state, [...states]),
        // The parcel of such an order is being recalled, to be packed again.
        isNull(orders.refundAfterRecall),
        isNull(orders.changeAfterRecall),
        except.length > 0 ? notInArray(orders.id, [...except]) : undefined,
      ),
    )
    .orderBy(asc(orders.createdAt), asc(orders.id))
    .limit(limit);
  return rows.map(toRow);
}

/** Locks the order's row; it is read by a later statement, which sees what this one waited for. */
export async function lock(tx: Tx, id: string): Promise<void> {
  await tx.select({ id: orders.id }).from(orders).where(eq(orders.id, id)).for("update");
}

export async function byIds(db: Db, ids: readonly string[]): Promise<PackingRow[]> {
  if (ids.length === 0) return [];
  const rows = await select(db).where(inArray(orders.id, [...ids]));
  return rows.map(toRow);
}
