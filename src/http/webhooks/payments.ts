import type { FastifyInstance } from "fastify";
import type { Ctx } from "#shop/context.ts";
import * as payment from "#shop/payment/service.ts";
import { addressList } from "../addresses.ts";
import { longestWebhook } from "../gates.ts";
import { jsonPolicy } from "../headers.ts";
import type { HttpMetrics } from "../metrics.ts";
import { plainAddress } from "../addresses.ts";
import { takeAnyBody } from "./any-body.ts";

/**
 * Notifications of payment providers: stored, answered 200, believed by nobody. What is not one of ours is dropped with the same
 * answer; only when storing fails does the provider hear 503 and repeat. Takes any content type: the body is read by its port.
 * `senders`: networks they come from, as a second fence; empty: anywhere.
 */
export function registerPaymentWebhooks(
  app: FastifyInstance,
  { ctx, metrics, senders }: { ctx: Ctx; metrics: HttpMetrics; senders: readonly string[] },
): void {
  const isSender = addressList(senders);
  const asProvider: Ctx = { ...ctx, actor: { kind: "provider", name: ctx.gateways.payment.provider } };
  app.register(async (scope) => {
    takeAnyBody(scope);
    scope.post<{ Params: { provider: string } }>(
      "/api/payments/:provider/webhook",
      { bodyLimit: longestWebhook, config: { kind: { webhook: true } } },
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
