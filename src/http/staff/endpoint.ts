import type * as z from "zod";
import type { StaffCall } from "#contract/staff/call.ts";
import type { StaffCode } from "#contract/staff/problems.ts";
import type { Result } from "#kit/result.ts";
import type { AuditEvent, Origin } from "#shop/audit/audit.ts";
import type { Ctx } from "#shop/context.ts";
import type { ShownChange } from "#shop/staff/approvals/approval.ts";
import type { Grant, Permission } from "#shop/staff/role.ts";
import type { StaffMember, StaffSession } from "#shop/staff/staff.ts";

/** A file as an answer. */
export type StaffFile = {
  type: string;
  name: string;
  /** In parts: read after the transaction, while they are sent. */
  bytes: Buffer | AsyncIterable<Buffer>;
  /** The browser shows it instead of saving it. */
  isInline?: boolean;
};

type Parsed<S> = S extends z.ZodType ? z.output<S> : undefined;
type Answer<C extends StaffCall> = C["answer"] extends z.ZodType ? z.input<C["answer"]> : StaffFile;
type IfPublic<C extends StaffCall, Yes, No> = C["permission"] extends "public" ? Yes : No;

/** A refusal of a staff call: `data` is in the contract's format, `fields` has a Russian message for each wrong field. */
export type StaffRefusal = { code: StaffCode; data?: unknown; fields?: Record<string, string>; retryAfterSeconds?: number };

/** The request as its schemas left it, and who sent it. */
export type StaffInput<C extends StaffCall> = {
  params: Parsed<C["params"]>;
  query: Parsed<C["query"]>;
  body: Parsed<C["body"]>;
  /** Who calls; null for calls that are public. */
  staff: IfPublic<C, null, StaffMember>;
  session: IfPublic<C, null, StaffSession>;
  /** Whether the roles of the caller give a permission, for answers that leave out what the caller may not see. */
  may: (permission: Permission) => Grant | null;
  origin: Origin;
  /** Of a public call: the session that the browser has already; a sign-in replaces it. Null: none, or no public call. */
  replacedSid: string | null;
  /** The request comes from this machine and through no proxy. */
  isLocal: boolean;
  /** The address of the back office, `https://office.chekan.ru`. */
  officeUrl: string;
};

/** What a change is handed besides: each can be called in the transaction only. */
type ChangeTools<C extends StaffCall> = {
  /** Must be called once for each success. A public call names the member of staff itself; null: an unknown visitor. */
  audit: (event: AuditEvent & IfPublic<C, { login: string | null }, unknown>) => void;
  /** The session cookie of the answer; null deletes it. */
  setSession: (sid: string | null) => void;
  /** The call was approved, and its `basis` is that of the request: other changes of the record since then are no reason to refuse. */
  isOnSameBasis: boolean;
};

/** A call that only reads. */
type Read<C extends StaffCall> = (ctx: Ctx, input: StaffInput<C>) => Promise<Result<Answer<C>, StaffRefusal>>;

/**
 * A call that changes something. The endpoint opens one transaction around `change` and hands it over as `ctx.db`: services that open
 * their own run inside it. The same transaction holds the audit entry and the answer stored under the `Idempotency-Key`, so a repeated
 * call returns the first answer. `audit` must be called for each success; a refusal rolls everything back. A file is not stored: a
 * repeated call makes it again.
 */
type Change<C extends StaffCall, P> = {
  /**
   * Runs before the transaction, for calls to providers. What it returns goes to `change`. Two equal calls at once may both run it.
   * An approved call runs it again.
   */
  prepare?: (ctx: Ctx, input: StaffInput<C>) => Promise<P>;
  /**
   * Refuses input that could not be applied now, before a second person has to approve it. Runs in the transaction; `change` must
   * check again, because an approved call runs later.
   */
  check?: (ctx: Ctx, input: StaffInput<C>) => Promise<Result<unknown, StaffRefusal>>;
  /**
   * Why a second person must approve this call, as a Russian sentence; null: not needed. Grants of `asks` always need approval.
   * Runs in the transaction, one call of a member of staff at a time, so that it can count what the member did today.
   */
  approval?: (ctx: Ctx, input: StaffInput<C>) => Promise<string | null>;
  /** The permission that the second person needs; absent: the one of the call. */
  approver?: Permission;
  /** What the call would change, stored with the approval that it needs, so that the second person sees before and after. */
  shown?: (ctx: Ctx, input: StaffInput<C>) => Promise<ShownChange | null>;
  /**
   * The facts beside the input to which an approval of this call is bound, as JSON: their hash is stored with `shown`. They are read again
   * in the transaction of the approved call, which is refused with `approval.outdated` if they differ. Locks what it reads.
   */
  basis?: (ctx: Ctx, input: StaffInput<C>) => Promise<unknown>;
  change: (ctx: Ctx, input: StaffInput<C> & ChangeTools<C>, prepared: P) => Promise<Result<Answer<C>, StaffRefusal>>;
};

type Handler<C extends StaffCall> = C extends { audit: null } ? Read<C> : Change<C, never>;

/** A call that changes something, as the execution sees it, whatever its types. */
export type StaffChange = Change<StaffCall, unknown>;
/** A staff call and its handler. */
export type StaffEndpoint = { call: StaffCall; handler: Read<StaffCall> | StaffChange };

/** Joins a reading call of the contract with its handler. */
export const staffRead = <const C extends StaffCall & { audit: null }>(call: C, handler: Handler<C>): StaffEndpoint =>
  ({ call, handler }) as unknown as StaffEndpoint;

/** Joins a changing call of the contract with its handler. */
export const staffChange = <const C extends StaffCall & { audit: string }, P = undefined>(call: C, handler: Change<C, P>): StaffEndpoint =>
  ({ call, handler }) as unknown as StaffEndpoint;

/** How approvals and logs name a call. */
export const nameOf = ({ method, path }: StaffCall): string => `${method} ${path}`;
