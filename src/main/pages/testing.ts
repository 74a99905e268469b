import Fastify, { type FastifyInstance } from "fastify";
import type { LoaderFunctionArgs, ServerBuild } from "react-router";
import type { Ctx } from "#shop/context.ts";
import { pageContext } from "#web/context.server.ts";
import { handleError } from "#web/entry.server.tsx";
import { RequestRefused, sendProblem } from "#http/problems.ts";
import type { PageHandle } from "#web/storefront/page/page-handle.ts";
import { createPages } from "./pages.ts";

type Handler = (given: LoaderFunctionArgs) => Promise<Response>;
type TestRoute = { path: string; module: { loader: Handler; action?: Handler; handle?: PageHandle } };

/** What `createPages` serves, with these routes alone and without a frame: each loader's response is the page. */
export function buildOf(routes: Record<string, TestRoute>): ServerBuild {
  return {
    entry: { module: { default: () => new Response(""), handleError } },
    routes: Object.fromEntries(Object.entries(routes).map(([id, route]) => [id, { id, ...route }])),
    assets: { entry: { module: "", imports: [] }, routes: {}, url: "", version: "1" },
    assetsBuildDirectory: "",
    basename: "/",
    publicPath: "/",
    future: {},
    isSpaMode: false,
    ssr: true,
    prerender: [],
    routeDiscovery: { mode: "initial" },
  } as unknown as ServerBuild;
}

/** The shop that a loader of a test reads from. */
export function ctxOf({ context }: LoaderFunctionArgs): Ctx {
  return (context as { get: (key: typeof pageContext) => { ctx: Ctx } }).get(pageContext).ctx;
}

/** A server of these pages alone, for a visitor without cookies. */
export function serveBuild(ctx: Ctx, build: ServerBuild): { app: FastifyInstance; pages: ReturnType<typeof createPages> } {
  const noVisitor = { owner: null, browser: null, customerId: null, sidHash: null, signedInAt: null, deviceHash: null };
  const pages = createPages({ ctx, build, styleSheet: () => undefined, inlinePicture: () => undefined, headers: () => ({}) });
  const app = Fastify();
  app.setErrorHandler((error, _request, reply) => {
    if (!(error instanceof RequestRefused)) throw error;
    return sendProblem(reply, error.problem);
  });
  app.route({
    method: ["GET", "HEAD"],
    url: "/*",
    exposeHeadRoute: false,
    handler: async (request, reply) => {
      await pages.serve(request, reply, async () => ({ ...noVisitor, address: "", userAgent: "" }));
      return reply;
    },
  });
  return { app, pages };
}
