import type { Db, Tx } from "#kit/db.ts";
import { randomId } from "#kit/ids.ts";
import { sha256 } from "#kit/security/secrets.ts";
import { hours, minutes, plus } from "#kit/time.ts";
import type { Origin } from "#shop/audit/audit.ts";
import type { Ctx } from "#shop/context.ts";
import * as rows from "./sessions.repository.ts";
import type { StaffMember, StaffSession } from "../staff.ts";

const touchEveryMs = minutes(1);

/** Until when a session lives without another call, and at most. */
export function sessionEnds({ settings }: Pick<Ctx, "settings">, session: StaffSession): { idleAt: Date; at: Date } {
  const { staffIdleHours, staffSessionHours } = settings.limits;
  return { idleAt: plus(session.lastUsedAt, hours(staffIdleHours)), at: plus(session.createdAt, hours(staffSessionHours)) };
}

/** Until when calls that require the second factor are accepted; null: it must be entered again. */
export function verifiedUntil({ settings, now }: Pick<Ctx, "settings" | "now">, session: StaffSession): Date | null {
  const until = plus(session.verifiedAt, minutes(settings.limits.staffStepUpMinutes));
  return until > now() ? until : null;
}

/**
 * The session of a cookie and its member of staff, in one query; null when it ended or the account was disabled. Its use is noted once a
 * minute.
 */
export async function findSession(ctx: Ctx, sid: string): Promise<{ session: StaffSession; member: StaffMember } | null> {
  const found = await rows.find(ctx.db, sha256(sid));
  if (!found) return null;
  const { session } = found;
  const now = ctx.now();
  const { idleAt, at } = sessionEnds(ctx, session);
  if (idleAt <= now || at <= now) return null;
  if (now.getTime() - session.lastUsedAt.getTime() < touchEveryMs) return found;
  await rows.touch(ctx.db, session.id, now);
  return { ...found, session: { ...session, lastUsedAt: now } };
}

/** Whether a session that was found before was not ended meanwhile. */
export const isOpen = (db: Db, sessionId: number): Promise<boolean> => rows.exists(db, sessionId);

/** Opens a session and returns the value of its cookie, which is stored as a hash only. A factor was entered just now. */
export async function openSession(
  tx: Tx,
  ctx: Pick<Ctx, "now">,
  staffId: number,
  origin: Origin,
): Promise<{ sid: string; session: StaffSession }> {
  const sid = randomId(32);
  const now = ctx.now();
  const id = await rows.insert(tx, { sidHash: sha256(sid), staffId, at: now, origin });
  return { sid, session: { id, createdAt: now, lastUsedAt: now, verifiedAt: now } };
}

/** Notes that a factor was entered again. */
export const markVerified = (tx: Tx, ctx: Pick<Ctx, "now">, sessionId: number): Promise<void> =>
  rows.markVerified(tx, sessionId, ctx.now());

/** Ends one session of a member of staff; false: there is none with this id. */
export const endSession = (tx: Tx, staffId: number, sessionId: number): Promise<boolean> => rows.remove(tx, staffId, sessionId);

/** Ends the session of a cookie that a new sign-in replaces in its browser, of any member of staff. */
export const endReplaced = (tx: Tx, sid: string): Promise<void> => rows.removeBySid(tx, sha256(sid));

/** Ends the sessions of a member of staff but the one given, and returns how many. */
export const endSessions = (tx: Tx, staffId: number, except: number | null = null): Promise<number> => rows.removeAll(tx, staffId, except);

/** Sessions of a member of staff that did not end, the one used last first. */
export async function list(ctx: Pick<Ctx, "db" | "now" | "settings">, staffId: number) {
  const now = ctx.now();
  return (await rows.ofMember(ctx.db, staffId)).filter((each) => {
    const { idleAt, at } = sessionEnds(ctx, each);
    return idleAt > now && at > now;
  });
}

/** A member of staff that may act now; null: unknown or disabled. */
export const findMember = (db: Db, staffId: number): Promise<StaffMember | null> => rows.findMember(db, staffId);

/**
 * The same for a sign-in: a transaction that disables the account, changes its roles or resets its factors waits until this one ends, and
 * then ends the new session.
 */
export const lockMember = (tx: Tx, staffId: number): Promise<StaffMember | null> => rows.lockMember(tx, staffId);
