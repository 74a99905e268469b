import type { Role } from "#shop/staff/role.ts";
import { clock, dayOfYear } from "#kit/format.ts";
import { moscow } from "#kit/moscow-time.ts";

export const roleNames: Readonly<Record<Role, string>> = {
  sales: "продажи",
  packing: "упаковка",
  buyback: "выкуп",
  editor: "редактор",
  accountant: "бухгалтер",
  owner: "владелец",
  admin: "администратор",
};
export const roleList = (roles: readonly Role[]): string => roles.map((role) => roleNames[role]).join(", ");
export const capitalized = (text: string): string => text.slice(0, 1).toUpperCase() + text.slice(1);

/** «11:20» today, «20 ноября, 18:52» before: Moscow time. */
export function when(instant: string, now = new Date()): string {
  const at = new Date(instant);
  return moscow(at).date === moscow(now).date ? clock(at) : `${dayOfYear(at)}, ${clock(at)}`;
}
