import type { Db } from "#kit/db.ts";
import { foldedText } from "#kit/text/folded-text.ts";
import { fromMoscow, moscow } from "#kit/moscow-time.ts";
import { minutes, plus } from "#kit/time.ts";
import type { Ctx } from "#shop/context.ts";
import * as shipping from "#shop/delivery/shipping.service.ts";
import * as notifications from "#shop/notifications/service.ts";
import {
  pageSize,
  placeOf,
  type ListFilter,
  type OrderListPage,
  type ListResult,
  type ListRow,
  type ListView,
  type OrderProblem,
} from "./order-list.ts";
import * as rows from "./order-list.repository.ts";

/**
 * A page of orders for staff, newest first, or by the end of the reservation (`placeOf`): two statements, three with a text. Checks no
 * rights.
 */
export async function list(ctx: Ctx, login: string, filter: ListFilter, page: OrderListPage): Promise<ListResult> {
  const text = filter.text?.trim() ?? "";
  const scope = scopeOf(ctx, login);
  const ids = text === "" ? null : await idsByText(ctx.db, text, rows.amongPage(filter, page, scope));
  const found = await rows.page(ctx.db, filter, page, scope, ids);
  const shown = found.slice(0, pageSize);
  const isOlder = page.direction === "older";
  const listed = isOlder ? shown : shown.toReversed();
  const [first, last] = [listed[0], listed.at(-1)];
  const hasOlder = isOlder ? found.length > pageSize : page.cursor !== null;
  const hasNewer = isOlder ? page.cursor !== null : found.length > pageSize;
  // The cursors of an empty page are the cursor of its request, so that the other direction can be opened.
  return {
    rows: await withTracking(ctx.db, listed),
    older: hasOlder ? (last ? placeOf(filter.view, last) : page.cursor) : null,
    newer: hasNewer ? (first ? placeOf(filter.view, first) : page.cursor) : null,
  };
}

/** How many orders each view has; counting stops at `countLimit`. */
export const countViews = (ctx: Ctx, login: string): Promise<Record<ListView, number>> => rows.countViews(ctx.db, scopeOf(ctx, login));

/** What waits among the orders: to be packed, unpaid with a reservation that ends soon, and each problem with its oldest order. */
export async function countWaiting(
  ctx: Ctx,
): Promise<
  Partial<Record<OrderProblem | "to_pack" | "unpaid", { count: number; since: Date | null; dueAt?: Date | null; assignees: string[] }>>
> {
  const soon = plus(ctx.now(), minutes(ctx.settings.limits.unpaidSoonMinutes));
  const [work, problems] = await Promise.all([rows.countWork(ctx.db, soon), rows.countProblems(ctx.db, scopeOf(ctx, ""))]);
  return {
    to_pack: { count: work.toPack, since: work.toPackSince, assignees: work.toPackAssignees },
    unpaid: { count: work.ending, since: null, dueAt: work.endingAt, assignees: work.endingAssignees },
    ...Object.fromEntries(problems.map(({ problem, ...counts }) => [problem, counts])),
  };
}

/** These orders as rows of the list, in the order of the ids. */
export async function rowsByIds(ctx: Ctx, ids: readonly string[]): Promise<ListRow[]> {
  const found = new Map((await rows.rowsByIds(ctx.db, ids, scopeOf(ctx, ""))).map((row) => [row.id, row]));
  return withTracking(
    ctx.db,
    ids.flatMap((id) => found.get(id) ?? []),
  );
}

/** The values that the conditions of the list need; `login`: whose orders the view `mine` shows. `today`: its start in Moscow. */
function scopeOf(ctx: Ctx, login: string): rows.ListScope {
  const now = ctx.now();
  return {
    now,
    login,
    today: fromMoscow(moscow(now).date),
    returnDays: ctx.settings.limits.returnDays,
    refusedParcels: shipping.refusedParcelIds(),
    undelivered: notifications.undeliveredOrderIds(now),
  };
}

async function withTracking(db: Db, found: readonly ListRow[]): Promise<ListRow[]> {
  const parcels = await shipping.shipments(
    db,
    found.map(({ id }) => id),
  );
  const numberOf = new Map(parcels.map(({ orderId, trackingNumber }) => [orderId, trackingNumber]));
  return found.map((row) => ({ ...row, trackingNumber: numberOf.get(row.id) ?? null }));
}

/**
 * The orders that a text means: a number, a part of the phone (four digits or more), the beginnings of first and last name, or a tracking
 * number. Newest first, at most 200 of each kind, unless `among` names other orders.
 */
export async function idsByText(db: Db, text: string, among: rows.TextScope = rows.amongAll): Promise<string[]> {
  const digits = text.replaceAll(/[\s()+-]/g, "");
  if (/^№?\d+$/.test(digits)) {
    const number = digits.replace("№", "");
    const found = [
      ...(number.length <= 12 ? await rows.idsByNumber(db, Number(number), among) : []),
      ...(await shipping.orderIdsByTrackingNumber(db, number)),
      ...(isPhonePart(number) ? await rows.idsByPhone(db, normalised(number), among) : []),
    ];
    return [...new Set(found)];
  }
  const byTracking = /\d/.test(text) ? await shipping.orderIdsByTrackingNumber(db, text.trim()) : [];
  const words = foldedText(text)
    .split(/\s+/)
    .filter((word) => word !== "")
    .slice(0, 2);
  return [...new Set([...byTracking, ...(words.length === 0 ? [] : await rows.idsByName(db, words, among))])];
}

const isPhonePart = (digits: string): boolean => digits.length >= 4 && digits.length <= 11;
/** A whole phone that begins with 8 is stored with 7. */
const normalised = (digits: string): string => (digits.length === 11 && digits.startsWith("8") ? `7${digits.slice(1)}` : digits);
