import { and, asc, count, desc, eq, gt, inArray, lt, max, ne, sql } from "drizzle-orm";
import { z } from "zod";
import type { Db, Tx } from "#kit/db.ts";
import { orderComments, orderHistory, orderPresence, orders, staffViews } from "../tables.ts";
import type { HistoryEntry } from "../order.ts";
import type { SavedView } from "./order-list.ts";

export type Comment = { id: number; at: Date; author: string; text: string };

export async function addComment(tx: Tx, orderId: string, { at, author, text }: Omit<Comment, "id">): Promise<Comment> {
  const [row] = await tx.insert(orderComments).values({ orderId, at, author, text }).returning();
  if (!row) throw new Error("the insert into order_comments returned no row");
  return { id: row.id, at, author, text };
}

/** The comments of an order, oldest first. */
export const comments = (db: Db, orderId: string): Promise<Comment[]> =>
  db
    .select({ id: orderComments.id, at: orderComments.at, author: orderComments.author, text: orderComments.text })
    .from(orderComments)
    .where(eq(orderComments.orderId, orderId))
    .orderBy(asc(orderComments.id));

/** Comments may name the buyer: they go with the personal data of the order. */
export async function deleteComments(tx: Tx, orderId: string): Promise<void> {
  await tx.delete(orderComments).where(eq(orderComments.orderId, orderId));
}

/** The history with its actors, oldest first; the actor of old entries is null. */
export async function historyWithActors(db: Db, orderId: string): Promise<(HistoryEntry & { actor: string | null })[]> {
  const found = await db
    .select({ event: orderHistory.event, state: orderHistory.state, at: orderHistory.at, actor: orderHistory.actor })
    .from(orderHistory)
    .where(eq(orderHistory.orderId, orderId))
    .orderBy(asc(orderHistory.step));
  return found as (HistoryEntry & { actor: string | null })[];
}

/** Orders that add coins to this one, oldest first. */
export const linkedTo = (db: Db, orderId: string): Promise<{ id: string; number: number }[]> =>
  db.select({ id: orders.id, number: orders.number }).from(orders).where(eq(orders.linkedOrderId, orderId)).orderBy(asc(orders.createdAt));

export async function savePresence(db: Db, orderId: string, who: { login: string; name: string }, at: Date): Promise<void> {
  await db
    .insert(orderPresence)
    .values({ orderId, ...who, seenAt: at })
    .onConflictDoUpdate({ target: [orderPresence.orderId, orderPresence.login], set: { seenAt: at, name: who.name } });
}

/** The others who have the order open since `after`. */
export const present = (
  db: Db,
  orderId: string,
  { login, after }: { login: string; after: Date },
): Promise<{ login: string; name: string }[]> =>
  db
    .select({ login: orderPresence.login, name: orderPresence.name })
    .from(orderPresence)
    .where(and(eq(orderPresence.orderId, orderId), ne(orderPresence.login, login), gt(orderPresence.seenAt, after)))
    .orderBy(asc(orderPresence.name));

export async function deletePresence(db: Db, before: Date): Promise<void> {
  await db.delete(orderPresence).where(lt(orderPresence.seenAt, before));
}

/** The revision of an order, and how many comments it has, which make no revision; null: there is no such order. */
export async function versionOf(db: Db, orderId: string): Promise<{ revision: number; comments: number } | null> {
  const [found] = await db
    .select({ revision: orders.revision, comments: count(orderComments.id) })
    .from(orders)
    .leftJoin(orderComments, eq(orderComments.orderId, orders.id))
    .where(eq(orders.id, orderId))
    .groupBy(orders.id);
  return found ?? null;
}

export const orderExists = async (db: Db, orderId: string): Promise<boolean> =>
  (await db.select({ id: orders.id }).from(orders).where(eq(orders.id, orderId))).length > 0;

const savedFilter = z.record(z.string(), z.string());
const savedColumns = z.array(z.string());

export async function views(db: Db, login: string): Promise<SavedView[]> {
  const found = await db.select().from(staffViews).where(eq(staffViews.login, login)).orderBy(asc(staffViews.position), asc(staffViews.id));
  return found.map(({ id, name, filter, columns }) => ({
    id,
    name,
    filter: savedFilter.parse(filter),
    columns: savedColumns.parse(columns),
  }));
}

/** Adds a view at the end; null: the member of staff has one of this name. */
export async function addView(tx: Tx, login: string, view: Omit<SavedView, "id">): Promise<number | null> {
  const [last] = await tx
    .select({ position: max(staffViews.position) })
    .from(staffViews)
    .where(eq(staffViews.login, login));
  const [row] = await tx
    .insert(staffViews)
    .values({ login, ...view, position: (last?.position ?? 0) + 1 })
    .onConflictDoNothing({ target: [staffViews.login, staffViews.name] })
    .returning({ id: staffViews.id });
  return row?.id ?? null;
}

export const isNameTaken = async (tx: Tx, login: string, name: string, exceptId: number): Promise<boolean> =>
  (
    await tx
      .select({ id: staffViews.id })
      .from(staffViews)
      .where(and(eq(staffViews.login, login), eq(staffViews.name, name), ne(staffViews.id, exceptId)))
  ).length > 0;

/** Changes an own view; false: there is none. */
export async function saveView(tx: Tx, login: string, id: number, change: Partial<Omit<SavedView, "id">>): Promise<boolean> {
  const changed = await tx
    .update(staffViews)
    .set(change)
    .where(and(eq(staffViews.login, login), eq(staffViews.id, id)))
    .returning({ id: staffViews.id });
  return changed.length > 0;
}

/** Deletes an own view; false: there is none. */
export async function deleteView(tx: Tx, login: string, id: number): Promise<boolean> {
  const deleted = await tx
    .delete(staffViews)
    .where(and(eq(staffViews.login, login), eq(staffViews.id, id)))
    .returning({ id: staffViews.id });
  return deleted.length > 0;
}

/** Puts the own views into this order; views that are not named follow. */
export async function orderViews(tx: Tx, login: string, ids: readonly number[]): Promise<void> {
  const known = await tx
    .select({ id: staffViews.id })
    .from(staffViews)
    .where(and(eq(staffViews.login, login), ids.length > 0 ? inArray(staffViews.id, [...ids]) : sql`false`))
    .orderBy(desc(staffViews.id))
    .for("update");
  const own = new Set(known.map(({ id }) => id));
  const named = ids.filter((id) => own.has(id));
  for (const [index, id] of named.entries())
    await tx
      .update(staffViews)
      .set({ position: index - named.length })
      .where(eq(staffViews.id, id));
}
