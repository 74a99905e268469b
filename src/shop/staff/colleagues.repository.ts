import { asc, isNull } from "drizzle-orm";
import type { Db } from "#kit/db.ts";
import type { Role } from "./role.ts";
import { staff } from "./tables.ts";

export async function enabledMembers(db: Db): Promise<{ login: string; name: string; roles: Role[] }[]> {
  const found = await db
    .select({ login: staff.login, name: staff.name, roles: staff.roles })
    .from(staff)
    .where(isNull(staff.disabledAt))
    .orderBy(asc(staff.name));
  return found.map((row) => ({ ...row, roles: row.roles as Role[] }));
}
