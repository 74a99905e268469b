import { STATUS_CODES, type Server } from "node:http";
import type { Socket } from "node:net";
import type { FastifyHttpOptions, FastifyReply, FastifyRequest } from "fastify";
import { problems } from "#contract/problems.ts";
import { randomId } from "#kit/ids.ts";
import type { Limits } from "#shop/settings.ts";
import { addressKey, addressList, plainAddress } from "./addresses.ts";
import type { HttpConfig } from "./config.ts";
import { longestBody, longestHeaders } from "./gates.ts";
import { securityHeaders } from "./headers.ts";
import { problemBody, sendProblem, sendProblemPage } from "./problems.ts";
import { parseQuery } from "./query.ts";

/** Options of the Fastify server that hold threat model H1–H3 and H10: `Fastify(serverOptions(config))`. */
export function serverOptions(config: Pick<HttpConfig, "trustProxy">): FastifyHttpOptions<Server> {
  return {
    logger: false,
    trustProxy: config.trustProxy.length > 0 ? [...config.trustProxy] : false,
    bodyLimit: longestBody,
    connectionTimeout: 0,
    requestTimeout: 15_000,
    keepAliveTimeout: 75_000,
    http: { headersTimeout: 10_000, maxHeaderSize: longestHeaders, connectionsCheckingInterval: 2_000 },
    genReqId: requestIds(),
    exposeHeadRoutes: false,
    forceCloseConnections: "idle",
    frameworkErrors: (_, request, reply) => refuseAddress(request, reply.headers(securityHeaders(false))),
    clientErrorHandler: refuseUnread,
    routerOptions: { maxParamLength: 200, querystringParser: (raw) => parseQuery(raw) ?? {} },
  };
}

/** Ids for the log: this process's own random beginning and a count, since randomness for each request costs as much as routing it. */
function requestIds(): () => string {
  const process = randomId(6);
  let count = 0;
  return () => `${process}-${(count += 1).toString(36)}`;
}

/** An address that cannot be decoded (`/%E0%A4%A`) reaches no route. A person reads words, a program the problem. */
function refuseAddress(request: FastifyRequest, reply: FastifyReply): void {
  const isForPeople = /text\/html/.test(request.headers.accept ?? "") && !/^\/(api|_demo)\//.test(request.url);
  (isForPeople ? sendProblemPage : sendProblem)(reply, { code: "request.malformed" });
}

/** A request that Node itself could not read: too much of headers, too slow, or no HTTP at all. */
function refuseUnread(error: Error & { code?: string }, socket: Socket): void {
  if (!socket.writable || error.code === "ECONNRESET") return void socket.destroy();
  const code = error.code === "HPE_HEADER_OVERFLOW" ? "request.headers_too_large" : error.code === "ERR_HTTP_REQUEST_TIMEOUT" ? "request.too_slow" : "request.malformed";
  const body = JSON.stringify(problemBody({ code }));
  const { status } = problems[code];
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\ncontent-type: application/json; charset=utf-8\r\ncontent-length: ${Buffer.byteLength(body)}\r\ncache-control: private, no-store\r\nconnection: close\r\n\r\n${body}`);
}

/**
 * Bounds the connections of the whole server and of each address. This machine itself and trusted proxies are not bound by the
 * second: behind their addresses stand all the visitors there are.
 */
export function limitConnections(server: Server, limits: Pick<Limits, "connections" | "connectionsPerAddress">, trustProxy: readonly string[]): void {
  const isProxy = addressList(["127.0.0.0/8", "::1", ...trustProxy]);
  const open = new Map<string, number>();
  server.maxConnections = limits.connections;
  server.on("connection", (socket: Socket) => {
    const plain = plainAddress(socket.remoteAddress ?? "");
    if (plain === "" || isProxy(plain)) return;
    const address = addressKey(plain);
    const count = (open.get(address) ?? 0) + 1;
    if (count > limits.connectionsPerAddress) {
      socket.destroy();
      return;
    }
    open.set(address, count);
    socket.once("close", () => {
      const left = (open.get(address) ?? 1) - 1;
      if (left > 0) open.set(address, left);
      else open.delete(address);
    });
  });
}
