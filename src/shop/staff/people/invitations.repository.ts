import { and, eq, gt, isNull, lt } from "drizzle-orm";
import type { Db, Tx } from "#kit/db.ts";
import { staff, staffInvitations } from "../tables.ts";

const isOpen = (now: Date) => and(isNull(staffInvitations.usedAt), gt(staffInvitations.expiresAt, now));

export async function isMember(db: Db, email: string): Promise<boolean> {
  const [row] = await db.select({ id: staff.id }).from(staff).where(eq(staff.email, email));
  return row !== undefined;
}

export async function removeOpen(tx: Tx, email: string): Promise<void> {
  await tx.delete(staffInvitations).where(and(eq(staffInvitations.email, email), isNull(staffInvitations.usedAt)));
}

/** Withdraws the open links that set up the sign-in of this account again. */
export async function removeOpenOf(tx: Tx, staffId: number): Promise<void> {
  await tx.delete(staffInvitations).where(and(eq(staffInvitations.staffId, staffId), isNull(staffInvitations.usedAt)));
}

export async function isLoginTaken(db: Db, login: string): Promise<boolean> {
  const [row] = await db.select({ id: staff.id }).from(staff).where(eq(staff.login, login));
  return row !== undefined;
}

type NewInvitation = Omit<typeof staffInvitations.$inferInsert, "id" | "usedAt">;

export async function insert(tx: Tx, row: NewInvitation): Promise<number> {
  const [made] = await tx.insert(staffInvitations).values(row).returning({ id: staffInvitations.id });
  if (!made) throw new Error("an invitation was not stored");
  return made.id;
}

export async function find(db: Db, tokenHash: string, now: Date) {
  const [row] = await db
    .select({
      id: staffInvitations.id,
      email: staffInvitations.email,
      roles: staffInvitations.roles,
      expiresAt: staffInvitations.expiresAt,
      account: { id: staff.id, login: staff.login, name: staff.name },
    })
    .from(staffInvitations)
    .leftJoin(staff, eq(staff.id, staffInvitations.staffId))
    .where(and(eq(staffInvitations.tokenHash, tokenHash), isOpen(now)));
  return row ?? null;
}

export const listOpen = (db: Db, now: Date) =>
  db
    .select({
      id: staffInvitations.id,
      email: staffInvitations.email,
      roles: staffInvitations.roles,
      staffId: staffInvitations.staffId,
      invitedBy: staffInvitations.invitedBy,
      expiresAt: staffInvitations.expiresAt,
    })
    .from(staffInvitations)
    .where(isOpen(now))
    .orderBy(staffInvitations.id);

export async function remove(tx: Tx, id: number): Promise<{ email: string } | null> {
  const [gone] = await tx
    .delete(staffInvitations)
    .where(and(eq(staffInvitations.id, id), isNull(staffInvitations.usedAt)))
    .returning({ email: staffInvitations.email });
  return gone ?? null;
}

/** Marks an open invitation as used; null: it was used meanwhile, or its time is over. */
export async function consume(tx: Tx, tokenHash: string, now: Date) {
  const [used] = await tx
    .update(staffInvitations)
    .set({ usedAt: now })
    .where(and(eq(staffInvitations.tokenHash, tokenHash), isOpen(now)))
    .returning({ email: staffInvitations.email, roles: staffInvitations.roles, staffId: staffInvitations.staffId });
  return used ?? null;
}

type Account = { id: number; login: string };

/** Null: the login is taken, or the mailbox got an account meanwhile. */
export async function insertMember(
  tx: Tx,
  { login, name, email, roles, createdAt }: { login: string; name: string; email: string; roles: string[]; createdAt: Date },
): Promise<Account | null> {
  const [made] = await tx
    .insert(staff)
    .values({ login, name, email, roles, createdAt })
    .onConflictDoNothing()
    .returning({ id: staff.id, login: staff.login });
  return made ?? null;
}

export async function member(tx: Tx, id: number): Promise<Account | null> {
  const [row] = await tx
    .select({ id: staff.id, login: staff.login })
    .from(staff)
    .where(and(eq(staff.id, id), isNull(staff.disabledAt)));
  return row ?? null;
}

export async function removeOld(db: Db, before: Date): Promise<void> {
  await db.delete(staffInvitations).where(and(isNull(staffInvitations.usedAt), lt(staffInvitations.expiresAt, before)));
}
