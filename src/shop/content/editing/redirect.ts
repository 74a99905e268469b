import { mayRedirect, pathOf } from "../addresses.ts";
import { isSitePath } from "../entry.ts";

export type StoredRedirect = {
  path: string;
  target: string;
  isExternal: boolean;
  isPermanent: boolean;
  /** Made when a published address was renamed. */
  isAutomatic: boolean;
  revision: number;
};
export type NewRedirect = Pick<StoredRedirect, "path" | "target" | "isPermanent">;

const isPlaceholder = (target: string): boolean => /^\{\{[A-Z][A-Z0-9_]*\}\}$/.test(target);

function isHttps(target: string): boolean {
  if (!target.startsWith("https://") || !URL.canParse(target)) return false;
  const { username, password, hostname } = new URL(target);
  return username === "" && password === "" && hostname !== "";
}

/** Whether the target is outside the site; one `{{PLACEHOLDER}}` of the settings is an outside address too. */
export const isOutside = (target: string): boolean => !target.startsWith("/");

/** A full address of the shop itself as a path of the site, so that it is checked and followed as one; any other target as it is. */
export function withoutOwnHost(target: string, publicUrl: string): string {
  if (!/^https?:/i.test(target) || !URL.canParse(target)) return target;
  const { host, username, password, pathname, search, hash } = new URL(target);
  return host === new URL(publicUrl).host && username === "" && password === "" ? pathname + search + hash : target;
}

/**
 * What is wrong with a redirect, as messages beside its fields; null: nothing. `others`: all stored redirects but this one.
 * `livePaths`: addresses of published pages and texts.
 */
export function faultsOf(
  { path, target }: Pick<NewRedirect, "path" | "target">,
  others: readonly StoredRedirect[],
  livePaths: ReadonlySet<string>,
): Record<string, string> | null {
  if (!isSitePath(path)) return { path: "Адрес начинается с / и состоит из латинских букв, цифр и дефисов" };
  if (!mayRedirect(path)) return { path: "Этот адрес занят страницей сайта" };
  if (livePaths.has(path)) return { path: "По этому адресу есть опубликованная страница" };
  if (isOutside(target)) {
    if (isPlaceholder(target) || isHttps(target)) return null;
    return { target: "Другой сайт — только полный адрес с https://" };
  }
  const to = pathOf(target) ?? "";
  if (!/^\/(?![/\\])/.test(target) || /[\s\\]/.test(target)) return { target: "Адрес указан неверно" };
  if (to === path) return { target: "Петля: адрес ведёт сам на себя" };
  const next = others.find((each) => each.path === to);
  if (next && pathOf(next.target) === path) return { target: `Петля: ${to} ведёт обратно на ${path}` };
  if (next) return { target: `${to} сам ведёт на ${next.target}. Укажите сразу конечный адрес` };
  return null;
}
