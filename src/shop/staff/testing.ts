import { inTransaction } from "#kit/db.ts";
import type { Ctx } from "#shop/context.ts";
import * as people from "./people/people.repository.ts";
import type { Role } from "./role.ts";
import { findMember, openSession } from "./sign-in/sessions.service.ts";
import type { StaffMember, StaffSession } from "./staff.ts";

let count = 0;

/** A member of staff without any way to sign in. */
export async function aMember(ctx: Ctx, roles: readonly Role[], given: { login?: string; name?: string } = {}): Promise<StaffMember> {
  const login = given.login ?? `${roles.join("-")}-${(count += 1)}`;
  const id = await people.insert(ctx.db, {
    login,
    name: given.name ?? `Сотрудник ${login}`,
    email: `${login}@chekan.example`,
    roles,
    createdAt: ctx.now(),
  });
  const member = id === null ? null : await findMember(ctx.db, id);
  if (!member) throw new Error(`${login} is there already`);
  return member;
}

/** A session of a member of staff with its cookie; the second factor was entered just now. */
export const aSession = (ctx: Ctx, member: StaffMember): Promise<{ sid: string; session: StaffSession }> =>
  inTransaction(ctx.db, (tx) => openSession(tx, ctx, member.id, { address: "127.0.0.1", userAgent: "a test" }));
