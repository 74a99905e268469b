import { STATUS_CODES } from "node:http";
import type { FastifyReply } from "fastify";
import type * as z from "zod";
import { fieldMessages } from "#contract/fields.ts";
import type { ProblemBody } from "#contract/problems.ts";
import { staffProblem, type StaffCode } from "#contract/staff/problems.ts";
import { jsonPolicy, setPrivate } from "./server/headers.ts";
import { htmlPage } from "./plain-html.ts";

/** A refusal in the contract's format. */
export type Problem = { code: StaffCode; fields?: Record<string, string>; data?: unknown; retryAfterSeconds?: number };

/** Thrown by a guard before the handler; handled in one place (`sendFault`). */
export class RequestRefused extends Error {
  readonly problem: Problem;
  constructor(problem: Problem) {
    super(problem.code);
    this.problem = problem;
  }
}

/** The body of a refusal: status, code and Russian message of the contract, with its fields and data. */
export function problemBody(problem: Problem): Omit<ProblemBody, "code"> & { code: StaffCode } {
  const { status, message } = staffProblem(problem.code);
  return {
    statusCode: status,
    statusMessage: STATUS_CODES[status] ?? "",
    code: problem.code,
    message,
    ...(problem.fields ? { fields: problem.fields } : {}),
    ...(problem.data === undefined ? {} : { data: problem.data }),
  };
}

/** Answers a refusal as JSON. */
export const sendProblem = (reply: FastifyReply, problem: Problem): FastifyReply =>
  prepareRefusal(reply, problem).type("application/json; charset=utf-8").send(problemBody(problem));

/** For a page that was refused before rendering: needs no styles or data of the shop. */
export const sendProblemPage = (reply: FastifyReply, problem: Problem): FastifyReply =>
  prepareRefusal(reply, problem).type("text/html; charset=utf-8").send(problemPage(problem));

/** The value of `Retry-After`: whole seconds, at least one. */
export const retryAfterText = (seconds: number): string => String(Math.max(1, Math.ceil(seconds)));

function prepareRefusal(reply: FastifyReply, problem: Problem): FastifyReply {
  if (problem.retryAfterSeconds !== undefined) reply.header("retry-after", retryAfterText(problem.retryAfterSeconds));
  return setPrivate(reply).header("content-security-policy", jsonPolicy).code(staffProblem(problem.code).status);
}

function problemPage({ code }: Problem): string {
  const { status, message } = staffProblem(code);
  return htmlPage(message, `<h1>${status}</h1><p>${message}</p><p><a href="/">Перейти на главную</a></p>`);
}

/** Messages of schema errors by field name: names are unique within a call's body. */
export function fieldErrors(issues: readonly z.core.$ZodIssue[]): Record<string, string> {
  const fields = new Map<string, string>();
  const note = (name: string, message: string) => {
    if (!fields.has(name)) fields.set(name, message);
  };
  for (const issue of issues) {
    if (issue.code === "unrecognized_keys") for (const key of issue.keys) note(key, fieldMessages.unknown);
    else note(issue.path.findLast((part) => typeof part === "string") ?? "body", issue.message);
  }
  return Object.fromEntries(fields);
}

/** The message of schema errors without one. */
export const messageForIssue = (issue: z.core.$ZodRawIssue): string =>
  issue.input === undefined
    ? fieldMessages.required
    : issue.code === "too_big" && typeof issue.input === "string"
      ? fieldMessages.tooLong
      : fieldMessages.wrong;
