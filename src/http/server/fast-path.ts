import proxyAddr from "@fastify/proxy-addr";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { acceptsBr } from "#kit/network/accepted-encoding.ts";
import { hasCopy } from "#kit/network/etag.ts";
import type { Log } from "#kit/log.ts";
import type { RateLimitName } from "#contract/call.ts";
import { priceListIn } from "#contract/public/price-list.ts";
import type { AllowedOrigins } from "../guards/allowed-origins.ts";
import { markOf } from "../endpoint.ts";
import { hasAllowedHeaders, hasSeveralHosts } from "../guards/guards.ts";
import type { RateLimiter, RateLimitKey } from "../guards/rate-limit.ts";
import { addressKey } from "../request/addresses.ts";
import { readCookies } from "../request/cookies.ts";
import type { CachedAnswer, CachedCall } from "./answer-cache.ts";
import type { DurationSeries } from "./duration-histogram.ts";
import type { HttpMetrics } from "./metrics.ts";

/**
 * Finds the cached answer of a raw address, without waiting; null: the router answers. `seen`: the version of the price list that the
 * client has seen; an older answer is none.
 */
export type FindCached = {
  page: (rawUrl: string, seen: number) => CachedAnswer | null;
  call: (rawUrl: string, seen: number) => CachedCall | null;
};

/** What the fast path shares with the router's path: the same guards, limits, metrics and log. */
export type FastPathParts = {
  find: FindCached;
  own: AllowedOrigins;
  isOverloaded: () => boolean;
  rateLimiter: RateLimiter;
  rateLimitOfPage: (method: string, url: string) => RateLimitName;
  /** The visitor whose limit the request counts for, from its cookies; null: the limit of its address. */
  visitorOf: (cookies: ReturnType<typeof readCookies>) => string | null;
  securityHeaders: Readonly<Record<string, string>>;
  trustProxy: readonly string[];
  metrics: HttpMetrics;
  log: Log;
  requestId: () => string;
};

export type FastPath = {
  /** Answers a request for a cached page; false: the router must answer, and nothing has been written. */
  answer(request: IncomingMessage, response: ServerResponse): boolean;
  /** Until it is called, and after `close`, the router answers everything. */
  open(parts: FastPathParts): void;
  close(): void;
};

/** Header lists of an answer (`writeHead`), and the series of its durations. Made once: an answer is sent many times. */
type Prepared = {
  whole: string[];
  unchanged: string[];
  durations: DurationSeries;
  durationsUnchanged: DurationSeries;
};

/**
 * What the headers of a request say about its client. A browser sends the same ones with every request of a connection, and comparing them
 * costs less than reading them again.
 */
type Client = {
  host: string | undefined;
  cookie: string | undefined;
  accepted: string | undefined;
  forwarded: string | undefined;
  readsBr: boolean;
  who: RateLimitKey;
};

/** The route of pages, as metrics and log name it. */
const pageRoute = "/*";
const pageHeaders = { "cache-control": "public, max-age=0, must-revalidate", vary: "Accept-Encoding" };
const maxVisitors = 5_000;
/** Longer headers are read for each request, so that open connections do not hold much memory. */
const maxRememberedLength = 1_000;

/**
 * Answers cached pages and public reads before the router: looking up the raw address and writing prepared headers costs less than half of
 * what hooks, routing and reply of the framework do. Whatever is not plain (a body, HEAD, a client without Brotli, load, a limit, a foreign
 * host, a read without the browser's id, which the answer must issue) is left to the router, which also words every refusal. Docs:
 * docs/decisions/0072.
 */
export function createFastPath(): FastPath {
  let parts: FastPathParts | null = null;
  let trusts: ReturnType<typeof proxyAddr.compile> | null = null;
  /** Visitors by their cookie header: verifying a signature costs as much as the rest. */
  const visitors = new Map<string, string | null>();
  /** Keys of addresses for the limits. */
  const addresses = new Map<string, string>();
  const prepared = new WeakMap<CachedAnswer, Prepared>();
  const clients = new WeakMap<Socket, Client>();

  function visitorOf({ visitorOf: read, own }: FastPathParts, header: string | undefined): string | null {
    if (header === undefined) return null;
    const known = visitors.get(header);
    if (known !== undefined) return known;
    const visitor = read(readCookies(header, own.isSecure));
    if (visitors.size >= maxVisitors) visitors.clear();
    visitors.set(header, visitor);
    return visitor;
  }

  function addressOf(request: IncomingMessage): string {
    const address = (trusts ? proxyAddr.all(request, trusts).at(-1) : request.socket.remoteAddress) ?? "";
    const known = addresses.get(address);
    if (known !== undefined) return known;
    const key = addressKey(address);
    if (addresses.size >= maxVisitors) addresses.clear();
    addresses.set(address, key);
    return key;
  }

  /** null: the request is for another host. */
  function clientOf(given: FastPathParts, request: IncomingMessage): Client | null {
    const { host, cookie, "accept-encoding": accepted } = request.headers;
    const forwarded = trusts ? String(request.headers["x-forwarded-for"] ?? "") : "";
    const known = clients.get(request.socket);
    if (known && known.host === host && known.cookie === cookie && known.accepted === accepted && known.forwarded === forwarded)
      return known;
    if (!given.own.isHost(host)) return null;
    const who = { visitor: visitorOf(given, cookie), address: addressOf(request), names: new Map() };
    const client = { host, cookie, accepted, forwarded, readsBr: acceptsBr(accepted ?? ""), who };
    if ((cookie?.length ?? 0) + (accepted?.length ?? 0) + forwarded.length <= maxRememberedLength) clients.set(request.socket, client);
    return client;
  }

  function preparedFor({ securityHeaders, metrics }: FastPathParts, cached: CachedAnswer, route: string): Prepared {
    const known = prepared.get(cached);
    if (known) return known;
    const common = { ...securityHeaders, ...(cached.br ? pageHeaders : {}), ...cached.headers, etag: cached.etag };
    const list = (more: Record<string, string>): string[] => Object.entries({ ...common, ...more }).flat();
    const made = {
      whole: list(
        cached.br
          ? { "content-encoding": "br", "content-length": String(cached.br.length) }
          : { "content-length": String(cached.body.length) },
      ),
      unchanged: list({}),
      durations: metrics.durationsOf({ method: "GET", route, status: 200 }),
      durationsUnchanged: metrics.durationsOf({ method: "GET", route, status: 304 }),
    };
    prepared.set(cached, made);
    return made;
  }

  return {
    open(given) {
      parts = given;
      trusts = given.trustProxy.length > 0 ? proxyAddr.compile([...given.trustProxy]) : null;
    },
    close() {
      parts = null;
    },
    answer(request, response) {
      if (parts === null || request.method !== "GET" || request.socket.destroyed) return false;
      const { url = "", headers } = request;
      const isCall = url.startsWith("/api/");
      const seen = priceListIn(headers);
      const call = isCall ? parts.find.call(url, seen) : null;
      const cached = isCall ? (call?.answer ?? null) : parts.find.page(url, seen);
      if (cached === null || parts.isOverloaded() || !isPlain(request)) return false;
      const client = clientOf(parts, request);
      if (client === null) return false;
      const { who } = client;
      const { visitor } = who;
      if (cached.br !== null && !client.readsBr) return false;
      if (isCall && visitor === null) return false;
      const limit = call?.rateLimit ?? parts.rateLimitOfPage("GET", url);
      if (!parts.rateLimiter.tryTake("request", who) || (limit !== "request" && !parts.rateLimiter.tryTake(limit, who))) return false;

      const started = performance.now();
      const route = call?.route ?? pageRoute;
      const made = preparedFor(parts, cached, route);
      const isUnchanged = hasCopy(headers["if-none-match"], cached.etag);
      const status = isUnchanged ? 304 : 200;
      response.writeHead(status, isUnchanged ? made.unchanged : made.whole);
      response.end(isUnchanged ? undefined : (cached.br ?? cached.body));
      const { log, requestId } = parts;
      const mark = call && visitor ? markOf(visitor) : "";
      const done = (): void => {
        const milliseconds = performance.now() - started;
        (isUnchanged ? made.durationsUnchanged : made.durations).observe(milliseconds / 1000);
        log.info(
          { requestId: requestId(), method: "GET", route, status, milliseconds: Math.round(milliseconds), visitor: mark },
          "request",
        );
      };
      // Mostly the system has taken all bytes at once; waiting for the event costs more than the headers.
      if (response.writableLength === 0 && request.socket.errored === null) done();
      else response.once("finish", done);
      return true;
    },
  };
}

/** No body, and nothing in the headers that the guards refuse. */
const isPlain = (request: IncomingMessage): boolean =>
  request.headers["content-length"] === undefined &&
  request.headers["transfer-encoding"] === undefined &&
  hasAllowedHeaders(request) &&
  !hasSeveralHosts(request);
