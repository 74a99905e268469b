import type { AddressInfo } from "node:net";
import Fastify from "fastify";
import { setPrivate } from "#http/server/headers.ts";
import { registerProbes } from "#http/server/probes.ts";
import type { HttpMetrics } from "#http/server/metrics.ts";
import type { Ctx } from "#shop/context.ts";
import type { Config } from "./config.ts";
import { buildVersion } from "./pages/build-folder.ts";
import { shutdownStep } from "./process/shutdown.ts";

/** What a process listens on. `stop` ends open requests in order. */
export type Listening = { url: string; officeUrl: string | null; stop(): Promise<void> };

/** The address under which this machine reaches a listener. */
export const urlOf = (host: string, port: number): string =>
  `http://${["127.0.0.1", "0.0.0.0", "::"].includes(host) ? "localhost" : host}:${port}`;

/**
 * Opens the listener of a process without pages, one that only works or only has the back office: `/healthz`, `/readyz`, `/metrics`, and
 * `/api/build`, with which `deploy/update` checks the running version.
 */
export async function startProbes({ ctx, config, metrics }: { ctx: Ctx; config: Config; metrics: HttpMetrics }): Promise<Listening> {
  const app = Fastify();
  let isStopping = false;
  registerProbes(app, {
    ctx,
    config: { trustProxy: config.TRUST_PROXY, metricsToken: config.METRICS_TOKEN },
    metrics,
    isReady: async () => !isStopping,
  });
  app.get("/api/build", async (_, reply) => setPrivate(reply).send({ data: { version: buildVersion(), pages: false } }));
  await app.listen({ port: config.PORT, host: config.HOST });
  const { port } = app.server.address() as AddressInfo;
  return {
    url: urlOf(config.HOST, port),
    officeUrl: null,
    async stop() {
      isStopping = true;
      app.server.closeIdleConnections();
      await shutdownStep("requests", app.close(), ctx.log);
      app.server.closeAllConnections();
    },
  };
}
