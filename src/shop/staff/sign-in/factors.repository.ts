import { and, eq, isNull, lt, sql } from "drizzle-orm";
import type { Db, Tx } from "#kit/db.ts";
import type { Passkey } from "#kit/security/passkeys.ts";
import { staff, staffChallenges, staffPasskeys, staffRecoveryCodes } from "../tables.ts";

/** Stores a challenge as used; false: it was used before. */
export async function insertChallenge(db: Db, hash: string, at: Date): Promise<boolean> {
  const made = await db
    .insert(staffChallenges)
    .values({ hash, usedAt: at })
    .onConflictDoNothing()
    .returning({ hash: staffChallenges.hash });
  return made.length > 0;
}

export async function removeOldChallenges(db: Db, before: Date): Promise<void> {
  await db.delete(staffChallenges).where(lt(staffChallenges.usedAt, before));
}

/** What an account signs in with, by its mailbox; null: there is none that may sign in. */
export async function byEmail(db: Db, email: string) {
  const [row] = await db
    .select({ id: staff.id, passwordHash: staff.passwordHash, totpSecret: staff.totpSecret })
    .from(staff)
    .where(and(eq(staff.email, email), isNull(staff.disabledAt)));
  return row ?? null;
}

export async function secretOf(db: Db, staffId: number): Promise<string | null> {
  const [row] = await db.select({ totpSecret: staff.totpSecret }).from(staff).where(eq(staff.id, staffId));
  return row?.totpSecret ?? null;
}

/** Accepts a time step once; false: it, or a later one, was used before. */
export async function consumeTotpStep(db: Db, staffId: number, step: number): Promise<boolean> {
  const used = await db
    .update(staff)
    .set({ totpStep: step })
    .where(and(eq(staff.id, staffId), lt(staff.totpStep, step)))
    .returning({ id: staff.id });
  return used.length > 0;
}

/** Accepts a recovery code once; false: the account has no unused code with this hash. */
export async function consumeRecoveryCode(db: Db, staffId: number, hash: string, at: Date): Promise<boolean> {
  const used = await db
    .update(staffRecoveryCodes)
    .set({ usedAt: at })
    .where(and(eq(staffRecoveryCodes.staffId, staffId), eq(staffRecoveryCodes.hash, hash), isNull(staffRecoveryCodes.usedAt)))
    .returning({ hash: staffRecoveryCodes.hash });
  return used.length > 0;
}

export async function replaceRecoveryCodes(tx: Tx, staffId: number, hashes: readonly string[]): Promise<void> {
  await tx.delete(staffRecoveryCodes).where(eq(staffRecoveryCodes.staffId, staffId));
  await tx.insert(staffRecoveryCodes).values(hashes.map((hash) => ({ staffId, hash })));
}

export async function passkeyByCredential(
  db: Db,
  credentialId: string,
): Promise<(Passkey & { id: number; staffId: number; email: string }) | null> {
  const [row] = await db
    .select({
      id: staffPasskeys.id,
      staffId: staffPasskeys.staffId,
      email: staff.email,
      credentialId: staffPasskeys.credentialId,
      publicKey: staffPasskeys.publicKey,
      counter: staffPasskeys.counter,
      transports: staffPasskeys.transports,
    })
    .from(staffPasskeys)
    .innerJoin(staff, eq(staff.id, staffPasskeys.staffId))
    .where(and(eq(staffPasskeys.credentialId, credentialId), isNull(staff.disabledAt)));
  return row ?? null;
}

/** Stores the counter of a passkey that was used; false: a later counter was stored meanwhile, which a copied authenticator causes. */
export async function consumePasskey(db: Db, id: number, counter: number, at: Date): Promise<boolean> {
  const used = await db
    .update(staffPasskeys)
    .set({ counter, lastUsedAt: at })
    .where(and(eq(staffPasskeys.id, id), sql`(${staffPasskeys.counter} < ${counter} or ${counter} = 0)`))
    .returning({ id: staffPasskeys.id });
  return used.length > 0;
}

export async function passwordHashOf(db: Db, staffId: number): Promise<string | null> {
  const [row] = await db.select({ passwordHash: staff.passwordHash }).from(staff).where(eq(staff.id, staffId));
  return row?.passwordHash ?? null;
}

export async function hasPasskey(db: Db, staffId: number, id: number): Promise<boolean> {
  const [row] = await db
    .select({ id: staffPasskeys.id })
    .from(staffPasskeys)
    .where(and(eq(staffPasskeys.id, id), eq(staffPasskeys.staffId, staffId)));
  return row !== undefined;
}

export const passkeysOf = (db: Db, staffId: number) =>
  db
    .select({
      id: staffPasskeys.id,
      credentialId: staffPasskeys.credentialId,
      label: staffPasskeys.label,
      createdAt: staffPasskeys.createdAt,
      lastUsedAt: staffPasskeys.lastUsedAt,
    })
    .from(staffPasskeys)
    .where(eq(staffPasskeys.staffId, staffId))
    .orderBy(staffPasskeys.id);

/** Stores a passkey and returns its id; null: this authenticator is registered already. */
export async function insertPasskey(
  tx: Tx,
  staffId: number,
  { transports, ...passkey }: Passkey,
  label: string,
  at: Date,
): Promise<number | null> {
  const [made] = await tx
    .insert(staffPasskeys)
    .values({ staffId, ...passkey, transports: [...transports], label, createdAt: at })
    .onConflictDoNothing()
    .returning({ id: staffPasskeys.id });
  return made?.id ?? null;
}

/** Removes a passkey of this account; false: it has none with this id. */
export async function removePasskey(tx: Tx, staffId: number, id: number): Promise<boolean> {
  const gone = await tx
    .delete(staffPasskeys)
    .where(and(eq(staffPasskeys.id, id), eq(staffPasskeys.staffId, staffId)))
    .returning({ id: staffPasskeys.id });
  return gone.length > 0;
}

export async function setPassword(tx: Tx, staffId: number, password: { hash: string; totpSecret: string; step: number }): Promise<void> {
  const { hash, totpSecret, step } = password;
  await tx.update(staff).set({ passwordHash: hash, totpSecret, totpStep: step }).where(eq(staff.id, staffId));
}

export async function replacePassword(tx: Tx, staffId: number, hash: string): Promise<void> {
  await tx.update(staff).set({ passwordHash: hash }).where(eq(staff.id, staffId));
}

/** Removes every way to sign in. */
export async function clearFactors(tx: Tx, staffId: number): Promise<void> {
  await tx.delete(staffPasskeys).where(eq(staffPasskeys.staffId, staffId));
  await tx.delete(staffRecoveryCodes).where(eq(staffRecoveryCodes.staffId, staffId));
  await tx.update(staff).set({ passwordHash: null, totpSecret: null }).where(eq(staff.id, staffId));
}

/** Holds an account's ways to sign in until the end of the transaction. */
export async function lockAccount(tx: Tx, staffId: number): Promise<void> {
  await tx.select({ id: staff.id }).from(staff).where(eq(staff.id, staffId)).for("no key update");
}
