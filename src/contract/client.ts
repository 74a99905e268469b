import { done, fail, type Result } from "#kit/result.ts";
import type { ProblemCode } from "./problems.ts";

/** Why a call was refused, ready to be shown; `network.failed` when no answer of ours came back at all. */
export type ApiRefusal = {
  code: ProblemCode | "network.failed";
  status: number;
  message: string;
  fields: Record<string, string>;
  data: unknown;
  /** Seconds to wait before the next try, when the server said so. */
  retryAfter: number | null;
};

export type ApiAsk = { method?: "GET" | "POST" | "PATCH" | "DELETE"; body?: unknown; idempotencyKey?: string; signal?: AbortSignal };

const noAnswer: ApiRefusal = {
  code: "network.failed",
  status: 0,
  message: "Нет связи с магазином. Проверьте интернет и повторите",
  fields: {},
  data: undefined,
  retryAfter: null,
};

// The first answer gives a new browser its name (the cookie `uid`). Calls that ran beside it would each be given another one,
// and what they put into the cart would be lost with it: so they wait until the first is back. In the browser only.
let first: Promise<Response> | null = null;

async function send(path: string, init: RequestInit): Promise<Response> {
  if (!first) return (first = fetch(path, init));
  await first.catch(() => undefined);
  return fetch(path, init);
}

/**
 * Asks our own JSON from a page's script. The value is what the answer holds under `data`, or the whole body where it is bare.
 * Never throws: a refusal and a lost connection both come back as values. Types come from the contract:
 * `callApi<CartView>("/api/cart/5", { method: "PATCH", body: { quantity: 2 } })`.
 */
export async function callApi<T>(path: `/api/${string}`, ask: ApiAsk = {}): Promise<Result<T, ApiRefusal>> {
  const headers: Record<string, string> = { accept: "application/json" };
  if (ask.body !== undefined) headers["content-type"] = "application/json";
  if (ask.idempotencyKey) headers["idempotency-key"] = ask.idempotencyKey;
  try {
    const response = await send(path, {
      method: ask.method ?? "GET",
      headers,
      signal: ask.signal ?? null,
      credentials: "same-origin",
      cache: "no-store",
      body: ask.body === undefined ? null : JSON.stringify(ask.body),
    });
    const body: unknown = await response.json();
    if (response.ok) return done(contentOf(body) as T);
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
