import type { FastifyReply } from "fastify";
import { days, seconds } from "#kit/time.ts";
import type { Limits } from "#shop/settings.ts";

/** Cookies of the shop. `uid` names a browser, `sid` a session, `otp` ties a code to its browser, `device` knows a browser after sign-out. */
export type CookieName = "uid" | "sid" | "otp" | "device" | "city";

/** How long a browser keeps each of them: a session and a code no longer than they are accepted. */
const lives = (name: CookieName, limits: Limits): number =>
  name === "sid" ? days(limits.sessionAbsoluteDays) : name === "otp" ? seconds(limits.codeLifeSeconds) : days(365);

/** What the attributes of a cookie depend on. */
export type CookieRules = { isSecure: boolean; limits: Limits };

/** `city` is not a key to anything, the others are: under HTTPS a subdomain must not be able to plant them. */
const isKey = (name: CookieName): boolean => name !== "city";

const wireName = (name: CookieName, secure: boolean): string => (secure && isKey(name) ? `__Host-${name}` : name);

/** What a request carries: one value by name, or `duplicate` when a name stands there twice (somebody tossed one in). */
export type RequestCookies = { get(name: CookieName): string | null; isDuplicate(name: CookieName): boolean };

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

export function clearCookie(reply: FastifyReply, name: CookieName, secure: boolean): void {
  append(reply, `${wireName(name, secure)}=; Max-Age=0; ${attributes(secure)}`);
}

const attributes = (secure: boolean): string => `Path=/; HttpOnly; SameSite=Lax${secure ? "; Secure" : ""}`;

/** A later value of the same cookie takes the earlier one's place, so that an answer never sets one twice. */
function append(reply: FastifyReply, line: string): void {
  const before = reply.getHeader("set-cookie");
  const lines = Array.isArray(before) ? before : before === undefined ? [] : [String(before)];
  const name = `${line.slice(0, line.indexOf("="))}=`;
  reply.removeHeader("set-cookie");
  reply.header("set-cookie", [...lines.filter((each) => !each.startsWith(name)), line]);
}
