import type { FastifyInstance } from "fastify";
import * as z from "zod";
import { longestWebhook } from "../gates.ts";
import { policyReportsPath } from "../headers.ts";
import { Refused } from "../problems.ts";
import type { EndpointTools } from "../endpoint.ts";
import { addressOf } from "../session.ts";
import { takeAnyBody } from "./any-body.ts";

/** W3C Reporting API and CSP 3: a list of reports, of which only violations of the policy are ours. */
const reports = z.array(z.unknown()).max(100);
const violation = z.object({
  type: z.literal("csp-violation"),
  body: z.object({ effectiveDirective: z.string().max(40), blockedURL: z.string().max(2_000) }),
});

/**
 * Browsers tell here what the policy of a page kept them from. One line in the log for each kind of breach, with the origin that was blocked
 * and never with the page's address, which may hold the key of an order. Anybody may post here, so each address has its allowance.
 */
export function registerPolicyReports(app: FastifyInstance, { ctx, allowances }: EndpointTools): void {
  app.register(async (scope) => {
    takeAnyBody(scope);
    scope.post(policyReportsPath, { bodyLimit: longestWebhook, config: { kind: { webhook: true } } }, async (request, reply) => {
      const wait = allowances.take("write", { visitor: null, address: `policy:${addressOf(request)}` });
      if (wait > 0) throw new Refused({ code: "request.too_many", retryAfterSeconds: wait });
      for (const [reason, source] of breaches(request.body))
        ctx.log.warn({ kind: "policy", reason, source }, "a page's policy held something back");
      return reply.code(204).header("cache-control", "no-store").send();
    });
  });
}

/** What was breached, and by whom: `inline`, `eval`, or an origin. */
function breaches(body: unknown): [directive: string, blocked: string][] {
  try {
    const found = reports.parse(JSON.parse(String(body))).flatMap((report): [string, string][] => {
      const { data } = violation.safeParse(report);
      return data ? [[data.body.effectiveDirective.replaceAll(/[^a-z-]/g, ""), originOf(data.body.blockedURL)]] : [];
    });
    return [...new Map(found.map((each) => [each.join(" "), each])).values()];
  } catch {
    return []; // no report that a browser would send
  }
}

const originOf = (blocked: string): string =>
  /^[a-z-]{1,20}$/.test(blocked) ? blocked : URL.canParse(blocked) ? new URL(blocked).origin : "unknown";
