import type * as z from "zod";
import type { StaffCall } from "#contract/staff/call.ts";
import type { StaffCode } from "#contract/staff/problems.ts";
import type { Result } from "#kit/result.ts";
import type { AuditEvent } from "#shop/audit/audit.ts";
import type { Ctx } from "#shop/context.ts";
import type { Grant, Permission, Role } from "#shop/staff/role.ts";

/** Who calls. */
export type StaffMember = { id: number; login: string; name: string; roles: readonly Role[] };

/** A file as an answer. */
export type StaffFile = { type: string; name: string; bytes: Buffer };

type Parsed<S> = S extends z.ZodType ? z.output<S> : undefined;
type Answer<C extends StaffCall> = C["answer"] extends z.ZodType ? z.input<C["answer"]> : StaffFile;

/** A refusal of a staff call: `data` is in the contract's format, `fields` has a Russian message for each wrong field. */
export type StaffRefusal = { code: StaffCode; data?: unknown; fields?: Record<string, string> };

/** The request as its schemas left it, and who sent it. */
export type StaffInput<C extends StaffCall> = {
  params: Parsed<C["params"]>;
  query: Parsed<C["query"]>;
  body: Parsed<C["body"]>;
  staff: StaffMember;
  /** Whether the roles of the caller give a permission, for answers that leave out what the caller may not see. */
  may: (permission: Permission) => Grant | null;
};

/** A call that only reads. */
type Read<C extends StaffCall> = (ctx: Ctx, input: StaffInput<C>) => Promise<Result<Answer<C>, StaffRefusal>>;

/**
 * A call that changes something. The endpoint opens one transaction around `change` and hands it over as `ctx.db`: services that open
 * their own run inside it. The same transaction holds the audit entry and the answer stored under the `Idempotency-Key`, so a repeated
 * call returns the first answer. `audit` must be called for each success; a refusal rolls everything back.
 */
type Change<C extends StaffCall, P> = {
  /** Runs before the transaction, for calls to providers. What it returns goes to `change`. */
  prepare?: (ctx: Ctx, input: StaffInput<C>) => Promise<P>;
  /** Why a second person must approve this call, as a Russian sentence; null: not needed. Grants of `asks` always need approval. */
  approval?: (ctx: Ctx, input: StaffInput<C>) => Promise<string | null>;
  change: (
    ctx: Ctx,
    input: StaffInput<C> & { audit: (event: AuditEvent) => void },
    prepared: P,
  ) => Promise<Result<Answer<C>, StaffRefusal>>;
};

type Handler<C extends StaffCall> = C extends { method: "GET" } ? Read<C> : Change<C, never>;

/** A staff call and its handler. */
export type StaffEndpoint = { call: StaffCall; handler: Read<StaffCall> | Change<StaffCall, unknown> };

/** Joins a reading call of the contract with its handler. */
export const staffRead = <const C extends StaffCall & { method: "GET" }>(call: C, handler: Handler<C>): StaffEndpoint =>
  ({ call, handler }) as unknown as StaffEndpoint;

/** Joins a changing call of the contract with its handler. */
export const staffChange = <const C extends StaffCall & { audit: string }, P = undefined>(call: C, handler: Change<C, P>): StaffEndpoint =>
  ({ call, handler }) as unknown as StaffEndpoint;
