import { afterEach, expect, test, vi } from "vitest";
import { callApi } from "./client.ts";

/** Answers the next calls as a server would; what was asked is kept. */
function server(...answers: (Response | Error)[]): { asked: [string, RequestInit][] } {
  const asked: [string, RequestInit][] = [];
  vi.stubGlobal("fetch", async (path: string, init: RequestInit) => {
    asked.push([path, init]);
    const answer = answers.shift();
    if (answer instanceof Error || answer === undefined) throw answer ?? new Error("nothing left to answer");
    return answer;
  });
  return { asked };
}
afterEach(() => {
  vi.unstubAllGlobals();
});

const json = (status: number, body: unknown, headers: Record<string, string> = {}) =>
  new Response(JSON.stringify(body), { status, headers });

test("a success is what stands under data, or the whole body where it is bare", async () => {
  const { asked } = server(json(200, { data: { totalCoins: 2 } }), json(200, { work: true }));
  expect(await callApi("/api/cart/5", { method: "PATCH", body: { quantity: 2 }, idempotencyKey: "k" })).toEqual({
    ok: true,
    value: { totalCoins: 2 },
  });
  expect(await callApi("/api/work")).toEqual({ ok: true, value: { work: true } });
  expect(asked[0]).toMatchObject([
    "/api/cart/5",
    { method: "PATCH", body: '{"quantity":2}', headers: { "content-type": "application/json", "idempotency-key": "k" } },
  ]);
  expect(asked[1]?.[1].headers).not.toHaveProperty("content-type");
});

test("a refusal brings its code, words, fields, data and waiting time", async () => {
  server(
    json(
      429,
      { statusCode: 429, code: "auth.too_many_codes", message: "Слишком много", fields: { phone: "нет" }, data: { a: 1 } },
      { "retry-after": "30" },
    ),
  );
  expect(await callApi("/api/auth/get-code", { method: "POST", body: {} })).toEqual({
    ok: false,
    error: { code: "auth.too_many_codes", status: 429, message: "Слишком много", fields: { phone: "нет" }, data: { a: 1 }, retryAfter: 30 },
  });
});

test("no connection, no JSON and an answer of somebody else's are one refusal in Russian, never an exception", async () => {
  server(new Error("offline"), new Response("<html>gateway</html>", { status: 502 }), json(500, { error: "Internal" }));
  for (let i = 0; i < 3; i += 1)
    expect(await callApi("/api/cart")).toMatchObject({
      ok: false,
      error: { code: "network.failed", message: expect.stringMatching(/[А-Яа-я]/), fields: {} },
    });
});
