import { z } from "zod";
import {
  and,
  asc,
  count,
  desc,
  eq,
  exists,
  gt,
  inArray,
  isNotNull,
  isNull,
  lt,
  lte,
  ne,
  notExists,
  notInArray,
  notLike,
  or,
  sql,
  type SQL,
} from "drizzle-orm";
import {
  batch,
  deleteInBatches,
  hasRow,
  insertRows,
  pipeline,
  pipelineAndCommit,
  preparedQuery,
  type Db,
  type Expression,
  type IdQuery,
  type Placeholders,
  type QueryBatch,
  type Tx,
} from "#kit/db.ts";
import { kopecks, times, type Kopecks } from "#kit/money.ts";
import { days, plus } from "#kit/time.ts";
import { actorText } from "#shop/actor.ts";
import type { Ctx, OwnerKey } from "#shop/context.ts";
import {
  finalStates,
  unpaidStates,
  type ChangeAfterRecall,
  type HistoryEntry,
  type OrderLine,
  type OrderPromo,
  type OrderState,
  type RefundAfterRecall,
  type StoredLine,
  type Viewer,
} from "./order.ts";
import { sealableStates } from "./parcel/seal.ts";
import { orderHistory, orderLines, orders, orderSeals, unpaidOrderKeys } from "./tables.ts";
import type { TrafficSource } from "./traffic-source.ts";
import type { ReservedCoins } from "./unpaid-limits/unpaid-limits.ts";
import type { PayableOrder } from "./transfers/statement.ts";
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
  /** Login of the member of staff who looks after the order. */
  assignee: string | null;
  linkedOrderId: string | null;
  changeAfterRecall: ChangeAfterRecall | null;
};

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

/** Orders of guests with this phone, made between two moments, newest first. */
export const ofGuests = (db: Db, { phone, after, before }: { phone: string; after: Date; before: Date }): Promise<StoredOrder[]> =>
  selectOrders(
    db,
    and(isNull(orders.customerId), eq(sql`${orders.user} ->> 'phone'`, phone), gt(orders.createdAt, after), lt(orders.createdAt, before)),
  );

/** Guests' orders of one browser with a phone other than this one. */
export const ofGuestBrowser = (
  db: Db,
  { owner, otherThan, after }: { owner: OwnerKey; otherThan: string; after: Date },
): Promise<StoredOrder[]> =>
  selectOrders(
    db,
    and(eq(orders.owner, owner), isNull(orders.customerId), ne(sql`${orders.user} ->> 'phone'`, otherThan), gt(orders.createdAt, after)),
  );

/** Newest first. */
export const ofCustomer = (db: Db, customerId: string): Promise<StoredOrder[]> => selectOrders(db, eq(orders.customerId, customerId));

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
async function selectOrders(db: Db, where: SQL | undefined, limit?: number): Promise<StoredOrder[]> {
  const found = await db
    .select({ order: orders, lines: allLines, history: allHistory, sealNumber })
    .from(orders)
    .where(where)
    .orderBy(desc(orders.createdAt), desc(orders.number))
    .limit(limit ?? 2 ** 31);
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

/** How many of this owner's orders are unpaid, and how many the buyer cancelled unpaid since this moment. */
const selectUnpaid = preparedQuery("orders_unpaid", (db, value: Placeholders<{ owner: OwnerKey; since: Date }>) => {
  const isCancelledUnpaid = and(
    eq(orders.state, "cancelled"),
    eq(orders.paidKopecks, 0),
    exists(
      db
        .select({ step: orderHistory.step })
        .from(orderHistory)
        .where(
          and(
            eq(orderHistory.orderId, orders.id),
            eq(orderHistory.event, "cancel"),
            gt(orderHistory.at, sql.param(value.since, orderHistory.at)),
            notLike(sql`coalesce(${orderHistory.actor}, '')`, "staff:%"),
          ),
        ),
    ),
  );
  return db
    .select({
      unpaid: sql<number>`(count(*) filter (where ${inArray(orders.state, [...unpaidStates])}))::int`,
      cancelled: sql<number>`(count(*) filter (where ${isCancelledUnpaid}))::int`,
    })
    .from(orders)
    .where(eq(orders.owner, value.owner));
});

const selectReserved = preparedQuery("orders_reserved_by_key", (db, value: Placeholders<{ keys: readonly string[] }>) =>
  db
    .select({
      key: unpaidOrderKeys.key,
      coinId: orderLines.coinId,
      pieces: sql<number>`sum(${orderLines.quantity})::int`,
      value: sql<number>`sum(${orderLines.priceKopecks} * ${orderLines.quantity})::float8`,
    })
    .from(unpaidOrderKeys)
    .innerJoin(orders, eq(orders.id, unpaidOrderKeys.orderId))
    .innerJoin(orderLines, eq(orderLines.orderId, orders.id))
    .where(and(sql`${unpaidOrderKeys.key} = any(${value.keys}::text[])`, inArray(orders.state, [...unpaidStates])))
    .groupBy(unpaidOrderKeys.key, orderLines.coinId),
);

/** The class of these advisory locks; no other code of this database uses it. */
const unpaidKeyLocks = 7_201;

/**
 * `unpaid`: the number of the owner's unpaid orders; `cancelled`: of those cancelled unpaid lately by the buyer; `reserved`: the coins that
 * the unpaid orders of each key reserve.
 */
export type Unpaid = { unpaid: number; cancelled: number; reserved: (ReservedCoins & { key: string })[] };

/**
 * Locks these keys until the transaction ends, always in the same order, and reads what the unpaid orders of each key reserve, per coin,
 * and how many of the owner's orders are unpaid or were cancelled unpaid since `since`. The caller has locked the owner's cart, so that the
 * counts cannot grow meanwhile.
 */
export function lockUnpaidBatch(
  tx: Tx,
  { owner, keys, since }: { owner: OwnerKey; keys: readonly string[]; since: Date },
): QueryBatch<Unpaid> {
  const sorted = [...new Set(keys)].sort();
  const lockKeys = tx.execute(
    sql`select pg_advisory_xact_lock(${unpaidKeyLocks}, hash) 
      from (select hashtext(key) as hash from unnest(${sql.param(sorted)}::text[]) as key order by 1) as keys`,
  );
  const selectCounts = selectUnpaid(tx, { owner, since });
  const counted = (found: Awaited<typeof selectCounts>) => {
    const [counts] = found;
    if (!counts) throw new Error("orders were not counted");
    return counts;
  };
  if (sorted.length === 0) return batch([selectCounts], ([counts]) => ({ ...counted(counts), reserved: [] }));
  return batch([lockKeys, selectReserved(tx, { keys: sorted }), selectCounts], ([, reserved, counts]) => ({
    ...counted(counts),
    reserved: reserved.map((row) => ({ ...row, value: kopecks(row.value) })),
  }));
}

/** Deletes keys made before this moment whose orders are no longer unpaid. */
export async function deleteUnpaidKeys(db: Db, madeBefore: Date): Promise<void> {
  const unpaid = db
    .select({ id: orders.id })
    .from(orders)
    .where(and(eq(orders.id, unpaidOrderKeys.orderId), inArray(orders.state, [...unpaidStates])));
  await deleteInBatches(db, unpaidOrderKeys, and(lt(unpaidOrderKeys.createdAt, madeBefore), notExists(unpaid)));
}

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
export async function save(tx: Tx, id: string, { paid, refunded, ...rest }: Changes): Promise<void> {
  await tx
    .update(orders)
    .set({
      ...rest,
      revision: sql`${orders.revision} + 1`,
      ...(paid === undefined ? {} : { paidKopecks: paid }),
      ...(refunded === undefined ? {} : { refundedKopecks: refunded }),
    })
    .where(eq(orders.id, id));
}

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

/**
 * Only for a locked order: stores its current seal. The order may use a number again that it had before.
 * Returns the id of the order that owns the number; if that is another order, nothing changes.
 */
export async function setSeal(tx: Tx, { actor }: Pick<Ctx, "actor">, orderId: string, number: string, at: Date): Promise<string> {
  const entry = { sealedAt: at, actor: actorText(actor) };
  await tx
    .insert(orderSeals)
    .values({ number, orderId, ...entry, removedAt: at })
    .onConflictDoNothing();
  const [known] = await tx.select({ orderId: orderSeals.orderId }).from(orderSeals).where(eq(orderSeals.number, number));
  if (known && known.orderId !== orderId) return known.orderId;
  await removeSeal(tx, orderId, at);
  await tx
    .update(orderSeals)
    .set({ ...entry, removedAt: null })
    .where(eq(orderSeals.number, number));
  return orderId;
}

/** Only for a locked order: marks its seal as removed, because the bag was opened or gets another seal. */
export async function removeSeal(tx: Tx, orderId: string, at: Date): Promise<void> {
  await tx
    .update(orderSeals)
    .set({ removedAt: at })
    .where(and(eq(orderSeals.orderId, orderId), isNull(orderSeals.removedAt)));
}

/** Packed orders without a seal; orders in cancellation, repacking or return; returned orders that are not refunded in full. */
export const findWaitingForStaff = (db: Db): Promise<StoredOrder[]> =>
  selectOrders(
    db,
    or(
      and(
        inArray(orders.state, [...sealableStates]),
        notExists(
          db
            .select({ number: orderSeals.number })
            .from(orderSeals)
            .where(and(eq(orderSeals.orderId, orders.id), isNull(orderSeals.removedAt))),
        ),
      ),
      inArray(orders.state, ["cancellation_requested", "returning"]),
      isNotNull(orders.refundAfterRecall),
      isNotNull(orders.changeAfterRecall),
      and(eq(orders.state, "returned"), gt(orders.paidKopecks, orders.refundedKopecks)),
    ),
  );

/** The last request to the carrier to cancel an order. */
const cancelRequester = sql<string | null>`(select actor from ${orderHistory} where order_id = ${orders}.id and event = 'request_cancel'
  order by step desc limit 1)`;

/** The actor of the last request to the carrier to cancel this order; null: there was none, or its actor was not stored. */
export async function requesterOfCancel(tx: Tx, id: string): Promise<string | null> {
  const [row] = await tx.select({ actor: cancelRequester }).from(orders).where(eq(orders.id, id));
  return row?.actor ?? null;
}

/**
 * Orders whose pieces this member of staff drops once the carrier has struck the parcel out, and orders for which it asked the carrier to
 * cancel and which are not cancelled yet. The states are written out for the index `orders_watched`.
 */
export const decidedByStaff = (db: Db, login: string): Promise<StoredOrder[]> =>
  selectOrders(
    db,
    or(
      and(isNotNull(orders.refundAfterRecall), eq(sql`${orders.refundAfterRecall} ->> 'by'`, login)),
      and(sql`${orders.state} in ('cancellation_requested', 'returning')`, eq(cancelRequester, actorText({ kind: "staff", name: login }))),
    ),
  );

/** Those of these orders for which this member of staff was the last to ask the carrier to cancel. */
export async function cancelRequestedBy(db: Db, login: string, ids: readonly string[]): Promise<StoredOrder[]> {
  if (ids.length === 0) return [];
  return selectOrders(db, and(inArray(orders.id, [...ids]), eq(cancelRequester, actorText({ kind: "staff", name: login }))));
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

/** The number of an account's orders that are not in a final state. */
export async function countOpen(db: Db, customerId: string): Promise<number> {
  const [row] = await db
    .select({ n: count() })
    .from(orders)
    .where(and(eq(orders.customerId, customerId), notInArray(orders.state, [...finalStates])));
  return row?.n ?? 0;
}

/** Sets the day of anonymisation of an account's orders: `termDays` after each was made. */
export async function setForgetAt(tx: Tx, customerId: string, termDays: number): Promise<void> {
  await tx
    .update(orders)
    .set({ forgetAt: sql`${orders.createdAt} + make_interval(days => ${termDays}::int)` })
    .where(eq(orders.customerId, customerId));
}

/** Orders whose day of anonymisation has come, oldest first. */
export async function dueForAnonymisation(db: Db, now: Date, limit: number): Promise<string[]> {
  const rows = await db.select({ id: orders.id }).from(orders).where(lte(orders.forgetAt, now)).orderBy(asc(orders.forgetAt)).limit(limit);
  return rows.map((row) => row.id);
}

const emptyRecipient: Recipient = { name: "", lastName: "", secondName: "", email: "", phone: "" };

/** Erases recipient and address; lines, sums and history stay. */
export async function anonymise(tx: Tx, id: string): Promise<void> {
  await tx.update(orders).set({ user: emptyRecipient, address: null, changeAfterRecall: null, forgetAt: null }).where(eq(orders.id, id));
}

async function first(found: Promise<StoredOrder[]>): Promise<StoredOrder | null> {
  return (await found)[0] ?? null;
}

type OrderRow = typeof orders.$inferSelect;
type LineRow = Omit<typeof orderLines.$inferSelect, "orderId" | "position">;
type HistoryRow = Pick<typeof orderHistory.$inferSelect, "event" | "state" | "at">;

function toOrder(row: OrderRow, lineRows: readonly LineRow[], historyRows: readonly HistoryRow[], sealNumber: string | null): StoredOrder {
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
