import { and, eq, isNull, lt, ne, or, sql } from "drizzle-orm";
import type { Db, Tx } from "#kit/db.ts";
import type { Origin } from "#shop/audit/audit.ts";
import { roles, type Role } from "../role.ts";
import type { StaffMember, StaffSession } from "../staff.ts";
import { staff, staffSessions } from "../tables.ts";

/** A role that this release does not know gives nothing. */
export const knownRoles = (stored: readonly string[]): Role[] => roles.filter((role) => stored.includes(role));

const memberColumns = { id: staff.id, login: staff.login, name: staff.name, email: staff.email, roles: staff.roles };
const memberOf = (row: { id: number; login: string; name: string; email: string; roles: string[] }): StaffMember => ({
  ...row,
  roles: knownRoles(row.roles),
});
const sessionColumns = {
  id: staffSessions.id,
  createdAt: staffSessions.createdAt,
  lastUsedAt: staffSessions.lastUsedAt,
  verifiedAt: staffSessions.verifiedAt,
};

export async function find(db: Db, sidHash: string): Promise<{ session: StaffSession; member: StaffMember } | null> {
  const [row] = await db
    .select({ session: sessionColumns, member: memberColumns })
    .from(staffSessions)
    .innerJoin(staff, eq(staff.id, staffSessions.staffId))
    .where(and(eq(staffSessions.sidHash, sidHash), isNull(staff.disabledAt)));
  return row ? { session: row.session, member: memberOf(row.member) } : null;
}

export async function findMember(db: Db, staffId: number): Promise<StaffMember | null> {
  const [row] = await db
    .select(memberColumns)
    .from(staff)
    .where(and(eq(staff.id, staffId), isNull(staff.disabledAt)));
  return row ? memberOf(row) : null;
}

/** The same, and no other transaction changes the account before this one ends. */
export async function lockMember(tx: Tx, staffId: number): Promise<StaffMember | null> {
  const [row] = await tx
    .select(memberColumns)
    .from(staff)
    .where(and(eq(staff.id, staffId), isNull(staff.disabledAt)))
    .for("no key update");
  return row ? memberOf(row) : null;
}

/** Whether a session has not been ended. */
export async function exists(db: Db, id: number): Promise<boolean> {
  const [row] = await db.select({ id: staffSessions.id }).from(staffSessions).where(eq(staffSessions.id, id));
  return row !== undefined;
}

export async function touch(db: Db, id: number, at: Date): Promise<void> {
  await db
    .update(staffSessions)
    .set({ lastUsedAt: at })
    .where(and(eq(staffSessions.id, id), lt(staffSessions.lastUsedAt, at)));
}

export async function insert(tx: Tx, row: { sidHash: string; staffId: number; at: Date; origin: Origin }): Promise<number> {
  const { sidHash, staffId, at, origin } = row;
  const [made] = await tx
    .insert(staffSessions)
    .values({ sidHash, staffId, createdAt: at, lastUsedAt: at, verifiedAt: at, ...origin })
    .returning({ id: staffSessions.id });
  if (!made) throw new Error("a session was not stored");
  return made.id;
}

export async function markVerified(tx: Tx, id: number, at: Date): Promise<void> {
  await tx.update(staffSessions).set({ verifiedAt: at, lastUsedAt: at }).where(eq(staffSessions.id, id));
}

/** Ends a session of this account; false: it has none with this id. */
export async function remove(tx: Tx, staffId: number, id: number): Promise<boolean> {
  const gone = await tx
    .delete(staffSessions)
    .where(and(eq(staffSessions.id, id), eq(staffSessions.staffId, staffId)))
    .returning({ id: staffSessions.id });
  return gone.length > 0;
}

export async function removeBySid(tx: Tx, sidHash: string): Promise<void> {
  await tx.delete(staffSessions).where(eq(staffSessions.sidHash, sidHash));
}

/** Ends the sessions of an account except this one, and returns their number. */
export async function removeAll(tx: Tx, staffId: number, except: number | null): Promise<number> {
  const gone = await tx
    .delete(staffSessions)
    .where(and(eq(staffSessions.staffId, staffId), except === null ? undefined : ne(staffSessions.id, except)))
    .returning({ id: staffSessions.id });
  return gone.length;
}

export const removeEnded = (db: Db, idleSince: Date, createdBefore: Date) =>
  db.delete(staffSessions).where(or(lt(staffSessions.lastUsedAt, idleSince), lt(staffSessions.createdAt, createdBefore)));

export const ofMember = (db: Db, staffId: number) =>
  db
    .select({ ...sessionColumns, address: staffSessions.address, userAgent: staffSessions.userAgent })
    .from(staffSessions)
    .where(eq(staffSessions.staffId, staffId))
    .orderBy(sql`${staffSessions.lastUsedAt} desc`);
