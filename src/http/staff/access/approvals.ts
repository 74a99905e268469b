import type * as z from "zod";
import * as contract from "#contract/staff/access/approvals.ts";
import { staffProblem } from "#contract/staff/problems.ts";
import { isoMoscow } from "#kit/moscow-time.ts";
import { inTransaction } from "#kit/db.ts";
import { done, fail, type Result } from "#kit/result.ts";
import type { Origin } from "#shop/audit/audit.ts";
import * as auditing from "#shop/audit/service.ts";
import type { Ctx } from "#shop/context.ts";
import * as orders from "#shop/orders/service.ts";
import { isUnsuccessful, memberConcerned, type Approval } from "#shop/staff/approvals/approval.ts";
import * as approvals from "#shop/staff/approvals/service.ts";
import { sealed, unsealed } from "#shop/staff/calls/service.ts";
import { enabledMembers } from "#shop/staff/people/colleagues.service.ts";
import { grantOf, permissions, type Grant, type Permission } from "#shop/staff/role.ts";
import { findMember, verifiedUntil } from "#shop/staff/sign-in/sessions.service.ts";
import type { StaffMember, StaffSession } from "#shop/staff/staff.ts";
import { viewPage } from "../cursor.ts";
import { nameOf, staffChange, staffRead, type StaffChange, type StaffEndpoint, type StaffRefusal } from "../endpoint.ts";
import { applyApproved, approvalHash, isGranted, parseInput, refusedAsResult, type RawInput } from "../execute.ts";
import { isoOrNull } from "../views.ts";

const pageSize = 50;

type View = z.input<(typeof contract.approve)["answer"]>;
type Decider = { staff: StaffMember; may: (permission: Permission) => Grant | null };

/** The grant with which a member of staff decides about calls of a permission; null: none, or one whose own calls need an approval. */
const mayDecide = (permission: string, { may }: Pick<Decider, "may">): Grant | null => {
  const grant = permissions.some((each) => each === permission) ? may(permission as Permission) : null;
  return grant === "asks" ? null : grant;
};
const decidable = (decider: Pick<Decider, "may">): Permission[] =>
  permissions.filter((permission) => mayDecide(permission, decider) !== null);

/** A bank account by its last four digits. */
const withMaskedAccount = (fields: Readonly<Record<string, unknown>>): Record<string, unknown> =>
  typeof fields.account === "string" ? { ...fields, account: `•••• ${fields.account.slice(-4)}` } : { ...fields };
const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === "object" && value !== null && !Array.isArray(value);

/** As lists and decisions answer it: bank accounts are masked. */
function view(approval: Approval, viewer: Decider, around: Around): View {
  const { body, shown, ...whole } = wholeView(approval, viewer, around);
  return {
    ...whole,
    body: isRecord(body) ? withMaskedAccount(body) : body,
    shown: shown && { before: withMaskedAccount(shown.before), after: withMaskedAccount(shown.after) },
  };
}

/** What a view needs besides the approval: the numbers of the orders by id, and who could decide. */
type Around = { numbers: ReadonlyMap<string, number>; members: Awaited<ReturnType<typeof enabledMembers>> };

/** The id of the order that an approval is about; null: it is about something else. */
const orderOf = ({ action, input }: Approval): string | null => {
  const { id } = ((input as Partial<RawInput> | null)?.params ?? {}) as { id?: unknown };
  return action.startsWith("order.") && typeof id === "string" ? id : null;
};

async function aroundOf(ctx: Ctx, found: readonly Approval[]): Promise<Around> {
  const members = found.some(({ state }) => state === "waiting") ? await enabledMembers(ctx) : [];
  return { members, numbers: await orders.numbersOf(ctx.db, [...new Set(found.flatMap((each) => orderOf(each) ?? []))]) };
}

/** The names of those who may decide, the viewer included. */
const decidersOf = (approval: Approval, members: Around["members"]): string[] =>
  members.flatMap(({ id, name, roles }) => {
    const isFree = id !== approval.askedBy.id && id !== memberConcerned(approval);
    return isFree && mayDecide(approval.permission, { may: (permission) => grantOf(roles, permission) }) !== null ? [name] : [];
  });

function wholeView(approval: Approval, viewer: Decider, { numbers, members }: Around): View {
  const { id, action, permission, reason, state, note } = approval;
  const { params = null, body = null } = (approval.input ?? {}) as Partial<RawInput>;
  const isOwn = approval.askedBy.id === viewer.staff.id;
  const isConcerned = memberConcerned(approval) === viewer.staff.id;
  const orderId = orderOf(approval);
  return {
    id,
    action,
    permission,
    reason,
    params,
    body,
    shown: approval.shown && { before: { ...approval.shown.before }, after: { ...approval.shown.after } },
    state,
    askedBy: approval.askedBy,
    askedAt: isoMoscow(approval.askedAt),
    expiresAt: isoMoscow(approval.expiresAt),
    decidedBy: approval.decidedBy,
    decidedAt: isoOrNull(approval.decidedAt),
    note,
    isOwn,
    isConcerned,
    mayDecide: !isOwn && !isConcerned && state === "waiting" && mayDecide(permission, viewer) !== null,
    deciders: state === "waiting" ? decidersOf(approval, members) : [],
    orderNumber: orderId === null ? null : (numbers.get(orderId) ?? null),
    isUnseen: isOwn && approval.seenAt === null && isUnsuccessful(state),
  };
}

const cursorOf = ({ askedAt, id }: Approval): string => `${askedAt.getTime()}.${id}`;
function readCursor(cursor: string | undefined): { askedAt: Date; id: string } | null {
  const [, at, id = ""] = /^(\d{1,15})\.([A-Za-z0-9_-]+)$/.exec(cursor ?? "") ?? [];
  return at === undefined ? null : { askedAt: new Date(Number(at)), id };
}

/** An approval that the viewer may see: one that it requested, or one of its permissions. Null: there is none, or it may not. */
async function visible(ctx: Ctx, id: string, viewer: Decider): Promise<Approval | null> {
  const found = await approvals.find(ctx, id);
  return found && (found.askedBy.id === viewer.staff.id || mayDecide(found.permission, viewer) !== null) ? found : null;
}

type Ready = { approval: Approval; run: Run | null; refusal: StaffRefusal | null };
type Run = {
  endpoint: StaffEndpoint & { handler: StaffChange };
  input: Parameters<StaffChange["change"]>[1];
  asker: StaffMember;
  prepared: unknown;
};

/** Calls of approvals. `find` looks a call up by its name, since an approved call runs its own handler. */
export const approvalEndpoints = (find: Find): readonly StaffEndpoint[] => [
  staffRead(contract.readApprovals, async (ctx, { staff, may, query }) => {
    const viewer = { staff, may };
    const found = await approvals.list(ctx, {
      part: query.state,
      viewer: staff.id,
      permissions: decidable(viewer),
      area: query.area ?? null,
      record: query.record ?? null,
      before: readCursor(query.cursor),
      limit: pageSize + 1,
    });
    const around = await aroundOf(ctx, found);
    return done(viewPage(pageSize, found, (each) => view(each, viewer, around), cursorOf));
  }),

  staffRead(contract.readApproval, async (ctx, { staff, may, params }) => {
    const found = await visible(ctx, params.id, { staff, may });
    if (!found) return fail({ code: "staff.not_found" });
    const answer = found.askedBy.id === staff.id ? unsealed(ctx, found.answer) : null;
    return done({ ...wholeView(found, { staff, may }, await aroundOf(ctx, [found])), answer });
  }),

  staffChange(contract.approve, {
    prepare: async (ctx, { params, staff, may, session, origin, isLocal, officeUrl }): Promise<Result<Ready, StaffRefusal>> => {
      const approval = await decided(ctx, params.id, { staff, may, session });
      if (!approval.ok) return approval;
      const ready = await readyToRun(ctx, approval.value, find, { origin, isLocal, officeUrl });
      return done({ approval: approval.value, run: ready.ok ? ready.value : null, refusal: ready.ok ? null : ready.error });
    },
    change: async (ctx, { params, staff, may, origin, audit }, ready: Result<Ready, StaffRefusal>) => {
      if (!ready.ok) return ready;
      const locked = await approvals.lockForDecision(ctx.db, ctx, params.id, staff.id);
      if (!locked.ok) return locked;
      const outcome = await carryOut(ctx, locked.value, ready.value, { by: staff.id, origin });
      audit({
        subject: `approval:${params.id}`,
        after: { action: locked.value.action, askedBy: locked.value.askedBy.login, ...(outcome.ok ? {} : { refused: outcome.error.code }) },
      });
      return answerWith(ctx, params.id, { staff, may });
    },
  }),

  staffChange(contract.refuse, {
    prepare: (ctx, { params, staff, may, session }) => decided(ctx, params.id, { staff, may, session }),
    change: async (ctx, { params, body, staff, may, audit }, checked: Result<Approval, StaffRefusal>) => {
      if (!checked.ok) return checked;
      const locked = await approvals.lockForDecision(ctx.db, ctx, params.id, staff.id);
      if (!locked.ok) return locked;
      await approvals.decide(ctx.db, ctx, locked.value, { event: "refuse", by: staff.id, note: body.note });
      audit({
        subject: `approval:${params.id}`,
        after: { action: locked.value.action, askedBy: locked.value.askedBy.login, note: body.note },
      });
      return answerWith(ctx, params.id, { staff, may });
    },
  }),

  staffChange(contract.withdraw, {
    change: async (ctx, { params, staff, may, audit }) => {
      const taken = await approvals.withdraw(ctx.db, ctx, params.id, staff.id);
      if (!taken.ok) return taken;
      audit({ subject: `approval:${params.id}`, after: { action: taken.value.action } });
      return answerWith(ctx, params.id, { staff, may });
    },
  }),

  staffChange(contract.noteSeen, {
    change: async (ctx, { params, staff, may, audit }) => {
      const seen = await approvals.noteSeen(ctx.db, ctx, params.id, staff.id);
      if (!seen.ok) return seen;
      audit({ subject: `approval:${params.id}`, after: { action: seen.value.action, state: seen.value.state } });
      return answerWith(ctx, params.id, { staff, may });
    },
  }),
];

/** Runs an approved call in the name of the requester, and records the decision. `by` null: the command line of the server. */
async function carryOut(
  ctx: Ctx,
  approval: Approval,
  { run, refusal }: Pick<Ready, "run" | "refusal">,
  { by, origin }: { by: number | null; origin: Origin },
): Promise<Result<unknown, StaffRefusal>> {
  const outcome: Result<unknown, StaffRefusal> = run
    ? await applyApproved(
        {
          ctx: { ...ctx, actor: { kind: "staff", name: run.asker.login } },
          call: run.endpoint.call,
          handler: run.endpoint.handler,
          input: { ...run.input, origin },
          approvalId: approval.id,
          basis: approval.shown?.basis ?? null,
        },
        run.prepared,
      )
    : fail(refusal ?? { code: "staff.not_found" });
  const isSecret = run?.endpoint.call.isSecret === true;
  await approvals.decide(ctx.db, ctx, approval, {
    event: outcome.ok ? "approve" : "fail",
    by,
    note: outcome.ok ? "" : staffProblem(outcome.error.code).message,
    answer: outcome.ok ? (isSecret ? sealed(ctx, outcome.value) : outcome.value) : null,
  });
  return outcome;
}

type Find = (name: string) => StaffEndpoint | undefined;

/**
 * Approves a call from the command line of the server, for a shop with one approver: its owner confirms there what was requested in the
 * back office. The call still runs in the name of the requester; the audit names both. Refuses with `staff.not_found`,
 * `approval.decided`, `approval.expired`, and with the refusal of the call, after which the approval has failed.
 */
export async function approveAtServer(
  ctx: Ctx,
  id: string,
  { find, officeUrl }: { find: Find; officeUrl: string },
): Promise<Result<{ action: string }, StaffRefusal>> {
  const approval = await approvals.find(ctx, id);
  if (!approval) return fail({ code: "staff.not_found" });
  const origin: Origin = { address: "", userAgent: "command line" };
  const ready = await readyToRun(ctx, approval, find, { origin, isLocal: true, officeUrl });
  const outcome = await inTransaction(ctx.db, async (tx) => {
    const locked = await approvals.lockForDecision(tx, ctx, id, null);
    if (!locked.ok) return locked;
    const prepared = ready.ok ? { run: ready.value, refusal: null } : { run: null, refusal: ready.error };
    const result = await carryOut({ ...ctx, db: tx }, locked.value, prepared, { by: null, origin });
    const { action, askedBy } = locked.value;
    const refused = result.ok ? null : result.error.code;
    const after = { action, askedBy: askedBy.login, isAtServer: true, ...(refused === null ? {} : { refused }) };
    await auditing.record(tx, ctx, "approval.approve", { subject: `approval:${id}`, after }, { origin: null, approvalId: id });
    return done({ action, refused });
  });
  if (!outcome.ok) return outcome;
  const { action, refused } = outcome.value;
  return refused === null ? done({ action }) : fail({ code: refused });
}

async function answerWith(ctx: Ctx, id: string, viewer: Decider): Promise<Result<View, StaffRefusal>> {
  const found = await approvals.find(ctx, id);
  return found ? done(view(found, viewer, await aroundOf(ctx, [found]))) : fail({ code: "staff.not_found" });
}

/** The approval, if this member of staff may decide about it now; the lock in the transaction checks its state again. */
async function decided(ctx: Ctx, id: string, decider: Decider & { session: StaffSession }): Promise<Result<Approval, StaffRefusal>> {
  const found = await visible(ctx, id, decider);
  if (!found) return fail({ code: "staff.not_found" });
  if (found.askedBy.id === decider.staff.id) return fail({ code: "approval.own" });
  if (memberConcerned(found) === decider.staff.id) return fail({ code: "approval.concerned" });
  const grant = mayDecide(found.permission, decider);
  if (grant === "again" && verifiedUntil(ctx, decider.session) === null) return fail({ code: "staff.verify_again" });
  if (found.state === "expired") return fail({ code: "approval.expired" });
  return found.state === "waiting" ? done(found) : fail({ code: "approval.decided" });
}

/**
 * Validates the stored input again and prepares the call in the name of the requester. Refuses when that person may not make the call any
 * more, when the call is gone, or when its input is not what was requested.
 */
async function readyToRun(
  ctx: Ctx,
  approval: Approval,
  find: Find,
  from: { origin: Origin; isLocal: boolean; officeUrl: string },
): Promise<Result<Run, StaffRefusal>> {
  const endpoint = find(approval.call);
  const asker = await findMember(ctx.db, approval.askedBy.id);
  if (
    !endpoint ||
    typeof endpoint.handler === "function" ||
    !approvals.isOfHash(ctx, approval, approvalHash(nameOf(endpoint.call), approval.input))
  )
    return fail({ code: "staff.not_found" });
  if (!asker || isGranted(endpoint.call, asker) === null) return fail({ code: "staff.forbidden" });
  const { call, handler } = endpoint;
  return refusedAsResult(async () => {
    const parsed = parseInput(call, approval.input as RawInput, { staff: asker, session: null, replacedSid: null, ...from });
    const input = { ...parsed, audit: () => {}, setSession: () => {}, isOnSameBasis: false };
    return {
      endpoint: { call, handler },
      asker,
      input,
      prepared: await handler.prepare?.({ ...ctx, actor: { kind: "staff", name: asker.login } }, parsed),
    };
  });
}
