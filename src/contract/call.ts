import type * as z from "zod";
import type { ProblemCode } from "./problems.ts";

/** Which allowance a call draws on besides the common one; the numbers are settings (`searchesPerMinute` …). */
export type Allowance = "request" | "write" | "search" | "quote" | "order";

/**
 * One call of API.md: what may be asked, what is answered, how it may be refused.
 * The same entry checks the request, cuts the answer to its listed fields and prints `/api/openapi.json`.
 */
export type Call = {
  method: "GET" | "POST" | "PATCH" | "DELETE";
  /** Parameters in braces: `/api/cart/{id}`. */
  path: `/${string}`;
  summary: string;
  /** State changes are guarded against forged requests. */
  changes: boolean;
  /** `anybody`: the answer does not depend on who asks · `visitor`: on the browser or customer · `customer`: 401 without sign-in. */
  asker: "anybody" | "visitor" | "customer";
  allowance: Allowance;
  /** A change that also answers GET, for compatibility; the guard knows these. */
  isLegacyGet?: boolean;
  params?: z.ZodType;
  /** Refusal for a path parameter that cannot be an id at all: the same as for an unknown one. */
  badParams?: ProblemCode;
  query?: z.ZodType;
  /** Absent: the call takes no body. */
  body?: z.ZodType;
  /** A body of optional fields only may be left out altogether. */
  isBodyOptional?: boolean;
  /** Refusals of single fields that have a code of their own. */
  fieldCodes?: Readonly<Record<string, ProblemCode>>;
  /** The call needs the header `Idempotency-Key`. */
  needsKey?: boolean;
  /** The content of a success. It travels under `data`, except where SPEC.md shows a bare body. */
  answer: z.ZodType;
  isBare?: boolean;
  /** Success statuses, the usual one first. */
  statuses?: readonly number[];
  problems: readonly ProblemCode[];
  /** What a refusal brings under `data`, for the codes of `problems` that bring anything. */
  refusalData?: Readonly<Partial<Record<ProblemCode, z.ZodType>>>;
};

/** Refusals that any call may meet before its handler runs. */
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

/** The refusals of the edge that a call shares with others of its kind; the call's own are in `problems`. */
export const commonProblems = (call: Call): ProblemCode[] => [
  ...anyCallProblems,
  ...(call.badParams ? [call.badParams] : []),
  ...(call.changes ? changeProblems : []),
  ...(call.method === "GET" ? [] : bodyProblems),
  ...(call.query ? ["request.invalid" as const] : []),
  ...(call.asker === "customer" ? ["auth.required" as const] : []),
  ...(call.needsKey ? ["order.key_missing" as const] : []),
];

/** The same as a type: every code that a call may be refused with. */
export type CodeOf<C extends Call> =
  | C["problems"][number]
  | (typeof anyCallProblems)[number]
  | (C["changes"] extends false ? never : (typeof changeProblems)[number])
  | (C["method"] extends "GET" ? never : (typeof bodyProblems)[number])
  | (C extends { query: z.ZodType } ? "request.invalid" : never)
  | (C extends { badParams: infer Code extends ProblemCode } ? Code : never)
  | (C["asker"] extends "customer" ? "auth.required" : never)
  | (C extends { needsKey: true } ? "order.key_missing" : never);

/** What a refusal with this code brings under `data`. */
export type RefusalDataOf<C extends Call, Code> = C extends { refusalData: infer Schemas }
  ? Code extends keyof Schemas
    ? Schemas[Code] extends z.ZodType<infer Data>
      ? Data
      : undefined
    : undefined
  : undefined;

/** Declares a call and keeps its exact types for the handler. */
export const call = <const C extends Call>(entry: C): C => entry;
