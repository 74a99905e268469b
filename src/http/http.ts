import type { FastifyInstance, FastifyPluginAsync, FastifyReply, FastifyRequest } from "fastify";
import type { Ctx, Visitor } from "#shop/context.ts";
import * as pricing from "#shop/pricing/service.ts";
import { createSharedRateLimiter } from "./guards/rate-limit.ts";
import { parseJson } from "./request/clean.ts";
import { normalAddress } from "./request/request-target.ts";
import { isSecure, type HttpConfig } from "./config.ts";
import type { DemoControls } from "./demo/controls.ts";
import { outboxPage, outboxPolicy } from "./demo/outbox-page.ts";
import { registerDocs } from "./docs/docs.ts";
import type { RateLimitName } from "#contract/call.ts";
import { answer, rateLimitVisitor, countRequest, type Endpoint, type EndpointTools } from "./endpoint.ts";
import { sendFault } from "./server/faults.ts";
import { guardsBeforeBody, maxBodyBytes } from "./guards/guards.ts";
import { setPrivate, securityHeaders } from "./server/headers.ts";
import { isLoopbackRequest } from "./guards/loopback.ts";
import type { FastPath, FindCached } from "./server/fast-path.ts";
import { createAnswerCache } from "./server/answer-cache.ts";
import { boundPort } from "./server/bound-port.ts";
import { recordRequest } from "./server/request-log.ts";
import { createHttpMetrics, type HttpMetrics } from "./server/metrics.ts";
import { collectMethods, isFile, registerOtherMethods } from "./server/other-methods.ts";
import { registerProbes } from "./server/probes.ts";
import { requestIds } from "./server/server-options.ts";
import { watchLoad } from "./guards/overload.ts";
import { createAllowedOrigins } from "./guards/allowed-origins.ts";
import { sendProblem } from "./problems.ts";
import { demoRoutes, routes } from "./routes.ts";
import { addressOf, browserOf, isFromKnownBrowser, issueBrowserId, openCookieJar, resolveVisitor } from "./request/session.ts";
import { allowedConnections, descriptorLimit, limitConnections } from "./guards/connections.ts";
import { registerStream, streamPath } from "./stream/stream.ts";
import { registerAccounting } from "./webhooks/accounting.ts";
import { registerCarrierWebhook } from "./webhooks/carrier.ts";
import { registerPaymentWebhooks } from "./webhooks/payments.ts";
import { registerPolicyReports } from "./webhooks/policy-reports.ts";
import { registerUnsubscribe } from "./webhooks/unsubscribe.ts";

export type HttpDeps = {
  ctx: Ctx;
  config: HttpConfig;
  /** Present in demo mode only. */
  demo?: DemoControls | undefined;
  /** Pictures and static files: plugins with their own routes. */
  plugins?: readonly FastifyPluginAsync[];
  /**
   * Answers everything that is not a call, picture, file or probe. The body of a POST is a Buffer in `request.body`. `visitor` resolves the
   * session when called, so public pages cost no query; for a POST it also sets the browser's id.
   */
  renderPage?: (request: FastifyRequest, reply: FastifyReply, visitor: () => Promise<Visitor>) => Promise<unknown>;
  /** Answers cached pages and reads before the router. Its server must have been made with it (`serverOptions`). */
  fastPath?: { path: FastPath; findPage: FindCached["page"] };
  /** Migrated and not stopping. */
  isReady?: () => Promise<boolean>;
  metrics?: HttpMetrics;
  /** Maximum number of file descriptors of the process; by default the system's limit. */
  descriptors?: number;
  /** The load of the process; measured unless given. */
  load?: { isOverloaded(): boolean; stop(): void };
};

declare module "fastify" {
  interface FastifyRequest {
    /** The first letters of a hash of the browser's id, to follow one visitor in the log; empty outside of calls. */
    mark: string;
  }
}

/** Registers the whole HTTP side: guards, calls, webhooks, probes, metrics, documentation, and pages through `renderPage`. */
export function registerHttp(app: FastifyInstance, deps: HttpDeps): void {
  const { ctx, config } = deps;
  const own = createAllowedOrigins(config, () => config.port || port());
  let bound = 0;
  /** Looked up once: the system call costs as much as the other guards together. */
  const port = (): number => (bound ||= boundPort(app));
  const metrics = deps.metrics ?? createHttpMetrics();
  const tools: EndpointTools = {
    ctx,
    rateLimiter: createSharedRateLimiter(ctx, "shop"),
    isSecure: isSecure(config),
    answerCache: createAnswerCache(),
  };

  const { limits } = ctx.settings;
  const { connections: wanted } = limits;
  const connections = allowedConnections(wanted, deps.descriptors ?? descriptorLimit());
  if (connections < wanted)
    ctx.log[ctx.isDemo ? "info" : "warn"](
      { limit: connections, count: wanted },
      "fewer connections than CONNECTIONS: the process may not open so many files (ulimit -n, LimitNOFILE)",
    );
  limitConnections(app.server, connections, limits, config.trustProxy);
  const headers = securityHeaders(tools.isSecure);
  const load = deps.load ?? watchLoad(limits);
  app.addHook("onClose", async () => load.stop());
  const guards = guardsBeforeBody(own, {
    isOverloaded: load.isOverloaded,
    isKnown: (request) => isFromKnownBrowser(ctx, request, tools.isSecure),
  });
  if (deps.fastPath)
    deps.fastPath.path.open({
      find: {
        page: deps.fastPath.findPage,
        call: (rawUrl, seen) => (seen > (pricing.currentVersion(ctx) ?? 0) ? null : tools.answerCache.find(rawUrl)),
      },
      own,
      isOverloaded: load.isOverloaded,
      rateLimiter: tools.rateLimiter,
      // A page from the cache costs no more than a read of the API, and counts as one.
      rateLimitOfPage: (method, url) => {
        const limit = rateLimitOfPage(method, url);
        return limit === "page" ? "request" : limit;
      },
      visitorOf: (cookies) => rateLimitVisitor(browserOf(ctx, cookies)),
      securityHeaders: headers,
      trustProxy: config.trustProxy,
      metrics,
      log: ctx.log,
      requestId: requestIds(),
    });
  const methods = collectMethods(app);
  app.decorateRequest("mark", "");
  app.addHook("onRequest", async (request, reply) => {
    reply.headers(headers);
    for (const guard of guards) guard(request);
  });
  app.addHook("onResponse", async (request, reply) => {
    if (request.routeOptions.url === streamPath && reply.statusCode === 200) return; // a stream's duration is the reader's, not the server's
    recordRequest(ctx, metrics, "shop", request, reply);
  });
  app.setErrorHandler((error, request, reply) => sendFault(ctx, error, request, reply));
  app.setNotFoundHandler((_, reply) => sendProblem(reply, { code: "request.not_found" }));

  registerProbes(app, { ctx, config, metrics, isReady: deps.isReady ?? (async () => true) });
  registerPaymentWebhooks(app, { ctx, metrics, senders: config.webhookSenders ?? [] });
  registerCarrierWebhook(app, { ctx, metrics });
  registerAccounting(app, { ctx, access: config.accounting ?? null });
  registerUnsubscribe(app, ctx);
  registerPolicyReports(app, tools);
  app.register(async (scope) => {
    takeJsonOnly(scope);
    const calls = routes(config.version);
    for (const each of calls) registerCall(scope, each, tools);
    registerDocs(scope, calls, config.version);
  });
  registerStream(app, tools, metrics);
  registerDemo(app, deps.demo, tools);
  registerUnknownCalls(app);
  for (const plugin of deps.plugins ?? []) app.register(plugin);
  if (deps.renderPage) registerPages(app, deps.renderPage, tools);
  registerOtherMethods(app, methods, deps.renderPage !== undefined);
}

/** One parser for any content type: requests that are not JSON were refused before the body was read. */
function takeJsonOnly(scope: FastifyInstance): void {
  scope.removeAllContentTypeParsers();
  scope.addContentTypeParser("*", { parseAs: "buffer", bodyLimit: maxBodyBytes }, async (_: FastifyRequest, bytes: Buffer) =>
    parseJson(bytes),
  );
}

function registerCall(scope: FastifyInstance, each: Endpoint, tools: EndpointTools): void {
  const { call } = each;
  const url = call.path.replaceAll(/\{(\w+)\}/g, ":$1");
  const options = { config: { kind: { call } }, exposeHeadRoute: call.method === "GET" && !call.changes }; // a HEAD runs the handler of GET
  const handler = (request: FastifyRequest, reply: FastifyReply) => answer(each, tools, request, reply);
  scope.route({ method: call.method, url, ...options, handler });
  if (call.isLegacyGet) scope.route({ method: "GET", url, ...options, exposeHeadRoute: false, handler });
}

/** `/_demo` exists in demo mode and for this machine only; otherwise it is 404. */
function registerDemo(app: FastifyInstance, controls: DemoControls | undefined, tools: EndpointTools): void {
  app.register(async (scope) => {
    takeJsonOnly(scope);
    scope.addHook("onRequest", async (request, reply) => {
      if (!controls || !isLoopbackRequest(request)) return sendProblem(reply, { code: "request.not_found" });
      const isForPeople =
        request.method === "GET" && request.routeOptions.url === "/_demo/outbox" && /text\/html/.test(request.headers.accept ?? "");
      return isForPeople ? showOutbox(controls, request, reply) : undefined;
    });
    for (const each of demoRoutes(controls)) registerCall(scope, each, tools);
  });
}

/** Unknown addresses below `/api`, answered before the body is read. */
function registerUnknownCalls(app: FastifyInstance): void {
  app.register(async (scope) => {
    scope.addHook("onRequest", async (_, reply) => sendProblem(reply, { code: "request.not_found" }));
    for (const url of ["/api", "/api/*", "/_demo", "/_demo/*"]) scope.all(url, async () => {});
  });
}

async function showOutbox(controls: DemoControls, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  const { to = "" } = request.query as { to?: string };
  const page = outboxPage(await controls.outbox(to === "" ? undefined : to), to);
  return setPrivate(reply).type("text/html; charset=utf-8").header("content-security-policy", outboxPolicy).send(page);
}

function registerPages(app: FastifyInstance, renderPage: NonNullable<HttpDeps["renderPage"]>, tools: EndpointTools): void {
  app.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser("*", { parseAs: "buffer", bodyLimit: maxBodyBytes }, (_, bytes, done) => done(null, bytes));
    scope.route({
      method: ["GET", "HEAD", "POST"],
      url: "/*",
      config: { kind: { page: true } },
      exposeHeadRoute: false,
      handler: async (request, reply) => {
        if (isFile.test(request.url)) return sendProblem(reply, { code: "request.not_found" });
        const known = browserOf(tools.ctx, openCookieJar(request, reply, tools));
        await countRequest(tools.rateLimiter, rateLimitOfPage(request.method, request.url), {
          visitor: rateLimitVisitor(known),
          address: addressOf(request),
        });
        await renderPage(request, reply, () => pageVisitor(request, reply, tools));
        return reply;
      },
    });
  });
}

/**
 * The rate limit of a page: locking prices and ordering in the checkout without scripts, changes by forms, promo codes, searches; as for
 * the calls.
 */
function rateLimitOfPage(method: string, url: string): RateLimitName {
  if (method === "POST") return rateLimitOfForm(url);
  if (!url.startsWith("/search") && !url.startsWith("/checkout/steps/")) return "page"; // most pages, without a pattern
  if (/^\/checkout\/steps\/(city|point)\b/.test(url)) return "search";
  return /^\/search(\/_)?(\.data)?(\?|$)/.test(url) ? "search" : "page";
}

/** Only reading is redirected to the canonical address, so that of a form is brought to it here: the router reads all spellings. */
function rateLimitOfForm(url: string): RateLimitName {
  const { pathname, searchParams } = new URL(normalAddress(url) ?? url, "http://any");
  const page = pathname.replace(/(\/_)?\.data$/, "").replace(/\/+$/, "");
  if (page === "/cart" && searchParams.has("promo")) return "promo";
  return page === "/checkout/steps/confirm" ? "order" : page === "/checkout/steps/payment" ? "quote" : "write";
}

/** A page never sets a browser id, because pages are shared; the answer to a form does, because its change needs an owner. */
async function pageVisitor(request: FastifyRequest, reply: FastifyReply, tools: EndpointTools): Promise<Visitor> {
  const { ctx } = tools;
  const jar = openCookieJar(request, reply, tools);
  const visitor = await resolveVisitor(ctx, request, jar);
  if (request.method !== "POST") return visitor;
  const named = issueBrowserId(ctx, jar);
  return { ...visitor, browser: named, owner: visitor.owner ?? named };
}
