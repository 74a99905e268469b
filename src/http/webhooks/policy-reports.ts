import type { FastifyInstance } from "fastify";
import * as z from "zod";
import { maxWebhookBytes } from "../guards/guards.ts";
import { policyReportsPath } from "../server/headers.ts";
import { RequestRefused } from "../problems.ts";
import type { EndpointTools } from "../endpoint.ts";
import { addressOf } from "../request/session.ts";
import { acceptAnyBody } from "./any-body.ts";

/** W3C Reporting API and CSP 3: a list of reports, of which only policy violations are used. */
const reports = z.array(z.unknown()).max(100);
const violation = z.object({
  type: z.literal("csp-violation"),
  body: z.object({ effectiveDirective: z.string().max(40), blockedURL: z.string().max(2_000) }),
});

/**
 * Browsers report violations of the content security policy here. One log line for each kind, with the blocked origin and never with the
 * page's address, which may contain the key of an order. Anyone may post here, so each address has a rate limit.
 */
export function registerPolicyReports(app: FastifyInstance, { ctx, rateLimiter }: Pick<EndpointTools, "ctx" | "rateLimiter">): void {
  app.register(async (scope) => {
    acceptAnyBody(scope);
    scope.post(policyReportsPath, { bodyLimit: maxWebhookBytes, config: { kind: { webhook: true } } }, async (request, reply) => {
      const wait = await rateLimiter.take("write", { visitor: null, address: `policy:${addressOf(request)}` });
      if (wait > 0) throw new RequestRefused({ code: "request.too_many", retryAfterSeconds: wait });
      for (const [reason, source] of violationsIn(request.body))
        ctx.log.warn({ kind: "policy", reason, source }, "a page's policy blocked something");
      return reply.code(204).header("cache-control", "no-store").send();
    });
  });
}

/** The violated directive and the source: `inline`, `eval`, or an origin. */
function violationsIn(body: unknown): [directive: string, blocked: string][] {
  try {
    const found = reports.parse(JSON.parse(String(body))).flatMap((report): [string, string][] => {
      const { data } = violation.safeParse(report);
      return data ? [[data.body.effectiveDirective.replaceAll(/[^a-z-]/g, ""), originOf(data.body.blockedURL)]] : [];
    });
    return [...new Map(found.map((each) => [each.join(" "), each])).values()];
  } catch {
    return []; // not a report of a browser
  }
}

const originOf = (blocked: string): string =>
  /^[a-z-]{1,20}$/.test(blocked) ? blocked : URL.canParse(blocked) ? new URL(blocked).origin : "unknown";
