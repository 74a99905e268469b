import type { FastifyReply, FastifyRequest } from "fastify";
import { randomId } from "#kit/ids.ts";
import { isSameSecret, sha256 } from "#kit/security/secrets.ts";
import * as auth from "#shop/auth/service.ts";
import type { Ctx, OwnerKey, Visitor } from "#shop/context.ts";
import { addressKey } from "./addresses.ts";
import { clearCookie, readCookies, setCookie, type CookieName, type RequestCookies } from "./cookies.ts";

/** 128 bits or more in base64url, the format of our tokens. Other values are ignored. */
const isToken = (value: string | null): value is string => value !== null && /^[A-Za-z0-9_-]{22,128}$/.test(value);

/** The cookies of a request and its answer, with names and attributes. */
export type CookieJar = {
  get(name: CookieName): string | null;
  set(name: CookieName, value: string): void;
  clear(name: CookieName): void;
  /** Two `uid` or two `sid`: both are ignored, and changes are refused. */
  isAmbiguous: boolean;
};

/** The cookies of this request, and those that its answer will set. */
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

/** Hex digits of the signature of a `uid`. */
const signedLength = 32;
const signedUid = /^([A-Za-z0-9_-]{22})([0-9a-f]{32})$/;

/**
 * A browser by its `uid` cookie: 128 random bits and their signature. `isSigned`: the shop issued it, so it is a known visitor. An unsigned
 * id (issued before there were signatures, or invented) has its own cart, but no further rights.
 */
export type IdentifiedBrowser = { key: OwnerKey; isSigned: boolean };

/** `uid`: the cookie as it should be, signed with the present key. */
type ParsedUid = IdentifiedBrowser & { uid: string };
/** A request needs its browser several times; a signature takes as long as all guards. */
const parsedUids = new WeakMap<Pick<CookieJar, "get">, ParsedUid | null>();

function parsedUid(ctx: Pick<Ctx, "secrets">, jar: Pick<CookieJar, "get">): ParsedUid | null {
  const known = parsedUids.get(jar);
  if (known !== undefined) return known;
  const parsed = parseUid(ctx, jar.get("uid"));
  parsedUids.set(jar, parsed);
  return parsed;
}

function parseUid(ctx: Pick<Ctx, "secrets">, given: string | null): ParsedUid | null {
  if (!isToken(given)) return null;
  const [, name = given, signature = ""] = signedUid.exec(given) ?? [];
  const uid = signed(ctx, name);
  const isSigned = isSameSecret(uid, given) || ctx.secrets.isSigned("browser", name, signature, signedLength);
  return { uid, key: `visitor:${sha256(name)}`, isSigned };
}

/** The browser of the request; null without a `uid` or with a malformed one. */
export function browserOf(ctx: Pick<Ctx, "secrets">, jar: Pick<CookieJar, "get">): IdentifiedBrowser | null {
  const found = parsedUid(ctx, jar);
  return found && { key: found.key, isSigned: found.isSigned };
}

/** Whether the browser's id is signed; needs no query. */
export const isFromKnownBrowser = (ctx: Pick<Ctx, "secrets">, request: FastifyRequest, secure: boolean): boolean =>
  browserOf(ctx, readCookies(request.headers.cookie, secure))?.isSigned === true;

/**
 * The browser's id, issued in the answer if there is none, or signed again if the signature is missing or outdated. Nothing is stored: rows
 * are written with the first change.
 */
export function issueBrowserId(ctx: Pick<Ctx, "secrets">, jar: CookieJar): OwnerKey {
  const found = parsedUid(ctx, jar);
  if (!found) return renewBrowserId(ctx, jar);
  if (signedUid.test(found.uid) && jar.get("uid") !== found.uid) jar.set("uid", found.uid);
  return found.key;
}

/**
 * Sets the cookie of a guest's browser again, so that it lives a year from this visit, as the guest's cart does from its last change. Not
 * with a session: an answer that a sign-out overtakes would bring the id back that the sign-out has replaced.
 */
export function prolongBrowserId(ctx: Pick<Ctx, "secrets">, jar: CookieJar): void {
  const found = parsedUid(ctx, jar);
  if (found?.isSigned && jar.get("sid") === null) jar.set("uid", found.uid);
}

/** Issues a new id for this browser. What the old id owned is not its own any more. */
export function renewBrowserId(ctx: Pick<Ctx, "secrets">, jar: CookieJar): OwnerKey {
  const name = randomId();
  jar.set("uid", signed(ctx, name));
  return `visitor:${sha256(name)}`;
}

const signed = ({ secrets }: Pick<Ctx, "secrets">, name: string): string => `${name}${secrets.sign("browser", name, signedLength)}`;

/** The visitor of a request, from its cookies; the session is read from the database only if there is a `sid`. */
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

/** The client's address after trusted proxies, as rate limits use it; empty when the client is gone, whose socket has no address. */
export const addressOf = (request: FastifyRequest): string => addressKey((request.ip as string | undefined) ?? "");
