import type { FastifyInstance } from "fastify";
import * as alerts from "#shop/alerts/service.ts";
import type { Ctx } from "#shop/context.ts";
import * as newsletter from "#shop/newsletter/service.ts";
import { maxWebhookBytes } from "../guards/guards.ts";
import { jsonPolicy } from "../server/headers.ts";
import { sendProblem } from "../problems.ts";
import { acceptAnyBody } from "./any-body.ts";

/**
 * The button «Отписаться» of mail programs (RFC 8058): they post to the address of `List-Unsubscribe`, from anywhere and without cookies.
 * The token is the only authorisation; the body is not read.
 */
export function registerUnsubscribe(app: FastifyInstance, ctx: Ctx): void {
  app.register(async (scope) => {
    acceptAnyBody(scope);
    scope.post<{ Params: { token: string } }>(
      "/api/alerts/unsubscribe/:token",
      { bodyLimit: maxWebhookBytes, config: { kind: { webhook: true } } },
      async (request, reply) => {
        const ended = await alerts.end(ctx, request.params.token);
        if (!ended.ok) return sendProblem(reply, ended.error);
        return reply.header("cache-control", "no-store").header("content-security-policy", jsonPolicy).send({ data: true });
      },
    );
    // A person opens the same address as a page (storefront/alerts/newsletter-page.tsx), whose button posts here like the mail program.
    scope.post<{ Params: { token: string } }>(
      "/newsletter/:token",
      { bodyLimit: maxWebhookBytes, config: { kind: { webhook: true } } },
      async (request, reply) => {
        const { token } = request.params;
        const ended = await newsletter.unsubscribe(ctx, token);
        reply.header("cache-control", "no-store");
        if ((request.headers.accept ?? "").includes("text/html")) return reply.redirect(`/newsletter/${encodeURIComponent(token)}`, 303);
        if (!ended.ok) return sendProblem(reply, ended.error);
        return reply.header("content-security-policy", jsonPolicy).send({ data: true });
      },
    );
  });
}
