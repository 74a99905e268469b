import { and, asc, desc, eq, gt, isNotNull, isNull, like, lt, lte, ne, or, sql, type SQL } from "drizzle-orm";
import { batch, deleteInBatches, hasRow, insertRows, type QueryBatch, type Db, type Expression, type IdQuery, type Tx } from "#kit/db.ts";
import { days, minutes, plus } from "#kit/time.ts";
import type { MessageChannel, OutgoingMessage, SentMessage } from "./message.ts";
import { outbox } from "./tables.ts";

export type NewMessage = {
  channel: MessageChannel;
  kind: string;
  about: string;
  recipient: string;
  subject: string;
  text: string;
  html?: string;
  attachment?: string;
  unsubscribe?: string;
  origin?: string;
  orderId?: string;
};

/** Adds messages to the outbox; one that is already there (same subject, kind and channel) stays unchanged. */
export async function add(tx: Tx, messages: readonly NewMessage[], now: Date): Promise<void> {
  if (messages.length > 0) await insertMessages(tx, messages, now);
}

export const addBatch = (tx: Tx, messages: readonly NewMessage[], now: Date): QueryBatch<void> =>
  batch<unknown[], void>(messages.length === 0 ? [] : [insertMessages(tx, messages, now)], () => {});

const insertMessages = (tx: Tx, messages: readonly NewMessage[], now: Date) =>
  insertRows(
    tx,
    outbox,
    messages.map((message) => ({ ...message, createdAt: now, nextTryAt: now })),
    { skipExisting: true },
  );

const isDue = (now: Date) => and(isNull(outbox.sentAt), isNotNull(outbox.nextTryAt), lte(outbox.nextTryAt, now));

/**
 * An SMS that is with its provider is due in a hundred years: it waits, and no process sends it a second time. A claim that was made
 * `smsLease` ago and has no result belongs to a process that died.
 */
const farAway = (now: Date): Date => plus(now, days(36_500));
const smsLease = minutes(5);
const isLost = (now: Date) =>
  and(isNull(outbox.sentAt), gt(outbox.nextTryAt, plus(now, days(10_000))), lte(outbox.nextTryAt, plus(farAway(now), -smsLease)));

export const hasDue = (now: Date): Expression => hasRow(outbox, or(isDue(now), isLost(now)));

/** Gives up SMS whose process died while the provider had them, and returns them: after a crash no SMS is better than two. */
export async function giveUpLost(db: Db, now: Date): Promise<{ kind: string }[]> {
  return db.update(outbox).set({ nextTryAt: null }).where(isLost(now)).returning({ kind: outbox.kind });
}

/**
 * Claims due messages for sending, oldest first, skipping those of other processes. A letter is leased: it becomes due again if its result
 * is not recorded. An SMS is never claimed twice: see `giveUpLost`; the letter has the same content.
 */
export async function claimDue(db: Db, howMany: number, lease: { now: Date; until: Date }): Promise<OutgoingMessage[]> {
  const due = db
    .select({ id: outbox.id })
    .from(outbox)
    .where(isDue(lease.now))
    .orderBy(asc(outbox.nextTryAt), asc(outbox.id))
    .limit(howMany)
    .for("update", { skipLocked: true });
  const claimed = await db
    .update(outbox)
    .set({
      tries: sql`${outbox.tries} + 1`,
      nextTryAt: sql`case when ${outbox.channel} = 'sms' then ${farAway(lease.now).toISOString()}::timestamptz
        else ${lease.until.toISOString()}::timestamptz end`,
    })
    .where(sql`${outbox.id} = any(array(${due}))`)
    .returning();
  return claimed
    .sort((a, b) => a.id - b.id)
    .map((row) => ({
      id: row.id,
      channel: row.channel === "sms" ? "sms" : "email",
      kind: row.kind,
      recipient: row.recipient,
      subject: row.subject,
      text: row.text,
      html: row.html,
      attachment: row.attachment,
      unsubscribe: row.unsubscribe,
      createdAt: row.createdAt,
      tries: row.tries,
      about: row.about,
      origin: row.origin,
    }));
}

export async function markSent(db: Db, id: number, now: Date): Promise<void> {
  await db.update(outbox).set({ sentAt: now, nextTryAt: null }).where(eq(outbox.id, id));
}

/** Marks a message that a limit suppressed; it is never sent. */
export async function markSuppressed(db: Db, id: number, because: string, now: Date): Promise<void> {
  await db
    .update(outbox)
    .set({ suppressedAt: now, suppressedBecause: because, nextTryAt: null })
    .where(and(eq(outbox.id, id), isNull(outbox.sentAt)));
}

/** Whether messages about this subject were suppressed in this channel and none was sent. */
export async function isOnlySuppressed(db: Db, { about, channel }: { about: string; channel: MessageChannel }): Promise<boolean> {
  const [row] = await db
    .select({
      suppressed: sql<number>`(count(*) filter (where ${isNotNull(outbox.suppressedAt)}))::int`,
      sent: sql<number>`(count(*) filter (where ${isNotNull(outbox.sentAt)}))::int`,
    })
    .from(outbox)
    .where(and(eq(outbox.about, about), eq(outbox.channel, channel)));
  return row !== undefined && row.suppressed > 0 && row.sent === 0;
}

/** Schedules the next try; null: no more tries. */
export async function scheduleRetry(db: Db, id: number, at: Date | null): Promise<void> {
  await db
    .update(outbox)
    .set({ nextTryAt: at })
    .where(and(eq(outbox.id, id), isNull(outbox.sentAt)));
}

export async function erasePersonalData(db: Db, writtenBefore: Date): Promise<void> {
  await db
    .update(outbox)
    .set({ recipient: "", subject: "", text: "", html: null, unsubscribe: null, origin: null })
    .where(and(lt(outbox.createdAt, writtenBefore), isNull(outbox.nextTryAt), ne(outbox.recipient, "")));
}

/**
 * Deletes messages written before this moment that are sent, suppressed or given up. Those about orders stay: they belong to their history.
 */
export async function deleteSettled(db: Db, writtenBefore: Date): Promise<void> {
  const isOfOrder = or(isNotNull(outbox.orderId), like(outbox.about, "order:%"));
  await deleteInBatches(db, outbox, and(lt(outbox.createdAt, writtenBefore), isNull(outbox.nextTryAt), sql`not ${isOfOrder}`));
}

/** The messages about an order, newest first; those of earlier releases by their subject. */
export async function ofOrder(db: Db, orderId: string): Promise<SentMessage[]> {
  const found = await db
    .select()
    .from(outbox)
    .where(or(eq(outbox.orderId, orderId), eq(outbox.about, `order:${orderId}`)))
    .orderBy(desc(outbox.id));
  return found.map((row) => ({
    id: row.id,
    channel: row.channel === "sms" ? "sms" : "email",
    kind: row.kind,
    recipient: row.recipient,
    subject: row.subject,
    createdAt: row.createdAt,
    sentAt: row.sentAt,
    state: row.sentAt ? "sent" : row.suppressedAt ? "suppressed" : row.nextTryAt ? "waiting" : "failed",
  }));
}

/**
 * Messages about orders that were made since a moment, were given up and were not sent again: a copy that failed too counts itself. Uses
 * `outbox_failed` and `outbox_by_order`.
 */
const isUndelivered = (since: Date): SQL | undefined =>
  and(
    isNull(outbox.sentAt),
    isNull(outbox.nextTryAt),
    isNull(outbox.suppressedAt),
    gt(outbox.createdAt, since),
    isNotNull(outbox.orderId),
    sql`not exists (select 1 from ${outbox} copy where copy.order_id = ${outbox.orderId} and copy.id > ${outbox.id}
      and copy.about like 'again:%' and copy.channel = ${outbox.channel} and copy.kind = ${outbox.kind} and copy.text = ${outbox.text})`,
  );

/** The orders of such messages. */
export const undeliveredOrderIds = (since: Date): IdQuery => sql`select ${outbox.orderId} from ${outbox} where ${isUndelivered(since)}`;

/** How many orders have such messages, and when the oldest of these was made; counting stops at `limit`. */
export async function countUndelivered(db: Db, since: Date, limit: number): Promise<{ count: number; since: Date | null }> {
  const failed = db
    .select({ at: sql<string>`min(${outbox.createdAt})`.as("at") })
    .from(outbox)
    .where(isUndelivered(since))
    .groupBy(outbox.orderId)
    .limit(limit)
    .as("failed");
  const [row] = await db.select({ count: sql<number>`count(*)::int`, since: sql<string | null>`min(${failed.at})` }).from(failed);
  return { count: row?.count ?? 0, since: row?.since ? new Date(row.since) : null };
}

/** Copies a message of an order to the end of the outbox, for another recipient; its `about` gets the number of the original. */
export async function copy(tx: Tx, message: { id: number; orderId: string; recipient: string; about: string }, now: Date): Promise<void> {
  const at = sql`${now.toISOString()}::timestamptz`;
  await tx.execute(sql`insert into ${outbox}
      (channel, kind, about, recipient, subject, text, html, unsubscribe, attachment, created_at, next_try_at, order_id)
    select channel, kind, ${message.about}, ${message.recipient}, subject, text, html, unsubscribe, attachment,
      ${at}, ${at}, ${message.orderId}
    from ${outbox} where id = ${message.id}`);
}

/** Whether a message of an order, or another one with its text, waits to be sent to this recipient, or is with its provider. */
export async function isWaiting(tx: Tx, { id, orderId, recipient }: { id: number; orderId: string; recipient: string }): Promise<boolean> {
  const [found] = await tx
    .select({ id: outbox.id })
    .from(outbox)
    .where(
      and(
        or(eq(outbox.orderId, orderId), eq(outbox.id, id)),
        eq(outbox.recipient, recipient),
        isNull(outbox.sentAt),
        isNotNull(outbox.nextTryAt),
        sql`(${outbox.channel}, ${outbox.kind}, ${outbox.text}) = (select channel, kind, text from ${outbox} original where original.id = ${id})`,
      ),
    )
    .limit(1);
  return found !== undefined;
}

export async function textOf(tx: Tx, id: number): Promise<{ text: string; about: string } | null> {
  const [row] = await tx.select({ text: outbox.text, about: outbox.about }).from(outbox).where(eq(outbox.id, id));
  return row ?? null;
}
