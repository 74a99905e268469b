import type { FastifyInstance } from "fastify";
import * as alerts from "#shop/alerts/service.ts";
import type { Ctx } from "#shop/context.ts";
import * as newsletter from "#shop/newsletter/service.ts";
import { longestWebhook } from "../gates.ts";
import { jsonPolicy } from "../headers.ts";
import { sendProblem } from "../problems.ts";
import { takeAnyBody } from "./any-body.ts";

/**
 * The button «Отписаться» of mail programs (RFC 8058): they post here, from anywhere and without cookies, what the letter's
 * `List-Unsubscribe` names. The token is the whole right to do so; what stands in the body is not read.
 */
export function registerUnsubscribe(app: FastifyInstance, ctx: Ctx): void {
  app.register(async (scope) => {
    takeAnyBody(scope);
    scope.post<{ Params: { token: string } }>(
      "/api/alerts/unsubscribe/:token",
      { bodyLimit: longestWebhook, config: { kind: { webhook: true } } },
      async (request, reply) => {
        const ended = await alerts.end(ctx, request.params.token);
        if (!ended.ok) return sendProblem(reply, ended.error);
        return reply.header("cache-control", "no-store").header("content-security-policy", jsonPolicy).send({ data: true });
      },
    );
    // One address for both: a person opens it as a page (storefront/alerts/newsletter-page.tsx), whose button posts here like the mail program.
    scope.post<{ Params: { token: string } }>(
      "/newsletter/:token",
      { bodyLimit: longestWebhook, config: { kind: { webhook: true } } },
      async (request, reply) => {
        const { token } = request.params;
        const ended = await newsletter.takeBack(ctx, token);
        reply.header("cache-control", "no-store");
        if ((request.headers.accept ?? "").includes("text/html")) return reply.redirect(`/newsletter/${encodeURIComponent(token)}`, 303);
        if (!ended.ok) return sendProblem(reply, ended.error);
        return reply.header("content-security-policy", jsonPolicy).send({ data: true });
      },
    );
  });
}
