import { and, asc, count, gte, inArray, lt, or, sql, type SQL } from "drizzle-orm";
import type { Db, IdQuery } from "#kit/db.ts";
import { kopecks } from "#kit/money.ts";
import type { OrderState, StoredLine } from "../order.ts";
import { addressSchema, deliverySnapshotSchema, recipientSchema } from "../snapshot.ts";
import { orderLines, orders } from "../tables.ts";
import type { ExportedOrder, ExportFilter } from "./exported-order.ts";

type LineRow = Omit<StoredLine, "price" | "sum"> & { priceKopecks: number };
const lines = sql<LineRow[]>`(select coalesce(json_agg(json_build_object(
  'coinId', coin_id, 'slug', slug, 'title', title, 'quantity', quantity, 'priceKopecks', price_kopecks, 'vatCode', vat_code,
  'dropped', dropped, 'returned', returned) order by position), '[]') from ${orderLines} where order_id = ${orders}.id)`;

async function select(db: Db, where: SQL | undefined, limit: number): Promise<ExportedOrder[]> {
  const rows = await db
    .select({ order: orders, lines })
    .from(orders)
    .where(where)
    .orderBy(asc(orders.createdAt), asc(orders.id))
    .limit(limit);
  return rows.map(({ order, lines: found }) => ({
    id: order.id,
    number: order.number,
    customerId: order.customerId,
    state: order.state as OrderState,
    createdAt: order.createdAt,
    paidAt: order.paidAt,
    deliveryId: order.deliveryId,
    deliveryPrice: kopecks(order.deliveryKopecks),
    delivery: deliverySnapshotSchema.parse(order.delivery),
    paymentMethodId: order.paymentMethodId,
    user: recipientSchema.parse(order.user),
    address: order.address === null ? null : addressSchema.parse(order.address),
    total: kopecks(order.totalKopecks),
    paid: kopecks(order.paidKopecks),
    refunded: kopecks(order.refundedKopecks),
    revision: order.revision,
    lines: found.map(({ priceKopecks, ...line }) => ({
      ...line,
      price: kopecks(priceKopecks),
      sum: kopecks(priceKopecks * line.quantity),
    })),
  }));
}

const conditions = ({ from, till, states, deliveries, payments }: ExportFilter): SQL | undefined =>
  and(
    gte(orders.createdAt, from),
    lt(orders.createdAt, till),
    states.length > 0 ? inArray(orders.state, [...states]) : undefined,
    deliveries.length > 0 ? inArray(orders.deliveryId, [...deliveries]) : undefined,
    payments.length > 0 ? inArray(orders.paymentMethodId, [...payments]) : undefined,
  );

export type ExportPlace = { createdAt: Date; id: string };

/** Orders of a filter behind a place, oldest first. */
export const page = (db: Db, filter: ExportFilter, after: ExportPlace | null, limit: number): Promise<ExportedOrder[]> =>
  select(
    db,
    and(
      conditions(filter),
      after ? sql`(${orders.createdAt}, ${orders.id}) > (${after.createdAt.toISOString()}::timestamptz, ${after.id})` : undefined,
    ),
    limit,
  );

/** The number of orders of a filter, at most `limit`. */
export async function countUpTo(db: Db, filter: ExportFilter, limit: number): Promise<number> {
  const some = db.select({ id: orders.id }).from(orders).where(conditions(filter)).limit(limit).as("some");
  const [row] = await db.select({ n: count() }).from(some);
  return row?.n ?? 0;
}

/**
 * Orders made since a time whose present revision is not in `sent`, a query of `(order_id, revision)`. Orders in the states of `onlyAgain`
 * are included only if `sent` has them with an earlier revision.
 */
export const unsent = (
  db: Db,
  {
    states,
    onlyAgain,
    since,
    sent,
    limit,
  }: { states: readonly OrderState[]; onlyAgain: readonly OrderState[]; since: Date; sent: IdQuery; limit: number },
): Promise<ExportedOrder[]> =>
  select(
    db,
    and(
      or(
        inArray(orders.state, [...states]),
        and(inArray(orders.state, [...onlyAgain]), sql`exists (select 1 from ${sent} as sent where sent.order_id = ${orders}.id)`),
      ),
      gte(orders.createdAt, since),
      sql`not exists (select 1 from ${sent} as sent where sent.order_id = ${orders}.id and sent.revision = ${orders.revision})`,
    ),
    limit,
  );

export async function numbersByIds(db: Db, ids: readonly string[]): Promise<Map<string, number>> {
  if (ids.length === 0) return new Map();
  const rows = await db
    .select({ id: orders.id, number: orders.number })
    .from(orders)
    .where(inArray(orders.id, [...ids]));
  return new Map(rows.map(({ id, number }) => [id, number]));
}
