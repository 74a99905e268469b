import type * as z from "zod";
import { done, fail, type Result } from "#kit/result.ts";
import type { Call, CodeOf, RefusalDataOf } from "./call.ts";
import type { CallRef, EntryOf } from "./calls.ts";
import type { ProblemCode } from "./problems.ts";

/** Why a call was refused, ready to be shown; `network.failed` without an answer of the shop. */
export type ApiRefusal = {
  code: ProblemCode | "network.failed";
  status: number;
  message: string;
  fields: Record<string, string>;
  data: unknown;
  /** Seconds to wait before the next attempt, if the server gave them. */
  retryAfter: number | null;
};

/** A refusal of one call: one of the codes that the contract declares for it; each code has its own type of `data`. */
export type RefusalOf<C extends Call> = {
  [Code in CodeOf<C> | "network.failed"]: Omit<ApiRefusal, "code" | "data"> & { code: Code; data: RefusalDataOf<C, Code> };
}[CodeOf<C> | "network.failed"];

type Param<S> = S extends z.ZodType ? { [Name in keyof z.input<S>]: string | number } : never;
type Inputs<C extends Call> = (C extends { params: infer S } ? { params: Param<S> } : unknown) &
  (C extends { query: infer S extends z.ZodType } ? ({} extends z.input<S> ? { query?: z.input<S> } : { query: z.input<S> }) : unknown) &
  (C extends { body: infer S extends z.ZodType }
    ? C extends { isBodyOptional: true }
      ? { body?: z.input<S> }
      : { body: z.input<S> }
    : unknown) &
  (C extends { needsKey: true } ? { idempotencyKey: string } : unknown);

/** The inputs of a call, as its contract entry declares them. */
export type ApiInput<C extends Call> = Inputs<C> & { signal?: AbortSignal };

/** The inputs of any call. */
type AnyInput = {
  params?: Readonly<Record<string, string | number>>;
  query?: Readonly<Record<string, string | undefined>>;
  body?: unknown;
  idempotencyKey?: string;
  signal?: AbortSignal;
};

const noAnswer = {
  code: "network.failed",
  status: 0,
  message: "Нет связи с магазином. Проверьте интернет и повторите",
  fields: {},
  data: undefined,
  retryAfter: null,
} as const satisfies ApiRefusal;

// The first answer gives a new browser its id (the cookie `uid`). Concurrent first calls would each get another id, and what they put into
// the cart would be lost; so calls go one at a time until the shop has answered one. In the browser only.
let isAnswered = false;
let underWay: Promise<void> | null = null;
/** The call to wait for; null: none. */
const toWaitFor = (): Promise<void> | null => (isAnswered ? null : underWay);
/** A call without an answer for so long holds up the others no more. */
const answeredWithinMs = 10_000;

/**
 * Resolves when a call of this page has been answered, or when none is under way. What requests the API in another way than `callApi` waits
 * for it, because a new browser must receive one id only.
 */
export async function firstAnswer(): Promise<void> {
  for (let other = toWaitFor(); other; other = toWaitFor()) await other;
}

async function send(path: string, init: RequestInit): Promise<Response> {
  // Not by `firstAnswer`: between its end and the next line another call could begin.
  for (let other = toWaitFor(); other; other = toWaitFor()) await other;
  if (isAnswered) return fetch(path, init);
  let pass = (): void => {};
  const mine = new Promise<void>((resolve) => {
    pass = () => {
      if (underWay === mine) underWay = null;
      resolve();
    };
  });
  underWay = mine;
  const late = setTimeout(pass, answeredWithinMs);
  try {
    const response = await fetch(path, init);
    // A shop under too much load refuses unknown browsers before it gives them an id.
    if (response.status !== 503) isAnswered = true;
    return response;
  } finally {
    clearTimeout(late);
    pass();
  }
}

/**
 * Calls the shop's JSON API from a page's script: `callApi(contract.setQuantity, { params: { id }, body: { quantity } })`, with `contract`
 * from `calls.ts`. The value is the answer's `data`, or the whole body where it is bare. Never throws: a refusal and a lost connection are
 * both returned as values.
 */
export async function callApi<Ref extends CallRef>(
  call: Ref,
  ...[input]: {} extends ApiInput<EntryOf<Ref>> ? [input?: ApiInput<EntryOf<Ref>>] : [input: ApiInput<EntryOf<Ref>>]
): Promise<Result<z.output<EntryOf<Ref>["answer"]>, RefusalOf<EntryOf<Ref>>>>;
export async function callApi(call: string, input: AnyInput = {}): Promise<Result<unknown, ApiRefusal>> {
  const { params = {}, query = {}, body: content, idempotencyKey, signal } = input;
  const [method = "", template = ""] = call.split(" ");
  const path = template.replace(/{(\w+)}/, (_, name: string) => encodeURIComponent(params[name] ?? ""));
  const search = `${new URLSearchParams(Object.entries(query).filter((pair): pair is [string, string] => pair[1] !== undefined))}`;
  const headers: Record<string, string> = { accept: "application/json" };
  if (content !== undefined) headers["content-type"] = "application/json";
  if (idempotencyKey) headers["idempotency-key"] = idempotencyKey;
  try {
    const response = await send(search ? `${path}?${search}` : path, {
      method,
      headers,
      signal: signal ?? null,
      credentials: "same-origin",
      cache: "no-store",
      body: content === undefined ? null : JSON.stringify(content),
    });
    const body: unknown = await response.json();
    // The server has checked the answer against the same schemas (http/endpoint.ts), which are not sent to the browser.
    if (response.ok) return done(contentOf(body));
    return fail(refusalOf(response, body));
  } catch {
    return fail(noAnswer);
  }
}

const contentOf = (body: unknown): unknown => (isObject(body) && "data" in body ? body.data : body);

function refusalOf(response: Response, body: unknown): ApiRefusal {
  if (!isObject(body) || typeof body.code !== "string" || typeof body.message !== "string") return { ...noAnswer, status: response.status };
  const wait = Number(response.headers.get("retry-after") ?? "");
  return {
    code: body.code as ProblemCode,
    status: response.status,
    message: body.message,
    fields: isObject(body.fields) ? (body.fields as Record<string, string>) : {},
    data: body.data,
    retryAfter: Number.isFinite(wait) && wait > 0 ? wait : null,
  };
}

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === "object" && value !== null;
