import { and, asc, desc, eq, gt, inArray, isNotNull, isNull, lte, or, sql, type SQL } from "drizzle-orm";
import {
  batch,
  hasRow,
  insertRows,
  pipeline,
  pipelineAndCommit,
  type Db,
  type Expression,
  type IdQuery,
  type QueryBatch,
  type Tx,
} from "#kit/db.ts";
import { kopecks, type Kopecks } from "#kit/money.ts";
import { days, plus } from "#kit/time.ts";
import { actorText } from "#shop/actor.ts";
import type { Ctx, OwnerKey } from "#shop/context.ts";
import {
  unpaidStates,
  type ChangeAfterRecall,
  type HistoryEntry,
  type OrderLine,
  type OrderState,
  type RefundAfterRecall,
  type Viewer,
} from "./order.ts";
import { orderHistory, orderLines, orders, orderSeals, unpaidOrderKeys } from "./tables.ts";
import type { TrafficSource } from "./traffic-source.ts";
import type { PayableOrder } from "./transfers/statement.ts";
import { recipientSchema, type Address, type Recipient, type DeliverySnapshot } from "./snapshot.ts";
import { toOrder, type LineRow, type StoredOrder } from "./stored-order.repository.ts";

/** What is written only when a new order has it, or changes later. */
type NotOfNewOrders =
  | "paid"
  | "refunded"
  | "paidAt"
  | "history"
  | "refundAfterRecall"
  | "sealNumber"
  | "revision"
  | "assignee"
  | "changeAfterRecall";

export type NewOrder = Omit<StoredOrder, "lines" | NotOfNewOrders> & {
  lines: OrderLine[];
  forgetAt: Date | null;
  source: TrafficSource | null;
};

/** How long the link of a guest's order is valid. */
const keyLife = days(30);

/**
 * The condition that limits an order to its viewer. A guest's key was checked against the id before the query (`hasAccess`; keys are
 * derived and not stored), so only the age of the order is checked here.
 */
const visibleTo = (viewer: Viewer, now: Date) =>
  "customerId" in viewer ? eq(orders.customerId, viewer.customerId) : gt(orders.createdAt, plus(now, -keyLife));

export const find = (db: Db, id: string, viewer: Viewer, now: Date): Promise<StoredOrder | null> =>
  first(selectOrders(db, and(eq(orders.id, id), visibleTo(viewer, now))));

export const byId = (db: Db, id: string): Promise<StoredOrder | null> => first(selectOrders(db, eq(orders.id, id)));

export async function idByNumber(db: Db, number: number): Promise<string | null> {
  const [row] = await db.select({ id: orders.id }).from(orders).where(eq(orders.number, number));
  return row?.id ?? null;
}

export async function numberById(db: Db, id: string): Promise<number | null> {
  const [row] = await db.select({ number: orders.number }).from(orders).where(eq(orders.id, id));
  return row?.number ?? null;
}

export async function numberAndState(db: Db, id: string): Promise<{ number: number; state: OrderState } | null> {
  const [row] = await db.select({ number: orders.number, state: orders.state }).from(orders).where(eq(orders.id, id));
  return row ? { number: row.number, state: row.state as OrderState } : null;
}

/** The order to which this one adds coins, and those that add to it, oldest first. */
export const linked = (
  db: Db,
  { id, linkedOrderId }: { id: string; linkedOrderId: string | null },
): Promise<{ id: string; number: number; customerId: string | null }[]> =>
  db
    .select({ id: orders.id, number: orders.number, customerId: orders.customerId })
    .from(orders)
    .where(or(eq(orders.linkedOrderId, id), linkedOrderId === null ? undefined : eq(orders.id, linkedOrderId)))
    .orderBy(asc(orders.createdAt));

export async function numbersByIds(db: Db, ids: readonly string[]): Promise<Map<string, number>> {
  if (ids.length === 0) return new Map();
  const found = await db
    .select({ id: orders.id, number: orders.number })
    .from(orders)
    .where(inArray(orders.id, [...ids]));
  return new Map(found.map(({ id, number }) => [id, number]));
}

/** The ids of the orders with these numbers; unknown numbers are ignored. */
export async function idsByNumbers(db: Db, numbers: readonly number[]): Promise<string[]> {
  if (numbers.length === 0) return [];
  const found = await db
    .select({ id: orders.id })
    .from(orders)
    .where(inArray(orders.number, [...numbers]));
  return found.map((row) => row.id);
}

/** At most `limit` orders that wait for money, newest first, and the orders with these numbers in any state. */
export async function payable(db: Db, numbers: readonly number[], limit: number): Promise<PayableOrder[]> {
  const columns = {
    id: orders.id,
    number: orders.number,
    state: orders.state,
    total: orders.totalKopecks,
    paid: orders.paidKopecks,
    user: orders.user,
    createdAt: orders.createdAt,
    reservedUntil: orders.reservedUntil,
  };
  const waiting = db
    .select(columns)
    .from(orders)
    .where(eq(orders.state, "awaiting_payment"))
    .orderBy(desc(orders.createdAt), desc(orders.id))
    .limit(limit);
  const named = db
    .select(columns)
    .from(orders)
    .where(inArray(orders.number, [...numbers]));
  const found = [...(await waiting), ...(numbers.length > 0 ? await named : [])];
  return [...new Map(found.map((row) => [row.id, row])).values()].map(({ state, total, paid, user, ...row }) => {
    const { name, lastName, secondName } = recipientSchema.parse(user);
    return { ...row, state: state as OrderState, total: kopecks(total), paid: kopecks(paid), recipient: { name, lastName, secondName } };
  });
}

/** The recipients of these orders, by order id. */
export async function recipients(db: Db, ids: readonly string[]): Promise<Map<string, Recipient>> {
  const found = await db
    .select({ id: orders.id, user: orders.user })
    .from(orders)
    .where(inArray(orders.id, [...ids]));
  return new Map(found.map(({ id, user }) => [id, recipientSchema.parse(user)]));
}

/** A query of all orders with the mailbox of each, in lower case. */
export const allMailboxes = (): Expression =>
  sql`select ${orders.id} as "id", lower(${orders.user} ->> 'email') as "mailbox" from ${orders}`;

/** A query of the orders with these mailboxes, which are in lower case. */
export const idsOfMailboxes = (mailboxes: readonly string[]): IdQuery =>
  sql`select ${orders.id} from ${orders} where ${inArray(sql`lower(${orders.user} ->> 'email')`, [...mailboxes])}`;

/** Newest first. */
export const ofCustomer = (db: Db, customerId: string): Promise<StoredOrder[]> => selectOrders(db, eq(orders.customerId, customerId));

/** Some of a customer's orders, newest first, after the first `offset`. */
export const someOfCustomer = (db: Db, customerId: string, { limit, offset }: { limit: number; offset: number }): Promise<StoredOrder[]> =>
  selectOrders(db, eq(orders.customerId, customerId), limit, offset);

/** The number of a customer's orders. */
export const countOfCustomer = (db: Db, customerId: string): Promise<number> => db.$count(orders, eq(orders.customerId, customerId));

/** Where a page of a customer's orders ends. */
export type CustomerOrderCursor = { createdAt: Date; number: number };

/** A page of a customer's orders after the one of the cursor, newest first. */
export const pageOfCustomer = (db: Db, customerId: string, after: CustomerOrderCursor | null, limit: number): Promise<StoredOrder[]> =>
  selectOrders(
    db,
    and(
      eq(orders.customerId, customerId),
      after === null
        ? undefined
        : sql`(${orders.createdAt}, ${orders.number}) < (${after.createdAt.toISOString()}::timestamptz, ${after.number})`,
    ),
    limit,
  );

/** Orders with their lines and history, newest first, in one query. */
export async function selectOrders(db: Db, where: SQL | undefined, limit?: number, offset = 0): Promise<StoredOrder[]> {
  const found = await db
    .select({ order: orders, lines: allLines, history: allHistory, sealNumber })
    .from(orders)
    .where(where)
    .orderBy(desc(orders.createdAt), desc(orders.number))
    .limit(limit ?? 2 ** 31)
    .offset(offset);
  return found.map(({ order, lines, history, sealNumber: seal }) =>
    toOrder(
      order,
      lines,
      history.map((entry) => ({ ...entry, at: new Date(entry.at) })),
      seal,
    ),
  );
}

const allLines = sql<LineRow[]>`(select coalesce(json_agg(json_build_object(
  'coinId', coin_id, 'slug', slug, 'title', title, 'quantity', quantity, 'priceKopecks', price_kopecks, 'vatCode', vat_code,
  'dropped', dropped, 'returned', returned) order by position), '[]') from ${orderLines} where order_id = ${orders}.id)`;
const allHistory = sql<{ event: string; state: string; at: string }[]>`(select coalesce(json_agg(json_build_object(
  'event', event, 'state', state, 'at', at) order by step), '[]') from ${orderHistory} where order_id = ${orders}.id)`;

const sealNumber = sql<string | null>`(select number from ${orderSeals} where order_id = ${orders}.id and removed_at is null)`;

/** Locks the order's row and reads it with lines, history and seal. Every change of an order waits for this lock. One round trip. */
export async function lock(tx: Tx, id: string, viewer?: { viewer: Viewer; now: Date }): Promise<StoredOrder | null> {
  const [order] = await pipeline([lockBatch(tx, id, viewer)]);
  return order;
}

/** As `lock`, and then locks the payments of the order. One round trip. */
export async function lockWithAttempts<P>(
  tx: Tx,
  id: string,
  viewer: { viewer: Viewer; now: Date },
  lockAttempts: QueryBatch<P>,
): Promise<{ order: StoredOrder | null; attempts: P }> {
  const [order, attempts] = await pipeline([lockBatch(tx, id, viewer), lockAttempts]);
  return { order, attempts };
}

function lockBatch(tx: Tx, id: string, viewer?: { viewer: Viewer; now: Date }): QueryBatch<StoredOrder | null> {
  const where = and(eq(orders.id, id), viewer ? visibleTo(viewer.viewer, viewer.now) : undefined);
  const row = tx.select().from(orders).where(where).for("update");
  // Read after the lock, so that they include the changes of the last transaction that had it.
  const lines = tx.select().from(orderLines).where(eq(orderLines.orderId, id)).orderBy(asc(orderLines.position));
  const history = tx.select().from(orderHistory).where(eq(orderHistory.orderId, id)).orderBy(asc(orderHistory.step));
  const seals = tx
    .select({ number: orderSeals.number })
    .from(orderSeals)
    .where(and(eq(orderSeals.orderId, id), isNull(orderSeals.removedAt)));
  return batch([row, lines, history, seals], ([[found], lineRows, historyRows, [seal]]) =>
    found ? toOrder(found, lineRows, historyRows, seal?.number ?? null) : null,
  );
}

const isOverdue = (now: Date) =>
  and(isNotNull(orders.reservedUntil), lte(orders.reservedUntil, now), inArray(orders.state, [...unpaidStates]));

/** Whether the reservation of an unpaid order has ended. */
export const hasDueForExpiry = (now: Date): Expression => hasRow(orders, isOverdue(now));

/** Orders whose reservation has ended, oldest first. */
export async function dueForExpiry(db: Db, now: Date, limit: number): Promise<string[]> {
  const rows = await db.select({ id: orders.id }).from(orders).where(isOverdue(now)).orderBy(asc(orders.reservedUntil)).limit(limit);
  return rows.map((row) => row.id);
}

/** Orders in this state whose reservation ends in the span, soonest first. */
export async function endingBetween(db: Db, state: OrderState, span: { from: Date; till: Date }, limit: number): Promise<string[]> {
  const rows = await db
    .select({ id: orders.id })
    .from(orders)
    .where(and(eq(orders.state, state), gt(orders.reservedUntil, span.from), lte(orders.reservedUntil, span.till)))
    .orderBy(asc(orders.reservedUntil))
    .limit(limit);
  return rows.map((row) => row.id);
}

/** The newest order of this owner that waits for payment and still has its reservation. */
export const newestWaiting = (db: Db, owner: OwnerKey, now: Date): Promise<StoredOrder | null> =>
  first(selectOrders(db, and(eq(orders.owner, owner), eq(orders.state, "awaiting_payment"), gt(orders.reservedUntil, now)), 1));

/** The number of the next order, as a part of another module's statement. */
export const nextNumber: Expression = sql`nextval('orders_number_seq')::float8`;

/**
 * Inserts the order with its lines, first history entry and keys of its limits, then what other modules write with it (`along`), reserves
 * the coins last (`reserve`) and commits the transaction. One round trip.
 */
export async function insertAndCommit(
  tx: Tx,
  { actor }: Pick<Ctx, "actor">,
  order: NewOrder,
  {
    quoteId,
    unpaidKeys,
    along,
    reserve,
  }: { quoteId: string; unpaidKeys: readonly string[]; along: readonly QueryBatch<void>[]; reserve: QueryBatch<void> },
): Promise<void> {
  const made = insertRows(tx, orders, [
    {
      id: order.id,
      number: order.number,
      owner: order.owner,
      customerId: order.customerId,
      quoteId,
      state: order.state,
      deliveryId: order.deliveryId,
      pickupPointId: order.deliverySnapshot.point?.id ?? null,
      deliveryKopecks: order.deliveryPrice,
      paymentMethodId: order.paymentMethodId,
      totalKopecks: order.total,
      promoCode: order.promo?.code ?? null,
      discountKopecks: order.promo?.discount ?? 0,
      user: order.user,
      address: order.address,
      delivery: order.deliverySnapshot,
      priceListVersion: order.priceListVersion,
      createdAt: order.createdAt,
      reservedUntil: order.reservedUntil,
      forgetAt: order.forgetAt,
      linkedOrderId: order.linkedOrderId,
      sourceChannel: order.source?.channel ?? null,
      sourceName: order.source?.name ?? null,
      sourceCampaign: order.source?.campaign ?? null,
    },
  ]);
  const lines = insertRows(
    tx,
    orderLines,
    order.lines.map((line, index) => ({
      orderId: order.id,
      coinId: line.coinId,
      position: index + 1,
      slug: line.slug,
      title: line.title,
      quantity: line.quantity,
      priceKopecks: line.price,
      vatCode: line.vatCode,
    })),
  );
  const history = insertRows(tx, orderHistory, [
    { orderId: order.id, step: 1, event: "place", state: order.state, at: order.createdAt, actor: actorText(actor) },
  ]);
  const keys = unpaidKeys.map((key) => ({ key, orderId: order.id, createdAt: order.createdAt }));
  const insertKeys = keys.length === 0 ? [] : [insertRows(tx, unpaidOrderKeys, keys, { skipExisting: true })];
  const written = batch<unknown[], void>([made, lines, history, ...insertKeys, ...along], () => {});
  await pipelineAndCommit(tx, [written, reserve]);
}

type Changes = {
  customerId?: string;
  state?: OrderState;
  paid?: Kopecks;
  refunded?: Kopecks;
  paidAt?: Date;
  reservedUntil?: Date | null;
  paymentMethodId?: number;
  forgetAt?: Date | null;
  refundAfterRecall?: RefundAfterRecall | null;
  changeAfterRecall?: ChangeAfterRecall | null;
  recipientHidden?: boolean;
  user?: Recipient;
  address?: Address;
  assignee?: string | null;
};

/** Only for a locked order. Every change makes a new revision. */
export async function save(tx: Tx, id: string, changes: Changes): Promise<void> {
  await update(tx, id, changes);
}

/**
 * Only for a locked order: writes `along` and then these changes, if there are any, and commits the transaction (`inPipelinedTransaction`).
 * One round trip.
 */
export async function saveAndCommit(tx: Tx, id: string, changes: Changes, along: readonly QueryBatch<void>[] = []): Promise<void> {
  await pipelineAndCommit(tx, [...along, ...(Object.keys(changes).length > 0 ? [update(tx, id, changes)] : [])]);
}

const update = (tx: Tx, id: string, { paid, refunded, ...rest }: Changes) =>
  tx
    .update(orders)
    .set({
      ...rest,
      revision: sql`${orders.revision} + 1`,
      ...(paid === undefined ? {} : { paidKopecks: paid }),
      ...(refunded === undefined ? {} : { refundedKopecks: refunded }),
    })
    .where(eq(orders.id, id));

/** Only for a locked order: adds pieces that were dropped before shipping or returned after the delivery. */
export async function addPieces(
  tx: Tx,
  orderId: string,
  column: "dropped" | "returned",
  pieces: readonly { coinId: number; quantity: number }[],
): Promise<void> {
  for (const { coinId, quantity } of pieces) {
    await tx
      .update(orderLines)
      .set({ [column]: sql`${orderLines[column]} + ${quantity}` })
      .where(and(eq(orderLines.orderId, orderId), eq(orderLines.coinId, coinId)));
  }
}

/** Only for a locked order: stores another pickup point than the buyer chose. */
export async function savePoint(tx: Tx, id: string, snapshot: DeliverySnapshot): Promise<void> {
  await tx
    .update(orders)
    .set({ delivery: snapshot, pickupPointId: snapshot.point?.id ?? null, revision: sql`${orders.revision} + 1` })
    .where(eq(orders.id, id));
}

/** Only for a locked order: stores what staff has changed before the shipment. */
export async function saveChange(tx: Tx, id: string, { user, address, delivery }: ChangeAfterRecall): Promise<void> {
  if (delivery) await savePoint(tx, id, delivery);
  if (user || address) await save(tx, id, { ...(user && { user }), ...(address && { address }) });
}

/** Only for a locked order: makes a new revision for a change that is stored in another table. */
export async function touch(tx: Tx, id: string): Promise<void> {
  await tx
    .update(orders)
    .set({ revision: sql`${orders.revision} + 1` })
    .where(eq(orders.id, id));
}

/** Only for a locked order: adds a history entry after the last one that was read. */
export async function addHistory(tx: Tx, { actor }: Pick<Ctx, "actor">, order: StoredOrder, entry: HistoryEntry): Promise<void> {
  await tx.insert(orderHistory).values({ orderId: order.id, step: order.history.length + 1, ...entry, actor: actorText(actor) });
}

/** Whether any order exists, in any state. */
export async function hasAny(db: Db): Promise<boolean> {
  return (await db.select({ id: orders.id }).from(orders).limit(1)).length > 0;
}

async function first(found: Promise<StoredOrder[]>): Promise<StoredOrder | null> {
  return (await found)[0] ?? null;
}
