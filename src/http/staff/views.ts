import type * as z from "zod";
import type { readMe } from "#contract/staff/session.ts";
import { isoMoscow } from "#kit/moscow-time.ts";
import type { Ctx } from "#shop/context.ts";
import { grantsOf } from "#shop/staff/role.ts";
import { sessionEnds, verifiedUntil } from "#shop/staff/sessions.service.ts";
import { isDemoLogin, type Factors, type StaffMember, type StaffSession } from "#shop/staff/staff.ts";

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
      ...(factors.hasPassword || factors.recoveryCodesLeft > 0 ? (["code"] as const) : []),
      ...(isDemo ? (["demo"] as const) : []),
    ],
    isDemo,
  };
}
