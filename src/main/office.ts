import { existsSync } from "node:fs";
import { join } from "node:path";
import type { AddressInfo } from "node:net";
import Fastify from "fastify";
import { mediaRoutes, type Media } from "#http/images/media.ts";
import type { HttpMetrics } from "#http/server/metrics.ts";
import { serverOptions } from "#http/server/server-options.ts";
import { registerStaffHttp } from "#http/staff/staff-http.ts";
import type { Ctx } from "#shop/context.ts";
import type { Config } from "./config.ts";
import { configuredOptions, openPostgres } from "./database/database.ts";
import { officeApp } from "./pages/office-app.ts";
import { shareAssets } from "./pages/shared-assets.ts";
import { shutdownStep } from "./process/shutdown.ts";

export type Office = {
  url: string;
  /** Ends idle connections; called when the drain is over, before `stop`. */
  stop(): Promise<void>;
};

/**
 * Opens the listener of the back office beside the public one. On PostgreSQL it has database connections of its own, so that slow lists of
 * staff never hold up buyers; the embedded database has one connection for all.
 */
export async function startOffice(parts: {
  ctx: Ctx;
  config: Config;
  metrics: HttpMetrics;
  media: Media;
  version: string;
  buildFolder: string;
  /** The folder that all processes share for the files of their builds; those of the back office are in a folder of their own below it. */
  sharedAssets: string;
  isStopping: () => boolean;
}): Promise<Office> {
  const { ctx, config, isStopping } = parts;
  const database = config.DATABASE_URL
    ? openPostgres(config.DATABASE_URL, {
        ...configuredOptions(config, { log: ctx.log, max: Math.max(1, config.limits.staffConnections) }),
        // Filters differ too much for one plan each.
        preparesStatements: false,
      })
    : null;
  const httpConfig = {
    port: config.STAFF_PORT,
    publicUrl: config.STAFF_URL,
    trustProxy: config.TRUST_PROXY,
    isDemo: config.isDemo,
    metricsToken: undefined,
    version: parts.version,
  };
  const folder = join(parts.buildFolder, "office");
  const shared = join(parts.sharedAssets, "office");
  if (existsSync(join(folder, "assets"))) shareAssets(join(folder, "assets"), shared, parts.version);
  const app = Fastify(serverOptions(httpConfig));
  app.addHook("onRequest", async (_, reply) => {
    if (isStopping()) reply.header("connection", "close");
  });
  registerStaffHttp(app, {
    ctx: database ? { ...ctx, db: database.db } : ctx,
    config: httpConfig,
    metrics: parts.metrics,
    isReady: async () => !isStopping(),
    plugins: [(scope) => mediaRoutes(scope, parts.media), officeApp(folder, shared)],
  });
  await app.listen({ port: config.STAFF_PORT, host: config.STAFF_HOST });
  const { port } = app.server.address() as AddressInfo;
  const host = ["127.0.0.1", "0.0.0.0", "::"].includes(config.STAFF_HOST) ? "localhost" : config.STAFF_HOST;
  return {
    url: config.STAFF_URL ?? `http://${host}:${port}`,
    async stop() {
      app.server.closeIdleConnections();
      await shutdownStep("requests", app.close(), ctx.log);
      app.server.closeAllConnections();
      await database?.close();
    },
  };
}
