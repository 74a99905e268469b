import type { FastifyInstance } from "fastify";
import type { Ctx } from "#shop/context.ts";
import type { HttpConfig } from "../config.ts";
import { hasToken, isLoopbackHost, isLoopbackRequest } from "../guards/loopback.ts";
import { sendProblem } from "../problems.ts";
import { setPrivate } from "./headers.ts";
import { registerHealth } from "./health.ts";
import type { HttpMetrics } from "./metrics.ts";

type ProbeConfig = Pick<HttpConfig, "trustProxy" | "metricsToken">;

/** `/healthz`, `/readyz` and `/metrics`, under any `Host`; without the token figures are for this machine under a name of its own. */
export function registerProbes(
  app: FastifyInstance,
  { ctx, config, metrics, isReady }: { ctx: Ctx; config: ProbeConfig; metrics: HttpMetrics; isReady: () => Promise<boolean> },
): void {
  registerHealth(app, ctx, isReady);
  app.get("/metrics", { exposeHeadRoute: true, config: { kind: { probe: true } } }, async (request, reply) => {
    // Behind a proxy on this machine every visitor has a loopback socket, whatever headers the proxy adds.
    const isOpen = config.trustProxy.length === 0 && isLoopbackRequest(request) && isLoopbackHost(request.headers.host);
    if (!isOpen && !hasToken(request, config.metricsToken)) return sendProblem(reply, { code: "request.not_found" });
    return setPrivate(reply)
      .type(metrics.registry.contentType)
      .send(await metrics.text());
  });
}
