import type { FastifyRequest } from "fastify";
import type { Call } from "#contract/call.ts";
import { isJson, isOwnRequest, type GuardedKind } from "./guard.ts";
import type { Own } from "./own.ts";
import { Refused } from "./problems.ts";
import { longestQuery, mostParameters, parseQuery, rawQueryOf } from "./query.ts";
import { isPathTarget } from "./request-target.ts";

/** What a route is, for the gates: a call of the contract, a provider's webhook, a page; nothing for everything that only reads. */
type RouteKind = { call: Call } | { webhook: true } | { page: true };
declare module "fastify" {
  interface FastifyContextConfig {
    kind?: RouteKind;
  }
}

export const longestBody = 64 * 1024;
export const longestWebhook = 256 * 1024;
/** Methods that only read; the four old GETs are told apart by their call. */
const isReading = ({ method }: FastifyRequest): boolean => method === "GET" || method === "HEAD";
const longestCookies = 4096;
export const longestHeaders = 16 * 1024;

type Gate = (request: FastifyRequest) => void;

/** Gates before a body is read, in this order; each throws `Refused`. None of them costs a query. */
export const gatesBeforeBody = (own: Own, load: LoadGate): readonly Gate[] => [
  targetGate,
  hostGate(own),
  loadGate(load),
  originGate(own),
  sizeGate,
];

/** Before anything else: nothing is done for a connection that was cut, and routes are found and redirects are made by the target alone. */
const targetGate: Gate = (request) => {
  if (request.raw.socket.destroyed || !isPathTarget(request.raw.url ?? "")) throw new Refused({ code: "request.malformed" });
};

function hostGate(own: Own): Gate {
  return (request) => {
    if (!own.isHost(request.headers.host)) throw new Refused({ code: "request.unknown_host" });
  };
}

type LoadGate = { isOverloaded: () => boolean; isKnown: (request: FastifyRequest) => boolean };

/**
 * Who is in the middle of something goes on: browsers with a name that we signed, checkout, and webhooks. A page that was given out gets its styles and
 * scripts too, which cost next to nothing. Probes must tell the truth, and the demonstration's own paths are this machine's.
 */
const neverShed = /^\/(healthz|readyz|metrics|_demo|assets\/|api\/(checkout|orders|payments|delivery)\b)/;

function loadGate({ isOverloaded, isKnown }: LoadGate): Gate {
  return (request) => {
    if (!isOverloaded() || neverShed.test(request.url) || isKnown(request)) return;
    throw new Refused({ code: "service.unavailable", retryAfterSeconds: 2 });
  };
}

/** Every change of state comes from our own pages, or from a program that no page can drive. */
function originGate(own: Own): Gate {
  return (request) => {
    const guarded = guardedKind(request);
    if (guarded && !isOwnRequest(request.headers, guarded, own)) throw new Refused({ code: "request.forged" });
  };
}

function guardedKind(request: FastifyRequest): GuardedKind | null {
  const kind = request.routeOptions.config.kind;
  if (!kind || "webhook" in kind) return null; // webhooks carry no cookies and are believed by nobody
  if ("page" in kind) return isReading(request) ? null : "page_action";
  if (!isReading(request)) return "call";
  return kind.call.changes ? "legacy_get" : null;
}

/** Query, headers, cookies, the announced length of the body and its type. The body itself is measured while it is read. */
const sizeGate: Gate = (request) => {
  const rawQuery = rawQueryOf(request.raw.url ?? "");
  if (rawQuery.length > longestQuery) throw new Refused({ code: "request.uri_too_long" });
  if (rawQuery.split("&").length > mostParameters + 1) throw new Refused({ code: "request.malformed" }); // a page may have others' parameters, but not hundreds
  const kind = request.routeOptions.config.kind;
  if (kind && "call" in kind && parseQuery(rawQuery) === null) throw new Refused({ code: "request.malformed" });
  if ((request.headers.cookie?.length ?? 0) > longestCookies) throw new Refused({ code: "request.headers_too_large" });
  if (request.raw.rawHeaders.reduce((sum, part) => sum + part.length + 2, 0) > longestHeaders)
    throw new Refused({ code: "request.headers_too_large" });
  const most = kind && "webhook" in kind ? longestWebhook : longestBody;
  if (Number(request.headers["content-length"] ?? 0) > most) throw new Refused({ code: "request.too_large" });
  if (kind && "call" in kind) bodyGate(request, kind.call);
};

/** One kind of body per call: JSON where there is one, and nothing where there is none. */
function bodyGate(request: FastifyRequest, call: Call): void {
  if (isReading(request)) return;
  const type = request.headers["content-type"];
  const hasBody = request.headers["transfer-encoding"] !== undefined || Number(request.headers["content-length"] ?? 0) > 0;
  if (request.headers["content-encoding"] !== undefined && request.headers["content-encoding"] !== "identity")
    throw new Refused({ code: "request.bad_type" });
  if (type === undefined) {
    if (hasBody) throw new Refused({ code: "request.bad_type" });
    if (call.body && !call.isBodyOptional) throw new Refused({ code: "request.malformed" });
  } else if (!isJson(type)) {
    throw new Refused({ code: "request.bad_type" });
  }
}
