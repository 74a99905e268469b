import { createHash } from "node:crypto";
import * as fc from "fast-check";
import * as z from "zod";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { problems } from "#contract/problems.ts";
import { openApi, type OpenApi, type Operation } from "./docs/openapi.ts";
import { routes } from "./routes.ts";
import { openHttpBench, type Browser, type HttpBench } from "./testing.ts";

const endpoints = routes("test");
const document = openApi(endpoints, "test");
const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
);

let bench: HttpBench;
let visitor: Browser;
beforeAll(async () => {
  bench = await openHttpBench({
    limits: { requestsPerMinute: 1e9, writesPerMinute: 1e9, quotesPerMinute: 1e9, ordersPerMinute: 1e9, searchesPerMinute: 1e9 },
  });
  visitor = bench.visitor();
});
afterAll(() => bench.close());
/** A fault reported by a generated request is logged like our own, but is not one. */
const isOurs = (fault: unknown) => (fault as { kind?: string }).kind !== "browser";
afterEach(() => expect(bench.faults.filter(isOurs)).toEqual([]));

test("the contract is published for programs and for people, and lists every call", async () => {
  const served = (await visitor.request("GET", "/api/openapi.json")).json<OpenApi>();
  for (const { call } of endpoints) expect(served.paths[call.path]?.[call.method.toLowerCase()]).toMatchObject({ summary: call.summary });
  expect(Object.keys(served.paths)).toEqual(
    expect.arrayContaining(["/api/payments/{provider}/webhook", "/healthz", "/readyz", "/metrics"]),
  );
  const page = await visitor.request("GET", "/api/docs");
  expect(page.headers["content-type"]).toBe("text/html; charset=utf-8");
  expect(page.body).toContain("POST /api/orders");
  const style = /<style>(.*?)<\/style>/s.exec(page.body)?.[1] ?? "";
  expect(style).toContain("overflow-x:auto");
  const hash = `'sha256-${createHash("sha256").update(style).digest("base64")}'`;
  expect(page.headers["content-security-policy"]).toContain(`style-src ${hash};`);
  expect(page.body).not.toMatch(/<script|https?:\/\//);
});

test("every operation has a unique name", () => {
  const ids = operations.map(({ operation }) => operation.operationId);
  expect(new Set(ids).size).toBe(ids.length);
});

test("no refusal message is in English, and every status is one of the contract's", () => {
  for (const [code, { status, message }] of Object.entries(problems)) {
    expect([code, /[А-Яа-я]/.test(message)]).toEqual([code, true]);
    expect([code, [400, 401, 403, 404, 405, 408, 409, 413, 414, 415, 421, 422, 429, 431, 503]]).toEqual([
      code,
      expect.arrayContaining([status]),
    ]);
  }
});

const hostile = fc.constantFrom<unknown>(
  "",
  " ",
  "\u0000",
  "\uD800",
  "\u202Eabc",
  "'; drop table orders; --",
  "<script>alert(1)</script>",
  "__proto__",
  "constructor",
  "%00",
  "../../etc/passwd",
  "é".repeat(300),
  "a".repeat(2000),
  "${7*7}",
  "0000073738",
  "+79161234567",
  "null",
  -1,
  0,
  1,
  1.5,
  1e308,
  2 ** 53,
  -0,
  true,
  false,
  null,
  [],
  {},
  [[[[[[[[[[[]]]]]]]]]]],
  { toString: 1 },
);

type Schema = { properties?: Record<string, Schema>; type?: string };
/** Bodies similar to the schema's, with some members of the right name, some of a wrong one, and any values. */
function bodies(schema: Schema | undefined): fc.Arbitrary<unknown> {
  const names = Object.keys(schema?.properties ?? {});
  const member = (name: string): fc.Arbitrary<unknown> => {
    const inner = schema?.properties?.[name];
    return inner?.properties
      ? fc.oneof(hostile, bodies(inner))
      : fc.oneof(hostile, fc.string({ unit: "binary", maxLength: 30 }), fc.integer(), fc.double());
  };
  const shaped =
    names.length > 0 ? fc.record(Object.fromEntries(names.map((name) => [name, member(name)])), { requiredKeys: [] }) : fc.constant({});
  return fc.oneof(
    { weight: 6, arbitrary: shaped },
    hostile,
    fc.dictionary(fc.string({ maxLength: 10 }), hostile, { maxKeys: 5 }),
    fc.json({ maxDepth: 4 }).map((text) => JSON.parse(text) as unknown),
  );
}

const bodyOf = (operation: Operation): Schema | undefined =>
  (operation.requestBody as { content: { "application/json": { schema: Schema } } } | undefined)?.content["application/json"].schema;

const problemBody = z.strictObject({
  statusCode: z.int(),
  statusMessage: z.string(),
  code: z.enum(Object.keys(problems) as [string, ...string[]]),
  message: z.string().regex(/[А-Яа-я]/),
  fields: z.record(z.string(), z.string()).optional(),
  data: z.unknown().optional(),
});

test("every answer to random input is declared by the contract, and none is 503", async () => {
  for (const { path, method, operation } of operations) {
    // every code is an SMS, whose limits have their own tests
    if (!endpoints.some(({ call }) => call.path === path) || path === "/api/auth/get-code") continue;
    const query = (operation.parameters as { in: string; name: string }[]).filter((each) => each.in === "query").map((each) => each.name);
    await fc.assert(
      fc.asyncProperty(
        bodies(bodyOf(operation)),
        fc.dictionary(fc.constantFrom(...query, "x"), fc.string({ unit: "grapheme", maxLength: 20 })),
        fc.constantFrom("1", "2", "0", "abcdefghijklmnop", "seyatel", "%00", "%F0%9F%92%A9", "-"),
        async (body, request, id) => {
          const search = new URLSearchParams(
            Object.entries(request).map(([name, value]): [string, string] => [name, value.toWellFormed()]),
          ).toString();
          const url = `${path.replace(/\{\w+\}/, id)}${search ? `?${search}` : ""}`;
          const response = await visitor.request(method.toUpperCase() as "GET", url, method === "get" ? undefined : JSON.stringify(body), {
            "idempotency-key": "fuzz",
          });
          expect([method, url, body, Object.keys(operation.responses)]).toEqual([
            method,
            url,
            body,
            expect.arrayContaining([String(response.statusCode)]),
          ]);
          expect([method, url, body, response.statusCode]).not.toEqual([method, url, body, 503]);
          if (response.statusCode >= 400) problemBody.parse(response.json());
        },
      ),
      { numRuns: 25 },
    );
  }
}, 120_000);
