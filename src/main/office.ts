import { existsSync } from "node:fs";
import { join } from "node:path";
import type { AddressInfo } from "node:net";
import Fastify from "fastify";
import { mediaRoutes, type Media } from "#http/images/media.ts";
import type { HttpMetrics } from "#http/server/metrics.ts";
import { serverOptions } from "#http/server/server-options.ts";
import { registerStaffHttp } from "#http/staff/staff-http.ts";
import type { OutboundOptions } from "#kit/network/outbound.ts";
import type { Ctx } from "#shop/context.ts";
import { accountingUrl } from "./accounting.ts";
import type { Config } from "./config.ts";
import { openPostgres } from "./database/postgres.ts";
import { configuredOptions } from "./database/configured-database.ts";
import { buildIn } from "./pages/build-folder.ts";
import { officeApp } from "./pages/office-app.ts";
import { sharedAssetsFolder, shareAssetsAtStart } from "./pages/shared-assets.ts";
import { openPictures } from "./pictures.ts";
import { startProbes, urlOf, type Listening } from "./probes.ts";
import { shutdownStep } from "./process/shutdown.ts";

export type Office = {
  url: string;
  /** Ends open requests in order, then closes the connections. The caller has drained before. */
  stop(): Promise<void>;
};

/**
 * Opens the listener of the back office. On PostgreSQL it has database connections of its own, so that slow lists of
 * staff never hold up buyers; the embedded database has one connection for all.
 */
export async function startOffice(parts: {
  ctx: Ctx;
  config: Config & { STAFF_PORT: number };
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
  const assets = join(folder, "assets");
  const shared = join(parts.sharedAssets, "office");
  const otherAssets = existsSync(assets) ? shareAssetsAtStart(ctx.log, { assets, shared, version: parts.version }) : shared;
  const app = Fastify(serverOptions(httpConfig));
  app.addHook("onRequest", async (_, reply) => {
    if (isStopping()) reply.header("connection", "close");
  });
  registerStaffHttp(app, {
    ctx: database ? { ...ctx, db: database.db } : ctx,
    config: httpConfig,
    metrics: parts.metrics,
    isReady: async () => !isStopping(),
    plugins: [(scope) => mediaRoutes(scope, parts.media), officeApp(folder, otherAssets)],
  });
  await app.listen({ port: config.STAFF_PORT, host: config.STAFF_HOST });
  const { port } = app.server.address() as AddressInfo;
  return {
    url: config.STAFF_URL ?? urlOf(config.STAFF_HOST, port),
    async stop() {
      app.server.closeIdleConnections();
      await shutdownStep("requests", app.close(), ctx.log);
      app.server.closeAllConnections();
      await database?.close();
    },
  };
}

/** A process of the back office alone: its listener, and probes and metrics on `PORT`. It loads no pages and takes no jobs. */
export async function startOfficeAlone(parts: {
  ctx: Ctx;
  config: Config;
  metrics: HttpMetrics;
  onCall: NonNullable<OutboundOptions["onCall"]>;
  buildFolder: string;
}): Promise<Listening> {
  const { ctx, config, metrics, buildFolder } = parts;
  const { STAFF_PORT } = config;
  if (STAFF_PORT === null) throw new Error("the back office has no port");
  const media = openPictures(ctx, config, parts.onCall);
  ctx.settings.accountingUrl = accountingUrl(ctx, config);
  let isStopping = false;
  const office = await startOffice({
    ctx,
    config: { ...config, STAFF_PORT },
    metrics,
    media,
    version: buildIn(buildFolder).version,
    buildFolder,
    sharedAssets: sharedAssetsFolder(config),
    isStopping: () => isStopping,
  });
  const probes = await startProbes({ ctx, config, metrics });
  return {
    url: probes.url,
    officeUrl: office.url,
    async stop() {
      isStopping = true;
      await Promise.all([probes.stop(), office.stop()]);
      await media.pictures.close();
    },
  };
}
