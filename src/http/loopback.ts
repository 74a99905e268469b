import type { FastifyRequest } from "fastify";
import { sameSecret } from "#kit/secrets.ts";
import { addressList, plainAddress } from "./addresses.ts";

const isLoopback = addressList(["127.0.0.0/8", "::1"]);

/**
 * Whether a request comes from this very machine: by the socket's own address, and with no sign of a proxy in between,
 * since behind one on the same host every visitor of the world has a loopback socket.
 */
export function isFromHere(request: FastifyRequest): boolean {
  const headers = Object.keys(request.headers);
  if (headers.some((name) => name.startsWith("x-forwarded") || name === "forwarded" || name === "x-real-ip" || name === "via"))
    return false;
  return isLoopback(plainAddress(request.raw.socket.remoteAddress ?? ""));
}

/** `Authorization: Bearer …` with the token of the configuration. */
export function hasToken(request: FastifyRequest, token: string | undefined): boolean {
  const given = request.headers.authorization;
  return token !== undefined && given !== undefined && sameSecret(given, `Bearer ${token}`);
}
