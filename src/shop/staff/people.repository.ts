import { and, count, eq, isNull, sql } from "drizzle-orm";
import type { Db, Tx } from "#kit/db.ts";
import type { Factors } from "./staff.ts";
import { staff, staffPasskeys, staffRecoveryCodes } from "./tables.ts";

const passkeysOf = sql<number>`(select count(*)::int from ${staffPasskeys} where ${staffPasskeys.staffId} = ${staff.id})`;
const recoveryCodesOf = sql<number>`(select count(*)::int from ${staffRecoveryCodes} where ${staffRecoveryCodes.staffId} = ${staff.id} and ${staffRecoveryCodes.usedAt} is null)`;

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
