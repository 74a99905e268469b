import type * as z from "zod";
import type { readMe, readNewPasskeyOptions, readSignInOptions } from "#contract/staff/access/session.ts";
import { isoMoscow } from "#kit/moscow-time.ts";
import { passkeyAlgorithms, relyingParty } from "#kit/security/passkeys.ts";
import type { Ctx } from "#shop/context.ts";
import { grantsOf, type Grant, type Permission } from "#shop/staff/role.ts";
import { sessionEnds, verifiedUntil } from "#shop/staff/sign-in/sessions.service.ts";
import { isDemoLogin, type Factors, type StaffMember, type StaffSession } from "#shop/staff/staff.ts";

/** What the roles of the caller give. */
export type May = (permission: Permission) => Grant | null;

/** A time that may be absent. */
export const isoOrNull = (at: Date | null): string | null => at && isoMoscow(at);

/** The caller, as the shell of the app needs it. */
export function meView(ctx: Ctx, member: StaffMember, session: StaffSession, factors: Factors): z.input<(typeof readMe)["answer"]> {
  const ends = sessionEnds(ctx, session);
  const isDemo = ctx.isDemo && isDemoLogin(member.login);
  return {
    id: member.id,
    login: member.login,
    name: member.name,
    email: member.email,
    roles: [...member.roles],
    grants: grantsOf(member.roles),
    verifiedUntil: isoOrNull(verifiedUntil(ctx, session)),
    idleEndsAt: isoMoscow(ends.idleAt),
    endsAt: isoMoscow(ends.at),
    factors: [
      ...(factors.passkeys > 0 ? (["passkey"] as const) : []),
      ...(factors.hasPassword ? (["code"] as const) : []),
      ...(factors.recoveryCodesLeft > 0 ? (["recovery"] as const) : []),
      ...(isDemo ? (["demo"] as const) : []),
    ],
    isDemo,
  };
}

const timeoutMs = 120_000;
const keyOf = (id: string) => ({ id, type: "public-key" as const });

/** Options for signing in by passkey; no keys listed: the authenticator offers its own. */
export const assertionOptions = (
  officeUrl: string,
  challenge: string,
  credentialIds: readonly string[],
): z.input<(typeof readSignInOptions)["answer"]> => ({
  challenge,
  rpId: relyingParty(officeUrl).id,
  timeout: timeoutMs,
  userVerification: "required",
  allowCredentials: credentialIds.map(keyOf),
});

/** Options for a new passkey; those in `known` are not registered again. */
export const creationOptions = (
  ctx: Pick<Ctx, "settings">,
  officeUrl: string,
  challenge: string,
  member: { id: number; login: string; name: string },
  known: readonly string[],
): z.input<(typeof readNewPasskeyOptions)["answer"]> => ({
  rp: { name: ctx.settings.shop.name, id: relyingParty(officeUrl).id },
  user: { id: Buffer.from(`staff-${member.id}-${member.login}`).toString("base64url"), name: member.login, displayName: member.name },
  challenge,
  pubKeyCredParams: passkeyAlgorithms.map((alg) => ({ alg, type: "public-key" })),
  timeout: timeoutMs,
  attestation: "none",
  authenticatorSelection: { residentKey: "required", requireResidentKey: true, userVerification: "required" },
  excludeCredentials: known.map(keyOf),
});

const browsers: readonly [name: string, sign: RegExp][] = [
  ["Яндекс Браузер", /YaBrowser/],
  ["Edge", /Edg\//],
  ["Opera", /OPR\//],
  ["Chrome", /Chrome\//],
  ["Firefox", /Firefox\//],
  ["Safari", /Safari\//],
];
const systems: readonly [name: string, sign: RegExp][] = [
  ["Windows", /Windows/],
  ["Android", /Android/],
  ["iPhone", /iPhone/],
  ["iPad", /iPad/],
  ["macOS", /Mac OS/],
  ["Linux", /Linux/],
];

/** «Chrome, Windows», from the header `User-Agent`. */
export function deviceName(userAgent: string): string {
  const named = [browsers, systems].flatMap((list) => list.find(([, sign]) => sign.test(userAgent))?.[0] ?? []);
  return named.length > 0 ? named.join(", ") : "Неизвестное устройство";
}
