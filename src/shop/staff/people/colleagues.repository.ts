import { asc, inArray, isNull } from "drizzle-orm";
import type { Db } from "#kit/db.ts";
import type { Role } from "../role.ts";
import { staff } from "../tables.ts";

export async function enabledMembers(db: Db): Promise<{ id: number; login: string; name: string; roles: Role[] }[]> {
  const found = await db
    .select({ id: staff.id, login: staff.login, name: staff.name, roles: staff.roles })
    .from(staff)
    .where(isNull(staff.disabledAt))
    .orderBy(asc(staff.name));
  return found.map((row) => ({ ...row, roles: row.roles as Role[] }));
}

/** Everyone who ever worked here, by name. */
export const allMembers = (db: Db): Promise<{ login: string; name: string }[]> =>
  db.select({ login: staff.login, name: staff.name }).from(staff).orderBy(asc(staff.name), asc(staff.login));

/** Names by login. */
export async function namesOf(db: Db, logins: readonly string[]): Promise<Map<string, string>> {
  if (logins.length === 0) return new Map();
  const found = await db
    .select({ login: staff.login, name: staff.name })
    .from(staff)
    .where(inArray(staff.login, [...logins]));
  return new Map(found.map(({ login, name }) => [login, name]));
}
