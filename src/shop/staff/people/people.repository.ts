import { and, asc, eq, isNull, sql } from "drizzle-orm";
import type { Db, Tx } from "#kit/db.ts";
import type { Role } from "../role.ts";
import { knownRoles } from "../sign-in/sessions.repository.ts";
import type { Factors, Person, StaffMember } from "../staff.ts";
import { staff, staffSessions } from "../tables.ts";

/** The advisory lock of everything that changes permissions. */
const peopleLock = 7302;

// Outer columns are written out: in a query of one table Drizzle prints them without the table, which a subquery would take for its own.
const passkeysOf = sql<number>`(select count(*)::int from staff_passkeys p where p.staff_id = staff.id)`;
const recoveryCodesOf = sql<number>`(select count(*)::int from staff_recovery_codes c where c.staff_id = staff.id and c.used_at is null)`;

export async function factors(db: Db, staffId: number): Promise<Factors> {
  const [row] = await db
    .select({ passkeys: passkeysOf, hasPassword: sql<boolean>`${staff.passwordHash} is not null`, recoveryCodesLeft: recoveryCodesOf })
    .from(staff)
    .where(eq(staff.id, staffId));
  return row ?? { passkeys: 0, hasPassword: false, recoveryCodesLeft: 0 };
}

export type NewMember = { login: string; name: string; email: string; roles: readonly string[]; createdAt: Date };

/** Null: login or mailbox is taken. */
export async function insert(tx: Tx, { roles, ...row }: NewMember): Promise<number | null> {
  const [made] = await tx
    .insert(staff)
    .values({ ...row, roles: [...roles] })
    .onConflictDoNothing()
    .returning({ id: staff.id });
  return made?.id ?? null;
}

export async function lockPeople(tx: Tx): Promise<void> {
  await tx.execute(sql`select pg_advisory_xact_lock(${peopleLock})`);
}

export async function list(db: Db): Promise<Person[]> {
  const found = await db
    .select({
      id: staff.id,
      login: staff.login,
      name: staff.name,
      email: staff.email,
      roles: staff.roles,
      disabledAt: staff.disabledAt,
      revision: staff.revision,
      passkeys: passkeysOf,
      hasPassword: sql<boolean>`${staff.passwordHash} is not null`,
      sessions: sql<number>`count(${staffSessions.id})::int`,
      lastUsedAt: sql<Date | null>`max(${staffSessions.lastUsedAt})`.mapWith(staffSessions.lastUsedAt),
    })
    .from(staff)
    .leftJoin(staffSessions, eq(staffSessions.staffId, staff.id))
    .groupBy(staff.id)
    .orderBy(asc(staff.name), asc(staff.id));
  return found.map(({ disabledAt, roles, ...row }) => ({ ...row, roles: knownRoles(roles), isDisabled: disabledAt !== null }));
}

export async function save(tx: Tx, id: number, { roles, disabledAt }: { roles: readonly Role[]; disabledAt: Date | null }): Promise<void> {
  await tx
    .update(staff)
    .set({ roles: [...roles], disabledAt, revision: sql`${staff.revision} + 1` })
    .where(eq(staff.id, id));
}

export async function byLogin(db: Db, login: string): Promise<StaffMember | null> {
  const [row] = await db
    .select({ id: staff.id, login: staff.login, name: staff.name, email: staff.email, roles: staff.roles })
    .from(staff)
    .where(and(eq(staff.login, login), isNull(staff.disabledAt)));
  return row ? { ...row, roles: knownRoles(row.roles) } : null;
}
