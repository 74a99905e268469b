import type { FastifyInstance } from "fastify";
import type { Ctx } from "#shop/context.ts";
import * as payment from "#shop/payment/service.ts";
import { addressList } from "../request/addresses.ts";
import { maxWebhookBytes } from "../guards/guards.ts";
import { jsonPolicy } from "../server/headers.ts";
import type { HttpMetrics } from "../server/metrics.ts";
import { plainAddress } from "../request/addresses.ts";
import { acceptAnyBody } from "./any-body.ts";

/**
 * Notifications of payment providers: stored and answered with 200, not trusted. Unknown payments get the same answer and are dropped. If
 * storing fails, the answer is 503, so that the provider repeats. Any content type is accepted: the adapter parses the body. `senders`:
 * allowed networks as a second check; empty: any.
 */
export function registerPaymentWebhooks(
  app: FastifyInstance,
  { ctx, metrics, senders }: { ctx: Ctx; metrics: HttpMetrics; senders: readonly string[] },
): void {
  const isSender = addressList(senders);
  const asProvider: Ctx = { ...ctx, actor: { kind: "provider", name: ctx.gateways.payment.provider } };
  app.register(async (scope) => {
    acceptAnyBody(scope);
    scope.post<{ Params: { provider: string } }>(
      "/api/payments/:provider/webhook",
      { bodyLimit: maxWebhookBytes, config: { kind: { webhook: true } } },
      async (request, reply) => {
        const isForeign = senders.length > 0 && !isSender(plainAddress(request.ip));
        const raw = typeof request.body === "string" ? request.body : "";
        const outcome = isForeign ? "foreign" : await payment.receiveWebhook(asProvider, request.params.provider, raw);
        metrics.webhookReceived(ctx.gateways.payment.provider, outcome);
        return reply.header("cache-control", "no-store").header("content-security-policy", jsonPolicy).send({ data: true });
      },
    );
  });
}
