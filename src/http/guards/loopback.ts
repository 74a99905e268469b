import type { FastifyRequest } from "fastify";
import { isSameSecret } from "#kit/security/secrets.ts";
import { addressList, plainAddress } from "../request/addresses.ts";

const isLoopback = addressList(["127.0.0.0/8", "::1"]);

/**
 * Whether a request comes from this machine: by the socket's address, and without a proxy in between, because behind a proxy on the
 * same host every visitor has a loopback socket.
 */
export function isLoopbackRequest(request: FastifyRequest): boolean {
  const headers = Object.keys(request.headers);
  if (headers.some((name) => name.startsWith("x-forwarded") || name === "forwarded" || name === "x-real-ip" || name === "via"))
    return false;
  return isLoopback(plainAddress(request.raw.socket.remoteAddress ?? ""));
}

/**
 * Whether a `Host` names this machine. A page of another site whose name was pointed at this machine (DNS rebinding) sends the name of its
 * site.
 */
export const isLoopbackHost = (host: string | undefined): boolean => /^(localhost|127\.0\.0\.1|\[::1\])(:\d+)?$/i.test(host ?? "");

/** `Authorization: Bearer …` with the token of the configuration. */
export function hasToken(request: FastifyRequest, token: string | undefined): boolean {
  const given = request.headers.authorization;
  return token !== undefined && given !== undefined && isSameSecret(given, `Bearer ${token}`);
}
