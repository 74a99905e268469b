import type { Ctx } from "#shop/context.ts";
import * as rows from "./colleagues.repository.ts";
import { grantOf, type Permission } from "./role.ts";

/** The members of staff who have a permission, by name: those to whom its work can be assigned. */
export async function colleaguesWith(ctx: Pick<Ctx, "db">, permission: Permission): Promise<{ login: string; name: string }[]> {
  const members = await rows.enabledMembers(ctx.db);
  return members.flatMap(({ login, name, roles }) => (grantOf(roles, permission) ? [{ login, name }] : []));
}
