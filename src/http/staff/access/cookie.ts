import type { FastifyReply, FastifyRequest } from "fastify";
import { hours } from "#kit/time.ts";
import type { Limits } from "#shop/settings.ts";

/** `__Host-`: a subdomain or another path cannot set it. Without HTTPS browsers refuse that prefix. */
const nameOf = (isSecure: boolean): string => (isSecure ? "__Host-staff" : "staff");
const attributes = (isSecure: boolean): string => `Path=/; HttpOnly; SameSite=Strict${isSecure ? "; Secure" : ""}`;

/** The session's id from the cookie of a request; null when there is none, or two of them. */
export function readSessionCookie(request: FastifyRequest, isSecure: boolean): string | null {
  const prefix = `${nameOf(isSecure)}=`;
  const found = (request.headers.cookie ?? "")
    .split(";")
    .map((pair) => pair.trim())
    .filter((pair) => pair.startsWith(prefix));
  const value = found.length === 1 ? (found[0] ?? "").slice(prefix.length) : "";
  return /^[A-Za-z0-9_-]{43}$/.test(value) ? value : null;
}

/** Sets the cookie for as long as a session can live; null deletes it. */
export function writeSessionCookie(
  reply: FastifyReply,
  sid: string | null,
  { isSecure, limits }: { isSecure: boolean; limits: Limits },
): void {
  const life = sid === null ? 0 : hours(limits.staffSessionHours) / 1000;
  reply.header("set-cookie", `${nameOf(isSecure)}=${sid ?? ""}; Max-Age=${life}; ${attributes(isSecure)}`);
}
