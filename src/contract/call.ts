import type * as z from "zod";
import type { ProblemCode } from "./problems.ts";

/** Which rate limit a call or a page counts against besides the common one; the numbers are settings (`searchesPerMinute` …). */
export type RateLimitName = "request" | "page" | "write" | "search" | "quote" | "order" | "promo";

/**
 * One call of the API: its request, its answer and its refusals. The same entry checks the request, cuts the answer to its listed fields
 * and generates `/api/openapi.json`.
 */
export type Call = {
  method: "GET" | "POST" | "PATCH" | "DELETE";
  /** Parameters in braces: `/api/cart/{id}`. */
  path: `/${string}`;
  summary: string;
  /** State changes are checked against forged requests. */
  changes: boolean;
  /** `anybody`: the answer is the same for all · `visitor`: it depends on the browser or customer · `customer`: 401 without sign-in. */
  asker: "anybody" | "visitor" | "customer";
  rateLimit: RateLimitName;
  /** A change that also accepts GET, for compatibility; the guards treat these separately. */
  isLegacyGet?: boolean;
  params?: z.ZodType;
  /** Refusal for a malformed id in the path: the same as for an unknown id. */
  badParams?: ProblemCode;
  query?: z.ZodType;
  /** Absent: the call takes no body. */
  body?: z.ZodType;
  /** The body may be omitted when all of its fields are optional. */
  isBodyOptional?: boolean;
  /** Refusals of single fields that have their own code. */
  fieldCodes?: Readonly<Record<string, ProblemCode>>;
  /** The call needs the header `Idempotency-Key`. */
  needsKey?: boolean;
  /** The content of a success. It is sent under `data`, except where the OpenAPI description shows a bare body. */
  answer: z.ZodType;
  isBare?: boolean;
  /** The answer is a file of any size, which may take longer than `requestDeadlineMs`. */
  isDownload?: boolean;
  /** Success statuses, the usual one first. */
  statuses?: readonly number[];
  problems: readonly ProblemCode[];
  /** The `data` of a refusal, for the codes of `problems` that have any. */
  refusalData?: Readonly<Partial<Record<ProblemCode, z.ZodType>>>;
};

/** Refusals of any call before its handler runs. */
const anyCallProblems = [
  "request.malformed",
  "request.too_many",
  "request.unknown_host",
  "request.uri_too_long",
  "request.headers_too_large",
  "request.too_large",
  "service.unavailable",
] as const satisfies readonly ProblemCode[];
/** Refusals of requests that change something or bring a body or a query. */
const changeProblems = ["request.forged", "request.duplicate_cookies"] as const satisfies readonly ProblemCode[];
const bodyProblems = ["request.forged", "request.bad_type", "request.invalid"] as const satisfies readonly ProblemCode[];

/** The refusals by guards and schemas that a call shares with others of its kind; its own are in `problems`. */
export const commonProblems = (call: Call): ProblemCode[] => [
  ...anyCallProblems,
  ...(call.badParams ? [call.badParams] : []),
  ...(call.changes ? changeProblems : []),
  ...(call.method === "GET" ? [] : bodyProblems),
  ...(call.query ? ["request.invalid" as const] : []),
  ...(call.asker === "customer" ? ["auth.required" as const] : []),
  ...(call.needsKey ? ["order.key_missing" as const] : []),
];

/** The same as a type: every code that a call may refuse with. */
export type CodeOf<C extends Call> =
  | C["problems"][number]
  | (typeof anyCallProblems)[number]
  | (C["changes"] extends false ? never : (typeof changeProblems)[number])
  | (C["method"] extends "GET" ? never : (typeof bodyProblems)[number])
  | (C extends { query: z.ZodType } ? "request.invalid" : never)
  | (C extends { badParams: infer Code extends ProblemCode } ? Code : never)
  | (C["asker"] extends "customer" ? "auth.required" : never)
  | (C extends { needsKey: true } ? "order.key_missing" : never);

/** The `data` of a refusal with this code. */
export type RefusalDataOf<C extends Call, Code> = C extends { refusalData: infer Schemas }
  ? Code extends keyof Schemas
    ? Schemas[Code] extends z.ZodType<infer Data>
      ? Data
      : undefined
    : undefined
  : undefined;

/** Declares a call and keeps its exact types for the handler. */
export const call = <const C extends Call>(entry: C): C => entry;
