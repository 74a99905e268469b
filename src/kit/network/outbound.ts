import { Agent, request } from "undici";

/** Why a call to a provider gave no usable answer. `timeout` and `reset` mean that the outcome is unknown. */
export type OutboundFailure = "timeout" | "reset" | "unreachable" | "busy" | "breaker_open" | "too_large" | "redirected";

/** A call to a provider failed. Adapters translate it into an error of their gateway or rethrow it. */
export class OutboundError extends Error {
  readonly provider: string;
  readonly failure: OutboundFailure;
  constructor(provider: string, failure: OutboundFailure, cause?: unknown) {
    super(`${provider}: ${failure}`, { cause });
    this.provider = provider;
    this.failure = failure;
  }
  /** Whether the provider may have received and processed the request. */
  get isOutcomeUnknown(): boolean {
    return this.failure === "timeout" || this.failure === "reset" || this.failure === "too_large";
  }
}

/** Log fields of a failed call: the kind of an outage (counted by a metric), or the whole error otherwise. */
export const faultFields = (error: unknown): { failure: string } | { err: unknown } =>
  error instanceof OutboundError ? { failure: `${error.provider}: ${error.failure}` } : { err: error };

export type OutboundOptions = {
  provider: string;
  baseUrl: string;
  /** Time limit of the whole call, from connect to the last byte, milliseconds. */
  timeoutMs: number;
  maxBytes?: number;
  maxInFlight?: number;
  now?: () => Date;
  onCall?: (call: { provider: string; op: string; outcome: string; milliseconds: number }) => void;
};

export type OutboundRequest = {
  op: string;
  method?: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  path: string;
  headers?: Record<string, string>;
  body?: string | Buffer;
};
export type OutboundAnswer = {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  bytes: Buffer;
  text(): string;
  json(): unknown;
};

/** Controls of a connection to a provider. */
export type Connection = {
  close(): Promise<void>;
  /** Resets the breaker after a known fault was fixed: calls are sent again at once, and running ones are not counted. */
  resetBreaker(): void;
};

/**
 * The HTTP client for providers: connects within 1 s, limits the whole call to `timeoutMs`, at most `maxInFlight` calls at once and
 * the size of answers, follows no redirects, verifies TLS, and has a circuit breaker that opens after 5 failures in a row
 * (or half of the last 20) and tries one call again after 30 s. A status ≥ 500 counts as a failure for the breaker but is returned.
 */
export function createOutbound(options: OutboundOptions) {
  const { provider, baseUrl, timeoutMs, maxBytes = 2 * 1024 * 1024, maxInFlight = 20 } = options;
  const clock = options.now ?? (() => new Date());
  const agent = new Agent({ connect: { timeout: 1000 }, connections: maxInFlight, pipelining: 1 });
  const closedBreaker = () => createBreaker(() => clock().getTime());
  let breaker = closedBreaker();
  let inFlight = 0;

  async function call(input: OutboundRequest): Promise<OutboundAnswer> {
    const started = performance.now();
    const own = breaker;
    const finish = (outcome: string) => options.onCall?.({ provider, op: input.op, outcome, milliseconds: performance.now() - started });
    if (!own.mayCall()) {
      finish("breaker_open");
      throw new OutboundError(provider, "breaker_open");
    }
    if (inFlight >= maxInFlight) {
      finish("busy");
      throw new OutboundError(provider, "busy");
    }
    inFlight += 1;
    try {
      const response = await request(new URL(baseUrl.replace(/\/$/, "") + input.path), {
        method: input.method ?? "GET",
        headers: input.headers,
        body: input.body ?? null,
        dispatcher: agent,
        signal: AbortSignal.timeout(timeoutMs),
      });
      const bytes = await readCapped(response.body, maxBytes);
      if (bytes === null) throw new OutboundError(provider, "too_large");
      if (response.statusCode >= 300 && response.statusCode < 400) throw new OutboundError(provider, "redirected");
      own.record(response.statusCode < 500);
      finish(String(response.statusCode));
      return {
        status: response.statusCode,
        headers: response.headers,
        bytes,
        text: () => bytes.toString("utf8"),
        json: () => JSON.parse(bytes.toString("utf8")) as unknown,
      };
    } catch (error) {
      own.record(false);
      const known = error instanceof OutboundError ? error : new OutboundError(provider, failureOf(error), error);
      finish(known.failure);
      throw known;
    } finally {
      inFlight -= 1;
    }
  }

  return {
    call,
    close: () => agent.close(),
    resetBreaker: () => {
      breaker = closedBreaker();
    },
  };
}
export type Outbound = ReturnType<typeof createOutbound>;

/**
 * `unreachable`: the request was certainly not sent, because the name has no address or no connection came about (refused, no route).
 * Node reports failures of several addresses as one `AggregateError`.
 */
function failureOf(error: unknown): OutboundFailure {
  const { name, code, syscall } = error as { name?: string; code?: string; syscall?: string };
  if (name === "TimeoutError" || name === "AbortError" || code === "UND_ERR_HEADERS_TIMEOUT" || code === "UND_ERR_BODY_TIMEOUT")
    return "timeout";
  const isUnconnected = syscall === "connect" || syscall === "getaddrinfo" || error instanceof AggregateError;
  return isUnconnected || code === "UND_ERR_CONNECT_TIMEOUT" ? "unreachable" : "reset";
}

async function readCapped(body: AsyncIterable<Buffer>, maxBytes: number): Promise<Buffer | null> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of body) {
    size += chunk.length;
    if (size > maxBytes) return null;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** Opens after 5 failures in a row or at least half of the last 20; lets one call through every 30 s while open. */
export function createBreaker(nowMs: () => number) {
  const recent: boolean[] = [];
  let inARow = 0;
  let openUntil = 0;
  return {
    mayCall(): boolean {
      if (openUntil === 0) return true;
      if (nowMs() < openUntil) return false;
      openUntil = nowMs() + 30_000; // one trial call; others wait for its result
      return true;
    },
    record(ok: boolean): void {
      recent.push(ok);
      if (recent.length > 20) recent.shift();
      inARow = ok ? 0 : inARow + 1;
      const failures = recent.filter((each) => !each).length;
      if (ok) {
        if (openUntil !== 0) recent.length = 0;
        openUntil = 0;
      } else if (inARow >= 5 || (recent.length === 20 && failures >= 10)) {
        openUntil = nowMs() + 30_000;
      }
    },
  };
}
