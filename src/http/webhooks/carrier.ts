import type { FastifyInstance } from "fastify";
import type { Ctx } from "#shop/context.ts";
import * as shipping from "#shop/delivery/shipping.service.ts";
import { maxWebhookBytes } from "../guards/guards.ts";
import { jsonPolicy } from "../server/headers.ts";
import type { HttpMetrics } from "../server/metrics.ts";
import { sendProblem } from "../problems.ts";
import { acceptAnyBody } from "./any-body.ts";

/**
 * Webhooks of the carrier. They are not signed: the last part of the address is a secret, and requests without it get 404. They are stored,
 * answered with 200, and only trigger a status request to the carrier.
 */
export function registerCarrierWebhook(app: FastifyInstance, { ctx, metrics }: { ctx: Ctx; metrics: HttpMetrics }): void {
  const asCarrier: Ctx = { ...ctx, actor: { kind: "provider", name: "cdek" } };
  app.register(async (scope) => {
    acceptAnyBody(scope);
    scope.post<{ Params: { secret: string } }>(
      "/api/delivery/cdek/webhook/:secret",
      { bodyLimit: maxWebhookBytes, config: { kind: { webhook: true } } },
      async (request, reply) => {
        if (!shipping.isWebhookSecret(ctx, request.params.secret)) return sendProblem(reply, { code: "request.not_found" });
        const outcome = await shipping.receiveWebhook(asCarrier, typeof request.body === "string" ? request.body : "");
        metrics.webhookReceived("cdek", outcome);
        return reply.header("cache-control", "no-store").header("content-security-policy", jsonPolicy).send({ data: true });
      },
    );
  });
}
