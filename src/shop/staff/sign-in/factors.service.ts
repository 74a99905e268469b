import { randomInt } from "node:crypto";
import type { Tx } from "#kit/db.ts";
import { challengeIn, checkPasskey, readNewPasskey, type Passkey, type PasskeyAnswer, type RelyingParty } from "#kit/security/passkeys.ts";
import { hashPassword, isPassword } from "#kit/security/password.ts";
import { done, fail, type Result } from "#kit/result.ts";
import { totpStepOf } from "#kit/security/totp.ts";
import type { Ctx } from "#shop/context.ts";
import { consumeChallenge } from "./challenges.service.ts";
import * as rows from "./factors.repository.ts";
import { countAttempt, forgetAttempt } from "./failures.service.ts";
import type { StaffError } from "../staff.ts";

type SignInError = Extract<StaffError, { code: "staff.sign_in_refused" | "staff.sign_in_closed" }>;
type FactorError = Extract<StaffError, { code: "staff.factor_refused" | "staff.sign_in_closed" }>;

/** Crockford's alphabet: no letter that looks like a digit. */
const recoveryAlphabet = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
const recoveryCodes = 10;

/** What confirms a session or signs in besides the password. */
export type CodeFactor = { code: string } | { recoveryCode: string };

/** An account whose sign-in was right, and what it signed in with. */
export type CheckedSignIn = { staffId: number; by: { passwordHash: string } | { passkeyId: number } };

const refused = fail({ code: "staff.sign_in_refused" as const });

/**
 * Checks mailbox, password and code, and returns the account. Runs outside of a transaction: failed attempts must be stored. Unknown
 * accounts take the same time, and every cause has the same refusal. A code is used up when the password was right.
 */
export async function checkPasswordSignIn(
  ctx: Ctx,
  given: { email: string; password: string; factor: CodeFactor; address: string },
): Promise<Result<CheckedSignIn, SignInError>> {
  const attempt = { email: given.email.trim().toLowerCase(), address: given.address };
  const counted = await countAttempt(ctx, attempt);
  if (!counted.ok) return counted;
  const account = await rows.byEmail(ctx.db, attempt.email);
  const isRight = await isPassword(given.password, account?.passwordHash ?? null, ctx.settings.passwordCost);
  if (!account?.passwordHash || !isRight || !(await consumeCode(ctx, account.id, account.totpSecret, given.factor))) return refused;
  await forgetAttempt(ctx, attempt);
  return done({ staffId: account.id, by: { passwordHash: account.passwordHash } });
}

/** Checks a passkey's answer and returns the account. Runs outside of a transaction. */
export async function checkPasskeySignIn(
  ctx: Ctx,
  given: { credential: PasskeyAnswer; party: RelyingParty; address: string },
): Promise<Result<CheckedSignIn, SignInError>> {
  const passkey = await rows.passkeyByCredential(ctx.db, given.credential.id);
  const attempt = { email: passkey?.email ?? null, address: given.address };
  const counted = await countAttempt(ctx, attempt);
  if (!counted.ok) return counted;
  if (!passkey || !(await consumePasskey(ctx, passkey, given.credential, "sign-in", given.party))) return refused;
  await forgetAttempt(ctx, attempt);
  return done({ staffId: passkey.staffId, by: { passkeyId: passkey.id } });
}

/**
 * Whether the account still has what a sign-in was checked with. Called with the account locked: a reset, a new password or a removed
 * passkey that came between has ended the sessions, and the old one must open none.
 */
export const isStillRight = async (tx: Tx, { staffId, by }: CheckedSignIn): Promise<boolean> =>
  "passkeyId" in by ? rows.hasPasskey(tx, staffId, by.passkeyId) : (await rows.passwordHashOf(tx, staffId)) === by.passwordHash;

/** Confirms a session of a signed-in account by one of its factors. Failures count like failed sign-ins. Runs outside of a transaction. */
export async function checkFactor(
  ctx: Ctx,
  member: { id: number; email: string },
  given: { factor: CodeFactor | { credential: PasskeyAnswer; party: RelyingParty }; sessionId: number; address: string },
): Promise<Result<null, FactorError>> {
  const attempt = { email: member.email, address: given.address };
  const counted = await countAttempt(ctx, attempt);
  if (!counted.ok) return counted;
  const { factor } = given;
  const isRight =
    "credential" in factor
      ? await isOwnPasskey(ctx, member.id, factor, given.sessionId)
      : await consumeCode(ctx, member.id, await rows.secretOf(ctx.db, member.id), factor);
  if (!isRight) return fail({ code: "staff.factor_refused" });
  await forgetAttempt(ctx, attempt);
  return done(null);
}

async function isOwnPasskey(
  ctx: Ctx,
  staffId: number,
  { credential, party }: { credential: PasskeyAnswer; party: RelyingParty },
  sessionId: number,
) {
  const passkey = await rows.passkeyByCredential(ctx.db, credential.id);
  return passkey?.staffId === staffId && (await consumePasskey(ctx, passkey, credential, stepUpUse(sessionId), party));
}

/**
 * Checks the present password of a signed-in account and returns the hash of the new one. Failures count like failed sign-ins. Runs outside
 * of a transaction.
 */
export async function newPasswordHash(
  ctx: Ctx,
  member: { id: number; email: string },
  given: { oldPassword: string; newPassword: string; address: string },
): Promise<Result<string, PasswordError>> {
  const account = await rows.byEmail(ctx.db, member.email);
  if (!account?.passwordHash) return fail({ code: "staff.not_found" });
  const attempt = { email: member.email, address: given.address };
  const counted = await countAttempt(ctx, attempt);
  if (!counted.ok) return counted;
  if (!(await isPassword(given.oldPassword, account.passwordHash, ctx.settings.passwordCost)))
    return wrongPassword("oldPassword", "Прежний пароль не подходит");
  await forgetAttempt(ctx, attempt);
  if (given.newPassword === given.oldPassword) return wrongPassword("newPassword", "Это прежний пароль: придумайте другой");
  return done(await hashPassword(given.newPassword, ctx.settings.passwordCost));
}
type PasswordError =
  | { code: "staff.not_found" }
  | Extract<StaffError, { code: "staff.sign_in_closed" }>
  | { code: "request.invalid"; fields: Record<string, string> };
const wrongPassword = (field: string, message: string) => fail({ code: "request.invalid" as const, fields: { [field]: message } });

/** Stores the hash of a new password; the code application stays. */
export const replacePassword = (tx: Tx, staffId: number, hash: string): Promise<void> => rows.replacePassword(tx, staffId, hash);

/** The use of a challenge for confirming a session's sign-in: an answer to another use is refused. */
export const stepUpUse = (sessionId: number): string => `step-up ${sessionId}`;
/** The use of a challenge for adding a passkey to an account. */
export const newPasskeyUse = (staffId: number): string => `new-passkey ${staffId}`;

/** Checks the answer of a passkey to a challenge of this use, and uses both up; false: one of them is not valid. */
async function consumePasskey(
  ctx: Ctx,
  passkey: Passkey & { id: number },
  credential: PasskeyAnswer,
  use: string,
  party: RelyingParty,
): Promise<boolean> {
  const challenge = challengeIn(credential);
  if (challenge === null || !(await consumeChallenge(ctx, use, challenge))) return false;
  const counter = await checkPasskey(credential, passkey, challenge, party);
  return counter !== null && rows.consumePasskey(ctx.db, passkey.id, counter, ctx.now());
}

/** A new passkey that answers a challenge issued for `use`; null: it is refused. */
export async function newPasskey(ctx: Ctx, credential: PasskeyAnswer, use: string, party: RelyingParty): Promise<Passkey | null> {
  const challenge = challengeIn(credential);
  if (challenge === null || !(await consumeChallenge(ctx, use, challenge))) return null;
  return readNewPasskey(credential, challenge, party);
}

/** Checks a recovery code or a time-based code, and uses it up; false: it is wrong or was used before. */
async function consumeCode(ctx: Ctx, staffId: number, sealedSecret: string | null, factor: CodeFactor): Promise<boolean> {
  if ("recoveryCode" in factor) return rows.consumeRecoveryCode(ctx.db, staffId, recoveryHash(ctx, factor.recoveryCode), ctx.now());
  const secret = sealedSecret === null ? null : ctx.secrets.unseal("staff", sealedSecret);
  const step = secret === null ? null : totpStepOf(secret, factor.code, ctx.now());
  return step !== null && rows.consumeTotpStep(ctx.db, staffId, step);
}

/**
 * Replaces the recovery codes of an account and returns the new ones, `ABCD-EFGH-JKMN`; only their hashes are stored. Of two renewals at
 * once the codes of the later one work.
 */
export async function renewRecoveryCodes(tx: Tx, ctx: Pick<Ctx, "secrets">, staffId: number): Promise<string[]> {
  await rows.lockAccount(tx, staffId);
  const codes = Array.from({ length: recoveryCodes }, () =>
    Array.from({ length: 12 }, () => recoveryAlphabet.charAt(randomInt(recoveryAlphabet.length))).join(""),
  );
  await rows.replaceRecoveryCodes(
    tx,
    staffId,
    codes.map((code) => recoveryHash(ctx, code)),
  );
  return codes.map((code) => code.replaceAll(/(.{4})(?=.)/g, "$1-"));
}

const recoveryHash = ({ secrets }: Pick<Ctx, "secrets">, code: string): string => secrets.sign("staff", `recovery ${code}`);

/** The passkeys of an account. */
export const passkeysOf = (ctx: Pick<Ctx, "db">, staffId: number) => rows.passkeysOf(ctx.db, staffId);

/** Adds a verified passkey to an account; refuses one that is registered already. */
export async function addPasskey(
  tx: Tx,
  ctx: Pick<Ctx, "now">,
  staffId: number,
  passkey: Passkey,
  label: string,
): Promise<Result<{ id: number }, FactorError>> {
  const id = await rows.insertPasskey(tx, staffId, passkey, label, ctx.now());
  return id === null ? fail({ code: "staff.factor_refused" }) : done({ id });
}

/** Removes a passkey, unless the account could not sign in without it. */
export async function removePasskey(
  tx: Tx,
  staffId: number,
  id: number,
  hasPassword: boolean,
): Promise<Result<null, Extract<StaffError, { code: "staff.not_found" | "staff.last_factor" }>>> {
  await rows.lockAccount(tx, staffId);
  const own = await rows.passkeysOf(tx, staffId);
  if (!own.some((each) => each.id === id)) return fail({ code: "staff.not_found" });
  if (own.length === 1 && !hasPassword) return fail({ code: "staff.last_factor" });
  await rows.removePasskey(tx, staffId, id);
  return done(null);
}
