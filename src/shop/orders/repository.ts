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
  type SQLWrapper,
} from "drizzle-orm";
import { together, type Db, type Tx } from "#kit/db.ts";
import { kopecks, times, type Kopecks } from "#kit/money.ts";
import { days, plus } from "#kit/time.ts";
import { actorText } from "#shop/actor.ts";
import type { Ctx, OwnerKey } from "#shop/context.ts";
import {
  finalStates,
  unpaidStates,
  type HistoryEntry,
  type OrderLine,
  type OrderState,
  type RefundAfterRecall,
  type StoredLine,
  type Viewer,
} from "./order.ts";
import { sealableStates } from "./seal.ts";
import { orderHistory, orderLines, orders, orderSeals, unpaidOrderKeys } from "./tables.ts";
import type { Held } from "./unpaid-limits.ts";
import { addressSchema, recipientSchema, toldDeliverySchema, type Address, type Recipient, type ToldDelivery } from "./told.ts";

/** An order as its own tables tell it; attempts to pay and parcels are added by the service. */
export type StoredOrder = {
  id: string;
  number: number;
  owner: OwnerKey;
  customerId: string | null;
  state: OrderState;
  lines: StoredLine[];
  deliveryId: number;
  deliveryPrice: Kopecks;
  told: ToldDelivery;
  paymentMethodId: number;
  user: Recipient;
  address: Address | null;
  total: Kopecks;
  paid: Kopecks;
  refunded: Kopecks;
  paidAt: Date | null;
  priceListVersion: number;
  createdAt: Date;
  reservedUntil: Date | null;
  history: HistoryEntry[];
  refundAfterRecall: RefundAfterRecall | null;
  sealNumber: string | null;
  /** Its account sees the recipient masked. */
  isRecipientHidden?: true;
};

export type NewOrder = Omit<
  StoredOrder,
  "number" | "lines" | "paid" | "refunded" | "paidAt" | "history" | "refundAfterRecall" | "sealNumber"
> & {
  lines: OrderLine[];
  forgetAt: Date | null;
};

const refundAfterRecall = z.object({
  pieces: z.array(z.object({ coinId: z.number().int(), quantity: z.number().int().positive() })),
  isDeliveryToo: z.boolean(),
}) satisfies z.ZodType<RefundAfterRecall>;

/** The link of a guest's order opens it for so long. */
const keyLife = days(30);

/**
 * Whose it is stands in the WHERE. A holder of a key has proved it against the id before the query
 * (keys are derived, not stored), so here only the age of the order is left to check.
 */
const seenBy = (viewer: Viewer, now: Date) =>
  "customerId" in viewer ? eq(orders.customerId, viewer.customerId) : gt(orders.createdAt, plus(now, -keyLife));

export const find = (db: Db, id: string, viewer: Viewer, now: Date): Promise<StoredOrder | null> =>
  first(whole(db, and(eq(orders.id, id), seenBy(viewer, now))));

export const byId = (db: Db, id: string): Promise<StoredOrder | null> => first(whole(db, eq(orders.id, id)));

export async function numberById(db: Db, id: string): Promise<number | null> {
  const [row] = await db.select({ number: orders.number }).from(orders).where(eq(orders.id, id));
  return row?.number ?? null;
}

/** The ids of those of these numbers that are orders. */
export async function idsByNumbers(db: Db, numbers: readonly number[]): Promise<string[]> {
  if (numbers.length === 0) return [];
  const found = await db
    .select({ id: orders.id })
    .from(orders)
    .where(inArray(orders.number, [...numbers]));
  return found.map((row) => row.id);
}

/** Name, e-mail and phone of those who ordered. */
export async function recipients(db: Db, ids: readonly string[]): Promise<Map<string, Recipient>> {
  const found = await db
    .select({ id: orders.id, user: orders.user })
    .from(orders)
    .where(inArray(orders.id, [...ids]));
  return new Map(found.map(({ id, user }) => [id, recipientSchema.parse(user)]));
}

/** Orders of guests with this phone, made between two moments, newest first. */
export const ofGuests = (db: Db, { phone, after, before }: { phone: string; after: Date; before: Date }): Promise<StoredOrder[]> =>
  whole(
    db,
    and(isNull(orders.customerId), eq(sql`${orders.user} ->> 'phone'`, phone), gt(orders.createdAt, after), lt(orders.createdAt, before)),
  );

/** Guests' orders of one browser that were made with another phone than this one. */
export const ofGuestBrowser = (
  db: Db,
  { owner, otherThan, after }: { owner: OwnerKey; otherThan: string; after: Date },
): Promise<StoredOrder[]> =>
  whole(
    db,
    and(eq(orders.owner, owner), isNull(orders.customerId), ne(sql`${orders.user} ->> 'phone'`, otherThan), gt(orders.createdAt, after)),
  );

/** Newest first. */
export const ofCustomer = (db: Db, customerId: string): Promise<StoredOrder[]> => whole(db, eq(orders.customerId, customerId));

async function whole(db: Db, where: SQL | undefined): Promise<StoredOrder[]> {
  const [found, lines, history, seals] = await together<[OrderRow[], LineRow[], HistoryRow[], SealRow[]]>(db, (tx) => [
    tx.select().from(orders).where(where).orderBy(desc(orders.createdAt), desc(orders.number)),
    ...partsOf(tx, tx.select({ id: orders.id }).from(orders).where(where)),
  ]);
  return joined(found, lines, history, seals);
}

/** Reads the order and holds its row: provider's news, customer, clerk and clock wait for each other here. */
export async function lock(tx: Tx, id: string, viewer?: { viewer: Viewer; now: Date }): Promise<StoredOrder | null> {
  const where = and(eq(orders.id, id), viewer ? seenBy(viewer.viewer, viewer.now) : undefined);
  // Asked behind the lock, the parts are as those left them who had it before.
  const [found, lines, history, seals] = await Promise.all([
    tx.select().from(orders).where(where).for("update"),
    ...partsOf(tx, tx.select({ id: orders.id }).from(orders).where(where)),
  ]);
  return joined(found, lines, history, seals)[0] ?? null;
}

/** Orders whose reservation has ended, oldest first. */
export async function due(db: Db, now: Date, limit: number): Promise<string[]> {
  const rows = await db
    .select({ id: orders.id })
    .from(orders)
    .where(and(isNotNull(orders.reservedUntil), lte(orders.reservedUntil, now), inArray(orders.state, [...unpaidStates])))
    .orderBy(asc(orders.reservedUntil))
    .limit(limit);
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

/** The newest order of this owner that waits for its money and still holds its coins. */
export async function newestWaiting(db: Db, owner: OwnerKey, now: Date): Promise<StoredOrder | null> {
  const [row] = await db
    .select({ id: orders.id })
    .from(orders)
    .where(and(eq(orders.owner, owner), eq(orders.state, "awaiting_payment"), gt(orders.reservedUntil, now)))
    .orderBy(desc(orders.createdAt))
    .limit(1);
  return row ? byId(db, row.id) : null;
}

/**
 * How many orders of this buyer wait for their money, and how many the buyer called off unpaid since then.
 * The caller holds the buyer's cart, so that the counts cannot grow beside it.
 */
export async function countUnpaid(tx: Tx, owner: OwnerKey, since: Date): Promise<{ unpaid: number; calledOff: number }> {
  const isCalledOff = and(
    eq(orders.state, "cancelled"),
    eq(orders.paidKopecks, 0),
    exists(
      tx
        .select({ step: orderHistory.step })
        .from(orderHistory)
        .where(
          and(
            eq(orderHistory.orderId, orders.id),
            eq(orderHistory.event, "cancel"),
            gt(orderHistory.at, since),
            notLike(sql`coalesce(${orderHistory.actor}, '')`, "staff:%"),
          ),
        ),
    ),
  );
  const [row] = await tx
    .select({
      unpaid: sql<number>`(count(*) filter (where ${inArray(orders.state, [...unpaidStates])}))::int`,
      calledOff: sql<number>`(count(*) filter (where ${isCalledOff}))::int`,
    })
    .from(orders)
    .where(eq(orders.owner, owner));
  return row ?? { unpaid: 0, calledOff: 0 };
}

/** Tells these locks from any others of this database. */
const unpaidKeyLocks = 7_201;

/**
 * Holds these keys until the transaction ends, and reads what the unpaid orders under each of them hold, coin by coin.
 * The locks are taken in one order by all, in a statement of their own: the next one sees what those left who had them before.
 */
export async function lockHeld(tx: Tx, keys: readonly string[]): Promise<(Held & { key: string })[]> {
  const sorted = [...new Set(keys)].sort();
  const locked = tx.execute(
    sql`select pg_advisory_xact_lock(${unpaidKeyLocks}, hash) from (select hashtext(key) as hash from unnest(${sql.param(sorted)}::text[]) as key order by 1) as keys`,
  );
  const held = tx
    .select({
      key: unpaidOrderKeys.key,
      coinId: orderLines.coinId,
      pieces: sql<number>`sum(${orderLines.quantity})::int`,
      value: sql<number>`sum(${orderLines.priceKopecks} * ${orderLines.quantity})::float8`,
    })
    .from(unpaidOrderKeys)
    .innerJoin(orders, eq(orders.id, unpaidOrderKeys.orderId))
    .innerJoin(orderLines, eq(orderLines.orderId, orders.id))
    .where(and(inArray(unpaidOrderKeys.key, sorted), inArray(orders.state, [...unpaidStates])))
    .groupBy(unpaidOrderKeys.key, orderLines.coinId);
  const [, found] = await Promise.all([locked, held]);
  return found.map((row) => ({ ...row, value: kopecks(row.value) }));
}

export async function addUnpaidKeys(tx: Tx, orderId: string, keys: readonly string[], at: Date): Promise<void> {
  await tx
    .insert(unpaidOrderKeys)
    .values(keys.map((key) => ({ key, orderId, createdAt: at })))
    .onConflictDoNothing();
}

/** Keys made before that moment of orders that wait for their money no longer. */
export async function dropUnpaidKeys(db: Db, madeBefore: Date): Promise<void> {
  const unpaid = db
    .select({ id: orders.id })
    .from(orders)
    .where(and(eq(orders.id, unpaidOrderKeys.orderId), inArray(orders.state, [...unpaidStates])));
  await db.delete(unpaidOrderKeys).where(and(lt(unpaidOrderKeys.createdAt, madeBefore), notExists(unpaid)));
}

/** Writes the order with its lines and the first entry of its history; returns the number it got. */
export async function insert(tx: Tx, { actor }: Pick<Ctx, "actor">, order: NewOrder, quoteId: string): Promise<number> {
  const made = tx
    .insert(orders)
    .values({
      id: order.id,
      owner: order.owner,
      customerId: order.customerId,
      quoteId,
      state: order.state,
      deliveryId: order.deliveryId,
      pickupPointId: order.told.point?.id ?? null,
      deliveryKopecks: order.deliveryPrice,
      paymentMethodId: order.paymentMethodId,
      totalKopecks: order.total,
      user: order.user,
      address: order.address,
      delivery: order.told,
      priceListVersion: order.priceListVersion,
      createdAt: order.createdAt,
      reservedUntil: order.reservedUntil,
      forgetAt: order.forgetAt,
    })
    .returning({ number: orders.number });
  const lines = tx.insert(orderLines).values(
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
  const history = tx
    .insert(orderHistory)
    .values({ orderId: order.id, step: 1, event: "place", state: order.state, at: order.createdAt, actor: actorText(actor) });
  const [[row]] = await Promise.all([made, lines, history]);
  if (!row) throw new Error("an inserted order came back without its number");
  return row.number;
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
  recipientHidden?: boolean;
};

/** Only for a locked order. */
export async function save(tx: Tx, id: string, { paid, refunded, ...rest }: Changes): Promise<void> {
  await tx
    .update(orders)
    .set({
      ...rest,
      ...(paid === undefined ? {} : { paidKopecks: paid }),
      ...(refunded === undefined ? {} : { refundedKopecks: refunded }),
    })
    .where(eq(orders.id, id));
}

/** Only for a locked order: so many more pieces of these coins were refunded before the order was shipped, or came back one by one after it. */
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
 * Only for a locked order: this seal is on its bag from now on. A number that the order has had before may come back.
 * Returns the id of the order that has the number; another one's leaves everything as it was.
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

/** Only for a locked order: its bag was opened, or gets another seal. */
export async function removeSeal(tx: Tx, orderId: string, at: Date): Promise<void> {
  await tx
    .update(orderSeals)
    .set({ removedAt: at })
    .where(and(eq(orderSeals.orderId, orderId), isNull(orderSeals.removedAt)));
}

/** Packed orders without a seal, orders whose cancellation, repacking or return is under way, and returned ones that still have money of their buyer's. */
export const toWatch = (db: Db): Promise<StoredOrder[]> =>
  whole(
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
      and(eq(orders.state, "returned"), gt(orders.paidKopecks, orders.refundedKopecks)),
    ),
  );

/** Only for a locked order: the parcel goes to another point than the buyer chose. */
export async function savePoint(tx: Tx, id: string, told: ToldDelivery): Promise<void> {
  await tx
    .update(orders)
    .set({ delivery: told, pickupPointId: told.point?.id ?? null })
    .where(eq(orders.id, id));
}

/** Only for a locked order: the step follows the last one it was read with. */
export async function addHistory(tx: Tx, { actor }: Pick<Ctx, "actor">, order: StoredOrder, entry: HistoryEntry): Promise<void> {
  await tx.insert(orderHistory).values({ orderId: order.id, step: order.history.length + 1, ...entry, actor: actorText(actor) });
}

/** Orders of an account that are not yet at their end. */
export async function countOpen(db: Db, customerId: string): Promise<number> {
  const [row] = await db
    .select({ n: count() })
    .from(orders)
    .where(and(eq(orders.customerId, customerId), notInArray(orders.state, [...finalStates])));
  return row?.n ?? 0;
}

/** `termDays` from the day each was made. */
export async function forgetAfter(tx: Tx, customerId: string, termDays: number): Promise<void> {
  await tx
    .update(orders)
    .set({ forgetAt: sql`${orders.createdAt} + make_interval(days => ${termDays}::int)` })
    .where(eq(orders.customerId, customerId));
}

export async function toForget(db: Db, now: Date, limit: number): Promise<string[]> {
  const rows = await db.select({ id: orders.id }).from(orders).where(lte(orders.forgetAt, now)).orderBy(asc(orders.forgetAt)).limit(limit);
  return rows.map((row) => row.id);
}

const nobody: Recipient = { name: "", lastName: "", secondName: "", email: "", phone: "" };

export async function anonymise(tx: Tx, id: string): Promise<void> {
  await tx.update(orders).set({ user: nobody, address: null, forgetAt: null }).where(eq(orders.id, id));
}

async function first(found: Promise<StoredOrder[]>): Promise<StoredOrder | null> {
  return (await found)[0] ?? null;
}

type OrderRow = typeof orders.$inferSelect;
type LineRow = typeof orderLines.$inferSelect;
type HistoryRow = typeof orderHistory.$inferSelect;
type SealRow = typeof orderSeals.$inferSelect;

const partsOf = (db: Db, ids: SQLWrapper) =>
  [
    db.select().from(orderLines).where(inArray(orderLines.orderId, ids)).orderBy(asc(orderLines.position)),
    db.select().from(orderHistory).where(inArray(orderHistory.orderId, ids)).orderBy(asc(orderHistory.step)),
    db
      .select()
      .from(orderSeals)
      .where(and(inArray(orderSeals.orderId, ids), isNull(orderSeals.removedAt))),
  ] as const;

function joined(found: OrderRow[], lineRows: LineRow[], historyRows: HistoryRow[], sealRows: SealRow[]): StoredOrder[] {
  const linesOf = Map.groupBy(lineRows, (row) => row.orderId);
  const sealOf = new Map(sealRows.map((row) => [row.orderId, row.number]));
  const historyOf = Map.groupBy(historyRows, (row) => row.orderId);
  return found.map((row) => ({
    id: row.id,
    number: row.number,
    owner: row.owner as OwnerKey,
    customerId: row.customerId,
    state: row.state as OrderState,
    lines: (linesOf.get(row.id) ?? []).map(toLine),
    deliveryId: row.deliveryId,
    deliveryPrice: kopecks(row.deliveryKopecks),
    told: toldDeliverySchema.parse(row.delivery),
    paymentMethodId: row.paymentMethodId,
    user: recipientSchema.parse(row.user),
    address: addressSchema.nullable().parse(row.address),
    total: kopecks(row.totalKopecks),
    paid: kopecks(row.paidKopecks),
    refunded: kopecks(row.refundedKopecks),
    paidAt: row.paidAt,
    priceListVersion: row.priceListVersion,
    createdAt: row.createdAt,
    reservedUntil: row.reservedUntil,
    refundAfterRecall: refundAfterRecall.nullable().parse(row.refundAfterRecall),
    sealNumber: sealOf.get(row.id) ?? null,
    ...(row.recipientHidden ? { isRecipientHidden: true as const } : {}),
    history: (historyOf.get(row.id) ?? []).map(({ event, state, at }) => ({ event, state, at }) as HistoryEntry),
  }));
}

function toLine(row: typeof orderLines.$inferSelect): StoredLine {
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
