import { createServer, type RequestListener, type Server, type ServerResponse } from "node:http";
import { afterEach, describe, expect, test } from "vitest";
import { createBreaker, createOutbound, OutboundError, type Outbound, type OutboundOptions } from "./outbound.ts";

const open: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of open.splice(0)) await close();
});

async function serving(listener: RequestListener): Promise<{ url: string; server: Server }> {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  open.push(() => {
    server.closeAllConnections();
    return new Promise((resolve) => server.close(resolve));
  });
  return { url: `http://127.0.0.1:${(server.address() as { port: number }).port}`, server };
}

function calling(baseUrl: string, options: Partial<OutboundOptions> = {}): Outbound {
  const outbound = createOutbound({ provider: "somebody", baseUrl, timeoutMs: 5_000, ...options });
  open.push(() => outbound.close());
  return outbound;
}

const failureOf = (call: Promise<unknown>): Promise<string> =>
  call.then(
    () => "answered",
    (error: unknown) => (error instanceof OutboundError ? error.failure : String(error)),
  );

describe("a call to a provider", () => {
  test("brings back status, headers and body, whatever the status", async () => {
    const { url } = await serving((_, response) => response.writeHead(404, { "x-a": "b" }).end('{"a":1}'));
    const answer = await calling(`${url}/v3/`).call({ op: "read", path: "/things" });
    expect([answer.status, answer.headers["x-a"], answer.json()]).toEqual([404, "b", { a: 1 }]);
  });

  test.each<[string, RequestListener]>([
    ["swallows the call", () => {}],
    [
      "answers its headers and then nothing",
      (_, response) => {
        response.writeHead(200);
        response.write("{");
      },
    ],
    [
      "answers a byte now and then",
      (_, response) => {
        const timer = setInterval(() => response.write(" "), 20);
        response.on("close", () => clearInterval(timer));
      },
    ],
  ])("ends in time when the provider %s: its outcome is unknown", async (_, listener) => {
    const { url } = await serving(listener);
    const from = performance.now();
    const thrown = await calling(url, { timeoutMs: 120 })
      .call({ op: "read", path: "/" })
      .catch((error: unknown) => error);
    expect(thrown).toMatchObject({ failure: "timeout", isOutcomeUnknown: true });
    expect(performance.now() - from).toBeLessThan(2_000);
  });

  test("that is cut off has an unknown outcome; one that was refused a connection has not", async () => {
    const { url } = await serving((request) => request.socket.resetAndDestroy());
    expect(
      await calling(url)
        .call({ op: "write", path: "/" })
        .catch((error: unknown) => error),
    ).toMatchObject({ failure: "reset", isOutcomeUnknown: true });
    const { url: gone, server } = await serving(() => {});
    await new Promise((resolve) => server.close(resolve));
    expect(
      await calling(gone)
        .call({ op: "write", path: "/" })
        .catch((error: unknown) => error),
    ).toMatchObject({ failure: "unreachable", isOutcomeUnknown: false });
  });

  test("to an address without a route was certainly not sent", async () => {
    const failure = await calling("http://255.255.255.255:9") // TCP has no broadcast: no network is needed to refuse it
      .call({ op: "write", path: "/" })
      .catch((error: unknown) => error);
    expect(failure).toMatchObject({ failure: "unreachable", isOutcomeUnknown: false });
  });

  test("reads at most the permitted bytes, also without a length", async () => {
    const { url } = await serving((_, response) => {
      for (let n = 0; n < 20; n += 1) response.write("x".repeat(1_000));
      response.end();
    });
    expect(await failureOf(calling(url, { maxBytes: 10_000 }).call({ op: "read", path: "/" }))).toBe("too_large");
    expect(await failureOf(calling(url, { maxBytes: 20_000 }).call({ op: "read", path: "/" }))).toBe("answered");
  });

  test("follows no redirect", async () => {
    const { url } = await serving((_, response) => response.writeHead(302, { location: "http://127.0.0.1:1/secret" }).end());
    expect(await failureOf(calling(url).call({ op: "read", path: "/" }))).toBe("redirected");
  });

  test("fails fast when as many are under way as may be", async () => {
    const unanswered: ServerResponse[] = [];
    const { url } = await serving((_, response) => unanswered.push(response));
    const outbound = calling(url, { maxInFlight: 2 });
    const running = [outbound.call({ op: "read", path: "/" }), outbound.call({ op: "read", path: "/" })];
    expect(await failureOf(outbound.call({ op: "read", path: "/" }))).toBe("busy");
    await expect.poll(() => unanswered.length).toBe(2);
    for (const response of unanswered) response.end("{}");
    await Promise.all(running);
    const after = outbound.call({ op: "read", path: "/" });
    await expect.poll(() => unanswered.length).toBe(3);
    unanswered[2]?.end("{}");
    expect((await after).status).toBe(200);
  });

  test("is counted with its outcome", async () => {
    const calls: string[] = [];
    const { url } = await serving((_, response) => response.writeHead(500).end());
    await calling(url, { onCall: ({ provider, op, outcome }) => calls.push(`${provider} ${op} ${outcome}`) }).call({
      op: "read",
      path: "/",
    });
    expect(calls).toEqual(["somebody read 500"]);
  });
});

describe("the breaker", () => {
  test("opens after five failures in a row, lets one call through every thirty seconds, and closes when it succeeds", () => {
    let now = 0;
    const breaker = createBreaker(() => now);
    for (let n = 0; n < 4; n += 1) breaker.record(false);
    expect(breaker.mayCall()).toBe(true);
    breaker.record(false);
    expect(breaker.mayCall()).toBe(false);
    now = 29_999;
    expect(breaker.mayCall()).toBe(false);
    now = 30_000;
    expect([breaker.mayCall(), breaker.mayCall()]).toEqual([true, false]);
    breaker.record(false);
    now = 60_000;
    expect(breaker.mayCall()).toBe(true);
    breaker.record(true);
    expect([breaker.mayCall(), breaker.mayCall()]).toEqual([true, true]);
  });

  test("opens when half of the last twenty failed, though never five in a row", () => {
    const breaker = createBreaker(() => 0);
    for (let n = 0; n < 19; n += 1) breaker.record(n % 2 === 0);
    expect(breaker.mayCall()).toBe(true);
    breaker.record(false);
    expect(breaker.mayCall()).toBe(false);
  });

  test("spares a provider that answers errors, and tries again after half a minute", async () => {
    let now = new Date("2026-11-20T09:00:00Z");
    let requests = 0;
    let status = 500;
    const { url } = await serving((_, response) => {
      requests += 1;
      response.writeHead(status).end("{}");
    });
    const outbound = calling(url, { now: () => now });
    for (let n = 0; n < 8; n += 1) await failureOf(outbound.call({ op: "read", path: "/" }));
    expect(requests).toBe(5);
    expect(await failureOf(outbound.call({ op: "read", path: "/" }))).toBe("breaker_open");
    status = 200;
    now = new Date(now.getTime() + 30_000);
    expect(await failureOf(outbound.call({ op: "read", path: "/" }))).toBe("answered");
    expect(await failureOf(outbound.call({ op: "read", path: "/" }))).toBe("answered");
  });

  test("closes at once when it is reset; calls that failed before do not count any more", async () => {
    const hanging: ServerResponse[] = [];
    const { url } = await serving((request, response) => {
      if (request.url === "/hang") hanging.push(response);
      else response.end("{}");
    });
    const outbound = calling(url, { timeoutMs: 5_000 });
    const calls = Array.from({ length: 6 }, () => failureOf(outbound.call({ op: "read", path: "/hang" })));
    await expect.poll(() => hanging.length).toBe(6);
    outbound.resetBreaker();
    for (const response of hanging) response.destroy();
    expect(await Promise.all(calls)).toEqual(Array.from({ length: 6 }, () => "reset"));
    expect(await failureOf(outbound.call({ op: "read", path: "/" }))).toBe("answered");
  });
});
