import type { FastifyReply, FastifyRequest } from "fastify";
import { randomId } from "#kit/ids.ts";
import { sha256 } from "#kit/secrets.ts";
import * as auth from "#shop/auth/service.ts";
import type { Ctx, OwnerKey, Visitor } from "#shop/context.ts";
import { addressKey } from "./addresses.ts";
import { clearCookie, readCookies, setCookie, type CookieName, type RequestCookies } from "./cookies.ts";

/** 128 bits and more in base64url: what we give out. Anything else was never ours and is not adopted. */
const isToken = (value: string | null): value is string => value !== null && /^[A-Za-z0-9_-]{22,128}$/.test(value);

/** The cookies of one request and its answer, with their names and attributes taken care of. */
export type CookieJar = {
  get(name: CookieName): string | null;
  set(name: CookieName, value: string): void;
  clear(name: CookieName): void;
  /** Two `uid` or two `sid`: neither is believed, and nothing may change. */
  isAmbiguous: boolean;
};

export function openCookieJar(
  request: FastifyRequest,
  reply: FastifyReply,
  { ctx, isSecure }: { ctx: Pick<Ctx, "settings">; isSecure: boolean },
): CookieJar {
  const cookies: RequestCookies = readCookies(request.headers.cookie, isSecure);
  return {
    get: (name) => cookies.get(name),
    set: (name, value) => setCookie(reply, name, value, { isSecure, limits: ctx.settings.limits }),
    clear: (name) => clearCookie(reply, name, isSecure),
    isAmbiguous: cookies.isDuplicate("uid") || cookies.isDuplicate("sid"),
  };
}

/** Of the signature behind a `uid`, in hex digits. */
const signedLength = 32;
const signedUid = /^([A-Za-z0-9_-]{22})([0-9a-f]{32})$/;

/**
 * A browser by its `uid` cookie: 128 random bits and our signature of them. `isSigned`: we gave it out, so it is a known visitor. An unsigned one
 * (given out before there were signatures, or invented) owns its cart, but has no rights that an invented name could have.
 */
export type IdentifiedBrowser = { key: OwnerKey; isSigned: boolean };

function readUid({ secrets }: Pick<Ctx, "secrets">, jar: Pick<CookieJar, "get">): (IdentifiedBrowser & { name: string }) | null {
  const uid = jar.get("uid");
  if (!isToken(uid)) return null;
  const [, name = uid, signature = ""] = signedUid.exec(uid) ?? [];
  return { name, key: `visitor:${sha256(name)}`, isSigned: secrets.isSigned("browser", name, signature, signedLength) };
}

/** The browser that asks; null without a `uid`, or with one that we cannot have given out. */
export function browserOf(ctx: Pick<Ctx, "secrets">, jar: Pick<CookieJar, "get">): IdentifiedBrowser | null {
  const found = readUid(ctx, jar);
  return found && { key: found.key, isSigned: found.isSigned };
}

/** Whether a request comes from a browser that we named; costs no query. */
export const isFromKnownBrowser = (ctx: Pick<Ctx, "secrets">, request: FastifyRequest, secure: boolean): boolean =>
  browserOf(ctx, readCookies(request.headers.cookie, secure))?.isSigned === true;

/**
 * The browser's name, in a signed cookie of the answer where it has none yet, or has one of ours without the present signature.
 * Nothing is stored: rows come with the first change.
 */
export function issueBrowserId(ctx: Pick<Ctx, "secrets">, jar: CookieJar): OwnerKey {
  const found = readUid(ctx, jar);
  if (!found) return renewBrowserId(ctx, jar);
  const uid = signed(ctx, found.name);
  if (signedUid.test(uid) && jar.get("uid") !== uid) jar.set("uid", uid);
  return found.key;
}

/** A new name for this browser, whatever it was called before: what the old one owned is not its any more. */
export function renewBrowserId(ctx: Pick<Ctx, "secrets">, jar: CookieJar): OwnerKey {
  const name = randomId();
  jar.set("uid", signed(ctx, name));
  return `visitor:${sha256(name)}`;
}

const signed = ({ secrets }: Pick<Ctx, "secrets">, name: string): string => `${name}${secrets.sign("browser", name, signedLength)}`;

/** Who asks, from the cookies of the request; the session is looked up in the database, and only when there is a `sid`. */
export async function resolveVisitor(ctx: Ctx, request: FastifyRequest, jar: CookieJar): Promise<Visitor> {
  const browser = browserOf(ctx, jar)?.key ?? null;
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

/** The client's address after trusted proxies, as limits count it. */
export const addressOf = (request: FastifyRequest): string => addressKey(request.ip);
