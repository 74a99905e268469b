import type { Db, Tx } from "#kit/db.ts";
import { randomId } from "#kit/ids.ts";
import { done, fail, type Result } from "#kit/result.ts";
import { days, hours, plus } from "#kit/time.ts";
import { step } from "#kit/transitions.ts";
import type { Ctx } from "#shop/context.ts";
import { sealed, unsealed } from "../calls/service.ts";
import {
  approvalStates,
  isUnsuccessful,
  memberConcerned,
  type Approval,
  type ApprovalError,
  type ApprovalEvent,
  type ApprovalPart,
} from "./approval.ts";
import * as rows from "./repository.ts";

type Reading = Pick<Ctx, "db" | "now" | "secrets">;
type NewApproval = Pick<Approval, "call" | "action" | "permission" | "input" | "shown" | "hash" | "reason"> & {
  askedBy: number;
  /** Input and `shown` are stored encrypted, all but the path of the call; the hash is stored signed. */
  isSecret: boolean;
};

/** Stores a call for a second person, in the transaction of `ctx.db`. */
export async function request(ctx: Ctx, { isSecret, ...approval }: NewApproval): Promise<{ id: string }> {
  const id = randomId();
  const at = ctx.now();
  await rows.insert(ctx.db, {
    ...approval,
    ...(isSecret ? sealedPart(ctx, approval) : {}),
    id,
    askedAt: at,
    expiresAt: plus(at, hours(ctx.settings.limits.approvalHours)),
  });
  return { id };
}

/** Lists search the id in the path of a call; everything else could hold an account or a document. */
function sealedPart(ctx: Ctx, { input, shown, hash }: Pick<NewApproval, "input" | "shown" | "hash">) {
  const { params } = input as { params?: unknown };
  return { input: { params, ...sealed(ctx, input) }, shown: shown && sealed(ctx, shown), hash: signed(ctx, hash) };
}

const signed = (ctx: Pick<Ctx, "secrets">, hash: string): string => ctx.secrets.sign("staff", `approval ${hash}`);

/** Whether an approval was requested with this hash of call and input. */
export const isOfHash = (ctx: Pick<Ctx, "secrets">, approval: Approval, hash: string): boolean =>
  approval.hash === hash || ctx.secrets.isSigned("staff", `approval ${hash}`, approval.hash);

/**
 * Serialises the calls of one member of staff until the transaction ends, so that two calls at once cannot both stay below a daily limit of
 * approvals.
 */
export const lockAsker = (tx: Tx, staffId: number): Promise<void> => rows.lockAsker(tx, staffId);

/** One approval; one whose time is over reads as expired. */
export async function find(ctx: Reading, id: string): Promise<Approval | null> {
  const found = await rows.find(ctx.db, id);
  return found && current(ctx, found);
}

/**
 * Approvals of these permissions, and those that the viewer requested; newest first. `area`: the first word of the audit action;
 * `record`: an id in the path of the call; null: any. `before`: the last one of the page before.
 */
export async function list(
  ctx: Reading,
  filter: {
    part: ApprovalPart;
    viewer: number;
    permissions: readonly string[];
    area: string | null;
    record: string | null;
    before: { askedAt: Date; id: string } | null;
    limit: number;
  },
): Promise<Approval[]> {
  return (await rows.list(ctx.db, filter, ctx.now())).map((each) => current(ctx, each));
}

/**
 * Locks an approval that the decider may still decide. Refuses with `approval.own` for the requester, `approval.concerned` for the
 * member of staff that it is about, `approval.decided`, and `approval.expired` once its time is over. `decider` null: the command line
 * of the server.
 */
export async function lockForDecision(
  tx: Tx,
  ctx: Pick<Ctx, "now" | "secrets">,
  id: string,
  decider: number | null,
): Promise<Result<Approval, ApprovalError>> {
  const found = await rows.lock(tx, id);
  if (!found) return fail({ code: "staff.not_found" });
  if (found.askedBy.id === decider) return fail({ code: "approval.own" });
  if (decider !== null && memberConcerned(found) === decider) return fail({ code: "approval.concerned" });
  const opened = current(ctx, found);
  if (opened.state === "expired") return fail({ code: "approval.expired" });
  return opened.state === "waiting" ? done(opened) : fail({ code: "approval.decided" });
}

/** Notes the decision about an approval that `lockForDecision` returned. */
export async function decide(
  tx: Tx,
  ctx: Pick<Ctx, "now">,
  approval: Approval,
  decision: { event: ApprovalEvent; by: number | null; note?: string; answer?: unknown },
): Promise<void> {
  const move = step(approvalStates, approval.state, decision.event);
  if (move.kind !== "moved") throw new Error(`approval ${approval.id} is ${approval.state}`);
  await rows.decide(tx, approval.id, {
    state: move.to,
    by: decision.by,
    at: ctx.now(),
    note: decision.note ?? "",
    answer: decision.answer ?? null,
  });
}

/**
 * Takes a call back that still waits, in the transaction of `tx`; only the requester may. Refuses with `staff.not_found` for
 * everybody else, `approval.decided` and `approval.expired`.
 */
export async function withdraw(tx: Tx, ctx: Reading, id: string, by: number): Promise<Result<Approval, ApprovalError>> {
  const found = await rows.lock(tx, id);
  if (found?.askedBy.id !== by) return fail({ code: "staff.not_found" });
  const opened = current(ctx, found);
  if (opened.state === "expired") return fail({ code: "approval.expired" });
  if (opened.state !== "waiting") return fail({ code: "approval.decided" });
  await decide(tx, ctx, opened, { event: "withdraw", by: null });
  return done(opened);
}

/**
 * Records that the requester has seen that nothing was done; a second time changes nothing. Refuses with `staff.not_found` for everybody
 * else, and for a call that waits or was done.
 */
export async function noteSeen(tx: Tx, ctx: Reading, id: string, by: number): Promise<Result<Approval, ApprovalError>> {
  const found = await rows.lock(tx, id);
  const opened = found && current(ctx, found);
  if (opened?.askedBy.id !== by || !isUnsuccessful(opened.state)) return fail({ code: "staff.not_found" });
  if (opened.seenAt === null) await rows.noteSeen(tx, id, ctx.now());
  return done(opened);
}

/** How many requests of this member of staff ended in a week without being done and are not noted as seen; the id when it is one. */
export const countUnseen = (db: Db, now: Date, askedBy: number): Promise<{ count: number; onlyId: string | null }> =>
  rows.countUnseen(db, { now, since: plus(now, -days(7)), askedBy });

/** What waits for a second person, newest first. */
export const listWaiting = async (ctx: Reading, limit: number): Promise<Approval[]> =>
  (await rows.listWaiting(ctx.db, ctx.now(), limit)).map((each) => current(ctx, each));

/** Whether a call of this audit action waits for a second person whose parameter `param` is one of these ids. */
export const hasWaiting = (
  ctx: Pick<Ctx, "db" | "now">,
  call: { action: string; param: string; ids: readonly string[] },
): Promise<boolean> => rows.hasWaiting(ctx.db, call, ctx.now());

/**
 * How many wait for a member of staff with these permissions who neither requested them nor is concerned; the id when there is only one.
 */
export const countWaiting = (
  db: Db,
  now: Date,
  viewer: number,
  permissions: readonly string[],
): Promise<{ count: number; endsAt: Date | null; onlyId: string | null }> => rows.countWaiting(db, now, viewer, permissions);

/** Closes those whose time is over, and erases the input of old ones: it may hold personal data. */
export async function expire(ctx: Pick<Ctx, "db" | "now" | "settings">): Promise<void> {
  const now = ctx.now();
  await rows.expire(ctx.db, now);
  await rows.eraseInput(ctx.db, plus(now, -days(ctx.settings.limits.approvalInputDays)));
}

/** As it reads now: decrypted, and expired once its time is over. */
const current = (ctx: Pick<Ctx, "now" | "secrets">, approval: Approval): Approval => ({
  ...approval,
  input: unsealed(ctx, approval.input),
  shown: unsealed(ctx, approval.shown) as Approval["shown"],
  state: approval.state === "waiting" && approval.expiresAt <= ctx.now() ? "expired" : approval.state,
});
