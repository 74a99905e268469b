import type { IncomingMessage } from "node:http";
import type { FastifyRequest } from "fastify";
import type { Call } from "#contract/call.ts";
import { outageRetrySeconds } from "#contract/problems.ts";
import type { StaffCall } from "#contract/staff/call.ts";
import { isJson, isAllowedOrigin, type OriginCheckKind } from "./origin-check.ts";
import type { AllowedOrigins } from "./allowed-origins.ts";
import { RequestRefused } from "../problems.ts";
import { maxQueryLength, maxParameters, parseQuery, rawQueryOf } from "../request/query.ts";
import { isPathTarget } from "../request/request-target.ts";

/**
 * The kind of a route, for the guards: a call of the contract, one of the back office, a provider's webhook, a page, a probe; absent for
 * other routes that only read.
 */
type RouteKind = { call: Call } | { staffCall: StaffCall } | { webhook: true } | { page: true } | { probe: true };
declare module "fastify" {
  interface FastifyContextConfig {
    kind?: RouteKind;
  }
}

export const maxBodyBytes = 64 * 1024;
export const maxWebhookBytes = 256 * 1024;
/** Methods that only read; the four legacy GETs are recognised by their call. */
const isReading = ({ method }: FastifyRequest): boolean => method === "GET" || method === "HEAD";
const maxCookieHeaderLength = 4096;
export const maxHeaderBytes = 16 * 1024;

type Guard = (request: FastifyRequest) => void;

/** Guards that run before the body is read, in this order; each throws `RequestRefused`. None of them queries the database. */
export const guardsBeforeBody = (own: AllowedOrigins, load: LoadGuard): readonly Guard[] => [
  targetGuard,
  hostGuard(own),
  loadGuard(load),
  originGuard(own),
  sizeGuard,
];

/**
 * Runs first: a closed connection is not served, and routes and redirects depend on the request target. PostgreSQL refuses text with NUL,
 * so a page with it in its address would end in a fault; parameters of calls are cleaned.
 */
const targetGuard: Guard = (request) => {
  const target = request.raw.url ?? "";
  const kind = request.routeOptions.config.kind;
  // RFC 9112, 3.2: no host, or several, of which the next server on the way might read another one than Node
  const isWithoutHost = request.headers.host === undefined && request.raw.httpVersion !== "1.0";
  const hasNul = kind !== undefined && "page" in kind && target.includes("%00");
  if (request.raw.socket.destroyed || !isPathTarget(target) || isWithoutHost || hasSeveralHosts(request.raw) || hasNul)
    throw new RequestRefused({ code: "request.malformed" });
};

/** Node reads the first `Host` and drops the others. */
export function hasSeveralHosts({ rawHeaders }: Pick<IncomingMessage, "rawHeaders">): boolean {
  let hosts = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at] ?? "";
    if (name.length === 4 && name.toLowerCase() === "host") hosts += 1;
  }
  return hosts > 1;
}

/** Probes are requested under the address of the process (Prometheus, `HEALTHCHECK`), not of the shop; they show nothing of a person. */
function hostGuard(own: AllowedOrigins): Guard {
  return (request) => {
    const kind = request.routeOptions.config.kind;
    if (kind && "probe" in kind) return;
    if (!own.isHost(request.headers.host)) throw new RequestRefused({ code: "request.unknown_host" });
  };
}

type LoadGuard = { isOverloaded: () => boolean; isKnown: (request: FastifyRequest) => boolean };

/**
 * Visitors in the middle of something are not refused under load: browsers with a signed id, the checkout, webhooks. A served page also
 * gets its styles and scripts, which cost almost nothing. Probes must be correct, and demo paths are used from this machine only.
 */
const neverShed = /^\/(healthz|readyz|metrics|_demo|assets\/|api\/(checkout|orders|payments|delivery)\b)/;

function loadGuard({ isOverloaded, isKnown }: LoadGuard): Guard {
  return (request) => {
    if (!isOverloaded() || neverShed.test(request.url) || isKnown(request)) return;
    throw new RequestRefused({ code: "service.unavailable", retryAfterSeconds: outageRetrySeconds });
  };
}

/** Every change of state must come from the shop's own pages, or from a client that no web page can control. */
function originGuard(own: AllowedOrigins): Guard {
  return (request) => {
    const guarded = guardedKind(request);
    if (guarded && !isAllowedOrigin(request.headers, guarded, own)) throw new RequestRefused({ code: "request.forged" });
  };
}

function guardedKind(request: FastifyRequest): OriginCheckKind | null {
  const kind = request.routeOptions.config.kind;
  if (!kind || "probe" in kind || "webhook" in kind) return null; // webhooks have no cookies and are not trusted
  if ("page" in kind) return isReading(request) ? null : "page_action";
  if (!isReading(request)) return "call";
  if ("staffCall" in kind) return null;
  return kind.call.changes ? "legacy_get" : null;
}

/** Checks query, headers, cookies, and the declared length and type of the body. The body itself is measured while it is read. */
const sizeGuard: Guard = (request) => {
  const rawQuery = rawQueryOf(request.raw.url ?? "");
  if (rawQuery.length > maxQueryLength) throw new RequestRefused({ code: "request.uri_too_long" });
  // a page may have foreign parameters, but not hundreds
  if (rawQuery.split("&").length > maxParameters + 1) throw new RequestRefused({ code: "request.malformed" });
  const kind = request.routeOptions.config.kind;
  if (kind && ("call" in kind || "staffCall" in kind) && parseQuery(rawQuery) === null)
    throw new RequestRefused({ code: "request.malformed" });
  if (!hasAllowedHeaders(request.raw)) throw new RequestRefused({ code: "request.headers_too_large" });
  if (Number(request.headers["content-length"] ?? 0) > maxBytesOf(kind)) throw new RequestRefused({ code: "request.too_large" });
  if (kind && "call" in kind) checkBodyType(request, kind.call);
  if (kind && "staffCall" in kind) checkBodyType(request, kind.staffCall);
};

/** The cookies and all headers together are within their limits. */
export function hasAllowedHeaders({ headers, rawHeaders }: Pick<IncomingMessage, "headers" | "rawHeaders">): boolean {
  let bytes = 0;
  for (const part of rawHeaders) bytes += part.length + 2;
  return bytes <= maxHeaderBytes && (headers.cookie?.length ?? 0) <= maxCookieHeaderLength;
}

function maxBytesOf(kind: RouteKind | undefined): number {
  if (!kind) return maxBodyBytes;
  if ("webhook" in kind) return maxWebhookBytes;
  return ("staffCall" in kind && kind.staffCall.maxBodyBytes) || maxBodyBytes;
}

/** One content type per call: JSON if the call has a body, otherwise none. */
function checkBodyType(request: FastifyRequest, call: Pick<Call, "body" | "isBodyOptional"> & { isBinary?: boolean }): void {
  if (isReading(request)) return;
  const type = request.headers["content-type"];
  const hasBody = request.headers["transfer-encoding"] !== undefined || Number(request.headers["content-length"] ?? 0) > 0;
  if (request.headers["content-encoding"] !== undefined && request.headers["content-encoding"] !== "identity")
    throw new RequestRefused({ code: "request.bad_type" });
  if (type === undefined) {
    if (hasBody) throw new RequestRefused({ code: "request.bad_type" });
    if (call.body && !call.isBodyOptional) throw new RequestRefused({ code: "request.malformed" });
  } else if (call.isBinary ? type !== "application/octet-stream" : !isJson(type)) {
    throw new RequestRefused({ code: "request.bad_type" });
  }
}
