import type { FastifyReply, FastifyRequest } from "fastify";
import { isDeadline } from "#kit/concurrency/deadline.ts";
import { outageRetrySeconds, type ProblemCode } from "#contract/problems.ts";
import type { Ctx } from "#shop/context.ts";
import { UncleanInput } from "../request/clean.ts";
import { RequestRefused, sendProblem, sendProblemPage, type Problem } from "../problems.ts";

/** Refusals by Fastify itself, with our codes. Others below 500 are malformed requests. */
const byFastify: Record<string, ProblemCode> = {
  FST_ERR_CTP_BODY_TOO_LARGE: "request.too_large",
  FST_ERR_CTP_INVALID_MEDIA_TYPE: "request.bad_type",
  FST_ERR_MAX_PARAM_LENGTH: "request.not_found",
};

/**
 * The one place that turns errors into answers: refusals of guards as they are, unexpected errors as 503. The error is logged; no stack,
 * SQL or path is sent.
 */
export function sendFault(ctx: Ctx, error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  if (error instanceof RequestRefused) return refuse(error.problem, request, reply);
  if (error instanceof UncleanInput) return sendProblem(reply, { code: "request.malformed" });
  const { code, statusCode } = error as { code?: unknown; statusCode?: unknown };
  if (typeof code === "string" && byFastify[code]) return sendProblem(reply, { code: byFastify[code] });
  if (typeof statusCode === "number" && statusCode >= 400 && statusCode < 500) return sendProblem(reply, { code: "request.malformed" });
  const fields = { requestId: request.id, method: request.method, route: request.routeOptions?.url ?? "none" };
  if (isDeadline(error)) ctx.log.warn(fields, "the time of a request was over: the database is slow");
  else ctx.log.error({ ...fields, err: error }, "request failed");
  return refuse({ code: "service.unavailable", retryAfterSeconds: outageRetrySeconds }, request, reply);
}

/**
 * A browser that requested a page gets a page, a program gets JSON. Documents of the back office open in a window of their own, too, and
 * its app requests JSON.
 */
function refuse(problem: Problem, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const kind = request.routeOptions.config.kind;
  return kind && ("page" in kind || "staffCall" in kind) && /text\/html/.test(request.headers.accept ?? "")
    ? sendProblemPage(reply, problem)
    : sendProblem(reply, problem);
}
