import type * as z from "zod";
import type { Permission } from "#shop/staff/role.ts";
import type { StaffCode } from "./problems.ts";

/** What an audit entry calls an action, `order.refund`. */
export type AuditAction = `${string}.${string}`;

/** An answer that is a file (PDF, CSV, XLSX) and not JSON. */
export const file = "file";

/**
 * One call of the back office under `/api/staff/`. `permission` and `audit` must be declared: the endpoint refuses callers without the
 * permission and writes the audit entry in the transaction of the change. A call that only reads has no audit entry; opening personal data
 * is therefore a POST. `isRead`: a POST that reads, because its input does not fit into an address.
 */
export type StaffCall = {
  /** Parameters in braces: `/api/staff/orders/{id}`. */
  path: `/api/staff/${string}`;
  summary: string;
  /** `signed_in`: every member of staff · `public`: without a session, for sign-in and invitations. */
  permission: Permission | "signed_in" | "public";
  params?: z.ZodType;
  query?: z.ZodType;
  /** Absent: the call takes no body. */
  body?: z.ZodType;
  /** For uploads; the default is that of all calls. */
  maxBodyBytes?: number;
  /** The body is the bytes of a file, `application/octet-stream`, and not JSON. */
  isBinary?: boolean;
  /** Requires the second factor like a grant of `again`, for calls that every member of staff may make. */
  needsStepUp?: boolean;
  /** The answer, or the body, holds a secret: under the `Idempotency-Key` the answer is stored encrypted, and the body's hash signed. */
  isSecret?: boolean;
  /** The content of a success, under `data`; `file`: the bytes of a file. */
  answer: z.ZodType | typeof file;
  /** Refusals besides those that every staff call can have. */
  problems: readonly StaffCode[];
  /** What a refusal brings under `data`, for the codes that bring anything. */
  refusalData?: Readonly<Partial<Record<StaffCode, z.ZodType>>>;
} & (
  | { method: "GET"; audit: null }
  | { method: "POST"; isRead: true; audit: null }
  | { method: "POST" | "PATCH" | "DELETE"; audit: AuditAction }
);

/** Declares a staff call and keeps its exact types for the handler and the client. */
export const staffCall = <const C extends StaffCall>(entry: C): C => entry;
