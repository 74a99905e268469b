import type { FastifyReply } from "fastify";
import { days, seconds } from "#kit/time.ts";
import type { Limits } from "#shop/settings.ts";

/**
 * Cookies of the shop. `uid` identifies a browser, `sid` a session, `otp` binds a code to its browser, `device` identifies a browser after
 * sign-out.
 */
export type CookieName = "uid" | "sid" | "otp" | "device" | "city";

/** Lifetimes of the cookies: those of a session and a code end when the server stops accepting them. */
const lives = (name: CookieName, limits: Limits): number =>
  name === "sid" ? days(limits.sessionAbsoluteDays) : name === "otp" ? seconds(limits.codeLifeSeconds) : days(365);

/** The settings that determine the attributes of a cookie. */
export type CookieRules = { isSecure: boolean; limits: Limits };

/** All cookies except `city` give access: under HTTPS a subdomain must not be able to set them. */
const isKey = (name: CookieName): boolean => name !== "city";

const wireName = (name: CookieName, secure: boolean): string => (secure && isKey(name) ? `__Host-${name}` : name);

/** The cookies of a request: one value by name, or `duplicate` if a name occurs twice (a sign of cookie tossing). */
export type RequestCookies = { get(name: CookieName): string | null; isDuplicate(name: CookieName): boolean };

/** Reads the shop's cookies from the `Cookie` header; `secure`: they have the prefix `__Host-`. */
export function readCookies(header: string | undefined, secure: boolean): RequestCookies {
  const values = new Map<string, string[]>();
  for (const pair of (header ?? "").split(";")) {
    const at = pair.indexOf("=");
    if (at < 0) continue;
    const name = pair.slice(0, at).trim();
    values.set(name, [...(values.get(name) ?? []), pair.slice(at + 1).trim()]);
  }
  const all = (name: CookieName) => values.get(wireName(name, secure)) ?? [];
  return {
    get: (name) => (all(name).length === 1 ? (all(name)[0] ?? null) : null),
    isDuplicate: (name) => all(name).length > 1,
  };
}

/** Values are ids in base64url or digits: nothing that would need quoting. */
export function setCookie(reply: FastifyReply, name: CookieName, value: string, { isSecure, limits }: CookieRules): void {
  if (!/^[A-Za-z0-9_.-]*$/.test(value)) throw new RangeError(`cookie ${name} would need quoting`);
  append(reply, `${wireName(name, isSecure)}=${value}; Max-Age=${lives(name, limits) / 1000}; ${attributes(isSecure)}`);
}

/** Deletes a cookie of the browser with the answer. */
export function clearCookie(reply: FastifyReply, name: CookieName, secure: boolean): void {
  append(reply, `${wireName(name, secure)}=; Max-Age=0; ${attributes(secure)}`);
}

const attributes = (secure: boolean): string => `Path=/; HttpOnly; SameSite=Lax${secure ? "; Secure" : ""}`;

/** A later value of the same cookie replaces the earlier one, so that an answer never sets a cookie twice. */
function append(reply: FastifyReply, line: string): void {
  const before = reply.getHeader("set-cookie");
  const lines = Array.isArray(before) ? before : before === undefined ? [] : [String(before)];
  const name = `${line.slice(0, line.indexOf("="))}=`;
  reply.removeHeader("set-cookie");
  reply.header("set-cookie", [...lines.filter((each) => !each.startsWith(name)), line]);
}
