import type { FastifyInstance } from "fastify";
import * as payment from "#shop/payment/service.ts";
import type { Ctx } from "#shop/context.ts";
import { longestWebhook } from "../gates.ts";
import type { HttpMetrics } from "../metrics.ts";
import { jsonPolicy } from "../headers.ts";

/**
 * Notifications of payment providers: stored, answered 200, believed by nobody. What is not one of ours is dropped with the same
 * answer; only when storing fails does the provider hear 503 and repeat. Takes any content type: the body is read by its port.
 */
export function registerPaymentWebhooks(app: FastifyInstance, ctx: Ctx, metrics: HttpMetrics): void {
  app.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser("*", { parseAs: "string", bodyLimit: longestWebhook }, (_, body, done) => done(null, body));
    scope.post<{ Params: { provider: string } }>(
      "/api/payments/:provider/webhook",
      { bodyLimit: longestWebhook, config: { kind: { webhook: true } } },
      async (request, reply) => {
        const raw = typeof request.body === "string" ? request.body : "";
        const outcome = await payment.receiveWebhook(ctx, request.params.provider, raw);
        metrics.webhookReceived(ctx.gateways.payment.provider, outcome);
        return reply.header("cache-control", "no-store").header("content-security-policy", jsonPolicy).send({ data: true });
      },
    );
  });
}
