import { and, asc, count, desc, eq, gt, inArray, isNull, lt, sql, type SQL } from "drizzle-orm";
import * as z from "zod";
import { chunks } from "#kit/concurrency/chunks.ts";
import type { Db, IdQuery, Tx } from "#kit/db.ts";
import type { Kopecks } from "#kit/money.ts";
import {
  accountingCalls as calls,
  accountingDocuments as documents,
  accountingFiles as files,
  accountingGoods as goods,
  accountingOrders as sent,
  accountingSessions as sessions,
} from "../tables.ts";
import type { AccountingDocument, SessionType, Verdict } from "./accounting.ts";

const offeredSchema = z.array(z.object({ id: z.string(), revision: z.number() })).nullable();
export type Offered = { id: string; revision: number };
export type ExchangeSession = { tokenHash: string; type: SessionType; version: string | null; offered: Offered[] | null };

/* Sessions and their files */

/** Begins a session; earlier ones of its type end, with their files. */
export async function startSession(tx: Tx, tokenHash: string, type: SessionType, at: Date): Promise<void> {
  await tx.delete(sessions).where(eq(sessions.type, type));
  await tx.insert(sessions).values({ tokenHash, type, startedAt: at, seenAt: at });
}

/** A session that was seen after a time; it is marked as seen. */
export async function useSession(db: Db, tokenHash: string, { after, at }: { after: Date; at: Date }): Promise<ExchangeSession | null> {
  const [row] = await db
    .update(sessions)
    .set({ seenAt: at })
    .where(and(eq(sessions.tokenHash, tokenHash), gt(sessions.seenAt, after)))
    .returning();
  return row ? { tokenHash, type: row.type as SessionType, version: row.version, offered: offeredSchema.parse(row.offered) } : null;
}

/** Locks a session until the transaction ends; false: it has ended. */
export async function lockSession(tx: Tx, tokenHash: string): Promise<boolean> {
  const found = await tx.select({ hash: sessions.tokenHash }).from(sessions).where(eq(sessions.tokenHash, tokenHash)).for("update");
  return found.length > 0;
}

/** Deletes the files of a session that begins again, and stores the version that its client names. */
export async function restart(tx: Tx, tokenHash: string, version: string | null): Promise<void> {
  await tx.delete(files).where(eq(files.tokenHash, tokenHash));
  await tx.update(sessions).set({ version }).where(eq(sessions.tokenHash, tokenHash));
}

export async function saveOffered(db: Db, tokenHash: string, offered: readonly Offered[]): Promise<void> {
  await db.update(sessions).set({ offered }).where(eq(sessions.tokenHash, tokenHash));
}

/** Bytes of all files of a session. The caller has locked the session. */
export async function storedBytes(tx: Tx, tokenHash: string): Promise<number> {
  const [row] = await tx
    .select({ bytes: sql<string>`coalesce(sum(octet_length(${files.bytes})), 0)` })
    .from(files)
    .where(eq(files.tokenHash, tokenHash));
  return Number(row?.bytes ?? 0);
}

export async function addPart(tx: Tx, tokenHash: string, name: string, bytes: Buffer): Promise<void> {
  const [row] = await tx
    .select({ part: sql<number>`coalesce(max(${files.part}), 0)` })
    .from(files)
    .where(and(eq(files.tokenHash, tokenHash), eq(files.name, name)));
  await tx.insert(files).values({ tokenHash, name, part: (row?.part ?? 0) + 1, bytes });
}

export type FileState = { name: string; isDone: boolean };
export async function filesOf(db: Db, tokenHash: string): Promise<FileState[]> {
  const found = await db
    .select({ name: files.name, isDone: sql<boolean>`bool_or(${files.doneAt} is not null)` })
    .from(files)
    .where(eq(files.tokenHash, tokenHash))
    .groupBy(files.name)
    .orderBy(files.name);
  return found;
}

export async function contentOf(db: Db, tokenHash: string, name: string): Promise<Buffer> {
  const parts = await db
    .select({ bytes: files.bytes })
    .from(files)
    .where(and(eq(files.tokenHash, tokenHash), eq(files.name, name)))
    .orderBy(asc(files.part));
  return Buffer.concat(parts.map(({ bytes }) => bytes));
}

export async function markDone(tx: Tx, tokenHash: string, name: string, at: Date): Promise<void> {
  await tx
    .update(files)
    .set({ doneAt: at })
    .where(and(eq(files.tokenHash, tokenHash), eq(files.name, name)));
}

/* Goods */

export type AccountingGood = typeof goods.$inferSelect;
export type SeenGood = {
  guid: string;
  article: string;
  name: string;
  isDeleted: boolean;
  coinId: number | null;
  /** Null: the file says nothing about it. */
  quantity: number | null;
  price: Kopecks | null;
};

/** Adds goods and updates what they are called and offered at; a coin once chosen stays, and so does an offer without a newer one. */
export async function saveGoods(tx: Tx, list: readonly SeenGood[], at: Date): Promise<void> {
  for (const some of chunks(list, 2_000))
    await tx
      .insert(goods)
      .values(
        some.map(({ price, ...good }) => ({
          ...good,
          seenAt: at,
          quantityAt: good.quantity === null ? null : at,
          priceKopecks: price,
          priceAt: price === null ? null : at,
          ...(good.coinId === null ? {} : { mappedAt: at, mappedBy: "exchange" }),
        })),
      )
      .onConflictDoUpdate({
        target: goods.guid,
        set: {
          article: sql`case when excluded.article = '' then ${goods.article} else excluded.article end`,
          name: sql`case when excluded.name = '' then ${goods.name} else excluded.name end`,
          isDeleted: sql`excluded.is_deleted`,
          seenAt: sql`excluded.seen_at`,
          coinId: sql`coalesce(${goods.coinId}, case when ${goods.isIgnored} then null else excluded.coin_id end)`,
          mappedAt: sql`coalesce(${goods.mappedAt}, excluded.mapped_at)`,
          mappedBy: sql`coalesce(${goods.mappedBy}, excluded.mapped_by)`,
          quantity: sql`coalesce(excluded.quantity, ${goods.quantity})`,
          quantityAt: sql`coalesce(excluded.quantity_at, ${goods.quantityAt})`,
          quantityCheck: sql`case when excluded.quantity is null then ${goods.quantityCheck} end`,
          priceKopecks: sql`coalesce(excluded.price_kopecks, ${goods.priceKopecks})`,
          priceAt: sql`coalesce(excluded.price_at, ${goods.priceAt})`,
          priceCheck: sql`case when excluded.price_kopecks is null then ${goods.priceCheck} end`,
        },
      });
}

/** The coins of goods by their ids there; goods without a coin are absent. */
export async function coinsByGuid(db: Db, guids: readonly string[]): Promise<Map<string, number>> {
  const found = new Map<string, number>();
  for (const some of chunks(guids, 10_000)) {
    const rows = await db.select({ guid: goods.guid, coinId: goods.coinId }).from(goods).where(inArray(goods.guid, some));
    for (const { guid, coinId } of rows) if (coinId !== null) found.set(guid, coinId);
  }
  return found;
}

/** The good of each coin, the one seen last. */
export async function guidsByCoin(db: Db, coinIds: readonly number[]): Promise<Map<number, string>> {
  if (coinIds.length === 0) return new Map();
  const rows = await db
    .select({ guid: goods.guid, coinId: goods.coinId })
    .from(goods)
    .where(and(inArray(goods.coinId, [...coinIds]), eq(goods.isDeleted, false)))
    .orderBy(asc(goods.seenAt), asc(goods.guid));
  return new Map(rows.flatMap(({ guid, coinId }) => (coinId === null ? [] : [[coinId, guid]])));
}

export type GoodsShown = "unknown" | "known" | "ignored";
const shownWhere: Record<GoodsShown, SQL | undefined> = {
  unknown: and(isNull(goods.coinId), eq(goods.isIgnored, false)),
  known: sql`${goods.coinId} is not null`,
  ignored: eq(goods.isIgnored, true),
};

export const goodsPage = (db: Db, shown: GoodsShown, after: string, limit: number): Promise<AccountingGood[]> =>
  db
    .select()
    .from(goods)
    .where(and(shownWhere[shown], gt(goods.guid, after)))
    .orderBy(asc(goods.guid))
    .limit(limit);

export async function countUnknown(db: Db, limit: number): Promise<number> {
  const some = db.select({ guid: goods.guid }).from(goods).where(shownWhere.unknown).limit(limit).as("some");
  const [row] = await db.select({ n: count() }).from(some);
  return row?.n ?? 0;
}

/** Changes the coin of a good and returns the good as it was; null: there is none. With another coin no import holds its offers. */
export async function mapGood(
  tx: Tx,
  guid: string,
  { coinId, isIgnored, at, by }: { coinId: number | null; isIgnored: boolean; at: Date; by: string },
): Promise<AccountingGood | null> {
  const [before] = await tx.select().from(goods).where(eq(goods.guid, guid)).for("update");
  if (!before) return null;
  const isOther = before.coinId !== coinId;
  await tx
    .update(goods)
    .set({ coinId, isIgnored, mappedAt: at, mappedBy: by, ...(isOther ? { quantityCheck: null, priceCheck: null } : {}) })
    .where(eq(goods.guid, guid));
  return before;
}

/* Orders */

/** The pairs `(order_id, revision)` that were confirmed, for the query of another module. */
export const sentOrders: IdQuery = sql`${sent}`;

export async function saveSent(tx: Tx, list: readonly Offered[], at: Date): Promise<void> {
  if (list.length === 0) return;
  await tx
    .insert(sent)
    .values(list.map(({ id, revision }) => ({ orderId: id, revision, sentAt: at })))
    .onConflictDoUpdate({ target: sent.orderId, set: { revision: sql`excluded.revision`, sentAt: sql`excluded.sent_at` } });
}

export async function saveDocuments(
  tx: Tx,
  list: readonly (Omit<AccountingDocument, "orderIds"> & { orderId: string | null })[],
  at: Date,
): Promise<void> {
  const byGuid = [...new Map(list.map((each) => [each.guid, each])).values()];
  for (const some of chunks(byGuid, 2_000))
    await tx
      .insert(documents)
      .values(some.map(({ amount, ...each }) => ({ ...each, amountKopecks: amount, receivedAt: at })))
      .onConflictDoUpdate({
        target: documents.guid,
        set: {
          orderId: sql`excluded.order_id`,
          number: sql`excluded.number`,
          operation: sql`excluded.operation`,
          date: sql`excluded.date`,
          amountKopecks: sql`excluded.amount_kopecks`,
          isPosted: sql`excluded.is_posted`,
          isDeleted: sql`excluded.is_deleted`,
          details: sql`excluded.details`,
          receivedAt: sql`excluded.received_at`,
        },
      });
}

export type StoredDocument = Omit<typeof documents.$inferSelect, "details"> & { details: Record<string, string> };
export async function newestDocuments(db: Db, limit: number): Promise<StoredDocument[]> {
  const rows = await db.select().from(documents).orderBy(desc(documents.receivedAt), asc(documents.guid)).limit(limit);
  return rows.map((row) => ({ ...row, details: z.record(z.string(), z.string()).parse(row.details) }));
}

/* Calls */

export type AccountingCall = { id: number; at: Date; type: string; mode: string; outcome: Verdict["verdict"]; detail: string };

export async function addCall(db: Db, call: Omit<AccountingCall, "id">): Promise<void> {
  await db.insert(calls).values(call);
}

export async function newestCalls(db: Db, limit: number): Promise<AccountingCall[]> {
  const rows = await db.select().from(calls).orderBy(desc(calls.id)).limit(limit);
  return rows.map((row) => ({ ...row, outcome: row.outcome as AccountingCall["outcome"] }));
}

/** Deletes sessions and calls that are older than these times. */
export async function forget(db: Db, { sessionsBefore, callsBefore }: { sessionsBefore: Date; callsBefore: Date }): Promise<void> {
  await db.delete(sessions).where(lt(sessions.seenAt, sessionsBefore));
  await db.delete(calls).where(lt(calls.at, callsBefore));
}
