import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { pathToFileURL } from "node:url";
import type { AddressInfo } from "node:net";
import Fastify from "fastify";
import { collectDefaultMetrics, Registry } from "prom-client";
import type { ServerBuild } from "react-router";
import { pictureAt } from "#shop/catalog/edit.service.ts";
import * as pricing from "#shop/pricing/service.ts";
import { readBytes } from "#shop/media/service.ts";
import * as rates from "#shop/rates/service.ts";
import * as settings from "#shop/settings/service.ts";
import { accountingPath } from "#http/webhooks/accounting.ts";
import { registerHttp } from "#http/http.ts";
import { createFastPath } from "#http/server/fast-path.ts";
import { serverOptions } from "#http/server/server-options.ts";
import { createHttpMetrics } from "#http/server/metrics.ts";
import { mediaRoutes, openMedia, type MediaOptions } from "#http/images/media.ts";
import { pageHeaders } from "#http/server/headers.ts";
import type { Ctx } from "#shop/context.ts";
import type { Log } from "#kit/log.ts";
import { seedRates } from "../../db/seed/invented-rates.ts";
import { seed } from "../../db/seed/seed.ts";
import { assetsPlugin, iconsPlugin } from "./pages/assets.ts";
import { buildFolder, buildIn } from "./pages/build-folder.ts";
import type { Config } from "./config.ts";
import { createContext, measureCalls } from "./context.ts";
import { pgliteFolder, type Database } from "./database/database.ts";
import { connectGateways, realProviders } from "./gateways.ts";
import { alwaysLeader, electLeader } from "./database/leadership.ts";
import { startOffice } from "./office.ts";
import { readStyles } from "./pages/assets.ts";
import { createPages } from "./pages/pages.ts";
import { openQueue } from "./database/queue.ts";
import { shareAssets } from "./pages/shared-assets.ts";
import { serveBackups } from "./process/backup-socket.ts";
import { databaseFolder, watchDisks } from "./process/disk-watch.ts";
import { shutdownMs, shutdownStep } from "./process/shutdown.ts";
import { watchSettings } from "./settings-watch.ts";
import { startWorker } from "./worker.ts";

export type Shop = { url: string; officeUrl: string; ctx: Ctx; stop(): Promise<void> };

const mediaFolder = join(import.meta.dirname, "../../db/seed/media");

/**
 * Starts the shop: providers (simulators in demo), seed, first rates, HTTP, worker. `now` is the shop's only clock. Drills pass one that
 * they can move, and their own build in `buildFolder`.
 */
export async function startShop(parts: {
  config: Config;
  log: Log;
  database: Database;
  progress: (line: string) => void;
  now?: () => Date;
  buildFolder?: string | undefined;
  /** The module with the pages; that of the build folder by default. */
  pages?: string | undefined;
}): Promise<Shop> {
  const { config, log, database, progress } = parts;
  const now = parts.now ?? (() => new Date());
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });

  const demo = config.isDemo ? await import("./demo.ts").then(({ startDemo }) => startDemo(config, now)) : null;
  const {
    gateways,
    resetBreaker,
    close: closeGateways,
  } = connectGateways(demo?.providers ?? realProviders(config), { now, onCall: measureCalls(registry) });
  demo?.onRepaired(resetBreaker);
  const queue = await openQueue(database, { log, supervise: true });
  const ctx = createContext({
    config,
    db: database.db,
    enqueue: queue.enqueue,
    log,
    gateways,
    registry,
    now,
    actor: { kind: "job", name: "server" },
  });
  if (demo) ctx.settings.mapScriptUrl = demo.mapScriptUrl;
  await settings.refresh(ctx);
  const stored = await settings.storedKeys(ctx);
  if (stored.length > 0) progress(`settings from the database: ${stored.join(", ")}`);

  await seed(ctx, { progress });
  if (config.isDemo) {
    const candles = await seedRates(ctx);
    if (candles > 0) progress(`${candles} candles of an invented past`);
  }
  await fetchFirstRates(ctx);

  const { client, server, version } = buildIn(parts.buildFolder ?? buildFolder);
  const sharedAssets = config.ASSETS_DIR ?? join(config.dataDir, "assets");
  shareAssets(join(client, "assets"), sharedAssets, version);
  const build = (await import(pathToFileURL(parts.pages ?? server).href)) as ServerBuild;
  const confirmationOrigin = gateways.payment.confirmationOrigin;
  const counterHosts = config.counter ? [new URL(config.counter.script).origin] : [];
  const pages = createPages({
    ctx,
    build,
    styleText: readStyles(client),
    headers: ({ scriptHashes, styleHashes, hasMap }) =>
      pageHeaders({
        scriptHashes,
        styleHashes,
        paymentOrigin: confirmationOrigin,
        counterHosts,
        mapScriptUrl: hasMap ? ctx.settings.mapScriptUrl : null,
      }),
  });

  let isStopping = false;
  const httpConfig = {
    port: config.PORT,
    publicUrl: config.PUBLIC_URL,
    trustProxy: config.TRUST_PROXY,
    webhookSenders: config.YOOKASSA_WEBHOOK_SENDERS,
    accounting: accountingAccess(config),
    isDemo: config.isDemo,
    metricsToken: config.METRICS_TOKEN,
    version,
  };
  const metrics = createHttpMetrics(registry);
  const pictures = openMedia({
    ...pictureOptions(config),
    lookup: (picture) => pictureAt(ctx.db, picture),
    readUploaded: (id) => readBytes(ctx.db, id),
  });
  const fastPath = createFastPath();
  const app = Fastify(serverOptions(httpConfig, {}, fastPath));
  // Tells clients to close kept-alive connections to a stopping process, so that the next request opens one to another process.
  app.addHook("onRequest", async (_, reply) => {
    if (isStopping) reply.header("connection", "close");
  });
  registerHttp(app, {
    ctx,
    config: httpConfig,
    demo: demo?.controls,
    metrics,
    renderPage: pages.serve,
    fastPath: { path: fastPath, findPage: pages.findKept },
    isReady: async () => !isStopping,
    plugins: [assetsPlugin(client, sharedAssets), iconsPlugin, (scope) => mediaRoutes(scope, pictures)],
  });
  await app.listen({ port: config.PORT, host: config.HOST });
  const { port } = app.server.address() as AddressInfo;
  const url = `http://${["127.0.0.1", "0.0.0.0", "::"].includes(config.HOST) ? "localhost" : config.HOST}:${port}`;
  if (!config.PUBLIC_URL) ctx.settings.publicUrl = url;
  ctx.settings.accountingUrl = httpConfig.accounting ? `${ctx.settings.publicUrl}${accountingPath}` : null;
  demo?.listenAt(`http://127.0.0.1:${port}`);
  const office = await startOffice({
    ctx,
    config,
    metrics,
    media: pictures,
    version,
    buildFolder: parts.buildFolder ?? buildFolder,
    isStopping: () => isStopping,
  });

  const leadership = config.DATABASE_URL ? electLeader(config.DATABASE_URL, log) : alwaysLeader;
  const settingsWatch = watchSettings(ctx);
  const folderOfDatabase = await databaseFolder(ctx.db, config);
  const diskWatch = watchDisks(ctx, {
    disks: { data: config.dataDir, ...(folderOfDatabase === null ? {} : { database: folderOfDatabase }) },
    registry,
  });
  await diskWatch.check();
  const backups = database.dump ? await serveBackups(pgliteFolder(config.dataDir), { dump: database.dump, log }) : null;
  const worker = await startWorker(ctx, { queue, leadership, ratesPollSeconds: config.ratesPollSeconds });

  return {
    url,
    officeUrl: office.url,
    ctx,
    async stop() {
      isStopping = true; // `readyz` reports it from here on
      fastPath.close(); // the router tells clients to close their connections
      await sleep(Math.min(config.drainSeconds * 1000, shutdownMs.drain));
      app.server.closeIdleConnections(); // idle keep-alive connections would delay the close by a minute
      await Promise.all([shutdownStep("requests", app.close(), log), office.stop()]);
      app.server.closeAllConnections();
      await settingsWatch.stop();
      diskWatch.stop();
      await backups?.stop();
      await shutdownStep("worker", worker.stop(), log);
      await shutdownStep("providers", Promise.all([leadership.stop(), closeGateways(), demo?.stop(), pictures.pictures.close()]), log);
    },
  };
}

/** Login and password of the exchange with 1C; null: it is off. */
const accountingAccess = ({ COMMERCEML_LOGIN: login, COMMERCEML_PASSWORD: password }: Config) =>
  login !== undefined && password !== undefined ? { login, password } : null;

const pictureOptions = ({ dataDir, IMAGE_CACHE_MB, IMAGE_ORIGIN, IMAGE_ORIGIN_ALLOW_PRIVATE }: Config): MediaOptions => ({
  sourceDir: mediaFolder,
  cacheDir: join(dataDir, "media-cache"),
  cacheBytes: IMAGE_CACHE_MB * 1024 ** 2,
  origin: IMAGE_ORIGIN ? { origin: IMAGE_ORIGIN, allowPrivate: IMAGE_ORIGIN_ALLOW_PRIVATE } : null,
});

/** A shop starts even if the exchange does not answer: memorable coins have fixed prices, bullion waits for a rate. */
async function fetchFirstRates(ctx: Ctx): Promise<void> {
  try {
    await rates.poll(ctx);
    await pricing.refresh(ctx);
  } catch (error) {
    ctx.log.warn({ err: error }, "no rates at the start");
  }
}
