import { and, desc, eq, gt, sql } from "drizzle-orm";
import { batch, instant, pipelineAndCommit, type QueryBatch, type Db, type Tx } from "#kit/db.ts";
import { days, plus } from "#kit/time.ts";
import type { SessionLife, SignedInDevice } from "./sign-in.ts";
import { knownDevices, sessions } from "./tables.ts";
import { saveDevice } from "./repository.ts";

/**
 * Starts a session, stores its browser as a known device, ends the browser's previous session, runs the given writes, and commits the
 * transaction (`inPipelinedTransaction`). One round trip.
 */
export async function startSessionAndCommit<R>(
  tx: Tx,
  session: { sidHash: string; customerId: string; deviceHash: string | null; userAgent: string },
  { endsSidHash, along }: { endsSidHash: string | null; along: QueryBatch<R> },
  now: Date,
): Promise<R> {
  const statements = [
    ...(session.deviceHash === null ? [] : [saveDevice(tx, session.deviceHash, session.customerId, now)]),
    ...(endsSidHash === null ? [] : [deleteSession(tx, endsSidHash)]),
    tx.insert(sessions).values({ ...session, createdAt: now, lastSeenAt: now }),
  ];
  const [result] = await pipelineAndCommit(tx, [along, batch<unknown[], void>(statements, () => {})]);
  return result;
}

const deleteSession = (db: Db, sidHash: string) => db.delete(sessions).where(eq(sessions.sidHash, sidHash));

const isAlive = ({ idleDays, absoluteDays }: SessionLife, now: Date) =>
  and(gt(sessions.lastSeenAt, plus(now, -days(idleDays))), gt(sessions.createdAt, plus(now, -days(absoluteDays))));

/**
 * A session that has not expired. Its `last_seen_at` is updated if older than `seenBefore`, that of its device at most once a day,
 * because the idle time of an account is measured in days.
 */
export async function findSession(
  db: Db,
  sidHash: string,
  life: SessionLife,
  { now, seenBefore }: { now: Date; seenBefore: Date },
): Promise<{ customerId: string; createdAt: Date } | null> {
  const { rows } = (await db.execute(sql`
    with found as (select customer_id, device_hash, created_at, last_seen_at from ${sessions}
        where ${eq(sessions.sidHash, sidHash)} and ${isAlive(life, now)}),
      seen as (update ${sessions} set last_seen_at = ${instant(now)}
        where ${eq(sessions.sidHash, sidHash)} and last_seen_at <= ${instant(seenBefore)} and exists (select 1 from found)),
      noted as (update ${knownDevices} set last_seen_at = ${instant(now)} from found
        where found.last_seen_at <= ${instant(seenBefore)} and ${knownDevices}.device_hash = found.device_hash
          and ${knownDevices}.customer_id = found.customer_id and ${knownDevices}.last_seen_at < ${instant(plus(now, -days(1)))})
    select customer_id, created_at from found`)) as unknown as { rows: { customer_id: string; created_at: string }[] };
  const [row] = rows;
  return row ? { customerId: row.customer_id, createdAt: new Date(row.created_at) } : null;
}

export async function dropSession(db: Db, sidHash: string): Promise<void> {
  await deleteSession(db, sidHash);
}

/** Ends one session of this customer; returns the hash of its device, or null when there was no such session. */
export async function dropSessionOf(tx: Tx, sidHash: string, customerId: string): Promise<string | null> {
  const [row] = await tx
    .delete(sessions)
    .where(and(eq(sessions.sidHash, sidHash), eq(sessions.customerId, customerId)))
    .returning({ deviceHash: sessions.deviceHash });
  return row?.deviceHash ?? null;
}

export async function dropSessionsOf(db: Db, customerId: string): Promise<void> {
  await db.delete(sessions).where(eq(sessions.customerId, customerId));
}

export const sessionsOf = (db: Db, customerId: string, life: SessionLife, now: Date): Promise<SignedInDevice[]> =>
  db
    .select({ sidHash: sessions.sidHash, userAgent: sessions.userAgent, createdAt: sessions.createdAt, lastSeenAt: sessions.lastSeenAt })
    .from(sessions)
    .where(and(eq(sessions.customerId, customerId), isAlive(life, now)))
    .orderBy(desc(sessions.lastSeenAt), desc(sessions.createdAt));
