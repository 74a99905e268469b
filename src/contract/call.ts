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
};

/** Declares a call and keeps its exact types for the handler. */
export const call = <const C extends Call>(entry: C): C => entry;
