import type { FastifyInstance, FastifyPluginAsync, FastifyRequest } from "fastify";
import type { StaffCall } from "#contract/staff/call.ts";
import type { Ctx } from "#shop/context.ts";
import { isSecure, type HttpConfig } from "../config.ts";
import { createAllowedOrigins } from "../guards/allowed-origins.ts";
import { guardsBeforeBody, maxBodyBytes } from "../guards/guards.ts";
import { createSharedRateLimiter } from "../guards/rate-limit.ts";
import { parseJson } from "../request/clean.ts";
import { sendProblem } from "../problems.ts";
import { boundPort } from "../server/bound-port.ts";
import { sendFault } from "../server/faults.ts";
import { registerHealth } from "../server/health.ts";
import { securityHeaders } from "../server/headers.ts";
import { createHttpMetrics, type HttpMetrics } from "../server/metrics.ts";
import { recordRequest } from "../server/request-log.ts";
import { registerPolicyReports } from "../webhooks/policy-reports.ts";
import type { StaffEndpoint } from "./endpoint.ts";
import { answerStaff, type StaffTools } from "./execute.ts";
import { staffRoutes } from "./routes.ts";

export type StaffHttpDeps = {
  ctx: Ctx;
  /** `publicUrl` is the address of the back office, `STAFF_URL`. */
  config: HttpConfig;
  /** The files of the app and pictures: plugins that answer paths of their own. */
  plugins?: readonly FastifyPluginAsync[];
  metrics?: HttpMetrics;
  isReady?: () => Promise<boolean>;
  /** All calls unless given. */
  routes?: readonly StaffEndpoint[];
};

/**
 * Puts the back office on a server of its own: calls, probes, reports of its policy, and the app through plugins. Nothing of it is on the
 * public server.
 */
export function registerStaffHttp(app: FastifyInstance, deps: StaffHttpDeps): void {
  const { ctx, config } = deps;
  const metrics = deps.metrics ?? createHttpMetrics();
  const portOf = () => config.port || boundPort(app);
  const own = createAllowedOrigins(config, portOf);
  const rateLimiter = createSharedRateLimiter(ctx, "office");
  const tools: StaffTools = {
    ctx,
    rateLimiter,
    isSecure: isSecure(config),
    officeUrl: () => (config.publicUrl ?? `http://localhost:${portOf()}`).replace(/\/$/, ""),
  };
  const headers = securityHeaders(tools.isSecure);
  const guards = guardsBeforeBody(own, { isOverloaded: () => false, isKnown: () => true });

  app.decorateRequest("mark", "");
  app.addHook("onRequest", async (request, reply) => {
    reply.headers(headers).header("x-robots-tag", "noindex");
    for (const guard of guards) guard(request);
  });
  app.addHook("onResponse", async (request, reply) => recordRequest(ctx, metrics, "office", request, reply));
  app.setErrorHandler((error, request, reply) => sendFault(ctx, error, request, reply));
  app.setNotFoundHandler((_, reply) => sendProblem(reply, { code: "request.not_found" }));

  registerHealth(app, ctx, deps.isReady ?? (async () => true));
  registerPolicyReports(app, { ctx, rateLimiter });
  app.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser("*", { parseAs: "buffer", bodyLimit: maxBodyBytes }, async (_: FastifyRequest, bytes: Buffer) =>
      parseJson(bytes),
    );
    // Only for calls that take a file: the guards have compared the type with the call.
    scope.addContentTypeParser("application/octet-stream", { parseAs: "buffer" }, async (_: FastifyRequest, bytes: Buffer) => bytes);
    for (const each of deps.routes ?? staffRoutes) registerStaffCall(scope, each, tools);
  });
  app.register(async (scope) => {
    scope.addHook("onRequest", async (_, reply) => sendProblem(reply, { code: "request.not_found" }));
    for (const url of ["/api", "/api/*"]) scope.all(url, async () => {});
  });
  for (const plugin of deps.plugins ?? []) app.register(plugin);
}

function registerStaffCall(scope: FastifyInstance, each: StaffEndpoint, tools: StaffTools): void {
  const { call } = each;
  scope.route({
    method: call.method,
    url: urlOf(call),
    config: { kind: { staffCall: call } },
    ...(call.maxBodyBytes ? { bodyLimit: call.maxBodyBytes } : {}),
    exposeHeadRoute: false,
    handler: (request, reply) => answerStaff(each, tools, request, reply),
  });
}

/** `/api/staff/orders/{id}` as the router writes it. */
const urlOf = ({ path }: StaffCall): string => path.replaceAll(/\{(\w+)\}/g, ":$1");
