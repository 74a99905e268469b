import { Readable } from "node:stream";
import type { FastifyReply, FastifyRequest } from "fastify";
import * as z from "zod";
import { file, type StaffCall } from "#contract/staff/call.ts";
import { isForAnother } from "#contract/staff/member-header.ts";
import { inTransaction } from "#kit/db.ts";
import { hasCopy } from "#kit/network/etag.ts";
import { done, fail, type Result } from "#kit/result.ts";
import { sha256 } from "#kit/security/secrets.ts";
import type { AuditEvent } from "#shop/audit/audit.ts";
import * as audit from "#shop/audit/service.ts";
import type { Ctx } from "#shop/context.ts";
import type { StoredChange } from "#shop/staff/approvals/approval.ts";
import * as approvals from "#shop/staff/approvals/service.ts";
import type { CallKey, KeyUse, StoredAnswer } from "#shop/staff/calls/call-key.ts";
import * as calls from "#shop/staff/calls/service.ts";
import { grantOf, type Grant } from "#shop/staff/role.ts";
import { findSession, isOpen, verifiedUntil } from "#shop/staff/sign-in/sessions.service.ts";
import type { StaffMember, StaffSession } from "#shop/staff/staff.ts";
import { countRequest, emptyBody } from "../endpoint.ts";
import type { RateLimiter } from "../guards/rate-limit.ts";
import { isLoopbackRequest } from "../guards/loopback.ts";
import { fieldErrors, messageForIssue, RequestRefused, sendProblem } from "../problems.ts";
import { bodyHash, bytesHash } from "../request/body-hash.ts";
import { addressOf } from "../request/session.ts";
import { jsonPolicy, setPrivate } from "../server/headers.ts";
import { readSessionCookie, writeSessionCookie } from "./access/cookie.ts";
import { nameOf, type StaffChange, type StaffEndpoint, type StaffFile, type StaffInput, type StaffRefusal } from "./endpoint.ts";

export type StaffTools = { ctx: Ctx; rateLimiter: RateLimiter; isSecure: boolean; officeUrl: () => string };

/** Input of a call before its schemas; what an approval stores. */
export type RawInput = { params: unknown; query: unknown; body: unknown };
type Input = StaffInput<StaffCall>;
type Caller = { staff: StaffMember; session: StaffSession };

/**
 * Answers one request for a call of the back office: session → rate limit → permission → second factor → schemas → handler → the listed
 * fields of the answer. Host, origin and sizes were checked before the body was read (guards.ts).
 */
export async function answerStaff(
  endpoint: StaffEndpoint,
  tools: StaffTools,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { call } = endpoint;
  const isPublic = call.permission === "public";
  const cookie = readSessionCookie(request, tools.isSecure);
  const sid = isPublic ? null : cookie;
  const found = sid === null ? null : await findSession(tools.ctx, sid);
  const isCaller = found !== null && !isForAnother(request.headers, found.member.id);
  const caller = isCaller ? { staff: found.member, session: found.session } : null;
  await countCall(tools, request, caller);
  if (!isPublic && !caller) throw new RequestRefused({ code: "staff.sign_in_required" });
  request.mark = caller ? `staff ${caller.staff.id}` : "";

  const ctx: Ctx = { ...tools.ctx, actor: caller ? { kind: "staff", name: caller.staff.login } : { kind: "visitor" } };
  const grant = allowed(call, caller, ctx);
  const raw: RawInput = { params: request.params, query: request.query, body: request.body };
  const input = parseInput(call, raw, {
    staff: caller?.staff ?? null,
    session: caller?.session ?? null,
    origin: { address: addressOf(request), userAgent: (request.headers["user-agent"] ?? "").slice(0, 300) },
    replacedSid: isPublic ? cookie : null,
    isLocal: isLoopbackRequest(request),
    officeUrl: tools.officeUrl(),
  });

  if (typeof endpoint.handler === "function") {
    const result = await endpoint.handler(ctx, input);
    return result.ok ? sendRead(request, reply, call, contentOf(call, result.value)) : sendProblem(reply, result.error);
  }
  const outcome = await runChange({
    ctx,
    call,
    handler: endpoint.handler,
    input,
    raw,
    grant,
    key: keyOf(ctx, call, { request, caller, raw }),
  });
  if (!outcome.ok) return sendProblem(reply, outcome.error);
  if (outcome.value.sid !== undefined)
    writeSessionCookie(reply, outcome.value.sid, { isSecure: tools.isSecure, limits: ctx.settings.limits });
  return sendContent(reply, call, outcome.value.content, outcome.value.status);
}

/** The answer's content: the fields that the contract lists, or a file. A handler that returns something else is a fault. */
const contentOf = (call: StaffCall, value: unknown): unknown => (call.answer === file ? value : call.answer.parse(value));

/** What was read, with a tag: a screen that polls gets 304 while nothing has changed. */
function sendRead(request: FastifyRequest, reply: FastifyReply, call: StaffCall, content: unknown): FastifyReply {
  if (call.answer === file) return sendContent(reply, call, content);
  const body = JSON.stringify({ data: content }); // once for the tag and the answer: a preview of all prices has megabytes
  const tag = `W/"${sha256(body).slice(0, 22)}"`;
  reply.header("etag", tag);
  if (hasCopy(request.headers["if-none-match"], tag)) return setPrivate(reply).code(304).send();
  return sendJson(reply, body, 200);
}

const sendJson = (reply: FastifyReply, body: unknown, status: number): FastifyReply =>
  setPrivate(reply).code(status).header("content-security-policy", jsonPolicy).type("application/json; charset=utf-8").send(body);

function sendContent(reply: FastifyReply, call: StaffCall, content: unknown, status = 200): FastifyReply {
  if (call.answer !== file || status === 202) return sendJson(reply, status === 202 ? content : { data: content }, status);
  setPrivate(reply).code(status).header("content-security-policy", jsonPolicy);
  const { type, name, bytes, isInline } = content as StaffFile;
  const plain = name.replaceAll(/[^A-Za-z0-9._-]/g, "_");
  return reply
    .type(type)
    .header(
      "content-disposition",
      `${isInline ? "inline" : "attachment"}; filename="${plain}"; filename*=UTF-8''${encodeURIComponent(name)}`,
    )
    .send(Buffer.isBuffer(bytes) ? bytes : Readable.from(bytes));
}

async function countCall({ rateLimiter }: StaffTools, request: FastifyRequest, caller: Caller | null): Promise<void> {
  const who = { visitor: caller ? `staff:${caller.staff.id}` : null, address: `office ${addressOf(request)}` };
  await countRequest(rateLimiter, request.method === "GET" ? "request" : "write", who);
}

/**
 * The caller's grant for the call. Reading needs any; what changes something also needs a recent second factor where the grant says
 * `again`.
 */
function allowed(call: StaffCall, caller: Caller | null, ctx: Ctx): Grant {
  if (!caller) return "yes";
  const grant = isGranted(call, caller.staff);
  if (grant === null) throw new RequestRefused({ code: "staff.forbidden" });
  const needsFactor = call.needsStepUp === true || (grant === "again" && call.method !== "GET");
  if (needsFactor && verifiedUntil(ctx, caller.session) === null) throw new RequestRefused({ code: "staff.verify_again" });
  return grant;
}

/** The grant that a member of staff has for a call; null: none. */
export const isGranted = ({ permission }: StaffCall, { roles }: StaffMember): Grant | null =>
  permission === "signed_in" || permission === "public" ? "yes" : grantOf(roles, permission);

type WhoCalls = { staff: StaffMember | null; session: StaffSession | null } & Pick<
  Input,
  "origin" | "replacedSid" | "isLocal" | "officeUrl"
>;

/** The input as the schemas of the call leave it; throws the refusal with a message for each field. */
export function parseInput(call: StaffCall, raw: RawInput, who: WhoCalls): Input {
  const params = call.params?.safeParse(raw.params);
  if (params && !params.success) throw new RequestRefused({ code: "staff.not_found" });
  if (call.body && raw.body === undefined && call.method !== "GET") throw new RequestRefused({ code: "request.malformed" });
  return {
    params: params?.data as never,
    query: valid(call.query, raw.query) as never,
    body: valid(call.body ?? emptyBody, raw.body ?? {}) as never,
    ...(who as { staff: StaffMember; session: StaffSession } & WhoCalls),
    may: (permission) => (who.staff ? grantOf(who.staff.roles, permission) : null),
  };
}

function valid(schema: z.ZodType | undefined, input: unknown): unknown {
  if (!schema) return undefined;
  const result = schema.safeParse(input, { error: messageForIssue });
  if (result.success) return result.data;
  const { issues } = result.error;
  throw new RequestRefused({ code: "request.invalid", fields: { ...fieldErrors(issues), ...placeErrors(issues) } });
}

/** Messages about faults inside of lists by their whole path, `steps.1.quantity`: a field's name alone does not identify its row. */
function placeErrors(issues: readonly z.core.$ZodIssue[]): Record<string, string> {
  const inLists = issues.filter(({ path }) => path.some((part) => typeof part === "number"));
  return Object.fromEntries(inLists.map(({ path, message }) => [path.join("."), message]));
}

/** Public calls have no member of staff to whom an answer could belong; files are not stored. */
function keyOf(
  ctx: Ctx,
  call: StaffCall,
  { request, caller, raw }: { request: FastifyRequest; caller: Caller | null; raw: RawInput },
): CallKey | null {
  if (!caller || call.answer === file) return null;
  const key = request.headers["idempotency-key"];
  if (typeof key !== "string" || !/^[\x21-\x7E]{1,64}$/.test(key)) throw new RequestRefused({ code: "staff.key_missing" });
  const hash = bodyHash([request.method, request.url, raw.body instanceof Uint8Array ? bytesHash(raw.body) : raw.body]);
  // From a plain hash a short secret could be guessed: it is stored signed.
  return { staffId: caller.staff.id, key, hash: call.isSecret ? ctx.secrets.sign("staff", `call ${hash}`) : hash };
}

type ChangeRun = {
  ctx: Ctx;
  call: StaffCall;
  handler: StaffChange;
  input: Input;
  raw: RawInput;
  grant: Grant;
  key: CallKey | null;
};
type Outcome = { status: number; content: unknown; sid?: string | null | undefined };

/** Leaves a transaction that has to be rolled back. */
class ChangeRefused extends Error {
  readonly refusal: StaffRefusal;
  constructor(refusal: StaffRefusal) {
    super(refusal.code);
    this.refusal = refusal;
  }
}

async function runChange({ ctx, call, handler, input, raw, grant, key }: ChangeRun): Promise<Result<Outcome, StaffRefusal>> {
  try {
    // Only what is prepared must not be done twice; otherwise the transaction below finds the stored answer.
    const known = key && handler.prepare && answerOf(await calls.findAnswer(ctx.db, ctx, key));
    if (known) return done(known);
    const prepared = await handler.prepare?.(ctx, input);
    return done(
      await inTransaction(ctx.db, async (tx) => {
        const inside: Ctx = { ...ctx, db: tx };
        const first = key && answerOf(await calls.claim(tx, ctx, key));
        if (first) return first;
        // A provider may have taken a minute to answer.
        if (handler.prepare && input.session && !(await isOpen(tx, input.session.id)))
          throw new ChangeRefused({ code: "staff.sign_in_required" });
        const checked = await handler.check?.(inside, input);
        if (checked?.ok === false) throw new ChangeRefused(checked.error);
        const reason = await reasonForApproval(inside, { call, handler, input, grant });
        const outcome: Outcome =
          reason === null
            ? await applied({ ctx: inside, call, handler, input, approvalId: null, basis: null }, prepared)
            : { status: 202, content: await requestApproval(inside, { call, handler, input, raw, reason }) };
        if (key) await calls.storeAnswer(tx, ctx, key, { status: outcome.status, body: outcome.content }, call.isSecret === true);
        return outcome;
      }),
    );
  } catch (error) {
    if (error instanceof ChangeRefused) return fail(error.refusal);
    throw error;
  }
}

/** What to answer for a key that was used before; null: this call is the first. */
function answerOf(use: KeyUse): (StoredAnswer & Outcome) | null {
  if (use.kind === "reused") throw new ChangeRefused({ code: "staff.key_reused" });
  return use.kind === "first" ? null : { ...use.answer, content: use.answer.body };
}

async function reasonForApproval(
  ctx: Ctx,
  { call, handler, input, grant }: Pick<ChangeRun, "call" | "handler" | "input" | "grant">,
): Promise<string | null> {
  if (handler.approval && input.staff) await approvals.lockAsker(ctx.db, input.staff.id);
  const reason = (await handler.approval?.(ctx, input)) ?? null;
  return reason ?? (grant === "asks" && call.permission !== "public" ? "При такой роли это действие подтверждает второй сотрудник" : null);
}

/** Binds an approval to the call and its whole input. */
export const approvalHash = (call: string, input: unknown): string => bodyHash([call, input]);

async function requestApproval(
  ctx: Ctx,
  { call, handler, input, raw, reason }: Pick<ChangeRun, "call" | "handler" | "input" | "raw"> & { reason: string },
): Promise<{ approval: { id: string; reason: string } }> {
  const { id } = await approvals.request(ctx, {
    call: nameOf(call),
    action: call.audit ?? "",
    permission: handler.approver ?? call.permission,
    input: raw,
    shown: await storedChange(ctx, handler, input),
    hash: approvalHash(nameOf(call), raw),
    reason,
    askedBy: input.staff.id,
    isSecret: call.isSecret === true,
  });
  await audit.record(
    ctx.db,
    ctx,
    "approval.ask",
    { subject: `approval:${id}`, after: { action: call.audit, reason } },
    { origin: input.origin, approvalId: id },
  );
  return { approval: { id, reason } };
}

/** What the call would change, with the hash of the facts to which its approval is bound. */
async function storedChange(ctx: Ctx, handler: StaffChange, input: Input): Promise<StoredChange | null> {
  const shown = (await handler.shown?.(ctx, input)) ?? null;
  const basis = await basisHash(ctx, handler, input);
  return shown && basis !== null ? { ...shown, basis } : shown;
}

const basisHash = async (ctx: Ctx, handler: StaffChange, input: Input): Promise<string | null> =>
  handler.basis ? bodyHash(await handler.basis(ctx, input)) : null;

/** `basis`: of the approval; null: it was asked for without one, or the call needs none. */
export type AppliedChange = Pick<ChangeRun, "ctx" | "call" | "handler" | "input"> & { approvalId: string | null; basis: string | null };

/**
 * Runs the change in the transaction of `ctx.db` and writes its audit entry there. A refusal is thrown, so that the transaction is rolled
 * back.
 * A change that succeeds without having called `audit` is a fault.
 */
async function applied({ ctx, call, handler, input, approvalId, basis }: AppliedChange, prepared: unknown): Promise<Outcome> {
  const events: (AuditEvent & { login?: string | null })[] = [];
  let sid: string | null | undefined;
  if (basis !== null && (await basisHash(ctx, handler, input)) !== basis) throw new ChangeRefused({ code: "approval.outdated" });
  const result = await handler.change(
    ctx,
    {
      ...input,
      audit: (event) => void events.push(event),
      setSession: (value) => {
        sid = value;
      },
      isOnSameBasis: basis !== null,
    },
    prepared,
  );
  if (!result.ok) throw new ChangeRefused(result.error);
  if (events.length === 0) throw new Error(`${nameOf(call)} succeeded without an audit entry`);
  const content = contentOf(call, result.value);
  for (const { login, ...event } of events) {
    const actor: Ctx["actor"] = login ? { kind: "staff", name: login } : ctx.actor;
    await audit.record(ctx.db, { ...ctx, actor }, call.audit ?? "", event, { origin: input.origin, approvalId });
  }
  return { status: 200, content, sid };
}

/** The same for a call that a second person approved: inside the transaction of the approval, in a savepoint of its own. */
export async function applyApproved(change: AppliedChange, prepared: unknown): Promise<Result<unknown, StaffRefusal>> {
  try {
    return done(
      await inTransaction(change.ctx.db, async (tx) => (await applied({ ...change, ctx: { ...change.ctx, db: tx } }, prepared)).content),
    );
  } catch (error) {
    if (error instanceof ChangeRefused) return fail(error.refusal);
    throw error;
  }
}

/** What a guard throws as a refused result, for input that is checked in the middle of another call. */
export async function refusedAsResult<T>(work: () => Promise<T>): Promise<Result<T, StaffRefusal>> {
  try {
    return done(await work());
  } catch (error) {
    if (error instanceof RequestRefused) return fail(error.problem);
    throw error;
  }
}
