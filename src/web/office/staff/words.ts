import type { Role } from "#shop/staff/role.ts";
import { clock, day, dayOfYear } from "#kit/format.ts";
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

/** «11:20» today, «20 ноября, 18:52» before, «20 ноября 2025, 18:52» in another year: Moscow time. */
export function when(instant: string, now = new Date()): string {
  const at = new Date(instant);
  const [date, today] = [moscow(at).date, moscow(now).date];
  if (date === today) return clock(at);
  return `${date.slice(0, 4) === today.slice(0, 4) ? dayOfYear(at) : day(at)}, ${clock(at)}`;
}

const providerNames: Readonly<Record<string, string>> = {
  yookassa: "ЮKassa",
  robokassa: "Робокасса",
  cdek: "СДЭК",
  bank: "банк",
  "1c": "1С",
};

/**
 * Who did something, as people read it: a stored actor, `staff:ivanova` or `job:orders.expire`, or the login alone. A member of staff by
 * name if `people` has it.
 */
export function actorText(actor: string | null, people: readonly { login: string; name: string }[] = []): string {
  if (actor === null) return "";
  const [kind = "", name = null] = actor.split(":");
  if (name === null) return kind === "visitor" ? "покупатель" : kind;
  if (kind === "staff") return people.find(({ login }) => login === name)?.name ?? name;
  if (kind === "job") return "магазин";
  return kind === "provider" ? (providerNames[name] ?? name) : "покупатель";
}
