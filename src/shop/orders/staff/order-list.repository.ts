import { countLimit } from "#kit/count-limit.ts";
import { and, asc, desc, eq, gte, inArray, isNotNull, isNull, lt, lte, or, sql, type SQL, type SQLWrapper } from "drizzle-orm";
import type { Db, IdQuery } from "#kit/db.ts";
import { kopecks } from "#kit/money.ts";
import { days, plus } from "#kit/time.ts";
import { arrivalSpan } from "#shop/delivery/arrival.ts";
import { deliveryMethods } from "#shop/delivery/delivery.ts";
import { unpaidStates, type OrderState } from "../order.ts";
import { sealableStates } from "../parcel/seal.ts";
import { deliverySnapshotSchema, recipientSchema } from "../snapshot.ts";
import { foldedName, orderHistory, orderLines, orders, orderSeals, phoneParts } from "../tables.ts";
import {
  listViews,
  pageSize,
  type ListFilter,
  type OrderListPage,
  type ListProblem,
  type ListRow,
  type ListView,
  type OrderProblem,
} from "./order-list.ts";

/**
 * What the conditions need beside the filter. `refusedParcels`: orders whose parcel the carrier refused; `undelivered`: orders with a
 * message that did not reach the buyer.
 */
export type ListScope = { now: Date; today: Date; login: string; returnDays: number; refusedParcels: IdQuery; undelivered: IdQuery };

const listedStates = sql.raw(
  ["assembled", "shipped", "ready", "cancellation_requested", "returning"].map((each) => `'${each}'`).join(", "),
);
/** The condition of the index `orders_watched`: only these orders can have a problem. */
const isWatched = sql`(${orders.state} in (${listedStates})
  or ${orders.refundAfterRecall} is not null or ${orders.changeAfterRecall} is not null
  or (${orders.state} = 'returned' and ${orders.refundedKopecks} < ${orders.paidKopecks}))`;

/** When the order entered its state: the first history entry after the last one of another state. */
const stateSince = sql`(select min(at) from ${orderHistory} h where h.order_id = ${orders.id} and h.step > coalesce(
  (select max(step) from ${orderHistory} p where p.order_id = ${orders.id} and p.state <> ${orders.state}), 0))`;
// Scalar subqueries with a limit, not `exists`: PostgreSQL would read all seals or the whole history once per page and hash them.
const hasSeal = sql`coalesce((select true from ${orderSeals} where order_id = ${orders.id} and removed_at is null limit 1), false)`;
/** Staff has decided about the money of the return, or it was refunded in full because the order had been cancelled. */
const isSettled = sql`coalesce((select true from ${orderHistory} h where h.order_id = ${orders.id} and (
  (h.event in ('refund', 'refund_part') and h.state in ('returning', 'returned'))
  or (h.event = 'start_return' and exists (
    select 1 from ${orderHistory} p where p.order_id = h.order_id and p.step = h.step - 1
      and p.state = 'cancellation_requested'))) limit 1), false)`;

/** The same reasons as `waiting`, in SQL, and parcels that the carrier refused. */
const problemOf = ({ now, returnDays, refusedParcels }: ListScope): SQL<OrderProblem | null> => sql`case
  when ${orders.state} = 'cancellation_requested' then 'cancellation'
  when ${orders.refundAfterRecall} is not null or ${orders.changeAfterRecall} is not null then 'repacking'
  when ${orders.state} = 'returning' then
    case when ${stateSince} <= ${plus(now, -days(returnDays)).toISOString()}::timestamptz then 'return_late' else 'returning' end
  when ${inArray(orders.state, [...sealableStates])} and ${orders.id} in (${refusedParcels}) then 'parcel_refused'
  when ${inArray(orders.state, [...sealableStates])} and ${orders.deliveryId} <> ${deliveryMethods.office.id} and not ${hasSeal}
    then 'unsealed'
  when ${orders.state} = 'returned' and ${orders.refundedKopecks} < ${orders.paidKopecks} and not ${isSettled} then 'unsettled'
  end`;

/** Includes orders that are paid on collection, whose reservation ends too. The counts of «Ждёт» use the same condition. */
const isUnpaid = inArray(orders.state, [...unpaidStates]);

const isUndelivered = ({ undelivered }: ListScope): SQL => sql`${orders.id} in (${undelivered})`;

/** The problem of a row: that of the order, else a message that did not reach the buyer. */
const rowProblemOf = (scope: ListScope): SQL<ListProblem | null> =>
  sql`coalesce(${problemOf(scope)}, case when ${isUndelivered(scope)} then 'message_failed' end)`;

/** A message can fail for an order in any state, so neither the view of problems nor its index applies. */
function problemCondition({ view, problem }: ListFilter, scope: ListScope): SQL | undefined {
  if (problem === "message_failed") return and(view === "problem" ? undefined : viewCondition(view, scope), isUndelivered(scope));
  return and(viewCondition(view, scope), problem && and(isWatched, eq(problemOf(scope), problem)));
}

function viewCondition(view: ListView, scope: ListScope): SQL | undefined {
  switch (view) {
    case "all":
      return undefined;
    case "to_pack":
      return inArray(orders.state, ["paid", "placed"]);
    case "unpaid":
      return isUnpaid;
    case "problem":
      return and(isWatched, isNotNull(problemOf(scope)));
    case "today":
      return gte(orders.createdAt, scope.today);
    case "mine":
      return eq(orders.assignee, scope.login);
  }
}

/** Everything of the filter but its text. */
const filterCondition = (filter: ListFilter, scope: ListScope): SQL | undefined =>
  and(
    problemCondition(filter, scope),
    filter.states && inArray(orders.state, [...filter.states]),
    filter.deliveryIds && inArray(orders.deliveryId, [...filter.deliveryIds]),
    filter.paymentMethodIds && inArray(orders.paymentMethodId, [...filter.paymentMethodIds]),
    filter.sumFrom === undefined ? undefined : gte(orders.totalKopecks, filter.sumFrom),
    filter.sumTo === undefined ? undefined : lte(orders.totalKopecks, filter.sumTo),
    filter.from && gte(orders.createdAt, filter.from),
    filter.before && lt(orders.createdAt, filter.before),
    filter.assignee === undefined ? undefined : filter.assignee === null ? isNull(orders.assignee) : eq(orders.assignee, filter.assignee),
  );

const linesOf = sql<{ titles: string[]; coins: number; pieces: number }>`(select json_build_object(
  'titles', coalesce((array_agg(title order by position) filter (where quantity > dropped))[1:2], '{}'),
  'coins', count(*) filter (where quantity > dropped), 'pieces', sum(quantity - dropped))
  from ${orderLines} where order_id = ${orders.id})`;

const columnsOf = (scope: ListScope) => ({
  id: orders.id,
  number: orders.number,
  createdAt: orders.createdAt,
  state: orders.state,
  user: orders.user,
  total: orders.totalKopecks,
  paid: orders.paidKopecks,
  refunded: orders.refundedKopecks,
  deliveryId: orders.deliveryId,
  delivery: orders.delivery,
  paymentMethodId: orders.paymentMethodId,
  reservedUntil: orders.reservedUntil,
  paidAt: orders.paidAt,
  assignee: orders.assignee,
  revision: orders.revision,
  problem: rowProblemOf(scope),
  lines: linesOf,
});

/**
 * A page of orders and one more, as the list has them for `older`, the other way round for `newer`. Newest first; of unpaid orders those
 * first whose reservation ends first (`placeOf`). One statement.
 */
export async function page(
  db: Db,
  filter: ListFilter,
  { direction, cursor }: OrderListPage,
  scope: ListScope,
  ids: readonly string[] | null,
): Promise<ListRow[]> {
  const found = await db
    .select(columnsOf(scope))
    .from(orders)
    .where(and(filterCondition(filter, scope), placeCondition(filter.view, { direction, cursor }), ids ? idCondition(ids) : undefined))
    .orderBy(...orderOf(filter.view, direction))
    .limit(pageSize + 1);
  return found.map(toRow);
}

const idCondition = (ids: readonly string[]): SQL => (ids.length === 0 ? sql`false` : inArray(orders.id, [...ids]));

/** The time by which a view is sorted; the same as `at` of `placeOf`. */
const timeOf = (view: ListView): SQL =>
  view === "unpaid" ? sql`coalesce(${orders.reservedUntil}, ${orders.createdAt})` : sql`${orders.createdAt}`;
/** Whether a page in this direction begins with the latest time. */
const isDescending = (view: ListView, direction: OrderListPage["direction"]): boolean => (direction === "older") !== (view === "unpaid");

function orderOf(view: ListView, direction: OrderListPage["direction"]): SQL[] {
  const to = isDescending(view, direction) ? desc : asc;
  return [to(timeOf(view)), to(orders.id)];
}

function placeCondition(view: ListView, { direction, cursor }: OrderListPage): SQL | undefined {
  if (!cursor) return undefined;
  const sign = isDescending(view, direction) ? sql`<` : sql`>`;
  return sql`(${timeOf(view)}, ${orders.id}) ${sign} (${cursor.at.toISOString()}::timestamptz, ${cursor.id})`;
}

/** These orders as rows of the list, in no particular order. */
export async function rowsByIds(db: Db, ids: readonly string[], scope: ListScope): Promise<ListRow[]> {
  if (ids.length === 0) return [];
  const found = await db
    .select(columnsOf(scope))
    .from(orders)
    .where(inArray(orders.id, [...ids]));
  return found.map(toRow);
}

/** The number of orders in each view; counting stops at `countLimit`. One statement. */
export async function countViews(db: Db, scope: ListScope): Promise<Record<ListView, number>> {
  const counts = Object.fromEntries(
    listViews.map((view) => {
      const some = db
        .select({ one: sql`1` })
        .from(orders)
        .where(viewCondition(view, scope))
        .limit(countLimit)
        .as("some");
      return [view, sql<number>`(select count(*)::int from ${some})`];
    }),
  ) as Record<ListView, SQL<number>>;
  const [row] = await db.select(counts).from(sql`(select 1) as one`);
  if (!row) throw new Error("a query of counts answered no row");
  return row;
}

/** The number of orders with each problem, and since when the oldest of them waits. One statement. */
export async function countProblems(
  db: Db,
  scope: ListScope,
): Promise<{ problem: OrderProblem; count: number; since: Date; assignees: string[] }[]> {
  // The limit keeps PostgreSQL from computing the problem of an order once in each place that names it.
  const watched = db
    .select({ id: orders.id, state: orders.state, assignee: orders.assignee, problem: problemOf(scope).as("problem") })
    .from(orders)
    .where(isWatched)
    .limit(1_000_000)
    .as("orders");
  const found = await db
    .select({
      problem: watched.problem,
      count: sql<number>`count(*)::int`,
      since: sql<string>`min(${stateSince})`,
      assignees: assigneesOf(watched.assignee),
    })
    .from(watched)
    .where(isNotNull(watched.problem))
    .groupBy(watched.problem);
  return found.flatMap(({ problem, since, ...counts }) => (problem ? [{ ...counts, problem, since: new Date(since) }] : []));
}

/** The logins in a column of the counted rows, each once, in the order of the alphabet. */
const assigneesOf = (column: SQLWrapper) =>
  sql<string[]>`coalesce(json_agg(distinct ${column} order by ${column}) filter (where ${column} is not null), '[]')`;

/**
 * How many orders wait to be packed and since when, and how many unpaid reservations end before `soon`, the first of them when; with the
 * logins of their assignees. Counting stops at `countLimit`.
 */
export async function countWork(
  db: Db,
  soon: Date,
): Promise<{
  toPack: number;
  toPackSince: Date | null;
  toPackAssignees: string[];
  ending: number;
  endingAt: Date | null;
  endingAssignees: string[];
}> {
  const toPack = db
    .select({ at: sql<string>`coalesce(${orders.paidAt}, ${orders.createdAt})`.as("at"), assignee: orders.assignee })
    .from(orders)
    .where(inArray(orders.state, ["paid", "placed"]))
    .limit(countLimit)
    .as("to_pack");
  const ending = db
    .select({ at: sql<string>`${orders.reservedUntil}`.as("at"), assignee: orders.assignee })
    .from(orders)
    .where(and(isUnpaid, lte(orders.reservedUntil, soon)))
    .limit(countLimit)
    .as("ending");
  const packing = db
    .select({
      toPack: sql<number>`count(*)::int`.as("to_pack_count"),
      toPackSince: sql<string | null>`min(${toPack.at})`.as("to_pack_since"),
      toPackAssignees: assigneesOf(toPack.assignee).as("to_pack_assignees"),
    })
    .from(toPack)
    .as("packing");
  const reserved = db
    .select({
      ending: sql<number>`count(*)::int`.as("ending_count"),
      endingAt: sql<string | null>`min(${ending.at})`.as("ending_at"),
      endingAssignees: assigneesOf(ending.assignee).as("ending_assignees"),
    })
    .from(ending)
    .as("reserved");
  const [row] = await db
    .select({
      toPack: packing.toPack,
      toPackSince: packing.toPackSince,
      toPackAssignees: packing.toPackAssignees,
      ending: reserved.ending,
      endingAt: reserved.endingAt,
      endingAssignees: reserved.endingAssignees,
    })
    .from(packing)
    .crossJoin(reserved);
  if (!row) throw new Error("a query of counts answered no row");
  const dateOf = (at: string | null): Date | null => (at === null ? null : new Date(at));
  return { ...row, toPackSince: dateOf(row.toPackSince), endingAt: dateOf(row.endingAt) };
}

type Found = Awaited<ReturnType<typeof select>>[number];
/** Not called: its return type is that of the rows. */
const select = (db: Db, scope: ListScope) => db.select(columnsOf(scope)).from(orders);

function toRow({ user, delivery, lines, paidAt, ...row }: Found): ListRow {
  const { name, lastName, phone } = recipientSchema.parse(user);
  const snapshot = deliverySnapshotSchema.parse(delivery);
  const state = row.state as OrderState;
  const isOnItsWay = state === "paid" || state === "assembled" || state === "shipped";
  return {
    ...row,
    state,
    buyer: { name, lastName, phone },
    titles: lines.titles,
    coins: lines.coins,
    pieces: lines.pieces,
    total: kopecks(row.total),
    paid: kopecks(row.paid),
    refunded: kopecks(row.refunded),
    cityName: snapshot.cityName,
    promisedBy: isOnItsWay ? (arrivalSpan(paidAt ?? row.createdAt, snapshot)?.last ?? null) : null,
    trackingNumber: null,
  };
}

/** The orders in which a text is searched, and the order and the largest number of those that are found. */
export type TextScope = { where: SQL | undefined; order: SQL[]; limit: number };
/** Searches all orders; the newest are found. */
export const amongAll: TextScope = { where: undefined, order: [desc(orders.createdAt), desc(orders.id)], limit: 200 };
/** Searches the orders of a page and those after it, with all conditions of the list, so that what is found is the page itself. */
export const amongPage = (filter: ListFilter, page: OrderListPage, scope: ListScope): TextScope => ({
  where: and(filterCondition(filter, scope), placeCondition(filter.view, page)),
  order: orderOf(filter.view, page.direction),
  limit: pageSize + 1,
});

/** Orders by number. */
export const idsByNumber = (db: Db, number: number, among: TextScope): Promise<string[]> => ids(db, eq(orders.number, number), among);

/** Orders whose phone contains these digits (four or more). Uses `orders_by_phone_part`. */
export function idsByPhone(db: Db, digits: string, among: TextScope): Promise<string[]> {
  const parts = Array.from({ length: digits.length - 3 }, (_, at) => digits.slice(at, at + 4));
  return ids(
    db,
    and(sql`${phoneParts(orders.user)} @> ${sql.param(parts)}::text[]`, sql`${orders.user} ->> 'phone' like ${`%${digits}%`}`),
    among,
  );
}

/** Orders of buyers with these words at the beginning of their last and first names. The words are folded. */
export function idsByName(db: Db, words: readonly string[], among: TextScope): Promise<string[]> {
  const [lastName, firstName] = [foldedName(orders.user, "lastName"), foldedName(orders.user, "name")];
  const starts = (column: SQL, word: string): SQL => sql`${column} like ${`${word.replaceAll(/[\\%_]/g, (sign) => `\\${sign}`)}%`}`;
  const [first = "", second] = words;
  if (second === undefined) return ids(db, or(starts(lastName, first), starts(firstName, first)), among);
  const isBoth = or(and(starts(lastName, first), starts(firstName, second)), and(starts(lastName, second), starts(firstName, first)));
  return ids(db, isBoth, among);
}

async function ids(db: Db, isFound: SQL | undefined, { where, order, limit }: TextScope): Promise<string[]> {
  const found = await db
    .select({ id: orders.id })
    .from(orders)
    .where(and(isFound, where))
    .orderBy(...order)
    .limit(limit);
  return found.map(({ id }) => id);
}
