import type { Tx } from "#kit/db.ts";
import { randomId } from "#kit/ids.ts";
import type { Passkey, PasskeyAnswer, RelyingParty } from "#kit/security/passkeys.ts";
import { hashPassword } from "#kit/security/password.ts";
import { done, fail, type Result } from "#kit/result.ts";
import { sha256 } from "#kit/security/secrets.ts";
import { minutes, plus } from "#kit/time.ts";
import { totpSecret, totpStepOf } from "#kit/security/totp.ts";
import { actorText } from "#shop/actor.ts";
import type { Ctx } from "#shop/context.ts";
import * as factorRows from "../sign-in/factors.repository.ts";
import { newPasskey, renewRecoveryCodes } from "../sign-in/factors.service.ts";
import * as rows from "./invitations.repository.ts";
import { lockPeople } from "./people.repository.ts";
import type { Role } from "../role.ts";
import { knownRoles } from "../sign-in/sessions.repository.ts";
import { endSessions } from "../sign-in/sessions.service.ts";
import type { StaffError } from "../staff.ts";

type GoneError = Extract<StaffError, { code: "staff.invitation_gone" }>;

/** An open invitation. `account`: it renews the sign-in of that account. */
export type Invitation = {
  id: number;
  email: string;
  roles: readonly Role[];
  expiresAt: Date;
  account: { id: number; login: string; name: string } | null;
};

/**
 * Makes a link's token that works once, for `staffInvitationMinutes`; only its hash is stored. An open invitation to the same mailbox is
 * replaced.
 * Refuses a mailbox that has an account, unless the invitation is for that account (`staffId`).
 */
export async function invite(
  ctx: Ctx,
  given: { email: string; roles: readonly Role[]; staffId?: number },
): Promise<Result<{ id: number; token: string; expiresAt: Date }, Extract<StaffError, { code: "staff.email_taken" }>>> {
  const email = given.email.trim().toLowerCase();
  await lockPeople(ctx.db);
  if (given.staffId === undefined && (await rows.isMember(ctx.db, email))) return fail({ code: "staff.email_taken" });
  const token = randomId(32);
  const now = ctx.now();
  const expiresAt = plus(now, minutes(ctx.settings.limits.staffInvitationMinutes));
  await rows.removeOpen(ctx.db, email);
  const id = await rows.insert(ctx.db, {
    tokenHash: sha256(token),
    email,
    roles: [...given.roles],
    staffId: given.staffId ?? null,
    invitedBy: actorText(ctx.actor),
    createdAt: now,
    expiresAt,
  });
  return done({ id, token, expiresAt });
}

/** The link that opens an invitation. The token is in the fragment, which no server and no proxy sees. */
export const invitationLink = (officeUrl: string, token: string): string => `${officeUrl}/invite#${token}`;

/** The open invitation of a token. */
export async function findInvitation(ctx: Pick<Ctx, "db" | "now">, token: string): Promise<Result<Invitation, GoneError>> {
  const found = await rows.find(ctx.db, sha256(token), ctx.now());
  return found ? done({ ...found, roles: knownRoles(found.roles) }) : fail({ code: "staff.invitation_gone" });
}

/** Open invitations; roles that this release does not know are left out. */
export const listInvitations = async (ctx: Pick<Ctx, "db" | "now">) =>
  (await rows.listOpen(ctx.db, ctx.now())).map((each) => ({ ...each, roles: knownRoles(each.roles) }));

/** Withdraws an open invitation; null: there is none. */
export const withdraw = (tx: Tx, id: number): Promise<{ email: string } | null> => rows.remove(tx, id);

/** What an invitation's page is opened with. `pageKey`: random text of that page; absent: a window of the release before. */
type Opening = { token: string; pageKey?: string | undefined };

/**
 * The secret for the code application, derived, so that nothing is stored before the invitation is accepted. Another page of the same link
 * has another one: the person who made the invitation and opened it does not know the secret of the invited person.
 */
export const secretOfInvitation = ({ secrets }: Pick<Ctx, "secrets">, { token, pageKey }: Opening): string =>
  totpSecret(secrets.sign("staff", ["totp", token, ...(pageKey ? [pageKey] : [])].join(" ")));
/** The use of a challenge for the first passkey of an invitation. */
export const invitationUse = (token: string): string => `invitation ${sha256(token)}`;

export type ChosenFactor = { by: "passkey"; credential: PasskeyAnswer; label: string } | { by: "password"; password: string; code: string };
export type CheckedFactor =
  | { by: "passkey"; passkey: Passkey; label: string }
  | { by: "password"; hash: string; sealedSecret: string; step: number };

/**
 * Checks what the invited person set up, before the transaction: the passkey's answer, or the first code of the application. A login that
 * is taken is refused first: the answer of a passkey can be given only once.
 */
export async function checkChosenFactor(
  ctx: Ctx,
  { token, pageKey, login, factor, party }: Opening & { login: string; factor: ChosenFactor; party: RelyingParty },
): Promise<Result<CheckedFactor, GoneError | Extract<StaffError, { code: "staff.factor_refused" | "staff.login_taken" }>>> {
  const open = await findInvitation(ctx, token);
  if (!open.ok) return open;
  if (open.value.account === null && (await rows.isLoginTaken(ctx.db, login))) return fail({ code: "staff.login_taken" });
  if (factor.by === "passkey") {
    const passkey = await newPasskey(ctx, factor.credential, invitationUse(token), party);
    return passkey ? done({ by: "passkey", passkey, label: factor.label }) : fail({ code: "staff.factor_refused" });
  }
  const secret = secretOfInvitation(ctx, { token, pageKey });
  const step = totpStepOf(secret, factor.code, ctx.now());
  if (step === null) return fail({ code: "staff.factor_refused" });
  return done({
    by: "password",
    hash: await hashPassword(factor.password, ctx.settings.passwordCost),
    sealedSecret: ctx.secrets.seal("staff", secret),
    step,
  });
}

/**
 * Uses an invitation up: makes the account, or gives the existing one its new factor, and ends its sessions. Returns the recovery codes,
 * which are shown once. Runs in the transaction of `ctx.db`; a second acceptance is refused.
 */
export async function accept(
  ctx: Ctx,
  given: { token: string; login: string; name: string; factor: CheckedFactor },
): Promise<
  Result<
    { staffId: number; login: string; recoveryCodes: string[] },
    GoneError | Extract<StaffError, { code: "staff.login_taken" | "staff.factor_refused" }>
  >
> {
  const tx = ctx.db;
  const used = await rows.consume(tx, sha256(given.token), ctx.now());
  if (!used) return fail({ code: "staff.invitation_gone" });
  const account =
    used.staffId === null ? await rows.insertMember(tx, { ...given, ...used, createdAt: ctx.now() }) : await rows.member(tx, used.staffId);
  if (!account) return fail({ code: used.staffId === null ? "staff.login_taken" : "staff.invitation_gone" });
  const { factor } = given;
  if (factor.by === "passkey") {
    if ((await factorRows.insertPasskey(tx, account.id, factor.passkey, factor.label, ctx.now())) === null)
      return fail({ code: "staff.factor_refused" });
  } else {
    await factorRows.setPassword(tx, account.id, { hash: factor.hash, totpSecret: factor.sealedSecret, step: factor.step });
  }
  const recoveryCodes = await renewRecoveryCodes(tx, ctx, account.id);
  await endSessions(tx, account.id);
  return done({ staffId: account.id, login: account.login, recoveryCodes });
}
