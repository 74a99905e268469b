import type { Ctx } from "#shop/context.ts";
import * as rows from "./colleagues.repository.ts";
import { grantOf, type Permission, type Role } from "../role.ts";

/** The enabled members of staff who have one of these permissions, by name: those to whom its work can be assigned. One statement. */
export async function colleaguesWith(ctx: Pick<Ctx, "db">, ...permissions: Permission[]): Promise<{ login: string; name: string }[]> {
  const members = await rows.enabledMembers(ctx.db);
  return members.flatMap(({ login, name, roles }) => (permissions.some((each) => grantOf(roles, each)) ? [{ login, name }] : []));
}

/** The enabled members of staff by name, with their roles. One statement. */
export const enabledMembers = (ctx: Pick<Ctx, "db">): Promise<{ id: number; name: string; roles: Role[] }[]> => rows.enabledMembers(ctx.db);

/** All members of staff by name, also those who left: what they did stays in the audit. */
export const everyMember = (ctx: Pick<Ctx, "db">): Promise<{ login: string; name: string }[]> => rows.allMembers(ctx.db);

/** Turns an actor as stored, `staff:ivanova`, into login and name; what is not a member of staff keeps its text. */
export type Named = (actor: string) => { login: string; name: string };

/** The names of these actors, disabled members of staff included, in one query. */
export async function namesOf(ctx: Pick<Ctx, "db">, actors: readonly string[]): Promise<Named> {
  const loginOf = (actor: string): string => actor.replace(/^staff:/, "");
  const names = await rows.namesOf(ctx.db, [...new Set(actors.map(loginOf))]);
  return (actor) => ({ login: loginOf(actor), name: names.get(loginOf(actor)) ?? loginOf(actor) });
}
