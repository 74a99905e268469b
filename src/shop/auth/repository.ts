import { and, eq, gt, isNull, lt, lte, max, or, sql } from "drizzle-orm";
import { batch, deleteInBatches, instant, pipeline, pipelineAndCommit, waitUpTo, type QueryBatch, type Db, type Tx } from "#kit/db.ts";
import { days, plus, seconds } from "#kit/time.ts";
import type { LimitRule } from "./limit-rule.ts";
import { codeClaims, knownDevices, phoneGuards, rateCounters, sessions, signInCodes } from "./tables.ts";
import { decrement, insertCount, type LimitWindow } from "./limits.repository.ts";
import type { SessionLife } from "./sign-in.ts";

/** Claims the right to send a code to the phone; false when a code is being sent or was sent less than `waitSeconds` ago. */
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

/** The facts that decide whether a code may be sent to a phone. */
export type SendingState = {
  guard: Guard | null;
  /** When codes were sent to the phone, newest first. */
  sent: Date[];
  /** How many of the newest `howMany` codes were used; null when fewer were ever sent. */
  usedAmongNewest: number | null;
  /** The open windows under the keys, read without locks. */
  windows: Map<string, LimitWindow>;
};

/** Reads these facts in one query. */
export async function sendingState(
  db: Db,
  { phone, since, newest, keys }: { phone: string; since: Date; newest: number; keys: readonly string[] },
  now: Date,
): Promise<SendingState> {
  const [row] = await db
    .select({
      guard: sql<{ wrongSinceSuccess: number; barredUntil: string | null } | null>`(
        select json_build_object('wrongSinceSuccess', wrong_since_success, 'barredUntil', barred_until) from ${phoneGuards}
          where phone = ${phone})`,
      sent: sql<string[]>`(select coalesce(json_agg(created_at order by created_at desc), '[]') from ${signInCodes}
        where phone = ${phone} and created_at > ${instant(since)})`,
      newest: newestCodes(newest),
      windows: sql<{ key: string; count: number; windowEnds: string }[]>`(
        select coalesce(json_agg(json_build_object('key', key, 'count', count, 'windowEnds', window_ends)), '[]') from ${rateCounters}
        where key = any(${sql.param([...keys])}::text[]) and window_ends > ${instant(now)})`,
    })
    .from(sql`(values (1)) as one`);
  if (!row) throw new Error("a query of one row answered none");
  const { guard, sent, windows } = row;
  return {
    guard: guard && { ...guard, barredUntil: guard.barredUntil === null ? null : new Date(guard.barredUntil) },
    sent: sent.map((moment) => new Date(moment)),
    usedAmongNewest: usedOf(row.newest, newest),
    windows: new Map(windows.map(({ key, count, windowEnds }) => [key, { count, windowEnds: new Date(windowEnds) }])),
  };
}

type NewestCodes = { sent: number; used: number };
const newestCodes = (howMany: number) => sql<NewestCodes>`(select json_build_object('sent', count(*), 'used', count(used_at))
  from (select used_at from ${signInCodes} order by id desc limit ${howMany}) as newest)`;
const usedOf = ({ sent, used }: NewestCodes, howMany: number): number | null => (sent < howMany ? null : used);

/** How many of the newest `howMany` codes were used; null when fewer were ever sent. */
export async function usedAmongNewest(db: Db, howMany: number): Promise<number | null> {
  const [row] = await db.select({ newest: newestCodes(howMany) }).from(sql`(values (1)) as one`);
  return row ? usedOf(row.newest, howMany) : null;
}

export type NewCode = { phone: string; codeHmac: string; challengeHash: string; address: string; createdAt: Date; expiresAt: Date };

/** Saves the code and marks the phone's previous code as replaced, in one statement. */
export async function saveCode(db: Db, code: NewCode): Promise<void> {
  // The insert reads from `ended`, so it runs after the update: only one code of a phone may be live.
  await db.execute(sql`
    with ended as (
      update ${signInCodes} set replaced_at = ${instant(code.createdAt)}
      where phone = ${code.phone} and used_at is null and replaced_at is null returning 1)
    insert into ${signInCodes} (phone, code_hmac, challenge_hash, address, created_at, expires_at)
    select ${code.phone}, ${code.codeHmac}, ${code.challengeHash}, ${code.address}, ${instant(code.createdAt)}, ${instant(code.expiresAt)}
    from (select count(*) from ended) as replaced`);
}

const isLive = (phone: string, now: Date) =>
  and(eq(signInCodes.phone, phone), isNull(signInCodes.usedAt), isNull(signInCodes.replacedAt), gt(signInCodes.expiresAt, now));

/** A code with a counted try; `createdAt` is when the code was requested. */
export type CountedCode = { id: number; codeHmac: string; challengeHash: string; createdAt: Date };

export type CountedTry<C> = {
  guard: Guard;
  /** Tries from the address including this one; null when its limit is exhausted. */
  fromAddress: number | null;
  code: CountedCode | null;
  isLive: boolean;
  wrongInDay: number;
  customer: C;
};

/**
 * Locks the phone's guard, then counts a try of the address and a try of the live code before it is compared. `code` is null when there is
 * none or its tries are used up. Also returns whether there is a live code, and the wrong tries of the last day including this one.
 * One round trip.
 */
export async function countTry<C>(
  tx: Tx,
  { phone, limit, address, customer }: { phone: string; limit: number; address: LimitRule; customer: QueryBatch<C> },
  now: Date,
): Promise<CountedTry<C>> {
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
  const countAddress: QueryBatch<number | null> =
    address.limit < 1 ? batch([], () => null) : batch([insertCount(tx, address, now)], ([[row]]) => row?.count ?? null);
  const [guard, fromAddress, [code], found, tried, known] = await pipeline([
    lockGuardBatch(tx, phone),
    countAddress,
    count,
    live,
    ofDay,
    customer,
  ]);
  const wrongInDay = tried.reduce((sum, row) => sum + row.attempts - (row.usedAt ? 1 : 0), 0);
  return { guard, fromAddress, code: code ?? null, isLive: found.length > 0, wrongInDay, customer: known };
}

/**
 * Locks the phone's guard and marks the code as used; then resets the guard and undoes the counted try of this address. `isUsed` is false
 * when the code is no longer live: the caller must then roll back. Then finds the customer and locks the browser's cart and lists.
 * One round trip.
 */
export async function useCode<C, B>(
  tx: Tx,
  { id, phone, addressKey }: { id: number; phone: string; addressKey: string },
  { customer, browser }: { customer: QueryBatch<C>; browser: QueryBatch<B> },
  now: Date,
): Promise<{ isUsed: boolean; customer: C; browser: B }> {
  const use = tx
    .update(signInCodes)
    .set({ usedAt: now })
    .where(and(eq(signInCodes.id, id), isNull(signInCodes.usedAt), isNull(signInCodes.replacedAt), gt(signInCodes.expiresAt, now)))
    .returning({ id: signInCodes.id });
  const reset = tx.update(phoneGuards).set({ wrongSinceSuccess: 0, barredUntil: null }).where(eq(phoneGuards.phone, phone));
  const [, used, , , found, brought] = await pipeline([
    lockGuardBatch(tx, phone),
    use,
    reset,
    decrement(tx, addressKey, now),
    customer,
    browser,
  ]);
  return { isUsed: used.length > 0, customer: found, browser: brought };
}

export type Guard = { wrongSinceSuccess: number; barredUntil: Date | null };
const guardColumns = { wrongSinceSuccess: phoneGuards.wrongSinceSuccess, barredUntil: phoneGuards.barredUntil };

/** How long a concurrent try for the same phone waits for the lock, milliseconds. */
const sameCodeWait = seconds(5);

/** Locks the phone's guard row, created on first use, so that the tries for one phone are serialised. */
function lockGuardBatch(tx: Tx, phone: string): QueryBatch<Guard> {
  const insert = tx
    .insert(phoneGuards)
    .values({ phone })
    .onConflictDoUpdate({ target: phoneGuards.phone, set: { phone } })
    .returning(guardColumns);
  return batch([waitUpTo(tx, sameCodeWait), insert], ([, [row]]) => {
    if (!row) throw new Error("the upsert into phone_guards returned no row");
    return row;
  });
}

export async function lockGuard(tx: Tx, phone: string): Promise<Guard> {
  const [guard] = await pipeline([lockGuardBatch(tx, phone)]);
  return guard;
}

/**
 * Saves the guard and counts the try of a known device, whose count a sign-in resets, and commits the transaction
 * (`inPipelinedTransaction`). One round trip.
 */
export async function saveGuardAndCommit(
  tx: Tx,
  phone: string,
  guard: Guard,
  device: { deviceHash: string; customerId: string } | null,
): Promise<void> {
  const save = tx.update(phoneGuards).set(guard).where(eq(phoneGuards.phone, phone));
  await pipelineAndCommit<unknown[]>(tx, device ? [save, countDeviceTry(tx, device)] : [save]);
}

const countDeviceTry = (tx: Tx, { deviceHash, customerId }: { deviceHash: string; customerId: string }) =>
  tx
    .update(knownDevices)
    .set({ wrongTries: sql`${knownDevices.wrongTries} + 1` })
    .where(and(eq(knownDevices.deviceHash, deviceHash), eq(knownDevices.customerId, customerId)));

export type KnownDevice = { lastSeenAt: Date; wrongTries: number };

const selectDevice = (db: Db, deviceHash: string, customerId: string) =>
  db
    .select({ lastSeenAt: knownDevices.lastSeenAt, wrongTries: knownDevices.wrongTries })
    .from(knownDevices)
    .where(and(eq(knownDevices.deviceHash, deviceHash), eq(knownDevices.customerId, customerId), isNull(knownDevices.forgottenAt)));

/** The known device of an account; null when it never signed in, or was signed out by the customer. */
export async function findDevice(db: Db, deviceHash: string, customerId: string): Promise<KnownDevice | null> {
  const [row] = await selectDevice(db, deviceHash, customerId);
  return row ?? null;
}

export function saveDevice(tx: Tx, deviceHash: string, customerId: string, now: Date) {
  const fresh = { lastSeenAt: now, wrongTries: 0, forgottenAt: null };
  return tx
    .insert(knownDevices)
    .values({ deviceHash, customerId, ...fresh })
    .onConflictDoUpdate({ target: [knownDevices.deviceHash, knownDevices.customerId], set: fresh });
}

/** The account's devices, or one of them, are no longer known devices. */
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

/** Use of an account: whether the browser is a known device, and the last use by its devices and sessions. */
export type AccountUse = { isDeviceKnown: boolean; lastUsedAt: Date | null };

/** Reads the use of an account and locks the customer's rows of other modules. One round trip. */
export async function lockOwn<O>(
  tx: Tx,
  account: { customerId: string; deviceHash: string | null } | null,
  own: QueryBatch<O>,
): Promise<{ use: AccountUse | null; own: O }> {
  const [use, locked] = await pipeline([account ? useBatch(tx, account) : batch([], () => null), own]);
  return { use, own: locked };
}

function useBatch(db: Db, { customerId, deviceHash }: { customerId: string; deviceHash: string | null }): QueryBatch<AccountUse> {
  const byDevices = db
    .select({ at: max(knownDevices.lastSeenAt) })
    .from(knownDevices)
    .where(eq(knownDevices.customerId, customerId));
  const bySessions = db
    .select({ at: max(sessions.lastSeenAt) })
    .from(sessions)
    .where(eq(sessions.customerId, customerId));
  const device: QueryBatch<boolean> =
    deviceHash === null ? batch([], () => false) : batch([selectDevice(db, deviceHash, customerId)], ([found]) => found.length > 0);
  return batch([byDevices, bySessions, device], ([[byDevice], [bySession], isDeviceKnown]) => {
    const moments = [byDevice?.at, bySession?.at].filter((moment) => moment instanceof Date);
    return { isDeviceKnown, lastUsedAt: moments.length > 0 ? new Date(Math.max(...moments.map((moment) => moment.getTime()))) : null };
  });
}

export async function dropDevices(tx: Tx, customerId: string): Promise<void> {
  await tx.delete(knownDevices).where(eq(knownDevices.customerId, customerId));
}

export async function dropGuard(tx: Tx, phone: string): Promise<void> {
  await tx.delete(phoneGuards).where(eq(phoneGuards.phone, phone));
}

/** Deletes ended rate windows, old claims and codes, old devices and expired sessions. */
export async function deleteExpired(db: Db, life: SessionLife, now: Date): Promise<void> {
  await deleteInBatches(db, rateCounters, lte(rateCounters.windowEnds, now));
  await deleteInBatches(db, codeClaims, lt(codeClaims.claimedAt, plus(now, -days(1))));
  await deleteInBatches(db, signInCodes, lt(signInCodes.createdAt, plus(now, -days(30))));
  await deleteInBatches(db, knownDevices, lt(knownDevices.lastSeenAt, plus(now, -days(400))));
  const isOver = or(
    lte(sessions.lastSeenAt, plus(now, -days(life.idleDays))),
    lte(sessions.createdAt, plus(now, -days(life.absoluteDays))),
  );
  await deleteInBatches(db, sessions, isOver);
}
