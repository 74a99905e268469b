import type { FastifyReply, FastifyRequest } from "fastify";
import * as z from "zod";
import type { RateLimitName, Call } from "#contract/call.ts";
import { deskUserHeader } from "#contract/demo.ts";
import { priceListIn } from "#contract/public/price-list.ts";
import type { ShopError } from "#contract/problems.ts";
import { withDeadline } from "#kit/concurrency/deadline.ts";
import { hasCopy } from "#kit/network/etag.ts";
import type { Result } from "#kit/result.ts";
import { actorOf, isStaffName, type Actor } from "#shop/actor.ts";
import type { Ctx, OwnerKey, Visitor } from "#shop/context.ts";
import * as pricing from "#shop/pricing/service.ts";
import { deadlineOf } from "#shop/settings.ts";
import type { RateLimiter, RateLimitKey } from "./guards/rate-limit.ts";
import { jsonPolicy, setPrivate } from "./server/headers.ts";
import type { AnswerCache } from "./server/answer-cache.ts";
import { fieldErrors, RequestRefused, sendProblem, messageForIssue, type Problem } from "./problems.ts";
import { refusalView, type EdgeError } from "./request/refusals.ts";
import {
  addressOf,
  browserOf,
  issueBrowserId,
  openCookieJar,
  resolveVisitor,
  type CookieJar,
  type IdentifiedBrowser,
} from "./request/session.ts";

type Parsed<S> = S extends z.ZodType ? z.output<S> : undefined;

/** The input of a handler: the parsed request and its visitor. */
type HandlerInput<C extends Call> = {
  params: Parsed<C["params"]>;
  query: Parsed<C["query"]>;
  body: Parsed<C["body"]>;
  /** The customer when signed in, else the browser; its id is created if the request came without one. */
  owner: OwnerKey;
  visitor: Visitor;
  /** The header `Idempotency-Key`; empty for calls that do not need one. */
  key: string;
  jar: CookieJar;
  /** Answers with another of the call's success statuses. */
  status: (status: number) => void;
  header: (name: string, value: string) => void;
};

type Handler<C extends Call> = (ctx: Ctx, request: HandlerInput<C>) => Promise<Result<z.input<C["answer"]>, ShopError | EdgeError>>;

/**
 * A call and its handler. `basis`: the answer is the same for every visitor and depends on this object alone, so it is cached until the
 * object changes; null: the object must be read first.
 */
export type Endpoint = { call: Call; handle: Handler<Call>; basis?: (ctx: Ctx) => object | null };

/** Joins a call of the contract with its handler; the types of request and answer follow from the call. */
export const endpoint = <const C extends Call>(call: C, handle: Handler<C>): Endpoint => ({ call, handle: handle });

/** The same for a public read whose serialised answer is cached while `basis` is the same object. */
export const cachedEndpoint = <const C extends Call & { method: "GET"; asker: "anybody" }>(
  call: C,
  basis: (ctx: Ctx) => object | null,
  handle: Handler<C>,
): Endpoint => ({ call, handle: handle, basis });

export type EndpointTools = { ctx: Ctx; rateLimiter: RateLimiter; isSecure: boolean; answerCache: AnswerCache };

/**
 * Answers one request: session → rate limit → schema → handler → the listed fields of the answer. Host, origin and sizes were checked
 * before the body was read (guards/guards.ts).
 */
export async function answer(
  { call, handle, basis }: Endpoint,
  tools: EndpointTools,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const work = () => handled({ call, handle }, tools, request, reply);
  const basisBefore = basis?.(tools.ctx) ?? null;
  const result = await (hasDeadline(call) ? withDeadline(deadlineOf(tools.ctx.settings.limits), work) : work());
  if (!result.ok) return sendProblem(reply, refusalView(result.error));

  const parsedAnswer = call.answer.parse(result.value);
  const content = call.isBare ? parsedAnswer : { data: parsedAnswer };
  const isShared = call.asker === "anybody" && !reply.hasHeader("set-cookie");
  if (isShared) reply.header("cache-control", "no-cache");
  else setPrivate(reply);
  reply.type("application/json; charset=utf-8").header("content-security-policy", jsonPolicy);
  if (!basis || basisBefore === null) return reply.send(content);
  const current = () => basis(tools.ctx);
  const cached = tools.answerCache.store(request.url, call, { basis: basisBefore, current }, content);
  if (!cached) return reply.send(content);
  if (!isShared) return reply.send(cached.answer.body);
  reply.header("etag", cached.answer.etag);
  return hasCopy(request.headers["if-none-match"], cached.answer.etag) ? reply.code(304).send() : reply.send(cached.answer.body);
}

/** Demo calls move clocks and wait for jobs. */
const hasDeadline = (call: Call): boolean => !call.path.startsWith("/_demo/") && !call.isDownload;

async function handled(
  { call, handle }: Endpoint,
  tools: EndpointTools,
  request: FastifyRequest,
  reply: FastifyReply,
): ReturnType<Handler<Call>> {
  const { ctx } = tools;
  const jar = openCookieJar(request, reply, tools);
  if (jar.isAmbiguous && call.changes) throw new RequestRefused({ code: "request.duplicate_cookies" });

  const known = browserOf(ctx, jar);
  const visitor = call.asker === "anybody" ? anonymousVisitor(request) : await resolveVisitor(ctx, request, jar);
  const named = issueBrowserId(ctx, jar);
  request.mark = markOf(named);
  await countRequest(tools.rateLimiter, call.rateLimit, {
    visitor: visitor.customerId ? `customer:${visitor.customerId}` : rateLimitVisitor(known),
    address: visitor.address,
  });
  if (call.asker === "customer" && visitor.customerId === null) throw new RequestRefused({ code: "auth.required" });
  const seen = priceListIn(request.headers);
  if (seen > 0) await pricing.catchUp(ctx, seen);

  const input: HandlerInput<Call> = {
    ...parsed(call, request),
    jar,
    visitor: { ...visitor, browser: named, owner: visitor.owner ?? named },
    owner: visitor.owner ?? named,
    status: (status) => {
      reply.code(status);
    },
    header: (name, value) => {
      reply.header(name, value);
    },
  };
  reply.code(call.statuses?.[0] ?? 200);
  return handle({ ...ctx, actor: call.path.startsWith("/_demo/") ? demoStaff(request) : actorOf(visitor) }, input);
}

/** Demo calls act as staff; the desk command names its user in a header. */
function demoStaff(request: FastifyRequest): Actor {
  const given = request.headers[deskUserHeader];
  const name = typeof given === "string" ? (new URLSearchParams(`name=${given}`).get("name") ?? "") : "";
  return { kind: "staff", name: isStaffName(name) ? name : "demo" };
}

/** For calls with the same answer for all: no session is read. */
const anonymousVisitor = (request: FastifyRequest): Visitor => ({
  owner: null,
  browser: null,
  customerId: null,
  sidHash: null,
  signedInAt: null,
  deviceHash: null,
  address: addressOf(request),
  userAgent: "",
});

/** The first letters of a browser's hash, for the log. */
export const markOf = (browser: string): string => browser.slice("visitor:".length, "visitor:".length + 8);

/** Only a browser with a signed id has its own limit; an invented id has none. */
export const rateLimitVisitor = (browser: IdentifiedBrowser | null): string | null => (browser?.isSigned ? browser.key : null);

/** Every request counts as one request, and an expensive one also against its own limit. */
export async function countRequest(rateLimiter: RateLimiter, limit: RateLimitName, who: RateLimitKey): Promise<void> {
  const wait = (await rateLimiter.take("request", who)) || (limit === "request" ? 0 : await rateLimiter.take(limit, who));
  if (wait > 0) throw new RequestRefused({ code: "request.too_many", retryAfterSeconds: wait });
}

function parsed(call: Call, request: FastifyRequest): Pick<HandlerInput<Call>, "params" | "query" | "body" | "key"> {
  const params = call.params?.safeParse(request.params);
  if (params && !params.success) throw new RequestRefused({ code: call.badParams ?? "request.not_found" });
  const key = call.needsKey ? keyOf(request) : "";
  if (call.body && !call.isBodyOptional && request.body === undefined) throw new RequestRefused({ code: "request.malformed" });
  return {
    params: params?.data,
    key,
    query: valid(call, call.query, request.query),
    body: valid(call, call.body ?? emptyBody, request.body === undefined ? {} : request.body),
  };
}

/** A call without a body accepts an empty one, from clients that always send JSON. */
export const emptyBody = z.strictObject({});

function valid(call: Call, schema: z.ZodType | undefined, input: unknown): unknown {
  if (!schema) return undefined;
  const result = schema.safeParse(input, { error: messageForIssue });
  if (result.success) return result.data;
  throw new RequestRefused(invalid(call, fieldErrors(result.error.issues)));
}

/** A refused field with its own code gives the refusal that code. */
function invalid(call: Call, fields: Record<string, string>): Problem {
  const first = Object.keys(fields).find((field) => call.fieldCodes?.[field]);
  return { code: (first && call.fieldCodes?.[first]) || "request.invalid", fields };
}

/** 1–64 printable ASCII characters, chosen by the client. */
function keyOf(request: FastifyRequest): string {
  const key = request.headers["idempotency-key"];
  if (typeof key !== "string" || !/^[\x20-\x7E]{1,64}$/.test(key) || key.trim() === "")
    throw new RequestRefused({ code: "order.key_missing" });
  return key;
}
