import type { FastifyReply, FastifyRequest } from "fastify";
import { randomId } from "#kit/ids.ts";
import { sha256 } from "#kit/secrets.ts";
import * as auth from "#shop/auth/service.ts";
import type { Ctx, OwnerKey, Visitor } from "#shop/context.ts";
import { plainAddress } from "./addresses.ts";
import { clearCookie, readCookies, setCookie, type CookieName, type RequestCookies } from "./cookies.ts";

/** 128 bits and more in base64url: what we give out. Anything else was never ours and is not adopted. */
const isToken = (value: string | null): value is string => value !== null && /^[A-Za-z0-9_-]{22,128}$/.test(value);

/** The cookies of one request and its answer, with their names and attributes taken care of. */
export type Jar = {
  get(name: CookieName): string | null;
  set(name: CookieName, value: string): void;
  clear(name: CookieName): void;
  /** Two `uid` or two `sid`: neither is believed, and nothing may change. */
  isAmbiguous: boolean;
};

export function openJar(request: FastifyRequest, reply: FastifyReply, secure: boolean): Jar {
  const cookies: RequestCookies = readCookies(request.headers.cookie, secure);
  return {
    get: (name) => cookies.get(name),
    set: (name, value) => setCookie(reply, name, value, secure),
    clear: (name) => clearCookie(reply, name, secure),
    isAmbiguous: cookies.isDuplicate("uid") || cookies.isDuplicate("sid"),
  };
}

const browserKey = (uid: string): OwnerKey => `visitor:${sha256(uid)}`;

/** The browser by its `uid` cookie; null without one, or with one that we cannot have given out. */
export function browserOf(jar: Jar): OwnerKey | null {
  const uid = jar.get("uid");
  return isToken(uid) ? browserKey(uid) : null;
}

/** Gives this browser a new name, in a cookie of the answer. Nothing is stored: rows come with the first change. */
export function nameBrowser(jar: Jar): OwnerKey {
  const uid = randomId();
  jar.set("uid", uid);
  return browserKey(uid);
}

/** Who asks, from the cookies of the request; the session is looked up in the database, and only when there is a `sid`. */
export async function resolveVisitor(ctx: Ctx, request: FastifyRequest, jar: Jar, browser = browserOf(jar)): Promise<Visitor> {
  const sid = jar.get("sid");
  const session = isToken(sid) ? await auth.session(ctx, sid) : null;
  const device = jar.get("device");
  return {
    owner: session ? `customer:${session.customerId}` : browser,
    browser,
    customerId: session?.customerId ?? null,
    sidHash: session?.sidHash ?? null,
    signedInAt: session?.signedInAt ?? null,
    deviceHash: isToken(device) ? sha256(device) : null,
    address: addressOf(request),
    userAgent: (request.headers["user-agent"] ?? "").slice(0, 300),
  };
}

/** The client's address after trusted proxies. */
export const addressOf = (request: FastifyRequest): string => plainAddress(request.ip);
