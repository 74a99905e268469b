import type * as z from "zod";
import * as contract from "#contract/staff/access/session.ts";
import { isoMoscow } from "#kit/moscow-time.ts";
import { relyingParty } from "#kit/security/passkeys.ts";
import { qrOf } from "#kit/documents/qr.ts";
import { done, fail } from "#kit/result.ts";
import { totpUri } from "#kit/security/totp.ts";
import type { Origin } from "#shop/audit/audit.ts";
import type { Ctx } from "#shop/context.ts";
import { issueChallenge } from "#shop/staff/sign-in/challenges.service.ts";
import * as factors from "#shop/staff/sign-in/factors.service.ts";
import * as invitations from "#shop/staff/people/invitations.service.ts";
import * as people from "#shop/staff/people/people.service.ts";
import { roles } from "#shop/staff/role.ts";
import * as sessions from "#shop/staff/sign-in/sessions.service.ts";
import type { StaffMember } from "#shop/staff/staff.ts";
import { staffChange, staffRead, type StaffEndpoint } from "../endpoint.ts";
import { assertionOptions, creationOptions, deviceName, isoOrNull, meView } from "../views.ts";

type Me = z.input<(typeof contract.readMe)["answer"]>;
type SignIn = { origin: Origin; replacedSid: string | null; setSession: (sid: string) => void };

/**
 * Opens a session for an account whose factor was checked, in the transaction of `ctx.db`; the session that this browser had ends. Null:
 * the account was disabled, or the factor was taken from it meanwhile.
 */
async function openFor(
  ctx: Ctx,
  { staffId, checked }: { staffId: number; checked?: factors.CheckedSignIn },
  { origin, replacedSid, setSession }: SignIn,
): Promise<{ member: StaffMember; me: Me } | null> {
  const member = await sessions.lockMember(ctx.db, staffId);
  if (!member || (checked && !(await factors.isStillRight(ctx.db, checked)))) return null;
  if (replacedSid !== null) await sessions.endReplaced(ctx.db, replacedSid);
  const { sid, session } = await sessions.openSession(ctx.db, ctx, staffId, origin);
  setSession(sid);
  return { member, me: meView(ctx, member, session, await people.factors(ctx, staffId)) };
}

const isDemoAllowed = (ctx: Ctx, { isLocal }: { isLocal: boolean }): boolean => ctx.isDemo && isLocal;
const subject = ({ login }: { login: string }): string => `staff:${login}`;

/** Sign-in and the second factor. */
const signInEndpoints: readonly StaffEndpoint[] = [
  staffRead(contract.readSignIn, async (ctx, input) =>
    done({ shop: ctx.settings.shop.name, demoRoles: isDemoAllowed(ctx, input) ? [...roles] : [] }),
  ),

  staffRead(contract.readSignInOptions, async (ctx, { officeUrl }) =>
    done(assertionOptions(officeUrl, issueChallenge(ctx, "sign-in"), [])),
  ),

  staffChange(contract.signInByPasskey, {
    prepare: (ctx, { body, origin, officeUrl }) =>
      factors.checkPasskeySignIn(ctx, { credential: body.credential, party: relyingParty(officeUrl), address: origin.address }),
    change: async (ctx, { audit, ...input }, checked: Awaited<ReturnType<typeof factors.checkPasskeySignIn>>) => {
      if (!checked.ok) return checked;
      const opened = await openFor(ctx, { staffId: checked.value.staffId, checked: checked.value }, input);
      if (!opened) return fail({ code: "staff.sign_in_refused" });
      audit({ subject: subject(opened.member), login: opened.member.login, after: { by: "passkey" } });
      return done(opened.me);
    },
  }),

  staffChange(contract.signInByPassword, {
    prepare: (ctx, { body, origin }) =>
      factors.checkPasswordSignIn(ctx, {
        email: body.email,
        password: body.password,
        factor: body.recoveryCode === undefined ? { code: body.code ?? "" } : { recoveryCode: body.recoveryCode },
        address: origin.address,
      }),
    change: async (ctx, { audit, body, ...input }, checked: Awaited<ReturnType<typeof factors.checkPasswordSignIn>>) => {
      if (!checked.ok) return checked;
      const opened = await openFor(ctx, { staffId: checked.value.staffId, checked: checked.value }, input);
      if (!opened) return fail({ code: "staff.sign_in_refused" });
      const by = body.recoveryCode === undefined ? "password and code" : "password and recovery code";
      audit({ subject: subject(opened.member), login: opened.member.login, after: { by } });
      return done(opened.me);
    },
  }),

  staffChange(contract.demoSignIn, {
    change: async (ctx, { audit, body, ...input }) => {
      if (!isDemoAllowed(ctx, input)) return fail({ code: "staff.not_found" });
      const account = await people.demoAccount(ctx.db, ctx, body.role);
      const opened = account && (await openFor(ctx, { staffId: account.id }, input));
      if (!opened) return fail({ code: "staff.disabled" });
      audit({ subject: subject(opened.member), login: opened.member.login, after: { by: "demo" } });
      return done(opened.me);
    },
  }),

  staffRead(contract.readStepUpOptions, async (ctx, { staff, session, officeUrl }) => {
    const own = await factors.passkeysOf(ctx, staff.id);
    const challenge = issueChallenge(ctx, factors.stepUpUse(session.id));
    return done(
      assertionOptions(
        officeUrl,
        challenge,
        own.map(({ credentialId }) => credentialId),
      ),
    );
  }),

  staffChange(contract.stepUp, {
    prepare: async (ctx, { staff, session, body, origin, isLocal, officeUrl }) => {
      if (body.by === "demo") {
        const me = meView(ctx, staff, session, await people.factors(ctx, staff.id));
        return me.isDemo && isDemoAllowed(ctx, { isLocal }) ? done(null) : fail({ code: "staff.factor_refused" as const });
      }
      const factor =
        body.by === "passkey"
          ? { credential: body.credential, party: relyingParty(officeUrl) }
          : body.by === "code"
            ? { code: body.code }
            : { recoveryCode: body.recoveryCode };
      return factors.checkFactor(ctx, staff, { factor, sessionId: session.id, address: origin.address });
    },
    change: async (ctx, { staff, session, body, audit }, checked: Awaited<ReturnType<typeof factors.checkFactor>>) => {
      if (!checked.ok) return checked;
      await sessions.markVerified(ctx.db, ctx, session.id);
      audit({ subject: subject(staff), after: { by: body.by } });
      const until = sessions.verifiedUntil(ctx, { ...session, verifiedAt: ctx.now() });
      return done({ verifiedUntil: isoMoscow(until ?? ctx.now()) });
    },
  }),
];

/** The caller's own session, devices and factors. */
const ownEndpoints: readonly StaffEndpoint[] = [
  staffRead(contract.readMe, async (ctx, { staff, session }) => done(meView(ctx, staff, session, await people.factors(ctx, staff.id)))),

  staffChange(contract.signOut, {
    change: async (ctx, { staff, session, audit, setSession }) => {
      await sessions.endSession(ctx.db, staff.id, session.id);
      audit({ subject: subject(staff) });
      setSession(null);
      return done(true as const);
    },
  }),

  staffRead(contract.readDevices, async (ctx, { staff, session }) => {
    const { hasPassword, recoveryCodesLeft } = await people.factors(ctx, staff.id);
    const passkeys = await factors.passkeysOf(ctx, staff.id);
    return done({
      sessions: (await sessions.list(ctx, staff.id)).map((each) => ({
        id: each.id,
        isThis: each.id === session.id,
        device: deviceName(each.userAgent),
        address: each.address,
        createdAt: isoMoscow(each.createdAt),
        lastUsedAt: isoMoscow(each.lastUsedAt),
      })),
      passkeys: passkeys.map(({ id, label, createdAt, lastUsedAt }) => ({
        id,
        label,
        createdAt: isoMoscow(createdAt),
        lastUsedAt: isoOrNull(lastUsedAt),
      })),
      hasPassword,
      recoveryCodesLeft,
    });
  }),

  staffChange(contract.endSession, {
    change: async (ctx, { staff, session, params, audit, setSession }) => {
      if (!(await sessions.endSession(ctx.db, staff.id, params.id))) return fail({ code: "staff.not_found" });
      audit({ subject: subject(staff), before: { session: params.id } });
      if (params.id === session.id) setSession(null);
      return done(true as const);
    },
  }),

  staffChange(contract.endAllSessions, {
    change: async (ctx, { staff, session, body, audit, setSession }) => {
      const ended = await sessions.endSessions(ctx.db, staff.id, body.exceptThis ? session.id : null);
      audit({ subject: subject(staff), before: { sessions: ended } });
      if (!body.exceptThis) setSession(null);
      return done({ ended });
    },
  }),

  staffRead(contract.readNewPasskeyOptions, async (ctx, { staff, officeUrl }) => {
    const own = await factors.passkeysOf(ctx, staff.id);
    return done(
      creationOptions(
        ctx,
        officeUrl,
        issueChallenge(ctx, factors.newPasskeyUse(staff.id)),
        staff,
        own.map(({ credentialId }) => credentialId),
      ),
    );
  }),

  staffChange(contract.addPasskey, {
    prepare: (ctx, { staff, body, officeUrl }) =>
      factors.newPasskey(ctx, body.credential, factors.newPasskeyUse(staff.id), relyingParty(officeUrl)),
    change: async (ctx, { staff, body, audit }, passkey: Awaited<ReturnType<typeof factors.newPasskey>>) => {
      if (!passkey) return fail({ code: "staff.factor_refused" });
      const added = await factors.addPasskey(ctx.db, ctx, staff.id, passkey, body.label);
      if (added.ok) audit({ subject: subject(staff), after: { passkey: added.value.id, label: body.label } });
      return added;
    },
  }),

  staffChange(contract.removePasskey, {
    change: async (ctx, { staff, params, audit }) => {
      const { hasPassword } = await people.factors(ctx, staff.id);
      const removed = await factors.removePasskey(ctx.db, staff.id, params.id, hasPassword);
      if (!removed.ok) return removed;
      audit({ subject: subject(staff), before: { passkey: params.id } });
      return done(true as const);
    },
  }),

  staffChange(contract.changePassword, {
    prepare: (ctx, { staff, body, origin }) => factors.newPasswordHash(ctx, staff, { ...body, address: origin.address }),
    change: async (ctx, { staff, session, audit }, hash: Awaited<ReturnType<typeof factors.newPasswordHash>>) => {
      if (!hash.ok) return hash;
      await factors.replacePassword(ctx.db, staff.id, hash.value);
      const ended = await sessions.endSessions(ctx.db, staff.id, session.id);
      audit({ subject: subject(staff), after: { endedSessions: ended } });
      return done({ ended });
    },
  }),

  staffChange(contract.renewRecoveryCodes, {
    change: async (ctx, { staff, audit }) => {
      audit({ subject: subject(staff) });
      return done({ recoveryCodes: await factors.renewRecoveryCodes(ctx.db, ctx, staff.id) });
    },
  }),
];

/** `ivanova@chekan.ru` → `ivanova`. */
const suggestedLogin = (email: string): string => {
  const name = email.slice(0, Math.max(0, email.indexOf("@"))).replaceAll(/[^a-z0-9._-]/g, "");
  return /^[a-z]/.test(name) ? name.slice(0, 40) : "";
};

const invitationEndpoints: readonly StaffEndpoint[] = [
  staffChange(contract.openInvitation, {
    change: async (ctx, { body: { token, pageKey }, officeUrl, audit }) => {
      const found = await invitations.findInvitation(ctx, token);
      if (!found.ok) return found;
      const { id, email, expiresAt, account } = found.value;
      audit({ subject: `invitation:${id}`, login: account?.login ?? null });
      const secret = invitations.secretOfInvitation(ctx, { token, pageKey });
      const uri = totpUri(secret, email, ctx.settings.shop.name);
      const who = { id, login: account?.login ?? email, name: account?.name ?? email };
      return done({
        email,
        roles: [...found.value.roles],
        expiresAt: isoMoscow(expiresAt),
        account: account && { login: account.login, name: account.name },
        suggestedLogin: account?.login ?? suggestedLogin(email),
        passkey: creationOptions(ctx, officeUrl, issueChallenge(ctx, invitations.invitationUse(token)), who, []),
        totp: { secret: secret.replaceAll(/(.{4})(?=.)/g, "$1 "), uri, qr: qrOf(uri) },
      });
    },
  }),

  staffChange(contract.acceptInvitation, {
    prepare: (ctx, { body: { token, pageKey, login, factor }, officeUrl }) =>
      invitations.checkChosenFactor(ctx, { token, pageKey, login, factor, party: relyingParty(officeUrl) }),
    change: async (ctx, { body, audit, ...input }, checked: Awaited<ReturnType<typeof invitations.checkChosenFactor>>) => {
      if (!checked.ok) return checked;
      const accepted = await invitations.accept(ctx, { token: body.token, login: body.login, name: body.name, factor: checked.value });
      if (!accepted.ok) return accepted;
      const { staffId, login, recoveryCodes } = accepted.value;
      const opened = await openFor(ctx, { staffId }, input);
      if (!opened) return fail({ code: "staff.invitation_gone" });
      audit({ subject: subject(opened.member), login, after: { roles: opened.member.roles, by: body.factor.by } });
      return done({ me: opened.me, recoveryCodes });
    },
  }),
];

export const sessionEndpoints: readonly StaffEndpoint[] = [...signInEndpoints, ...ownEndpoints, ...invitationEndpoints];
