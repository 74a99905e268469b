import { createServer, STATUS_CODES, type RequestListener, type Server } from "node:http";
import type { Socket } from "node:net";
import type { FastifyHttpOptions, FastifyReply, FastifyRequest } from "fastify";
import { problems } from "#contract/problems.ts";
import { randomId } from "#kit/ids.ts";
import { endAndDestroy } from "../guards/connections.ts";
import { isSecure, type HttpConfig } from "../config.ts";
import { maxBodyBytes, maxHeaderBytes } from "../guards/guards.ts";
import { jsonPolicy, securityHeaders } from "./headers.ts";
import type { FastPath } from "./fast-path.ts";
import { problemBody, sendProblem, sendProblemPage } from "../problems.ts";
import { parseQuery } from "../request/query.ts";

/** How long the server waits for a client. Tests use shorter times. */
export type ServerTimeouts = {
  headersMs: number;
  requestMs: number;
  /** Between two requests of a connection. */
  keepAliveMs: number;
  /**
   * While a request is open and its connection makes no progress: above all an answer that is not read. Node counts the bytes accepted by
   * the system, so a slow reader is not cut. The stream of rates writes every 20 s and drops clients that do not read.
   */
  silenceMs: number;
  /** Time for the client to read the last answer and close, after an unreadable request. */
  lingerMs: number;
};
const defaultTimeouts: ServerTimeouts = { headersMs: 10_000, requestMs: 15_000, keepAliveMs: 75_000, silenceMs: 60_000, lingerMs: 2_000 };

/**
 * Options of the Fastify server: `Fastify(serverOptions(config))`. Headers, bodies and silent connections have a size or a time at which
 * they end, so that slow or endless requests do not use up connections. `fastPath` sees each request first and may answer it.
 */
export function serverOptions(
  config: Pick<HttpConfig, "trustProxy" | "publicUrl">,
  given: Partial<ServerTimeouts> = {},
  fastPath: Pick<FastPath, "answer"> | null = null,
): FastifyHttpOptions<Server> {
  const { headersMs, requestMs, keepAliveMs, silenceMs, lingerMs } = { ...defaultTimeouts, ...given };
  const security = securityHeaders(isSecure(config));
  const http = {
    headersTimeout: headersMs,
    maxHeaderSize: maxHeaderBytes,
    connectionsCheckingInterval: Math.min(2_000, headersMs / 2),
    requireHostHeader: false, // the guards refuse such a request in our words; Node's own answer has no headers and no body
  };
  /** As Fastify makes its server, with the fast path before the router. */
  const withFastPath = (route: RequestListener, { answer }: Pick<FastPath, "answer">): Server => {
    const server = createServer(http, (request, response) => {
      if (!answer(request, response)) route(request, response);
    });
    server.keepAliveTimeout = keepAliveMs;
    server.requestTimeout = requestMs;
    server.setTimeout(silenceMs);
    return server;
  };
  return {
    ...(fastPath ? { serverFactory: (route: RequestListener) => withFastPath(route, fastPath) } : {}),
    logger: false,
    trustProxy: config.trustProxy.length > 0 ? [...config.trustProxy] : false,
    bodyLimit: maxBodyBytes,
    connectionTimeout: silenceMs,
    requestTimeout: requestMs,
    keepAliveTimeout: keepAliveMs,
    http,
    genReqId: requestIds(),
    exposeHeadRoutes: false,
    forceCloseConnections: "idle",
    frameworkErrors: (_, request, reply) => refuseMalformedAddress(request, reply.headers(security)),
    clientErrorHandler: (error, socket) => refuseMalformedRequest(error, socket, security, lingerMs),
    routerOptions: { maxParamLength: 200, querystringParser: (raw) => parseQuery(raw) ?? {} },
  };
}

/** Request ids for the log: a random prefix of the process and a counter, since randomness for each request costs as much as routing it. */
export function requestIds(): () => string {
  const process = randomId(6);
  let count = 0;
  return () => `${process}-${(count += 1).toString(36)}`;
}

/** A malformed address (`/%E0%A4%A`) reaches no route. A browser gets a page, a program JSON. */
function refuseMalformedAddress(request: FastifyRequest, reply: FastifyReply): void {
  const isForPeople = /text\/html/.test(request.headers.accept ?? "") && !/^\/(api|_demo)\//.test(request.url);
  (isForPeople ? sendProblemPage : sendProblem)(reply, { code: "request.malformed" });
}

/**
 * A request that Node itself could not read: too large headers, too slow, or not HTTP. No hook of the framework adds headers to its answer.
 */
function refuseMalformedRequest(
  error: Error & { code?: string },
  socket: Socket,
  security: Readonly<Record<string, string>>,
  lingerMs: number,
): void {
  if (!socket.writable || error.code === "ECONNRESET") return void socket.destroy();
  const code =
    error.code === "HPE_HEADER_OVERFLOW"
      ? "request.headers_too_large"
      : error.code === "ERR_HTTP_REQUEST_TIMEOUT"
        ? "request.too_slow"
        : "request.malformed";
  const body = JSON.stringify(problemBody({ code }));
  const { status } = problems[code];
  const headers = {
    ...security,
    "content-security-policy": jsonPolicy,
    "content-type": "application/json; charset=utf-8",
    "content-length": Buffer.byteLength(body),
    "cache-control": "private, no-store",
    connection: "close",
  };
  const head = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  endAndDestroy(socket, `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${head.join("")}\r\n${body}`, lingerMs);
}
