import { and, desc, eq, gt, inArray, isNull, lt, lte, max, or, sql } from "drizzle-orm";
import { pipeline, waitUpTo, type Db, type Tx } from "#kit/db.ts";
import { days, plus, seconds } from "#kit/time.ts";
import type { LimitRule } from "./limit-rule.ts";
import type { SignedInDevice } from "./sign-in.ts";
import { codeClaims, knownDevices, phoneGuards, rateCounters, sessions, signInCodes } from "./tables.ts";

const at = (moment: Date) => sql`${moment.toISOString()}::timestamptz`;

// Counters

/** One more under the key, in one statement; null when the window is full, and nothing is written then. */
export async function countOne(db: Db, rule: LimitRule, now: Date): Promise<number | null> {
  if (rule.limit < 1) return null;
  const [row] = await insertCount(db, rule, now);
  return row?.count ?? null;
}

/** The same under each of these keys, in one round trip; the rows are locked in the order of the rules. */
export async function countAll(tx: Tx, rules: readonly LimitRule[], now: Date): Promise<(number | null)[]> {
  const counting = rules.filter(({ limit }) => limit >= 1);
  const counted = await pipeline<{ count: number }[][]>(counting.map((rule) => insertCount(tx, rule, now)));
  return rules.map((rule) => (rule.limit < 1 ? null : (counted[counting.indexOf(rule)]?.[0]?.count ?? null)));
}

function insertCount(db: Db, { key, windowSeconds, limit }: LimitRule, now: Date) {
  const isOver = sql`${rateCounters.windowEnds} <= ${at(now)}`;
  const windowEnds = plus(now, seconds(windowSeconds));
  return db
    .insert(rateCounters)
    .values({ key, windowEnds, count: 1 })
    .onConflictDoUpdate({
      target: rateCounters.key,
      set: {
        count: sql`case when ${isOver} then 1 else ${rateCounters.count} + 1 end`,
        windowEnds: sql`case when ${isOver} then ${at(windowEnds)} else ${rateCounters.windowEnds} end`,
      },
      setWhere: sql`${isOver} or ${rateCounters.count} < ${limit}`,
    })
    .returning({ count: rateCounters.count });
}

/** One less under each of these keys while its window is open, in one round trip; the rows are locked in the order of the keys. */
export async function uncountAll(tx: Tx, keys: readonly string[], now: Date): Promise<void> {
  await pipeline<unknown[]>(keys.map((key) => updateUncount(tx, key, now)));
}

const updateUncount = (db: Db, key: string, now: Date) =>
  db
    .update(rateCounters)
    .set({ count: sql`${rateCounters.count} - 1` })
    .where(and(eq(rateCounters.key, key), gt(rateCounters.windowEnds, now), gt(rateCounters.count, 0)));

/** The windows that are open under these keys, without waiting for who counts in them. */
export async function openWindows(db: Db, keys: readonly string[], now: Date): Promise<Map<string, { count: number; windowEnds: Date }>> {
  const found = await db
    .select()
    .from(rateCounters)
    .where(and(inArray(rateCounters.key, [...keys]), gt(rateCounters.windowEnds, now)));
  return new Map(found.map(({ key, ...window }) => [key, window]));
}

/** Until the window of a full counter ends; at least one second. */
export async function secondsLeft(db: Db, { key, windowSeconds }: LimitRule, now: Date): Promise<number> {
  const [row] = await db.select({ windowEnds: rateCounters.windowEnds }).from(rateCounters).where(eq(rateCounters.key, key));
  return row ? secondsUntil(row.windowEnds, now) : windowSeconds;
}

export const secondsUntil = (moment: Date, now: Date): number => Math.max(1, Math.ceil((moment.getTime() - now.getTime()) / 1000));

// Codes

/** Wins the right to send this phone a code; false when a code is on its way or was sent less than `waitSeconds` ago. */
export async function claimPhone(db: Db, claim: { phone: string; token: string; waitSeconds: number }, now: Date): Promise<boolean> {
  const won = await db
    .insert(codeClaims)
    .values({ phone: claim.phone, token: claim.token, claimedAt: now })
    .onConflictDoUpdate({
      target: codeClaims.phone,
      set: { token: claim.token, claimedAt: now },
      setWhere: lte(codeClaims.claimedAt, plus(now, -seconds(claim.waitSeconds))),
    })
    .returning({ phone: codeClaims.phone });
  return won.length > 0;
}

export async function releasePhone(db: Db, phone: string, token: string): Promise<void> {
  await db.delete(codeClaims).where(and(eq(codeClaims.phone, phone), eq(codeClaims.token, token)));
}

export async function claimedAt(db: Db, phone: string): Promise<Date | null> {
  const [row] = await db.select({ claimedAt: codeClaims.claimedAt }).from(codeClaims).where(eq(codeClaims.phone, phone));
  return row?.claimedAt ?? null;
}

/** When codes were sent to a phone, newest first. */
export async function sentSince(db: Db, phone: string, since: Date): Promise<Date[]> {
  const found = await db
    .select({ createdAt: signInCodes.createdAt })
    .from(signInCodes)
    .where(and(eq(signInCodes.phone, phone), gt(signInCodes.createdAt, since)))
    .orderBy(desc(signInCodes.createdAt));
  return found.map((row) => row.createdAt);
}

export type NewCode = { phone: string; codeHmac: string; challengeHash: string; address: string; createdAt: Date; expiresAt: Date };

/** The new code takes the place of the one before. */
export async function saveCode(tx: Tx, code: NewCode): Promise<void> {
  const replace = tx
    .update(signInCodes)
    .set({ replacedAt: code.createdAt })
    .where(and(eq(signInCodes.phone, code.phone), isNull(signInCodes.usedAt), isNull(signInCodes.replacedAt)));
  await pipeline([replace, tx.insert(signInCodes).values(code)]);
}

const isLive = (phone: string, now: Date) =>
  and(eq(signInCodes.phone, phone), isNull(signInCodes.usedAt), isNull(signInCodes.replacedAt), gt(signInCodes.expiresAt, now));

/** A code whose try was counted; `createdAt` is when it was asked for. */
export type CountedCode = { id: number; codeHmac: string; challengeHash: string; createdAt: Date };

/**
 * Counts a try of the live code before it is compared; `code` is null when there is none, or its tries are used up. Also answers whether
 * there is a live code, and the wrong tries of the last day with this one. The caller holds the phone's guard. One round trip.
 */
export async function countTry(
  tx: Tx,
  phone: string,
  limit: number,
  now: Date,
): Promise<{ code: CountedCode | null; isLive: boolean; wrongInDay: number }> {
  const count = tx
    .update(signInCodes)
    .set({ attempts: sql`${signInCodes.attempts} + 1` })
    .where(and(isLive(phone, now), lt(signInCodes.attempts, limit)))
    .returning({
      id: signInCodes.id,
      codeHmac: signInCodes.codeHmac,
      challengeHash: signInCodes.challengeHash,
      createdAt: signInCodes.createdAt,
    });
  const live = tx.select({ id: signInCodes.id }).from(signInCodes).where(isLive(phone, now));
  const ofDay = tx
    .select({ attempts: signInCodes.attempts, usedAt: signInCodes.usedAt })
    .from(signInCodes)
    .where(and(eq(signInCodes.phone, phone), gt(signInCodes.createdAt, plus(now, -days(1)))));
  const [[code], found, tried] = await pipeline([count, live, ofDay]);
  const wrongInDay = tried.reduce((sum, row) => sum + row.attempts - (row.usedAt ? 1 : 0), 0);
  return { code: code ?? null, isLive: found.length > 0, wrongInDay };
}

/**
 * True for the one caller who uses the code: then the phone's guard is set back and the try of this address is not counted.
 * On false the caller must roll its transaction back. It holds the guard. One round trip.
 */
export async function useCode(
  tx: Tx,
  { id, phone, addressKey }: { id: number; phone: string; addressKey: string },
  now: Date,
): Promise<boolean> {
  const use = tx
    .update(signInCodes)
    .set({ usedAt: now })
    .where(and(eq(signInCodes.id, id), isNull(signInCodes.usedAt), isNull(signInCodes.replacedAt), gt(signInCodes.expiresAt, now)))
    .returning({ id: signInCodes.id });
  const reset = tx.update(phoneGuards).set({ wrongSinceSuccess: 0, barredUntil: null }).where(eq(phoneGuards.phone, phone));
  const [used] = await pipeline([use, reset, updateUncount(tx, addressKey, now)]);
  return used.length > 0;
}

/** How many of the newest codes signed somebody in; null while fewer than so many were ever sent. */
export async function usedAmongNewest(db: Db, howMany: number): Promise<number | null> {
  const found = await db.select({ usedAt: signInCodes.usedAt }).from(signInCodes).orderBy(desc(signInCodes.id)).limit(howMany);
  return found.length < howMany ? null : found.filter((row) => row.usedAt !== null).length;
}

// Guards and devices

export type Guard = { wrongSinceSuccess: number; barredUntil: Date | null };
const guardColumns = { wrongSinceSuccess: phoneGuards.wrongSinceSuccess, barredUntil: phoneGuards.barredUntil };

/** How long the second of two tries of one phone waits for the first. */
const sameCodeWait = seconds(5);

/** Locks the phone's guard, made at its first use, so that the tries of one phone are judged one after another. */
export async function lockGuard(tx: Tx, phone: string): Promise<Guard> {
  const insert = tx
    .insert(phoneGuards)
    .values({ phone })
    .onConflictDoUpdate({ target: phoneGuards.phone, set: { phone } })
    .returning(guardColumns);
  const [, [row]] = await pipeline([waitUpTo(tx, sameCodeWait), insert]);
  if (!row) throw new Error("a phone's guard was neither found nor made");
  return row;
}

export async function findGuard(db: Db, phone: string): Promise<Guard | null> {
  const [row] = await db.select(guardColumns).from(phoneGuards).where(eq(phoneGuards.phone, phone));
  return row ?? null;
}

export async function saveGuard(tx: Tx, phone: string, guard: Guard): Promise<void> {
  await tx.update(phoneGuards).set(guard).where(eq(phoneGuards.phone, phone));
}

export type KnownDevice = { lastSeenAt: Date; wrongTries: number };

/** The browser as this account knows it; null when it never signed in here, or was signed out by the customer. */
export async function findDevice(db: Db, deviceHash: string, customerId: string): Promise<KnownDevice | null> {
  const [row] = await db
    .select({ lastSeenAt: knownDevices.lastSeenAt, wrongTries: knownDevices.wrongTries })
    .from(knownDevices)
    .where(and(eq(knownDevices.deviceHash, deviceHash), eq(knownDevices.customerId, customerId), isNull(knownDevices.forgottenAt)));
  return row ?? null;
}

/** Counts a try of a browser that the account knows; signing in sets the count back. */
export async function countDeviceTry(tx: Tx, deviceHash: string, customerId: string): Promise<void> {
  await tx
    .update(knownDevices)
    .set({ wrongTries: sql`${knownDevices.wrongTries} + 1` })
    .where(and(eq(knownDevices.deviceHash, deviceHash), eq(knownDevices.customerId, customerId)));
}

function rememberDevice(tx: Tx, deviceHash: string, customerId: string, now: Date) {
  const fresh = { lastSeenAt: now, wrongTries: 0, forgottenAt: null };
  return tx
    .insert(knownDevices)
    .values({ deviceHash, customerId, ...fresh })
    .onConflictDoUpdate({ target: [knownDevices.deviceHash, knownDevices.customerId], set: fresh });
}

/** The account's browsers, or one of them, are strangers from now on. */
export async function signOutDevices(tx: Tx, customerId: string, now: Date, deviceHash?: string): Promise<void> {
  await tx
    .update(knownDevices)
    .set({ forgottenAt: now })
    .where(
      and(
        eq(knownDevices.customerId, customerId),
        isNull(knownDevices.forgottenAt),
        deviceHash === undefined ? undefined : eq(knownDevices.deviceHash, deviceHash),
      ),
    );
}

/** When anybody last used the account, as its browsers and sessions remember; null when none is left that could. */
export async function lastUse(db: Db, customerId: string): Promise<Date | null> {
  const byDevices = db
    .select({ at: max(knownDevices.lastSeenAt) })
    .from(knownDevices)
    .where(eq(knownDevices.customerId, customerId));
  const bySessions = db
    .select({ at: max(sessions.lastSeenAt) })
    .from(sessions)
    .where(eq(sessions.customerId, customerId));
  const [[byDevice], [bySession]] = await pipeline([byDevices, bySessions]);
  const moments = [byDevice?.at, bySession?.at].filter((at) => at instanceof Date);
  return moments.length > 0 ? new Date(Math.max(...moments.map((at) => at.getTime()))) : null;
}

export async function dropDevices(tx: Tx, customerId: string): Promise<void> {
  await tx.delete(knownDevices).where(eq(knownDevices.customerId, customerId));
}

export async function dropGuard(tx: Tx, phone: string): Promise<void> {
  await tx.delete(phoneGuards).where(eq(phoneGuards.phone, phone));
}

// Sessions

/** Starts a session, remembers its browser, and ends the session that the browser came with. One round trip. */
export async function startSession(
  tx: Tx,
  session: { sidHash: string; customerId: string; deviceHash: string | null; userAgent: string },
  { endsSidHash }: { endsSidHash: string | null },
  now: Date,
): Promise<void> {
  await pipeline<unknown[]>([
    ...(session.deviceHash === null ? [] : [rememberDevice(tx, session.deviceHash, session.customerId, now)]),
    ...(endsSidHash === null ? [] : [deleteSession(tx, endsSidHash)]),
    tx.insert(sessions).values({ ...session, createdAt: now, lastSeenAt: now }),
  ]);
}

const deleteSession = (db: Db, sidHash: string) => db.delete(sessions).where(eq(sessions.sidHash, sidHash));

export type SessionLife = { idleDays: number; absoluteDays: number };
const isAlive = ({ idleDays, absoluteDays }: SessionLife, now: Date) =>
  and(gt(sessions.lastSeenAt, plus(now, -days(idleDays))), gt(sessions.createdAt, plus(now, -days(absoluteDays))));

/** A session that lives. One that was not seen since `seenBefore` is seen now, and its browser too, once a day: how long an account has lain idle is told in days. */
export async function findSession(
  db: Db,
  sidHash: string,
  life: SessionLife,
  { now, seenBefore }: { now: Date; seenBefore: Date },
): Promise<{ customerId: string; createdAt: Date } | null> {
  const { rows } = (await db.execute(sql`
    with found as (select customer_id, device_hash, created_at, last_seen_at from ${sessions} where ${eq(sessions.sidHash, sidHash)} and ${isAlive(life, now)}),
      seen as (update ${sessions} set last_seen_at = ${at(now)} where ${eq(sessions.sidHash, sidHash)} and last_seen_at <= ${at(seenBefore)} and exists (select 1 from found)),
      noted as (update ${knownDevices} set last_seen_at = ${at(now)} from found
        where found.last_seen_at <= ${at(seenBefore)} and ${knownDevices}.device_hash = found.device_hash and ${knownDevices}.customer_id = found.customer_id and ${knownDevices}.last_seen_at < ${at(plus(now, -days(1)))})
    select customer_id, created_at from found`)) as unknown as { rows: { customer_id: string; created_at: string }[] };
  const [row] = rows;
  return row ? { customerId: row.customer_id, createdAt: new Date(row.created_at) } : null;
}

export async function dropSession(db: Db, sidHash: string): Promise<void> {
  await deleteSession(db, sidHash);
}

/** Ends one session of this customer; answers the browser that it was in, or null when there was no such session. */
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

/** Everything that can no longer matter to anybody. */
export async function dropSpent(db: Db, life: SessionLife, now: Date): Promise<void> {
  await db.delete(rateCounters).where(lte(rateCounters.windowEnds, now));
  await db.delete(codeClaims).where(lt(codeClaims.claimedAt, plus(now, -days(1))));
  await db.delete(signInCodes).where(lt(signInCodes.createdAt, plus(now, -days(30))));
  await db.delete(knownDevices).where(lt(knownDevices.lastSeenAt, plus(now, -days(400))));
  await db
    .delete(sessions)
    .where(or(lte(sessions.lastSeenAt, plus(now, -days(life.idleDays))), lte(sessions.createdAt, plus(now, -days(life.absoluteDays)))));
}
