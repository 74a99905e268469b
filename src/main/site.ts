import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { pathToFileURL } from "node:url";
import type { AddressInfo } from "node:net";
import Fastify from "fastify";
import type { ServerBuild } from "react-router";
import { registerHttp } from "#http/http.ts";
import { createInlinePictures } from "#http/images/inline-pictures.ts";
import { mediaRoutes } from "#http/images/media.ts";
import { createFastPath } from "#http/server/fast-path.ts";
import { pageHeaders } from "#http/server/headers.ts";
import type { HttpMetrics } from "#http/server/metrics.ts";
import { serverOptions } from "#http/server/server-options.ts";
import type { OutboundOptions } from "#kit/network/outbound.ts";
import type { Ctx } from "#shop/context.ts";
import type { Config } from "./config.ts";
import type { Demo } from "./demo.ts";
import { accountingAccess, accountingUrl } from "./accounting.ts";
import type { Office } from "./office.ts";
import { openPictures } from "./pictures.ts";
import { iconsPlugin, readStyles } from "./pages/assets.ts";
import { buildFiles } from "./pages/build-files.ts";
import { buildFolder, buildIn } from "./pages/build-folder.ts";
import { createPages } from "./pages/pages.ts";
import { sharedAssetsFolder, shareAssetsAtStart } from "./pages/shared-assets.ts";
import { urlOf, type Listening } from "./probes.ts";
import { shutdownMs, shutdownStep } from "./process/shutdown.ts";

/** Rendered once before `readyz` says that the process is ready, whatever they answer. */
const firstPages = ["/", "/catalog", "/cart"];

/**
 * Opens the public listener with pages, API and pictures, which is ready when it has rendered some pages; then that of the back office,
 * unless it is off.
 */
export async function startSite(parts: {
  ctx: Ctx;
  config: Config;
  metrics: HttpMetrics;
  demo: Demo | null;
  onCall: NonNullable<OutboundOptions["onCall"]>;
  buildFolder?: string | undefined;
  pages?: string | undefined;
}): Promise<Listening> {
  const { ctx, config, metrics, demo } = parts;
  const { client, server, version } = buildIn(parts.buildFolder ?? buildFolder);
  const sharedAssets = sharedAssetsFolder(config);
  const otherAssets = shareAssetsAtStart(ctx.log, { assets: join(client, "assets"), shared: sharedAssets, version });
  const build = (await import(pathToFileURL(parts.pages ?? server).href)) as ServerBuild;
  const confirmationOrigin = ctx.gateways.payment.confirmationOrigin;
  const counterHosts = config.counter ? [new URL(config.counter.script).origin] : [];
  let isStopping = false;
  let isWarm = false;
  const pictures = openPictures(ctx, config, parts.onCall);
  const inlinePicture = createInlinePictures(pictures);
  const pages = createPages({
    ctx,
    build,
    styleSheet: readStyles(client),
    // The first renders are for no visitor: encoding pictures would delay the start.
    inlinePicture: (address) => (isWarm ? inlinePicture(address) : undefined),
    headers: ({ scriptHashes, styleHashes, hasMap }) =>
      pageHeaders({
        scriptHashes,
        styleHashes,
        paymentOrigin: confirmationOrigin,
        counterHosts,
        mapScriptUrl: hasMap ? ctx.settings.mapScriptUrl : null,
      }),
  });

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
  const fastPath = createFastPath();
  const app = Fastify(serverOptions(httpConfig, {}, fastPath));
  // Makes clients close kept-alive connections to a stopping process, so that the next request opens one to another process.
  app.addHook("onRequest", async (_, reply) => {
    if (isStopping) reply.header("connection", "close");
  });
  registerHttp(app, {
    ctx,
    config: httpConfig,
    demo: demo?.controls,
    metrics,
    renderPage: pages.serve,
    fastPath: { path: fastPath, findPage: pages.findCached },
    isReady: async () => isWarm && !isStopping,
    plugins: [buildFiles(join(client, "assets"), otherAssets), iconsPlugin, (scope) => mediaRoutes(scope, pictures)],
  });
  await app.listen({ port: config.PORT, host: config.HOST });
  const { port } = app.server.address() as AddressInfo;
  const url = urlOf(config.HOST, port);
  if (!config.PUBLIC_URL) ctx.settings.publicUrl = url;
  ctx.settings.accountingUrl = accountingUrl(ctx, config);
  demo?.listenAt(`http://127.0.0.1:${port}`);
  // The first pages of a process take many times as long as later ones: a balancer would send visitors into them.
  const { host } = new URL(ctx.settings.publicUrl);
  // At the same time: one is rendered while another waits for the database, or for the thread that compresses, which starts with the first.
  await Promise.all(firstPages.map((path) => app.inject({ url: path, headers: { host, accept: "text/html" } })));
  isWarm = true;

  // Loaded and opened when visitors are answered already: it has as many calls as the storefront, and its listener reports by itself when
  // it is ready.
  const office = config.STAFF_PORT === null ? null : await openOffice(config.STAFF_PORT);

  async function openOffice(staffPort: number): Promise<Office> {
    const { startOffice } = await import("./office.ts");
    return startOffice({
      ctx,
      config: { ...config, STAFF_PORT: staffPort },
      metrics,
      media: pictures,
      version,
      buildFolder: parts.buildFolder ?? buildFolder,
      sharedAssets,
      isStopping: () => isStopping,
    });
  }

  return {
    url,
    officeUrl: office?.url ?? null,
    async stop() {
      isStopping = true; // `readyz` reports it from here on
      fastPath.close(); // the router sends `connection: close`
      await sleep(Math.min(config.drainSeconds * 1000, shutdownMs.drain));
      app.server.closeIdleConnections(); // idle keep-alive connections would delay the close by a minute
      await Promise.all([shutdownStep("requests", app.close(), ctx.log), office?.stop()]);
      app.server.closeAllConnections();
      await pictures.pictures.close();
    },
  };
}
