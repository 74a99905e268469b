import type { FastifyReply, FastifyRequest } from "fastify";
import type { Ctx } from "#shop/context.ts";
import type { HttpMetrics } from "./metrics.ts";

/** Counts an answered request in the metrics and writes one line about it. Routes are named by their pattern, never by the address. */
export function recordRequest(
  { log }: Pick<Ctx, "log">,
  metrics: HttpMetrics,
  surface: "shop" | "office",
  request: FastifyRequest,
  reply: FastifyReply,
): void {
  const route = request.routeOptions.url ?? "none";
  metrics.requestDone({ surface, method: request.method, route, status: reply.statusCode, seconds: reply.elapsedTime / 1000 });
  log.info(
    {
      requestId: request.id,
      method: request.method,
      route,
      status: reply.statusCode,
      milliseconds: Math.round(reply.elapsedTime),
      visitor: request.mark,
    },
    surface === "office" ? "office request" : "request",
  );
}
